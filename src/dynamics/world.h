// The world's inside, for the files of dynamics/ only.
#ifndef DYNAMICS_WORLD_H
#define DYNAMICS_WORLD_H

#include "base/arena.h"
#include "collide/contact.h"
#include "dynamics/body_store.h"
#include "dynamics/joint.h"
#include "geometry/bvh.h"
#include "scree/world.h"
#include "solve/solver.h"

typedef struct pair_properties {
    float friction, restitution;
    float rolling, spinning; // friction
    float cohesion;
    float stiffness, damping;
    float contact_time, contact_modulus, shear_modulus;
    bool overridden;
} pair_properties;

typedef struct body_motion {
    scree_id id;
    scree_motion_def def; // axis normalised
    scree_pose start;     // of the user's frame when the motion was set
    double start_time;
} body_motion;

typedef struct applied_force {
    scree_id id;
    vec3 force, torque;
} applied_force;

typedef ARRAY(scree_body_pair) body_pair_array;

// A tree over the shapes as they stand, for queries; built when one asks.
typedef struct world_tree {
    bool valid;
    bvh boxes;
    ARRAY(uint32_t) bounded;   // by item of the tree: proxy
    ARRAY(uint32_t) unbounded; // proxies
} world_tree;

struct scree_world {
    scree_world_def def;
    int threads;
    double gravity; // length of def.gravity
    uint64_t steps;
    double time;
    bool diverged;

    body_store bodies;
    joint_store joints;
    ARRAY(scree_material_def) materials;
    ARRAY(pair_properties) pairs; // [material_count]^2
    bool pairs_noted;             // the flags below hold for the pairs as they are
    bool cohesive, bouncy, rich; // whether any pair has cohesion; restitution; compliance, rolling or spinning friction
    ARRAY(body_motion) motions;
    ARRAY(applied_force) forces; // for the next step
    body_pair_array apart;       // a < b

    contact_array contacts;  // of the last step, sorted by slot of a
    struct penalty *penalty; // what the penalty method keeps from step to step (penalty.h); NULL until it steps

    bool watch_touches;
    body_pair_array touching, begun, ended; // after the last step, rising

    double travel;           // mean path since bodies were last put in order, in mean radii
    uint32_t steps_in_order; // steps since then
    double radius_sum;       // over movable bodies
    size_t movable_count;
    size_t sleeping; // bodies

    world_tree tree;
    solve_result solved;
    scree_stage_times last, total;
    struct step_capture *capture; // filled by every step; NULL when nobody wants it
    arena scratch;
    arena *workers; // scratch of each thread
};

static inline size_t pair_index(const scree_world *world, int a, int b)
{
    return (size_t)a * world->materials.count + (size_t)b;
}

// ---- order.c: bodies in the order of space

// Puts bodies in order when their order has decayed; out of memory they stay as they are.
void order_bodies(scree_world *world);

// Moves contacts along with bodies that changed slots: `new_slot` by old slot, NO_SLOT for removed ones.
// Uses the scratch arena; when that is out of memory the contacts are forgotten.
void contacts_follow_bodies(scree_world *world, const uint32_t *new_slot, size_t new_count);

// Accounts for bodies from slot `first` on that were appended; with 0, for all that there are.
void bodies_added(scree_world *world, size_t first);

// ---- motion.c

// Velocities of moved bodies over the coming step, then their poses at its end.
void motions_set_velocities(scree_world *world);
void motions_set_poses(scree_world *world);

// Of a moved body's internal frame at that time.
scree_pose motion_pose(const scree_world *world, const body_motion *motion, double time);

// ---- joints.c

uint32_t joint_slot(const joint_store *store, scree_id id); // NO_SLOT when it does not exist

// Of the internal frame; the world, id 0, has the identity.
scree_pose joint_body_pose(const scree_world *world, scree_id id);

// The joint's coordinate as the bodies stand, with full turns, and its speed unless that is NULL.
double joint_position(const scree_world *world, const joint *of, double *speed);

// What the springs of a joint, and its own compliance, hold; the preload counts from the rest length or angle.
double joint_energy(const scree_world *world, const joint *of);

// Lets go of joints that are marked as gone, and of those whose bodies or joints are gone.
void joints_forget(scree_world *world);

// Marks, by slot, the bodies of joints that a motion or a motor moves as time goes: however slowly, they do not rest.
void joints_mark_driven(const scree_world *world, uint8_t *marked);

// ---- joint_snapshot.c: joints as rows of numbers

enum { JOINT_WORDS = 10, JOINT_REALS = 80 };
void joint_pack(const joint *of, uint64_t *words, double *reals);

// Appends a joint to the world after checking every number; its bodies, and the joints that it couples, are there.
scree_status joint_unpack(scree_world *world, const uint64_t *words, const double *reals, scree_error *error);

// ---- joint_rows.c: the rows of all joints for the coming step

typedef struct joint_rows {
    joint_row *rows; // rows of one joint are neighbours, joints in the order of their ids
    size_t count;
    uint32_t *first; // by joint, one more entry than joints
    uint8_t *place;  // by row: joint_row_place
    uint8_t *bent;   // by joint: impulses act along where the step ends, see joints_bend
} joint_rows;

