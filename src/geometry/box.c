// The box: half edge lengths along its own axes.
#include "base/error.h"
#include "geometry/kind.h"

static scree_status box_validate(const scree_shape_def *shape, const char *where, scree_error *error)
{
    for (int axis = 0; axis < 3; axis++)
        if (!shape_size_valid(vec3_get(shape->half, axis)))
            return fail(error, SCREE_ERROR_INVALID, "%s: half edge %d of a box must be from 1e-15 to 1e15, not %g",
                        where, axis, vec3_get(shape->half, axis));
    return SCREE_OK;
}

static solid_properties box_solid(const scree_shape_def *shape)
{
    vec3 square = vec3_multiply(shape->half, shape->half);
    vec3 moments = vec3_scale(vec3_make(square.y + square.z, square.z + square.x, square.x + square.y), 1.0 / 3.0);
    return solid_make(8 * shape->half.x * shape->half.y * shape->half.z, moments);
}

static double box_reach(const scree_shape_def *shape, vec3 from)
{
    // The farthest corner lies opposite to the point on every axis.
    return vec3_length(vec3_add(shape->half, vec3_make(fabs(from.x), fabs(from.y), fabs(from.z))));
}

vec3 turned_half_extents(quat orientation, vec3 half)
{
    mat3 axes = mat3_from_quat(orientation);
    double extent[3];
    for (int i = 0; i < 3; i++)
        extent[i] = fabs(axes.m[i][0]) * half.x + fabs(axes.m[i][1]) * half.y + fabs(axes.m[i][2]) * half.z;
    return vec3_make(extent[0], extent[1], extent[2]);
}

static vec3 box_half_extents(const proxy_view *view, const proxy *p, quat orientation)
{
    (void)view;
    return turned_half_extents(orientation, vec3_make((double)p->size[0], (double)p->size[1], (double)p->size[2]));
}

const shape_kind box_kind = {
    .validate = box_validate,
    .solid = box_solid,
    .reach = box_reach,
    .half_extents = box_half_extents,
};
