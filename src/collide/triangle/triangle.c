// The directions that the neighbours of a triangle allow, and walking.
#include "collide/triangle/triangle.h"

static const double FLAT = 1e-3; // sine of the angle between neighbours up to which an edge is flat

// --------------------------------------------------------------------------------------------------------- neighbours

// An open fan is walked to one end and then, from the start, to the other.
bool surface_fan_next(surface_fan *f, uint32_t *edge)
{
    if (!f->begun) {
        f->begun = true;
        f->edge = f->start;
    } else if (!f->back) {
        f->edge = surface_opposite(f->s, edge_before(f->edge));
        if (f->edge == f->start)
            return false;
        if (f->edge == MESH_NO_EDGE) {
            f->back = f->open = true;
            f->edge = f->start;
        }
    }
    if (f->back) {
        f->edge = surface_opposite(f->s, f->edge);
        if (f->edge == MESH_NO_EDGE)
            return false;
        f->edge = edge_next(f->edge);
    }
    *edge = f->edge;
    return true;
}

static bool rises(vec3 outward, vec3 way, double tolerance)
{
    return vec3_dot(outward, way) > tolerance * vec3_length(way);
}

static bool corner_allows(const surface *s, uint32_t start, vec3 outward, double tolerance)
{
    surface_fan around = {.s = s, .start = start};
    for (uint32_t edge; surface_fan_next(&around, &edge);) {
        vec3 p[3];
        surface_corners(s, edge / 3, p);
        vec3 vertex = p[edge % 3];
        if (rises(outward, vec3_sub(p[(edge + 1) % 3], vertex), tolerance) ||
            rises(outward, vec3_sub(p[(edge + 2) % 3], vertex), tolerance))
            return false;
    }
    return true;
}

// From an edge across it into the triangle of a half edge.
static vec3 edge_inward(const vec3 p[3], uint32_t edge)
{
    vec3 from = p[edge % 3], along = vec3_normalize(vec3_sub(p[(edge + 1) % 3], from));
    vec3 way = vec3_sub(p[(edge + 2) % 3], from);
    return vec3_add_scaled(way, along, -vec3_dot(along, way));
}

bool surface_allows(const surface *s, uint32_t triangle, int features, vec3 outward, double tolerance)
{
    if (features == TRIANGLE_FACE)
        return true;
    int edge = triangle_edge(features);
    if (edge < 0)
        return corner_allows(s, 3 * triangle + triangle_corner(features), outward, tolerance);
    uint32_t other = surface_opposite(s, 3 * triangle + (uint32_t)edge);
    if (other == MESH_NO_EDGE)
        return true;
    vec3 p[3];
    surface_corners(s, other / 3, p);
    return !rises(outward, edge_inward(p, other), tolerance);
}

static bool is_front_of_corner(const surface *s, uint32_t start, vec3 away)
{
    vec3 sum = {0, 0, 0};
    surface_fan around = {.s = s, .start = start};
    for (uint32_t edge; surface_fan_next(&around, &edge);) {
        vec3 p[3];
        surface_corners(s, edge / 3, p);
        sum = vec3_add_scaled(sum, triangle_normal(p), triangle_angle(p, (int)(edge % 3)));
    }
    return around.open || vec3_dot(sum, away) >= 0;
}

bool surface_is_front(const surface *s, uint32_t triangle, int features, vec3 away)
{
    vec3 p[3];
    surface_corners(s, triangle, p);
    vec3 sum = triangle_normal(p);
    int edge = triangle_edge(features);
    if (features != TRIANGLE_FACE && edge < 0)
        return is_front_of_corner(s, 3 * triangle + triangle_corner(features), away);
    if (edge >= 0) {
        uint32_t other = surface_opposite(s, 3 * triangle + (uint32_t)edge);
        if (other == MESH_NO_EDGE)
            return true;
        surface_corners(s, other / 3, p);
        sum = vec3_add(sum, triangle_normal(p));
    }
    return vec3_dot(sum, away) >= 0;
}

bool surface_is_rim(const surface *s, uint32_t triangle, int features)
{
    int edge = triangle_edge(features);
    if (features == TRIANGLE_FACE || edge >= 0)
        return edge >= 0 && surface_opposite(s, 3 * triangle + (uint32_t)edge) == MESH_NO_EDGE;
    surface_fan around = {.s = s, .start = 3 * triangle + triangle_corner(features)};
    for (uint32_t next; surface_fan_next(&around, &next);)
        continue;
    return around.open;
}

bool surface_has_ridge(const surface *s, uint32_t triangle)
{
    vec3 p[3], q[3];
    surface_corners(s, triangle, p);
    vec3 normal = triangle_normal(p);
    for (uint32_t edge = 3 * triangle; edge < 3 * triangle + 3; edge++) {
        uint32_t other = surface_opposite(s, edge);
        if (other == MESH_NO_EDGE)
            return true;
        surface_corners(s, other / 3, q);
        if (rises(vec3_negate(normal), edge_inward(q, other), FLAT))
            return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------------------------ walking

surface_walk surface_walk_box(const surface *s, vec3 low, vec3 high)
{
    surface_walk walk;
    walk.s = s;
    if (s->mesh) {
        bvh_box box = bvh_box_around(low, high);
        walk.tree = bvh_walk_box(&s->mesh->tree, &box);
        return walk;
    }
    walk.done = !height_cells_in(s->height, low, high, &walk.cells);
    walk.column = walk.cells.first_column;
    walk.row = walk.cells.first_row;
    walk.low = low.z;
    walk.half = 0;
    return walk;
}

static bool cell_reaches(const height_geometry *field, size_t column, size_t row, double low)
{
    const float *h = field->heights + row * field->columns + column;
    float high = fmaxf(fmaxf(h[0], h[1]), fmaxf(h[field->columns], h[field->columns + 1]));
    return (double)high - field->shift >= low;
}

static void next_cell(surface_walk *walk)
{
    walk->half = 0;
    if (++walk->column > walk->cells.last_column) {
        walk->column = walk->cells.first_column;
        walk->done = ++walk->row > walk->cells.last_row;
    }
}

bool surface_next(surface_walk *walk, uint32_t *triangle)
{
    if (walk->s->mesh)
        return bvh_next_in_box(&walk->tree, triangle);
    const height_geometry *field = walk->s->height;
    if (!walk->done && walk->half == 2)
        next_cell(walk);
    while (!walk->done && walk->half == 0 && !cell_reaches(field, walk->column, walk->row, walk->low))
        next_cell(walk);
    if (walk->done)
        return false;
    *triangle = (uint32_t)(2 * (walk->row * (field->columns - 1) + walk->column)) + (uint32_t)walk->half++;
    return true;
}
