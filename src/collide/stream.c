// Boxes are sized by counting: when one holds more than its share of the memory, boxes are halved and counted again.
// The spheres of as many boxes as fit into memory are then gathered in one reading of the source, and the boxes
// detected one after another by all threads.
#include "collide/stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"

enum {
    CHUNK = 8192,      // spheres read at a time
    MOST_ACROSS = 128, // boxes along an axis
    GATHER_BYTES = sizeof(vec3) + sizeof(proxy) + sizeof(uint32_t),
    DETECT_BYTES = 160, // per sphere of a box, for its grid and its flags
    MOST_THREADS = STREAM_MOST_THREADS,
};

typedef struct box_grid {
    vec3 low;
    double per_edge[3]; // boxes per length
    int across[3];
} box_grid;

typedef struct stream {
    const stream_source *source;
    stream_options options;
    contact_consumer *consumer;
    void *context;
    box_grid boxes;
    uint64_t box_count;
    uint64_t *entries; // by box
    // Of the group of boxes at hand:
    uint64_t first_box, end_box;
    uint64_t *cursor; // by box: where its next sphere goes
    vec3 *centres;
    proxy *proxies;
    uint32_t *numbers; // of spheres in the source
    // Of the box at hand:
    uint64_t box, box_first;
    stream_figures figures;
} stream;

// ------------------------------------------------------------------------------------------------------- boxes of a
// sphere

// Bounds grown a little, so that no rounding separates two that touch. Everything below uses these numbers alone.
static inline vec3 low_corner(vec3 centre, double radius)
{
    double r = radius * (1 + 1e-6);
    return vec3_make(centre.x - r - 1e-14 * fabs(centre.x), centre.y - r - 1e-14 * fabs(centre.y),
                     centre.z - r - 1e-14 * fabs(centre.z));
}

static inline vec3 high_corner(vec3 centre, double radius)
{
    return vec3_negate(low_corner(vec3_negate(centre), radius));
}

static inline int axis_box(const box_grid *grid, int axis, double at)
{
    double along = (at - vec3_get(grid->low, axis)) * grid->per_edge[axis];
    int last = grid->across[axis] - 1;
    return along > 0 ? along < last ? (int)along : last : 0;
}

static inline uint64_t box_of(const box_grid *grid, int x, int y, int z)
{
    return ((uint64_t)z * (uint64_t)grid->across[1] + (uint64_t)y) * (uint64_t)grid->across[0] + (uint64_t)x;
}

typedef struct box_range {
    int low[3], high[3];
} box_range;

static inline box_range boxes_of_sphere(const box_grid *grid, const stream_sphere *sphere)
{
    vec3 low = low_corner(sphere->centre, (double)sphere->radius);
    vec3 high = high_corner(sphere->centre, (double)sphere->radius);
    return (box_range){{axis_box(grid, 0, low.x), axis_box(grid, 1, low.y), axis_box(grid, 2, low.z)},
                       {axis_box(grid, 0, high.x), axis_box(grid, 1, high.y), axis_box(grid, 2, high.z)}};
}

#define FOR_BOXES(range, grid, box)                                                                                    \
    for (int z_ = (range).low[2]; z_ <= (range).high[2]; z_++)                                                         \
        for (int y_ = (range).low[1]; y_ <= (range).high[1]; y_++)                                                     \
            for (uint64_t box = box_of(grid, (range).low[0], y_, z_), last_ = box_of(grid, (range).high[0], y_, z_);   \
                 box <= last_; box++)

// The box that a contact belongs to.
static inline uint64_t home_box(const box_grid *grid, vec3 centre_a, double radius_a, vec3 centre_b, double radius_b)
{
    vec3 a = low_corner(centre_a, radius_a), b = low_corner(centre_b, radius_b);
    return box_of(grid, axis_box(grid, 0, a.x > b.x ? a.x : b.x), axis_box(grid, 1, a.y > b.y ? a.y : b.y),
                  axis_box(grid, 2, a.z > b.z ? a.z : b.z));
}

// ---------------------------------------------------------------------------------------------------- readings of the
// source

