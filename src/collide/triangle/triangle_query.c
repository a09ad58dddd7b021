// Rays and nearest points on surfaces: by the tree of a mesh, by the cells of a height field.
#include "collide/triangle/triangle.h"

// ---------------------------------------------------------------------------------------------------------------- rays

static void try_triangle(const surface *s, uint32_t triangle, vec3 origin, vec3 direction, double limit,
                         surface_hit *hit)
{
    vec3 p[3];
    double t;
    surface_corners(s, triangle, p);
    if (!triangle_ray(p, origin, direction, &t) || !(t >= 0 && t <= limit))
        return;
    // Keeps the first by number of the triangles that are hit at the same place, whatever order they come in.
    if (t > hit->t || (t == hit->t && triangle > hit->triangle))
        return;
    *hit = (surface_hit){t, triangle_normal(p), triangle};
}

static void ray_in_mesh(const surface *s, vec3 origin, vec3 direction, double limit, surface_hit *hit)
{
    bvh_search search = bvh_search_along(&s->mesh->tree, origin, direction);
    for (uint32_t triangle; bvh_next_along(&search, fmin(limit, hit->t * (1 + 1e-12)), &triangle);)
        try_triangle(s, triangle, origin, direction, limit, hit);
}

// Narrows t to where one coordinate is between two bounds; false when it never is.
static bool clip_ray(double at, double speed, double low, double high, double *enter, double *leave)
{
    if (speed == 0)
        return at >= low && at <= high;
    double a = (low - at) / speed, b = (high - at) / speed;
    *enter = fmax(*enter, fmin(a, b));
    *leave = fmin(*leave, fmax(a, b));
    return *enter <= *leave;
}

// Row by row, and within a row cell by cell, in the direction of the ray. Cells are padded, so that rounding loses
// none; after a hit one more cell is looked at, since padding lets neighbours come early.
static void ray_in_field(const surface *s, vec3 origin, vec3 direction, double limit, surface_hit *hit)
{
    const height_geometry *field = s->height;
    double pad_x = 1e-9 * field->step_x, pad_y = 1e-9 * field->step_y, pad_z = 1e-9 * (fabs(field->highest) + pad_x);
    double enter = 0, leave = limit;
    if (!clip_ray(origin.x, direction.x, -0.5 * field->width - pad_x, 0.5 * field->width + pad_x, &enter, &leave) ||
        !clip_ray(origin.y, direction.y, -0.5 * field->depth - pad_y, 0.5 * field->depth + pad_y, &enter, &leave) ||
        !clip_ray(origin.z, direction.z, field->lowest - pad_z, field->highest + pad_z, &enter, &leave))
        return;
    vec3 from = vec3_add_scaled(origin, direction, enter), to = vec3_add_scaled(origin, direction, leave);
    height_cells rows, cells;
    vec3 low = {fmin(from.x, to.x) - pad_x, fmin(from.y, to.y) - pad_y, 0};
    vec3 high = {fmax(from.x, to.x) + pad_x, fmax(from.y, to.y) + pad_y, 0};
    if (!height_cells_in(field, low, high, &rows))
        return;
    size_t row_count = rows.last_row - rows.first_row + 1;
    for (size_t i = 0; i < row_count; i++) {
        size_t row = direction.y >= 0 ? rows.first_row + i : rows.last_row - i;
        double bottom = (double)row * field->step_y - 0.5 * field->depth, row_enter = enter, row_leave = leave;
        if (hit->triangle != MESH_NO_EDGE)
            return;
        if (!clip_ray(origin.y, direction.y, bottom - pad_y, bottom + field->step_y + pad_y, &row_enter, &row_leave))
            continue;
        double x = origin.x + row_enter * direction.x, end = origin.x + row_leave * direction.x;
        vec3 left = {fmin(x, end) - pad_x, bottom, 0}, right = {fmax(x, end) + pad_x, bottom, 0};
        if (!height_cells_in(field, left, right, &cells))
            continue;
        size_t columns = cells.last_column - cells.first_column + 1, last = columns;
        for (size_t k = 0; k < columns && k <= last; k++) {
            size_t column = direction.x >= 0 ? cells.first_column + k : cells.last_column - k;
            uint32_t triangle = (uint32_t)(2 * (row * (field->columns - 1) + column));
            try_triangle(s, triangle, origin, direction, limit, hit);
            try_triangle(s, triangle + 1, origin, direction, limit, hit);
            if (hit->triangle != MESH_NO_EDGE && last == columns)
                last = k + 1;
        }
    }
}

