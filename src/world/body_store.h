// Bodies as a structure of arrays in the order of space, their proxies beside them, and ids that stay when slots move.
//
// A body's internal frame has its origin in the centre of mass and its axes along the principal axes of inertia; where
// the user's frame differs, `frame` points to the user's frame in the internal one.
#ifndef WORLD_BODY_STORE_H
#define WORLD_BODY_STORE_H

#include "base/arena.h"
#include "base/array.h"
#include "collide/filter.h"
#include "geometry/proxy.h"
#include "scree/world.h"
#include "world/id_map.h"

// Every column by slot: type, name. Growing, permuting, checkpointing walk this list.
#define BODY_COLUMNS(X)                                                                                                \
    X(scree_id, id)                                                                                                    \
    X(vec3, position)    /* centre of mass */                                                                          \
    X(quat, orientation) /* of the internal frame */                                                                   \
    X(vec3, velocity)                                                                                                  \
    X(vec3, spin)            /* world axes */                                                                          \
    X(double, mass)          /* 0 when immovable */                                                                    \
    X(vec3f, inertia)        /* principal moments; 0 when immovable */                                                 \
    X(float, radius)         /* bounding, about the centre of mass; infinity with an unbounded shape */                \
    X(uint32_t, first_proxy) /* one more entry than bodies: proxies of slot i end where those of i + 1 begin */        \
    X(uint32_t, frame)       /* into locals; 0 is the identity */                                                      \
    X(float, rest)           /* time at rest, or ASLEEP (wake.h) */                                                    \
    X(uint8_t, solved_by)    /* a solved_way: what its island was solved by when it last was */                        \
    X(uint8_t, instant)      /* a velocity_instant (instant.h) */                                                      \
    X(uint16_t, material)                                                                                              \
    X(uint16_t, filter) /* into filters */                                                                             \
    X(uint8_t, immovable)

typedef enum solved_way { NEVER_SOLVED, SOLVED_BY_SWEEPS, SOLVED_BY_FACTORS, SOLVED_WAYS } solved_way;

// The locals of a sphere set in a body; bodies of the same set and frame share them.
typedef struct local_run {
    const scree_geometry *set; // NULL when there is none; a reference is held
    local_pose place;          // of the set in the internal frame
    uint32_t first;            // into locals
} local_run;

typedef struct body_store {
    size_t count;
#define COLUMN(type, name)                                                                                             \
    ARRAY(type)                                                                                                        \
    name;
    BODY_COLUMNS(COLUMN)
#undef COLUMN
    ARRAY(proxy) proxies;
    ARRAY(collision_filter) filters; // [0] is the default
    ARRAY(local_pose) locals;        // [0] is the identity
    ARRAY(plane_geometry) planes;
    ARRAY(const scree_geometry *) geometries; // a reference to each is held
    local_run last_set;                       // locals of the sphere set added last, for the next body to share
    id_map slots;                             // of the ids that live
    scree_id last_id;                         // that was given
} body_store;

bool body_store_init(body_store *store);
void body_store_free(body_store *store);

static inline uint32_t body_slot(const body_store *store, scree_id id)
{
    return id_map_find(&store->slots, store->id.data, id);
}

// Index of a filter, which is added when it is new. NO_FILTER when there are too many, or no memory.
enum { NO_FILTER = UINT16_MAX };
uint16_t body_store_filter(body_store *store, collision_filter filter);

// What definitions take up; a sphere set counts as its spheres.
typedef struct body_room {
    size_t bodies, proxies, planes, geometries;
} body_room;

body_room body_room_of(const scree_body_def *defs, size_t count);

// Makes room for more bodies, so that appending them cannot fail half-way.
bool body_store_reserve(body_store *store, const body_room *room);

// Appends one validated definition; room must have been reserved. `densities` by material.
scree_id body_store_append(body_store *store, const scree_body_def *def, const scree_material_def *materials);

// Keeps the bodies whose new place is not NO_SLOT, in the order given: `old_slots` lists the kept slots in their new
// order. False when out of memory, with nothing changed.
bool body_store_rearrange(body_store *store, const uint32_t *old_slots, size_t kept);

// The user's frame in the world.
scree_pose body_frame(const body_store *store, uint32_t slot);

// The pose of the internal frame when the user's frame stands at `frame`.
scree_pose body_pose_of_frame(const body_store *store, uint32_t slot, const scree_pose *frame);

// Moves the internal frame such that the user's frame stands at the pose.
void body_set_frame(body_store *store, uint32_t slot, const scree_pose *pose);

size_t body_store_bytes(const body_store *store);

#endif
