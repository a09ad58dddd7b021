// What the penalty method keeps from step to step, and its stages; penalty.c strings them together.
//
// Spheres, those of sphere sets included, meet by a list of near pairs that is made anew only when a body has moved
// farther than its margin. All other pairs of shapes are listed in the same way and go through the narrow phase in
// every step. The list decides only what is looked at: those that do not touch contribute nothing, so results do not
// depend on when it was made. Nor do they depend on slots: the body with the lower id is the first of a pair, and every
// particle and every body takes what acts on it in the order of ids.
#ifndef PENALTY_PENALTY_H
#define PENALTY_PENALTY_H

#include "penalty/groups.h"
#include "penalty/kernel.h"
#include "world/kinematics.h"
#include "world/method.h"

extern const method penalty_method;

// What a contact remembers, by names that stay when slots move: the ids of the two bodies and, of two spheres, their
// places among the shapes of their bodies; of other contacts, POINT_NAME and the feature. a < b.
typedef struct touch_record {
    scree_id a, b;
    uint64_t name;
    contact_history history;
} touch_record;

#define POINT_NAME ((uint64_t)1 << 63)

enum { BODY_BLOCK = 512, ACTIVE_BLOCK = 1024 }; // bodies, and particles, that one thread takes together

typedef float float_quad[4];
typedef double double_quad[4];
typedef ARRAY(touch_record) touch_record_array;

// Pairs of spheres, of spheres and planes, and of all other shapes. Pairs of groups stand in the order of their first
// group and of the id of their second; those of others by both ids, since all that acts on a body is summed in that
// order.
typedef enum pair_kind { SPHERES, WALLS, OTHERS, PAIR_KINDS } pair_kind;

typedef struct near_list { // pairs by proxies: by the groups of a and b (see pair_kind), then rising by a and b
    ARRAY(uint32_t) a, b;
    ARRAY(int32_t) touches;
    ARRAY(float_quad) spring, rolled;
} near_list;

typedef struct near_state { // of a pair of groups: poses and result of the last comparison of their shapes
    vec3 between;           // from the first body to the second
    double turned[2];       // the bodies' paths by turning
    float turn_factor;      // 1, or 0 when turning changes nothing
    float margin;           // how far they may move against each other until they are compared again; negative: now
    uint32_t count;         // entries in the list
    size_t first;
} near_state;

typedef ARRAY(proxy_pair) group_pair_array;
typedef ARRAY(near_state) near_state_array;

// Where a body may be, by slot: within its margin of a point that moves by `step` in every step.
typedef struct far_paths {
    ARRAY(vec3) position, step;
    ARRAY(quat) orientation;
    ARRAY(float) margin;
    ARRAY(float) swing;   // turning moves the bounds of a group at most by the angle times this
    ARRAY(uint32_t) born; // tick
} far_paths;

