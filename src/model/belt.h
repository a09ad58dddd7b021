// A belt: a closed chain of equal links that is wound round circles in one plane, tight and from outside.
#ifndef MODEL_BELT_H
#define MODEL_BELT_H

#include <stdbool.h>
#include <stddef.h>

enum { BELT_MOST_CIRCLES = 16 };

typedef struct belt_point {
    double x, z;
} belt_point;

typedef struct belt_circle {
    belt_point center;
    double radius;
} belt_circle;

// Places the pins between `count` links of length `pitch`, counter-clockwise, the first in the middle of the arc on the
// first circle, which must be the foremost one (largest x). The last circle is moved along x until the belt closes.
// `angle` becomes that of the first pin about its circle. False where no place of the last circle closes it.
bool belt_wind(belt_circle *circles, size_t circle_count, double pitch, belt_point *pins, size_t count, double *angle);

#endif
