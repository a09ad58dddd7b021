// Detection in collections too large for memory: two levels, boxes and bins, as in section 4.2 of Negrut et al. 2010
// (Fig. 9). The first level cuts space into boxes; the items of one box are detected in memory with the grid of the
// broad phase, the second level; contacts go to a sink and are not kept. include/scree/detect.h is the public side.
//
// An item takes part in every box that its own bounds reach, however large it is. A pair belongs to the box that holds
// the low corner of the region where both bounds overlap: the same numbers in whichever box it is found, so each pair
// is delivered exactly once. Boxes are pieces of a Z-curve, and pairs of a box are sorted along it: how large boxes are
// makes no difference to the order.
//
// stream.c sizes the boxes, reads the source and goes from box to box. What an item is, and how a box of them is
// detected, is the kind's affair: spheres (stream_spheres.c) or bodies of any shape (stream_bodies.c).
#ifndef COLLIDE_BROAD_STREAM_H
#define COLLIDE_BROAD_STREAM_H

#include "base/arena.h"
#include "base/array.h"
#include "collide/broad/broad_spheres.h"
#include "collide/broad/stream_bodies.h"
#include "collide/broad/stream_curve.h"
#include "collide/broad/stream_order.h"
#include "scree/detect.h"

enum { STREAM_MOST_THREADS = 256, STREAM_WAVE = 128 };

// The bounds of an item. Bounds are grown by half the margin, and a little more, so that no rounding separates two that
// are near; they are infinite about an unbounded item.
typedef struct stream_place {
    vec3 center, low, high;
    uint32_t shapes;
} stream_place;

// Sums over the contacts found.
typedef struct stream_tally {
    uint64_t pairs, contacts, overlapping;
    double least_gap;
    uint64_t least_a, least_b;
} stream_tally;

// Radius and number of a gathered sphere; centres are in an array of their own.
typedef struct ball_tag {
    float radius; // its sign is set when the sphere reaches into other boxes too
    uint32_t number;
} ball_tag;

typedef ARRAY(scree_detect_contact) ready_contacts;

// Memory of one thread, and what it found in a reading.
typedef struct stream_worker {
    ARRAY(stream_place) places; // bounds of the items of the chunk at hand
    ARRAY(scree_ball) balls;
    ARRAY(scree_detect_body) given;
    stream_bodies read;
    ARRAY(uint64_t) entries; // by box: items, then shapes
    contact_array contacts;
    ready_contacts ready;
    stream_tally tally;
    vec3 low, high; // of the centres of bounded items
    uint64_t shapes;
    bool only_spheres; // all items are movable spheres without filters
    scree_status status;
    uint64_t failed; // first item of the chunk that could not be read
    scree_error error;
} stream_worker;

struct scree_detector {
    scree_detect_def def;
    int threads;
    stream_worker *workers;
    ARRAY(uint64_t) entries;  // by box: items, then shapes
    ARRAY(uint64_t) cursors;  // by box of the group: where its next item goes, then its next shape
    ARRAY(vec3) ball_centers; // gathered spheres
    ARRAY(ball_tag) ball_tags;
    ARRAY(float) ball_margins; // as many as the fullest box has spheres: all the same
    ARRAY(uint8_t) ball_fixed; // as many again: all zero
    stream_bodies gathered;
    sphere_detection spheres;
    arena scratch; // of the box at hand
    ready_contacts wave[STREAM_WAVE];
};

// Items of one box in the gathered ones.
typedef struct stream_box {
    uint64_t first, count;
    uint64_t first_shape, shape_count;
} stream_box;

// An item on its way into a box.
typedef struct stream_item {
    size_t index;          // in the thread's chunk
    uint64_t number;       // in the source
    uint64_t to, to_shape; // among the gathered ones
    bool shared;           // it reaches into other boxes too
} stream_item;

struct stream;