typedef struct penalty {
    // The laws, and the step that they bear.
    ARRAY(law_row) laws;
    size_t checked_bodies; // the step was checked for so many
    bool resists_rolling;
    double longest_step; // that one contact bears
    double stable_step;  // that all contacts of a body bear: least so far; infinity before any contact

    // Poses at which forces act, by slot.
    ARRAY(vec3) position, spin;
    ARRAY(quat) orientation;
    ARRAY(uint8_t) centered_sphere; // one sphere in the centre of mass: turning it changes nothing

    // The lists of near pairs and what they were made of.
    bool stale;       // are to be made anew whatever has moved
    bool moved_slots; // groups, too
    group_set groups;
    uint32_t tick; // counts steps
    far_paths far;
    ARRAY(uint32_t) planes; // groups
    group_pair_array stray_pairs, next_pairs;
    near_state_array next_states;
    ARRAY(quat) last;                         // orientations of the last step
    ARRAY(double) turned;                     // by slot: path of turning at the body's radius
    ARRAY(float) turning, grain;              // by slot: path of turning in a step; see grain_of
    group_pair_array group_pairs[PAIR_KINDS]; // rising
    near_state_array states[PAIR_KINDS];      // by pair of groups
    near_list pairs, walls, others;           // the body of a has the lower id; but in walls planes are second
    near_list spare[PAIR_KINDS];              // room for the next ones
    touch_record_array loose;                 // memories that have lost their places in the lists

    // The spheres that are in any pair.
    ARRAY(particle) particles; // by proxy
    ARRAY(float_quad) arms;    // by proxy, unless all bodies are centered spheres
    ARRAY(contact_load) loads; // by proxy
    ARRAY(double_quad) local; // by proxy: places in the bodies' internal frames, unless all bodies are centered spheres
    ARRAY(uint32_t) active;   // proxies, rising
    ARRAY(uint32_t) active_body;  // their bodies
    ARRAY(uint32_t) first_active; // by slot, one more
    ARRAY(uint32_t) block_end;    // proxies
    ARRAY(size_t) block_first, wall_first;
    ARRAY(uint32_t) row_of;       // by pair
    ARRAY(uint32_t) row_end;      // by active proxy
    ARRAY(contact_load) rows;     // what pairs did to their b in the last step
    ARRAY(float_quad) wall_force; // by wall: on the sphere

    bool contacts_due;            // the world's contacts are counted, but not filled in
    ARRAY(uint32_t) next_contact; // for that

    // Contact points of other shapes.
    contact_array points;            // impulses hold forces
    ARRAY(uint32_t) pair_of_point;   // into others
    touch_record_array point_memory; // by point
} penalty;

// NULL before the method has begun.
static inline penalty *penalty_of(const scree_world *world)
{
    return world->method_state;
}

// Refuses joints, laws that are not given, and a step that is too long.
scree_status penalty_begin(scree_world *world, scree_error *error);

// Must be called before slots move: contact histories are kept by the ids of their bodies until the list is made anew.
// When out of memory, contacts lose them.
void penalty_save_histories_by_id(scree_world *world);

// All memories by name, for a snapshot, and back.
bool penalty_remember(const scree_world *world, touch_record_array *records);
bool penalty_recall(scree_world *world, const touch_record *records, size_t count, double stable_step);

// ---- penalty_law.c

// The laws of all pairs of materials; refuses a step that is too long for the stiffest contact of the lightest bodies.
scree_status penalty_make_laws(scree_world *world, scree_error *error);

law_table penalty_laws(const scree_world *world);

// ---- penalty_move.c

bool penalty_reserve(scree_world *world);

// Move bodies to where forces act; then to the end of the step, by velocities that forces have changed. `loads` may be
// NULL.
void move_to_forces(scree_world *world);
scree_status move_by_forces(scree_world *world, const body_load *loads, const contact_load *point_loads,
                            scree_error *error);

double penalty_last_part(const scree_world *world); // of the step: from where forces act to its end

// Bodies as they stand where forces act.
proxy_view penalty_view(const scree_world *world, const float *margins, const pair_filter *filter);

// ---- penalty_paths.c: where bodies will be

enum { PATH_STEPS = 8 };

// A margin that only covers rounding, in grains.
#define NO_MARGIN 1e-3

double grain_of(const scree_world *world, size_t slot);      // radius of the first sphere, or else of the body
double turning_speed(const scree_world *world, size_t slot); // at the body's radius
double turned_by(quat then, quat now);                       // at least the chord of any point at unit distance

bool reserve_paths(scree_world *world);                                        // when slots have moved
size_t find_strays(const scree_world *world, uint8_t *stray);                  // by slot; returns how many
void set_paths(scree_world *world, const uint8_t *stray);                      // of those that strayed, or of all
bool planes_stray(const scree_world *world, const uint8_t *stray);             // is there one among them?
bool paths_meet(const penalty *of, proxy_pair pair);                           // of two groups of spheres
void middle_of_paths(const scree_world *world, vec3 *centers, float *margins); // when all were set just now

// Pairs of groups with at least one that strayed, into `stray_pairs`; none of them is a plane.
bool meet_strays(scree_world *world, const pair_filter *filter, const uint8_t *stray);

