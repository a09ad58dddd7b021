// Spheres in a box go from the grid straight to contacts, without pairs in between (broad_spheres.h).
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "collide/broad/stream.h"
#include "collide/filter.h"

enum {
    CHUNK = 4096,    // spheres read at a time
    BATCH = 256,     // contacts handed over at a time
    LAYOUT = 1 << 14 // spheres laid out at a time
};

// ------------------------------------------------------------------------------------------------------------ reading

static bool read_array(void *user, uint64_t first, size_t count, scree_ball *out)
{
    memcpy(out, (const scree_ball *)user + first, count * sizeof *out);
    return true;
}

scree_ball_source scree_ball_array(const scree_ball *balls, size_t count)
{
    if ((!balls && count > 0))
        return (scree_ball_source){0};
    return (scree_ball_source){.read = read_array, .user = (void *)(uintptr_t)balls, .count = count};
}

static bool ball_is_valid(const scree_ball *ball)
{
    return vec3_finite(ball->position) && ball->radius >= 1e-15 && ball->radius <= 1e15;
}

static scree_status report_ball(const scree_ball *ball, uint64_t number, scree_error *error)
{
    return fail(error, SCREE_ERROR_INVALID,
                "sphere %llu: the centre must be finite and the radius from 1e-15 to 1e15, not (%g, %g, %g) and %g",
                (unsigned long long)number, ball->position.x, ball->position.y, ball->position.z, ball->radius);
}

static scree_status read_balls(stream *s, int thread, uint64_t first, size_t count, bool places, scree_error *error)
{
    const scree_ball_source *source = s->source;
    stream_worker *worker = &s->detector->workers[thread];
    if (!array_resize(&worker->balls, CHUNK) || !array_resize(&worker->places, CHUNK))
        return fail_no_memory(error);
    if (!source->read(source->user, first, count, worker->balls.data))
        return fail(error, SCREE_ERROR_IO, "the source of spheres cannot be read from number %llu on",
                    (unsigned long long)first);
    for (size_t i = 0; i < count; i++) {
        const scree_ball *ball = &worker->balls.data[i];
        if (!ball_is_valid(ball))
            return report_ball(ball, first + i, error);
        double radius = (double)(float)ball->radius;
        if (places)
            worker->places.data[i] = stream_place_about(s, ball->position, vec3_make(radius, radius, radius));
    }
    return SCREE_OK;
}

static bool reserve_balls(stream *s, uint64_t items, uint64_t shapes)
{
    (void)shapes;
    scree_detector *d = s->detector;
    if (!array_reserve_exact(&d->ball_centers, (size_t)items) || !array_reserve_exact(&d->ball_tags, (size_t)items))
        return false;
    d->ball_centers.count = d->ball_tags.count = (size_t)items;
    return true;
}

static void put_ball(stream *s, int thread, const stream_item *item)
{
    scree_detector *d = s->detector;
    const scree_ball *ball = &d->workers[thread].balls.data[item->index];
    float radius = (float)ball->radius;
    d->ball_centers.data[item->to] = ball->position;
    d->ball_tags.data[item->to] = (ball_tag){item->shared ? -radius : radius, (uint32_t)item->number};
}

// ---------------------------------------------------------------------------------------------------------- detecting

// The spheres of the box at hand, by the numbers that the broad phase gives them.
typedef struct sphere_box {
    stream *s;
    const vec3 *centers;
    const ball_tag *tags;
} sphere_box;

// One of the two spheres of a contact.
typedef struct sphere_end {
    vec3 center;
    double radius;
    uint32_t number;
} sphere_end;

// The only box holds all spheres in their order, so that nothing need be looked up.
static uint32_t number_of(const sphere_box *box, uint32_t ball)
{
    return box->s->depth == 0 ? ball : box->tags[ball].number;
}

static sphere_end end_of(const sphere_box *box, uint32_t ball)
{
    return (sphere_end){box->centers[ball], fabs((double)box->tags[ball].radius), number_of(box, ball)};
}

