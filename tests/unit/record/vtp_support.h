// Reading .vtp files back: a small decoder of its own, so that the writer is not judged by itself.
#ifndef TEST_RECORD_VTP_SUPPORT_H
#define TEST_RECORD_VTP_SUPPORT_H

#include <zlib.h>

#include "support.h"

static inline int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Decodes `length` characters; returns the number of bytes.
static inline size_t base64_decode(const char *text, size_t length, uint8_t *bytes)
{
    size_t count = 0;
    assert_int_equal(length % 4, 0);
    for (size_t i = 0; i < length; i += 4) {
        unsigned bits = 0;
        int known = 0;
        for (int k = 0; k < 4; k++) {
            int value = base64_value(text[i + (size_t)k]);
            assert_true(value >= 0 || (text[i + (size_t)k] == '=' && i + 4 == length && k >= 2));
            bits = bits << 6 | (value >= 0 ? (unsigned)value : 0);
            known += value >= 0;
        }
        for (int k = 0; k < known - 1; k++)
            bytes[count++] = (uint8_t)(bits >> (16 - 8 * k));
    }
    return count;
}

// The value of an attribute of the first element that begins with `element`.
static inline size_t vtp_count(const char *file, const char *element, const char *attribute)
{
    char pattern[64];
    snprintf(pattern, sizeof pattern, " %s=\"", attribute);
    const char *at = strstr(file, element);
    assert_non_null(at);
    at = strstr(at, pattern);
    assert_non_null(at);
    return strtoull(at + strlen(pattern), NULL, 10);
}

// The bytes of the array of that name and VTK type in a section; checks all sizes on the way. The caller frees them.
static inline uint8_t *vtp_data(const char *file, const char *section, const char *name, const char *type, size_t *size)
{
    char pattern[128];
    snprintf(pattern, sizeof pattern, "<%s>", section);
    const char *at = strstr(file, pattern);
    assert_non_null(at);
    snprintf(pattern, sizeof pattern, "<DataArray type=\"%s\" Name=\"%s\" ", type, name);
    at = strstr(at, pattern);
    assert_non_null(at);
    at = strchr(at, '\n') + 1;
    size_t length = strcspn(at, "\n");
    assert_int_equal(strncmp(at + length, "\n</DataArray>", 13), 0);
    uint64_t head[3];
    assert_int_equal(base64_decode(at, 32, (uint8_t *)head), 24);
    size_t head_size = (3 + head[0]) * 8, head_length = (head_size + 2) / 3 * 4;
    uint64_t *sizes = malloc(head_length);
    assert_int_equal(base64_decode(at, head_length, (uint8_t *)sizes), head_size);
    uint8_t *packed = malloc(length + 1), *from = packed;
    size_t packed_size = base64_decode(at + head_length, length - head_length, packed);
    *size = head[0] ? (head[0] - (head[2] > 0)) * head[1] + head[2] : 0;
    uint8_t *data = malloc(*size + 1), *to = data;
    for (uint64_t i = 0; i < head[0]; i++) {
        uLongf got = i + 1 == head[0] && head[2] ? head[2] : head[1], expected = got;
        assert_int_equal(uncompress(to, &got, from, sizes[3 + i]), Z_OK);
        assert_int_equal(got, expected);
        to += got;
        from += sizes[3 + i];
    }
    assert_int_equal(from - packed, packed_size);
    free(packed);
    free(sizes);
    return data;
}

#endif
