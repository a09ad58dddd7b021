// Functions for all shapes, on top of one row of functions per type (kind.h).
#include "geometry/shape.h"

#include "base/error.h"
#include "geometry/kind.h"

static const shape_kind *const kinds[SCREE_SHAPE_TYPES] = {
    [SCREE_SHAPE_SPHERE] = &sphere_kind,       [SCREE_SHAPE_BOX] = &box_kind,
    [SCREE_SHAPE_ELLIPSOID] = &ellipsoid_kind, [SCREE_SHAPE_CAPSULE] = &capsule_kind,
    [SCREE_SHAPE_CYLINDER] = &cylinder_kind,   [SCREE_SHAPE_CONE] = &cone_kind,
    [SCREE_SHAPE_HULL] = &hull_kind,           [SCREE_SHAPE_PLANE] = &plane_kind,
    [SCREE_SHAPE_MESH] = &mesh_kind,           [SCREE_SHAPE_HEIGHTFIELD] = &height_kind,
    [SCREE_SHAPE_SPHERES] = &spheres_kind,
};

// NULL for a number that is no type: definitions come from users.
static const shape_kind *kind_of(scree_shape_type type)
{
    return (unsigned)type < SCREE_SHAPE_TYPES ? kinds[type] : NULL;
}

scree_shape_def scree_default_shape_def(void)
{
    return (scree_shape_def){
        .type = SCREE_SHAPE_SPHERE,
        .orientation = {1, 0, 0, 0},
        .material = SCREE_MATERIAL_OF_BODY,
        .radius = 0.5,
        .half_length = 0.5,
        .half = {0.5, 0.5, 0.5},
        .radii = {0.5, 0.5, 0.5},
        .normal = {0, 0, 1},
    };
}

bool shape_size_valid(double size)
{
    return size >= 1e-15 && size <= 1e15;
}

scree_status shape_check_size(double size, const char *name, const char *where, scree_error *error)
{
    if (!shape_size_valid(size))
        return fail(error, SCREE_ERROR_INVALID, "%s: the %s must be from 1e-15 to 1e15, not %g", where, name, size);
    return SCREE_OK;
}

solid_properties solid_make(double volume, vec3 moments)
{
    solid_properties solid = {.volume = volume};
    for (int axis = 0; axis < 3; axis++)
        solid.inertia.m[axis][axis] = volume * vec3_get(moments, axis);
    return solid;
}

scree_status shape_validate(const scree_shape_def *shape, const char *where, scree_error *error)
{
    const shape_kind *kind = kind_of(shape->type);
    if (!kind)
        return fail(error, SCREE_ERROR_INVALID, "%s: unknown shape type %d; there are 0 to %d", where, (int)shape->type,
                    SCREE_SHAPE_TYPES - 1);
    if (!(vec3_length(shape->position) <= 1e15))
        return fail(error, SCREE_ERROR_INVALID, "%s: the position must be within 1e15, not (%g, %g, %g)", where,
                    shape->position.x, shape->position.y, shape->position.z);
    double length = quat_length(shape->orientation);
    if (!(length > 1e-100 && length < 1e100))
        return fail(error, SCREE_ERROR_INVALID, "%s: the orientation must be finite and not zero, not (%g, %g, %g, %g)",
                    where, shape->orientation.w, shape->orientation.x, shape->orientation.y, shape->orientation.z);
    if (shape->material < SCREE_MATERIAL_OF_BODY)
        return fail(error, SCREE_ERROR_INVALID, "%s: the material must be an index or SCREE_MATERIAL_OF_BODY, not %d",
                    where, shape->material);
    return kind->validate(shape, where, error);
}

// Adds the inertia about `center` of a solid in a shape: turned into body axes, then moved by the parallel axis
// theorem.
static void add_inertia(mat3 *sum, const scree_shape_def *shape, const solid_properties *solid, double density,
                        vec3 center)
{
    mat3 axes = mat3_from_quat(quat_normalize(shape->orientation));
    vec3 arm = vec3_sub(vec3_add(shape->position, mat3_apply(&axes, solid->centroid)), center);
    double square = vec3_dot(arm, arm), mass = density * solid->volume;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double turned = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    turned += axes.m[i][k] * solid->inertia.m[k][l] * axes.m[j][l];
            double moved = (i == j ? square : 0) - vec3_get(arm, i) * vec3_get(arm, j);
            sum->m[i][j] += density * turned + mass * moved;
        }
}

mass_properties shapes_mass_properties(const scree_shape_def *shapes, const double *densities, size_t count)
{
    mass_properties sum = {0};
    for (size_t i = 0; i < count; i++) {
        if (shape_is_unbounded(shapes[i].type))
            continue;
        solid_properties solid = kinds[shapes[i].type]->solid(&shapes[i]);
        vec3 centroid = quat_rotate(quat_normalize(shapes[i].orientation), solid.centroid);
        double mass = densities[i] * solid.volume;
        sum.mass += mass;
        sum.center = vec3_add_scaled(sum.center, vec3_add(shapes[i].position, centroid), mass);
    }
    if (!(sum.mass > 0))
        return (mass_properties){0};
    sum.center = vec3_scale(sum.center, 1 / sum.mass);
    for (size_t i = 0; i < count; i++) {
        if (shape_is_unbounded(shapes[i].type))
            continue;
        solid_properties solid = kinds[shapes[i].type]->solid(&shapes[i]);
        add_inertia(&sum.inertia, &shapes[i], &solid, densities[i], sum.center);
    }
    return sum;
}

bool shape_is_unbounded(scree_shape_type type)
{
    return kind_of(type)->unbounded;
}

bool shape_is_fixed_only(scree_shape_type type)
{
    return kind_of(type)->unbounded || kind_of(type)->fixed_only;
}

double shape_reach_from(const scree_shape_def *shape, vec3 point)
{
    const shape_kind *kind = kind_of(shape->type);
    if (kind->unbounded)
        return (double)INFINITY;
    return kind->reach(shape, quat_rotate_back(quat_normalize(shape->orientation), vec3_sub(shape->position, point)));
}

double scree_shape_reach(const scree_shape_def *shape)
{
    if (!shape)
        return (double)NAN;
    return kind_of(shape->type) ? shape_reach_from(shape, vec3_make(0, 0, 0)) : (double)NAN;
}

double scree_shape_volume(const scree_shape_def *shape)
{
    if (!shape)
        return (double)NAN;
    const shape_kind *kind = kind_of(shape->type);
    if (!kind)
        return (double)NAN;
    return kind->unbounded ? (double)INFINITY : kind->solid(shape).volume;
}

vec3 proxy_half_extents(const proxy_view *view, const proxy *p)
{
    if (view->half_extents)
        return view->half_extents[p - view->proxies];
    return kinds[p->type]->half_extents(view, p, proxy_orientation(view, p));
}
