// For qsort.
#ifndef BASE_COMPARE_H
#define BASE_COMPARE_H

static inline int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
