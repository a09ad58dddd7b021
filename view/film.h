// A run as one thing to look at: which of its frames are shown, where a camera has to stand to see all of them, and
// what colours mean throughout. Exports share it, so that one run looks the same everywhere.
#ifndef VIEW_FILM_H
#define VIEW_FILM_H

#include "record/replay.h"
#include "view/color.h"
#include "view/picture.h"

typedef enum film_color { FILM_SPEED, FILM_MATERIAL, FILM_BODY, FILM_HEIGHT } film_color;

typedef struct film_def {
    size_t first, last, stride; // frames of the run; last may be beyond the end, stride >= 1
    film_color color;
    size_t width, height; // of a picture in pixels
    bool has_from;        // else a three-quarter view that holds the moving bodies of all frames
    vec3 from;            // where the camera stands
    bool has_look_at;     // else the middle of those bodies
    vec3 look_at;         // the middle of the picture
    double field_of_view; // of the picture's height [rad]
} film_def;

// All frames, by speed, 1280 x 720, automatic camera.
film_def film_default(void);

typedef struct film {
    replay *run; // borrowed
    film_def def;
    size_t count;   // frames shown
    vec3 low, high; // bounds of the moving bodies, over all frames, without strays
    vec3 up;        // against gravity
    double radius;  // mean bounding radius of the moving bodies
    double speed;   // top of the scale of speeds: all but a few are below
    double spin;    // likewise of spins
    picture_camera camera;
} film;

// Looks through some frames of an open run. SCREE_INVALID when the choice of frames is empty.
scree_status film_make(film *shown, replay *run, const film_def *def, scree_error *error);

// Brings the run's world to frame i (from 0 to count - 1) of those shown; its number in the run is film_number.
scree_status film_show(film *shown, size_t i, scree_error *error);
size_t film_number(const film *shown, size_t i);
double film_time(const film *shown, size_t i);

// The colour of a body by what it does; fixed ones are grey.
color film_color_of(const film *shown, scree_id id, const scree_body_info *info, const scree_state *state);

#endif
