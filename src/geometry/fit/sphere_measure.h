// How well spheres stand for a solid: the distances both ways, by dense sampling that is the same every time.
#ifndef GEOMETRY_FIT_SPHERE_MEASURE_H
#define GEOMETRY_FIT_SPHERE_MEASURE_H

#include "geometry/fit/closed_surface.h"
#include "geometry/fit/sphere_fit.h"

// Fills max and mean of both figures. False when out of memory.
bool sphere_measure(const closed_surface *surface, const scree_ball *balls, size_t count, sphere_fit_report *report);

#endif
