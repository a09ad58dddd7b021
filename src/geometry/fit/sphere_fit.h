// Making sphere sets: spheres that together cover the surface of a solid and stick out of it by little.
//
// After Heyn, Simulation of tracked vehicles on granular terrain (2009), section 3.2: a sphere through the corners of
// each triangle, submerged along the inward normal by the ratio f of depth to radius; triangles at sharp edges are
// split in four and fitted again at a ratio of their own. Added to it:
//
//     - A sphere's centre is submerged no deeper than half the local thickness, and no deeper than is of use.
//     - A sphere of radius r whose centre is at depth D below the surface sticks out by r - D at most: a line from the
//       centre to a point of it outside leaves the solid after D at the least. So protrusion has a bound, not a sample.
//     - Pieces with the largest bound are split until all are within a limit, or until there are so many spheres. For
//       fewer spheres than triangles, pieces are patches of many triangles.
//     - Each piece lies within its sphere, so there is no gap; only where a limit on the protrusion cannot be kept with
//     the
//       spheres there are, spheres shrink, and the surface is then uncovered by no more than that.
#ifndef GEOMETRY_FIT_SPHERE_FIT_H
#define GEOMETRY_FIT_SPHERE_FIT_H

#include "files/mesh_file.h"
#include "files/sphere_file.h"

typedef struct sphere_fit_options {
    double ratio;          // f, from 0 to below 1
    double edge_angle;     // between neighbours' normals, from which an edge is sharp [rad]
    double edge_ratio;     // f at sharp edges
    size_t count;          // spheres to make; 0: as many as the rest asks for
    double max_protrusion; // 0: no limit [length]
} sphere_fit_options;

sphere_fit_options sphere_fit_default_options(void);

enum { MOST_FITTED_SPHERES = 1000000 };

typedef struct distance_figures {
    double max, mean; // as sampled
    double bound;     // proven: no sample can be above it
} distance_figures;

typedef struct sphere_fit_report {
    size_t sharp_triangles;
    double size;                 // of the diagonal of the mesh's box
    distance_figures protrusion; // of the spheres out of the mesh; mean over their outer surface
    distance_figures gap;        // of the mesh's surface out of the spheres; mean over it
} sphere_fit_report;

// Moves the mesh's centroid to the origin and covers it. The list has the mesh's volume and inertia. Meshes that are
// not closed or are inside out are refused; `name` is for messages.
scree_status sphere_fit(const char *name, triangle_mesh *mesh, const sphere_fit_options *options, sphere_list *list,
                        sphere_fit_report *report, scree_error *error);

#endif
