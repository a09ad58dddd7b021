#include "device/cache.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"

enum { MOST_PATH = 1024, MOST_BYTES = 256 << 20 };

typedef struct cache_header {
    char magic[8];
    uint64_t key, size, sum;
} cache_header;

static const char magic[8] = {'s', 'c', 'r', 'e', 'e', 'c', 'l', '1'};

bool cache_folder(char *folder, size_t room)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = base && base[0] == '/' ? snprintf(folder, room, "%s/scree", base)
                 : home && home[0]      ? snprintf(folder, room, "%s/.cache/scree", home)
                                        : -1;
    return length > 0 && (size_t)length < room;
}

static uint64_t sum_of(const unsigned char *bytes, size_t size)
{
    uint64_t hash = size;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
        hash = hash_word(hash, word);
    }
    return hash_end(hash);
}

static bool path_of(const char *folder, uint64_t key, const char *ending, char path[MOST_PATH])
{
    int length = snprintf(path, MOST_PATH, "%s/%016" PRIx64 ".%s", folder, key, ending);
    return length > 0 && length < MOST_PATH;
}

unsigned char *cache_read(const char *folder, uint64_t key, size_t *size)
{
    char path[MOST_PATH];
    FILE *file = path_of(folder, key, "bin", path) ? fopen(path, "rb") : NULL;
    if (!file)
        return NULL;
    cache_header header;
    unsigned char *bytes = NULL;
    bool good = fread(&header, sizeof header, 1, file) == 1 && memcmp(header.magic, magic, sizeof magic) == 0 &&
                header.key == key && header.size > 0 && header.size <= MOST_BYTES;
    if (good)
        bytes = malloc(header.size);
    good = bytes && fread(bytes, 1, header.size, file) == header.size && fgetc(file) == EOF &&
           sum_of(bytes, header.size) == header.sum;
    fclose(file);
    if (!good) {
        free(bytes);
        cache_remove(folder, key);
        return NULL;
    }
    *size = header.size;
    return bytes;
}

// The folder and the one above it, as far as they are missing.
static bool make_folder(const char *folder)
{
    char above[MOST_PATH];
    size_t length = strlen(folder);
    if (length >= sizeof above)
        return false;
    memcpy(above, folder, length + 1);
    char *last = strrchr(above, '/');
    if (last && last != above) {
        *last = 0;
        if (mkdir(above, 0700) != 0 && errno != EEXIST)
            return false;
    }
    return mkdir(folder, 0700) == 0 || errno == EEXIST;
}

void cache_write(const char *folder, uint64_t key, const unsigned char *bytes, size_t size)
{
    char path[MOST_PATH], temporary[MOST_PATH], ending[32];
    snprintf(ending, sizeof ending, "%ld.new", (long)getpid());
    if (size == 0 || size > MOST_BYTES || !make_folder(folder) || !path_of(folder, key, "bin", path) ||
        !path_of(folder, key, ending, temporary))
        return;
    FILE *file = fopen(temporary, "wbx");
    if (!file)
        return;
    cache_header header = {.key = key, .size = size, .sum = sum_of(bytes, size)};
    memcpy(header.magic, magic, sizeof magic);
    bool good = fwrite(&header, sizeof header, 1, file) == 1 && fwrite(bytes, 1, size, file) == size;
    good = fclose(file) == 0 && good;
    if (!good || rename(temporary, path) != 0)
        remove(temporary);
}

void cache_remove(const char *folder, uint64_t key)
{
    char path[MOST_PATH];
    if (path_of(folder, key, "bin", path))
        remove(path);
}
