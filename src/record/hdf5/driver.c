#include "record/hdf5/driver.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

typedef struct driver_file {
    H5FD_t base; // first, so that the library can use the file as its own
    driver_io *io;
    haddr_t end_allocated, end_written;
} driver_file;

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    (void)name, (void)flags, (void)most;
    driver_io *const *io = H5Pget_driver_info(access);
    driver_file *file = calloc(1, sizeof *file);
    struct stat info;
    if (!io || !file || fstat((*io)->descriptor, &info) != 0) {
        free(file);
        return NULL;
    }
    file->io = *io;
    file->end_written = (haddr_t)info.st_size;
    return &file->base;
}

static herr_t driver_close(H5FD_t *base)
{
    free(base);
    return 0;
}

static herr_t driver_query(const H5FD_t *base, unsigned long *flags)
{
    (void)base;
    if (flags)
        *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t driver_get_allocated(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    return ((const driver_file *)base)->end_allocated;
}

static herr_t driver_set_allocated(H5FD_t *base, H5FD_mem_t type, haddr_t end)
{
    (void)type;
    ((driver_file *)base)->end_allocated = end;
    return 0;
}

static haddr_t driver_get_end(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    return ((const driver_file *)base)->end_written;
}

// Bytes that lie beyond the end, or behind a failed write, reads as zeros.
static herr_t driver_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t from, size_t size, void *data)
{
    (void)type, (void)transfer;
    const driver_io *io = ((driver_file *)base)->io;
    char *to = data;
    while (size > 0) {
        ssize_t got = pread(io->descriptor, to, size, (off_t)from);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && io->code == 0)
            return -1;
        if (got <= 0) {
            memset(to, 0, size);
            return 0;
        }
        to += got;
        from += (haddr_t)got;
        size -= (size_t)got;
    }
    return 0;
}

static herr_t driver_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, const void *data)
{
    (void)type, (void)transfer;
    driver_file *file = (driver_file *)base;
    const char *from = data;
    if (file->end_written < at + size)
        file->end_written = at + size;
    while (size > 0 && file->io->code == 0) {
        ssize_t put = pwrite(file->io->descriptor, from, size, (off_t)at);
        if (put < 0 && errno != EINTR)
            file->io->code = errno;
        if (put <= 0)
            continue;
        from += put;
        at += (haddr_t)put;
        size -= (size_t)put;
    }
    return 0;
}

// The library takes a file that is shorter than what it allocated for damaged.
static herr_t driver_truncate(H5FD_t *base, hid_t transfer, hbool_t closing)
{
    (void)transfer, (void)closing;
    driver_file *file = (driver_file *)base;
    if (file->end_written == file->end_allocated)
        return 0;
    if (file->io->code == 0 && ftruncate(file->io->descriptor, (off_t)file->end_allocated) != 0)
        file->io->code = errno;
    file->end_written = file->end_allocated;
    return 0;
}

static const H5FD_class_t driver_class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = 611, // any number that no other driver of the process has
#endif
    .name = "scree",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(driver_io *),
    .open = driver_open,
    .close = driver_close,
    .query = driver_query,
    .get_eoa = driver_get_allocated,
    .set_eoa = driver_set_allocated,
    .get_eof = driver_get_end,
    .read = driver_read,
    .write = driver_write,
    .truncate = driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t driver_access(driver_io *io)
{
    hid_t driver = H5FDregister(&driver_class);
    hid_t access = driver < 0 ? -1 : H5Pcreate(H5P_FILE_ACCESS);
    // The driver lives on as long as a list or a file refers to it.
    if (access >= 0 &&
        (H5Pset_driver(access, driver, &io) < 0 || H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) < 0)) {
        H5Pclose(access);
        access = -1;
    }
    if (driver >= 0)
        H5FDunregister(driver);
    return access;
}

static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;

driver_silence driver_enter(void)
{
    driver_silence before = {0};
    pthread_mutex_lock(&library_lock);
    H5Eget_auto2(H5E_DEFAULT, &before.function, &before.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return before;
}

void driver_leave(driver_silence before)
{
    H5Eset_auto2(H5E_DEFAULT, before.function, before.data);
    pthread_mutex_unlock(&library_lock);
}
