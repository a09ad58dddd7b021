// Querying the grid: from entries to the pairs of places whose bounds meet. The loops are compiled for each
// instruction set from kernels/broad_query.c; here is the table that picks.
#ifndef COLLIDE_BROAD_BROAD_QUERY_H
#define COLLIDE_BROAD_BROAD_QUERY_H

#include "collide/broad/broad_grid.h"
#include "collide/contact.h"

enum {
    QUERY_HITS = 1024,
    QUERY_ROOM = QUERY_HITS + (2 + GRID_ROWS) * GRID_PADDING, // with what one entry may add before the list is flushed
};

// Pairs of places in the grid. `flush` is called when the list is full, and must empty it.
typedef struct hit_list {
    uint32_t a[QUERY_ROOM], b[QUERY_ROOM];
    size_t count;
    void (*flush)(struct hit_list *hits);
    void *context;
} hit_list;

typedef struct grid_query {
    uint32_t rank, cell; // of the entry that asks
    grid_box at;         // centre alone; read only when there are coarser levels
} grid_query;

typedef struct query_kernels {
    // The entries that each entry meets: later ones of its level and all of coarser levels, so that each pair is found
    // once. Hits come in the order of the queries. `sparse` is only a hint: less than one hit per entry is expected.
    void (*query)(const broad_grid *grid, const grid_query *queries, size_t count, bool sparse, hit_list *hits);
    // Contacts of plain spheres, hits in, points out; returns how many.
    size_t (*contacts)(const grid_sphere *spheres, const hit_list *hits, contact *out);
} query_kernels;

const query_kernels *query_kernels_here(void);

extern const query_kernels query_kernels_f32_baseline, query_kernels_f32_avx2;

#endif
