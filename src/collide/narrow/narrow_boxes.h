// Two boxes as seen from each other: separating axes. All in double, in the axes of box a.
#ifndef COLLIDE_NARROW_NARROW_BOXES_H
#define COLLIDE_NARROW_NARROW_BOXES_H

#include "base/vec.h"

typedef struct box_pair {
    double half_a[3], half_b[3];
    double rotation[3][3]; // [i][j]: axis i of a . axis j of b
    double shift[3];       // from the centre of a to that of b, axes of a
    double shift_b[3];     // the same, axes of b
} box_pair;

box_pair box_pair_make(vec3 half_a, const mat3 *axes_a, vec3 half_b, const mat3 *axes_b, vec3 between);

// The smaller of the boxes' smallest half edges: what tolerances are measured in.
double box_pair_scale(const box_pair *pair);

// Faces are numbered 0..2 for a and 3..5 for b by their axis; 6 + 3 i + j is the cross product of axis i of a and axis
// j of b.
enum { BOX_FACE_B = 3, BOX_EDGES = 6, BOX_AXES = 15 };

// A later kind of axis is preferred when it separates by so much more.
#define BOX_TOLERANCE_SCALE   1e-3 // of the smallest half edge
#define BOX_TOLERANCE_OVERLAP 2e-2 // of the separation itself

#define BOX_PARALLEL_EDGES 1e-12 // squared sine, below which the faces' axes say it all

typedef struct box_separation {
    double widest;    // of all 15 axes: the boxes overlap where it is negative, else they are at least this far apart
    int axis;         // the preferred one: within a small tolerance of the widest, a's faces before b's before edges
    double preferred; // its separation
    double normal[3]; // its direction, unit, from a to b, axes of a
} box_separation;

// False as soon as one axis separates by more than `limit`; the result is then not to be used.
bool box_pair_separation(const box_pair *pair, double limit, box_separation *separation);

#endif