// From the poses and velocities before the step, into scratch memory.
scree_status joints_make_rows(scree_world *world, joint_rows *made, scree_error *error);

// Corrects the rows for the velocities that a solve gave, by slot: the second Newton step of what joint_rows.c says of
// curved paths. Returns the largest change of a bias in parts of the recovery speed; where it is above 1e-5 or so, a
// second solve keeps energy and positions better by orders of magnitude.
double joints_follow(const scree_world *world, joint_rows *made, const vec3 *velocity, const vec3 *spin);

// Marks joints that would miss what they hold at the end of the step by velocities that a solve gave: light links that
// turn far within the step. For those joints_follow then takes gradients where the step ends, as implicit Euler does:
// that costs energy, where impulses along where the link was would tear it. Returns how many are missed.
size_t joints_bend(const scree_world *world, const joint_rows *made, const vec3 *velocity, const vec3 *spin);

// Of a joint's last reaction: what its rows need against swinging that the step does not resolve. joint_steady.c
void joint_steady(const scree_world *world, joint *of);

// From the solved rows, before bodies are moved: remembers impulses, takes reactions, breaks what was overloaded.
void joints_finish(scree_world *world, const joint_rows *solved);

// ---- query.c

void world_tree_free(world_tree *tree);

// ---- methods: one step each, after which world->last says how long its stages took. step.c picks

bool method_exists(scree_method method);                                   // step.c
scree_status step_complementarity(scree_world *world, scree_error *error); // complementarity.c
scree_status step_penalty(scree_world *world, scree_error *error);         // penalty.c
scree_status step_ffd(scree_world *world, scree_error *error);             // ffd.c

// ---- stages of a step

proxy_view store_view(const body_store *store);
proxy_view world_view(const scree_world *world, const float *margins, const pair_filter *filter);

// The filter of the world for detection, in scratch memory; NULL when all bodies may pair. False when out of memory.
bool find_filter(scree_world *world, const pair_filter **filter); // filter.c

scree_status update_touches(scree_world *world, scree_error *error); // touches.c, after solving

typedef struct body_velocity {
    vec3 velocity, spin;
} body_velocity;

// What may touch within the step by the velocities that bodies have and, unless that is NULL, by those that they have
// `reached`, by slot. detect.c
scree_status detect_contacts(scree_world *world, const body_velocity *reached, scree_error *error);
scree_status report_far_body(scree_world *world, scree_error *error); // when the broad phase has no place for one
struct step_solution;
scree_status prepare_problem(scree_world *world, struct step_solution *solution, scree_error *error); // prepare.c
scree_status integrate_bodies(scree_world *world, const struct step_solution *solution,
                              scree_error *error); // integrate.c

// The end of every method's step, when velocities and poses are new: forgets the forces, counts the step, moves what
// motions move, and reports `lost`, the first slot whose state is not finite, unless that is SIZE_MAX. integrate.c
bool state_is_finite(const scree_world *world, size_t slot);
scree_status end_step(scree_world *world, size_t lost, scree_error *error);

// A body turns for one step on its own, by the spin `moving`, whose angular momentum stays; so does that of `spin`,
// which follows the new orientation. They differ by push-out. integrate.c
void turn_freely(vec3 inertia, double step, vec3 moving, quat *orientation, vec3 *spin);

// Velocity and spin after forces, before contacts. `loads` by slot or NULL when no forces are applied.
typedef struct body_load {
    vec3 force, torque;
} body_load;
void free_velocity(const scree_world *world, const body_load *loads, size_t slot, vec3 *velocity, vec3 *spin);

// Notes which properties any pair has, unless that is known.
void note_pairs(scree_world *world); // prepare.c

// Sums the applied forces and the pull of cohesive contacts by slot into scratch memory; NULL in *loads when there are
// none. False when out of memory.
bool gather_loads(scree_world *world, const body_load **loads);
bool gather_forces(scree_world *world, const body_load **loads); // the applied forces alone

// The force by which a contact of the last detection pulls its bodies together.
double cohesive_pull(const scree_world *world, const contact *c);

// Inverse inertia of a movable body in world axes.
mat3 inverse_inertia(const scree_world *world, size_t slot);

// A body before impulses, and a contact of the step, both by slots.
problem_body free_body(const scree_world *world, const body_load *loads, size_t slot);
problem_row contact_row(const scree_world *world, size_t index);

// Is an overlap pushed out fast? Such push-out moves the bodies, but is taken from their velocities again: the contact
// without it.
bool contact_is_pushed(const scree_world *world, const contact *c);
problem_row relaxed_row(const scree_world *world, size_t index);

// Does it rebound in this step? And the contact without any rebound or push-out.
bool contact_rebounds(const scree_world *world, const contact *c);
problem_row calm_row(const scree_world *world, size_t index);

// Fills world->capture with the rows of the step at hand. // capture.c
scree_status capture_rows(scree_world *world, const joint_row *joints, size_t joint_count, scree_error *error);

#endif
