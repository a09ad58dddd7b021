// Boxes are sized by counting: when one holds more than its share of the memory, boxes are halved and counted again.
// The items of as many boxes as fit into memory are then gathered in one reading of the source, and the boxes
// detected one after another by all threads.
#include "collide/broad/stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"

enum {
    MOST_DEPTH = 21,
    LEAST_SHARE = 32,     // shapes in a box, below which cutting is no use
    MOST_SHARE = 4000000, // above which a box is no quicker
    LEAST_MEMORY = 1 << 16,
};

// ------------------------------------------------------------------------------------------------------- the detector

scree_detect_def scree_default_detect_def(void)
{
    return (scree_detect_def){.memory_bytes = 1000000000};
}

static scree_status check_def(const scree_detect_def *def, scree_error *error)
{
    if (def->threads < 0 || def->threads > STREAM_MOST_THREADS)
        return fail(error, SCREE_ERROR_INVALID, "threads are %d, must be 0 (all) to %d", def->threads,
                    STREAM_MOST_THREADS);
    if (def->memory_bytes < LEAST_MEMORY)
        return fail(error, SCREE_ERROR_INVALID, "the memory for detection is %llu bytes, must be at least %d",
                    (unsigned long long)def->memory_bytes, LEAST_MEMORY);
    if (!(def->margin >= 0 && def->margin <= 1e15))
        return fail(error, SCREE_ERROR_INVALID, "the margin is %g, must be from 0 to 1e15", def->margin);
    if (def->order != SCREE_DETECT_ORDER_FIXED && def->order != SCREE_DETECT_ORDER_AS_FOUND)
        return fail(error, SCREE_ERROR_INVALID,
                    "the order of contacts is %d, must be SCREE_DETECT_ORDER_FIXED or _AS_FOUND", (int)def->order);
    return SCREE_OK;
}

scree_status scree_detector_create(const scree_detect_def *def, scree_detector **detector, scree_error *error)
{
    if (!detector)
        return fail_null(error, "scree_detector_create");
    *detector = NULL;
    scree_status status = check_def(def, error);
    if (status)
        return status;
    int threads = def->threads ? def->threads : threads_available();
    threads = threads < STREAM_MOST_THREADS ? threads : STREAM_MOST_THREADS;
    scree_detector *made = calloc(1, sizeof *made);
    stream_worker *workers = calloc((size_t)threads, sizeof *workers);
    if (!made || !workers) {
        free(made);
        free(workers);
        return fail_no_memory(error);
    }
    made->def = *def;
    made->threads = threads;
    made->workers = workers;
    *detector = made;
    return SCREE_OK;
}

static void bodies_free(stream_bodies *bodies)
{
    array_free(&bodies->bodies);
    array_free(&bodies->shapes);
}

static void worker_free(stream_worker *worker)
{
    array_free(&worker->places);
    array_free(&worker->balls);
    array_free(&worker->given);
    bodies_free(&worker->read);
    array_free(&worker->entries);
    array_free(&worker->contacts);
    array_free(&worker->ready);
}

void scree_detector_destroy(scree_detector *detector)
{
    if (!detector)
        return;
    for (int t = 0; t < detector->threads; t++)
        worker_free(&detector->workers[t]);
    free(detector->workers);
    array_free(&detector->entries);
    array_free(&detector->cursors);
    array_free(&detector->ball_centers);
    array_free(&detector->ball_tags);
    array_free(&detector->ball_margins);
    array_free(&detector->ball_fixed);
    bodies_free(&detector->gathered);
    sphere_detection_free(&detector->spheres);
    arena_free(&detector->scratch);
    for (int i = 0; i < STREAM_WAVE; i++)
        array_free(&detector->wave[i]);
    free(detector);
}

static uint64_t bodies_bytes(const stream_bodies *bodies)
{
    return array_bytes(&bodies->bodies) + array_bytes(&bodies->shapes);
}

