// Places of the grid are asked in their own order, so that neighbours are still in the cache; what they meet becomes
// contact points at once. A block of places writes its points into memory of the thread that took it.
#include "collide/broad/broad_spheres.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/threads.h"
#include "collide/broad/broad.h"
#include "collide/broad/broad_query.h"
#include "collide/filter.h"

enum {
    BLOCK = 2048,     // places that a thread takes at a time
    QUERIES = 256,    // handed to the kernel at once
    FEW = QUERY_ROOM, // most points of one list of hits
    CHUNK = 1 << 15,  // points that memory is taken for at a time
};

// One thread's part: its memory, the points of the piece at hand, and the pieces done.
typedef struct sphere_detector {
    const broad_grid *grid;
    const query_kernels *kernels;
    arena memory;
    ARRAY(contact_piece) pieces;
    contact *next;              // where the next point goes
    size_t room;                // points from there to the end of the chunk
    contact *first;             // of the piece at hand
    size_t block, block_points; // at hand, and how many points it has given
    bool sparse;                // as the last block was
    contact_consumer *consumer;
    void *context;
    int thread;
    scree_status status;
} sphere_detector;

static void end_piece(sphere_detector *d)
{
    size_t count = (size_t)(d->next - d->first);
    if (count == 0 || d->status != SCREE_OK)
        return;
    if (!array_push(&d->pieces, ((contact_piece){d->first, count, d->block})))
        d->status = SCREE_ERROR_NO_MEMORY;
    d->first = d->next;
}

static bool make_room(sphere_detector *d)
{
    if (d->room >= FEW)
        return true;
    end_piece(d);
    if (d->room < FEW) {
        d->first = d->next = arena_array(&d->memory, contact, CHUNK);
        d->room = d->next ? CHUNK : 0;
        if (!d->next)
            d->status = SCREE_ERROR_NO_MEMORY;
    }
    return d->status == SCREE_OK;
}

static size_t drop_forbidden(const proxy_view *view, contact *contacts, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (bodies_may_pair(view, contacts[i].a, contacts[i].b))
            contacts[kept++] = contacts[i];
    return kept;
}

// Points follow the order of the hits, so the hit of a point is the next one of its two bodies.
static void hand_on(sphere_detector *d, const hit_list *hits, const contact *contacts, size_t count)
{
    sphere_pair pairs[QUERY_ROOM];
    size_t hit = 0;
    for (size_t i = 0; i < count; i++, hit++) {
        for (;; hit++) {
            pairs[i] = (sphere_pair){&d->grid->spheres[hits->a[hit]], &d->grid->spheres[hits->b[hit]]};
            if (pairs[i].a->data.body == contacts[i].a && pairs[i].b->data.body == contacts[i].b)
                break;
        }
    }
    if (count > 0 && !d->consumer(d->context, d->thread, contacts, pairs, count))
        d->status = SCREE_ERROR_IO;
}

static void take_hits(hit_list *hits)
{
    sphere_detector *d = hits->context;
    if (make_room(d)) {
        size_t found = d->kernels->contacts(d->grid->spheres, hits, d->next);
        if (d->grid->filtered)
            found = drop_forbidden(d->grid->view, d->next, found);
        d->block_points += found;
        if (d->consumer) {
            hand_on(d, hits, d->next, found);
        } else {
            d->next += found;
            d->room -= found;
        }
    }
    hits->count = 0;
}

static void detect_block(sphere_detector *d, size_t block)
{
    const broad_grid *grid = d->grid;
    hit_list hits;
    hits.count = 0;
    hits.flush = take_hits;
    hits.context = d;
    grid_query queries[QUERIES];
    d->block = block;
    d->block_points = 0;
    size_t end = block_end(block, BLOCK, grid->count);
    for (size_t first = block * BLOCK; first < end; first += QUERIES) {
        size_t count = end - first < QUERIES ? end - first : QUERIES;
        for (size_t i = 0; i < count; i++) {
            const grid_sphere *sphere = &grid->spheres[first + i];
            queries[i].rank = (uint32_t)(first + i);
            queries[i].cell = sphere->data.cell;
            if (grid->level_count > 1)
                queries[i].at = grid_box_at(grid, sphere->center);
        }
        d->kernels->query(grid, queries, count, d->sparse, &hits);
    }
    take_hits(&hits);
    d->sparse = 2 * d->block_points < end - block * BLOCK;
    end_piece(d);
}

