#include "record/frames/base64.h"

void base64_put(FILE *to, const void *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    enum { CHUNK = 3 * 4096 };
    char text[CHUNK / 3 * 4];
    const uint8_t *from = data;
    while (size > 0) {
        size_t chunk = size < CHUNK ? size : CHUNK, length = 0;
        for (size_t i = 0; i < chunk; i += 3) {
            size_t left = chunk - i;
            unsigned bits = (unsigned)from[i] << 16;
            bits |= left > 1 ? (unsigned)from[i + 1] << 8 : 0;
            bits |= left > 2 ? (unsigned)from[i + 2] : 0;
            text[length++] = digits[bits >> 18];
            text[length++] = digits[bits >> 12 & 63];
            text[length++] = left > 1 ? digits[bits >> 6 & 63] : '=';
            text[length++] = left > 2 ? digits[bits & 63] : '=';
        }
        fwrite(text, 1, length, to);
        from += chunk;
        size -= chunk;
    }
}

static int digit_value(char digit)
{
    if (digit >= 'A' && digit <= 'Z')
        return digit - 'A';
    if (digit >= 'a' && digit <= 'z')
        return digit - 'a' + 26;
    if (digit >= '0' && digit <= '9')
        return digit - '0' + 52;
    return digit == '+' ? 62 : digit == '/' ? 63 : -1;
}

bool base64_decode(const char *text, size_t length, uint8_t *data, size_t *size)
{
    *size = 0;
    if (length % 4 != 0)
        return false;
    for (size_t i = 0; i < length; i += 4) {
        unsigned bits = 0;
        size_t known = 4;
        if (i + 4 == length)
            known -= (size_t)(text[i + 3] == '=') + (size_t)(text[i + 3] == '=' && text[i + 2] == '=');
        for (size_t k = 0; k < known; k++) {
            int value = digit_value(text[i + k]);
            if (value < 0)
                return false;
            bits |= (unsigned)value << (18 - 6 * k);
        }
        for (size_t k = 0; k + 1 < known; k++)
            data[(*size)++] = (uint8_t)(bits >> (16 - 8 * k));
    }
    return true;
}
