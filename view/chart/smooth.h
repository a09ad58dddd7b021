// Smoothing of noisy series, such as reaction forces, by a Gaussian filter.
#ifndef VIEW_CHART_SMOOTH_H
#define VIEW_CHART_SMOOTH_H

#include <stddef.h>

// Each value becomes the mean of its neighbours in x, weighted by a Gaussian of standard deviation `sigma` > 0 and by
// how much of the axis each stands for, so that uneven rows do not weigh double. `x` rises. Near the ends, the part of
// the Gaussian within the data is used. Values that are not finite have no weight; where all are such, so is the
// result.
void smooth_gaussian(const double *x, const double *y, size_t count, double sigma, double *smooth);

#endif
