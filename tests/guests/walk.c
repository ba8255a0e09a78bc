// A program for random walks: nested calls, recursion, heap, output, all driven by a small generator.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *left, *right;
};

static unsigned state = 12345;
static struct node *root;
int inserted, found, steps;

static unsigned random_number(void) {
    state = state * 1664525u + 1013904223u; // mark: random
    return state >> 16;
}

static struct node *insert(struct node *node, int key) {
    steps++;
    if (node == NULL) {
        node = calloc(1, sizeof *node); // mark: insert-new
        node->key = key;
        inserted++;
    } else if (key < node->key) {
        node->left = insert(node->left, key);
    } else if (key > node->key) {
        node->right = insert(node->right, key);
    }
    return node;
}

static int contains(const struct node *node, int key) {
    steps++;
    if (node == NULL) {
        return 0;
    }
    return key == node->key || contains(key < node->key ? node->left : node->right, key); // mark: contains
}

int main(void) {
    for (int round = 0; round < 30; round++) {
        int key = (int) (random_number() % 64);
        root = insert(root, key);
        found += contains(root, (int) (random_number() % 64)); // mark: found
        if (round % 10 == 9) {
            printf("round %d inserted %d found %d steps %d\n", round, inserted, found, steps); // mark: report
            fflush(stdout);
        }
    }
    return 0;
}
