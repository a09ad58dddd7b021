// From the bodies of a world to what a picture is made of: shapes, colours, contacts as lines, legend.
#ifndef VIEW_WORLD_WORLD_SCENE_H
#define VIEW_WORLD_WORLD_SCENE_H

#include "view/raster/facet.h"
#include "view/world/world_picture.h"

enum { WORLD_SCENE_KEYS = 12, WORLD_SCENE_NAME = 64, WORLD_SCENE_SHADES = 1024 };

typedef struct hull_faces { // where the faces of a hull are
    const scree_geometry *geometry;
    size_t first;
} hull_faces;

typedef struct placed_surface { // a mesh or height field, and where it stands
    const scree_geometry *geometry;
    scree_vec3 place;
    scree_quat orientation;
    color paint;
    uint32_t unused; // always 0, so that two of them can be compared as bytes
} placed_surface;

typedef struct world_scene {
    picture picture; // borrows from the arrays below
    ARRAY(picture_sphere) spheres;
    ARRAY(picture_box) boxes;
    ARRAY(picture_solid) solids;
    ARRAY(uint32_t) sphere_bodies, box_bodies, solid_bodies; // whose they are: places in the list of bodies
    ARRAY(picture_face) faces;                               // of hulls, each once
    ARRAY(hull_faces) hulls;
    ARRAY(placed_surface) surfaces, last_surfaces; // triangles are made again only when these differ
    facet_array triangles;
    ARRAY(picture_plane) planes;
    ARRAY(picture_line) lines;
    body_values values;
    ARRAY(double) forces;
    size_t moving;                   // bodies that are not fixed
    double low, high;                // of the colour scale
    color scale[WORLD_SCENE_SHADES]; // it, in even steps: made once, as a colour takes long
    bool used[WORLD_SCENE_KEYS];
    picture_key keys[WORLD_SCENE_KEYS];
    char key_names[WORLD_SCENE_KEYS][WORLD_SCENE_NAME];
    char caption[160];
} world_scene;

// Fills scene->picture; `scene` is all zero or was filled before. Without a camera: world_scene_aim places it.
scree_status world_scene_fill(world_scene *scene, const world_bodies *bodies, const world_picture_def *def,
                              scree_error *error);

// The camera that the definition asks for; what it leaves open is chosen such that all of it is seen.
scree_status world_scene_aim(world_scene *scene, const world_picture_def *def, scree_error *error);

// Adds the lines that the definition wants over the bodies of scene->picture; a part of filling it.
scree_status world_scene_add_lines(world_scene *scene, const world_bodies *bodies, const world_picture_def *def,
                                   scree_error *error);

void world_scene_free(world_scene *scene);

// The direction against gravity; z without gravity.
scree_vec3 world_scene_up(const world_bodies *bodies);

// The body that is seen at a place of the picture, in pixels, and how far along the camera's axis; WORLD_NO_BODY where
// there is none. Planes and surfaces are seen through.
uint32_t world_scene_pick(const world_scene *scene, canvas_point at, double *depth);

// Widens `over` by what the bodies span and by the ends of their colour scale, for a film that keeps both.
scree_status world_scene_measure(world_scene *scene, const world_bodies *bodies, const world_picture_def *def,
                                 world_picture_span *over, scree_error *error);

#endif
