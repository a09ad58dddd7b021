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
static inline spatial cone_project_exact(const cone *c, spatial z, cone_point *at);

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

// ------------------------------------------------------------------------------------ parts of projections, in line

// The part of z that belongs to disc j becomes that of the projection.
static inline vec3 cone_project_disc(const cone *c, vec3 part, int j, cone_point *at)
{
    double rim = c->radius[j] * at->normal;
    at->slides[j] = c->radius[j] == 0 || at->length[j] > rim;
    at->direction[j] = at->length[j] > 0 ? vec3_scale(part, 1 / at->length[j]) : vec3_make(0, 0, 0);
    return at->slides[j] ? vec3_scale(at->direction[j], rim) : part;
}

static inline double cone_split(const cone *c, spatial z, vec3 part[CONE_DISCS], cone_point *at)
{
    double z_n = vec3_dot(c->normal, z.linear);
    part[0] = vec3_add_scaled(z.linear, c->normal, -z_n);
    at->length[0] = vec3_length(part[0]);
    if (c->has_angular) {
        double angular = vec3_dot(c->normal, z.angular);
        part[1] = vec3_scale(c->normal, angular);
        part[2] = vec3_add_scaled(z.angular, c->normal, -angular);
        at->length[1] = fabs(angular);
        at->length[2] = vec3_length(part[2]);
    }
    return z_n;
}

static inline spatial cone_join(const cone *c, const vec3 part[CONE_DISCS], cone_point *at)
{
    spatial result = {{0, 0, 0}, {0, 0, 0}};
    if (at->normal == 0)
        return result;
    result.linear = vec3_add_scaled(cone_project_disc(c, part[0], 0, at), c->normal, at->normal);
    if (c->has_angular)
        result.angular = vec3_add(cone_project_disc(c, part[1], 1, at), cone_project_disc(c, part[2], 2, at));
    return result;
}

static inline spatial cone_project_exact(const cone *c, spatial z, cone_point *at)
{
    vec3 part[CONE_DISCS] = {{0, 0, 0}};
    at->normal = fmax(cone_split(c, z, part, at), 0);
    return cone_join(c, part, at);
}

#endif
