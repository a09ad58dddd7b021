#include "collide/triangle_points.h"

#include <stdbool.h>

static const double SAME = 1e-8;    // squared difference, in sizes, below which two points are one
static const double LIKE = 0.01;    // squared difference of two normals that are nearly the same
static const double AS_DEEP = 1e-6; // in sizes: differences in depth that are none, so that rounding decides nothing
static const int ENOUGH = 8;        // points of one normal

// Squared distance of two points in sizes, with their normals on top.
static double difference(const surface_points *set, int i, int j)
{
    vec3 apart = vec3_scale(vec3_sub(set->points[i].point, set->points[j].point), 1 / set->size);
    vec3 turn = vec3_sub(set->points[i].outward, set->points[j].outward);
    return vec3_dot(apart, apart) + vec3_dot(turn, turn);
}

static bool has_like_normal(const surface_points *set, int kept, int i)
{
    for (int k = 0; k < kept; k++) {
        vec3 turn = vec3_sub(set->points[i].outward, set->points[k].outward);
        if (vec3_dot(turn, turn) < LIKE)
            return true;
    }
    return false;
}

static void swap(surface_points *set, int i, int j)
{
    surface_point moved = set->points[i];
    set->points[i] = set->points[j];
    set->points[j] = moved;
}

// The deepest whose normal is unlike all that are kept; -1 when there is none.
static int deepest_of_new_normal(const surface_points *set, int kept)
{
    int deepest = -1;
    for (int i = kept; i < set->count; i++)
        if ((deepest < 0 || set->points[i].gap < set->points[deepest].gap - AS_DEEP * set->size) &&
            !has_like_normal(set, kept, i))
            deepest = i;
    return deepest;
}

void surface_points_reduce(surface_points *set, int most)
{
    double nearest[SURFACE_ROOM]; // by point: squared difference from what is kept
    int kept = 0;
    for (int next; kept < most && (next = deepest_of_new_normal(set, kept)) >= 0; kept++)
        swap(set, kept, next);
    int enough = kept + ENOUGH - 1 < most ? kept + ENOUGH - 1 : most;
    for (int i = kept; i < set->count; i++) {
        nearest[i] = HUGE_VAL;
        for (int k = 0; k < kept; k++)
            nearest[i] = fmin(nearest[i], difference(set, i, k));
    }
    while (kept < enough && kept < set->count) {
        int farthest = kept;
        for (int i = kept + 1; i < set->count; i++)
            if (nearest[i] > nearest[farthest] + SAME)
                farthest = i;
        if (nearest[farthest] <= SAME)
            break;
        swap(set, kept, farthest);
        nearest[farthest] = nearest[kept];
        for (int i = kept + 1; i < set->count; i++)
            nearest[i] = fmin(nearest[i], difference(set, i, kept));
        kept++;
    }
    set->count = kept;
}

void surface_points_add(surface_points *set, const surface_point *point)
{
    if (set->count == SURFACE_ROOM)
        surface_points_reduce(set, SURFACE_MOST);
    set->points[set->count] = *point;
    for (int i = 0; i < set->count; i++)
        if (difference(set, i, set->count) <= SAME) {
            if (point->gap < set->points[i].gap - AS_DEEP * set->size)
                set->points[i] = *point;
            return;
        }
    set->count++;
}
