// The entry into a convex solid is the nearest point where the ray meets its boundary; each part of the boundary offers
// its points, and the nearest wins.
#include "view/raster/solid.h"

// A ray in the axes of the solid, from where it passes the centre, and the best entry so far.
typedef struct local_ray {
    vec3f start, along;
    float speed2; // |along|^2
    float depth;  // from the start
    vec3f normal; // of the surface there; any length
    float edge;
} local_ray;

scree_vec3 solid_half_extents(const picture_solid *solid)
{
    double radius = solid->size.x, half = solid->size.z;
    switch (solid->type) {
    case PICTURE_CAPSULE:
        return vec3_make(radius, radius, half + radius);
    case PICTURE_CYLINDER:
        return vec3_make(radius, radius, half);
    case PICTURE_CONE:
        return vec3_make(radius, radius, 1.5 * half);
    default: // radii, or those of the box that holds a polyhedron
        return solid->size;
    }
}

static vec3f local_at(const local_ray *ray, float depth)
{
    return vec3f_add_scaled(ray->start, ray->along, depth);
}

static void offer(local_ray *ray, float depth, vec3f normal, float edge)
{
    if (depth < ray->depth) {
        ray->depth = depth;
        ray->normal = normal;
        ray->edge = edge;
    }
}

// Both roots of a t^2 + 2 b t + c = 0 for b near 0, the lower first; false when there are none.
static bool solve(float a, float b, float c, float roots[2])
{
    float square = b * b - a * c;
    if (!(square >= 0) || fabsf(a) < 1e-20f)
        return false;
    float root = sqrtf(square) / fabsf(a);
    roots[0] = -b / a - root;
    roots[1] = -b / a + root;
    return true;
}

static void meet_ellipsoid(local_ray *ray, const float radii[3])
{
    const float inverse[3] = {1 / radii[0], 1 / radii[1], 1 / radii[2]};
    vec3f start = {ray->start.x * inverse[0], ray->start.y * inverse[1], ray->start.z * inverse[2]};
    vec3f along = {ray->along.x * inverse[0], ray->along.y * inverse[1], ray->along.z * inverse[2]};
    float speed2 = vec3f_dot(along, along), nearest = -vec3f_dot(start, along) / speed2;
    vec3f middle = vec3f_add_scaled(start, along, nearest);
    float inside = 1 - vec3f_dot(middle, middle);
    if (!(inside > 0))
        return;
    float depth = nearest - sqrtf(inside / speed2);
    vec3f at = vec3f_add_scaled(start, along, depth);
    offer(ray, depth, (vec3f){at.x * inverse[0], at.y * inverse[1], at.z * inverse[2]}, RASTER_NOTHING);
}

static void meet_ball(local_ray *ray, float radius, float z)
{
    vec3f start = {ray->start.x, ray->start.y, ray->start.z - z};
    float nearest = -vec3f_dot(start, ray->along) / ray->speed2;
    vec3f middle = vec3f_add_scaled(start, ray->along, nearest);
    float inside = radius * radius - vec3f_dot(middle, middle);
    if (!(inside > 0))
        return;
    float depth = nearest - sqrtf(inside / ray->speed2);
    offer(ray, depth, vec3f_add_scaled(start, ray->along, depth), RASTER_NOTHING);
}

// The side of a cylinder; its rims are edges where it has any.
static void meet_tube(local_ray *ray, float radius, float half, bool rims)
{
    const vec3f *s = &ray->start, *d = &ray->along;
    float roots[2];
    if (!solve(d->x * d->x + d->y * d->y, s->x * d->x + s->y * d->y, s->x * s->x + s->y * s->y - radius * radius,
               roots))
        return;
    vec3f at = local_at(ray, roots[0]);
    if (fabsf(at.z) <= half)
        offer(ray, roots[0], (vec3f){at.x, at.y, 0}, rims ? half - fabsf(at.z) : RASTER_NOTHING);
}

// A disc across the axis at height z that looks up or down.
static void meet_disc(local_ray *ray, float radius, float z, float up)
{
    if (ray->along.z * up > -1e-20f)
        return;
    float depth = (z - ray->start.z) / ray->along.z;
    vec3f at = local_at(ray, depth);
    float across2 = at.x * at.x + at.y * at.y;
    if (across2 <= radius * radius)
        offer(ray, depth, (vec3f){0, 0, up}, radius - sqrtf(across2));
}

