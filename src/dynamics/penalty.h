// What the penalty method keeps from step to step, and its stages; penalty.c strings them together.
//
// Spheres, those of sphere sets included, meet by a list of near pairs that is made anew only when a body has moved
// farther than its margin. All other pairs of shapes are listed likewise and go through the narrow phase in every step.
// The list decides only what is looked at: pairs stand in an order that follows from slots alone and those that do not
// touch contribute nothing, so results do not depend on when it was made.
#ifndef DYNAMICS_PENALTY_H
#define DYNAMICS_PENALTY_H

#include "dynamics/penalty_groups.h"
#include "dynamics/penalty_kernel.h"
#include "dynamics/world.h"

// What a contact remembers, by names that stay when slots move: the ids of the two bodies and, of two spheres, their
// places among the shapes of their bodies; of other contacts, POINT_NAME and the feature. a < b.
typedef struct touch_record {
    scree_id a, b;
    uint64_t name;
    contact_history history;
} touch_record;

#define POINT_NAME ((uint64_t)1 << 63)

typedef float float_quad[4];
typedef ARRAY(touch_record) touch_record_array;

typedef struct near_list { // pairs by proxies: rising by the groups of a and b, then by a and b
    ARRAY(uint32_t) a, b;
    ARRAY(int32_t) touches;
    ARRAY(float_quad) spring, rolled;
} near_list;

typedef struct list_poses { // poses when a list was made, and how far bodies may go from there; by slot
    ARRAY(vec3) position;
    ARRAY(quat) orientation;
    ARRAY(float) margin;
} list_poses;

typedef struct penalty {
    // The laws, and the step that they bear.
    ARRAY(law_row) laws;
    size_t checked_bodies; // the step was checked for so many
    bool rich;
    double longest_step; // that one contact bears
    double stable_step;  // that all contacts of a body bear: least so far; infinity before any contact

    // Poses at which forces act, by slot.
    ARRAY(vec3) position, spin;
    ARRAY(quat) orientation;
    ARRAY(uint8_t) plain; // one sphere in the centre of mass: turning it changes nothing

    // The lists of near pairs and what they were made of.
    bool stale;       // are to be made anew whatever has moved
    bool moved_slots; // groups, too
    group_set groups;
    list_poses near, far;
    ARRAY(proxy_pair) group_pairs[3]; // rising: spheres; spheres and walls; others
    near_list pairs, walls;           // spheres; spheres and planes, which are second
    near_list spare, spare_walls;     // room for the next ones
    ARRAY(proxy_pair) others;         // of other shapes: the body of a has the lower id
    touch_record_array loose;         // memories that have lost their places in the lists

    // The spheres that are in any pair.
    double unit;
    ARRAY(particle) particles;    // by proxy
    ARRAY(contact_load) loads;    // likewise
    ARRAY(uint32_t) active;       // proxies, rising
    ARRAY(uint32_t) first_active; // by slot, one more
    ARRAY(uint32_t) block_end;    // proxies
    ARRAY(size_t) block_first, wall_first, outbox_first, outbox_count;
    ARRAY(uint32_t) outbox_particle;
    ARRAY(contact_load) outbox;
    ARRAY(float_quad) force;      // by pair: on b, of the last step
    ARRAY(float_quad) wall_force; // by wall: on the sphere

    bool contacts_due;            // the world's contacts are counted, but not filled in
    ARRAY(uint32_t) next_contact; // for that

    // Contact points of other shapes.
    contact_array points;            // impulses hold forces
    ARRAY(uint32_t) pair_of_point;   // into others
    touch_record_array point_memory; // by point
} penalty;

void penalty_free(penalty *of);                       // accepts NULL
double penalty_stable_step(const scree_world *world); // 0 when the method is another, or nothing has touched
size_t penalty_bytes(const penalty *of);              // accepts NULL

// Refuses joints, laws that are not given, and a step that is too long.
scree_status penalty_begin(scree_world *world, scree_error *error);

// Before slots move: what contacts remember is kept by name until the list is made anew. When out of memory, contacts
// forget.
void penalty_let_go(scree_world *world);

// All memories by name, for a snapshot, and back.
bool penalty_remember(const scree_world *world, touch_record_array *records);
bool penalty_recall(scree_world *world, const touch_record *records, size_t count, double stable_step);

// ---- penalty_law.c

// The laws of all pairs of materials; refuses a step that is too long for the stiffest contact of the lightest bodies.
scree_status penalty_make_laws(scree_world *world, scree_error *error);

law_table penalty_laws(const scree_world *world);

// ---- penalty_move.c

bool penalty_reserve(scree_world *world);

// To where forces act; then to the end of the step, by velocities that forces have changed. `loads` may be NULL.
void move_to_forces(scree_world *world);
scree_status move_by_forces(scree_world *world, const body_load *loads, const contact_load *point_loads,
                            scree_error *error);

// Bodies as they stand where forces act.
proxy_view penalty_view(const scree_world *world, const float *margins, const pair_filter *filter);

// ---- penalty_list.c

// Makes the list anew unless it still holds for the poses where forces act.
scree_status renew_list(scree_world *world, scree_error *error);

// ---- penalty_memory.c: what contacts remember

// Room for a list of so many pairs, and lanes beyond.
bool near_list_resize(near_list *list, size_t count, bool rich);

// Loose memories go to the old lists; then the old to the new.
bool place_loose(scree_world *world);
void hand_over(const group_set *groups, near_list *to, const near_list *from);

// ---- penalty_particles.c

bool list_particles(scree_world *world);  // after the lists
void place_particles(scree_world *world); // where forces act, without loads

// ---- penalty_pairs.c, penalty_walls.c: forces on spheres, into the loads of particles

void push_pairs(scree_world *world);
void push_walls(scree_world *world);

// ---- penalty_points.c: forces at the contact points of other shapes

// Sums by slot into scratch memory; NULL when there are none.
scree_status push_points(scree_world *world, const contact_load **loads, scree_error *error);

// The radius by which Hertz's law takes a shape; infinity for what is flat.
double proxy_roundness(const proxy *p);

// ---- penalty_contacts.c: the contacts of a step for those who read them

// Counts them and makes room; they are filled in when somebody reads them, before anything else moves.
scree_status reserve_contacts(scree_world *world, scree_error *error);
void fill_contacts(const scree_world *world);

#endif
