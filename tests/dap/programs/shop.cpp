// Containers, exceptions and calls, for the clients of the debug adapter.
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

struct Item {
    std::string name;
    int price;
};

static int sum(const std::vector<Item> &items) {
    int total = 0;
    for (const Item &item : items) {
        total += item.price; // mark: sum
    }
    return total;
}

int main() {
    std::vector<int> numbers;
    for (int i = 0; i < 100000; i++) {
        numbers.push_back(i * 2);
    }
    std::map<std::string, int> ages{{"ann", 30}, {"bob", 25}};
    std::string text = "hello";
    std::vector<Item> items{{"pen", 2}, {"book", 12}};
    int total = sum(items); // mark: call
    std::cout << text << ' ' << total << std::endl; // mark: print
    try {
        throw std::runtime_error("too dear");
    } catch (const std::exception &e) {
        std::cout << e.what() << std::endl; // mark: caught
    }
    return ages["bob"] == 25 && numbers.size() == 100000 ? 0 : 1;
}
