// A picture of a world: its bodies, coloured by what they do, framed by themselves or seen from a given place.
#ifndef VIEW_WORLD_PICTURE_H
#define VIEW_WORLD_PICTURE_H

#include <stdbool.h>

#include "scree/world.h"
#include "view/painter.h"

typedef enum world_picture_color {
    WORLD_PICTURE_SPEED, // of the centre of mass
    WORLD_PICTURE_MATERIAL,
    WORLD_PICTURE_ID,
    WORLD_PICTURE_HEIGHT, // against gravity; along z without gravity
} world_picture_color;

// "speed", "material", "id" or "height"; any other name is SCREE_INVALID with a message that lists them.
scree_status world_picture_color_parse(const char *name, world_picture_color *value, scree_error *error);

typedef struct world_picture_def {
    size_t width, height; // in pixels, 64 to 8192
    world_picture_color color;

    bool has_from;        // else from a three-quarter view, at the distance that shows all moving bodies
    scree_vec3 from;      // where the camera stands
    bool has_look_at;     // else the middle of the moving bodies
    scree_vec3 look_at;   // what is in the middle of the picture
    double field_of_view; // of the picture's height [rad], in (0, pi)

    bool has_range;   // else the range that the bodies span
    double low, high; // ends of the colour scale, for speed and height; low < high

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
scree_status world_picture_draw(const scree_world *world, const world_picture_def *def, canvas *sheet,
                                scree_error *error);

// Draws into a PNG file, written to a temporary name and renamed.
scree_status world_picture_save(const scree_world *world, const world_picture_def *def, const char *path,
                                scree_error *error);

#endif
