// Detection of all bodies of a world as they stand, without a step: the world as a source of a stream. Bodies are
// numbered by rising id, so that neither their order in memory nor their past makes a difference.
#include "base/error.h"
#include "base/radix.h"
#include "base/threads.h"
#include "collide/broad/stream.h"
#include "contact/filter.h"

typedef struct world_source {
    const body_store *store;
    const pair_filter *filter; // NULL: all bodies may pair
    uint32_t *slots;           // by number
    scree_id *ids;             // in the same order
} world_source;

static bool number_bodies(world_source *source, arena *scratch)
{
    const body_store *store = source->store;
    source->slots = arena_array(scratch, uint32_t, store->count);
    source->ids = arena_array(scratch, scree_id, store->count);
    uint32_t *other = arena_array(scratch, uint32_t, store->count);
    if (!source->slots || !source->ids || !other)
        return false;
    for (size_t i = 0; i < store->count; i++)
        source->slots[i] = (uint32_t)i;
    radix_sort(store->id.data, source->slots, other, store->count);
    for (size_t i = 0; i < store->count; i++)
        source->ids[i] = store->id.data[source->slots[i]];
    return true;
}

static stream_shape shape_of(const body_store *store, const proxy *p)
{
    stream_shape shape = {.proxy = *p};
    shape.proxy.local = p->local != 0;
    shape.local = store->locals.data[p->local];
    if (p->type == SCREE_SHAPE_PLANE)
        shape.plane = store->planes.data[p->geometry];
    else
        shape.geometry = proxy_has_geometry(p) ? store->geometries.data[p->geometry] : NULL;
    return shape;
}

static scree_status read_world(const void *context, int thread, uint64_t first, size_t count, bool checked,
                               stream_bodies *into, scree_error *error)
{
    (void)thread;
    const world_source *source = context;
    const body_store *store = source->store;
    for (uint64_t number = first; number < first + count; number++) {
        uint32_t slot = source->slots[number], first_proxy = store->first_proxy.data[slot],
                 end = store->first_proxy.data[slot + 1];
        stream_body body = {.center = store->position.data[slot],
                            .orientation = store->orientation.data[slot],
                            .first_shape = into->shapes.count,
                            .shape_count = end - first_proxy,
                            .filter = store->filters.data[store->filter.data[slot]],
                            .fixed = store->immovable.data[slot]};
        if (!checked && !(vec3_finite(body.center) && quat_finite(body.orientation)))
            return fail(error, SCREE_ERROR_DIVERGED, "body %llu has no finite place",
                        (unsigned long long)source->ids[number]);
        if (!array_push(&into->bodies, body) || !array_reserve(&into->shapes, into->shapes.count + end - first_proxy))
            return fail_no_memory(error);
        for (uint32_t i = first_proxy; i < end; i++)
            into->shapes.data[into->shapes.count++] = shape_of(store, &store->proxies.data[i]);
    }
    return SCREE_OK;
}

static bool kept_apart(const void *context, uint32_t a, uint32_t b)
{
    const world_source *source = context;
    return filter_keeps_apart(source->filter, slot_pair(source->slots[a], source->slots[b]));
}

static bool read_balls(void *user, uint64_t first, size_t count, scree_ball *out)
{
    const world_source *source = user;
    const body_store *store = source->store;
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = source->slots[first + i];
        const proxy *only = &store->proxies.data[store->first_proxy.data[slot]];
        out[i] = (scree_ball){store->position.data[slot], (double)only->size[0]};
    }
    return true;
}

static scree_status detect_world(scree_world *world, scree_detector *detector, scree_detect_sink *sink, void *user,
                                 scree_detect_result *result, scree_error *error)
{
    world_source source = {.store = &world->bodies};
    arena_reset(&world->scratch);
    if (!find_filter(world, &source.filter) || !number_bodies(&source, &world->scratch))
        return fail_no_memory(error);
    bool apart = source.filter && source.filter->apart_count > 0;
    stream_body_source bodies = {.read = read_world, .apart = apart ? kept_apart : NULL, .context = &source};
    scree_ball_source balls = {.read = read_balls, .user = &source, .count = world->bodies.count};
    stream s = stream_make(detector, sink, user);
    s.kind = &stream_kind_bodies;
    s.source = &bodies;
    s.as_balls = apart ? NULL : &balls;
    s.count = world->bodies.count;
    s.ids = source.ids;
    return stream_run(&s, result, error);
}

scree_status scree_world_detect(scree_world *world, const scree_detect_def *def, scree_detect_sink *sink, void *user,
                                scree_detect_result *result, scree_error *error)
{
    if (!world)
        return fail_null(error, "scree_world_detect");
    scree_detect_def standard = scree_default_detect_def();
    scree_detector *detector;
    scree_status status = scree_detector_create(def ? def : &standard, &detector, error);
    if (status == SCREE_OK)
        status = detect_world(world, detector, sink, user, result, error);
    scree_detector_destroy(detector);
    return status;
}
