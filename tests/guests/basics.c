// Functions, loops, structs, heap: the guest of most debugger tests. Lines that tests name carry marks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    int key;
    double weight;
    char name[16];
    struct item *next;
};

int total;
int progress;
static struct item *head;

static int square(int n) {
    int result = n * n; // mark: square-body
    return result;      // mark: square-return
}

int add_square(int sum, int n) {
    int s = square(n); // mark: add-call
    sum += s;          // mark: add-sum
    return sum;        // mark: add-return
}

static struct item *push(int key, const char *name) {
    struct item *item = malloc(sizeof *item);
    item->key = key;
    item->weight = key / 4.0;
    strncpy(item->name, name, sizeof item->name - 1);
    item->name[sizeof item->name - 1] = 0;
    item->next = head;
    head = item; // mark: push-head
    return item;
}

static int sum_keys(const struct item *item) {
    int sum = 0;
    for (; item != NULL; item = item->next) {
        sum += item->key;
        progress++;
    }
    return sum;
}

static int depth(int n) {
    if (n == 0) {
        return 0; // mark: depth-bottom
    }
    return 1 + depth(n - 1); // mark: depth-call
}

int main(int argc, char **argv) {
    (void) argc;
    (void) argv;
    for (int i = 1; i <= 10; i++) {
        total = add_square(total, i); // mark: main-loop
        progress = i;                 // mark: main-progress
    }
    printf("total %d\n", total); // mark: main-print
    push(3, "three");            // mark: main-push
    push(5, "five");
    push(8, "eight");
    int keys = sum_keys(head);         // mark: main-keys
    printf("keys %d\n", keys);         // mark: main-print-keys
    int levels = depth(12);            // mark: main-depth
    printf("depth %d\n", levels);      // mark: main-print-depth
    fflush(stdout);
    return total == 385 && keys == 16 && levels == 12 ? 0 : 1; // mark: main-end
}
