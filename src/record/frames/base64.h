// Base64 (RFC 4648, with padding): binary data in text files.
#ifndef RECORD_FRAMES_BASE64_H
#define RECORD_FRAMES_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Characters that `size` bytes take.
static inline size_t base64_length(size_t size)
{
    return (size + 2) / 3 * 4;
}

// Writes to a stream, whose errors are left for its owner to find.
void base64_put(FILE *to, const void *data, size_t size);

// Decodes `length` characters into `data`, which has room for length / 4 * 3 bytes; the number of bytes goes to `size`.
// False when the text is not base64 from end to end.
bool base64_decode(const char *text, size_t length, uint8_t *data, size_t *size);

#endif
