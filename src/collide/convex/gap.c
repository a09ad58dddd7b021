// Signed distance between two shapes of the public interface: what a builder asks before it places a body.
//
// Bounded convex shapes go through the general algorithms of convex.h, with sizes in double and without a world; a
// sphere set is as near as the nearest of its spheres.
#include "base/error.h"
#include "collide/triangle/triangle_contacts.h"
#include "geometry/geometry.h"
#include "geometry/shape.h"
#include "geometry/sphere_set.h"

// A shape and where it stands.
typedef struct placed_shape {
    const scree_shape_def *def;
    vec3 center; // of the internal frame, from a point near both shapes
    quat axes;
} placed_shape;

// ------------------------------------------------------------------------------------------------------------- pairs

static convex convex_of_shape(const placed_shape *shape)
{
    const scree_shape_def *def = shape->def;
    convex c = {.center = shape->center, .axes = mat3_from_quat(shape->axes)};
    switch (def->type) {
    case SCREE_SHAPE_BOX:
    case SCREE_SHAPE_ELLIPSOID:
        c.kind = def->type == SCREE_SHAPE_BOX ? CONVEX_BOX : CONVEX_ELLIPSOID;
        c.size = def->type == SCREE_SHAPE_BOX ? def->half : def->radii;
        break;
    case SCREE_SHAPE_CAPSULE:
        c.kind = CONVEX_SEGMENT;
        c.radius = def->radius;
        c.size.z = def->half_length;
        break;
    case SCREE_SHAPE_CYLINDER:
    case SCREE_SHAPE_CONE:
        c.kind = def->type == SCREE_SHAPE_CYLINDER ? CONVEX_CYLINDER : CONVEX_CONE;
        c.size = vec3_make(def->radius, 0, def->half_length);
        break;
    case SCREE_SHAPE_HULL:
        c.kind = CONVEX_HULL;
        c.hull = def->geometry->hull;
        break;
    default:
        c.kind = CONVEX_POINT;
        c.radius = def->radius;
    }
    return c;
}

typedef double gap_function(const placed_shape *a, const placed_shape *b);

static double gap_convex_convex(const placed_shape *a, const placed_shape *b)
{
    convex of_a = convex_of_shape(a), of_b = convex_of_shape(b);
    convex_distance distance;
    convex_find_distance(&of_a, &of_b, (double)INFINITY, &distance);
    return distance.gap;
}

static double gap_convex_plane(const placed_shape *a, const placed_shape *b)
{
    convex shape = convex_of_shape(a);
    vec3 outward = quat_rotate(b->axes, vec3_normalize(b->def->normal));
    vec3 lowest = convex_support(&shape, vec3_negate(outward));
    return vec3_dot(outward, vec3_sub(lowest, b->center)) - b->def->offset - shape.radius;
}

static double gap_convex_surface(const placed_shape *a, const placed_shape *b)
{
    convex shape = convex_of_shape(a);
    mat3 axes = mat3_from_quat(b->axes);
    surface s = surface_of(b->def->geometry);
    shape = convex_turned(&shape, &axes);
    return convex_surface_gap(&s, mat3_apply_transposed(&axes, vec3_sub(a->center, b->center)), &shape);
}

static double gap_plane_plane(const placed_shape *a, const placed_shape *b)
{
    (void)a, (void)b;
    return (double)-INFINITY;
}

// Which function serves two types other than sphere sets, the smaller first; NULL: none.
static gap_function *gap_function_of(scree_shape_type a, scree_shape_type b)
{
    if (b <= SCREE_SHAPE_HULL)
        return gap_convex_convex;
    if (b == SCREE_SHAPE_PLANE)
        return a == SCREE_SHAPE_PLANE ? gap_plane_plane : gap_convex_plane;
    return a <= SCREE_SHAPE_HULL ? gap_convex_surface : NULL;
}

// ------------------------------------------------------------------------------------------------------- sphere sets

