// Making sphere sets: validity, bounds, and mass where the maker does not say what the spheres stand for.
#include "geometry/sphere_set.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "geometry/shape.h"

void sphere_set_free(sphere_set *spheres)
{
    if (spheres)
        free(spheres->balls);
    free(spheres);
}

static scree_status check_balls(const scree_ball *balls, size_t count, scree_error *error)
{
    if (!balls || count == 0)
        return fail(error, SCREE_ERROR_INVALID, "a sphere set needs one sphere at least");
    for (size_t i = 0; i < count; i++) {
        scree_shape_def shape = scree_default_shape_def();
        char where[48];
        snprintf(where, sizeof where, "sphere %zu of the set", i);
        shape.position = balls[i].position;
        shape.radius = balls[i].radius;
        scree_status status = shape_validate(&shape, where, error);
        if (status)
            return status;
    }
    return SCREE_OK;
}

static bool valid_solid(const scree_solid *body)
{
    bool good = body->volume > 0 && isfinite(body->volume) && vec3_finite(body->centroid);
    for (int i = 0; i < 6; i++)
        good = good && isfinite(body->inertia[i]) && (i > 2 || body->inertia[i] > 0);
    return good;
}

static solid_properties solid_given(const scree_solid *body, vec3 origin)
{
    const double *m = body->inertia;
    return (solid_properties){
        body->volume, vec3_sub(body->centroid, origin), {{{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}}}};
}

// Counts each sphere in full, by the rule for bodies of several shapes.
static bool solid_of_balls(const sphere_set *set, solid_properties *solid)
{
    scree_shape_def *shapes = malloc(set->count * sizeof *shapes);
    double *densities = malloc(set->count * sizeof *densities);
    bool done = shapes && densities;
    for (size_t i = 0; done && i < set->count; i++) {
        shapes[i] = scree_default_shape_def();
        shapes[i].position = set->balls[i].position;
        shapes[i].radius = set->balls[i].radius;
        densities[i] = 1;
    }
    if (done) {
        mass_properties sum = shapes_mass_properties(shapes, densities, set->count);
        *solid = (solid_properties){sum.mass, sum.center, sum.inertia};
    }
    free(shapes);
    free(densities);
    return done;
}

// The middle of the spheres' centres becomes the origin.
static void place_balls(scree_geometry *made, const scree_ball *balls)
{
    sphere_set *set = made->spheres;
    vec3 low = balls[0].position, high = low;
    for (size_t i = 1; i < set->count; i++) {
        low = vec3_lower(low, balls[i].position);
        high = vec3_upper(high, balls[i].position);
    }
    made->origin = vec3_scale(vec3_add(low, high), 0.5);
    for (size_t i = 0; i < set->count; i++) {
        vec3 p = vec3_sub(balls[i].position, made->origin);
        double r = balls[i].radius;
        set->balls[i] = (scree_ball){p, r};
        made->half = vec3_make(fmax(made->half.x, fabs(p.x) + r), fmax(made->half.y, fabs(p.y) + r),
                               fmax(made->half.z, fabs(p.z) + r));
        made->radius = fmax(made->radius, vec3_length(p) + r);
    }
}

scree_status scree_spheres_create(const scree_ball *balls, size_t count, const scree_solid *body,
                                  scree_geometry **geometry, scree_error *error)
{
    if ((!balls && count > 0) || !geometry)
        return fail_null(error, "scree_spheres_create");
    scree_status status = check_balls(balls, count, error);
    if (status)
        return status;
    if (body && !valid_solid(body))
        return fail(error, SCREE_ERROR_INVALID,
                    "a sphere set's volume and moments of inertia must be finite and positive");
    scree_geometry *made = geometry_new(SCREE_SHAPE_SPHERES);
    if (made && (made->spheres = calloc(1, sizeof *made->spheres)))
        made->spheres->balls = malloc(count * sizeof *balls);
    bool done = made && made->spheres && made->spheres->balls;
    if (done) {
        made->spheres->count = count;
        place_balls(made, balls);
        if (body)
            made->solid = solid_given(body, made->origin);
        else
            done = solid_of_balls(made->spheres, &made->solid);
    }
    if (!done) {
        scree_geometry_release(made);
        return fail_no_memory(error);
    }
    *geometry = made;
    return SCREE_OK;
}
