// The farthest of many points along a direction: what the support of a hull and its face in a direction come down to.
#ifndef COLLIDE_CONVEX_FARTHEST_H
#define COLLIDE_CONVEX_FARTHEST_H

#include <stddef.h>
#include <stdint.h>

// The index of the first of the farthest points. `columns` are all x, then all y, then all z, each `length` long, which
// is a multiple of 8: points that fill up the end repeat the first one (hull.h).
typedef uint32_t farthest_function(const double *columns, size_t length, const double direction[3]);

extern farthest_function farthest_baseline, farthest_avx2;

// The widest build that this machine runs. All builds give the same result.
uint32_t farthest_point(const double *columns, size_t length, const double direction[3]);

#endif
