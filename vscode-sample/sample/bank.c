/* A small bank with two bugs: a name that is too long for its field, and two tellers who do not wait for each other. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { ACCOUNTS = 3, DEPOSITS = 25 };

struct account {
    char owner[16];
    long *balance;
};

static long balances[ACCOUNTS] = {100, 200, 300};
static struct account accounts[ACCOUNTS] = {
    {"Ada", &balances[0]}, {"Grace", &balances[1]}, {"Edsger", &balances[2]}};

static void *deposit(void *arg) {
    struct account *account = arg;
    for (int i = 0; i < DEPOSITS; i++) {
        long before = *account->balance;
        sched_yield();
        *account->balance = before + 1;
    }
    return NULL;
}

static void *rename_account(void *arg) {
    struct account *account = arg;
    const char *name = "Grace Brewster Murray Hopper";
    for (size_t i = 0; i <= strlen(name); i++)
        account->owner[i] = name[i];
    return NULL;
}

static void print_statement(const struct account *account, int number) {
    printf("account %d of %.16s\n", number, account->owner);
    printf("balance %ld\n", *account->balance);
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    pthread_t first, second, clerk;
    pthread_create(&first, NULL, deposit, &accounts[0]);
    pthread_create(&second, NULL, deposit, &accounts[0]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("%d deposits of 1 turned 100 into %ld\n", 2 * DEPOSITS, balances[0]);
    pthread_create(&clerk, NULL, rename_account, &accounts[1]);
    pthread_join(clerk, NULL);
    for (int number = 0; number < ACCOUNTS; number++)
        print_statement(&accounts[number], number);
    return 0;
}
