// Bodies of any shape in a box: the two phases of detection, as a step has them, on a view of that box alone.
//
// The shapes of a box stand in the order of their bodies' numbers, and of two bodies the movable one comes first, else
// the one with the lower number: so the narrow phase is asked the same question about a pair in whatever box it is.
#include "collide/broad/stream_bodies.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "collide/broad/broad.h"
#include "collide/broad/stream.h"
#include "collide/narrow/narrow.h"
#include "geometry/shape.h"

enum {
    CHUNK = 256,      // bodies read at a time
    PAIR_BLOCK = 256, // pairs of shapes that a thread takes at a time, and those of the last pair of bodies
};

// ------------------------------------------------------------------------------------------------------------ reading

static stream_place place_of(const stream *s, const stream_body *body, const stream_shape *shapes)
{
    const vec3 most = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    stream_place all = {.center = body->center, .low = most, .high = vec3_negate(most), .shapes = body->shape_count};
    for (uint32_t i = 0; i < body->shape_count; i++) {
        const stream_shape *shape = &shapes[body->first_shape + i];
        if (shape_is_unbounded((scree_shape_type)shape->proxy.type)) {
            all.low = vec3_negate(most);
            all.high = most;
            return all;
        }
        proxy at = shape->proxy;
        at.body = 0;
        if (proxy_has_geometry(&at))
            at.geometry = 0;
        const local_pose locals[2] = {{{0, 0, 0}, {1, 0, 0, 0}}, shape->local};
        proxy_view view = {.locals = locals,
                           .geometries = &shape->geometry,
                           .centers = &body->center,
                           .orientations = &body->orientation};
        stream_place one = stream_place_about(s, proxy_center(&view, &at), proxy_half_extents(&view, &at));
        all.low = vec3_lower(all.low, one.low);
        all.high = vec3_upper(all.high, one.high);
    }
    return all;
}

static bool is_only_sphere(const stream_body *body, const stream_shape *shapes)
{
    const proxy *only = &shapes[body->first_shape].proxy;
    return body->shape_count == 1 && only->type == SCREE_SHAPE_SPHERE && only->local == 0 && !body->fixed &&
           body->filter.group == 1 && body->filter.mask == UINT32_MAX;
}

static scree_status read_bodies(stream *s, int thread, uint64_t first, size_t count, bool places, scree_error *error)
{
    (void)places;
    const stream_body_source *source = s->source;
    stream_worker *worker = &s->detector->workers[thread];
    stream_bodies *read = &worker->read;
    read->bodies.count = read->shapes.count = 0;
    if (!array_resize(&worker->places, CHUNK))
        return fail_no_memory(error);
    scree_status status = source->read(source->context, thread, first, count, s->checked, read, error);
    if (status)
        return status;
    for (size_t i = 0; i < count; i++) {
        stream_body *body = &read->bodies.data[i];
        stream_place *place = &worker->places.data[i];
        *place = place_of(s, body, read->shapes.data);
        body->number = (uint32_t)(first + i);
        body->low = place->low;
        body->high = place->high;
        worker->only_spheres = worker->only_spheres && is_only_sphere(body, read->shapes.data);
    }
    return SCREE_OK;
}

static bool reserve_bodies(stream *s, uint64_t items, uint64_t shapes)
{
    stream_bodies *gathered = &s->detector->gathered;
    if (!array_reserve_exact(&gathered->bodies, (size_t)items) ||
        !array_reserve_exact(&gathered->shapes, (size_t)shapes))
        return false;
    gathered->bodies.count = (size_t)items;
    gathered->shapes.count = (size_t)shapes;
    return true;
}

static void put_body(stream *s, int thread, const stream_item *item)
{
    const stream_bodies *read = &s->detector->workers[thread].read;
    stream_bodies *gathered = &s->detector->gathered;
    const stream_body *body = &read->bodies.data[item->index];
    gathered->bodies.data[item->to] = *body;
    gathered->bodies.data[item->to].first_shape = item->to_shape;
    memcpy(&gathered->shapes.data[item->to_shape], &read->shapes.data[body->first_shape],
           body->shape_count * sizeof *gathered->shapes.data);
}

