#include "record/checkpoint.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hash.h"
#include "record/file.h"
#include "record/hdf5/container.h"
#include "record/state.h"

enum { HEAD_SIZE = 512, FORMAT_VERSION = 7, KEPT = 2, READ_SIZE = 1 << 18 };

// The head's words, each 8 bytes little-endian; the bytes after them are zero. The head and its hash are the same in
// every version of the format, so that a file of another version is told from a damaged one.
enum { WORD_MAGIC, WORD_VERSION, WORD_LENGTH, WORD_HASH, HEAD_WORDS };

static const unsigned char magic[8] = {0x89, 'S', 'C', 'R', 'E', 'E', '\r', '\n'};

static uint64_t load_word(const unsigned char *from)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word |= (uint64_t)from[i] << (8 * i);
    return word;
}

static void store_word(unsigned char *to, uint64_t word)
{
    for (int i = 0; i < 8; i++)
        to[i] = (unsigned char)(word >> (8 * i));
}

// Hash of the version and of the file from the head to its end; `length` is the file's. False with errno when it cannot
// be read. Every step of the hash is one to one, so no change of a single word goes unseen.
static bool hash_rest(int descriptor, uint64_t version, uint64_t *length, uint64_t *hash)
{
    unsigned char *data = malloc(READ_SIZE + 8);
    if (!data)
        return false;
    uint64_t at = HEAD_SIZE, result = hash_word(0, version);
    ssize_t got = 1;
    while (got > 0) {
        size_t held = 0;
        while (held < READ_SIZE && (got = pread(descriptor, data + held, READ_SIZE - held, (off_t)(at + held))) != 0) {
            if (got < 0 && errno != EINTR)
                break;
            held += got > 0 ? (size_t)got : 0;
        }
        memset(data + held, 0, 8);
        for (size_t i = 0; i < held; i += 8)
            result = hash_word(result, load_word(data + i));
        at += held;
    }
    free(data);
    *length = at;
    *hash = hash_word(result, at);
    return got == 0;
}

bool checkpoint_name_step(const char *name, uint64_t *step)
{
    static const char before[] = "checkpoint-", after[] = ".h5";
    if (strncmp(name, before, sizeof before - 1) != 0 || !isdigit((unsigned char)name[sizeof before - 1]))
        return false;
    char *end;
    errno = 0;
    *step = strtoull(name + sizeof before - 1, &end, 10);
    return errno == 0 && end - name >= (ptrdiff_t)sizeof before - 1 + 12 && strcmp(end, after) == 0;
}

char *checkpoint_path(const char *folder, uint64_t step)
{
    char name[64];
    snprintf(name, sizeof name, "checkpoint-%012" PRIu64 ".h5", step);
    return path_join(folder, name);
}

