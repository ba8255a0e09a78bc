// What programs do all day: read lines (ROUNDS times the same), split them, count words in a hash table, sort, format and
// write.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    char *word;
    int count;
};

static struct entry *table[4096];
static int distinct;
static int words;

static unsigned hash(const char *word) {
    unsigned value = 2166136261u;
    for (; *word; word++) {
        value = (value ^ (unsigned char) *word) * 16777619u;
    }
    return value;
}

static void count_word(const char *word) {
    words++;
    struct entry **slot = &table[hash(word) % 4096];
    for (struct entry *e = *slot; e; e = e->next) {
        if (!strcmp(e->word, word)) {
            e->count++;
            return;
        }
    }
    struct entry *e = malloc(sizeof *e);
    e->word = strdup(word);
    e->count = 1;
    e->next = *slot;
    *slot = e;
    distinct++;
}

static int by_count(const void *a, const void *b) {
    const struct entry *x = *(struct entry *const *) a, *y = *(struct entry *const *) b;
    return x->count != y->count ? y->count - x->count : strcmp(x->word, y->word);
}

static void report(void) {
    struct entry **all = malloc(distinct * sizeof *all);
    int n = 0;
    for (int i = 0; i < 4096; i++) {
        for (struct entry *e = table[i]; e; e = e->next) {
            all[n++] = e;
        }
    }
    qsort(all, n, sizeof *all, by_count);
    for (int i = 0; i < n && i < 20; i++) {
        printf("%7d %s\n", all[i]->count, all[i]->word);
    }
    free(all);
}

int main(int argc, char **argv) {
    FILE *file = fopen(argv[argc - 1], "r");
    char line[4096];
    int rounds = 1;
    while (file && (fgets(line, sizeof line, file) || (rounds++ < ROUNDS && (rewind(file), fgets(line, sizeof line, file))))) {
        for (char *word = strtok(line, " \t\n.,;:()[]{}\"'<>"); word; word = strtok(NULL, " \t\n.,;:()[]{}\"'<>")) {
            count_word(word);
        }
    }
    report();
    return file == NULL;
}
