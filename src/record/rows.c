#include "record/rows.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "record/file.h"
#include "scene/document/scalar.h"

// The stream is the file's from here on; NULL with errno is why there is none.
static scree_status take_stream(row_file *file, const char *path, FILE *stream, scree_error *error)
{
    int code = errno;
    *file = (row_file){.path = strdup(path), .stream = stream};
    if (file->path && stream)
        return SCREE_OK;
    errno = file->path ? code : ENOMEM;
    scree_status status = fail_io(error, "write", path, errno);
    rows_close(file);
    return status;
}

scree_status rows_create(row_file *file, const char *path, const char *header, scree_error *error)
{
    scree_status status = take_stream(file, path, file_create_stream(path), error);
    if (status != SCREE_OK)
        return status;
    int length = fprintf(file->stream, "%s\n", header);
    file->size = length > 0 ? (uint64_t)length : 0;
    status = rows_flush(file, error);
    if (status != SCREE_OK)
        rows_close(file);
    return status;
}

scree_status rows_reopen(row_file *file, const char *path, uint64_t size, bool keep, scree_error *error)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return fail_io(error, "continue", path, errno);
    if (info.st_size < 0 || (uint64_t)info.st_size < size)
        return fail(error, SCREE_ERROR_IO, "cannot continue %s: it has %lld bytes and had %llu at the checkpoint", path,
                    (long long)info.st_size, (unsigned long long)size);
    int descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    scree_status status = take_stream(file, path, descriptor < 0 ? NULL : fdopen(descriptor, "r+b"), error);
    if (status != SCREE_OK)
        return status;
    if (keep)
        size = (uint64_t)info.st_size;
    if (ftruncate(fileno(file->stream), (off_t)size) != 0 || fseeko(file->stream, (off_t)size, SEEK_SET) != 0) {
        status = fail_io(error, "continue", path, errno);
        rows_close(file);
        return status;
    }
    file->size = size;
    return SCREE_OK;
}

scree_status rows_append(row_file *file, const double *values, size_t count, scree_error *error)
{
    char text[NUMBER_SIZE];
    for (size_t i = 0; i < count; i++) {
        int length = fprintf(file->stream, "%s%c", number_text(values[i], text), i + 1 < count ? ',' : '\n');
        if (length < 0)
            return fail_io(error, "write", file->path, errno);
        file->size += (uint64_t)length;
    }
    return SCREE_OK;
}

scree_status rows_flush(row_file *file, scree_error *error)
{
    return fflush(file->stream) == 0 ? SCREE_OK : fail_io(error, "write", file->path, errno);
}

scree_status rows_sync(row_file *file, scree_error *error)
{
    scree_status status = rows_flush(file, error);
    if (status == SCREE_OK && fsync(fileno(file->stream)) != 0 && errno != EINVAL)
        status = fail_io(error, "write", file->path, errno);
    return status;
}

void rows_close(row_file *file)
{
    if (file->stream)
        fclose(file->stream);
    free(file->path);
    *file = (row_file){0};
}

const char *number_text(double value, char text[NUMBER_SIZE])
{
    real_text(value, text);
    char *comma = strchr(text, ',');
    if (comma)
        *comma = '.';
    return text;
}
