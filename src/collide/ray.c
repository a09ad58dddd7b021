// Each shape in its own frame. Convex shapes are the intersection of parts with straight or quadratic surfaces: the ray
// is inside a part over an interval, and inside the shape over the intersection of these.
#include "collide/ray.h"

#include "collide/triangle/triangle.h"
#include "geometry/hull.h"

// The part of a ray that is inside something, and the outward normals where it enters.
typedef struct inside {
    double enter, leave;
    vec3 normal; // not yet unit
} inside;

static inside everywhere(void)
{
    return (inside){-HUGE_VAL, HUGE_VAL, {0, 0, 0}};
}

static void miss(inside *part)
{
    part->enter = HUGE_VAL;
    part->leave = -HUGE_VAL;
}

// Keeps what is behind the plane normal . x = offset.
static void cut_plane(inside *part, const ray *r, vec3 normal, double offset)
{
    double above = vec3_dot(normal, r->origin) - offset, speed = vec3_dot(normal, r->direction);
    if (speed == 0) {
        if (above > 0)
            miss(part);
        return;
    }
    double t = -above / speed;
    if (speed > 0) {
        part->leave = fmin(part->leave, t);
    } else if (t > part->enter) {
        part->enter = t;
        part->normal = normal;
    }
}

static void cut_slab(inside *part, const ray *r, vec3 axis, double low, double high)
{
    cut_plane(part, r, axis, high);
    cut_plane(part, r, vec3_negate(axis), -low);
}

// Keeps a t^2 + 2 b t + c <= 0 where that is an interval, a > 0. True when the ray enters there.
static bool cut_quadratic(inside *part, double a, double b, double c)
{
    double root = b * b - a * c;
    if (root < 0) {
        miss(part);
        return false;
    }
    root = sqrt(root);
    // The larger sum in magnitude first, so that nothing cancels.
    double larger = -b - copysign(root, b), first = larger / a, second = larger != 0 ? c / larger : 0;
    double low = fmin(first, second), high = fmax(first, second);
    part->leave = fmin(part->leave, high);
    if (low <= part->enter)
        return false;
    part->enter = low;
    return true;
}

static vec3 point_at(const ray *r, double t)
{
    return vec3_add_scaled(r->origin, r->direction, t);
}

// --------------------------------------------------------------------------------------------------- shapes in turn

static void meet_ellipsoid(const ray *r, vec3 radii, inside *part)
{
    vec3 inverse = vec3_make(1 / radii.x, 1 / radii.y, 1 / radii.z);
    vec3 o = vec3_multiply(r->origin, inverse), d = vec3_multiply(r->direction, inverse);
    if (cut_quadratic(part, vec3_dot(d, d), vec3_dot(o, d), vec3_dot(o, o) - 1))
        part->normal = vec3_multiply(vec3_add_scaled(o, d, part->enter), inverse);
}

static void meet_ball(const ray *r, vec3 center, double radius, inside *part)
{
    vec3 o = vec3_sub(r->origin, center);
    if (cut_quadratic(part, vec3_dot(r->direction, r->direction), vec3_dot(o, r->direction),
                      vec3_dot(o, o) - radius * radius))
        part->normal = vec3_add_scaled(o, r->direction, part->enter);
}

static void meet_tube(const ray *r, double radius, inside *part)
{
    vec3 o = {r->origin.x, r->origin.y, 0}, d = {r->direction.x, r->direction.y, 0};
    double a = vec3_dot(d, d), c = vec3_dot(o, o) - radius * radius;
    if (a == 0) {
        if (c > 0)
            miss(part);
        return;
    }
    if (cut_quadratic(part, a, vec3_dot(o, d), c))
        part->normal = vec3_add_scaled(o, d, part->enter);
}

static void meet_cylinder(const ray *r, double radius, double half, inside *part)
{
    cut_slab(part, r, vec3_make(0, 0, 1), -half, half);
    meet_tube(r, radius, part);
}

