// A run as one thing to look at: which of its frames are shown, where a camera has to stand to see all of them, and
// what colours mean throughout. Exports share it, so that one run looks the same everywhere.
#ifndef VIEW_WORLD_FILM_H
#define VIEW_WORLD_FILM_H

#include "record/replay.h"
#include "view/world/world_picture.h"

typedef struct film_def {
    size_t first, last, stride; // frames of the run; last may be beyond the end, stride >= 1
    world_picture_def look;     // camera and colours; what it leaves open is chosen for all frames
} film_def;

// All frames.
film_def film_default(void);

typedef struct film {
    replay *run; // borrowed
    film_def def;
    size_t count;                 // frames shown
    vec3 low, high;               // bounds of the moving bodies, over all frames, without strays
    vec3 up;                      // against gravity
    double radius;                // mean bounding radius of the moving bodies
    double speed, spin;           // tops of their scales: all but a few are below
    double scale_low, scale_high; // ends of the scale of what the colours tell
    picture_camera camera;
    world_bodies bodies; // at the frame shown last
    body_values values;  // what their colours tell
} film;

// Looks through some frames of an open run. SCREE_ERROR_INVALID when the choice of frames is empty, or the colours ask
// for what frames do not hold. Free it also on failure.
scree_status film_make(film *shown, replay *run, const film_def *def, scree_error *error);
void film_free(film *shown);

// Brings the run's world and `bodies` to frame i (from 0 to count - 1) of those shown; film_number is its number in the
// run.
scree_status film_show(film *shown, size_t i, scree_error *error);
size_t film_number(const film *shown, size_t i);
double film_time(const film *shown, size_t i);

// The colour of a body, by its place in `bodies`, by what it does; fixed ones are grey.
color film_color_of(const film *shown, size_t body);

// The pose of a shape of a body in the world.
scree_pose film_shape_pose(const film *shown, size_t body, const scree_shape_def *shape);

#endif
