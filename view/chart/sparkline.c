#include "view/chart/sparkline.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 8 };

static const char *block_of(double value, double low, double high)
{
    static const char *const blocks[LEVELS] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                               "\u2585", "\u2586", "\u2587", "\u2588"};
    double share = high > low ? (value - low) / (high - low) : 0;
    int level = (int)(fmin(fmax(share, 0), 1) * LEVELS);
    return blocks[level < LEVELS ? level : LEVELS - 1];
}

void sparkline_make(const double *x, const double *y, size_t count, double low, double high, size_t width, char *text)
{
    double shown = (double)NAN;
    size_t row = 0;
    *text = '\0';
    for (size_t column = 0; column < width; column++) {
        double sum = 0, end = count > 0 ? x[0] + (x[count - 1] - x[0]) * (double)(column + 1) / (double)width : 0;
        size_t values = 0;
        for (; row < count && (x[row] <= end || column + 1 == width); row++)
            if (isfinite(y[row])) {
                sum += y[row];
                values++;
            }
        if (values > 0)
            shown = sum / (double)values;
        const char *block = isfinite(shown) ? block_of(shown, low, high) : " ";
        memcpy(text, block, strlen(block) + 1);
        text += strlen(block);
    }
}
