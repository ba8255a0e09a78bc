// Exceptions through frames with destructors, rethrown, and of several types.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

static int destroyed;

struct Guard {
    ~Guard() { destroyed++; }
};

static int risky(int n) {
    Guard guard;
    if (n % 3 == 0) {
        throw std::runtime_error("three divides " + std::to_string(n)); // mark: throw-runtime
    }
    if (n % 5 == 0) {
        throw n;
    }
    return n;
}

static int wrapped(int n) {
    Guard guard;
    try {
        return risky(n);
    } catch (const std::runtime_error &) {
        destroyed += 100;
        throw;
    }
}

int main() {
    int sum = 0;
    for (int i = 1; i <= 15; i++) {
        try {
            sum += wrapped(i);
        } catch (const std::exception &error) {
            std::printf("caught %s\n", error.what()); // mark: caught
        } catch (int number) {
            std::printf("caught %d\n", number);
        }
    }
    std::printf("sum %d destroyed %d\n", sum, destroyed);
    return 0;
}