typedef struct stream_kind {
    size_t chunk;                     // items that are read at a time
    uint64_t item_bytes, shape_bytes; // of gathered items
    uint64_t box_bytes;               // per shape of the box at hand, in a pack of some density
    uint64_t sorted_bytes;            // the same, on top of that, when contacts are handed over in order
    bool single;                      // each item has one shape
    // Reads a chunk into the thread's memory. Places are wanted but where all items are in one box.
    scree_status (*read)(struct stream *s, int thread, uint64_t first, size_t count, bool places, scree_error *error);
    // Room for so many gathered items and shapes; false when out of memory.
    bool (*reserve)(struct stream *s, uint64_t items, uint64_t shapes);
    void (*put)(struct stream *s, int thread, const stream_item *item);
    scree_status (*detect)(struct stream *s, const stream_box *box, scree_error *error);
} stream_kind;

// One detection at work.
typedef struct stream {
    scree_detector *detector;
    const stream_kind *kind;
    uint64_t count;
    const void *source; // the kind's own
    const scree_ball_source
        *as_balls;       // of bodies: to be read instead when all are movable spheres without filters; or NULL
    const scree_id *ids; // by number of the item, rising; NULL: the numbers themselves
    scree_detect_sink *sink;
    void *user;
    bool sorted; // contacts are handed over in order
    double half_margin;
    float reach;  // half the margin rounded up, for the two phases
    bool checked; // the source has been read before, and what it gives found valid
    space_curve curve;
    int depth;                   // of boxes
    uint64_t first_box, end_box; // gathered
    uint64_t gathered[2];        // items and shapes of these boxes
    uint64_t box;                // at hand
    scree_detect_result figures;
} stream;

stream stream_make(scree_detector *detector, scree_detect_sink *sink, void *user);
scree_status stream_run(stream *s, scree_detect_result *result, scree_error *error);

// ------------------------------------------------------------------------------------------------------- for the kinds

static inline bool stream_is_home(const stream *s, uint32_t key)
{
    return key >> (CURVE_BITS - s->depth) == s->box;
}

// Fails with the message for bodies that are too far out for the broad phase.
scree_status stream_report_far(scree_error *error);

// Bounds of what reaches `half` along each axis from a centre. Everything about boxes uses these numbers alone.
static inline stream_place stream_place_about(const stream *s, vec3 center, vec3 half)
{
    double x = (half.x + s->half_margin) * (1 + 1e-6) + 1e-14 * fabs(center.x);
    double y = (half.y + s->half_margin) * (1 + 1e-6) + 1e-14 * fabs(center.y);
    double z = (half.z + s->half_margin) * (1 + 1e-6) + 1e-14 * fabs(center.z);
    return (stream_place){.center = center,
                          .low = {center.x - x, center.y - y, center.z - z},
                          .high = {center.x + x, center.y + y, center.z + z},
                          .shapes = 1};
}

// `normal` from a to b; the one with the lower number becomes a.
static inline scree_detect_contact stream_contact(const stream *s, uint32_t a, uint32_t b, vec3 point, vec3 normal,
                                                  double gap)
{
    bool turned = a > b;
    uint32_t first = turned ? b : a, second = turned ? a : b;
    return (scree_detect_contact){.a = s->ids ? s->ids[first] : first,
                                  .b = s->ids ? s->ids[second] : second,
                                  .point = point,
                                  .normal = turned ? vec3_negate(normal) : normal,
                                  .gap = gap};
}

static inline void tally_contact(stream_tally *tally, const scree_detect_contact *c)
{
    tally->contacts++;
    tally->overlapping += c->gap < 0;
    if (c->gap < tally->least_gap ||
        (c->gap == tally->least_gap && (c->a < tally->least_a || (c->a == tally->least_a && c->b < tally->least_b)))) {
        tally->least_gap = c->gap;
        tally->least_a = c->a;
        tally->least_b = c->b;
    }
}

static inline bool stream_hand_over(const stream *s, int thread, const scree_detect_contact *contacts, size_t count)
{
    return count == 0 || !s->sink || s->sink(s->user, thread, contacts, count);
}

extern const stream_kind stream_kind_spheres, stream_kind_bodies;

#endif
