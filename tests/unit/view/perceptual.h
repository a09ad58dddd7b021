// How different two pictures look: both in OKLab, where equal steps look equal, each pixel the mean of its
// neighbourhood of three by three, since nobody sees a shift by a fraction of a pixel.
#ifndef TEST_PERCEPTUAL_H
#define TEST_PERCEPTUAL_H

#include <stdlib.h>

#include "base/vec.h"
#include "view/canvas/canvas.h"
#include "view/chart/quantile.h"

typedef struct perceptual_difference {
    double mean, most; // of the pixels: the mean, and what one in a hundred exceeds; black and white are 1 apart
} perceptual_difference;

static vec3 perceptual_lab(color c)
{
    double r = (double)color_to_linear(c.r), g = (double)color_to_linear(c.g), b = (double)color_to_linear(c.b);
    double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return vec3_make(0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                     1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                     0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s);
}

static vec3 perceptual_mean(const canvas *sheet, size_t x, size_t y)
{
    vec3 sum = {0, 0, 0};
    double count = 0;
    for (size_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < sheet->height; v++)
        for (size_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < sheet->width; u++) {
            sum = vec3_add(sum, perceptual_lab(canvas_get(sheet, u, v)));
            count++;
        }
    return vec3_scale(sum, 1 / count);
}

// Both of one size.
static perceptual_difference perceptual_compare(const canvas *a, const canvas *b)
{
    size_t count = a->width * a->height;
    double *steps = malloc(count * sizeof *steps), sum = 0;
    for (size_t i = 0; steps && i < count; i++) {
        size_t x = i % a->width, y = i / a->width;
        steps[i] = vec3_length(vec3_sub(perceptual_mean(a, x, y), perceptual_mean(b, x, y)));
        sum += steps[i];
    }
    perceptual_difference found = {1, 1};
    if (steps) {
        quantile_sort(steps, count);
        found = (perceptual_difference){sum / (double)count, quantile_of(steps, count, 0.99)};
    }
    free(steps);
    return found;
}

#endif
