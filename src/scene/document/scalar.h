// Numbers and truth values as scenes write them, independent of the caller's locale.
#ifndef SCENE_DOCUMENT_SCALAR_H
#define SCENE_DOCUMENT_SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A decimal number such as -9.81, 5, .5 or 1e-4; false for anything else. May give an infinity when it is too large.
bool scalar_real(const char *text, double *value);

// A whole number from 0 to 2^64 - 1: digits, or a decimal number without a fraction such as 16e3.
bool scalar_whole(const char *text, uint64_t *value);

bool scalar_truth(const char *text, bool *value);

enum { REAL_TEXT_SIZE = 32 };

// The shortest of 15, 16 or 17 digits that reads back as the same number.
void real_text(double value, char text[REAL_TEXT_SIZE]);

#endif
