#include "record/frames/surface.h"

#include <math.h>

#include "base/error.h"
#include "geometry/surface.h"

// Spheres and other round shapes are cut into this many sectors, fewer where a body has many of them.
enum { SECTORS = 16, FEW_SECTORS = 8, MANY_SHAPES = 8 };

typedef struct surface_pen { // adds the polygons of one body
    surface *to;
    shape_surface scratch; // of one shape, in its own frame
    uint32_t sectors;
    scree_id id;
    float speed;
    bool good;
} surface_pen;

static void add_polygon(surface_pen *pen, const uint32_t *corners, size_t count, size_t first)
{
    surface *to = pen->to;
    for (size_t i = 0; i < count && pen->good; i++)
        pen->good = to->corners.count < INT32_MAX && array_push(&to->corners, (int32_t)(first + corners[i]));
    pen->good = pen->good && array_push(&to->ends, (int32_t)to->corners.count) && array_push(&to->ids, pen->id) &&
                array_push(&to->speeds, pen->speed);
}

static void add_point(surface_pen *pen, vec3 point)
{
    pen->good = pen->good && pen->to->points.count < INT32_MAX && array_push(&pen->to->points, point);
}

// A bounded shape with its origin at `center`.
static void add_bounded(surface_pen *pen, const scree_shape_def *shape, vec3 center, quat orientation)
{
    shape_surface *own = &pen->scratch;
    own->points.count = own->corners.count = own->ends.count = 0;
    pen->good = shape_surface_add(own, shape, pen->sectors);
    size_t first = pen->to->points.count, from = 0;
    for (size_t i = 0; i < own->points.count && pen->good; i++)
        add_point(pen, vec3_add(center, quat_rotate(orientation, own->points.data[i])));
    for (size_t i = 0; i < own->ends.count && pen->good; from = own->ends.data[i++])
        add_polygon(pen, own->corners.data + from, own->ends.data[i] - from, first);
}

// The square is centred where the extent's centre falls on the plane.
static void add_plane(surface_pen *pen, vec3 point, vec3 normal, const surface_extent *extent)
{
    vec3 axis = fabs(normal.x) < 0.6 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
    vec3 u = vec3_normalize(vec3_cross(axis, normal)), v = vec3_cross(normal, u);
    double above = vec3_dot(vec3_sub(extent->center, point), normal);
    vec3 center = vec3_add_scaled(extent->center, normal, -above);
    static const double signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    size_t first = pen->to->points.count;
    for (int i = 0; i < 4; i++) {
        vec3 corner = vec3_add_scaled(center, u, signs[i][0] * extent->radius);
        add_point(pen, vec3_add_scaled(corner, v, signs[i][1] * extent->radius));
    }
    add_polygon(pen, (const uint32_t[]){0, 1, 2, 3}, 4, first);
}

static void add_shape(surface_pen *pen, const scree_shape_def *shape, const scree_pose *body,
                      const surface_extent *extent)
{
    quat orientation = quat_multiply(body->orientation, quat_normalize(shape->orientation));
    vec3 center = vec3_add(body->position, quat_rotate(body->orientation, shape->position));
    if (shape->type == SCREE_SHAPE_PLANE) {
        vec3 normal = quat_rotate(orientation, vec3_normalize(shape->normal));
        add_plane(pen, vec3_add_scaled(center, normal, shape->offset), normal, extent);
    } else {
        add_bounded(pen, shape, center, orientation);
    }
}

scree_status surface_add_body(surface *to, const scree_world *world, scree_id id, const surface_extent *extent,
                              scree_error *error)
{
    scree_body_info info;
    scree_state state;
    scree_status status = scree_world_get_body(world, id, &info, error);
    if (status == SCREE_OK)
        status = scree_world_get_states(world, &id, 1, &state, error);
    if (status != SCREE_OK)
        return status;
    const scree_pose body = {info.frame, state.orientation};
    surface_pen pen = {.to = to,
                       .sectors = info.shape_count > MANY_SHAPES ? FEW_SECTORS : SECTORS,
                       .id = id,
                       .speed = (float)vec3_length(state.velocity),
                       .good = true};
    for (size_t i = 0; i < info.shape_count && pen.good && status == SCREE_OK; i++) {
        scree_shape_def shape;
        status = scree_world_get_shape(world, id, i, &shape, error);
        if (status == SCREE_OK)
            add_shape(&pen, &shape, &body, extent);
    }
    shape_surface_free(&pen.scratch);
    return status == SCREE_OK && !pen.good ? fail_no_memory(error) : status;
}

scree_status surface_find_extent(const scree_world *world, const scree_id *ids, size_t count, surface_extent *extent,
                                 scree_error *error)
{
    vec3 low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = vec3_negate(low);
    for (size_t i = 0; i < count; i++) {
        scree_body_info info;
        scree_state state;
        scree_status status = scree_world_get_body(world, ids[i], &info, error);
        if (status == SCREE_OK)
            status = scree_world_get_states(world, &ids[i], 1, &state, error);
        if (status != SCREE_OK)
            return status;
        double r = info.bounding_radius;
        vec3 at = state.position;
        if (!isfinite(r))
            continue;
        low = vec3_make(fmin(low.x, at.x - r), fmin(low.y, at.y - r), fmin(low.z, at.z - r));
        high = vec3_make(fmax(high.x, at.x + r), fmax(high.y, at.y + r), fmax(high.z, at.z + r));
    }
    *extent = (surface_extent){vec3_make(0, 0, 0), 1};
    if (low.x <= high.x) {
        extent->center = vec3_scale(vec3_add(low, high), 0.5);
        extent->radius = 0.5 * vec3_length(vec3_sub(high, low));
    }
    return SCREE_OK;
}

void surface_free(surface *from)
{
    array_free(&from->points);
    array_free(&from->corners);
    array_free(&from->ends);
    array_free(&from->ids);
    array_free(&from->speeds);
}
