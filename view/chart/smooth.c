#include "view/chart/smooth.h"

#include <math.h>

// Beyond this many standard deviations a Gaussian weighs less than 1e-8 of its middle.
static const double REACH = 6;

// The part of the axis that row i stands for: half-way to both neighbours, and at the ends as much outward.
static double share(const double *x, size_t count, size_t i)
{
    if (count < 2)
        return 1;
    double before = i > 0 ? x[i] - x[i - 1] : x[1] - x[0];
    double after = i + 1 < count ? x[i + 1] - x[i] : x[count - 1] - x[count - 2];
    return fmax(0.5 * (before + after), 0);
}

void smooth_gaussian(const double *x, const double *y, size_t count, double sigma, double *smooth)
{
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        double sum = 0, weights = 0;
        while (first < i && x[first] < x[i] - REACH * sigma)
            first++;
        for (size_t j = first; j < count && x[j] <= x[i] + REACH * sigma; j++) {
            double distance = (x[j] - x[i]) / sigma;
            if (!isfinite(y[j]))
                continue;
            double weight = exp(-0.5 * distance * distance) * share(x, count, j);
            weights += weight;
            sum += weight * y[j];
        }
        smooth[i] = weights > 0 ? sum / weights : (double)NAN;
    }
}
