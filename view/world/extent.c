// Two passes over the objects, in their order and in double, so that a picture is framed the same on every machine.
#include "view/world/extent.h"

#include "base/array.h"
#include "view/chart/quantile.h"
#include "view/raster/solid.h"

typedef struct range {
    double low, high;
} range;

// An object as the extent sees it.
typedef struct thing {
    vec3 center, half; // half extents along the world axes
    double size;
} thing;

static thing thing_of_box(const picture_box *box)
{
    mat3 turn = mat3_from_quat(box->orientation);
    double reach[3];
    for (int i = 0; i < 3; i++)
        reach[i] =
            fabs(turn.m[i][0]) * box->half.x + fabs(turn.m[i][1]) * box->half.y + fabs(turn.m[i][2]) * box->half.z;
    return (thing){box->center, {reach[0], reach[1], reach[2]}, cbrt(box->half.x * box->half.y * box->half.z)};
}

static thing thing_of_solid(const picture_solid *solid)
{
    if (solid->type == PICTURE_ELLIPSOID) {
        mat3 turn = mat3_from_quat(solid->orientation);
        vec3 radii = solid->size;
        double reach[3];
        for (int i = 0; i < 3; i++)
            reach[i] = vec3_length(vec3_make(turn.m[i][0] * radii.x, turn.m[i][1] * radii.y, turn.m[i][2] * radii.z));
        return (thing){solid->center, {reach[0], reach[1], reach[2]}, cbrt(radii.x * radii.y * radii.z)};
    }
    const picture_box box = {solid->center, solid->orientation, solid_half_extents(solid), solid->color, solid->wall};
    return thing_of_box(&box);
}

static thing thing_of_triangle(const picture_triangle *triangle)
{
    const scree_vec3 *c = triangle->corners;
    vec3 low = {fmin(c[0].x, fmin(c[1].x, c[2].x)), fmin(c[0].y, fmin(c[1].y, c[2].y)),
                fmin(c[0].z, fmin(c[1].z, c[2].z))};
    vec3 high = {fmax(c[0].x, fmax(c[1].x, c[2].x)), fmax(c[0].y, fmax(c[1].y, c[2].y)),
                 fmax(c[0].z, fmax(c[1].z, c[2].z))};
    vec3 half = vec3_scale(vec3_sub(high, low), 0.5);
    return (thing){vec3_add(low, half), half, vec3_max(half)};
}

size_t extent_object_count(const picture *scene)
{
    return scene->sphere_count + scene->box_count + scene->solid_count + scene->triangle_count;
}

// Object i of spheres, boxes, solids and triangles; false for a wall.
static bool thing_at(const picture *scene, size_t i, thing *out)
{
    if (i < scene->sphere_count) {
        const picture_sphere *s = &scene->spheres[i];
        *out = (thing){s->center, {s->radius, s->radius, s->radius}, s->radius};
        return true;
    }
    i -= scene->sphere_count;
    if (i < scene->box_count) {
        *out = thing_of_box(&scene->boxes[i]);
        return !scene->boxes[i].wall;
    }
    i -= scene->box_count;
    if (i < scene->solid_count) {
        *out = thing_of_solid(&scene->solids[i]);
        return !scene->solids[i].wall;
    }
    *out = thing_of_triangle(&scene->triangles[i - scene->solid_count]);
    return false;
}

bool extent_object_bounds(const picture *scene, size_t i, scree_vec3 *center, scree_vec3 *half)
{
    thing t;
    bool moves = thing_at(scene, i, &t);
    *center = t.center;
    *half = t.half;
    return moves;
}

// Tukey's outer fences, three quartile ranges beyond the quartiles: a grain that was flung far away shall not shrink
// the picture of all the others. Found from at most SAMPLE of the values, evenly spread over the list.
static range fence(double *values, size_t count)
{
    quantile_sort(values, count);
    double first = quantile_of(values, count, 0.25), third = quantile_of(values, count, 0.75);
    double reach = 3 * (third - first);
    return (range){first - reach, third + reach};
}

static bool find_fences(const picture *scene, range fences[3])
{
    enum { SAMPLE = 4096, FEW = 100 };
    size_t count = extent_object_count(scene), stride = count / SAMPLE + 1;
    ARRAY(double) values[3] = {{0}};
    bool made = true;
    thing t;
    for (size_t i = 0; made && i < count; i += stride)
        if (thing_at(scene, i, &t))
            for (int axis = 0; axis < 3; axis++)
                made = made && array_push(&values[axis], vec3_get(t.center, axis));
    for (int axis = 0; axis < 3; axis++) {
        fences[axis] = (range){-HUGE_VAL, HUGE_VAL};
        if (made && values[axis].count >= FEW)
            fences[axis] = fence(values[axis].data, values[axis].count);
        array_free(&values[axis]);
    }
    return made;
}

