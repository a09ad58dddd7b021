// The sphere: radius about its centre.
#include "base/error.h"
#include "geometry/kind.h"

static scree_status sphere_validate(const scree_shape_def *shape, const char *where, scree_error *error)
{
    return shape_check_size(shape->radius, "radius of a sphere", where, error);
}

static solid_properties sphere_solid(const scree_shape_def *shape)
{
    double square = shape->radius * shape->radius, moment = 0.4 * square;
    return solid_make(4.0 / 3.0 * PI * shape->radius * square, vec3_make(moment, moment, moment));
}

static double sphere_reach(const scree_shape_def *shape, vec3 from)
{
    return vec3_length(from) + shape->radius;
}

static vec3 sphere_half_extents(const proxy_view *view, const proxy *p, quat orientation)
{
    (void)view, (void)orientation;
    double radius = (double)p->size[0];
    return vec3_make(radius, radius, radius);
}

const shape_kind sphere_kind = {
    .validate = sphere_validate,
    .solid = sphere_solid,
    .reach = sphere_reach,
    .half_extents = sphere_half_extents,
};
