// Marks at 1, 2 or 5 times a power of ten, computed from whole multiples so that labels carry no rounding dust.
#include "view/chart/axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The first of 1, 2, 5 and 10 that `mantissa`, in [1, 10), does not exceed by more than the given factor.
static double round_digit(double mantissa, double factor)
{
    return mantissa <= factor ? 1 : mantissa <= 2 * factor ? 2 : mantissa <= 5 * factor ? 5 : 10;
}

// The round step nearest to `raw` in ratio, and its power of ten.
static double round_step(double raw, int *exponent)
{
    *exponent = (int)floor(log10(raw));
    double digit = round_digit(raw / pow(10, *exponent), 1.4142135623730951), step = digit * pow(10, *exponent);
    if (digit > 5)
        ++*exponent;
    return step;
}

// "1.50e-05" as "1.5e-5".
static void shorten_exponent(char *label)
{
    char *e = strchr(label, 'e');
    if (!e)
        return;
    int exponent = atoi(e + 1);
    char *end = e;
    while (strchr(label, '.') && end > label && end[-1] == '0')
        end--;
    if (end > label && end[-1] == '.')
        end--;
    snprintf(end, AXIS_LABEL_SIZE - (size_t)(end - label), "e%d", exponent);
}

// Thousands are set apart: 16,000.
static void separate_thousands(char *label)
{
    size_t digits = strspn(label + (*label == '-'), "0123456789"), start = *label == '-';
    for (size_t left = digits; left > 3;) {
        left -= 3;
        char *at = label + start + left;
        memmove(at + 1, at, strlen(at) + 1);
        *at = ',';
    }
}

// To the place of 10^exponent.
static void write_label(char *label, double value, int exponent)
{
    double size = fmax(fabs(value), pow(10, exponent));
    if (value == 0) {
        snprintf(label, AXIS_LABEL_SIZE, "0");
    } else if (size >= 1e7 || size < 1e-3) {
        int places = (int)fmin(fmax(floor(log10(size) + 1e-9) - exponent, 0), 12);
        snprintf(label, AXIS_LABEL_SIZE, "%.*e", places, value);
        shorten_exponent(label);
    } else {
        snprintf(label, AXIS_LABEL_SIZE, "%.*f", exponent < 0 ? -exponent : 0, value);
        separate_thousands(label);
    }
}

// A range that can be divided: finite, and wider than the rounding of its ends.
static void repair_range(double *low, double *high)
{
    if (!isfinite(*low) || !isfinite(*high)) {
        *low = 0;
        *high = 1;
    }
    if (*low > *high) {
        double swap = *low;
        *low = *high;
        *high = swap;
    }
    double middle = 0.5 * *low + 0.5 * *high, size = fmax(fabs(*low), fabs(*high));
    if (0.5 * *high - 0.5 * *low <= 1e-9 * size || *high - *low < 1e-280) {
        double half = size > 1e-270 ? 0.5 * size : 0.5;
        *low = middle - half;
        *high = middle + half;
    }
}

static value_axis make(double low, double high, size_t wanted, bool rounded)
{
    value_axis a = {.low = low, .high = high};
    repair_range(&a.low, &a.high);
    int exponent;
    double count = (double)(wanted < 1 ? 1 : wanted > AXIS_MAX_TICKS / 4 ? AXIS_MAX_TICKS / 4 : wanted);
    double step = round_step(a.high / count - a.low / count, &exponent);
    double first = rounded ? floor(a.low / step + 1e-9) : ceil(a.low / step - 1e-9);
    double last = rounded ? ceil(a.high / step - 1e-9) : floor(a.high / step + 1e-9);
    for (double i = first; i <= last && a.tick_count < AXIS_MAX_TICKS; i++) {
        a.ticks[a.tick_count] = i * step;
        write_label(a.labels[a.tick_count++], i * step, exponent);
    }
    if (rounded) {
        a.low = first * step;
        a.high = last * step;
    }
    return a;
}

value_axis axis_make(double low, double high, size_t wanted)
{
    return make(low, high, wanted, false);
}

value_axis axis_make_rounded(double low, double high, size_t wanted)
{
    return make(low, high, wanted, true);
}

value_axis axis_make_logarithmic(double low, double high)
{
    if (!(low > 0) || !isfinite(high) || !(high >= low)) {
        low = 0.1;
        high = 1;
    }
    int first = (int)floor(log10(low) + 1e-9), last = (int)ceil(log10(high) - 1e-9);
    if (first == last)
        last++;
    value_axis a = {.low = pow(10, first), .high = pow(10, last), .logarithmic = true};
    int stride = 1 + (last - first) / 10;
    for (int i = first; i <= last && a.tick_count < AXIS_MAX_TICKS; i += stride) {
        a.ticks[a.tick_count] = pow(10, i);
        write_label(a.labels[a.tick_count++], pow(10, i), i);
    }
    return a;
}

void axis_format(double value, int places, char label[AXIS_LABEL_SIZE])
{
    write_label(label, value, -places);
}

double axis_round_up(double value)
{
    if (!(value > 0) || !isfinite(value))
        return 1;
    double power = pow(10, floor(log10(value)));
    return round_digit(value / power, 1 + 1e-9) * power;
}

double axis_place(const value_axis *a, double value)
{
    if (!isfinite(value) || (a->logarithmic && !(value > 0)))
        return (double)NAN;
    if (a->logarithmic)
        return (log10(value) - log10(a->low)) / (log10(a->high) - log10(a->low));
    return (value - a->low) / (a->high - a->low);
}
