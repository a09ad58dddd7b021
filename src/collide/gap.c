// Signed distance between two shapes of the public interface: what a builder asks before it places a body.
//
// The formulas are those of the narrow phase, in double throughout and without a world.
#include "base/error.h"
#include "collide/narrow_boxes.h"
#include "collide/narrow_pair.h"
#include "geometry/shape.h"

// Two shapes of ordered types: where each stands, from the centre of the first.
typedef struct gap_pair {
    const scree_shape_def *a, *b;
    quat axes_a, axes_b;
    vec3 between;
} gap_pair;

static double gap_sphere_sphere(const gap_pair *pair)
{
    return vec3_length(pair->between) - pair->a->radius - pair->b->radius;
}

static double gap_sphere_box(const gap_pair *pair)
{
    vec3 outward;
    vec3 centre = quat_rotate_back(pair->axes_b, vec3_negate(pair->between));
    return box_distance(centre, pair->b->half, &outward) - pair->a->radius;
}

// The outward normal of plane b, and how high the centre of a is over the plane.
static vec3 plane_below(const gap_pair *pair, double *height)
{
    vec3 outward = quat_rotate(pair->axes_b, vec3_normalize(pair->b->normal));
    *height = -vec3_dot(outward, pair->between) - pair->b->offset;
    return outward;
}

static double gap_sphere_plane(const gap_pair *pair)
{
    double height;
    plane_below(pair, &height);
    return height - pair->a->radius;
}

static double gap_box_plane(const gap_pair *pair)
{
    double height;
    vec3 outward = plane_below(pair, &height);
    vec3 rise = vec3_multiply(quat_rotate_back(pair->axes_a, outward), pair->a->half);
    return height - fabs(rise.x) - fabs(rise.y) - fabs(rise.z);
}

static double gap_box_box(const gap_pair *pair)
{
    mat3 axes_a = mat3_from_quat(pair->axes_a), axes_b = mat3_from_quat(pair->axes_b);
    box_pair boxes = box_pair_make(pair->a->half, &axes_a, pair->b->half, &axes_b, pair->between);
    box_separation separation;
    box_pair_separation(&boxes, (double)INFINITY, &separation);
    return separation.widest;
}

static double gap_plane_plane(const gap_pair *pair)
{
    (void)pair;
    return (double)-INFINITY;
}

typedef double gap_function(const gap_pair *pair);

static gap_function *const table[SCREE_SHAPE_TYPES][SCREE_SHAPE_TYPES] = {
    [SCREE_SPHERE][SCREE_SPHERE] = gap_sphere_sphere, [SCREE_SPHERE][SCREE_BOX] = gap_sphere_box,
    [SCREE_SPHERE][SCREE_PLANE] = gap_sphere_plane,   [SCREE_BOX][SCREE_BOX] = gap_box_box,
    [SCREE_BOX][SCREE_PLANE] = gap_box_plane,         [SCREE_PLANE][SCREE_PLANE] = gap_plane_plane,
};

static scree_status pose_validate(const scree_pose *pose, const char *where, scree_error *error)
{
    if (!vec3_finite(pose->position))
        return fail(error, SCREE_INVALID, "%s: the position must be finite", where);
    double length = quat_length(pose->orientation);
    if (!(length > 1e-100 && length < 1e100))
        return fail(error, SCREE_INVALID, "%s: the orientation must be finite and not zero", where);
    return SCREE_OK;
}

// The shape's axes in the world, and the way from its body's frame to it.
static quat place_shape(const scree_shape_def *shape, const scree_pose *pose, vec3 *arm)
{
    quat body = quat_normalize(pose->orientation);
    *arm = quat_rotate(body, shape->position);
    return quat_multiply(body, quat_normalize(shape->orientation));
}

scree_status scree_shape_gap(const scree_shape_def *a, const scree_pose *pose_a, const scree_shape_def *b,
                             const scree_pose *pose_b, double *gap, scree_error *error)
{
    if (!a || !pose_a || !b || !pose_b || !gap)
        return fail(error, SCREE_INVALID, "scree_shape_gap: shapes, poses and gap must not be NULL");
    scree_status status = shape_validate(a, "shape a", error);
    if (status == SCREE_OK)
        status = shape_validate(b, "shape b", error);
    if (status == SCREE_OK)
        status = pose_validate(pose_a, "pose a", error);
    if (status == SCREE_OK)
        status = pose_validate(pose_b, "pose b", error);
    if (status != SCREE_OK)
        return status;
    if (a->type > b->type)
        return scree_shape_gap(b, pose_b, a, pose_a, gap, error);
    gap_pair pair = {.a = a, .b = b};
    vec3 arm_a, arm_b;
    pair.axes_a = place_shape(a, pose_a, &arm_a);
    pair.axes_b = place_shape(b, pose_b, &arm_b);
    pair.between = vec3_add(vec3_sub(pose_b->position, pose_a->position), vec3_sub(arm_b, arm_a));
    *gap = table[a->type][b->type](&pair);
    return SCREE_OK;
}