typedef struct chunk_worker { // what a thread does with each chunk that it reads
    void (*take)(stream *s, const stream_sphere *spheres, uint64_t first, size_t count, void *own);
    void *own[MOST_THREADS];
} chunk_worker;

static scree_status read_source(stream *s, chunk_worker *worker, scree_error *error)
{
    uint64_t chunks = block_count(s->source->count, CHUNK);
    bool done = true;
#pragma omp parallel for num_threads(s->options.threads) schedule(dynamic) reduction(&& : done)
    for (uint64_t chunk = 0; chunk < chunks; chunk++) {
        stream_sphere spheres[CHUNK];
        uint64_t first = chunk * CHUNK;
        size_t count = (size_t)(block_end(chunk, CHUNK, s->source->count) - first);
        if (!done || !s->source->read(s->source->context, first, count, spheres))
            done = false;
        else
            worker->take(s, spheres, first, count, worker->own[thread_index()]);
    }
    s->figures.passes++;
    return done ? SCREE_OK : fail(error, SCREE_IO, "the source of spheres cannot be read");
}

typedef struct extent {
    vec3 low, high;
    bool valid;
} extent;

static void take_extent(stream *s, const stream_sphere *spheres, uint64_t first, size_t count, void *own)
{
    (void)s, (void)first;
    extent *found = own;
    for (size_t i = 0; i < count; i++) {
        vec3 c = spheres[i].centre;
        found->low = vec3_lower(found->low, c);
        found->high = vec3_upper(found->high, c);
        found->valid = found->valid && vec3_finite(c) && spheres[i].radius > 0 && spheres[i].radius < 1e30f;
    }
}

static scree_status find_extent(stream *s, extent *total, scree_error *error)
{
    static const extent none = {{(double)INFINITY, (double)INFINITY, (double)INFINITY},
                                {(double)-INFINITY, (double)-INFINITY, (double)-INFINITY},
                                true};
    extent own[MOST_THREADS];
    chunk_worker worker = {.take = take_extent};
    for (int t = 0; t < s->options.threads; t++) {
        own[t] = none;
        worker.own[t] = &own[t];
    }
    scree_status status = read_source(s, &worker, error);
    *total = none;
    for (int t = 0; t < s->options.threads; t++) {
        total->low = vec3_lower(total->low, own[t].low);
        total->high = vec3_upper(total->high, own[t].high);
        total->valid = total->valid && own[t].valid;
    }
    if (status == SCREE_OK && !total->valid)
        return fail(error, SCREE_INVALID, "a sphere has a centre that is not finite, or a radius outside (0, 1e30)");
    return status;
}

static void take_entries(stream *s, const stream_sphere *spheres, uint64_t first, size_t count, void *own)
{
    (void)first;
    uint64_t *entries = own;
    for (size_t i = 0; i < count; i++) {
        box_range range = boxes_of_sphere(&s->boxes, &spheres[i]);
        FOR_BOXES(range, &s->boxes, box)
        entries[box]++;
    }
}

static scree_status count_entries(stream *s, scree_error *error)
{
    free(s->entries);
    size_t boxes = (size_t)s->box_count;
    s->entries = calloc(boxes * (size_t)s->options.threads, sizeof *s->entries);
    if (!s->entries)
        return fail_no_memory(error);
    chunk_worker worker = {.take = take_entries};
    for (int t = 0; t < s->options.threads; t++)
        worker.own[t] = s->entries + boxes * (size_t)t;
    scree_status status = read_source(s, &worker, error);
    s->figures.entries = s->figures.boxes = 0;
    for (size_t box = 0; box < boxes; box++) {
        for (int t = 1; t < s->options.threads; t++)
            s->entries[box] += s->entries[boxes * (size_t)t + box];
        s->figures.entries += s->entries[box];
        s->figures.boxes += s->entries[box] > 0;
    }
    return status;
}

static uint64_t most_entries(const stream *s)
{
    uint64_t most = 0;
    for (uint64_t box = 0; box < s->box_count; box++)
        most = s->entries[box] > most ? s->entries[box] : most;
    return most;
}

