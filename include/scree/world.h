// The world: bodies, materials, motions, forces; stepping; reading what happened.
//
// A world belongs to one thread at a time; two worlds may run in two threads. Nothing here prints or exits.
// Functions that can fail return a status and leave the world as it was when the status is not SCREE_OK, with one
// exception stated at scree_world_step. Units are any consistent set; angles are radians; quaternions are w, x, y, z.
#ifndef SCREE_WORLD_H
#define SCREE_WORLD_H

#include <stddef.h>

#include "scree/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_world scree_world;

// ---------------------------------------------------------------------------------------------------------- making

typedef enum scree_method {
    SCREE_METHOD_COMPLEMENTARITY, // rigid contacts: all impulses of a step from one problem, Negrut et al. 2010
    SCREE_METHOD_PENALTY,         // springs and dampers where shapes overlap, Harada 2007
    SCREE_METHOD_FFD,             // fast frictional dynamics: each body for itself, Kaufman et al. 2005
} scree_method;

typedef enum scree_algorithm {
    SCREE_ALGORITHM_AUTO,         // the engine chooses, for each island of bodies that touch or are joined
    SCREE_ALGORITHM_JACOBI,       // the fixed point iteration of Negrut et al. 2010, Algorithm 1
    SCREE_ALGORITHM_GAUSS_SEIDEL, // projected block Gauss-Seidel over tiles of neighbouring contacts
    SCREE_ALGORITHM_APGD,         // accelerated projected gradient descent, Mazhar et al. 2015
    SCREE_ALGORITHM_APGS,         // accelerated projected Gauss-Seidel: momentum around such sweeps
    SCREE_ALGORITHM_NEWTON,       // Newton's method with a sparse factorisation, for every island whatever it costs
} scree_algorithm;

typedef enum scree_friction {
    SCREE_FRICTION_CONVEX, // the papers' relaxed law: a contact that slides at speed s parts at mu s
    SCREE_FRICTION_EXACT,  // Coulomb's law as it is; the default
} scree_friction;

typedef enum scree_stop {  // why a solve ended
    SCREE_STOP_TOLERANCE,  // good enough
    SCREE_STOP_ITERATIONS, // as many as were allowed
    SCREE_STOP_STALLED,    // no more progress
} scree_stop;

typedef enum scree_precision { SCREE_PRECISION_SINGLE, SCREE_PRECISION_DOUBLE } scree_precision;

typedef enum scree_sleep { // may islands at rest sleep?
    SCREE_SLEEP_AUTO,      // when the algorithm is SCREE_ALGORITHM_AUTO
    SCREE_SLEEP_OFF,
    SCREE_SLEEP_ON,
} scree_sleep;

typedef struct scree_solver_def {
    scree_algorithm algorithm;
    scree_friction friction;
    int iterations;            // most sweeps per step, >= 1
    double tolerance;          // stop when the worst contact's natural-map residual is at most this; >= 0
    scree_precision precision; // of the sweeps; states are always double
    bool warm_start;           // start from the impulses of the last step
    scree_sleep sleep;
    double recovery_speed; // fastest push-out of an overlap [length/time]; 0 chooses 0.25 sqrt(g r) per contact
    double omega;          // Jacobi: relaxation factor, > 0
    double lambda;         // Jacobi: smoothing factor, in (0, 1]
    double cell;           // edge of the cubes by which sweeps go through contacts [length]; 0: decided by the world
} scree_solver_def;

// Sweeps go through the contacts of an island cube by cube of one grid in space. Speed depends on the edge of its
// cubes, bits depend on it, correctness never: any positive finite number will do. With 0 the first step with bodies
// that can move decides for the rest of the world's life: at least 4.6 times the median of their
// bounding diameters, in quarters of a power of two. scree_world_get_def then has that edge, and a world made with it
// relaxes in the same order, whatever bodies it has besides.