// ------------------------------------------------------------------------------------------------------------- layout

// The bodies of the box at hand by rising number, and the view of them that detection reads.
typedef struct body_box {
    stream *s;
    const stream_body **bodies;
    curve_cell *low; // by body: the cell of its low corner
    proxy_view view;
} body_box;

static int compare_words(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static bool order_bodies_of(body_box *box, const stream_box *at)
{
    const stream_body *bodies = box->s->detector->gathered.bodies.data + at->first;
    arena *scratch = &box->s->detector->scratch;
    size_t count = (size_t)at->count;
    uint64_t *places = arena_array(scratch, uint64_t, count);
    box->bodies = arena_array(scratch, const stream_body *, count);
    box->low = arena_array(scratch, curve_cell, count);
    if (!places || !box->bodies || !box->low)
        return false;
    bool rising = true;
    for (size_t i = 0; i < count; i++) {
        places[i] = (uint64_t)bodies[i].number << 32 | i;
        rising = rising && (i == 0 || places[i - 1] < places[i]);
    }
    if (!rising)
        qsort(places, count, sizeof *places, compare_words);
    for (size_t i = 0; i < count; i++) {
        box->bodies[i] = &bodies[(uint32_t)places[i]];
        box->low[i] = curve_cell_of(&box->s->curve, box->bodies[i]->low);
    }
    return true;
}

// Tables of the view while they are filled.
typedef struct view_tables {
    proxy *proxies;
    local_pose *locals;
    plane_geometry *planes;
    const scree_geometry **geometries;
    vec3 *centers;
    quat *orientations;
    float *margins;
    uint8_t *immovable;
    uint32_t proxy_count, local_count, plane_count, geometry_count;
} view_tables;

static bool take_tables(view_tables *t, size_t bodies, size_t shapes, arena *scratch)
{
    t->proxies = arena_array(scratch, proxy, shapes);
    t->locals = arena_array(scratch, local_pose, shapes + 1);
    t->planes = arena_array(scratch, plane_geometry, shapes);
    t->geometries = arena_array(scratch, const scree_geometry *, shapes);
    t->centers = arena_array(scratch, vec3, bodies);
    t->orientations = arena_array(scratch, quat, bodies);
    t->margins = arena_array(scratch, float, bodies);
    t->immovable = arena_array(scratch, uint8_t, bodies);
    return t->proxies && t->locals && t->planes && t->geometries && t->centers && t->orientations && t->margins &&
           t->immovable;
}

static void add_shape(view_tables *t, const stream_shape *shape, uint32_t body, uint32_t ordinal)
{
    proxy p = shape->proxy;
    p.body = body;
    p.ordinal = ordinal & 0x1ffff;
    if (p.local) {
        p.local = t->local_count;
        t->locals[t->local_count++] = shape->local;
    }
    if (p.type == SCREE_SHAPE_PLANE) {
        p.geometry = t->plane_count;
        t->planes[t->plane_count++] = shape->plane;
    } else if (proxy_has_geometry(&p)) {
        p.geometry = t->geometry_count;
        t->geometries[t->geometry_count++] = shape->geometry;
    }
    t->proxies[t->proxy_count++] = p;
}

static bool lay_out(body_box *box, const stream_box *at)
{
    const stream_shape *shapes = box->s->detector->gathered.shapes.data;
    view_tables t = {0};
    if (!take_tables(&t, (size_t)at->count, (size_t)at->shape_count, &box->s->detector->scratch))
        return false;
    t.locals[t.local_count++] = (local_pose){{0, 0, 0}, {1, 0, 0, 0}};
    for (uint32_t i = 0; i < at->count; i++) {
        const stream_body *body = box->bodies[i];
        t.centers[i] = body->center;
        t.orientations[i] = body->orientation;
        t.margins[i] = box->s->reach;
        t.immovable[i] = body->fixed;
        for (uint32_t k = 0; k < body->shape_count; k++)
            add_shape(&t, &shapes[body->first_shape + k], i, k);
    }
    box->view = (proxy_view){.proxies = t.proxies,
                             .proxy_count = t.proxy_count,
                             .locals = t.locals,
                             .planes = t.planes,
                             .geometries = t.geometries,
                             .centers = t.centers,
                             .orientations = t.orientations,
                             .margins = t.margins,
                             .immovable = t.immovable,
                             .body_count = (size_t)at->count};
    return true;
}

// -------------------------------------------------------------------------------------------------------------- pairs

static bool bounds_overlap(const stream_body *a, const stream_body *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static bool may_pair(const stream *s, const stream_body *a, const stream_body *b)
{
    const stream_body_source *source = s->source;
    return (a->filter.group & b->filter.mask) && (b->filter.group & a->filter.mask) && bounds_overlap(a, b) &&
           !(source->apart && source->apart(source->context, a->number, b->number));
}

static const uint64_t elsewhere = UINT64_MAX; // the key of a pair that is none of this box

static order_entry entry_of(const body_box *box, proxy_pair pair)
{
    proxy_pair at = pair.a < pair.b ? pair : (proxy_pair){pair.b, pair.a};
    uint32_t a = box->view.proxies[at.a].body, b = box->view.proxies[at.b].body;
    uint32_t key = curve_key_of_both(&box->s->curve, box->low[a], box->low[b]);
    bool here = stream_is_home(box->s, key) && may_pair(box->s, box->bodies[a], box->bodies[b]);
    return (order_entry){here ? key : elsewhere, (uint64_t)a << 32 | b, (uint64_t)at.a << 32 | at.b};
}

// The pairs of this box in their order; their number goes to `count`.
static order_entry *sort_pairs(const body_box *box, const proxy_pair *pairs, size_t *count)
{
    scree_detector *d = box->s->detector;
    size_t found = *count, kept = 0;
    order_entry *entries = arena_array(&d->scratch, order_entry, found);
    if (!entries)
        return NULL;
#pragma omp parallel for num_threads(d->threads) schedule(static)
    for (size_t i = 0; i < found; i++)
        entries[i] = entry_of(box, pairs[i]);
    for (size_t i = 0; i < found; i++)
        if (entries[i].key != elsewhere)
            entries[kept++] = entries[i];
    *count = kept;
    return order_sort(entries, kept, box->s->depth, d->threads, &d->scratch);
}

// Pairs of shapes as the narrow phase takes them, in blocks that divide no pair of bodies.
typedef struct pair_blocks {
    proxy_pair *pairs;
    size_t *start; // [count + 1]
    size_t count;
} pair_blocks;

static bool cut_blocks(const body_box *box, const order_entry *entries, size_t count, pair_blocks *blocks)
{
    arena *scratch = &box->s->detector->scratch;
    blocks->pairs = arena_array(scratch, proxy_pair, count);
    blocks->start = arena_array(scratch, size_t, count / PAIR_BLOCK + 2);
    if (!blocks->pairs || !blocks->start)
        return false;
    blocks->count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t a = (uint32_t)(entries[i].item >> 32), b = (uint32_t)entries[i].item;
        bool swap = box->view.immovable[box->view.proxies[a].body];
        blocks->pairs[i] = swap ? (proxy_pair){b, a} : (proxy_pair){a, b};
        if (i == 0 || (i - blocks->start[blocks->count - 1] >= PAIR_BLOCK && entries[i].pair != entries[i - 1].pair))
            blocks->start[blocks->count++] = i;
    }
    blocks->start[blocks->count] = count;
    return true;
}

// ----------------------------------------------------------------------------------------------------------- contacts

static bool finish_contacts(const body_box *box, stream_worker *worker, ready_contacts *ready)
{
    const stream *s = box->s;
    size_t count = worker->contacts.count;
    ready->count = 0;
    if (!array_reserve(ready, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        const contact *c = &worker->contacts.data[i];
        if (!((double)c->gap <= s->detector->def.margin))
            continue;
        vec3 point = vec3_add(box->view.centers[c->a], vec3_from_f(c->arm));
        scree_detect_contact made = stream_contact(s, box->bodies[c->a]->number, box->bodies[c->b]->number, point,
                                                   vec3_from_f(c->normal), (double)c->gap);
        const scree_detect_contact *last = ready->count > 0 ? &ready->data[ready->count - 1] : NULL;
        worker->tally.pairs += !last || last->a != made.a || last->b != made.b;
        tally_contact(&worker->tally, &made);
        ready->data[ready->count++] = made;
    }
    return true;
}

static bool detect_block(const body_box *box, const pair_blocks *blocks, size_t block, stream_worker *worker,
                         ready_contacts *ready)
{
    size_t first = blocks->start[block], count = blocks->start[block + 1] - first;
    worker->contacts.count = 0;
    return narrow_phase(&box->view, blocks->pairs + first, count, &worker->contacts) &&
           finish_contacts(box, worker, ready);
}

static scree_status report_failures(bool no_memory, bool refused, scree_error *error)
{
    if (no_memory)
        return fail_no_memory(error);
    return refused ? fail(error, SCREE_ERROR_IO, "the sink of contacts refused them") : SCREE_OK;
}

static scree_status hand_over_as_found(const body_box *box, const pair_blocks *blocks, scree_error *error)
{
    scree_detector *d = box->s->detector;
    bool no_memory = false, refused = false;
#pragma omp parallel for num_threads(d->threads) schedule(dynamic) reduction(|| : no_memory, refused)
    for (size_t block = 0; block < blocks->count; block++) {
        stream_worker *worker = &d->workers[thread_index()];
        if (no_memory || refused)
            continue;
        no_memory = !detect_block(box, blocks, block, worker, &worker->ready);
        if (!no_memory)
            refused = !stream_hand_over(box->s, thread_index(), worker->ready.data, worker->ready.count);
    }
    return report_failures(no_memory, refused, error);
}

// Blocks are detected a wave at a time, and each wave is handed over by one thread.
static scree_status hand_over_sorted(const body_box *box, const pair_blocks *blocks, scree_error *error)
{
    scree_detector *d = box->s->detector;
    bool no_memory = false, refused = false;
    for (size_t first = 0; first < blocks->count && !no_memory && !refused; first += STREAM_WAVE) {
        size_t wave = blocks->count - first < STREAM_WAVE ? blocks->count - first : STREAM_WAVE;
#pragma omp parallel for num_threads(d->threads) schedule(dynamic) reduction(|| : no_memory)
        for (size_t i = 0; i < wave; i++)
            no_memory = !detect_block(box, blocks, first + i, &d->workers[thread_index()], &d->wave[i]) || no_memory;
        for (size_t i = 0; i < wave && !no_memory && !refused; i++)
            refused = !stream_hand_over(box->s, 0, d->wave[i].data, d->wave[i].count);
    }
    return report_failures(no_memory, refused, error);
}

static scree_status detect_bodies(stream *s, const stream_box *at, scree_error *error)
{
    scree_detector *d = s->detector;
    body_box box = {.s = s};
    proxy_pair *pairs;
    size_t count;
    pair_blocks blocks;
    arena_reset(&d->scratch);
    if (at->shape_count >= UINT32_MAX)
        return fail(error, SCREE_ERROR_INVALID,
                    "one box of space has %llu shapes in it, at most 4,294,967,294 can be taken",
                    (unsigned long long)at->shape_count);
    if (!order_bodies_of(&box, at) || !lay_out(&box, at))
        return fail_no_memory(error);
    scree_status status = broad_phase(&box.view, d->threads, &d->scratch, &pairs, &count, error);
    if (status != SCREE_OK)
        return status == SCREE_ERROR_DIVERGED ? stream_report_far(error) : status;
    order_entry *entries = sort_pairs(&box, pairs, &count);
    if (!entries || !cut_blocks(&box, entries, count, &blocks))
        return fail_no_memory(error);
    return s->sorted ? hand_over_sorted(&box, &blocks, error) : hand_over_as_found(&box, &blocks, error);
}

const stream_kind stream_kind_bodies = {
    .chunk = CHUNK,
    .item_bytes = sizeof(stream_body),
    .shape_bytes = sizeof(stream_shape),
    .box_bytes = 1000,
    .read = read_bodies,
    .reserve = reserve_bodies,
    .put = put_body,
    .detect = detect_bodies,
};
