#include "scene/document/suggest.h"

#include <stdint.h>
#include <string.h>

suggestion suggest_for(const char *text)
{
    // A third of the letters may be wrong, at least one and at most three: beyond that a suggestion only confuses.
    size_t length = strnlen(text, SUGGEST_LENGTH + 1);
    size_t most = length / 3 < 1 ? 1 : length / 3 > 3 ? 3 : length / 3;
    return (suggestion){.text = text, .best = NULL, .distance = most + 1};
}

void suggest_offer(suggestion *nearest, const char *candidate)
{
    size_t distance = edit_distance(nearest->text, candidate);
    if (distance < nearest->distance) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t edit_distance(const char *a, const char *b)
{
    size_t rows = strnlen(a, SUGGEST_LENGTH + 1), columns = strnlen(b, SUGGEST_LENGTH + 1);
    if (rows > SUGGEST_LENGTH || columns > SUGGEST_LENGTH)
        return SIZE_MAX;
    // table[i][j]: from the first i letters of a to the first j of b; only the last three rows are kept
    size_t table[3][SUGGEST_LENGTH + 1];
    for (size_t i = 0; i <= rows; i++) {
        size_t *row = table[i % 3], *above = table[(i + 2) % 3], *above2 = table[(i + 1) % 3];
        for (size_t j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                row[j] = i + j;
                continue;
            }
            size_t cost = above[j - 1] + (a[i - 1] != b[j - 1]);
            cost = smaller(cost, smaller(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost = smaller(cost, above2[j - 2] + 1);
            row[j] = cost;
        }
    }
    return table[rows % 3][columns];
}