// x^2 + y^2 = k^2 (top - z)^2 between the base and the apex.
static void meet_cone_side(local_ray *ray, float radius, float half)
{
    const vec3f *s = &ray->start, *d = &ray->along;
    float k = radius / (2 * half), k2 = k * k, top = 1.5f * half, below = top - s->z, roots[2];
    float a = d->x * d->x + d->y * d->y - k2 * d->z * d->z;
    float b = s->x * d->x + s->y * d->y + k2 * below * d->z;
    float c = s->x * s->x + s->y * s->y - k2 * below * below;
    if (!solve(a, b, c, roots))
        return;
    for (int i = 0; i < 2; i++) {
        vec3f at = local_at(ray, roots[i]);
        if (at.z >= -0.5f * half && at.z <= top)
            offer(ray, roots[i], (vec3f){at.x, at.y, k2 * (top - at.z)}, (at.z + 0.5f * half) * sqrtf(1 + k2));
    }
}

// Distance from a point of face `own` to the nearest of its sides: how far the other faces' planes are within its own.
static float face_edge(const raster_solid *solid, size_t own, vec3f at)
{
    float edge = RASTER_NOTHING;
    vec3f n = solid->faces[own].normal;
    for (size_t i = 0; i < solid->shape->face_count; i++) {
        const picture_face *face = &solid->faces[i];
        float cosine = vec3f_dot(face->normal, n), sine2 = 1 - cosine * cosine;
        if (i != own && sine2 > 1e-6f)
            edge = fminf(edge, (face->offset - vec3f_dot(face->normal, at)) / sqrtf(sine2));
    }
    return fmaxf(edge, 0);
}

static void meet_hull(local_ray *ray, const raster_solid *solid)
{
    float enter = -RASTER_NOTHING, leave = RASTER_NOTHING;
    size_t entered = 0;
    for (size_t i = 0; i < solid->shape->face_count; i++) {
        const picture_face *face = &solid->faces[i];
        float speed = vec3f_dot(face->normal, ray->along), room = face->offset - vec3f_dot(face->normal, ray->start);
        if (fabsf(speed) < 1e-20f) {
            if (room < 0)
                return;
            continue;
        }
        float depth = room / speed;
        if (speed > 0) {
            leave = fminf(leave, depth);
        } else if (depth > enter) {
            enter = depth;
            entered = i;
        }
    }
    if (enter < leave)
        offer(ray, enter, solid->faces[entered].normal, face_edge(solid, entered, local_at(ray, enter)));
}

static void meet_shape(local_ray *ray, const raster_solid *solid)
{
    float radius = solid->size[0], half = solid->size[2];
    switch (solid->shape->type) {
    case PICTURE_ELLIPSOID:
        meet_ellipsoid(ray, solid->size);
        break;
    case PICTURE_CAPSULE:
        meet_tube(ray, radius, half, false);
        meet_ball(ray, radius, half);
        meet_ball(ray, radius, -half);
        break;
    case PICTURE_CYLINDER:
        meet_tube(ray, radius, half, true);
        meet_disc(ray, radius, half, 1);
        meet_disc(ray, radius, -half, -1);
        break;
    case PICTURE_CONE:
        meet_cone_side(ray, radius, half);
        meet_disc(ray, radius, -0.5f * half, -1);
        break;
    case PICTURE_HULL:
        meet_hull(ray, solid);
        break;
    }
}

static vec3f into_axes(const raster_solid *solid, vec3f v)
{
    return (vec3f){vec3f_dot(solid->axes[0], v), vec3f_dot(solid->axes[1], v), vec3f_dot(solid->axes[2], v)};
}

bool solid_meet(const raster_solid *solid, const raster_ray *ray, solid_hit *hit)
{
    vec3f offset = vec3f_sub(ray->origin, solid->center);
    float speed2 = vec3f_dot(ray->direction, ray->direction);
    float nearest = -vec3f_dot(offset, ray->direction) / speed2;
    local_ray local = {.start = into_axes(solid, vec3f_add_scaled(offset, ray->direction, nearest)),
                       .along = into_axes(solid, ray->direction),
                       .speed2 = speed2,
                       .depth = RASTER_NOTHING};
    meet_shape(&local, solid);
    if (local.depth >= RASTER_NOTHING)
        return false;
    vec3f n = vec3f_normalize(local.normal), turned = vec3f_scale(solid->axes[0], n.x);
    turned = vec3f_add_scaled(vec3f_add_scaled(turned, solid->axes[1], n.y), solid->axes[2], n.z);
    *hit = (solid_hit){nearest + local.depth, turned, local.edge};
    return true;
}
