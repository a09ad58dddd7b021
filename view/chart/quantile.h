// Order statistics of a list of numbers.
#ifndef VIEW_CHART_QUANTILE_H
#define VIEW_CHART_QUANTILE_H

#include <stddef.h>

// Sorts finite values in rising order.
void quantile_sort(double *values, size_t count);

// The value below which the given share (0 to 1) of at least one sorted value lies.
double quantile_of(const double *sorted, size_t count, double share);

#endif
