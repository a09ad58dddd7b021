// What holds for all shapes, on top of one row of functions per type (kind.h).
#include "geometry/shape.h"

#include "base/error.h"
#include "geometry/kind.h"

static const shape_kind *const kinds[SCREE_SHAPE_TYPES] = {
    [SCREE_SPHERE] = &sphere_kind,
    [SCREE_BOX] = &box_kind,
    [SCREE_PLANE] = &plane_kind,
};

// NULL for a number that is no type: definitions come from users.
static const shape_kind *kind_of(scree_shape_type type)
{
    return (unsigned)type < SCREE_SHAPE_TYPES ? kinds[type] : NULL;
}

scree_shape_def scree_default_shape_def(void)
{
    return (scree_shape_def){
        .type = SCREE_SPHERE,
        .orientation = {1, 0, 0, 0},
        .material = SCREE_MATERIAL_OF_BODY,
        .radius = 0.5,
        .half = {0.5, 0.5, 0.5},
        .normal = {0, 0, 1},
    };
}

bool shape_size_valid(double size)
{
    return size >= 1e-15 && size <= 1e15;
}

scree_status shape_validate(const scree_shape_def *shape, const char *where, scree_error *error)
{
    const shape_kind *kind = kind_of(shape->type);
    if (!kind)
        return fail(error, SCREE_INVALID, "%s: unknown shape type %d; sphere, box and plane are %d, %d and %d", where,
                    (int)shape->type, SCREE_SPHERE, SCREE_BOX, SCREE_PLANE);
    if (!vec3_finite(shape->position))
        return fail(error, SCREE_INVALID, "%s: the position must be finite, not (%g, %g, %g)", where, shape->position.x,
                    shape->position.y, shape->position.z);
    double length = quat_length(shape->orientation);
    if (!(length > 1e-100 && length < 1e100))
        return fail(error, SCREE_INVALID, "%s: the orientation must be finite and not zero, not (%g, %g, %g, %g)",
                    where, shape->orientation.w, shape->orientation.x, shape->orientation.y, shape->orientation.z);
    if (shape->material < SCREE_MATERIAL_OF_BODY)
        return fail(error, SCREE_INVALID, "%s: the material must be an index or SCREE_MATERIAL_OF_BODY, not %d", where,
                    shape->material);
    return kind->validate(shape, where, error);
}

// Adds the inertia about `centre` of a shape of the given mass: principal moments turned into body axes, then moved
// by the parallel axis theorem.
static void add_inertia(mat3 *sum, const scree_shape_def *shape, double mass, vec3 centre)
{
    mat3 axes = mat3_from_quat(quat_normalize(shape->orientation));
    vec3 moments = kind_of(shape->type)->moments(shape);
    vec3 arm = vec3_sub(shape->position, centre);
    double square = vec3_dot(arm, arm);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double turned = axes.m[i][0] * moments.x * axes.m[j][0] + axes.m[i][1] * moments.y * axes.m[j][1] +
                            axes.m[i][2] * moments.z * axes.m[j][2];
            double moved = (i == j ? square : 0) - vec3_get(arm, i) * vec3_get(arm, j);
            sum->m[i][j] += mass * (turned + moved);
        }
}

mass_properties shapes_mass_properties(const scree_shape_def *shapes, const double *densities, size_t count)
{
    mass_properties sum = {0};
    for (size_t i = 0; i < count; i++) {
        if (shape_is_unbounded(shapes[i].type))
            continue;
        double mass = densities[i] * scree_shape_volume(&shapes[i]);
        sum.mass += mass;
        sum.centre = vec3_add_scaled(sum.centre, shapes[i].position, mass);
    }
    if (!(sum.mass > 0))
        return (mass_properties){0};
    sum.centre = vec3_scale(sum.centre, 1 / sum.mass);
    for (size_t i = 0; i < count; i++)
        if (!shape_is_unbounded(shapes[i].type))
            add_inertia(&sum.inertia, &shapes[i], densities[i] * scree_shape_volume(&shapes[i]), sum.centre);
    return sum;
}

bool shape_is_unbounded(scree_shape_type type)
{
    return kind_of(type)->unbounded;
}

double shape_radius(const scree_shape_def *shape)
{
    const shape_kind *kind = kind_of(shape->type);
    return kind->unbounded ? (double)INFINITY : kind->reach(shape, vec3_make(0, 0, 0));
}

double scree_shape_reach(const scree_shape_def *shape)
{
    const shape_kind *kind = kind_of(shape->type);
    if (!kind)
        return (double)NAN;
    if (kind->unbounded)
        return (double)INFINITY;
    return kind->reach(shape, quat_rotate_back(quat_normalize(shape->orientation), shape->position));
}

double scree_shape_volume(const scree_shape_def *shape)
{
    const shape_kind *kind = kind_of(shape->type);
    if (!kind)
        return (double)NAN;
    return kind->unbounded ? (double)INFINITY : kind->volume(shape);
}

vec3 proxy_half_extents(const proxy_view *view, const proxy *p)
{
    return kinds[p->type]->half_extents(p, proxy_orientation(view, p));
}
