// A camera that goes round a target, nearer and farther, and flies: what a mouse and keys do to it.
#ifndef VIEW_WORLD_ORBIT_H
#define VIEW_WORLD_ORBIT_H

#include "view/raster/picture.h"

typedef struct orbit_camera {
    scree_vec3 target, up;     // up is a unit vector
    double azimuth, elevation; // of the camera about the target [rad], as in world_picture_def
    double distance;           // > 0
    double field_of_view;
} orbit_camera;

orbit_camera orbit_from(const picture_camera *camera);
picture_camera orbit_place(const orbit_camera *orbit);

// Turns the camera by two angles; it stays off the poles.
void orbit_turn(orbit_camera *orbit, double azimuth, double elevation);

// Moves the target such that it follows the mouse over a picture `height` pixels high.
void orbit_pan(orbit_camera *orbit, double right, double down, double height);

// Multiplies the distance.
void orbit_zoom(orbit_camera *orbit, double factor);

// Moves camera and target by multiples of the distance.
void orbit_fly(orbit_camera *orbit, double forward, double right, double up);

// The point that is seen at a place of a picture, in pixels, at a depth along the camera's axis.
scree_vec3 orbit_point(const orbit_camera *orbit, canvas_point at, double width, double height, double depth);

#endif
