// Makes calls on files fail, as a full or broken disk does: LD_PRELOAD=fail.so with
//   FAIL_BELOW  absolute path of the folder whose files are concerned; only calls on these are counted
//   FAIL_CALL   open, read, write, sync, rename, mkdir, unlink, list, stat, truncate, map or lock
//   FAIL_AT     the number of the call that fails, from 1
//   FAIL_EVER   if it is set, all later calls fail, too
//   FAIL_WITH   the error's number: 28 ENOSPC, 5 EIO
//   FAIL_LOG    a file that gets a line for each call that fails, outside of FAIL_BELOW
// Or ends the program, as a machine that loses its power does, and says what was not on the disk then:
//   CRASH_AT    the number of the call that changes something, from 1, at which the program ends
//   CRASH_LOG   a file that gets a line for each such call before it: CALL INODE SIZE PATH, and for the N-th rename
//               `rename N 0 FROM<tab>TO`; if TO was there, CRASH_LOG.N is a second name of it
// Calls that a library makes without libc are not seen.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static atomic_long calls;

static void add_line(const char *log, const char *line) {
    int length = strlen(line);
    int fd = log ? NEXT(open)(log, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    if (fd < 0)
        return;
    if (NEXT(write)(fd, line, length) < 0)
        abort();
    close(fd);
}

static void note(const char *call, const char *path) {
    char line[8400];
    snprintf(line, sizeof line, "%s %s\n", call, path);
    add_line(getenv("FAIL_LOG"), line);
}

static int is_below(const char *path) {
    const char *below = getenv("FAIL_BELOW");
    size_t length = below ? strlen(below) : 0;
    return below && strncmp(path, below, length) == 0 && (!path[length] || path[length] == '/');
}

// Ends the program where it is to end; else says what a call is about to change.
static void crash(const char *call, const char *path, int fd, const char *from) {
    static atomic_long renames;
    const char *at = getenv("CRASH_AT"), *log = getenv("CRASH_LOG");
    if (!at || !log || !is_below(path))
        return;
    if (atomic_fetch_add(&calls, 1) + 1 == atol(at))
        _exit(99);
    char line[16600], second[4200];
    struct stat there = {0};
    if (from) {
        long number = atomic_fetch_add(&renames, 1);
        snprintf(second, sizeof second, "%s.%ld", log, number);
        NEXT(link)(path, second);
        snprintf(line, sizeof line, "rename %ld 0 %s\t%s\n", number, from, path);
    } else {
        if (fd >= 0)
            NEXT(fstat)(fd, &there);
        snprintf(line, sizeof line, "%s %lu %lld %s\n", call, there.st_ino, (long long)there.st_size, path);
    }
    add_line(log, line);
}

static int changes(const char *call) {
    return !strcmp(call, "write") || !strcmp(call, "sync") || !strcmp(call, "truncate") || !strcmp(call, "unlink")
        || !strcmp(call, "mkdir");
}

// Whether this call fails; the path is absolute.
static int fails(const char *call, const char *path) {
    const char *wanted = getenv("FAIL_CALL"), *at = getenv("FAIL_AT"), *with = getenv("FAIL_WITH");
    if (!wanted || !at || !with || strcmp(wanted, call) != 0 || !is_below(path))
        return 0;
    long number = atomic_fetch_add(&calls, 1) + 1, first = atol(at);
    if (number < first || (number > first && !getenv("FAIL_EVER")))
        return 0;
    note(call, path);
    errno = atoi(with);
    return 1;
}

static int path_of(int fd, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, size - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return 1;
}

static int fails_on(const char *call, int fd) {
    char path[4096];
    int before = errno, is = path_of(fd, path, sizeof path);
    if (is && changes(call))
        crash(call, path, fd, NULL);
    is = is && fails(call, path);
    if (!is)
        errno = before;
    return is;
}

// The absolute path of a name in a folder; 0 if it is not known.
static int absolute(int folder, const char *name, char *path, size_t size) {
    if (*name == '/')
        return snprintf(path, size, "%s", name) > 0;
    if (folder == AT_FDCWD ? !getcwd(path, size / 2) : !path_of(folder, path, size / 2))
        return 0;
    size_t length = strlen(path);
    return snprintf(path + length, size - length, "/%s", name) > 0;
}

static int fails_at(const char *call, int folder, const char *name) {
    char path[8192];
    if (!name || !*name)
        return folder >= 0 && fails_on(call, folder);
    int before = errno, is = absolute(folder, name, path, sizeof path);
    if (is && changes(call))
        crash(call, path, -1, NULL);
    is = is && fails(call, path);
    if (!is)
        errno = before;
    return is;
}

static int fails_to(int from_folder, const char *from, int folder, const char *name) {
    char from_path[8192], path[8192];
    int before = errno;
    if (absolute(from_folder, from, from_path, sizeof from_path) && absolute(folder, name, path, sizeof path))
        crash("rename", path, -1, from_path);
    errno = before;
    return fails_at("rename", folder, name);
}

#define WRAP(type, bad, name, parameters, failing, ...)  \
    type name parameters {                                \
        static __typeof__(&name) next;                    \
        if (!next) next = NEXT(name);                     \
        return (failing) ? bad : next(__VA_ARGS__);       \
    }
#define ON_FILE(call, type, name, parameters, ...) WRAP(type, -1, name, parameters, fails_on(call, fd), __VA_ARGS__)
#define AT(call, name, parameters, folder, path, ...) WRAP(int, -1, name, parameters, fails_at(call, folder, path), __VA_ARGS__)
#define OPEN(name, parameters, folder, path, flags, ...)                    \
    int name parameters {                                                    \
        static __typeof__(&name) next;                                       \
        if (!next) next = NEXT(name);                                        \
        mode_t mode = 0;                                                     \
        if ((flags) & (O_CREAT | O_TMPFILE)) {                               \
            va_list rest;                                                    \
            va_start(rest, flags);                                           \
            mode = va_arg(rest, mode_t);                                     \
            va_end(rest);                                                    \
        }                                                                    \
        return fails_at("open", folder, path) ? -1 : next(__VA_ARGS__, mode); \
    }

OPEN(open, (const char *path, int flags, ...), AT_FDCWD, path, flags, path, flags)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD, path, flags, path, flags)
OPEN(openat, (int in, const char *path, int flags, ...), in, path, flags, in, path, flags)
OPEN(openat64, (int in, const char *path, int flags, ...), in, path, flags, in, path, flags)

