// Bodies that a user's source describes: checked, and turned into what detection reads.
//
// A body of one shape stands in the centre of that shape; one of several in the middle of their centres. So places
// relative to the body are short, wherever its frame is.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "collide/broad/stream.h"
#include "geometry/geometry.h"
#include "geometry/shape.h"
#include "geometry/sphere_set.h"

scree_detect_body scree_default_detect_body(void)
{
    return (scree_detect_body){
        .orientation = {1, 0, 0, 0}, .group = 1, .mask = UINT32_MAX, .shape = scree_default_shape_def()};
}

static bool read_array(void *user, uint64_t first, size_t count, scree_detect_body *out)
{
    memcpy(out, (const scree_detect_body *)user + first, count * sizeof *out);
    return true;
}

scree_body_source scree_body_array(const scree_detect_body *bodies, size_t count)
{
    if ((!bodies && count > 0))
        return (scree_body_source){0};
    return (scree_body_source){.read = read_array, .user = (void *)(uintptr_t)bodies, .count = count};
}

// ----------------------------------------------------------------------------------------------------------- checking

static const scree_shape_def *shapes_of(const scree_detect_body *body, size_t *count)
{
    *count = body->shapes ? body->shape_count : 1;
    return body->shapes ? body->shapes : &body->shape;
}

static scree_status check_body(const scree_detect_body *body, uint64_t number, scree_error *error)
{
    unsigned long long at = number;
    double norm = quat_length(body->orientation);
    if (!vec3_finite(body->position))
        return fail(error, SCREE_ERROR_INVALID, "body %llu: the position must be finite, not (%g, %g, %g)", at,
                    body->position.x, body->position.y, body->position.z);
    if (!(norm > 1e-100 && norm < 1e100))
        return fail(error, SCREE_ERROR_INVALID, "body %llu: the orientation must be finite and not zero", at);
    size_t count;
    const scree_shape_def *shapes = shapes_of(body, &count);
    if (count == 0 || count >= UINT32_MAX || (!body->shapes && body->shape_count > 0))
        return fail(error, SCREE_ERROR_INVALID,
                    "body %llu: has %zu shapes, must have at least one, or none but `shape`", at, body->shape_count);
    for (size_t i = 0; i < count; i++) {
        char where[64];
        snprintf(where, sizeof where, "body %llu, shape %zu", at, i);
        scree_status status = shape_validate(&shapes[i], where, error);
        if (status)
            return status;
        if (!body->fixed && shape_is_fixed_only(shapes[i].type))
            return fail(error, SCREE_ERROR_INVALID,
                        "%s: a plane, mesh or height field can only be a shape of a fixed body", where);
    }
    return SCREE_OK;
}

// ------------------------------------------------------------------------------------------------------------- making

// Sizes of a shape that has no geometry.
static void set_sizes(proxy *p, const scree_shape_def *shape)
{
    vec3 size = {shape->radius, shape->half_length, 0};
    if (shape->type == SCREE_SHAPE_BOX)
        size = shape->half;
    else if (shape->type == SCREE_SHAPE_ELLIPSOID)
        size = shape->radii;
    else if (shape->type == SCREE_SHAPE_SPHERE)
        size.y = 0;
    p->size[0] = (float)size.x;
    p->size[1] = (float)size.y;
    p->size[2] = (float)size.z;
}

// The shape with its place in the body's frame in `local`.
static stream_shape make_shape(const scree_shape_def *shape)
{
    stream_shape made = {.proxy = {.type = (unsigned)shape->type & 31}};
    made.local = (local_pose){shape->position, quat_normalize(shape->orientation)};
    if (shape->type == SCREE_SHAPE_PLANE) {
        made.plane = (plane_geometry){vec3_normalize(shape->normal), shape->offset};
        return made;
    }
    made.geometry = proxy_has_geometry(&made.proxy) || shape->type == SCREE_SHAPE_SPHERES ? shape->geometry : NULL;
    if (made.geometry)
        made.local.position = vec3_add(shape->position, quat_rotate(made.local.orientation, made.geometry->origin));
    else
        set_sizes(&made.proxy, shape);
    return made;
}

static bool add_sphere_set(const stream_shape *set, stream_bodies *into)
{
    const sphere_set *spheres = set->geometry->spheres;
    if (!array_reserve(&into->shapes, into->shapes.count + spheres->count))
        return false;
    for (size_t i = 0; i < spheres->count; i++) {
        stream_shape ball = {.proxy = {.size = {(float)spheres->balls[i].radius}, .type = SCREE_SHAPE_SPHERE}};
        ball.local.position =
            vec3_add(set->local.position, quat_rotate(set->local.orientation, spheres->balls[i].position));
        ball.local.orientation = set->local.orientation;
        into->shapes.data[into->shapes.count++] = ball;
    }
    return true;
}

