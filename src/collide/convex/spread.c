// Points come one by one and are never stored: a hull of thousands of corners on a plane needs no more room than a box.
#include "collide/convex/spread.h"

static double along(const spread_point *p, int direction)
{
    static const double X[8] = {1,  0.70710678118654752,  0, -0.70710678118654752,
                                -1, -0.70710678118654752, 0, 0.70710678118654752};
    return p->x * X[direction] + p->y * X[(direction + 6) % 8];
}

static double square_between(const spread_point *p, const spread_point *q)
{
    return (p->x - q->x) * (p->x - q->x) + (p->y - q->y) * (p->y - q->y);
}

void spread_begin(spread *s, double margin, double merge)
{
    s->margin = margin;
    s->merge = merge;
    s->smallest = HUGE_VAL;
    s->count = 0;
    s->crowded = false;
}

static void keep_farthest(spread *s, const spread_point *p)
{
    for (int i = 0; i < MANIFOLD_MOST; i++)
        if (along(p, i) > along(&s->points[i], i) + s->merge)
            s->points[i] = *p;
}

// From all points to the farthest in each direction.
static void become_crowded(spread *s)
{
    spread_point all[MANIFOLD_MOST];
    for (int i = 0; i < MANIFOLD_MOST; i++)
        all[i] = s->points[i];
    for (int i = 0; i < MANIFOLD_MOST; i++)
        s->points[i] = all[0];
    for (int i = 1; i < MANIFOLD_MOST; i++)
        keep_farthest(s, &all[i]);
    s->crowded = true;
}

void spread_add(spread *s, const spread_point *p)
{
    if (!(p->gap <= s->margin))
        return;
    if (p->gap < s->smallest) {
        s->smallest = p->gap;
        s->deepest = *p;
    }
    if (!s->crowded)
        for (int i = 0; i < s->count; i++)
            if (square_between(p, &s->points[i]) <= s->merge * s->merge)
                return;
    if (!s->crowded && s->count < MANIFOLD_MOST) {
        s->points[s->count++] = *p;
        return;
    }
    if (!s->crowded)
        become_crowded(s);
    keep_farthest(s, p);
}

static bool has_name(const spread_point *points, int count, uint32_t name)
{
    for (int i = 0; i < count; i++)
        if (points[i].name == name)
            return true;
    return false;
}

int spread_end(const spread *s, spread_point points[MANIFOLD_MOST])
{
    int count = 0;
    double smallest = HUGE_VAL;
    for (int i = 0; i < s->count; i++)
        if (!has_name(points, count, s->points[i].name)) {
            points[count++] = s->points[i];
            smallest = fmin(smallest, s->points[i].gap);
        }
    if (count == 0 || smallest <= s->smallest + 0.1 * s->merge)
        return count;
    if (count < MANIFOLD_MOST) {
        points[count++] = s->deepest;
        return count;
    }
    int nearest = 0;
    for (int i = 1; i < count; i++)
        if (square_between(&s->deepest, &points[i]) < square_between(&s->deepest, &points[nearest]))
            nearest = i;
    points[nearest] = s->deepest;
    return count;
}
