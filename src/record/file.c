#include "record/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

scree_status fail_io(scree_error *error, const char *verb, const char *path, int code)
{
    char reason[128] = "";
    if (strerror_r(code, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", code);
    return fail(error, SCREE_ERROR_IO, "cannot %s %s: %s", verb, path, reason);
}

char *path_join(const char *folder, const char *name)
{
    size_t length = strlen(folder) + strlen(name) + 2;
    char *path = malloc(length);
    if (path)
        snprintf(path, length, "%s/%s", folder, name);
    return path;
}

const char *path_ending(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return dot && dot != name ? dot + 1 : "";
}

static scree_status make_one(const char *path, scree_error *error)
{
    struct stat info;
    if (mkdir(path, 0777) == 0)
        return SCREE_OK;
    int code = errno;
    if (code == EEXIST && stat(path, &info) == 0)
        return S_ISDIR(info.st_mode) ? SCREE_OK : fail_io(error, "make the folder", path, ENOTDIR);
    return fail_io(error, "make the folder", path, code);
}

scree_status folder_make(const char *path, scree_error *error)
{
    char *part = strdup(path);
    if (!part)
        return fail_no_memory(error);
    scree_status status = SCREE_OK;
    for (char *slash = strchr(part + 1, '/'); slash && status == SCREE_OK; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        status = make_one(part, error);
        *slash = '/';
    }
    if (status == SCREE_OK)
        status = make_one(part, error);
    free(part);
    return status;
}

bool path_is_link(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

scree_status fail_link(scree_error *error, const char *path)
{
    return fail(error, SCREE_ERROR_IO,
                "cannot write to %s: it is a symbolic link, and a run writes to folders of its own; remove it", path);
}

scree_status folder_make_own(const char *path, scree_error *error)
{
    if (path_is_link(path))
        return fail_link(error, path);
    return folder_make(path, error);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

scree_status folder_list(const char *path, name_array *names, scree_error *error)
{
    *names = (name_array){0};
    DIR *folder = opendir(path);
    if (!folder)
        return errno == ENOENT ? SCREE_OK : fail_io(error, "list", path, errno);
    scree_status status = SCREE_OK;
    for (struct dirent *entry; status == SCREE_OK && (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        char *name = strdup(entry->d_name);
        if (!name || !array_push(names, name)) {
            free(name);
            status = fail_no_memory(error);
        }
    }
    closedir(folder);
    if (status != SCREE_OK)
        names_free(names);
    else if (names->count)
        qsort(names->data, names->count, sizeof *names->data, compare_names);
    return status;
}

void names_free(name_array *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->data[i]);
    array_free(names);
}

scree_status file_read(const char *path, file_text *text, scree_error *error)
{
    enum { CHUNK = 1 << 16 };
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail_io(error, "read", path, errno);
    scree_status status = SCREE_OK;
    for (size_t got = 1; status == SCREE_OK && got > 0; text->count += got) {
        got = 0;
        if (!array_reserve(text, text->count + CHUNK + 1))
            status = fail_no_memory(error);
        else
            got = fread(text->data + text->count, 1, CHUNK, file);
    }
    if (status == SCREE_OK && ferror(file))
        status = fail_io(error, "read", path, errno);
    if (status == SCREE_OK)
        text->data[text->count] = '\0';
    fclose(file);
    return status;
}

bool file_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

scree_status file_remove(const char *path, scree_error *error)
{
    if (unlink(path) == 0 || errno == ENOENT)
        return SCREE_OK;
    return fail_io(error, "remove", path, errno);
}

// What is left of a run that was stopped is in the way, and a link would lead the writing elsewhere: both are removed,
// and O_EXCL refuses what somebody puts there in between.
int file_create(const char *path)
{
    struct stat info;
    if (lstat(path, &info) == 0 && (S_ISLNK(info.st_mode) || S_ISREG(info.st_mode)) && unlink(path) != 0)
        return -1;
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

FILE *file_create_stream(const char *path)
{
    int descriptor = file_create(path);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (descriptor >= 0 && !stream)
        close(descriptor);
    return stream;
}

scree_status draft_open(file_draft *draft, const char *path, scree_error *error)
{
    size_t length = strlen(path) + sizeof FILE_DRAFT_ENDING;
    *draft = (file_draft){.path = strdup(path), .part = malloc(length)};
    if (!draft->path || !draft->part) {
        draft_discard(draft);
        return fail_no_memory(error);
    }
    snprintf(draft->part, length, "%s%s", path, FILE_DRAFT_ENDING);
    draft->stream = file_create_stream(draft->part);
    if (!draft->stream) {
        scree_status status = fail_io(error, "write", path, errno);
        draft_discard(draft);
        return status;
    }
    return SCREE_OK;
}

static scree_status commit_now(const file_draft *draft, scree_error *error)
{
    if (draft->deferred)
        return rename(draft->part, draft->path) == 0 ? SCREE_OK : fail_io(error, "write", draft->path, errno);
    int descriptor = dup(fileno(draft->stream));
    if (descriptor < 0)
        return fail_io(error, "write", draft->path, errno);
    return file_publish(descriptor, draft->part, draft->path, error);
}

scree_status draft_open_in(file_draft *draft, const char *folder, const char *name, scree_error *error)
{
    *draft = (file_draft){0};
    char *path = path_join(folder, name);
    scree_status status = path ? draft_open(draft, path, error) : fail_no_memory(error);
    free(path);
    return status;
}

scree_status draft_finish(file_draft *draft, scree_status status, scree_error *error)
{
    if (status == SCREE_OK)
        return draft_commit(draft, error);
    draft_discard(draft);
    return status;
}

scree_status draft_commit(file_draft *draft, scree_error *error)
{
    scree_status status;
    errno = 0;
    if (fflush(draft->stream) != 0 || ferror(draft->stream)) {
        // A write that failed earlier may have left only the stream's flag behind.
        status = fail_io(error, "write", draft->path, errno ? errno : EIO);
    } else {
        status = commit_now(draft, error);
    }
    if (status == SCREE_OK) {
        free(draft->part);
        draft->part = NULL;
    }
    draft_discard(draft);
    return status;
}

void draft_discard(file_draft *draft)
{
    if (draft->stream) {
        fclose(draft->stream);
        if (draft->part)
            unlink(draft->part);
    }
    free(draft->part);
    free(draft->path);
    *draft = (file_draft){0};
}

scree_status file_write(const char *path, const void *data, size_t size, scree_error *error)
{
    file_draft draft;
    scree_status status = draft_open(&draft, path, error);
    if (status != SCREE_OK)
        return status;
    fwrite(data, 1, size, draft.stream);
    return draft_commit(&draft, error);
}

scree_status file_sync(const char *path, scree_error *error)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    scree_status status = SCREE_OK;
    // Some file systems cannot sync a folder and say EINVAL; there is nothing more to do on those.
    if (descriptor < 0 || (fsync(descriptor) != 0 && errno != EINVAL))
        status = fail_io(error, "flush", path, errno);
    if (descriptor >= 0)
        close(descriptor);
    return status;
}

// A rename is on the disk only when the folder is.
static scree_status sync_folder_of(const char *path, scree_error *error)
{
    char *folder = strdup(path);
    if (!folder)
        return fail_no_memory(error);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    scree_status status = file_sync(slash ? folder : ".", error);
    free(folder);
    return status;
}

scree_status file_publish(int descriptor, const char *part, const char *path, scree_error *error)
{
    int code = fsync(descriptor) != 0 && errno != EINVAL ? errno : 0;
    if (close(descriptor) != 0 && code == 0)
        code = errno;
    if (code == 0 && rename(part, path) != 0)
        code = errno;
    if (code)
        return fail_io(error, "write", path, code);
    return sync_folder_of(path, error);
}
