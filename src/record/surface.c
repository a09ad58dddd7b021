#include "record/surface.h"

#include <math.h>

#include "base/error.h"

enum { SPHERE_SECTORS = 16, SPHERE_RINGS = 8 };

typedef struct surface_pen { // adds the polygons of one body
    surface *to;
    scree_id id;
    float speed;
    bool good;
} surface_pen;

static void add_polygon(surface_pen *pen, const int32_t *corners, int count)
{
    surface *to = pen->to;
    for (int i = 0; i < count && pen->good; i++)
        pen->good = to->corners.count < INT32_MAX && array_push(&to->corners, corners[i]);
    pen->good = pen->good && array_push(&to->ends, (int32_t)to->corners.count) && array_push(&to->ids, pen->id) &&
                array_push(&to->speeds, pen->speed);
}

// Index of the new point.
static int32_t add_point(surface_pen *pen, vec3 point)
{
    pen->good = pen->good && pen->to->points.count < INT32_MAX && array_push(&pen->to->points, point);
    return (int32_t)pen->to->points.count - 1;
}

// Corner i has the sign of half edge k in bit k.
static void add_box(surface_pen *pen, vec3 centre, quat orientation, vec3 half)
{
    static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    int32_t first = 0;
    for (int i = 0; i < 8; i++) {
        vec3 corner = {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
        int32_t index = add_point(pen, vec3_add(centre, quat_rotate(orientation, corner)));
        first = i == 0 ? index : first;
    }
    for (int f = 0; f < 6; f++) {
        const int32_t corners[4] = {first + faces[f][0], first + faces[f][1], first + faces[f][2], first + faces[f][3]};
        add_polygon(pen, corners, 4);
    }
}

// Rings of quadrilaterals between two caps of triangles.
static void add_sphere(surface_pen *pen, vec3 centre, quat orientation, double radius)
{
    const double pi = 3.14159265358979323846;
    int32_t south = add_point(pen, vec3_add(centre, quat_rotate(orientation, vec3_make(0, 0, -radius))));
    int32_t north = add_point(pen, vec3_add(centre, quat_rotate(orientation, vec3_make(0, 0, radius))));
    for (int ring = 1; ring < SPHERE_RINGS; ring++) {
        double polar = pi * ring / SPHERE_RINGS, across = radius * sin(polar);
        for (int sector = 0; sector < SPHERE_SECTORS; sector++) {
            double angle = 2 * pi * sector / SPHERE_SECTORS;
            vec3 local = {across * cos(angle), across * sin(angle), -radius * cos(polar)};
            add_point(pen, vec3_add(centre, quat_rotate(orientation, local)));
        }
    }
    for (int sector = 0; sector < SPHERE_SECTORS; sector++) {
        int32_t here = north + 1 + sector, next = north + 1 + (sector + 1) % SPHERE_SECTORS;
        add_polygon(pen, (const int32_t[]){south, next, here}, 3);
        for (int ring = 1; ring < SPHERE_RINGS - 1; ring++, here += SPHERE_SECTORS, next += SPHERE_SECTORS)
            add_polygon(pen, (const int32_t[]){here, next, next + SPHERE_SECTORS, here + SPHERE_SECTORS}, 4);
        add_polygon(pen, (const int32_t[]){north, here, next}, 3);
    }
}

// The square is centred where the extent's centre falls on the plane.
static void add_plane(surface_pen *pen, vec3 point, vec3 normal, const surface_extent *extent)
{
    vec3 axis = fabs(normal.x) < 0.6 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
    vec3 u = vec3_normalize(vec3_cross(axis, normal)), v = vec3_cross(normal, u);
    double above = vec3_dot(vec3_sub(extent->centre, point), normal);
    vec3 centre = vec3_add_scaled(extent->centre, normal, -above);
    static const double signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    int32_t corners[4];
    for (int i = 0; i < 4; i++) {
        vec3 corner = vec3_add_scaled(centre, u, signs[i][0] * extent->radius);
        corners[i] = add_point(pen, vec3_add_scaled(corner, v, signs[i][1] * extent->radius));
    }
    add_polygon(pen, corners, 4);
}

static void add_shape(surface_pen *pen, const scree_shape_def *shape, const scree_pose *body,
                      const surface_extent *extent)
{
    quat orientation = quat_multiply(body->orientation, quat_normalize(shape->orientation));
    vec3 centre = vec3_add(body->position, quat_rotate(body->orientation, shape->position));
    switch (shape->type) {
    case SCREE_SPHERE:
        add_sphere(pen, centre, orientation, shape->radius);
        break;
    case SCREE_BOX:
        add_box(pen, centre, orientation, shape->half);
        break;
    case SCREE_PLANE: {
        vec3 normal = quat_rotate(orientation, vec3_normalize(shape->normal));
        add_plane(pen, vec3_add_scaled(centre, normal, shape->offset), normal, extent);
        break;
    }
    default:
        break;
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
    surface_pen pen = {to, id, (float)vec3_length(state.velocity), true};
    for (size_t i = 0; i < info.shape_count && pen.good; i++) {
        scree_shape_def shape;
        status = scree_world_get_shape(world, id, i, &shape, error);
        if (status != SCREE_OK)
            return status;
        add_shape(&pen, &shape, &body, extent);
    }
    return pen.good ? SCREE_OK : fail_no_memory(error);
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
        extent->centre = vec3_scale(vec3_add(low, high), 0.5);
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
