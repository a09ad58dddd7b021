// Cells: the order in which the contacts of an island are relaxed, from the state of its bodies alone.
//
// Space is cut into cubes of one global grid, whose edge is a few diameters. A contact belongs to the
// cell of its movable body with the lower id. Cells have eight colours by the parity of their indices, the parity of x
// counting most; all cells of a colour come before those of the next. Two cells that share a body are neighbours, so
// what matters of that order is which of two neighbours comes first, and the same relaxation may run through space in
// bands: a slab of even x, then the slab of odd x before it.
//
//     colours   E0 E2 E4 ... then O1 O3 O5 ...                 E: even x, O: odd x
//     bands     (E0) (E2 O1) (E4 O3) (E6 O5) ...               each O comes after both of its E in either
//
// Nothing here depends on where in memory bodies and contacts stand, nor on what lies outside the island.
#ifndef BASE_CELLS_H
#define BASE_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

enum { CELLS_WHOLE = 1 << 16 };

// The bodies of an island that can move, cell by cell.
typedef struct cell_bodies {
    size_t count;
    size_t cell_count, band_count;
    uint32_t *first_body; // by cell, one more: its first body's place in the order
    uint32_t *first_cell; // by band, one more
    uint16_t *across;     // by cell: which part of the bodies comes before it across the bands, of CELLS_WHOLE
} cell_bodies;

// Puts `bodies`, indices into `positions` and `ids`, into the order of bands, cells and ids. `edge` is that of a cell.
// Memory comes from `scratch`; false when there is none.
bool cells_order_bodies(uint32_t *bodies, size_t count, const vec3 *positions, const uint64_t *ids, double edge,
                        int threads, arena *scratch, cell_bodies *made);

typedef struct contact_key {
    uint32_t owner; // place of the movable body with the lower id
    uint32_t feature;
    uint64_t other; // id of the other body
} contact_key;

typedef contact_key contact_key_function(const void *context, uint32_t contact);

// Contacts cell by cell.
typedef struct cell_list {
    size_t cell_count, band_count;
    uint32_t *first_contact; // by cell, one more
    uint32_t *first_cell;    // by band, one more
    const uint16_t *across;  // by cell, as above
} cell_list;

// Puts `contacts`, of which `key` tells the keys, into the order of their owners, and of (other, feature) for each.
bool cells_order_contacts(const cell_bodies *bodies, uint32_t *contacts, size_t count, contact_key_function *key,
                          const void *context, int threads, arena *scratch, cell_list *made);

#endif
