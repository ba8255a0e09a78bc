// A program for the tour of gdb's commands: a loop, a class, threads, a child, an exception and output.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

struct point {
    int x, y;
};

int counter;
point corner{3, 4};

int scale(int value, int factor) {
    int result = value * factor;
    counter += 1;
    return result;
}

int total(int limit) {
    int sum = 0;
    for (int i = 1; i <= limit; i++) {
        sum += scale(i, 3);
    }
    return sum;
}

static int guarded(const std::string &text) {
    try {
        throw std::runtime_error(text);
    } catch (const std::runtime_error &error) {
        return static_cast<int>(std::string(error.what()).size());
    }
}

int main() {
    int sum = total(5);
    corner.x = sum;
    std::vector<int> numbers{1, 2};
    {
        std::vector<std::thread> threads;
        for (int &number : numbers) {
            threads.emplace_back([&number] { number *= 10; });
        }
        for (std::thread &thread : threads) {
            thread.join();
        }
    }
    int length = guarded("thrown");
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execlp("true", "true", static_cast<char *>(nullptr));
        _exit(1);
    }
    waitpid(child, &status, 0);
    std::printf("sum %d numbers %d %d status %d length %d\n", sum, numbers[0], numbers[1], status, length);
    return 0;
}
