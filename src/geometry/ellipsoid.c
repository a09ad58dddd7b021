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

// Distance to the farthest point x from -from. There x + from = lambda R^-2 x, with lambda no less than the largest
// squared radius r_m^2; so x_i = r_i^2 from_i / (mu + r_m^2 - r_i^2) with mu = lambda - r_m^2 >= 0. |R^-1 x| falls with
// mu and is 1 at the solution, at most at mu = |R from|: bisection finds it. Where the longest axis has no part in
// `from` it may be below 1 even at mu = 0; the rest then goes along that axis, to either side.
static double ellipsoid_reach(const scree_shape_def *shape, vec3 from)
{
    const double radii[3] = {shape->radii.x, shape->radii.y, shape->radii.z}, away[3] = {from.x, from.y, from.z};
    int longest = radii[0] >= radii[1] && radii[0] >= radii[2] ? 0 : radii[1] >= radii[2] ? 1 : 2;
    double low = 0, high = vec3_length(vec3_multiply(shape->radii, from)), at[3], left = 1;
    for (int step = 0; step < 200 && high > low; step++) {
        double mu = 0.5 * (low + high), sum = 0;
        if (mu <= low || mu >= high)
            break;
        for (int i = 0; i < 3; i++) {
            double part = radii[i] * away[i] / (mu + (radii[longest] - radii[i]) * (radii[longest] + radii[i]));
            sum += part * part;
        }
        *(sum > 1 ? &low : &high) = mu;
    }
    for (int i = 0; i < 3; i++) {
        double below = high + (radii[longest] - radii[i]) * (radii[longest] + radii[i]);
        at[i] = below > 0 ? radii[i] * radii[i] * away[i] / below : 0;
        left -= at[i] * at[i] / (radii[i] * radii[i]);
    }
    at[longest] =
        copysign(sqrt(at[longest] * at[longest] + fmax(left, 0) * radii[longest] * radii[longest]), away[longest]);
    return vec3_length(vec3_make(at[0] + away[0], at[1] + away[1], at[2] + away[2]));
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
