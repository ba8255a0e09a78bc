// Calls on files and directories in a temporary folder.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int by_name(const void *left, const void *right) {
    return strcmp(*(char *const *) left, *(char *const *) right);
}

static void list(const char *name) {
    DIR *folder = opendir(name);
    char *names[64];
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL && count < 64;) {
        names[count++] = strdup(entry->d_name);
    }
    closedir(folder);
    qsort(names, (size_t) count, sizeof *names, by_name);
    for (int i = 0; i < count; i++) {
        printf("%s ", names[i]);
        free(names[i]);
    }
    printf("(%d)\n", count);
}

int main(void) {
    char folder[] = "/tmp/files-XXXXXX";
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
        return 1;
    }
    int file = open("one", O_CREAT | O_RDWR | O_EXCL, 0640);
    struct iovec parts[] = {{.iov_base = "alpha ", .iov_len = 6}, {.iov_base = "beta ", .iov_len = 5}, {.iov_base = "gamma", .iov_len = 5}};
    printf("writev %zd", writev(file, parts, 3));
    printf(" seek %ld truncate %d\n", (long) lseek(file, -5, SEEK_CUR), ftruncate(file, 14));
    char first[4] = {0}, second[8] = {0};
    struct iovec into[] = {{.iov_base = first, .iov_len = 3}, {.iov_base = second, .iov_len = 7}};
    lseek(file, 0, SEEK_SET);
    printf("readv %zd %s|%s\n", readv(file, into, 2), first, second);
    struct stat stat;
    fstat(file, &stat);
    printf("size %ld mode %o links %lu\n", (long) stat.st_size, stat.st_mode & 0777, (unsigned long) stat.st_nlink);
    int copy = dup2(file, 40);
    fcntl(copy, F_SETFD, FD_CLOEXEC);
    printf("dup %d flags %d\n", copy, fcntl(copy, F_GETFD));
    printf("link %d symlink %d rename %d mkdir %d\n", link("one", "two"), symlink("one", "three"), rename("two", "four"), mkdir("d", 0755));
    char target[32] = {0};
    printf("readlink %zd %s access %d", readlink("three", target, 31), target, access("four", R_OK));
    printf(" missing %d %s\n", open("missing", O_RDONLY), strerror(errno));
    list(".");
    for (int i = 0; i < 50; i++) {
        char name[16];
        snprintf(name, sizeof name, "d/f%02d", i);
        close(open(name, O_CREAT | O_WRONLY, 0600));
    }
    list("d");
    for (int i = 0; i < 50; i++) {
        char name[16];
        snprintf(name, sizeof name, "d/f%02d", i);
        unlink(name);
    }
    printf("unlink %d %d %d rmdir %d ", unlink("one"), unlink("three"), unlink("four"), rmdir("d"));
    int left = chdir("/");
    printf("left %d gone %d\n", left, rmdir(folder));
    return 0;
}