static placed_shape place_ball(const placed_shape *set, size_t index, scree_shape_def *def)
{
    const scree_ball *ball = &set->def->geometry->spheres->balls[index];
    *def = scree_default_shape_def();
    def->radius = ball->radius;
    return (placed_shape){def, vec3_add(set->center, quat_rotate(set->axes, ball->position)), set->axes};
}

// Smallest gap over the parts of two shapes; false for a pair of types without a function.
static bool find_gap(const placed_shape *a, const placed_shape *b, double *gap)
{
    if (a->def->type == SCREE_SHAPE_SPHERES || b->def->type == SCREE_SHAPE_SPHERES) {
        const placed_shape *set = a->def->type == SCREE_SHAPE_SPHERES ? a : b, *other = set == a ? b : a;
        *gap = (double)INFINITY;
        for (size_t i = 0; i < set->def->geometry->spheres->count; i++) {
            scree_shape_def def;
            placed_shape ball = place_ball(set, i, &def);
            double of_ball;
            if (!find_gap(&ball, other, &of_ball))
                return false;
            *gap = fmin(*gap, of_ball);
        }
        return true;
    }
    if (a->def->type > b->def->type)
        return find_gap(b, a, gap);
    gap_function *function = gap_function_of(a->def->type, b->def->type);
    if (function)
        *gap = function(a, b);
    return function != NULL;
}

// ------------------------------------------------------------------------------------------------- public interface

static scree_status pose_validate(const scree_pose *pose, const char *where, scree_error *error)
{
    if (!vec3_finite(pose->position))
        return fail(error, SCREE_ERROR_INVALID, "%s: the position must be finite", where);
    double length = quat_length(pose->orientation);
    if (!(length > 1e-100 && length < 1e100))
        return fail(error, SCREE_ERROR_INVALID, "%s: the orientation must be finite and not zero", where);
    return SCREE_OK;
}

// With its centre taken from `origin`: differences of positions are taken before anything is added to them.
static placed_shape place_shape(const scree_shape_def *def, const scree_pose *pose, vec3 origin)
{
    quat body = quat_normalize(pose->orientation);
    placed_shape shape = {.def = def, .axes = quat_multiply(body, quat_normalize(def->orientation))};
    vec3 arm = quat_rotate(body, def->position);
    if (def->type >= SCREE_SHAPE_HULL && def->type != SCREE_SHAPE_PLANE)
        arm = vec3_add(arm, quat_rotate(shape.axes, def->geometry->origin));
    shape.center = vec3_add(vec3_sub(pose->position, origin), arm);
    return shape;
}

scree_status scree_shape_gap(const scree_shape_def *a, const scree_pose *pose_a, const scree_shape_def *b,
                             const scree_pose *pose_b, double *gap, scree_error *error)
{
    if (!a || !pose_a || !b || !pose_b || !gap)
        return fail_null(error, "scree_shape_gap");
    if (!a || !pose_a || !b || !pose_b || !gap)
        return fail(error, SCREE_ERROR_INVALID, "scree_shape_gap: shapes, poses and gap must not be NULL");
    scree_status status = shape_validate(a, "shape a", error);
    if (status == SCREE_OK)
        status = shape_validate(b, "shape b", error);
    if (status == SCREE_OK)
        status = pose_validate(pose_a, "pose a", error);
    if (status == SCREE_OK)
        status = pose_validate(pose_b, "pose b", error);
    if (status != SCREE_OK)
        return status;
    placed_shape at_a = place_shape(a, pose_a, pose_a->position), at_b = place_shape(b, pose_b, pose_a->position);
    if (!find_gap(&at_a, &at_b, gap))
        return fail(error, SCREE_ERROR_INVALID,
                    "scree_shape_gap: no distance is defined between shapes of types %d and %d", (int)a->type,
                    (int)b->type);
    return SCREE_OK;
}
