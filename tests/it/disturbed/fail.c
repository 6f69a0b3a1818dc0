// Makes a system call on files fail, as a full or broken disk does: LD_PRELOAD=fail.so with
//   FAIL_BELOW  folder of the files that are concerned
//   FAIL_CALL   write, sync, rename or read
//   FAIL_AFTER  calls that succeed before
//   FAIL_WITH   the error's number: 28 ENOSPC, 5 EIO
// All later calls fail, too.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;

static int below(const char *path) {
    const char *folder = getenv("FAIL_BELOW");
    return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static int fails(const char *call, const char *path) {
    const char *wanted = getenv("FAIL_CALL"), *after = getenv("FAIL_AFTER"), *with = getenv("FAIL_WITH");
    if (!wanted || !after || !with || strcmp(wanted, call) != 0 || !below(path))
        return 0;
    if (atomic_fetch_add(&calls, 1) < atol(after))
        return 0;
    errno = atoi(with);
    return 1;
}

static int fails_on(const char *call, int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return fails(call, path);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define ON_FILE(call, type, name, parameters, ...)            \
    type name parameters {                                     \
        static __typeof__(&name) next;                         \
        if (!next) next = NEXT(name);                          \
        return fails_on(call, fd) ? -1 : next(__VA_ARGS__);    \
    }

ON_FILE("write", ssize_t, write, (int fd, const void *b, size_t n), fd, b, n)
ON_FILE("write", ssize_t, writev, (int fd, const struct iovec *v, int n), fd, v, n)
ON_FILE("write", ssize_t, pwrite64, (int fd, const void *b, size_t n, off64_t at), fd, b, n, at)
ON_FILE("sync", int, fsync, (int fd), fd)
ON_FILE("sync", int, fdatasync, (int fd), fd)
ON_FILE("read", ssize_t, read, (int fd, void *b, size_t n), fd, b, n)
ON_FILE("read", ssize_t, pread64, (int fd, void *b, size_t n, off64_t at), fd, b, n, at)

int rename(const char *from, const char *to) {
    return fails("rename", to) ? -1 : NEXT(rename)(from, to);
}
