// Newton's iteration on the unit sphere for the reach h(n) = max n . w of the difference. Its gradient is the support
// point w(n) itself, so on the sphere
//
//     gradient  t . w,      Hessian  t . dw/dn t - h,      t across n,
//
// with dw/dn by differences of support points. A smooth difference (ellipsoids against round shapes) has a minimum
// where w is along n, and is met to rounding in a few rounds. Steps that do not descend are halved and then given up:
// at a kink of h, where an edge or a face touches, nothing changes.
#include "collide/convex/descend.h"

enum { MOST_ROUNDS = 16, MOST_HALVINGS = 8 };

static const double DIFFERENCE = 1e-6; // angle between support points
static const double LONGEST = 0.3;     // step in radians
static const double STATIONARY = 1e-13;

typedef struct tangents {
    vec3 x, y;
} tangents;

static tangents tangents_of(vec3 normal)
{
    vec3 axis = fabs(normal.x) <= 0.6 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
    tangents t = {.x = vec3_normalize(vec3_cross(normal, axis))};
    t.y = vec3_cross(normal, t.x);
    return t;
}

static vec3 turned(vec3 normal, const tangents *t, double x, double y)
{
    return vec3_normalize(vec3_add_scaled(vec3_add_scaled(normal, t->x, x), t->y, y));
}

// The step to take from n, where the difference reaches w; down the gradient where the Hessian has no minimum.
static void find_step(difference *d, vec3 normal, vec3 w, const tangents *t, double step[2])
{
    double depth = vec3_dot(normal, w), gx = vec3_dot(t->x, w), gy = vec3_dot(t->y, w);
    vec3 wx = vec3_sub(difference_support(d, turned(normal, t, DIFFERENCE, 0)).w, w);
    vec3 wy = vec3_sub(difference_support(d, turned(normal, t, 0, DIFFERENCE)).w, w);
    double xx = vec3_dot(t->x, wx) / DIFFERENCE - depth, yy = vec3_dot(t->y, wy) / DIFFERENCE - depth;
    double xy = 0.5 * (vec3_dot(t->x, wy) + vec3_dot(t->y, wx)) / DIFFERENCE, determinant = xx * yy - xy * xy;
    if (xx > 0 && determinant > 0) {
        step[0] = -(yy * gx - xy * gy) / determinant;
        step[1] = -(xx * gy - xy * gx) / determinant;
    } else {
        double slope = hypotenuse(gx, gy);
        step[0] = -LONGEST * gx / slope;
        step[1] = -LONGEST * gy / slope;
    }
    double length = hypotenuse(step[0], step[1]);
    if (length > LONGEST) {
        step[0] *= LONGEST / length;
        step[1] *= LONGEST / length;
    }
}

bool descend(difference *d, double size, vec3 *normal, double *depth)
{
    bool changed = false;
    vec3 w = difference_support(d, *normal).w;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        tangents t = tangents_of(*normal);
        if (hypotenuse(vec3_dot(t.x, w), vec3_dot(t.y, w)) <= STATIONARY * size)
            break;
        double step[2], before = *depth;
        find_step(d, *normal, w, &t, step);
        for (int halving = 0; halving < MOST_HALVINGS && *depth == before; halving++) {
            vec3 tried = turned(*normal, &t, step[0], step[1]), reached = difference_support(d, tried).w;
            if (vec3_dot(tried, reached) < before) {
                *depth = vec3_dot(tried, reached);
                *normal = tried;
                w = reached;
            }
            step[0] *= 0.5;
            step[1] *= 0.5;
        }
        if (*depth == before)
            break;
        changed = true;
    }
    return changed;
}
