#include "collide/triangle/triangle_points.h"

static const double SAME = 1e-8;    // squared difference, in sizes, below which two points are one
static const double LIKE = 0.01;    // squared difference of two normals that are nearly the same
static const double AS_DEEP = 1e-6; // in sizes: differences of depth, or of place, by which rounding decides nothing

enum { DIRECTIONS = 8 };

// Opposite ones follow each other. They are turned so that the sides of a box along the axes are across to none.
static const double direction_cos[DIRECTIONS] = {0.98006657784124163,  -0.98006657784124163, -0.19866933079506111,
                                                 0.19866933079506124,  0.55253129218685415,  -0.55253129218685404,
                                                 -0.83349215422481648, 0.83349215422481648};
static const double direction_sin[DIRECTIONS] = {0.19866933079506122,  -0.19866933079506127, 0.98006657784124163,
                                                 -0.98006657784124163, 0.83349215422481648,  -0.83349215422481648,
                                                 0.55253129218685404,  -0.55253129218685415};

static double normal_difference(const surface_point *p, const surface_point *q)
{
    vec3 difference = vec3_sub(p->outward, q->outward);
    return vec3_dot(difference, difference);
}

// Squared distance of two points in sizes, with their normals on top.
static double difference(const surface_points *set, const surface_point *p, const surface_point *q)
{
    vec3 apart = vec3_scale(vec3_sub(p->point, q->point), 1 / set->size);
    return vec3_dot(apart, apart) + normal_difference(p, q);
}

static void swap(surface_points *set, int i, int j)
{
    surface_point moved = set->points[i];
    set->points[i] = set->points[j];
    set->points[j] = moved;
}

// Two unit vectors across a normal.
static void tangents(vec3 normal, vec3 *u, vec3 *v)
{
    vec3 axis = fabs(normal.x) <= 0.6 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
    *u = vec3_normalize(vec3_cross(axis, normal));
    *v = vec3_cross(normal, *u);
}

static vec3 direction_across(vec3 normal, int direction)
{
    vec3 u, v;
    tangents(normal, &u, &v);
    return vec3_add_scaled(vec3_scale(u, direction_cos[direction]), v, direction_sin[direction]);
}

// The point of a normal like the leader's that is farthest along a direction; the leader itself at least.
static int farthest_along(const surface_points *set, int leader, vec3 direction, double deepest)
{
    int farthest = leader;
    for (int i = 0; i < set->count; i++)
        if (set->points[i].gap <= deepest &&
            vec3_dot(direction, vec3_sub(set->points[i].point, set->points[farthest].point)) > AS_DEEP * set->size &&
            normal_difference(&set->points[i], &set->points[leader]) < LIKE)
            farthest = i;
    return farthest;
}

// The deepest point whose normal is unlike those of the first `leaders`; -1 when there is none. Of points that are as
// deep as it, the one that spans.
static int next_leader(const surface_points *set, int leaders)
{
    int deepest = -1;
    for (int i = leaders; i < set->count; i++) {
        bool unlike = deepest < 0 || set->points[i].gap < set->points[deepest].gap;
        for (int k = 0; k < leaders && unlike; k++)
            unlike = normal_difference(&set->points[i], &set->points[k]) >= LIKE;
        deepest = unlike ? i : deepest;
    }
    if (deepest < 0)
        return -1;
    const surface_point *p = &set->points[deepest];
    int best = farthest_along(set, deepest, direction_across(p->outward, 0), p->gap + AS_DEEP * set->size);
    return best >= leaders ? best : deepest;
}

static bool is_kept(const surface_points *set, int kept, const surface_point *p)
{
    for (int i = 0; i < kept; i++)
        if (difference(set, &set->points[i], p) <= SAME)
            return true;
    return false;
}

void surface_points_reduce(surface_points *set, int most)
{
    int leaders = 0;
    for (int next; leaders < most && (next = next_leader(set, leaders)) >= 0; leaders++)
        swap(set, leaders, next);
    int kept = leaders;
    for (int direction = 0; direction < DIRECTIONS; direction++)
        for (int leader = 0; leader < leaders && kept < most; leader++) {
            vec3 way = direction_across(set->points[leader].outward, direction);
            int found = farthest_along(set, leader, way, HUGE_VAL);
            if (found >= kept && !is_kept(set, kept, &set->points[found]))
                swap(set, kept++, found);
        }
    set->count = kept;
}

void surface_points_add(surface_points *set, const surface_point *point)
{
    if (set->count == SURFACE_ROOM)
        surface_points_reduce(set, SURFACE_MOST);
    for (int i = 0; i < set->count; i++)
        if (difference(set, &set->points[i], point) <= SAME) {
            if (point->gap < set->points[i].gap - AS_DEEP * set->size)
                set->points[i] = *point;
            return;
        }
    set->points[set->count++] = *point;
}