ON_FILE("read", ssize_t, read, (int fd, void *b, size_t n), fd, b, n)
ON_FILE("read", ssize_t, readv, (int fd, const struct iovec *v, int n), fd, v, n)
ON_FILE("read", ssize_t, pread, (int fd, void *b, size_t n, off_t at), fd, b, n, at)
ON_FILE("read", ssize_t, pread64, (int fd, void *b, size_t n, off64_t at), fd, b, n, at)
ON_FILE("write", ssize_t, write, (int fd, const void *b, size_t n), fd, b, n)
ON_FILE("write", ssize_t, writev, (int fd, const struct iovec *v, int n), fd, v, n)
ON_FILE("write", ssize_t, pwrite, (int fd, const void *b, size_t n, off_t at), fd, b, n, at)
ON_FILE("write", ssize_t, pwrite64, (int fd, const void *b, size_t n, off64_t at), fd, b, n, at)
ON_FILE("write", ssize_t, copy_file_range, (int from, off64_t *i, int fd, off64_t *o, size_t n, unsigned f), from, i, fd, o, n, f)
ON_FILE("sync", int, fsync, (int fd), fd)
ON_FILE("sync", int, fdatasync, (int fd), fd)
ON_FILE("truncate", int, ftruncate, (int fd, off_t n), fd, n)
ON_FILE("truncate", int, ftruncate64, (int fd, off64_t n), fd, n)
ON_FILE("lock", int, flock, (int fd, int how), fd, how)
ON_FILE("stat", int, fstat, (int fd, struct stat *s), fd, s)
ON_FILE("stat", int, fstat64, (int fd, struct stat64 *s), fd, s)

WRAP(int, -1, rename, (const char *from, const char *to), fails_to(AT_FDCWD, from, AT_FDCWD, to), from, to)
WRAP(int, -1, renameat, (int i, const char *from, int o, const char *to), fails_to(i, from, o, to), i, from, o, to)
AT("rename", link, (const char *from, const char *to), AT_FDCWD, to, from, to)
AT("rename", linkat, (int i, const char *from, int o, const char *to, int f), o, to, i, from, o, to, f)
AT("mkdir", mkdir, (const char *path, mode_t mode), AT_FDCWD, path, path, mode)
AT("mkdir", mkdirat, (int in, const char *path, mode_t mode), in, path, in, path, mode)
AT("unlink", unlink, (const char *path), AT_FDCWD, path, path)
AT("unlink", rmdir, (const char *path), AT_FDCWD, path, path)
AT("unlink", unlinkat, (int in, const char *path, int flags), in, path, in, path, flags)
AT("stat", stat, (const char *path, struct stat *s), AT_FDCWD, path, path, s)
AT("stat", stat64, (const char *path, struct stat64 *s), AT_FDCWD, path, path, s)
AT("stat", lstat, (const char *path, struct stat *s), AT_FDCWD, path, path, s)
AT("stat", lstat64, (const char *path, struct stat64 *s), AT_FDCWD, path, path, s)
AT("stat", statx, (int in, const char *path, int flags, unsigned mask, struct statx *s), in, path, in, path, flags, mask, s)

WRAP(DIR *, NULL, opendir, (const char *path), fails_at("list", AT_FDCWD, path), path)
WRAP(DIR *, NULL, fdopendir, (int fd), fails_on("list", fd), fd)
WRAP(struct dirent *, NULL, readdir, (DIR * list), fails_on("list", dirfd(list)), list)
WRAP(struct dirent64 *, NULL, readdir64, (DIR * list), fails_on("list", dirfd(list)), list)
WRAP(void *, MAP_FAILED, mmap, (void *a, size_t n, int p, int f, int fd, off_t at), fd >= 0 && fails_on("map", fd), a, n, p, f, fd, at)
WRAP(void *, MAP_FAILED, mmap64, (void *a, size_t n, int p, int f, int fd, off64_t at), fd >= 0 && fails_on("map", fd), a, n, p, f, fd, at)