static sphere_end end_in_grid(const sphere_box *box, const grid_sphere *sphere)
{
    return (sphere_end){sphere->center, (double)sphere->data.radius, number_of(box, sphere->data.body)};
}

static curve_cell low_cell(const stream *s, const sphere_end *end)
{
    vec3 half = {end->radius, end->radius, end->radius};
    return curve_cell_of(&s->curve, stream_place_about(s, end->center, half).low);
}

static uint32_t key_of(const stream *s, const sphere_end *a, const sphere_end *b)
{
    return curve_key_of_both(&s->curve, low_cell(s, a), low_cell(s, b));
}

// The two are together in this box alone when one of them is in no other: its proxy's material tells.
static bool surely_at_home(const contact *c)
{
    return !(c->material_a & c->material_b);
}

// From the sphere with the lower number to the other, by numbers that do not depend on which was found first.
static scree_detect_contact finish_contact(const stream *s, const sphere_end *a, const sphere_end *b, const contact *c)
{
    bool turned = a->number > b->number;
    const sphere_end *first = turned ? b : a, *second = turned ? a : b;
    vec3 normal = vec3_from_f(c->normal), between = vec3_sub(second->center, first->center);
    if (turned)
        normal = vec3_negate(normal);
    if (!(vec3_dot(between, between) > 1e-300)) // as the narrow phase has it of spheres about one centre
        normal = vec3_make(0, 0, 1);
    vec3 point = vec3_add_scaled(first->center, normal, first->radius + 0.5 * (double)c->gap);
    return stream_contact(s, first->number, second->number, point, normal, (double)c->gap);
}

static void tally_batch(stream *s, int thread, const scree_detect_contact *contacts, size_t count)
{
    stream_tally *tally = &s->detector->workers[thread].tally, own = *tally;
    for (size_t i = 0; i < count; i++)
        tally_contact(&own, &contacts[i]);
    own.pairs += count;
    *tally = own;
}

// Contacts of this box alone, handed over as they are found.
static bool take_found(void *context, int thread, const contact *contacts, const sphere_pair *spheres, size_t count)
{
    const sphere_box *box = context;
    stream *s = box->s;
    scree_detect_contact batch[BATCH];
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const contact *c = &contacts[i];
        sphere_end a = end_in_grid(box, spheres[i].a), b = end_in_grid(box, spheres[i].b);
        if ((double)c->gap <= s->detector->def.margin && (surely_at_home(c) || stream_is_home(s, key_of(s, &a, &b))))
            batch[kept++] = finish_contact(s, &a, &b, c);
        if (kept == BATCH || i + 1 == count) {
            tally_batch(s, thread, batch, kept);
            if (!stream_hand_over(s, thread, batch, kept))
                return false;
            kept = 0;
        }
    }
    return true;
}

// An entry for each contact of this box; returns how many.
static size_t list_contacts(const sphere_box *box, const sphere_detection *found, order_entry *entries)
{
    const stream *s = box->s;
    size_t count = 0;
    for (size_t p = 0; p < found->piece_count; p++)
        for (size_t i = 0; i < found->pieces[p].count; i++) {
            const contact *c = &found->pieces[p].contacts[i];
            sphere_end a = end_of(box, c->a), b = end_of(box, c->b);
            uint32_t key = key_of(s, &a, &b);
            if ((double)c->gap <= s->detector->def.margin && stream_is_home(s, key))
                entries[count++] = (order_entry){key, slot_pair(a.number, b.number), (uintptr_t)c};
        }
    return count;
}

static bool hand_over_sorted(const sphere_box *box, const order_entry *entries, size_t count)
{
    stream *s = box->s;
    scree_detect_contact batch[BATCH];
    for (size_t begin = 0; begin < count; begin += BATCH) {
        size_t size = count - begin < BATCH ? count - begin : BATCH;
        for (size_t i = 0; i < size; i++) {
            const contact *c = (const contact *)(uintptr_t)entries[begin + i].item;
            sphere_end a = end_of(box, c->a), b = end_of(box, c->b);
            batch[i] = finish_contact(s, &a, &b, c);
        }
        tally_batch(s, 0, batch, size);
        if (!stream_hand_over(s, 0, batch, size))
            return false;
    }
    return true;
}