static uint64_t detector_bytes(const scree_detector *d)
{
    uint64_t bytes = array_bytes(&d->entries) + array_bytes(&d->cursors) + array_bytes(&d->ball_centers) +
                     array_bytes(&d->ball_tags) + array_bytes(&d->ball_margins) + array_bytes(&d->ball_fixed) +
                     bodies_bytes(&d->gathered) + sphere_detection_bytes(&d->spheres) + d->scratch.held;
    for (int t = 0; t < d->threads; t++) {
        const stream_worker *w = &d->workers[t];
        bytes += array_bytes(&w->places) + array_bytes(&w->balls) + array_bytes(&w->given) + bodies_bytes(&w->read) +
                 array_bytes(&w->entries) + array_bytes(&w->contacts) + array_bytes(&w->ready);
    }
    for (int i = 0; i < STREAM_WAVE; i++)
        bytes += array_bytes(&d->wave[i]);
    return bytes;
}

static void note_memory(stream *s)
{
    uint64_t bytes = detector_bytes(s->detector);
    s->figures.memory_bytes = bytes > s->figures.memory_bytes ? bytes : s->figures.memory_bytes;
}

// ------------------------------------------------------------------------------------------------- boxes of an item

typedef struct box_range { // in boxes along each axis
    uint32_t low[3], high[3];
    int shift[3];
} box_range;

static box_range boxes_of(const stream *s, const int shift[3], const stream_place *place)
{
    curve_cell low = curve_cell_of(&s->curve, place->low), high = curve_cell_of(&s->curve, place->high);
    box_range range;
    for (int axis = 0; axis < 3; axis++) {
        range.low[axis] = low.at[axis] >> shift[axis];
        range.high[axis] = high.at[axis] >> shift[axis];
        range.shift[axis] = shift[axis];
    }
    return range;
}

static bool range_is_shared(const box_range *range)
{
    return range->low[0] != range->high[0] || range->low[1] != range->high[1] || range->low[2] != range->high[2];
}

static uint64_t box_at(const stream *s, const box_range *range, uint32_t x, uint32_t y, uint32_t z)
{
    curve_cell corner = {{x << range->shift[0], y << range->shift[1], z << range->shift[2]}};
    return curve_key(&s->curve, corner) >> (CURVE_BITS - s->depth);
}

#define FOR_BOXES(s, range, box)                                                                                       \
    for (uint32_t z_ = (range).low[2]; z_ <= (range).high[2]; z_++)                                                    \
        for (uint32_t y_ = (range).low[1]; y_ <= (range).high[1]; y_++)                                                \
            for (uint32_t x_ = (range).low[0]; x_ <= (range).high[0]; x_++)                                            \
                for (uint64_t box = box_at(s, &(range), x_, y_, z_), once_ = 1; once_; once_ = 0)

static uint64_t box_count(const stream *s)
{
    return (uint64_t)1 << s->depth;
}

// ----------------------------------------------------------------------------------------------- readings of the
// source

// The task of a thread with each chunk that it reads.
typedef void chunk_taker(stream *s, int thread, uint64_t first, size_t count);

static void note_failure(stream_worker *worker, uint64_t first, scree_status status, const scree_error *error)
{
    if (worker->status != SCREE_OK && worker->failed < first)
        return;
    worker->status = status;
    worker->failed = first;
    worker->error = *error;
}

static void read_chunk(stream *s, int thread, uint64_t chunk, bool places, chunk_taker *take)
{
    stream_worker *worker = &s->detector->workers[thread];
    uint64_t first = chunk * s->kind->chunk;
    size_t count = (size_t)(block_end(chunk, s->kind->chunk, s->count) - first);
    if (worker->status != SCREE_OK && worker->failed < first)
        return;
    scree_error error;
    scree_status status = s->kind->read(s, thread, first, count, places, &error);
    if (status == SCREE_OK)
        take(s, thread, first, count);
    else
        note_failure(worker, first, status, &error);
}

