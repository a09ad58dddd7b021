#include "collide/broad/stream_curve.h"

#include <string.h>

void curve_make(space_curve *curve, vec3 low, vec3 high)
{
    *curve = (space_curve){.low = low};
    double side[3] = {high.x - low.x, high.y - low.y, high.z - low.z};
    int bits[3] = {0};
    for (int k = 0; k < CURVE_BITS; k++) {
        int longest = side[1] > side[0];
        longest = side[2] > side[longest] ? 2 : longest;
        curve->axis[k] = (uint8_t)longest;
        side[longest] *= 0.5;
        bits[longest]++;
    }
    for (int axis = 0; axis < 3; axis++) {
        curve->last[axis] = ((uint32_t)1 << bits[axis]) - 1;
        // A side that was halved so often is the width of a cell.
        curve->per_length[axis] = side[axis] > 0 && bits[axis] > 0 ? 1 / side[axis] : 0;
    }
    for (int k = 0; k < CURVE_BITS; k++) {
        int axis = curve->axis[k], bit = --bits[axis];
        for (int value = 0; value < 256; value++)
            if (value >> bit % 8 & 1)
                curve->spread[axis][bit / 8][value] |= (uint32_t)1 << (CURVE_BITS - 1 - k);
    }
}

void curve_shifts(const space_curve *curve, int depth, int shift[3])
{
    memset(shift, 0, 3 * sizeof *shift);
    for (int k = depth; k < CURVE_BITS; k++)
        shift[curve->axis[k]]++;
}