static scree_status detect_sorted(sphere_box *box, const proxy_view *view, scree_error *error)
{
    scree_detector *d = box->s->detector;
    scree_status status = sphere_contacts(&d->spheres, view, d->threads, error);
    if (status)
        return status;
    order_entry *entries = arena_array(&d->scratch, order_entry, d->spheres.count);
    if (!entries)
        return fail_no_memory(error);
    size_t count = list_contacts(box, &d->spheres, entries);
    entries = order_sort(entries, count, box->s->depth, d->threads, &d->scratch);
    if (!entries)
        return fail_no_memory(error);
    return hand_over_sorted(box, entries, count) ? SCREE_OK
                                                 : fail(error, SCREE_ERROR_IO, "the sink of contacts refused them");
}

// Margins of all spheres are the same, and none is fixed: tables that only ever grow.
static bool grow_tables(const stream *s, size_t count)
{
    scree_detector *d = s->detector;
    size_t margins = d->ball_margins.count, fixed = d->ball_fixed.count;
    if (count > margins && array_resize(&d->ball_margins, count))
        for (size_t i = margins; i < count; i++)
            d->ball_margins.data[i] = s->reach;
    if (count > fixed && array_resize(&d->ball_fixed, count))
        memset(d->ball_fixed.data + fixed, 0, count - fixed);
    return d->ball_margins.count >= count && d->ball_fixed.count >= count;
}

static bool lay_out(const sphere_box *box, size_t count, proxy_view *view)
{
    scree_detector *d = box->s->detector;
    proxy *proxies = arena_array(&d->scratch, proxy, count);
    if (!proxies || !grow_tables(box->s, count))
        return false;
    const ball_tag *tags = box->tags;
    size_t blocks = block_count(count, LAYOUT);
#pragma omp parallel for num_threads(d->threads) schedule(static)
    for (size_t block = 0; block < blocks; block++)
        for (size_t i = block * LAYOUT; i < block_end(block, LAYOUT, count); i++)
            proxies[i] = (proxy){.size = {fabsf(tags[i].radius)},
                                 .body = (uint32_t)i,
                                 .type = SCREE_SHAPE_SPHERE,
                                 .material = signbit(tags[i].radius) != 0};
    *view = (proxy_view){.proxies = proxies,
                         .proxy_count = count,
                         .centers = box->centers,
                         .margins = d->ball_margins.data,
                         .immovable = d->ball_fixed.data,
                         .body_count = count};
    return true;
}

static scree_status detect_balls(stream *s, const stream_box *at, scree_error *error)
{
    scree_detector *d = s->detector;
    sphere_box box = {s, d->ball_centers.data + at->first, d->ball_tags.data + at->first};
    proxy_view view;
    arena_reset(&d->scratch);
    if (!lay_out(&box, (size_t)at->count, &view))
        return fail_no_memory(error);
    scree_status status = s->sorted ? detect_sorted(&box, &view, error)
                                    : sphere_contacts_consume(&d->spheres, &view, d->threads, take_found, &box, error);
    return status == SCREE_ERROR_DIVERGED ? stream_report_far(error) : status;
}

const stream_kind stream_kind_spheres = {
    .chunk = CHUNK,
    .item_bytes = sizeof(vec3) + sizeof(ball_tag),
    .box_bytes = 192,
    .sorted_bytes = 320,
    .single = true,
    .read = read_balls,
    .reserve = reserve_balls,
    .put = put_ball,
    .detect = detect_balls,
};

scree_status scree_detect_spheres(scree_detector *detector, const scree_ball_source *source, scree_detect_sink *sink,
                                  void *user, scree_detect_result *result, scree_error *error)
{
    if (!detector || !source)
        return fail_null(error, "scree_detect_spheres");
    stream s = stream_make(detector, sink, user);
    s.kind = &stream_kind_spheres;
    s.source = source;
    s.count = source->count;
    return stream_run(&s, result, error);
}