// Input that is wrong is reported for the first item that it is wrong of, whichever thread met it, and when.
static scree_status read_source(stream *s, bool places, chunk_taker *take, scree_error *error)
{
    scree_detector *d = s->detector;
    uint64_t chunks = block_count(s->count, s->kind->chunk);
    for (int t = 0; t < d->threads; t++)
        d->workers[t].status = SCREE_OK;
#pragma omp parallel for num_threads(d->threads) schedule(dynamic)
    for (uint64_t chunk = 0; chunk < chunks; chunk++)
        read_chunk(s, thread_index(), chunk, places, take);
    s->figures.readings++;
    const stream_worker *failed = NULL;
    for (int t = 0; t < d->threads; t++) {
        const stream_worker *w = &d->workers[t];
        if (w->status != SCREE_OK && (!failed || w->failed < failed->failed))
            failed = w;
    }
    if (failed && error)
        *error = failed->error;
    return failed ? failed->status : SCREE_OK;
}

static void take_survey(stream *s, int thread, uint64_t first, size_t count)
{
    (void)first;
    stream_worker *worker = &s->detector->workers[thread];
    for (size_t i = 0; i < count; i++) {
        const stream_place *place = &worker->places.data[i];
        worker->shapes += place->shapes;
        if (!isfinite(place->low.x)) // a plane is everywhere
            continue;
        worker->low = vec3_lower(worker->low, place->center);
        worker->high = vec3_upper(worker->high, place->center);
    }
}

// Lays the curve through all centres; finds how many shapes there are.
static scree_status survey_source(stream *s, uint64_t *shapes, scree_error *error)
{
    scree_detector *d = s->detector;
    const vec3 most = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (int t = 0; t < d->threads; t++) {
        d->workers[t].low = most;
        d->workers[t].high = vec3_negate(most);
        d->workers[t].shapes = 0;
        d->workers[t].only_spheres = true;
    }
    scree_status status = read_source(s, true, take_survey, error);
    vec3 low = most, high = vec3_negate(most);
    *shapes = 0;
    for (int t = 0; t < d->threads; t++) {
        low = vec3_lower(low, d->workers[t].low);
        high = vec3_upper(high, d->workers[t].high);
        *shapes += d->workers[t].shapes;
    }
    if (low.x > high.x) // nothing but planes
        low = high = vec3_make(0, 0, 0);
    curve_make(&s->curve, low, high);
    s->checked = status == SCREE_OK;
    return status;
}

static void take_entries(stream *s, int thread, uint64_t first, size_t count)
{
    (void)first;
    stream_worker *worker = &s->detector->workers[thread];
    uint64_t *entries = worker->entries.data;
    int shift[3];
    curve_shifts(&s->curve, s->depth, shift);
    for (size_t i = 0; i < count; i++) {
        const stream_place *place = &worker->places.data[i];
        box_range range = boxes_of(s, shift, place);
        FOR_BOXES(s, range, box)
        {
            entries[2 * box]++;
            entries[2 * box + 1] += place->shapes;
        }
    }
}

// How many items and shapes are in each box.
static scree_status count_entries(stream *s, uint64_t *all, uint64_t *most, scree_error *error)
{
    scree_detector *d = s->detector;
    size_t numbers = 2 * (size_t)box_count(s);
    bool enough = array_resize(&d->entries, numbers);
    for (int t = 0; t < d->threads && enough; t++) {
        enough = array_resize(&d->workers[t].entries, numbers);
        if (enough)
            memset(d->workers[t].entries.data, 0, numbers * sizeof(uint64_t));
    }
    if (!enough)
        return fail_no_memory(error);
    scree_status status = read_source(s, true, take_entries, error);
    *all = *most = 0;
    for (size_t i = 0; i < numbers; i++) {
        d->entries.data[i] = 0;
        for (int t = 0; t < d->threads; t++)
            d->entries.data[i] += d->workers[t].entries.data[i];
        if (i % 2 == 1) {
            *all += d->entries.data[i];
            *most = d->entries.data[i] > *most ? d->entries.data[i] : *most;
        }
    }
    return status;
}

