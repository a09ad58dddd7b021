// Detection in collections too large for memory: two levels, boxes and bins, as in section 4.2 of Negrut et al. 2010
// (Fig. 9). The first level cuts space into boxes; the spheres of one box are detected in memory with the grid of the
// broad phase, the second level; contacts go to a consumer and are not kept.
//
// A sphere takes part in every box that its own bounds reach, however large it is. A contact belongs to the box that
// holds the low corner of the region where both bounds overlap: the same numbers in whichever box it is found, so each
// contact is delivered exactly once.
#ifndef COLLIDE_STREAM_H
#define COLLIDE_STREAM_H

#include <stdio.h>

#include "collide/broad_spheres.h"

typedef struct stream_sphere {
    vec3 centre;
    float radius;
} stream_sphere;

// Where spheres come from. It is read from end to end several times, in chunks, by several threads at the same time.
typedef struct stream_source {
    bool (*read)(void *context, uint64_t first, size_t count, stream_sphere *out); // false: cannot be read
    void *context;
    uint64_t count; // below 2^32: contacts name spheres by their number
} stream_source;

typedef struct stream_options {
    int threads;
    uint64_t memory_bytes; // to stay within, apart from what the source and the consumer hold
    uint64_t box_spheres;  // most in a box, roughly; 0: chosen from the memory
} stream_options;

typedef struct stream_figures {
    uint64_t boxes, passes; // boxes with spheres in them; readings of the source
    uint64_t entries;       // spheres in boxes: how many are in more than one is the rest
    double read_s, detect_s;
} stream_figures;

// Hands every contact with gap <= 0 to the consumer once, in no fixed order. In a contact, `a` and `b` are the numbers
// of the spheres. `figures` may be NULL.
scree_status stream_contacts(const stream_source *source, const stream_options *options, contact_consumer *consumer,
                             void *context, stream_figures *figures, scree_error *error);

// An array as a source.
stream_source stream_array(const stream_sphere *spheres, size_t count);

// ---------------------------------------------------------------------------------------------------------- consumers

enum { STREAM_MOST_THREADS = 256 };

// Number and checksum of contacts. The checksum depends on neither their order nor on which of two is called a.
typedef struct stream_sum {
    struct {
        uint64_t count, checksum;
        char apart[48]; // no two threads write to one line of the cache
    } by_thread[STREAM_MOST_THREADS];
} stream_sum;

bool stream_count(void *sum, int thread, const contact *contacts, size_t count);
bool stream_checksum(void *sum, int thread, const contact *contacts, size_t count);
uint64_t stream_sum_count(const stream_sum *sum);
uint64_t stream_sum_checksum(const stream_sum *sum);

// Writes contacts as they are in memory to the FILE that is the context.
bool stream_write(void *file, int thread, const contact *contacts, size_t count);

#endif
