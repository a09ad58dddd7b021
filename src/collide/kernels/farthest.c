// The farthest point along a direction, eight points at a time in two registers, so that one comparison need not wait
// for the one before. Each lane keeps the first of its farthest points; the lanes then choose among themselves.
#undef SCREE_REAL_DOUBLE
#define SCREE_REAL_DOUBLE 1
#define SCREE_LANES       4
#include "collide/convex/farthest.h"
#include "base/wide.h"

#define NAME_(name, isa) name##_##isa
#define NAME(name, isa)  NAME_(name, isa)

typedef struct lane_best {
    wide along, index;
} lane_best;

static inline wide along_of(const double *columns, size_t length, size_t first, const wide direction[3])
{
    return wide_load(columns + first) * direction[0] + wide_load(columns + length + first) * direction[1] +
           wide_load(columns + 2 * length + first) * direction[2];
}

static inline void keep_farther(lane_best *best, wide along, wide index)
{
    wide_mask farther = along > best->along;
    best->along = wide_select(farther, along, best->along);
    best->index = wide_select(farther, index, best->index);
}

static inline uint32_t first_of_farthest(const lane_best *best)
{
    double along = best->along[0], index = best->index[0];
    for (int i = 1; i < LANES; i++) {
        bool farther = (best->along[i] > along) | ((best->along[i] == along) & (best->index[i] < index));
        along = farther ? best->along[i] : along;
        index = farther ? best->index[i] : index;
    }
    return (uint32_t)index;
}

uint32_t NAME(farthest, SCREE_ISA)(const double *columns, size_t length, const double direction[3])
{
    const wide d[3] = {wide_set(direction[0]), wide_set(direction[1]), wide_set(direction[2])};
    const wide step = wide_set(2 * LANES);
    wide low = {0, 1, 2, 3}, high = low + wide_set(LANES);
    lane_best even = {along_of(columns, length, 0, d), low}, odd = {along_of(columns, length, LANES, d), high};
    for (size_t first = 2 * LANES; first < length; first += 2 * LANES) {
        low += step;
        high += step;
        keep_farther(&even, along_of(columns, length, first, d), low);
        keep_farther(&odd, along_of(columns, length, first + LANES, d), high);
    }
    wide_mask farther = (odd.along > even.along) | ((odd.along == even.along) & (odd.index < even.index));
    even.along = wide_select(farther, odd.along, even.along);
    even.index = wide_select(farther, odd.index, even.index);
    return first_of_farthest(&even);
}
