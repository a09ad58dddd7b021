// The ellipsoid: three semi-axes along its own axes.
#include "base/error.h"
#include "geometry/kind.h"

static scree_status ellipsoid_validate(const scree_shape_def *shape, const char *where, scree_error *error)
{
    for (int axis = 0; axis < 3; axis++) {
        scree_status status = shape_check_size(vec3_get(shape->radii, axis), "radii of an ellipsoid", where, error);
        if (status)
            return status;
    }
    return SCREE_OK;
}

static solid_properties ellipsoid_solid(const scree_shape_def *shape)
{
    vec3 radii = shape->radii, square = vec3_multiply(radii, radii);
    vec3 moments = vec3_scale(vec3_make(square.y + square.z, square.z + square.x, square.x + square.y), 0.2);
    return solid_make(4.0 / 3.0 * PI * radii.x * radii.y * radii.z, moments);
}

// The farthest point x from -from satisfies x + from = lambda R^-2 x with lambda at least the largest squared radius;
// the constraint |R^-1 x| = 1 then falls with lambda, so bisection finds it.
static double ellipsoid_reach(const scree_shape_def *shape, vec3 from)
{
    vec3 radii = shape->radii, square = vec3_multiply(radii, radii);
    double low = vec3_max(square), high = low + vec3_max(radii) * vec3_length(from) * 1.001;
    for (int i = 0; i < 100 && high > low; i++) {
        double lambda = 0.5 * (low + high), sum = 0;
        for (int axis = 0; axis < 3; axis++) {
            double away = lambda - vec3_get(square, axis);
            double part = vec3_get(radii, axis) * vec3_get(from, axis) / (away > 0 ? away : 1e-300);
            sum += part * part;
        }
        *(sum > 1 ? &low : &high) = lambda;
    }
    double reach = 0;
    // Where the largest axis has no part in `from`, its own point may be free: lambda is then that axis's square.
    vec3 point = {0, 0, 0};
    double left = 1;
    for (int axis = 0; axis < 3; axis++) {
        double away = high - vec3_get(square, axis), coordinate = 0;
        if (away > 1e-12 * high)
            coordinate = vec3_get(square, axis) * vec3_get(from, axis) / away;
        left -= coordinate * coordinate / vec3_get(square, axis);
        point = vec3_add(point, vec3_scale(vec3_make(axis == 0, axis == 1, axis == 2), coordinate));
    }
    vec3 farthest = vec3_add(point, from);
    reach = vec3_dot(farthest, farthest) + (left > 0 ? left * vec3_max(square) : 0);
    return sqrt(reach);
}

// Equation (12) of Pazouki, Mazhar and Negrut: the roots of the diagonal of M = A R^2 A^T.
static vec3 ellipsoid_half_extents(const proxy_view *view, const proxy *p, quat orientation)
{
    (void)view;
    mat3 axes = mat3_from_quat(orientation);
    double extent[3];
    for (int i = 0; i < 3; i++)
        extent[i] = vec3_length(vec3_make(axes.m[i][0] * (double)p->size[0], axes.m[i][1] * (double)p->size[1],
                                          axes.m[i][2] * (double)p->size[2]));
    return vec3_make(extent[0], extent[1], extent[2]);
}

const shape_kind ellipsoid_kind = {
    .validate = ellipsoid_validate,
    .solid = ellipsoid_solid,
    .reach = ellipsoid_reach,
    .half_extents = ellipsoid_half_extents,
};