// --------------------------------------------------------------------------------------------------- sizes of boxes

static uint64_t box_bytes(const stream *s)
{
    return s->kind->box_bytes + (s->sorted ? s->kind->sorted_bytes : 0);
}

// A quarter of the memory is for the box at hand.
static uint64_t share_of_box(const stream *s)
{
    uint64_t share = s->detector->def.memory_bytes / 4 / box_bytes(s);
    share = share < MOST_SHARE ? share : MOST_SHARE;
    return share > LEAST_SHARE ? share : LEAST_SHARE;
}

// Tables by box shall not use up the memory either.
static int most_depth(const stream *s)
{
    uint64_t bytes = 2 * sizeof(uint64_t) * (uint64_t)(s->detector->threads + 2);
    int depth = 6;
    while (depth < MOST_DEPTH && (bytes << (depth + 1)) <= s->detector->def.memory_bytes / 8)
        depth++;
    return depth;
}

static int halvings(double parts)
{
    int exponent;
    double fraction = frexp(parts, &exponent); // parts = fraction 2^exponent, fraction in [1/2, 1)
    return parts <= 1 ? 0 : fraction == 0.5 ? exponent - 1 : exponent;
}

// All items in one box, of which no more need be known.
static scree_status take_one_box(stream *s, uint64_t shapes, scree_error *error)
{
    if (!array_resize(&s->detector->entries, 2))
        return fail_no_memory(error);
    s->detector->entries.data[0] = s->count;
    s->detector->entries.data[1] = shapes;
    return SCREE_OK;
}

// Bodies that turned out to be nothing but spheres are detected as such.
static void take_plain_way(stream *s)
{
    bool only_spheres = s->as_balls;
    for (int t = 0; t < s->detector->threads; t++)
        only_spheres = only_spheres && s->detector->workers[t].only_spheres;
    if (!only_spheres)
        return;
    s->kind = &stream_kind_spheres;
    s->source = s->as_balls;
}

static scree_status find_boxes(stream *s, scree_error *error)
{
    uint64_t shapes = s->count;
    scree_status status = SCREE_OK;
    if (s->sorted || s->count > share_of_box(s) || !s->kind->single) {
        status = survey_source(s, &shapes, error);
        take_plain_way(s);
    }
    uint64_t share = share_of_box(s);
    if (status != SCREE_OK || shapes <= share)
        return status == SCREE_OK ? take_one_box(s, shapes, error) : status;
    int most = most_depth(s), more = halvings((double)shapes / (0.7 * (double)share));
    uint64_t all = 0, fullest = shapes;
    while (status == SCREE_OK && fullest > share && s->depth < most) {
        s->depth = s->depth + more < most ? s->depth + more : most;
        status = count_entries(s, &all, &fullest, error);
        // Smaller boxes are no help when items are larger than they are: then the fullest box must do.
        if (all > 8 * shapes)
            break;
        more = halvings((double)fullest / (double)share);
        more = more > 1 ? more : 1;
    }
    return status;
}

// --------------------------------------------------------------------------------------------- gathering and detecting

// The place of `count` more shapes of a box.
static uint64_t advance(uint64_t *cursor, uint64_t count)
{
    uint64_t at;
#pragma omp atomic capture
    {
        at = *cursor;
        *cursor += count;
    }
    return at;
}

static scree_status report_change(uint64_t number, scree_error *error)
{
    return fail(error, SCREE_ERROR_INVALID,
                "the source changed from one reading to the next, by number %llu; it must always give the same",
                (unsigned long long)number);
}