static scree_status detect_blocks(sphere_detection *detection, const broad_grid *grid)
{
    size_t blocks = block_count(grid->count, BLOCK);
    for (int t = 0; t < detection->threads; t++)
        detection->detectors[t].grid = grid;
#pragma omp parallel for num_threads(detection->threads) schedule(dynamic)
    for (size_t block = 0; block < blocks; block++) {
        sphere_detector *d = &detection->detectors[thread_index()];
        if (d->status == SCREE_OK)
            detect_block(d, block);
    }
    for (int t = 0; t < detection->threads; t++)
        if (detection->detectors[t].status != SCREE_OK)
            return detection->detectors[t].status;
    return SCREE_OK;
}

// Pieces of all threads in the order of their blocks; those of a block are one thread's and in order already.
static bool collect_pieces(sphere_detection *detection, size_t blocks)
{
    size_t *start = arena_array(&detection->scratch, size_t, blocks + 1);
    if (!start)
        return false;
    memset(start, 0, (blocks + 1) * sizeof *start);
    for (int t = 0; t < detection->threads; t++)
        for (size_t i = 0; i < detection->detectors[t].pieces.count; i++)
            start[detection->detectors[t].pieces.data[i].block + 1]++;
    for (size_t b = 0; b < blocks; b++)
        start[b + 1] += start[b];
    detection->piece_count = start[blocks];
    detection->pieces = arena_array(&detection->scratch, contact_piece, start[blocks]);
    if (!detection->pieces)
        return false;
    for (int t = 0; t < detection->threads; t++)
        for (size_t i = 0; i < detection->detectors[t].pieces.count; i++) {
            contact_piece piece = detection->detectors[t].pieces.data[i];
            detection->pieces[start[piece.block]++] = piece;
            detection->count += piece.count;
        }
    return true;
}

static bool make_detectors(sphere_detection *detection, int threads)
{
    if (detection->threads == threads)
        return true;
    sphere_detection_free(detection);
    detection->detectors = calloc((size_t)threads, sizeof *detection->detectors);
    detection->threads = detection->detectors ? threads : 0;
    return detection->detectors;
}

static void start_detectors(sphere_detection *detection, contact_consumer *consumer, void *context)
{
    detection->piece_count = detection->count = 0;
    detection->pieces = NULL;
    arena_reset(&detection->scratch);
    for (int t = 0; t < detection->threads; t++) {
        sphere_detector *d = &detection->detectors[t];
        arena_reset(&d->memory);
        d->pieces.count = 0;
        d->first = d->next = NULL;
        d->room = 0;
        d->kernels = query_kernels_here();
        d->consumer = consumer;
        d->context = context;
        d->thread = t;
        d->status = SCREE_OK;
    }
}

scree_status sphere_contacts_consume(sphere_detection *detection, const proxy_view *view, int threads,
                                     contact_consumer *consumer, void *context, scree_error *error)
{
    if (!make_detectors(detection, threads))
        return fail_no_memory(error);
    start_detectors(detection, consumer, context);
    broad_grid grid;
    scree_status status = grid_plan(&grid, view, threads, &detection->scratch, error);
    if (status != SCREE_OK || grid.count == 0)
        return status;
    if (!grid.centered_spheres)
        return fail(error, SCREE_ERROR_INVALID,
                    "detection in one sweep takes spheres in the centres of their bodies only");
    status = grid_fill(&grid, GRID_FOR_SPHERE_CONTACTS, threads, &detection->scratch, error);
    if (status != SCREE_OK)
        return status;
    status = detect_blocks(detection, &grid);
    if (status == SCREE_OK && !consumer && !collect_pieces(detection, block_count(grid.count, BLOCK)))
        status = SCREE_ERROR_NO_MEMORY;
    if (status == SCREE_ERROR_NO_MEMORY)
        return fail_no_memory(error);
    return status == SCREE_OK ? status : fail(error, status, "the sink of contacts refused them");
}

scree_status sphere_contacts(sphere_detection *detection, const proxy_view *view, int threads, scree_error *error)
{
    return sphere_contacts_consume(detection, view, threads, NULL, NULL, error);
}

size_t sphere_detection_bytes(const sphere_detection *detection)
{
    size_t bytes = detection->scratch.held + (size_t)detection->threads * sizeof *detection->detectors;
    for (int t = 0; t < detection->threads; t++)
        bytes += detection->detectors[t].memory.held + array_bytes(&detection->detectors[t].pieces);
    return bytes;
}

void sphere_detection_free(sphere_detection *detection)
{
    for (int t = 0; t < detection->threads; t++) {
        arena_free(&detection->detectors[t].memory);
        array_free(&detection->detectors[t].pieces);
    }
    free(detection->detectors);
    arena_free(&detection->scratch);
    *detection = (sphere_detection){0};
}