bool surface_ray(const surface *s, vec3 origin, vec3 direction, double limit, surface_hit *hit)
{
    *hit = (surface_hit){.t = HUGE_VAL, .triangle = MESH_NO_EDGE};
    if (s->mesh)
        ray_in_mesh(s, origin, direction, limit, hit);
    else
        ray_in_field(s, origin, direction, limit, hit);
    return hit->triangle != MESH_NO_EDGE;
}

// ------------------------------------------------------------------------------------------------------------- nearest

typedef struct nearest_search {
    const surface *s;
    vec3 point;
    double least; // distance, at first the limit
    uint32_t triangle;
    vec3 nearest;
    int features;
} nearest_search;

static void try_nearest(nearest_search *search, uint32_t triangle)
{
    vec3 p[3];
    int features = 0;
    surface_corners(search->s, triangle, p);
    vec3 nearest = triangle_nearest(p, search->point, &features);
    double distance = vec3_length(vec3_sub(search->point, nearest));
    bool better = distance < search->least || (distance == search->least && triangle < search->triangle);
    if (!better || vec3_length(triangle_normal(p)) == 0)
        return;
    search->least = distance;
    search->triangle = triangle;
    search->nearest = nearest;
    search->features = features;
}

// The triangle straight above or below is near enough to leave few cells to look at.
static void nearest_in_field(nearest_search *search)
{
    const height_geometry *field = search->s->height;
    vec3 at = search->point;
    double x = fmin(fmax(at.x, -0.5 * field->width), 0.5 * field->width);
    double y = fmin(fmax(at.y, -0.5 * field->depth), 0.5 * field->depth);
    try_nearest(search, height_triangle_at(field, x, y));
    vec3 reach = {search->least, search->least, search->least};
    surface_walk walk = surface_walk_box(search->s, vec3_sub(at, reach), vec3_add(at, reach));
    for (uint32_t triangle; surface_next(&walk, &triangle);)
        try_nearest(search, triangle);
}

static bool is_in_front(const nearest_search *search, vec3 away)
{
    const height_geometry *field = search->s->height;
    uint32_t over = field ? height_triangle_at(field, search->point.x, search->point.y) : MESH_NO_EDGE;
    if (over == MESH_NO_EDGE)
        return surface_is_front(search->s, search->triangle, search->features, away);
    vec3 p[3];
    height_corners(field, over, p);
    return vec3_dot(triangle_normal(p), vec3_sub(search->point, p[0])) >= 0;
}

bool surface_nearest(const surface *s, vec3 point, double limit, surface_place *place)
{
    nearest_search search = {.s = s, .point = point, .least = limit, .triangle = MESH_NO_EDGE};
    if (s->mesh) {
        bvh_search tree = bvh_search_near(&s->mesh->tree, point);
        for (uint32_t triangle; bvh_next_near(&tree, search.least, &triangle);)
            try_nearest(&search, triangle);
    } else {
        nearest_in_field(&search);
    }
    if (search.triangle == MESH_NO_EDGE)
        return false;
    vec3 p[3], away = vec3_sub(point, search.nearest);
    surface_corners(s, search.triangle, p);
    *place = (surface_place){is_in_front(&search, away) ? search.least : -search.least, search.nearest,
                             triangle_normal(p), search.triangle};
    return true;
}