// A source that gives something else than before must not write where there is no room for it.
static void put_item(stream *s, int thread, const stream_item *item, uint64_t shapes)
{
    if (item->to < s->gathered[0] && item->to_shape + shapes <= s->gathered[1]) {
        s->kind->put(s, thread, item);
        return;
    }
    scree_error error;
    scree_status status = report_change(item->number, &error);
    note_failure(&s->detector->workers[thread], item->number, status, &error);
}

static void take_items(stream *s, int thread, uint64_t first, size_t count)
{
    scree_detector *d = s->detector;
    const stream_worker *worker = &d->workers[thread];
    int shift[3];
    curve_shifts(&s->curve, s->depth, shift);
    for (size_t i = 0; i < count; i++) {
        const stream_place *place = &worker->places.data[i];
        box_range range = boxes_of(s, shift, place);
        FOR_BOXES(s, range, box)
        {
            if (box < s->first_box || box >= s->end_box)
                continue;
            uint64_t *cursor = &d->cursors.data[2 * (box - s->first_box)];
            stream_item item = {.index = i, .number = first + i, .shared = range_is_shared(&range)};
            item.to = item.to_shape = advance(cursor, 1);
            if (!s->kind->single)
                item.to_shape = advance(cursor + 1, place->shapes);
            put_item(s, thread, &item, place->shapes);
        }
    }
}

// Gathers a chunk where there is one box only: items keep their order.
static void take_all_items(stream *s, int thread, uint64_t first, size_t count)
{
    const stream_worker *worker = &s->detector->workers[thread];
    for (size_t i = 0; i < count; i++) {
        stream_item item = {.index = i, .number = first + i, .to = first + i, .to_shape = first + i};
        if (!s->kind->single)
            item.to_shape = advance(&s->detector->cursors.data[1], worker->places.data[i].shapes);
        put_item(s, thread, &item, s->kind->single ? 1 : worker->places.data[i].shapes);
    }
}

// Did every box of the group get as many items as were counted?
static bool boxes_are_full(const stream *s)
{
    const scree_detector *d = s->detector;
    uint64_t ends[2] = {0, 0};
    for (size_t i = 0; i < d->cursors.count; i++) {
        ends[i % 2] += d->entries.data[2 * s->first_box + i];
        bool is_used = i % 2 == 0 ? s->depth > 0 : !s->kind->single;
        if (is_used && d->cursors.data[i] != ends[i % 2])
            return false;
    }
    return true;
}

static scree_status gather_group(stream *s, scree_error *error)
{
    scree_detector *d = s->detector;
    uint64_t sums[2] = {0, 0};
    if (!array_resize(&d->cursors, 2 * (size_t)(s->end_box - s->first_box)))
        return fail_no_memory(error);
    for (size_t i = 0; i < d->cursors.count; i++) {
        d->cursors.data[i] = sums[i % 2];
        sums[i % 2] += d->entries.data[2 * s->first_box + i];
    }
    if (!s->kind->reserve(s, sums[0], sums[1]))
        return fail_no_memory(error);
    memcpy(s->gathered, sums, sizeof sums);
    bool one = s->depth == 0;
    scree_status status = read_source(s, !one || !s->kind->single, one ? take_all_items : take_items, error);
    return status == SCREE_OK && !boxes_are_full(s) ? report_change(s->count, error) : status;
}

static scree_status detect_group(stream *s, scree_error *error)
{
    double start = clock_seconds();
    scree_status status = gather_group(s, error);
    double middle = clock_seconds();
    s->figures.read_s += middle - start;
    stream_box box = {0};
    for (s->box = s->first_box; status == SCREE_OK && s->box < s->end_box; s->box++) {
        const uint64_t *entries = &s->detector->entries.data[2 * s->box];
        box.count = entries[0];
        box.shape_count = entries[1];
        s->figures.boxes += box.count > 0;
        if (box.count > 1)
            status = s->kind->detect(s, &box, error);
        box.first += box.count;
        box.first_shape += box.shape_count;
        note_memory(s);
    }
    s->figures.detect_s += clock_seconds() - middle;
    return status;
}