typedef enum scree_contact_law { // of the penalty method
    SCREE_CONTACT_LAW_LINEAR,    // spring and damper, by their coefficients or by restitution and contact time
    SCREE_CONTACT_LAW_HERTZ,     // Hertz and Mindlin, by Young's modulus, Poisson's ratio and restitution
} scree_contact_law;

typedef enum scree_integrator {
    SCREE_INTEGRATOR_SYMPLECTIC, // forces at mid-step: second order, energy does not drift
    SCREE_INTEGRATOR_EULER,      // forces at the beginning, then positions by the new velocities: first order
} scree_integrator;

typedef struct scree_penalty_def {
    scree_contact_law law;
    scree_integrator integrator;
    double tangential_stiffness; // linear law: stiffness across the normal, as a part of that along it; >= 0
    double tangential_damping;   // linear law: damping across the normal, as a part of that along it; >= 0
    double terminal_velocity;    // no body gets faster [length/time]; 0: no such limit
} scree_penalty_def;

typedef struct scree_world_def {
    scree_method method;
    scree_vec3 gravity;    // [length/time^2]
    double step;           // time step [time], > 0
    int threads;           // >= 1, or 0 for all that the machine has; results do not depend on it
    int contacts_per_pair; // most points that two bodies keep when one is made of several shapes, >= 1
    scree_solver_def solver;
    scree_penalty_def penalty;
} scree_world_def;

// Complementarity, gravity (0, 0, -9.81), step 0.005, all threads, 8 contacts per pair, exact friction, 50 iterations,
// tolerance 1e-4, single precision, warm start; of the penalty method, linear law, symplectic, 2/7 of the normal
// stiffness and damping across it, no terminal velocity.
SCREE_API scree_world_def scree_default_world_def(void);

SCREE_API scree_status scree_world_create(const scree_world_def *def, scree_world **world, scree_error *error);
SCREE_API void scree_world_destroy(scree_world *world); // accepts NULL

typedef struct scree_material_def {
    double density;           // [mass/length^3], > 0
    double friction;          // Coulomb coefficient, >= 0
    double restitution;       // normal speed after over before a collision, in [0, 1]; of no effect with a stiffness
    double rolling_friction;  // arm of the rolling resistance: torque over normal force [length], >= 0
    double spinning_friction; // the same about the normal [length], >= 0
    double cohesion;          // pull-off force of a contact point [force], >= 0
    double stiffness;         // of a contact point along the normal [force/length]; 0: rigid
    double damping;           // beside the stiffness [force time/length]; 0 without one
    double contact_time;      // penalty, linear law: how long a collision takes [time]; 0: not by contact time
    double youngs_modulus;    // penalty, Hertz's law [force/length^2]; 0: rigid
    double poisson_ratio;     // in [0, 0.5]
} scree_material_def;

// Density 2500, friction 0.5, Poisson's ratio 0.3, all else 0. A new world has this as material 0.
SCREE_API scree_material_def scree_default_material_def(void);

// At most 1,024 materials.
SCREE_API scree_status scree_world_add_material(scree_world *world, const scree_material_def *def, int *material,
                                                scree_error *error);
SCREE_API scree_status scree_world_set_material(scree_world *world, int material, const scree_material_def *def,
                                                scree_error *error);

// What two materials do in contact, in the units of scree_material_def.
typedef struct scree_pair_def {
    double friction;
    double restitution;
    double rolling_friction, spinning_friction;
    double cohesion;
    double stiffness, damping;
    double contact_time;
    double contact_modulus; // E*: 1 / E* is the sum of (1 - nu^2) / E
    double shear_modulus;   // G*: 1 / G* is the sum of 2 (2 - nu) (1 + nu) / E
} scree_pair_def;

// What holds without an override: friction and cohesion are the geometric means of the two, restitution, rolling and
// spinning friction and contact time the larger of the two, and two springs with their dampers stand one behind the
// other, as do two moduli.
SCREE_API scree_pair_def scree_combine_materials(const scree_material_def *a, const scree_material_def *b);