static int compare_steps(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

scree_status checkpoint_list(const char *folder, step_array *steps, scree_error *error)
{
    *steps = (step_array){0};
    name_array names;
    scree_status status = folder_list(folder, &names, error);
    for (size_t i = 0; status == SCREE_OK && i < names.count; i++) {
        uint64_t step;
        if (checkpoint_name_step(names.data[i], &step) && !array_push(steps, step))
            status = fail_no_memory(error);
    }
    names_free(&names);
    if (status != SCREE_OK)
        array_free(steps);
    else if (steps->count)
        qsort(steps->data, steps->count, sizeof *steps->data, compare_steps);
    return status;
}

static scree_status write_head(int descriptor, const char *path, scree_error *error)
{
    unsigned char head[HEAD_SIZE] = {0};
    uint64_t length, hash;
    if (!hash_rest(descriptor, FORMAT_VERSION, &length, &hash))
        return fail_io(error, "read", path, errno);
    memcpy(head, magic, sizeof magic);
    store_word(head + 8 * WORD_VERSION, FORMAT_VERSION);
    store_word(head + 8 * WORD_LENGTH, length);
    store_word(head + 8 * WORD_HASH, hash);
    ssize_t put;
    do
        put = pwrite(descriptor, head, sizeof head, 0);
    while (put < 0 && errno == EINTR);
    return put == (ssize_t)sizeof head ? SCREE_OK : fail_io(error, "write", path, put < 0 ? errno : ENOSPC);
}

static scree_status write_whole(const char *path, const char *part, const snapshot *world, const snapshot *run,
                                scree_error *error)
{
    int descriptor = file_create(part);
    if (descriptor < 0)
        return fail_io(error, "write", path, errno);
    const container_group groups[] = {{"world", world}, {"run", run}};
    scree_status status = container_write(descriptor, HEAD_SIZE, groups, 2, path, error);
    if (status == SCREE_OK)
        status = write_head(descriptor, path, error);
    if (status == SCREE_OK)
        status = file_publish(descriptor, part, path, error);
    else
        close(descriptor);
    if (status != SCREE_OK)
        unlink(part);
    return status;
}

// Deletes what checkpoint_write promises to.
static scree_status prune(const char *folder, uint64_t step, scree_error *error)
{
    step_array steps;
    scree_status status = checkpoint_list(folder, &steps, error);
    size_t older = 0; // how many are not later than `step`
    while (older < steps.count && steps.data[older] <= step)
        older++;
    for (size_t i = 0; status == SCREE_OK && i < steps.count; i++) {
        if (i < older && i + KEPT >= older)
            continue;
        char *path = checkpoint_path(folder, steps.data[i]);
        status = path ? file_remove(path, error) : fail_no_memory(error);
        free(path);
    }
    array_free(&steps);
    return status;
}

scree_status checkpoint_write(const char *folder, const snapshot *world, const snapshot *run, uint64_t step,
                              scree_error *error)
{
    char *path = checkpoint_path(folder, step);
    size_t length = path ? strlen(path) + sizeof FILE_DRAFT_ENDING : 1;
    char *part = malloc(length);
    scree_status status = SCREE_OK;
    if (!path || !part) {
        status = fail_no_memory(error);
    } else {
        snprintf(part, length, "%s%s", path, FILE_DRAFT_ENDING);
        status = write_whole(path, part, world, run, error);
    }
    if (status == SCREE_OK)
        status = prune(folder, step, error);
    free(path);
    free(part);
    return status;
}

scree_status checkpoint_put_header(snapshot *run, const checkpoint_header *header, scree_error *error)
{
    scree_status status = state_put_text(run, "scene", header->scene, error);
    if (status == SCREE_OK)
        status = state_put_text(run, "scree", header->scree, error);
    if (status == SCREE_OK)
        status = state_put_count(run, "step", header->step, error);
    if (status == SCREE_OK)
        status = state_put_number(run, "time", header->time, error);
    if (status == SCREE_OK)
        status = state_put_count(run, "bodies", header->bodies, error);
    return status;
}

static scree_status get_header(const snapshot *run, checkpoint_header *header, scree_error *error)
{
    scree_status status = state_get_text(run, "scene", &header->scene, error);
    if (status == SCREE_OK)
        status = state_get_text(run, "scree", &header->scree, error);
    if (status == SCREE_OK)
        status = state_get_count(run, "step", &header->step, error);
    if (status == SCREE_OK)
        status = state_get_number(run, "time", &header->time, error);
    if (status == SCREE_OK)
        status = state_get_count(run, "bodies", &header->bodies, error);
    return status;
}

static bool read_head(int descriptor, unsigned char head[HEAD_SIZE])
{
    size_t held = 0;
    while (held < HEAD_SIZE) {
        ssize_t got = pread(descriptor, head + held, HEAD_SIZE - held, (off_t)held);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        held += got > 0 ? (size_t)got : 0;
    }
    return true;
}

bool checkpoint_recognize(const char *path)
{
    unsigned char head[HEAD_SIZE];
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool known = descriptor >= 0 && read_head(descriptor, head) && memcmp(head, magic, sizeof magic) == 0;
    if (descriptor >= 0)
        close(descriptor);
    return known;
}

static scree_status verify(int descriptor, const char *path, scree_error *error)
{
    unsigned char head[HEAD_SIZE];
    struct stat info;
    if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode))
        return fail(error, SCREE_ERROR_INVALID, "%s is not a checkpoint: it is not a file", path);
    if (!read_head(descriptor, head))
        return fail(error, SCREE_ERROR_IO, "%s is damaged: it ends within its head", path);
    if (memcmp(head, magic, sizeof magic) != 0)
        return fail(error, SCREE_ERROR_IO, "%s is damaged or not a checkpoint: it does not begin like one", path);
    uint64_t version = load_word(head + 8 * WORD_VERSION), length, hash;
    bool rest_is_zero = true;
    for (size_t i = 8 * HEAD_WORDS; i < HEAD_SIZE; i++)
        rest_is_zero = rest_is_zero && head[i] == 0;
    if (load_word(head + 8 * WORD_LENGTH) != (uint64_t)info.st_size)
        return fail(error, SCREE_ERROR_IO, "%s is damaged: it has %" PRId64 " bytes and should have %" PRIu64, path,
                    (int64_t)info.st_size, load_word(head + 8 * WORD_LENGTH));
    if (!hash_rest(descriptor, version, &length, &hash))
        return fail_io(error, "read", path, errno);
    if (!rest_is_zero || hash != load_word(head + 8 * WORD_HASH))
        return fail(error, SCREE_ERROR_IO, "%s is damaged: its contents do not match its checksum", path);
    if (version != FORMAT_VERSION)
        return fail(error, SCREE_ERROR_INVALID,
                    "%s has checkpoint format %" PRIu64 "; this version of Scree reads format %d", path, version,
                    FORMAT_VERSION);
    return SCREE_OK;
}