// Boxes from `first` on that can be gathered together: one at least.
static uint64_t group_end(const stream *s, uint64_t first, uint64_t room)
{
    const uint64_t *entries = s->detector->entries.data;
    uint64_t end = first, bytes = 0;
    while (end < box_count(s)) {
        bytes += entries[2 * end] * s->kind->item_bytes + entries[2 * end + 1] * s->kind->shape_bytes;
        if (end > first && bytes > room)
            break;
        end++;
    }
    return end;
}

static scree_status detect_groups(stream *s, scree_error *error)
{
    uint64_t fullest = 0, memory = s->detector->def.memory_bytes;
    for (uint64_t box = 0; box < box_count(s); box++) {
        uint64_t shapes = s->detector->entries.data[2 * box + 1];
        fullest = shapes > fullest ? shapes : fullest;
    }
    uint64_t at_hand = fullest * box_bytes(s), room = memory > at_hand ? memory - at_hand : 0;
    scree_status status = SCREE_OK;
    for (s->first_box = 0; status == SCREE_OK && s->first_box < box_count(s); s->first_box = s->end_box) {
        s->end_box = group_end(s, s->first_box, room);
        status = detect_group(s, error);
    }
    return status;
}

static void sum_tallies(stream *s)
{
    stream_tally sum = {.least_gap = 0, .least_a = UINT64_MAX};
    for (int t = 0; t < s->detector->threads; t++) {
        const stream_tally *own = &s->detector->workers[t].tally;
        sum.pairs += own->pairs;
        sum.contacts += own->contacts;
        sum.overlapping += own->overlapping;
        if (own->least_gap < sum.least_gap ||
            (own->least_gap == sum.least_gap &&
             (own->least_a < sum.least_a || (own->least_a == sum.least_a && own->least_b < sum.least_b)))) {
            sum.least_gap = own->least_gap;
            sum.least_a = own->least_a;
            sum.least_b = own->least_b;
        }
    }
    s->figures.bodies = s->count;
    s->figures.pairs = sum.pairs;
    s->figures.contacts = sum.contacts;
    s->figures.overlapping = sum.overlapping;
    if (sum.overlapping > 0) {
        s->figures.deepest = -sum.least_gap;
        s->figures.deepest_a = sum.least_a;
        s->figures.deepest_b = sum.least_b;
    }
}

scree_status stream_report_far(scree_error *error)
{
    return fail(
        error, SCREE_ERROR_DIVERGED,
        "a body is outside the representable world: its distance from the origin must be below about 1e11 times "
        "the size of the smallest shape");
}

stream stream_make(scree_detector *detector, scree_detect_sink *sink, void *user)
{
    stream s = {.detector = detector, .sink = sink, .user = user, .half_margin = 0.5 * detector->def.margin};
    s.sorted = sink && detector->def.order == SCREE_DETECT_ORDER_FIXED;
    s.reach = (float)s.half_margin;
    if ((double)s.reach < s.half_margin)
        s.reach = nextafterf(s.reach, INFINITY);
    return s;
}

scree_status stream_run(stream *s, scree_detect_result *result, scree_error *error)
{
    if (s->count >= UINT32_MAX)
        return fail(error, SCREE_ERROR_INVALID, "a collection may have at most 4,294,967,294 bodies, not %llu",
                    (unsigned long long)s->count);
    for (int t = 0; t < s->detector->threads; t++)
        s->detector->workers[t].tally = (stream_tally){.least_a = UINT64_MAX};
    scree_status status = SCREE_OK;
    if (s->count > 0) {
        double start = clock_seconds();
        status = find_boxes(s, error);
        s->figures.read_s = clock_seconds() - start;
        if (status == SCREE_OK)
            status = detect_groups(s, error);
    }
    note_memory(s);
    sum_tallies(s);
    if (result)
        *result = s->figures;
    return status;
}
