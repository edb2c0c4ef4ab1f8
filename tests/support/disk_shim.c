/* A disk that forgets and fails, for one process: preloaded, it stands between it and the C library.
 *
 * HANPAN_DISK names a directory; files of it are watched, by the inode of what is open. After each
 * successful fsync the file's content is copied to <directory>/durable/<name>: what a loss of power at
 * this moment would leave. A deleted file is gone from there once the directory is fsynced. While <directory>/full exists, writes end with ENOSPC; while
 * <directory>/broken exists, fsync ends with EIO, its data written or not.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *disk(void) {
    const char *directory = getenv("HANPAN_DISK");
    return directory ? directory : "/nonexistent";
}

static int exists(const char *name) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", disk(), name);
    return access(path, F_OK) == 0;
}

/* The file's name if it lies in the watched directory, "" for the directory itself, else NULL. */
static const char *watched(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return NULL;
    path[length] = 0;
    if (strcmp(path, disk()) == 0) return path + length;
    char *slash = strrchr(path, '/');
    if (!slash) return NULL;
    *slash = 0;
    return strcmp(path, disk()) == 0 ? slash + 1 : NULL;
}

static void keep(int fd, const char *name) {
    char partial[PATH_MAX], durable[PATH_MAX], source[64];
    struct stat about;
    snprintf(partial, sizeof partial, "%s/durable/.%s", disk(), name);
    snprintf(durable, sizeof durable, "%s/durable/%s", disk(), name);
    snprintf(source, sizeof source, "/proc/self/fd/%d", fd);
    int in = open(source, O_RDONLY), out = open(partial, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (in < 0 || out < 0 || fstat(in, &about) != 0) abort();
    for (off_t at = 0; at < about.st_size;)
        if (sendfile(out, in, &at, (size_t)(about.st_size - at)) <= 0) abort();
    close(in);
    close(out);
    if (rename(partial, durable) != 0) abort();
}

static void forget_deleted(void) {
    char durable[PATH_MAX];
    snprintf(durable, sizeof durable, "%s/durable", disk());
    DIR *directory = opendir(durable);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (entry->d_name[0] != '.' && !exists(entry->d_name))
            unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory) closedir(directory);
}

static int synced(int fd, int (*real)(int)) {
    char path[PATH_MAX];
    const char *name = watched(fd, path);
    if (name && exists("broken")) {
        errno = EIO;
        return -1;
    }
    int result = real(fd);
    if (name && result == 0) {
        if (*name)
            keep(fd, name);
        else
            forget_deleted();
    }
    return result;
}

int fsync(int fd) {
    return synced(fd, (int (*)(int))dlsym(RTLD_NEXT, "fsync"));
}

int fdatasync(int fd) {
    return synced(fd, (int (*)(int))dlsym(RTLD_NEXT, "fdatasync"));
}

static int is_full(int fd) {
    char path[PATH_MAX];
    if (!watched(fd, path) || !exists("full")) return 0;
    errno = ENOSPC;
    return 1;
}

typedef ssize_t (*writer)(int, const void *, size_t, off_t);

ssize_t pwrite(int fd, const void *data, size_t length, off_t at) {
    return is_full(fd) ? -1 : ((writer)dlsym(RTLD_NEXT, "pwrite"))(fd, data, length, at);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off_t at) {
    return is_full(fd) ? -1 : ((writer)dlsym(RTLD_NEXT, "pwrite64"))(fd, data, length, at);
}