scree_status checkpoint_open(const char *path, checkpoint *opened, scree_error *error)
{
    *opened = (checkpoint){.path = strdup(path), .descriptor = -1};
    if (!opened->path)
        return fail_no_memory(error);
    scree_status status = SCREE_OK;
    opened->descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (opened->descriptor < 0)
        status = fail_io(error, "read", path, errno);
    if (status == SCREE_OK)
        status = verify(opened->descriptor, path, error);
    if (status == SCREE_OK)
        status = container_read(opened->descriptor, "run", &opened->run, path, error);
    if (status == SCREE_OK)
        status = get_header(&opened->run, &opened->header, error);
    if (status != SCREE_OK)
        checkpoint_close(opened);
    return status;
}

scree_status checkpoint_world(const checkpoint *opened, int threads, scree_world **world, scree_error *error)
{
    snapshot arrays;
    scree_error inner = {0};
    scree_status status = container_read(opened->descriptor, "world", &arrays, opened->path, error);
    if (status != SCREE_OK)
        return status;
    status = snapshot_restore(&arrays, threads, world, &inner);
    state_release(&arrays);
    return status == SCREE_OK ? SCREE_OK : fail(error, status, "cannot use %s: %s", opened->path, inner.message);
}

void checkpoint_close(checkpoint *opened)
{
    if (opened->path && opened->descriptor >= 0)
        close(opened->descriptor);
    free(opened->path);
    state_release(&opened->run);
    *opened = (checkpoint){.descriptor = -1};
}

scree_status checkpoint_open_newest(const char *folder, checkpoint *opened, scree_error *passed, scree_error *error)
{
    *opened = (checkpoint){.descriptor = -1};
    if (passed)
        *passed = (scree_error){0};
    step_array steps;
    scree_status status = checkpoint_list(folder, &steps, error);
    if (status != SCREE_OK)
        return status;
    scree_error why = {0}, newest = {0};
    status = SCREE_ERROR_IO;
    for (size_t i = steps.count; i-- > 0 && status == SCREE_ERROR_IO;) {
        char *path = checkpoint_path(folder, steps.data[i]);
        status = path ? checkpoint_open(path, opened, &why) : fail_no_memory(&why);
        if (i + 1 == steps.count)
            newest = why;
        free(path);
    }
    if (steps.count == 0)
        status = fail(error, SCREE_ERROR_INVALID, "%s holds no checkpoint to resume from", folder);
    else if (status != SCREE_OK)
        fail(error, status, "%s", status == SCREE_ERROR_IO ? newest.message : why.message);
    else if (passed && newest.status != SCREE_OK)
        *passed = newest;
    array_free(&steps);
    return status;
}
