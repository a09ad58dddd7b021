// Bodies of any shape as a stream reads and gathers them, and where they come from.
#ifndef COLLIDE_BROAD_STREAM_BODIES_H
#define COLLIDE_BROAD_STREAM_BODIES_H

#include "base/array.h"
#include "collide/filter.h"
#include "geometry/proxy.h"
#include "scree/status.h"

typedef struct stream_shape {
    proxy proxy;      // `local` is 0 for a shape at its body's centre and axes, else 1; `body` is not set
    local_pose local; // when that is 1
    union {
        plane_geometry plane;
        const scree_geometry *geometry;
    };
} stream_shape;

typedef struct stream_body {
    vec3 center;
    quat orientation;
    vec3 low, high;       // bounds, as in a stream_place; the stream sets them
    uint64_t first_shape; // among the shapes read or gathered with it
    uint32_t shape_count;
    uint32_t number; // in the source; the stream sets it
    collision_filter filter;
    bool fixed;
} stream_body;

typedef struct stream_bodies {
    ARRAY(stream_body) bodies;
    ARRAY(stream_shape) shapes;
} stream_bodies;

// The source that bodies are read from, by several threads at the same time.
typedef struct stream_body_source {
    // Appends bodies first .. first + count - 1 with their shapes. `checked`: all were read, and valid, before.
    scree_status (*read)(const void *context, int thread, uint64_t first, size_t count, bool checked,
                         stream_bodies *into, scree_error *error);
    // Whether two bodies are kept apart, beside what their filters say. NULL: none are.
    bool (*apart)(const void *context, uint32_t a, uint32_t b);
    const void *context;
} stream_body_source;

#endif