SCREE_API scree_status scree_world_set_pair(scree_world *world, int material_a, int material_b,
                                            const scree_pair_def *def, scree_error *error);
SCREE_API scree_status scree_world_get_pair(const scree_world *world, int material_a, int material_b,
                                            scree_pair_def *def, scree_error *error);

// ---------------------------------------------------------------------------------------------------------- bodies

typedef struct scree_body_def {
    scree_vec3 position;    // of the body's frame [length]
    scree_quat orientation; // of the body's frame; normalised on use, must not be zero
    scree_vec3 velocity;    // of the centre of mass [length/time]
    scree_vec3 spin;        // angular velocity in world axes [1/time]
    double mass;            // > 0, or 0: from the shapes and their materials' densities
    scree_vec3 inertia;     // principal moments along the body's axes, each > 0; all 0: from the shapes
    bool has_center;        // take `center` instead of the shapes' centre of mass
    scree_vec3 center;      // centre of mass in the body's frame
    int material;           // index from scree_world_add_material
    bool fixed;             // never moved by forces or contacts; may be moved by a motion
    uint32_t group, mask;   // bits: the groups it belongs to, and those that it touches; see scree_world_set_filter
    const scree_shape_def *shapes;
    size_t shape_count; // >= 1
} scree_body_def;

// At the origin, at rest, mass and inertia from the shapes, material 0, not fixed, in group bit 0, touching all, no
// shapes yet.
SCREE_API scree_body_def scree_default_body_def(void);

// Adds all bodies or none. `ids` may be NULL. Cheap in bulk: a million bodies in about a second.
SCREE_API scree_status scree_world_add_bodies(scree_world *world, const scree_body_def *defs, size_t count,
                                              scree_id *ids, scree_error *error);

// Removes all of them or, when one is unknown or named twice, none.
SCREE_API scree_status scree_world_remove_bodies(scree_world *world, const scree_id *ids, size_t count,
                                                 scree_error *error);

// Two bodies touch when each one's groups have a bit in the other's mask. At most 65,535 different filters.
SCREE_API scree_status scree_world_set_filter(scree_world *world, scree_id id, uint32_t group, uint32_t mask,
                                              scree_error *error);

// Keeps two bodies from touching, whatever their filters say, or lets them touch again.
SCREE_API scree_status scree_world_keep_apart(scree_world *world, scree_id a, scree_id b, bool apart,
                                              scree_error *error);

typedef enum scree_motion_type {
    SCREE_MOTION_NONE,     // stands still
    SCREE_MOTION_SINE,     // position = start + axis amplitude sin(2 pi frequency t + phase) - its value at the start
    SCREE_MOTION_VELOCITY, // constant linear velocity, and angular velocity about the body's own frame origin
    SCREE_MOTION_ROTATION, // about an axis through a centre fixed in the world
} scree_motion_type;

typedef struct scree_motion_def {
    scree_motion_type type;
    scree_vec3 axis;    // sine, rotation: direction, normalised on use, must not be zero
    double amplitude;   // sine [length]
    double frequency;   // sine [1/time]
    double phase;       // sine [rad]
    scree_vec3 linear;  // velocity [length/time]
    scree_vec3 angular; // velocity [rad/time]
    scree_vec3 center;  // rotation: a point of the axis, world frame
    double speed;       // rotation [rad/time]
} scree_motion_def;

SCREE_API scree_motion_def scree_default_motion_def(void);

// Prescribes a fixed body's path from now on, starting from where it stands now.
SCREE_API scree_status scree_world_set_motion(scree_world *world, scree_id id, const scree_motion_def *def,
                                              scree_error *error);

// Wakes the islands of these bodies and of what touches them, as any change through this interface does. Needed only
// after changes that the world cannot know of.
SCREE_API scree_status scree_world_wake(scree_world *world, const scree_id *ids, size_t count, scree_error *error);

// --------------------------------------------------------------------------------------------------------- stepping

