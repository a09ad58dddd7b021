// A picture of a world: its bodies, coloured by what they do, framed by themselves or seen from a given place.
#ifndef VIEW_WORLD_WORLD_PICTURE_H
#define VIEW_WORLD_WORLD_PICTURE_H

#include <stdbool.h>

#include "scree/world.h"
#include "view/raster/painter.h"
#include "view/world/body_color.h"

// The values that a film keeps the same over its frames.
typedef struct world_picture_span {
    scree_vec3 low, high; // of what is framed
    double scale_low, scale_high;
} world_picture_span;

typedef struct world_picture_def {
    size_t width, height; // in pixels, 64 to 8192
    body_color color;

    bool has_from;             // else from a three-quarter view, at the distance that shows all moving bodies
    scree_vec3 from;           // where the camera stands
    bool has_look_at;          // else the middle of the moving bodies
    scree_vec3 look_at;        // what is in the middle of the picture
    double azimuth, elevation; // of the camera without `from` [rad]: from the front (-y) towards the right, and upwards
    double field_of_view;      // of the picture's height [rad], in (0, pi)
    bool has_span;             // frame this box
    world_picture_span span;

    bool has_range;   // else the range that the bodies span
    double low, high; // ends of the colour scale; low < high

    bool force_chains; // contacts that push by more than their mean, as lines as strong as they
    bool normals;      // contacts as short lines along their normals
    bool proxies;      // boxes along the world axes about every shape that moves, as detection bins them; bodies of
                       // several spheres, particles, as one solid box each
    bool bounds;       // of all that moves, as lines
    bool without_grid; // on planes
    const picture_plane
        *sections; // bodies whose centres lie beyond one of them, on the side of its normal, are left out
    size_t section_count;

    const char *const *material_names; // for the legend, by material index; NULL: "material 0", ...
    size_t material_name_count;
    const char *caption; // NULL: number of bodies and simulated time; "": none
    bool legend;
    int threads;             // >= 1, or 0 for all that the machine has; the pixels do not depend on it
    picture_painter painter; // who draws; all zero: the rasteriser in software
} world_picture_def;

// 1280 x 720, by speed, automatic camera, range and caption, with legend, all threads.
world_picture_def world_picture_default(void);

// Draws into a new canvas; free it with canvas_free.
scree_status world_picture_draw(const world_bodies *bodies, const world_picture_def *def, canvas *sheet,
                                scree_error *error);

// Draws into a PNG file, written to a temporary name and renamed.
scree_status world_picture_save(const scree_world *world, const world_picture_def *def, const char *path,
                                scree_error *error);

#endif
