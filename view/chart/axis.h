// Axes: round numbers to mark a range with, and short labels for them.
#ifndef VIEW_CHART_AXIS_H
#define VIEW_CHART_AXIS_H

#include <stdbool.h>
#include <stddef.h>

enum { AXIS_MAX_TICKS = 24, AXIS_LABEL_SIZE = 24 };

typedef struct value_axis {
    double low, high; // the range shown
    bool logarithmic; // ticks at powers of ten; low > 0
    size_t tick_count;
    double ticks[AXIS_MAX_TICKS];
    char labels[AXIS_MAX_TICKS][AXIS_LABEL_SIZE];
} value_axis;

// Marks inside [low, high], about `wanted` of them at multiples of 1, 2 or 5 times a power of ten. An empty or
// not finite range is replaced by one around it.
value_axis axis_make(double low, double high, size_t wanted);

// The same with the range widened to end at marks.
value_axis axis_make_rounded(double low, double high, size_t wanted);

// Powers of ten over [low, high], both > 0.
value_axis axis_make_logarithmic(double low, double high);

// 0 at `low`, 1 at `high`; NaN for what has no place on the axis.
double axis_place(const value_axis *a, double value);

// A number with `places` digits behind the point and commas between thousands; very large and very small ones with an
// exponent.
void axis_format(double value, int places, char label[AXIS_LABEL_SIZE]);

// The next 1, 2 or 5 times a power of ten; 1 for what is not positive and finite.
double axis_round_up(double value);

#endif
