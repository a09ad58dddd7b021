// The sphere: radius about its centre.
#include "base/error.h"
#include "geometry/kind.h"

static scree_status sphere_validate(const scree_shape_def *shape, const char *where, scree_error *error)
{
    if (!shape_size_valid(shape->radius))
        return fail(error, SCREE_INVALID, "%s: the radius of a sphere must be from 1e-15 to 1e15, not %g", where,
                    shape->radius);
    return SCREE_OK;
}

static double sphere_volume(const scree_shape_def *shape)
{
    return 4.0 / 3.0 * 3.14159265358979323846 * shape->radius * shape->radius * shape->radius;
}

static vec3 sphere_moments(const scree_shape_def *shape)
{
    double moment = 0.4 * shape->radius * shape->radius;
    return vec3_make(moment, moment, moment);
}

static double sphere_reach(const scree_shape_def *shape, vec3 from)
{
    return vec3_length(from) + shape->radius;
}

static vec3 sphere_half_extents(const proxy *p, quat orientation)
{
    (void)orientation;
    double radius = (double)p->size[0];
    return vec3_make(radius, radius, radius);
}

const shape_kind sphere_kind = {
    .validate = sphere_validate,
    .volume = sphere_volume,
    .moments = sphere_moments,
    .reach = sphere_reach,
    .half_extents = sphere_half_extents,
};
