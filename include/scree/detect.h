// Detection on its own: which bodies touch, or are near each other, and where. Nothing moves.
//
//     scree_detect_def def = scree_default_detect_def();
//     scree_detect_result result;
//     scree_world_detect(world, &def, sink, user, &result, &error);
//
// A collection need not fit into memory. Space is cut into boxes, the bodies of as many boxes as the memory holds are
// read from a source, detected box by box, and the contacts handed to a sink. Every pair of bodies is found exactly
// once. Which contacts there are, and every number in them, depends on the collection and on the margin alone, never on
// threads or memory; so does their order, unless the definition gives it up.
#ifndef SCREE_DETECT_H
#define SCREE_DETECT_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_detect_order {
    SCREE_DETECT_ORDER_FIXED,    // the sink is called by one thread at a time, contacts come in a fixed order
    SCREE_DETECT_ORDER_AS_FOUND, // the sink is called by all threads at the same time, in no fixed order: the fastest
} scree_detect_order;

typedef struct scree_detect_def {
    int threads;           // 0 (all that the machine has) to 256
    uint64_t memory_bytes; // to stay within, apart from what source and sink hold; at least 65,536. It is a plan, not
                           // a limit: more is taken where shapes are larger than boxes, or have contacts by the dozen
    double margin;         // pairs count as near up to this gap, >= 0, at most 1e15; behind a mesh or a height
                           // field, which push out of their front, nothing is near [length]
    scree_detect_order order; // of the contacts handed to the sink
} scree_detect_def;

// All threads, 1 GB, margin 0, in order.
SCREE_API scree_detect_def scree_default_detect_def(void);

// Everything but ids is exact to single precision: places relative to the bodies, not to the origin.
typedef struct scree_detect_contact {
    uint64_t a, b;     // a < b: ids of bodies in a world, or places in a source
    scree_vec3 point;  // midway between the two surfaces [length]
    scree_vec3 normal; // unit, from a towards b
    double gap;        // signed distance of the surfaces, at most the margin; negative when they overlap [length]
} scree_detect_contact;

// Takes a batch of contacts, which is gone when it returns. `thread` counts from 0, and is 0 when contacts come in
// order. False ends the detection with SCREE_ERROR_IO.
//
// The fixed order is that of space: pairs stand along a Z-curve through the box that holds all centres, by the low
// corner of where the bounds of the two overlap; pairs at one place of the curve by a, then by b. The points of a pair
// follow one another.
typedef bool scree_detect_sink(void *user, int thread, const scree_detect_contact *contacts, size_t count);

typedef struct scree_detect_result {
    uint64_t bodies;
    uint64_t pairs;                // of bodies with at least one contact
    uint64_t contacts;             // points with a gap of at most the margin
    uint64_t overlapping;          // of them, with gap < 0
    double deepest;                // depth of the deepest overlap; 0 when nothing overlaps [length]
    uint64_t deepest_a, deepest_b; // whose it is, the first of several in rising order; 0 when nothing overlaps
    uint64_t boxes;                // with bodies in them
    uint64_t readings;             // of the source from end to end
    uint64_t memory_bytes;         // most that was held at once
    double read_s, detect_s;       // wall time of reading and of detecting, the sink included [s]
} scree_detect_result;

// All bodies of a world as they stand, whether they sleep or not. Two bodies that cannot touch in a step (both fixed,
// kept apart by filters or by a joint) are not detected. `def` may be NULL for the default; with a `sink` of NULL
// contacts are counted only.
SCREE_API scree_status scree_world_detect(scree_world *world, const scree_detect_def *def, scree_detect_sink *sink,
                                          void *user, scree_detect_result *result, scree_error *error);

// ------------------------------------------------------------------------------------------- collections of any size

// Detects collections that are in no world, one after another. It keeps its memory from one to the next, and belongs to
// one thread at a time.
typedef struct scree_detector scree_detector;

SCREE_API scree_status scree_detector_create(const scree_detect_def *def, scree_detector **detector,
                                             scree_error *error);
SCREE_API void scree_detector_destroy(scree_detector *detector); // accepts NULL

// A source is read from end to end several times, in parts, by several threads at the same time, and must give the same
// every time. `read` fills out[0 .. count) with what stands at first, first + 1, ...; false: it cannot be read
// (SCREE_ERROR_IO). At most 4,294,967,294 of them.
typedef struct scree_ball_source {
    bool (*read)(void *user, uint64_t first, size_t count, scree_ball *out);
    void *user;
    uint64_t count;
} scree_ball_source;

// An array, which must outlive the detection.
SCREE_API scree_ball_source scree_ball_array(const scree_ball *balls, size_t count);

// Spheres alone, by the fastest way there is. Radii are from 1e-15 to 1e15 and kept in single precision. `sink` may be
// NULL, and so may `result`.
SCREE_API scree_status scree_detect_spheres(scree_detector *detector, const scree_ball_source *source,
                                            scree_detect_sink *sink, void *user, scree_detect_result *result,
                                            scree_error *error);

typedef struct scree_detect_body {
    scree_vec3 position;           // of the body's frame [length]
    scree_quat orientation;        // of the body's frame; normalised on use, must not be zero
    bool fixed;                    // two fixed bodies are not detected; planes, meshes and height fields must be fixed
    uint32_t group, mask;          // as scree_world_set_filter has them
    scree_shape_def shape;         // the only one, unless there are `shapes`
    const scree_shape_def *shapes; // several, which must live until the detection returns; or NULL
    size_t shape_count;            // of `shapes`, >= 1; 0 without them
} scree_detect_body;

// At the origin, movable, in group bit 0, touching all, of one default shape.
SCREE_API scree_detect_body scree_default_detect_body(void);

// A source of bodies, read as a source of balls is. `out` comes filled with default bodies. Geometries must live until
// the detection returns.
typedef struct scree_body_source {
    bool (*read)(void *user, uint64_t first, size_t count, scree_detect_body *out);
    void *user;
    uint64_t count;
} scree_body_source;

SCREE_API scree_body_source scree_body_array(const scree_detect_body *bodies, size_t count);

// Bodies of any shape. Where all are single spheres, movable and of default filter, this is scree_detect_spheres.
SCREE_API scree_status scree_detect_bodies(scree_detector *detector, const scree_body_source *source,
                                           scree_detect_sink *sink, void *user, scree_detect_result *result,
                                           scree_error *error);

#ifdef __cplusplus
}
#endif

#endif
