// References, bounds, and the row of functions that shapes with a geometry share.
#include "geometry/geometry.h"

#include <stdlib.h>

#include "base/error.h"
#include "geometry/hull.h"
#include "geometry/kind.h"

scree_geometry *geometry_new(scree_shape_type type)
{
    scree_geometry *geometry = calloc(1, sizeof *geometry);
    if (!geometry)
        return NULL;
    atomic_init(&geometry->references, 1);
    geometry->type = type;
    return geometry;
}

scree_geometry *scree_geometry_retain(const scree_geometry *geometry)
{
    if (!geometry)
        return NULL;
    scree_geometry *counted = (scree_geometry *)geometry; // the count is all that ever changes
    if (counted)
        atomic_fetch_add_explicit(&counted->references, 1, memory_order_relaxed);
    return counted;
}

static void free_parts(scree_geometry *geometry)
{
    switch (geometry->type) {
    case SCREE_SHAPE_HULL:
        hull_free(geometry->hull);
        break;
    case SCREE_SHAPE_MESH:
        mesh_free(geometry->mesh);
        break;
    case SCREE_SHAPE_HEIGHTFIELD:
        height_free(geometry->height);
        break;
    default:
        sphere_set_free(geometry->spheres);
    }
}

void scree_geometry_release(const scree_geometry *geometry)
{
    scree_geometry *counted = (scree_geometry *)geometry;
    if (!counted || atomic_fetch_sub_explicit(&counted->references, 1, memory_order_acq_rel) > 1)
        return;
    free_parts(counted);
    free(counted);
}

void geometry_set_bounds(scree_geometry *geometry, const vec3 *points, size_t count)
{
    vec3 half = {0, 0, 0};
    double square = 0;
    for (size_t i = 0; i < count; i++) {
        vec3 p = points[i];
        half = vec3_make(fmax(half.x, fabs(p.x)), fmax(half.y, fabs(p.y)), fmax(half.z, fabs(p.z)));
        square = fmax(square, vec3_dot(p, p));
    }
    geometry->half = half;
    geometry->radius = sqrt(square);
}

// ----------------------------------------------------------------------------------------------------------- packing

bool geometry_pack(const scree_geometry *geometry, geometry_parts *to)
{
    switch (geometry->type) {
    case SCREE_SHAPE_HULL:
        return hull_pack(geometry, to);
    case SCREE_SHAPE_MESH:
        return mesh_pack(geometry, to);
    default:
        return height_pack(geometry, to);
    }
}

scree_status geometry_unpack(scree_shape_type type, const packed_geometry *from, scree_geometry **geometry,
                             scree_error *error)
{
    switch (type) {
    case SCREE_SHAPE_HULL:
        return hull_unpack(from, geometry, error);
    case SCREE_SHAPE_MESH:
        return mesh_unpack(from, geometry, error);
    case SCREE_SHAPE_HEIGHTFIELD:
        return height_unpack(from, geometry, error);
    default:
        return fail(error, SCREE_ERROR_INVALID, "shape type %d has no geometry", (int)type);
    }
}

// ------------------------------------------------------------------------------------------------------------- kinds

static scree_status geometry_validate(const scree_shape_def *shape, const char *where, scree_error *error)
{
    if (!shape->geometry || shape->geometry->type != shape->type)
        return fail(error, SCREE_ERROR_INVALID, "%s: needs a geometry made for shapes of its type", where);
    return SCREE_OK;
}

static solid_properties geometry_solid(const scree_shape_def *shape)
{
    solid_properties solid = shape->geometry->solid;
    solid.centroid = vec3_add(solid.centroid, shape->geometry->origin);
    return solid;
}

static double geometry_reach(const scree_shape_def *shape, vec3 from)
{
    return vec3_length(vec3_add(from, shape->geometry->origin)) + shape->geometry->radius;
}

static double hull_reach(const scree_shape_def *shape, vec3 from)
{
    const hull_geometry *hull = shape->geometry->hull;
    double square = 0;
    for (size_t i = 0; i < hull->vertex_count; i++) {
        vec3 arm = vec3_add(vec3_add(from, shape->geometry->origin), hull->vertices[i]);
        square = fmax(square, vec3_dot(arm, arm));
    }
    return sqrt(square);
}

static vec3 box_of_geometry(const proxy_view *view, const proxy *p, quat orientation)
{
    return turned_half_extents(orientation, view->geometries[p->geometry]->half);
}

static vec3 hull_half_extents(const proxy_view *view, const proxy *p, quat orientation)
{
    const hull_geometry *hull = view->geometries[p->geometry]->hull;
    mat3 axes = mat3_from_quat(orientation);
    vec3 extents = {0, 0, 0};
    for (size_t i = 0; i < hull->vertex_count; i++) {
        vec3 turned = mat3_apply(&axes, hull->vertices[i]);
        double x = fabs(turned.x), y = fabs(turned.y), z = fabs(turned.z); // fmax would be a call
        extents =
            vec3_make(x > extents.x ? x : extents.x, y > extents.y ? y : extents.y, z > extents.z ? z : extents.z);
    }
    return extents;
}

const shape_kind hull_kind = {
    .validate = geometry_validate, .solid = geometry_solid, .reach = hull_reach, .half_extents = hull_half_extents};

const shape_kind mesh_kind = {.fixed_only = true,
                              .validate = geometry_validate,
                              .solid = geometry_solid,
                              .reach = geometry_reach,
                              .half_extents = box_of_geometry};

const shape_kind height_kind = {.fixed_only = true,
                                .validate = geometry_validate,
                                .solid = geometry_solid,
                                .reach = geometry_reach,
                                .half_extents = box_of_geometry};

// A sphere set has no proxy of its own: its spheres have.
const shape_kind spheres_kind = {.validate = geometry_validate, .solid = geometry_solid, .reach = geometry_reach};
