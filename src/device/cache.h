// A folder of built programs. Files are written under another name and renamed, so that none is ever half there.
#ifndef DEVICE_CACHE_H
#define DEVICE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The folder where programs are kept, in `room` bytes: $XDG_CACHE_HOME/scree, else ~/.cache/scree. False without
// either.
bool cache_folder(char *folder, size_t room);

// The bytes kept under a key, to be freed, and their number; NULL where there are none or they are damaged.
unsigned char *cache_read(const char *folder, uint64_t key, size_t *size);

// Keeps bytes under a key. A folder that cannot be written is no error: the program is built again next time.
void cache_write(const char *folder, uint64_t key, const unsigned char *bytes, size_t size);

void cache_remove(const char *folder, uint64_t key);

#endif
