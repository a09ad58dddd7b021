// The friction cone of a contact with up to three discs, its projection in a diagonal metric, and the derivative of
// that.
//
// An impulse has the parts p_n along the normal, p_t across it, and angular parts t_n (spinning) and t_t (rolling). The
// cone is  |p_t| <= friction p_n, |t_n| <= spinning p_n, |t_t| <= rolling p_n.
#ifndef SOLVE_NEWTON_NEWTON_CONE_H
#define SOLVE_NEWTON_NEWTON_CONE_H

#include "base/vec.h"

typedef struct spatial { // a velocity and a spin, or an impulse and an angular impulse
    vec3 linear, angular;
} spatial;

enum { CONE_DISCS = 3 }; // sliding, spinning, rolling

typedef struct cone {
    vec3 normal;
    double radius[CONE_DISCS]; // friction, spinning, rolling
    bool has_angular;          // spinning or rolling is not zero; the angular parts mean nothing otherwise
} cone;

typedef struct cone_metric { // weights of the squares of the parts
    double normal, disc[CONE_DISCS];
} cone_metric;

typedef struct cone_point { // a projection, with what its derivative needs
    double normal;          // p_n; 0: the tip
    double length[CONE_DISCS];
    vec3 direction[CONE_DISCS]; // unit, or zero
    bool slides[CONE_DISCS];    // on the rim of that disc
} cone_point;

// The nearest point of the cone to z, in the metric: the convex law. The exact one has p_n = max(0, z_n) and then the
// nearest point of each disc (Alart & Curnier 1991).
spatial cone_project(const cone *c, const cone_metric *weight, spatial z, cone_point *at);
spatial cone_project_exact(const cone *c, spatial z, cone_point *at);

// The derivative of a projection times the inverse of the metric. For the convex law it is symmetric and not negative.
// The angular parts are left alone when the cone has none.
typedef struct cone_slope {
    mat3 linear;  // impulse by velocity
    mat3 mixed;   // impulse by spin
    mat3 turned;  // angular impulse by velocity
    mat3 angular; // angular impulse by spin
} cone_slope;

void cone_differentiate(const cone *c, const cone_metric *weight, const cone_point *at, bool exact, cone_slope *slope);

// De Saxce's term at the relative velocity u, friction |u_t| + spinning |w_n| + rolling |w_t|: with it added to the
// bias, the convex law becomes the exact one.
double cone_lift(const cone *c, spatial u);

#endif
