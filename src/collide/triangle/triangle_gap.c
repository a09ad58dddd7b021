// Signed distance of a convex shape and a surface.
#include "collide/triangle/triangle_contacts.h"

typedef struct gap_search {
    const surface *s;
    const convex *shape;
    vec3 center;
    double least;
} gap_search;

static void try_gap(gap_search *search, uint32_t triangle)
{
    vec3 p[3];
    convex_distance d;
    surface_corners(search->s, triangle, p);
    convex facing = convex_of_triangle(p, search->center);
    if (convex_find_distance(search->shape, &facing, search->least, &d))
        search->least = d.gap;
}

// The triangle straight below leaves, as in surface_nearest, few cells to look at.
static void gap_to_field(gap_search *search, double reach)
{
    const height_geometry *field = search->s->height;
    vec3 at = search->center;
    double x = fmin(fmax(at.x, -0.5 * field->width), 0.5 * field->width);
    double y = fmin(fmax(at.y, -0.5 * field->depth), 0.5 * field->depth);
    try_gap(search, height_triangle_at(field, x, y));
    double within = reach + search->least;
    vec3 around = {within, within, within};
    surface_walk walk = surface_walk_box(search->s, vec3_sub(at, around), vec3_add(at, around));
    for (uint32_t triangle; surface_next(&walk, &triangle);)
        try_gap(search, triangle);
}

double convex_surface_gap(const surface *s, vec3 center, const convex *shape)
{
    surface_points points;
    gap_search search = {s, shape, center, HUGE_VAL};
    convex_on_surface(s, center, shape, 0, &points);
    for (int i = 0; i < points.count; i++)
        search.least = fmin(search.least, points.points[i].gap);
    if (points.count > 0)
        return search.least;
    double reach = 2 * points.size; // the half diagonal of a box about the shape, which its centre is inside of
    if (s->height) {
        gap_to_field(&search, reach);
        return search.least;
    }
    bvh_search tree = bvh_search_near(&s->mesh->tree, center);
    for (uint32_t triangle; bvh_next_near(&tree, search.least + reach, &triangle);)
        try_gap(&search, triangle);
    return search.least;
}