// Boxes like cubes as far as possible, about `wanted` of them.
static void cut_boxes(stream *s, const extent *all, double wanted)
{
    vec3 size = vec3_sub(all->high, all->low);
    double longest = fmax(vec3_max(size), 1e-300), volume = 1;
    for (int axis = 0; axis < 3; axis++)
        volume *= fmax(vec3_get(size, axis) / longest, 1e-3);
    s->box_count = 1;
    s->boxes.low = all->low;
    for (int axis = 0; axis < 3; axis++) {
        double along = fmax(vec3_get(size, axis), 1e-3 * longest);
        double across = ceil(along / longest * cbrt(wanted / volume) - 1e-9);
        s->boxes.across[axis] = (int)fmin(fmax(across, 1), MOST_ACROSS);
        s->boxes.per_edge[axis] = s->boxes.across[axis] / along;
        s->box_count *= (uint64_t)s->boxes.across[axis];
    }
}

static scree_status find_boxes(stream *s, scree_error *error)
{
    extent all;
    scree_status status = find_extent(s, &all, error);
    uint64_t share = s->options.box_spheres;
    double wanted = (double)s->source->count / (0.7 * (double)share);
    uint64_t last_count = 0;
    while (status == SCREE_OK) {
        cut_boxes(s, &all, wanted);
        status = count_entries(s, error);
        // Finer boxes are no help when spheres are larger than they are: then the largest box must do.
        if (most_entries(s) <= share || s->box_count == last_count || s->figures.entries > 8 * s->source->count)
            break;
        last_count = s->box_count;
        wanted *= 8;
    }
    return status;
}

// -------------------------------------------------------------------------------------------------------- gathering

static void take_spheres(stream *s, const stream_sphere *spheres, uint64_t first, size_t count, void *own)
{
    (void)own;
    for (size_t i = 0; i < count; i++) {
        box_range range = boxes_of_sphere(&s->boxes, &spheres[i]);
        if (box_of(&s->boxes, range.high[0], range.high[1], range.high[2]) < s->first_box ||
            box_of(&s->boxes, range.low[0], range.low[1], range.low[2]) >= s->end_box)
            continue;
        FOR_BOXES(range, &s->boxes, box)
        {
            if (box < s->first_box || box >= s->end_box)
                continue;
            uint64_t to;
#pragma omp atomic capture
            to = s->cursor[box - s->first_box]++;
            s->centres[to] = spheres[i].centre;
            s->proxies[to] = (proxy){.size = {spheres[i].radius}, .type = SCREE_SPHERE};
            s->numbers[to] = (uint32_t)(first + i);
        }
    }
}

static scree_status gather_group(stream *s, scree_error *error)
{
    uint64_t sum = 0;
    for (uint64_t box = s->first_box; box < s->end_box; box++) {
        s->cursor[box - s->first_box] = sum;
        sum += s->entries[box];
    }
    chunk_worker worker = {.take = take_spheres};
    return read_source(s, &worker, error);
}

// -------------------------------------------------------------------------------------------------------- detecting

// Contacts of this box alone, under the numbers of the source.
static bool deliver(void *context, int thread, const contact *contacts, size_t count)
{
    enum { PART = 256 };
    stream *s = context;
    contact own[PART];
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t a = s->box_first + contacts[i].a, b = s->box_first + contacts[i].b;
        own[kept] = contacts[i];
        own[kept].a = s->numbers[a];
        own[kept].b = s->numbers[b];
        kept += home_box(&s->boxes, s->centres[a], (double)s->proxies[a].size[0], s->centres[b],
                         (double)s->proxies[b].size[0]) == s->box;
        if (kept == PART || i + 1 == count) {
            if (kept > 0 && !s->consumer(s->context, thread, own, kept))
                return false;
            kept = 0;
        }
    }
    return true;
}

static scree_status detect_box(stream *s, sphere_detection *detection, const float *margins, const uint8_t *immovable,
                               scree_error *error)
{
    uint64_t count = s->entries[s->box];
    proxy *proxies = s->proxies + s->box_first;
    for (uint64_t i = 0; i < count; i++)
        proxies[i].body = (uint32_t)i;
    proxy_view view = {.proxies = proxies,
                       .proxy_count = (size_t)count,
                       .centres = s->centres + s->box_first,
                       .margins = margins,
                       .immovable = immovable,
                       .body_count = (size_t)count};
    return sphere_contacts_consume(detection, &view, s->options.threads, deliver, s, error);
}

