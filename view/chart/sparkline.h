// A series as one line of text, for terminals: eight heights of blocks.
#ifndef VIEW_CHART_SPARKLINE_H
#define VIEW_CHART_SPARKLINE_H

#include <stddef.h>

enum { SPARKLINE_BYTES = 3 }; // per column, in UTF-8

// Writes `width` columns over the range of x: each shows the mean of the values that fall into it, or where none does,
// the value before; blank where there is no finite value yet. `text` has room for width * SPARKLINE_BYTES + 1. The
// heights run from `low`, the smallest value, to `high`.
void sparkline_make(const double *x, const double *y, size_t count, double low, double high, size_t width, char *text);

#endif
