// Off-screen pictures of spheres, boxes, other solids, triangles and planes, in software.
//
// Every object is cast exactly, ray by ray, into a depth buffer in tiles; shading follows from the
// depth buffer: one directional light with a shadow map, an ambient sky with screen-space occlusion, so that a heap
// reads as a heap. The same input gives the same pixels for any number of threads.
#ifndef VIEW_RASTER_PICTURE_H
#define VIEW_RASTER_PICTURE_H

#include <stdbool.h>

#include "base/vec.h"
#include "scree/status.h"
#include "scree/types.h"
#include "view/canvas/canvas.h"

typedef struct picture_sphere {
    scree_vec3 center;
    double radius; // > 0
    color color;
} picture_sphere;

typedef struct picture_box {
    scree_vec3 center;
    scree_quat orientation; // unit
    scree_vec3 half;        // each > 0
    color color;
    bool wall; // part of a container: drawn as an outline with a faint tint where it stands between the camera and
               // the grains, and casts no shadow
} picture_box;

typedef enum picture_solid_type {
    PICTURE_ELLIPSOID,
    PICTURE_CAPSULE,
    PICTURE_CYLINDER,
    PICTURE_CONE, // apex towards +z, base at -half length / 2
    PICTURE_HULL, // a convex polyhedron
} picture_solid_type;

typedef struct picture_face { // of a polyhedron: inside, normal . x <= offset about its centre, in its own axes
    vec3f normal;             // unit
    float offset;
} picture_face;

typedef struct picture_solid {
    picture_solid_type type;
    scree_vec3 center;
    scree_quat orientation; // unit
    scree_vec3 size;        // ellipsoid: radii; hull: half extents; others: radius, unused, half length; each > 0
    size_t first_face, face_count; // hull: among the picture's faces
    color color;
    bool wall; // does not move: has no say in where the camera looks
} picture_solid;

// A piece of a surface that does not move, seen from its front alone: its corners run counter-clockwise there.
typedef struct picture_triangle {
    scree_vec3 corners[3];
    vec3f normals[3]; // at the corners, unit: shading runs evenly between them
    color color;
} picture_triangle;

typedef struct picture_plane {
    scree_vec3 normal; // unit, away from the solid side
    double offset;     // the solid side is normal . x < offset
} picture_plane;

// Drawn over the finished bodies: a contact, a force, an edge.
typedef struct picture_line {
    scree_vec3 ends[2];
    double width;  // in the scene; on the picture at least about a pixel
    float through; // how much of it shows where something stands before it, in [0, 1]
    color color;
} picture_line;

typedef struct picture_camera {
    scree_vec3 position;
    scree_vec3 look_at;
    scree_vec3 up;        // of the scene; need not be square to the view, must not be zero
    double field_of_view; // of the picture's height [rad], in (0, pi)
} picture_camera;

// A named colour of a legend.
typedef struct picture_key {
    const char *name;
    color color;
} picture_key;

// Everything that is drawn. The caller keeps the arrays and strings.
typedef struct picture {
    size_t width, height; // in pixels, 64 to CANVAS_MAX_SIDE
    const picture_sphere *spheres;
    size_t sphere_count;
    const picture_box *boxes;
    size_t box_count;
    const picture_solid *solids;
    size_t solid_count;
    const picture_face *faces; // of all hulls
    size_t face_count;
    const picture_triangle *triangles;
    size_t triangle_count;
    const picture_plane *planes;
    size_t plane_count;
    bool without_grid;         // on planes
    const picture_line *lines; // later ones lie over earlier ones
    size_t line_count;
    picture_camera camera;

    const char *scale_title; // NULL: no colour scale; else a legend of color_of_scale from scale_low to scale_high
    double scale_low, scale_high;
    const picture_key *keys; // a legend of kinds
    size_t key_count;
    const char *caption; // at the lower edge; NULL: none

    int threads; // >= 1, or 0 for all that the machine has
} picture;

// 1280 x 720 pixels, nothing in it, camera at (3, -4, 2.5) looking at the origin with z up, 35 degrees, all threads.
picture picture_default(void);

// Numbers that are not finite, sizes that are not positive and a camera that looks nowhere give SCREE_ERROR_INVALID.
scree_status picture_check(const picture *scene, scree_error *error);

// Makes the canvas (free it with canvas_free) and draws what picture_check accepts.
scree_status picture_draw(const picture *scene, canvas *sheet, scree_error *error);

// Draws into a PNG file.
scree_status picture_save(const picture *scene, const char *path, scree_error *error);

// The camera that looks along `direction` (from the camera into the scene) and just holds the box [low, high], with
// some room around it, in the middle of a picture of width over height `aspect`.
picture_camera picture_frame(scree_vec3 low, scree_vec3 high, scree_vec3 direction, scree_vec3 up, double field_of_view,
                             double aspect);

// The place where a point is seen, in pixels; false when it is not in front of the camera.
bool picture_project(const picture *scene, scree_vec3 point, canvas_point *at);

#endif