static scree_status detect_group(stream *s, sphere_detection *detection, const float *margins, const uint8_t *immovable,
                                 scree_error *error)
{
    double start = clock_seconds();
    scree_status status = gather_group(s, error);
    s->figures.read_s += clock_seconds() - start;
    start = clock_seconds();
    s->box_first = 0;
    for (s->box = s->first_box; status == SCREE_OK && s->box < s->end_box; s->box++) {
        if (s->entries[s->box] > 1)
            status = detect_box(s, detection, margins, immovable, error);
        s->box_first += s->entries[s->box];
    }
    s->figures.detect_s += clock_seconds() - start;
    return status;
}

static uint64_t group_end(const stream *s, uint64_t first, uint64_t room)
{
    uint64_t end = first, sum = 0;
    while (end < s->box_count && (end == first || sum + s->entries[end] <= room))
        sum += s->entries[end++];
    return end;
}

static scree_status detect_groups(stream *s, scree_error *error)
{
    uint64_t most = most_entries(s), room = s->options.memory_bytes / GATHER_BYTES;
    uint64_t in_boxes = most * DETECT_BYTES / GATHER_BYTES;
    room = room > in_boxes + most ? room - in_boxes : most;
    room = room < s->figures.entries ? room : s->figures.entries;
    sphere_detection detection = {0};
    float *margins = calloc((size_t)most + 1, sizeof *margins);
    uint8_t *immovable = calloc((size_t)most + 1, sizeof *immovable);
    s->cursor = calloc((size_t)s->box_count, sizeof *s->cursor);
    s->centres = malloc((size_t)room * sizeof *s->centres);
    s->proxies = malloc((size_t)room * sizeof *s->proxies);
    s->numbers = malloc((size_t)room * sizeof *s->numbers);
    scree_status status = SCREE_OK;
    if (!margins || !immovable || !s->cursor || !s->centres || !s->proxies || !s->numbers)
        status = fail_no_memory(error);
    for (s->first_box = 0; status == SCREE_OK && s->first_box < s->box_count; s->first_box = s->end_box) {
        s->end_box = group_end(s, s->first_box, room);
        status = detect_group(s, &detection, margins, immovable, error);
    }
    sphere_detection_free(&detection);
    free(margins);
    free(immovable);
    free(s->cursor);
    free(s->centres);
    free(s->proxies);
    free(s->numbers);
    return status;
}

scree_status stream_contacts(const stream_source *source, const stream_options *options, contact_consumer *consumer,
                             void *context, stream_figures *figures, scree_error *error)
{
    if (source->count >= UINT32_MAX)
        return fail(error, SCREE_INVALID, "a collection may have at most 2^32 - 2 spheres, not %llu",
                    (unsigned long long)source->count);
    if (options->threads < 1 || options->threads > MOST_THREADS)
        return fail(error, SCREE_INVALID, "the number of threads must be from 1 to %d, not %d", MOST_THREADS,
                    options->threads);
    stream s = {.source = source, .options = *options, .consumer = consumer, .context = context};
    if (s.options.box_spheres == 0) { // a quarter of the memory for the box at hand, and no more than is quick
        s.options.box_spheres = options->memory_bytes / 4 / DETECT_BYTES;
        s.options.box_spheres = s.options.box_spheres < 4000000 ? s.options.box_spheres : 4000000;
        s.options.box_spheres = s.options.box_spheres > 1000 ? s.options.box_spheres : 1000;
    }
    scree_status status = SCREE_OK;
    if (source->count > 0) {
        double start = clock_seconds();
        status = find_boxes(&s, error);
        s.figures.read_s = clock_seconds() - start;
        if (status == SCREE_OK)
            status = detect_groups(&s, error);
    }
    free(s.entries);
    if (figures)
        *figures = s.figures;
    return status;
}
