// Detection of plain spheres in one sweep: from a view straight to contact points, without pairs in between.
//
// For collections of spheres as they come, in any order. Contacts stand in the order of space, not of slots, and in
// pieces, one after another; their order depends on the view alone.
#ifndef COLLIDE_BROAD_BROAD_SPHERES_H
#define COLLIDE_BROAD_BROAD_SPHERES_H

#include "base/arena.h"
#include "collide/broad/broad_grid.h"
#include "collide/contact.h"
#include "geometry/proxy.h"
#include "scree/status.h"

typedef struct contact_piece {
    const contact *contacts;
    size_t count;
    size_t block; // of places in the grid: pieces are in rising order
} contact_piece;

// The points of one detection and their memory, which the next one uses again. Starts as all zero.
typedef struct sphere_detection {
    contact_piece *pieces;
    size_t piece_count;
    size_t count;                      // points in all
    struct sphere_detector *detectors; // one per thread
    int threads;
    arena scratch;
} sphere_detection;

// All points with gap <= margins[a] + margins[b] between spheres that may pair, each once. Every proxy must be a sphere
// in the centre of its body; other shapes are refused (SCREE_ERROR_INVALID). The number of threads must stay the same.
scree_status sphere_contacts(sphere_detection *detection, const proxy_view *view, int threads, scree_error *error);
void sphere_detection_free(sphere_detection *detection);
size_t sphere_detection_bytes(const sphere_detection *detection);

// The two spheres of a point, where detection has just looked at them: they are in the cache, the view's are not.
typedef struct sphere_pair {
    const grid_sphere *a, *b;
} sphere_pair;

// Called with points as they are found, and their spheres, by several threads at the same time; false ends the
// detection (SCREE_ERROR_IO).
typedef bool contact_consumer(void *context, int thread, const contact *contacts, const sphere_pair *spheres,
                              size_t count);

// The same points handed on as they are found, in no fixed order, and not kept.
scree_status sphere_contacts_consume(sphere_detection *detection, const proxy_view *view, int threads,
                                     contact_consumer *consumer, void *context, scree_error *error);

#endif
