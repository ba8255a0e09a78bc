// A program for the tour of gdb's commands: a loop, a structure, threads, a child and output.
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

struct point {
    int x, y;
};

int counter;
struct point corner = {3, 4};
static pthread_barrier_t all;

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

static void *worker(void *argument) {
    int *number = argument;
    pthread_barrier_wait(&all);
    *number = *number * 10;
    return NULL;
}

int main(void) {
    int sum = total(5);
    corner.x = sum;
    pthread_barrier_init(&all, NULL, 3);
    pthread_t threads[2];
    int numbers[2] = {1, 2};
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, worker, &numbers[i]);
    }
    pthread_barrier_wait(&all);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execlp("true", "true", (char *) NULL);
        _exit(1);
    }
    waitpid(child, &status, 0);
    printf("sum %d numbers %d %d status %d\n", sum, numbers[0], numbers[1], status);
    return 0;
}
