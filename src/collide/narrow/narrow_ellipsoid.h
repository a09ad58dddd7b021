// Ellipsoid pairs by either method of the paper, so that the two can be compared.
#ifndef COLLIDE_NARROW_NARROW_ELLIPSOID_H
#define COLLIDE_NARROW_NARROW_ELLIPSOID_H

#include "collide/narrow/narrow.h"

typedef enum ellipsoid_method {
    ELLIPSOID_METHOD_1 = 1, // OpM for every pair
    ELLIPSOID_METHOD_2,     // only for pairs that bounding spheres and ChM do not find apart
} ellipsoid_method;

// A narrow_batch for ellipsoids and spheres against ellipsoids and spheres, by the given method.
bool narrow_ellipsoids(const proxy_view *view, const proxy_pair *pairs, size_t count, ellipsoid_method method,
                       contact_array *out);

// How many of the pairs touch or are within their margins, by ChM alone: yes or no, no contact data. The margin is
// measured along ChM's own normal, so pairs a little farther apart than a margin above zero may be counted.
size_t narrow_ellipsoids_count(const proxy_view *view, const proxy_pair *pairs, size_t count);

#endif
