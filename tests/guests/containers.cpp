// Containers, iostreams, lambdas, threads of C++.
#include <algorithm>
#include <iostream>
#include <map>
#include <mutex>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

static int added;
static int rounds; // of all loops in main; tells any two of them apart

class Counter {
public:
    explicit Counter(int step) : step_(step) {}
    void add() { value_ += step_; added++; } // mark: counter-add
    int value() const { return value_; }

private:
    int step_;
    int value_ = 0;
};

int main() {
    std::vector<int> numbers(100);
    std::iota(numbers.begin(), numbers.end(), 1);
    std::map<std::string, int> words;
    std::istringstream text("the quick brown fox jumps over the lazy dog the end");
    for (std::string word; text >> word;) {
        rounds++;
        words[word]++; // mark: word
    }
    for (const auto &[word, count] : words) {
        rounds++;
        std::cout << word << '=' << count << ' ';
    }
    std::unordered_map<int, int> squares;
    for (int n : numbers) {
        rounds++;
        squares[n] = n * n;
    }
    std::sort(numbers.begin(), numbers.end(), [&](int a, int b) { rounds++; return squares[a] % 17 != squares[b] % 17 ? squares[a] % 17 < squares[b] % 17 : a < b; });
    std::cout << '\n' << numbers.front() << ' ' << numbers.back() << '\n'; // mark: sorted
    std::mutex mutex;
    Counter counter(3);
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++) {
        threads.emplace_back([&] {
            for (int j = 0; j < 10; j++) {
                std::lock_guard<std::mutex> lock(mutex);
                counter.add();
            }
        });
    }
    for (auto &thread : threads) {
        rounds++;
        thread.join();
    }
    std::cout << "counter " << counter.value() << std::endl; // mark: counter-print
    return 0;
}