// External forces and torques about the centres of mass, world axes, for the next step only: they are added up when
// given several times and forgotten after one step. `torques` may be NULL. This is the door for a fluid solver.
SCREE_API scree_status scree_world_apply_forces(scree_world *world, const scree_id *ids, const scree_vec3 *forces,
                                                const scree_vec3 *torques, size_t count, scree_error *error);

// Whether the world can be stepped as it is: with the penalty method, all materials that may meet have a contact law,
// the step is not too long for the stiffest contact of the lightest bodies, and there are no joints. Every step checks
// this. `longest_step` may be NULL; it becomes the longest step that would be accepted, infinity with other methods.
SCREE_API scree_status scree_world_check(scree_world *world, double *longest_step, scree_error *error);

// Advances by `steps` steps. SCREE_ERROR_DIVERGED names the first body whose state is not finite and the step: the
// world then holds that state for inspection and cannot be stepped on. SCREE_ERROR_NO_MEMORY leaves the world at its
// last whole step.
SCREE_API scree_status scree_world_step(scree_world *world, int steps, scree_error *error);

// Lets a step that takes long be given up: it asks between sweeps, from any of its threads, and where the answer is
// yes, which must then stay so, returns SCREE_ERROR_INTERRUPTED. The world is at its last whole step then and can be
// stepped on, but has forgotten the impulses from which the next step would have begun. NULL: nobody is asked.
typedef bool scree_interrupt(void *context);
SCREE_API scree_status scree_world_set_interrupt(scree_world *world, scree_interrupt *ask, void *context,
                                                 scree_error *error);

// ---------------------------------------------------------------------------------------------------------- reading

typedef struct scree_state {
    scree_vec3 position;    // of the centre of mass
    scree_quat orientation; // of the body's frame, unit
    scree_vec3 velocity;    // of the centre of mass
    scree_vec3 spin;        // world axes
} scree_state;

typedef struct scree_body_info {
    double mass;            // infinity when fixed
    scree_vec3 inertia;     // principal moments; infinity when fixed
    scree_vec3 frame;       // where the body's frame stands in the world
    double bounding_radius; // about the centre of mass; infinity with a plane
    int material;
    bool fixed;
    bool moved;  // has a motion
    bool asleep; // at rest with all that it touches, and left alone until something changes
    size_t shape_count;
} scree_body_info;

typedef struct scree_contact {
    scree_id a, b;
    scree_vec3 point;   // midway between the two surfaces when it was found, before the bodies moved
    scree_vec3 normal;  // unit, from a towards b
    double gap;         // signed distance at detection; negative when overlapping
    scree_vec3 impulse; // on b over the last step; the one on a is its opposite [mass length/time]
    uint32_t feature;   // tells the points of one pair apart from step to step
} scree_contact;

// Wall time of the stages of a step [s]. Every moment of a step belongs to one stage.
typedef struct scree_stage_times {
    double broad;     // finding pairs of bodies that may touch, and what fast bodies may hit besides
    double narrow;    // finding the contacts of these pairs
    double prepare;   // ordering bodies, moving prescribed ones, making joint rows, finding islands
    double solve;     // making contact rows, finding impulses and velocities
    double integrate; // moving bodies; joint reactions, islands that fall asleep, touches that begin and end

    // Parts of these, for the stages that have no line of their own; 0 where a method has no such stage.
    double order;      // of prepare: ordering bodies, moving prescribed ones
    double joint_rows; // of prepare: making rows of joints, gathering loads
    double islands;    // of prepare: who hangs together, and who solves it
    double exits;      // of broad: what fast bodies may hit besides
    double rest;       // of integrate: islands that fall asleep
    double touches;    // of integrate: pairs that begin and end to touch
} scree_stage_times;