// ---- penalty_far.c: pairs of groups

// Pairs that hold; `fresh`: the old ones do not count. Says whether they have changed.
scree_status list_groups(scree_world *world, bool fresh, bool *changed, scree_error *error);

// ---- penalty_compare.c: which shapes of two groups are near each other

enum { MOST_NEAR = GROUP_MOST * GROUP_MOST };

typedef struct near_shapes {
    double margin; // in: how near; out: perhaps more, when nothing is as near
    size_t count;
    uint32_t a[MOST_NEAR + 8], b[MOST_NEAR + 8]; // rising
} near_shapes;

// Compares shapes of walls and of other pairs.
void compare_shapes(const scree_world *world, const proxy_view *view, pair_kind kind, proxy_pair pair,
                    near_shapes *found);

// Pairs of groups of spheres, eight at a time.
typedef struct group_batch {
    box_lanes lanes;
    proxy_pair pair[BOX_LANES];
    float margin[BOX_LANES];
    size_t index[BOX_LANES]; // whatever it is
    int count;
} group_batch;

// Unless the spheres around the two groups are farther apart than the margin: then returns by how much they are apart,
// and otherwise 0.
double add_to_batch(group_batch *batch, const penalty *of, proxy_pair pair, double margin, size_t index);
bool spheres_stay(const penalty *of, proxy_pair pair); // when the bodies turn
void measure_batch(group_batch *batch);                // before lanes are compared
void compare_lane(const group_batch *batch, int lane, const penalty *of, near_shapes *found);

// ---- penalty_list.c

// Makes the lists anew where they do not hold for the poses where forces act.
scree_status renew_list(scree_world *world, scree_error *error);

// ---- penalty_memory.c: what contacts remember

// Room for a list of so many pairs, and lanes beyond.
bool near_list_resize(near_list *list, size_t count, bool resists_rolling);

// Loose memories go to the old lists.
bool place_loose(scree_world *world);

// Entries of a list, which stand in the order of their shapes.
typedef struct near_range {
    size_t first, count;
} near_range;

void keep_entries(near_list *to, size_t first, const near_list *from, near_range old);
void hand_over(near_list *to, near_range now, const near_list *from, near_range old);

// Hands over the whole list at once where groups are single shapes: entries are found by a and by the rank of b.
void hand_over_singles(near_list *to, const near_list *from, const uint32_t *rank);

// ---- penalty_particles.c

bool make_particles(scree_world *world);  // all that there may be, when slots have moved
bool list_particles(scree_world *world);  // after the lists
void place_particles(scree_world *world); // where forces act, without loads

// The arm of a particle from the centre of its body; a centered sphere has no arm.
static inline vec3 particle_arm(const penalty *of, uint32_t slot, uint32_t index)
{
    if (of->centered_sphere.data[slot])
        return vec3_make(0, 0, 0);
    const float *arm = of->arms.data[index];
    return vec3_make((double)arm[0], (double)arm[1], (double)arm[2]);
}

// ---- penalty_pairs.c, penalty_walls.c: forces on spheres, into the loads of particles

void push_pairs(scree_world *world);
void push_walls(scree_world *world);

// ---- penalty_points.c: forces at the contact points of other shapes

// Sums by slot into scratch memory; NULL when there are none.
scree_status push_points(scree_world *world, const contact_load **loads, scree_error *error);

// The reduced radius of the shapes that meet in a point.
double point_radius(const scree_world *world, size_t index);

// The radius by which Hertz's law takes a shape; infinity for what is flat.
double proxy_roundness(const proxy *p);

// ---- penalty_energy.c

double penalty_energy(const scree_world *world); // that springs of contacts hold

// ---- penalty_contacts.c: the contacts of a step for those who read them

// Counts them and makes room; they are written when somebody reads them, before anything else moves.
scree_status reserve_contacts(scree_world *world, scree_error *error);
void penalty_materialise_contacts(scree_world *world);

#endif
