// The sun of a picture: a shadow map seen from the light, in parallel rays.
#ifndef VIEW_RASTER_LIGHT_H
#define VIEW_RASTER_LIGHT_H

#include "view/raster/picture.h"
#include "view/raster/raster.h"

enum { LIGHT_PROBES = 9 };

typedef struct light {
    vec3f toward; // unit, in the camera's frame
    raster_view view;
    raster map;
    float turn[3][3]; // from the camera's frame into the light's
    vec3f shift;
    float probes[LIGHT_PROBES][2]; // places on the map, in its samples, about a point
    float bias;                    // how much nearer to the light something must be to cast a shadow
} light;

// The light stands over the left shoulder of the viewer, to light the ball (center, radius); with an empty map.
light light_place(const picture *scene, const raster_view *camera, vec3 center, double radius);

// The same with its map: spheres, solids and boxes that are no walls cast shadows inside the ball.
scree_status light_make(light *sun, const picture *scene, const raster_view *camera, vec3 center, double radius,
                        int threads, scree_error *error);
void light_free(light *sun);

// How much of the sun a point of the camera's frame sees, in [0, 1]; soft at the rim of a shadow. `turn` in [0, 1)
// rotates the pattern of probes, so that neighbouring samples take different ones.
float light_at(const light *sun, vec3f point, vec3f normal, float turn);

#endif