// Moves the body's centre from its frame to its shapes.
static void center_body(stream_body *body, stream_shape *shapes)
{
    vec3 low = shapes[0].local.position, high = low;
    for (uint32_t i = 1; i < body->shape_count; i++) {
        low = vec3_lower(low, shapes[i].local.position);
        high = vec3_upper(high, shapes[i].local.position);
    }
    vec3 middle = vec3_add_scaled(low, vec3_sub(high, low), 0.5);
    body->center = vec3_add(body->center, quat_rotate(body->orientation, middle));
    if (body->shape_count == 1) {
        body->orientation = quat_multiply(body->orientation, shapes[0].local.orientation);
        return;
    }
    for (uint32_t i = 0; i < body->shape_count; i++) {
        shapes[i].local.position = vec3_sub(shapes[i].local.position, middle);
        shapes[i].proxy.local = 1;
    }
}

static bool add_body(const scree_detect_body *from, stream_bodies *into)
{
    size_t count, first = into->shapes.count;
    const scree_shape_def *shapes = shapes_of(from, &count);
    for (size_t i = 0; i < count; i++) {
        stream_shape made = make_shape(&shapes[i]);
        if (!(shapes[i].type == SCREE_SHAPE_SPHERES ? add_sphere_set(&made, into) : array_push(&into->shapes, made)))
            return false;
    }
    stream_body body = {.center = from->position,
                        .orientation = quat_normalize(from->orientation),
                        .first_shape = first,
                        .shape_count = (uint32_t)(into->shapes.count - first),
                        .filter = {from->group, from->mask},
                        .fixed = from->fixed};
    center_body(&body, into->shapes.data + first);
    return array_push(&into->bodies, body);
}

// ------------------------------------------------------------------------------------------------------------ reading

typedef struct item_source {
    scree_detector *detector;
    const scree_body_source *source;
} item_source;

static scree_status read_given(const item_source *items, int thread, uint64_t first, size_t count,
                               const scree_detect_body **given, scree_error *error)
{
    stream_worker *worker = &items->detector->workers[thread];
    if (!array_resize(&worker->given, count))
        return fail_no_memory(error);
    for (size_t i = 0; i < count; i++)
        worker->given.data[i] = scree_default_detect_body();
    if (!items->source->read(items->source->user, first, count, worker->given.data))
        return fail(error, SCREE_ERROR_IO, "the source of bodies cannot be read from number %llu on",
                    (unsigned long long)first);
    *given = worker->given.data;
    return SCREE_OK;
}

static scree_status read_items(const void *context, int thread, uint64_t first, size_t count, bool checked,
                               stream_bodies *into, scree_error *error)
{
    const scree_detect_body *given;
    scree_status status = read_given(context, thread, first, count, &given, error);
    for (size_t i = 0; i < count && status == SCREE_OK; i++) {
        if (!checked)
            status = check_body(&given[i], first + i, error);
        if (status == SCREE_OK && !add_body(&given[i], into))
            status = fail_no_memory(error);
    }
    return status;
}

// Bodies that are known to be plain spheres.
static bool read_as_balls(void *user, uint64_t first, size_t count, scree_ball *out)
{
    const item_source *items = user;
    int thread = thread_index();
    enum { PART = 256 };
    for (size_t begin = 0; begin < count; begin += PART) {
        size_t size = count - begin < PART ? count - begin : PART;
        stream_bodies *read = &items->detector->workers[thread].read;
        read->bodies.count = read->shapes.count = 0;
        if (read_items(items, thread, first + begin, size, true, read, NULL) != SCREE_OK)
            return false;
        for (size_t i = 0; i < size; i++)
            out[begin + i] = (scree_ball){read->bodies.data[i].center, (double)read->shapes.data[i].proxy.size[0]};
    }
    return true;
}

scree_status scree_detect_bodies(scree_detector *detector, const scree_body_source *source, scree_detect_sink *sink,
                                 void *user, scree_detect_result *result, scree_error *error)
{
    if (!detector || !source)
        return fail_null(error, "scree_detect_bodies");
    item_source items = {detector, source};
    stream s = stream_make(detector, sink, user);
    stream_body_source bodies = {.read = read_items, .context = &items};
    s.kind = &stream_kind_bodies;
    s.source = &bodies;
    s.count = source->count;
    scree_ball_source balls = {.read = read_as_balls, .user = &items, .count = source->count};
    s.as_balls = &balls;
    return stream_run(&s, result, error);
}