static void include(extent *span, const thing *t)
{
    vec3 low = vec3_sub(t->center, t->half), high = vec3_add(t->center, t->half);
    span->low = vec3_make(fmin(span->low.x, low.x), fmin(span->low.y, low.y), fmin(span->low.z, low.z));
    span->high = vec3_make(fmax(span->high.x, high.x), fmax(span->high.y, high.y), fmax(span->high.z, high.z));
}

static bool inside(const range fences[3], vec3 p)
{
    for (int axis = 0; axis < 3; axis++)
        if (vec3_get(p, axis) < fences[axis].low || vec3_get(p, axis) > fences[axis].high)
            return false;
    return true;
}

// Bounds, mean, covariance and size of what is not a wall; returns how many there are.
static size_t measure_contents(extent *span, const picture *scene, const range fences[3])
{
    size_t count = 0;
    vec3 sum = {0};
    thing t;
    for (size_t i = 0; i < extent_object_count(scene); i++)
        if (thing_at(scene, i, &t) && inside(fences, t.center)) {
            include(span, &t);
            sum = vec3_add(sum, t.center);
            span->grain += t.size;
            count++;
        }
    double share = count > 0 ? 1 / (double)count : 0;
    span->mean = vec3_scale(sum, share);
    span->grain *= share;
    for (size_t i = 0; i < extent_object_count(scene); i++)
        if (thing_at(scene, i, &t) && inside(fences, t.center)) {
            vec3 d = vec3_sub(t.center, span->mean);
            for (int row = 0; row < 3; row++)
                for (int column = 0; column < 3; column++)
                    span->covariance.m[row][column] += share * vec3_get(d, row) * vec3_get(d, column);
        }
    return count;
}

static bool overlaps(const extent *span, const thing *t, double slack)
{
    vec3 middle = vec3_scale(vec3_add(span->low, span->high), 0.5);
    vec3 half = vec3_scale(vec3_sub(span->high, span->low), 0.5), d = vec3_sub(t->center, middle);
    return fabs(d.x) <= half.x + t->half.x + slack && fabs(d.y) <= half.y + t->half.y + slack &&
           fabs(d.z) <= half.z + t->half.z + slack;
}

bool extent_find(extent *span, const picture *scene)
{
    enum { MUCH_LARGER = 3 };
    range fences[3];
    if (!find_fences(scene, fences))
        return false;
    *span = (extent){.low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    size_t contents = measure_contents(span, scene, fences);
    extent inner = *span;
    double size = vec3_length(vec3_sub(span->high, span->low));
    for (size_t i = 0; i < extent_object_count(scene); i++) {
        thing t;
        if (thing_at(scene, i, &t))
            continue;
        // A surface counts only where it is under the contents; it may go on for ever.
        double slack = i < extent_object_count(scene) - scene->triangle_count ? 0.5 * size : 0;
        if (contents == 0 || (2 * vec3_length(t.half) <= MUCH_LARGER * size && overlaps(&inner, &t, slack)))
            include(span, &t);
    }
    if (!(span->low.x <= span->high.x)) {
        thing unit = {scene->camera.look_at, {0.5, 0.5, 0.5}, 0.5};
        include(span, &unit);
    }
    return true;
}

bool extent_is_behind(const extent *span, const picture_box *wall, vec3 camera)
{
    if (span->grain <= 0)
        return false;
    mat3 turn = mat3_from_quat(wall->orientation);
    int thin = wall->half.x <= wall->half.y && wall->half.x <= wall->half.z ? 0 : wall->half.y <= wall->half.z ? 1 : 2;
    vec3 normal = mat3_column(&turn, thin);
    double contents = vec3_dot(normal, vec3_sub(span->mean, wall->center));
    double viewer = vec3_dot(normal, vec3_sub(camera, wall->center));
    double spread = sqrt(fmax(0, vec3_dot(normal, mat3_apply(&span->covariance, normal))));
    return contents * viewer < 0 && fabs(viewer) > vec3_get(wall->half, thin) &&
           fabs(contents) > vec3_get(wall->half, thin) + spread;
}
