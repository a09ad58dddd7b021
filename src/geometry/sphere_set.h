// Sphere sets: many spheres that stand for one rigid body.
#ifndef GEOMETRY_SPHERE_SET_H
#define GEOMETRY_SPHERE_SET_H

#include "geometry/geometry.h"

typedef struct sphere_set { // about the internal origin
    size_t count;
    scree_ball *balls;
} sphere_set;

#endif
