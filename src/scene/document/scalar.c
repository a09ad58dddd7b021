#include "scene/document/scalar.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_digits(const char *text)
{
    while (*text >= '0' && *text <= '9')
        text++;
    return text;
}

bool scalar_real(const char *text, double *value)
{
    const char *at = text + (*text == '-' || *text == '+');
    const char *fraction = skip_digits(at);
    ptrdiff_t digits = fraction - at;
    if (*fraction == '.') {
        at = fraction + 1;
        fraction = skip_digits(at);
        digits += fraction - at;
    }
    if (digits == 0)
        return false;
    if (*fraction == 'e' || *fraction == 'E') {
        at = fraction + 1;
        at += *at == '-' || *at == '+';
        fraction = skip_digits(at);
        if (fraction == at)
            return false;
    }
    if (*fraction)
        return false;
    *value = strtod(text, NULL);
    return true;
}

bool scalar_whole(const char *text, uint64_t *value)
{
    const char *digits = text + (*text == '+');
    if (*digits && *skip_digits(digits) == 0) {
        errno = 0;
        unsigned long long parsed = strtoull(digits, NULL, 10);
        *value = parsed;
        return errno == 0 && parsed <= UINT64_MAX;
    }
    double real;
    if (!scalar_real(text, &real) || !(real >= 0 && real <= 0x1p53) || real != floor(real))
        return false;
    *value = (uint64_t)real;
    return true;
}

bool scalar_truth(const char *text, bool *value)
{
    *value = strcmp(text, "true") == 0 || strcmp(text, "True") == 0 || strcmp(text, "TRUE") == 0;
    return *value || strcmp(text, "false") == 0 || strcmp(text, "False") == 0 || strcmp(text, "FALSE") == 0;
}

void real_text(double value, char text[REAL_TEXT_SIZE])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, REAL_TEXT_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}