// The union of a cylinder and two balls is convex: the ray is inside from the first entrance to the last exit.
static void meet_capsule(const ray *r, double radius, double half, inside *part)
{
    inside parts[3] = {everywhere(), everywhere(), everywhere()};
    meet_cylinder(r, radius, half, &parts[0]);
    meet_ball(r, vec3_make(0, 0, half), radius, &parts[1]);
    meet_ball(r, vec3_make(0, 0, -half), radius, &parts[2]);
    *part = (inside){HUGE_VAL, -HUGE_VAL, {0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        if (parts[i].enter > parts[i].leave)
            continue;
        part->leave = fmax(part->leave, parts[i].leave);
        if (parts[i].enter < part->enter) {
            part->enter = parts[i].enter;
            part->normal = parts[i].normal;
        }
    }
}

// x^2 + y^2 <= slope^2 (apex - z)^2 is a double cone: an interval, or two rays, of which the slab keeps the lower one.
static void meet_cone(const ray *r, double radius, double half, inside *part)
{
    double apex = 1.5 * half, slope = radius / (2 * half);
    vec3 o = {r->origin.x, r->origin.y, slope * (apex - r->origin.z)};
    vec3 d = {r->direction.x, r->direction.y, -slope * r->direction.z};
    double a = d.x * d.x + d.y * d.y - d.z * d.z, b = o.x * d.x + o.y * d.y - o.z * d.z;
    double c = o.x * o.x + o.y * o.y - o.z * o.z;
    cut_slab(part, r, vec3_make(0, 0, 1), -0.5 * half, apex);
    double root = b * b - a * c, t[2] = {HUGE_VAL, -HUGE_VAL};
    if (a > 0) {
        if (root < 0) {
            miss(part);
            return;
        }
        t[0] = (-b - sqrt(root)) / a;
        t[1] = (-b + sqrt(root)) / a;
    } else if (a < 0) { // steeper than the side: below the apex on one side of the two roots only
        double low = (-b + sqrt(fmax(root, 0))) / a, high = (-b - sqrt(fmax(root, 0))) / a;
        t[0] = d.z > 0 ? high : -HUGE_VAL;
        t[1] = d.z > 0 ? HUGE_VAL : low;
    } else if (b != 0) { // along the side
        double only = -c / (2 * b);
        t[0] = b < 0 ? only : -HUGE_VAL;
        t[1] = b < 0 ? HUGE_VAL : only;
    }
    part->leave = fmin(part->leave, t[1]);
    if (t[0] > part->enter) {
        part->enter = t[0];
        vec3 p = point_at(r, t[0]);
        part->normal = vec3_make(p.x, p.y, slope * slope * (apex - p.z));
    }
}

static void meet_hull(const ray *r, const hull_geometry *hull, inside *part)
{
    for (size_t face = 0; face < hull->face_count; face++)
        cut_plane(part, r, hull->normals[face], hull->offsets[face]);
}

static bool meet_solid(const proxy_view *view, const proxy *p, const ray *r, inside *part)
{
    vec3 size = {(double)p->size[0], (double)p->size[1], (double)p->size[2]};
    *part = everywhere();
    switch ((scree_shape_type)p->type) {
    case SCREE_SHAPE_SPHERE:
        meet_ball(r, vec3_make(0, 0, 0), size.x, part);
        break;
    case SCREE_SHAPE_ELLIPSOID:
        meet_ellipsoid(r, size, part);
        break;
    case SCREE_SHAPE_BOX:
        cut_slab(part, r, vec3_make(1, 0, 0), -size.x, size.x);
        cut_slab(part, r, vec3_make(0, 1, 0), -size.y, size.y);
        cut_slab(part, r, vec3_make(0, 0, 1), -size.z, size.z);
        break;
    case SCREE_SHAPE_CAPSULE:
        meet_capsule(r, size.x, size.y, part);
        break;
    case SCREE_SHAPE_CYLINDER:
        meet_cylinder(r, size.x, size.y, part);
        break;
    case SCREE_SHAPE_CONE:
        meet_cone(r, size.x, size.y, part);
        break;
    case SCREE_SHAPE_HULL:
        meet_hull(r, view->geometries[p->geometry]->hull, part);
        break;
    case SCREE_SHAPE_PLANE:
        cut_plane(part, r, view->planes[p->geometry].normal, view->planes[p->geometry].offset);
        break;
    default:
        return false;
    }
    return part->enter <= part->leave && part->leave >= 0;
}

// A surface is met from either side; its normal then points to where the ray comes from.
static bool meet_surface(const scree_geometry *geometry, const ray *r, inside *part)
{
    surface s = surface_of(geometry);
    surface_hit hit;
    if (!surface_ray(&s, r->origin, r->direction, HUGE_VAL, &hit))
        return false;
    vec3 normal = vec3_dot(hit.normal, r->direction) > 0 ? vec3_negate(hit.normal) : hit.normal;
    *part = (inside){hit.t, hit.t, normal};
    return true;
}

bool ray_meets_proxy(const proxy_view *view, const proxy *p, const ray *r, double limit, ray_hit *hit)
{
    quat axes = proxy_orientation(view, p);
    vec3 away = vec3_sub(r->origin, proxy_center(view, p));
    ray local = {quat_rotate_back(axes, away), quat_rotate_back(axes, r->direction)};
    inside part;
    bool is_surface = p->type == SCREE_SHAPE_MESH || p->type == SCREE_SHAPE_HEIGHTFIELD;
    bool met =
        is_surface ? meet_surface(view->geometries[p->geometry], &local, &part) : meet_solid(view, p, &local, &part);
    if (!met || part.enter > limit)
        return false;
    if (part.enter <= 0) {
        *hit = (ray_hit){0, vec3_negate(r->direction)};
        return true;
    }
    *hit = (ray_hit){part.enter, quat_rotate(axes, vec3_normalize(part.normal))};
    return true;
}
