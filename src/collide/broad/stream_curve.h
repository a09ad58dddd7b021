// A Z-curve through space (Morton 1966), fitted to a box: where along it a place is.
//
// The box is halved again and again, each time across its longest side. The 30 answers "lower or upper half" are the
// bits of a key. Its first `depth` bits say in which of 2^depth equal boxes a place is, whatever the depth: so boxes of
// any size follow one another along the same curve. Places outside belong to the nearest cell.
#ifndef COLLIDE_BROAD_STREAM_CURVE_H
#define COLLIDE_BROAD_STREAM_CURVE_H

#include "base/vec.h"

enum { CURVE_BITS = 30, CURVE_BYTES = 4 };

typedef struct space_curve {
    vec3 low;
    double per_length[3];                 // cells
    uint32_t last[3];                     // cell along each axis
    uint8_t axis[CURVE_BITS];             // that each halving cuts
    uint32_t spread[3][CURVE_BYTES][256]; // by axis, byte of a cell and its value: its bits of the key
} space_curve;

typedef struct curve_cell {
    uint32_t at[3];
} curve_cell;

void curve_make(space_curve *curve, vec3 low, vec3 high);

// Bits of a cell along each axis that boxes of this depth do not see.
void curve_shifts(const space_curve *curve, int depth, int shift[3]);

static inline uint32_t curve_cell_along(const space_curve *curve, int axis, double at)
{
    double along = (at - vec3_get(curve->low, axis)) * curve->per_length[axis];
    uint32_t last = curve->last[axis];
    return along > 0 ? along < last ? (uint32_t)along : last : 0;
}

static inline curve_cell curve_cell_of(const space_curve *curve, vec3 at)
{
    return (curve_cell){
        {curve_cell_along(curve, 0, at.x), curve_cell_along(curve, 1, at.y), curve_cell_along(curve, 2, at.z)}};
}

static inline uint32_t curve_key(const space_curve *curve, curve_cell cell)
{
    uint32_t key = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int byte = 0; byte < CURVE_BYTES; byte++)
            key |= curve->spread[axis][byte][cell.at[axis] >> 8 * byte & 255];
    return key;
}

// The key of the low corner of the region where two bounds overlap: each coordinate is the larger one of the two cells.
static inline uint32_t curve_key_of_both(const space_curve *curve, curve_cell a, curve_cell b)
{
    for (int axis = 0; axis < 3; axis++)
        a.at[axis] = a.at[axis] > b.at[axis] ? a.at[axis] : b.at[axis];
    return curve_key(curve, a);
}

#endif