typedef struct scree_figures {
    uint64_t steps;          // taken so far
    double time;             // simulated so far
    size_t bodies;           // all, fixed ones included
    size_t sleeping;         // of them
    size_t contacts;         // contact points handed to the solver in the last step
    size_t touching;         // of those, with gap <= 0 at detection
    double penetration_mean; // depth over the smaller body's bounding radius, over touching contacts
    double penetration_max;
    double kinetic, potential; // [energy], potential relative to the origin, with that of all springs
    scree_vec3 momentum;       // of the bodies that are not fixed
    int iterations;            // sweeps of the last solve; where nothing was swept, steps of Newton's method
    double residual_mean;      // natural-map residual of the last solve: mean over the contacts
    double residual_max;       // and the worst contact
    scree_algorithm algorithm; // that solved it
    scree_stop stop;           // why it ended
    double stable_step;        // penalty: the longest step that is stable for the contacts met so far; else 0
    scree_stage_times last;    // of the last step
    scree_stage_times total;   // of all steps of this world object
    size_t memory_bytes;       // held by the world
} scree_figures;

// Costs a pass over bodies and contacts.
SCREE_API scree_figures scree_world_figures(const scree_world *world);

// The figures that the last step leaves behind anyway; reading them costs nothing.
typedef struct scree_step_figures {
    uint64_t steps; // taken so far
    double time;
    size_t bodies, contacts;
    int iterations;
    double residual_mean, residual_max;
    scree_algorithm algorithm;
    scree_stop stop;
    scree_stage_times stages;
} scree_step_figures;

SCREE_API scree_step_figures scree_world_step_figures(const scree_world *world);

SCREE_API size_t scree_world_body_count(const scree_world *world);

// Ids of all bodies in rising order into `ids`, which has room for scree_world_body_count of them.
SCREE_API void scree_world_body_ids(const scree_world *world, scree_id *ids);

SCREE_API bool scree_world_has_body(const scree_world *world, scree_id id);
SCREE_API scree_status scree_world_get_states(const scree_world *world, const scree_id *ids, size_t count,
                                              scree_state *states, scree_error *error);
SCREE_API scree_status scree_world_get_body(const scree_world *world, scree_id id, scree_body_info *info,
                                            scree_error *error);
SCREE_API scree_status scree_world_get_shape(const scree_world *world, scree_id id, size_t index,
                                             scree_shape_def *shape, scree_error *error);

// Puts bodies that are not fixed into new states. Velocities are those of the pose, as they are when they are read: a
// state that was read and is given back changes nothing.
SCREE_API scree_status scree_world_set_states(scree_world *world, const scree_id *ids, size_t count,
                                              const scree_state *states, scree_error *error);

// Copies up to `capacity` contacts of the last step, in an order that depends on the state alone; returns how many.
SCREE_API size_t scree_world_contacts(const scree_world *world, scree_contact *contacts, size_t capacity);

// Which bodies began to touch in the last step, and which ended; a < b, in rising order. A touch begins when the bodies
// overlap or push each other, and ends when they have no contact left. Pairs of removed bodies are not listed.
typedef struct scree_body_pair {
    scree_id a, b;
} scree_body_pair;

// Keeping these lists costs a sort of the touching pairs per step, so it is off until asked for. Turning it off
// forgets.
SCREE_API void scree_world_watch_touches(scree_world *world, bool watch);

// Copy up to `capacity` pairs; return how many there are.
SCREE_API size_t scree_world_touch_begins(const scree_world *world, scree_body_pair *pairs, size_t capacity);
SCREE_API size_t scree_world_touch_ends(const scree_world *world, scree_body_pair *pairs, size_t capacity);

// 64-bit hash over all body states with their ids: equal states, equal hash. It is the sum modulo 2^64 of a hash of
// each body, so that the hashes of parts of a world add up to that of the whole.
SCREE_API uint64_t scree_world_hash(const scree_world *world);

// The definition that the world was made with. Its solver.cell is the edge in use once that is decided.
SCREE_API scree_world_def scree_world_get_def(const scree_world *world);
SCREE_API size_t scree_world_material_count(const scree_world *world);
SCREE_API scree_status scree_world_get_material(const scree_world *world, int material, scree_material_def *def,
                                                scree_error *error);

#ifdef __cplusplus
}
#endif

#endif
