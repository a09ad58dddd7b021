// Shapes round about their z axis: capsule, cylinder and cone, of a radius and a half length each.
#include "base/error.h"
#include "geometry/kind.h"

static scree_status round_validate(const scree_shape_def *shape, const char *where, scree_error *error)
{
    scree_status status = shape_check_size(shape->radius, "radius", where, error);
    return status ? status : shape_check_size(shape->half_length, "half length", where, error);
}

// Half extents of a disc of the radius about the origin whose axis is the z axis turned by `orientation`; `axis` is
// that.
static vec3 disc_half_extents(quat orientation, double radius, vec3 *axis)
{
    mat3 axes = mat3_from_quat(orientation);
    *axis = mat3_column(&axes, 2);
    double extent[3];
    for (int i = 0; i < 3; i++)
        extent[i] = radius * sqrt(axes.m[i][0] * axes.m[i][0] + axes.m[i][1] * axes.m[i][1]);
    return vec3_make(extent[0], extent[1], extent[2]);
}

// ----------------------------------------------------------------------------------------------------------- capsule

static solid_properties capsule_solid(const scree_shape_def *shape)
{
    double r = shape->radius, h = shape->half_length;
    double tube = PI * r * r * 2 * h, caps = 4.0 / 3.0 * PI * r * r * r, volume = tube + caps;
    double along = (0.5 * tube + 0.4 * caps) * r * r;
    // A cap's centroid is 3/8 r above its base.
    double across = tube * (0.25 * r * r + h * h / 3) + caps * (0.4 * r * r + h * h + 0.75 * h * r);
    return solid_make(volume, vec3_make(across / volume, across / volume, along / volume));
}

static double capsule_reach(const scree_shape_def *shape, vec3 from)
{
    return vec3_length(vec3_make(from.x, from.y, fabs(from.z) + shape->half_length)) + shape->radius;
}

static vec3 capsule_half_extents(const proxy_view *view, const proxy *p, quat orientation)
{
    (void)view;
    double radius = (double)p->size[0], half = (double)p->size[1];
    vec3 axis = quat_rotate(orientation, vec3_make(0, 0, half));
    return vec3_make(fabs(axis.x) + radius, fabs(axis.y) + radius, fabs(axis.z) + radius);
}

const shape_kind capsule_kind = {
    .validate = round_validate,
    .solid = capsule_solid,
    .reach = capsule_reach,
    .half_extents = capsule_half_extents,
};

// ---------------------------------------------------------------------------------------------------------- cylinder

static solid_properties cylinder_solid(const scree_shape_def *shape)
{
    double r = shape->radius, h = shape->half_length, across = 0.25 * r * r + h * h / 3;
    return solid_make(2 * PI * r * r * h, vec3_make(across, across, 0.5 * r * r));
}

static double cylinder_reach(const scree_shape_def *shape, vec3 from)
{
    return hypotenuse(hypotenuse(from.x, from.y) + shape->radius, fabs(from.z) + shape->half_length);
}

static vec3 cylinder_half_extents(const proxy_view *view, const proxy *p, quat orientation)
{
    (void)view;
    vec3 axis, disc = disc_half_extents(orientation, (double)p->size[0], &axis);
    double half = (double)p->size[1];
    return vec3_make(fabs(axis.x) * half + disc.x, fabs(axis.y) * half + disc.y, fabs(axis.z) * half + disc.z);
}

const shape_kind cylinder_kind = {
    .validate = round_validate,
    .solid = cylinder_solid,
    .reach = cylinder_reach,
    .half_extents = cylinder_half_extents,
};

// -------------------------------------------------------------------------------------------------------------- cone

// The centroid is a quarter of the height above the base.
static solid_properties cone_solid(const scree_shape_def *shape)
{
    double r = shape->radius, height = 2 * shape->half_length;
    double across = 3.0 / 80.0 * (4 * r * r + height * height);
    return solid_make(PI * r * r * height / 3, vec3_make(across, across, 0.3 * r * r));
}

static double cone_reach(const scree_shape_def *shape, vec3 from)
{
    double apex = vec3_length(vec3_make(from.x, from.y, from.z + 1.5 * shape->half_length));
    double base = hypotenuse(hypotenuse(from.x, from.y) + shape->radius, from.z - 0.5 * shape->half_length);
    return fmax(apex, base);
}

static vec3 cone_half_extents(const proxy_view *view, const proxy *p, quat orientation)
{
    (void)view;
    vec3 axis, disc = disc_half_extents(orientation, (double)p->size[0], &axis);
    double half = (double)p->size[1], extent[3];
    for (int i = 0; i < 3; i++)
        extent[i] =
            fmax(1.5 * half * fabs(vec3_get(axis, i)), 0.5 * half * fabs(vec3_get(axis, i)) + vec3_get(disc, i));
    return vec3_make(extent[0], extent[1], extent[2]);
}

const shape_kind cone_kind = {
    .validate = round_validate,
    .solid = cone_solid,
    .reach = cone_reach,
    .half_extents = cone_half_extents,
};
