// The meaning of the colours of bodies: the quantity of each body, the range of the scale, and the legend.
#ifndef VIEW_WORLD_BODY_COLOR_H
#define VIEW_WORLD_BODY_COLOR_H

#include "view/raster/picture.h"
#include "view/world/world_bodies.h"

typedef enum body_color { // the words of `view.color` in scenes are in the same order
    BODY_COLOR_SPEED,     // of the centre of mass
    BODY_COLOR_SPIN,      // angular speed
    BODY_COLOR_MATERIAL,
    BODY_COLOR_BODY,         // each its own
    BODY_COLOR_FORCE,        // sum of the normal forces on it
    BODY_COLOR_COORDINATION, // how many other bodies push it; walls count as one
    BODY_COLOR_RANK,         // which process owns it; all are 0 in a run on one
    BODY_COLOR_HEIGHT,       // against gravity; along z without gravity
    BODY_COLORS
} body_color;

// "speed", "spin", ... ; any other name is SCREE_ERROR_INVALID with a message that lists them. "id" is another word for
// body.
scree_status body_color_parse(const char *name, body_color *value, scree_error *error);

const char *body_color_name(body_color value);

// True for what is told by a scale, false for what is told by one colour per kind or body.
bool body_color_is_scale(body_color value);

typedef ARRAY(double) body_values;

// The quantity of every body. SCREE_ERROR_INVALID when contacts are needed that are not known.
scree_status body_color_values(const world_bodies *bodies, body_color what, scree_vec3 up, body_values *values,
                               scree_error *error);

// Ends of a scale that suits the values of bodies that are not fixed. Speeds and the like are shown from zero to where
// all but one in two hundred end, heights over their whole range.
scree_status body_color_range(const world_bodies *bodies, body_color what, const body_values *values, double *low,
                              double *high, scree_error *error);

#endif
