#include "view/chart/quantile.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void quantile_sort(double *values, size_t count)
{
    if (count > 0)
        qsort(values, count, sizeof *values, compare);
}

double quantile_of(const double *sorted, size_t count, double share)
{
    size_t place = (size_t)(share * (double)(count - 1) + 0.5);
    return sorted[place < count ? place : count - 1];
}
