// The problem of one step as plain arrays: bodies, contacts, joints, the properties of pairs of materials. It has no
// pointer back into a world, so that any part of a step can be called on its own, by a test or by another backend.
#ifndef CONTACT_STEP_PROBLEM_H
#define CONTACT_STEP_PROBLEM_H

#include "base/arena.h"
#include "base/interrupt.h"
#include "collide/meetings.h"
#include "joint/joint.h"
#include "world/kinematics.h"

// Both ends of a joint: slots of its bodies, NO_SLOT for the world; and the indices of the two joints that one couples.
typedef struct joint_ends {
    uint32_t body[2], joint[2];
} joint_ends;

typedef struct step_problem {
    double step, time; // h, and the time at which the step begins
    vec3 gravity;
    double gravity_length;
    scree_solver_def solver;
    double cell; // edge of the cells in which contacts are relaxed
    int threads;
    const interrupt *interrupt; // of a long solve; NULL: it goes on to its end

    // Bodies by slot, before the step.
    size_t body_count;
    const scree_id *id;
    const vec3 *position, *velocity, *spin;
    const quat *orientation;
    const double *mass;
    const vec3f *inertia;
    const float *radius, *rest;
    const uint8_t *immovable;
    const uint8_t *sphere;    // bodies that are one sphere around their centres, of equal moments; NULL: not known
    const uint8_t *solved_by; // solved_way of the last step
    const uint8_t *instant;   // velocity_instant
    const uint8_t *starting;  // bodies that take half a kick (starts.h); NULL: none
    const uint8_t *done;      // bodies that have taken the step already; NULL: none
    body_load *loads;         // forces that act besides gravity; NULL when there are none

    // Contacts, whose impulses are those to start from, then those found.
    size_t contact_count;
    contact *contacts;
    vec3f *angular_impulses; // of rolling and spinning friction, by contact; NULL when no pair has any
    const pair_properties *pairs;
    size_t material_count;
    bool bouncy;    // some pair has restitution
    float *opening; // by contact, at what speed it opens after impacts that pass on; -1: by its own approach. Or NULL

    // Pairs that meet or pass each other within the step, rising by slots; and by slot, whether a body is in any.
    pair_meeting *meetings;
    size_t meeting_count;
    const uint8_t *meets;

    // Joints in the order of their ids, with the impulses of the last step, then those found.
    size_t joint_count;
    joint *joints;
    const joint_ends *joint_ends; // by joint
} step_problem;

// The columns of bodies that a step writes, by slot.
typedef struct step_bodies {
    vec3 *position, *velocity, *spin;
    quat *orientation;
    float *rest;        // time at rest, or ASLEEP (wake.h)
    uint8_t *solved_by; // solved_way
    uint8_t *instant;   // velocity_instant
} step_bodies;

step_bodies step_bodies_of(scree_world *world);

// The arrays of a world as they stand, without joints, and without loads, which are gathered apart. The
// properties of its pairs have been noted (materials.h).
step_problem step_problem_of(const scree_world *world);

// Sums the applied forces by slot into scratch memory, with room for the pull of contacts where any pair has cohesion;
// NULL in *loads when there is neither. False when out of memory.
bool gather_loads(scree_world *world, body_load **loads);

// Adds the joints of the world, whose ends are found once for the whole step. False when out of memory.
bool step_problem_add_joints(step_problem *problem, scree_world *world, arena *scratch);

// Does a body take part in the step, rather than stand still or sleep?
static inline bool slot_moves(const step_problem *problem, size_t slot)
{
    return !problem->immovable[slot] && !(problem->rest[slot] < 0);
}

static inline scree_pose pose_of_slot(const step_problem *problem, uint32_t slot)
{
    if (slot == NO_SLOT)
        return (scree_pose){{0, 0, 0}, quat_identity()};
    return (scree_pose){problem->position[slot], problem->orientation[slot]};
}

static inline body_velocity start_velocity(const step_problem *problem, size_t slot)
{
    return (body_velocity){problem->velocity[slot], problem->spin[slot]};
}

static inline const pair_properties *pair_of(const step_problem *problem, size_t material_a, size_t material_b)
{
    return &problem->pairs[material_a * problem->material_count + material_b];
}

static inline const pair_properties *pair_of_contact(const step_problem *problem, const contact *c)
{
    return pair_of(problem, c->material_a, c->material_b);
}

// What a pair that meets within the step has beside its contacts; NULL for all others.
static inline const pair_meeting *meeting_of(const step_problem *problem, const contact *c)
{
    if (problem->meeting_count == 0 || !problem->meets[c->a] || !problem->meets[c->b])
        return NULL;
    return meeting_find(problem->meetings, problem->meeting_count, c->a, c->b);
}

// Where body b's end of a contact is, seen from its centre of mass, at the moment that the contact is of.
static inline vec3 arm_of_second(const step_problem *problem, const contact *c, const pair_meeting *met)
{
    vec3 arm = vec3_add(vec3_from_f(c->arm), vec3_sub(problem->position[c->a], problem->position[c->b]));
    return met ? vec3_add(arm, vec3_from_f(met->shift)) : arm;
}

static inline vec3 second_arm(const step_problem *problem, const contact *c)
{
    return arm_of_second(problem, c, meeting_of(problem, c));
}

static inline double smaller_radius(const step_problem *problem, const contact *c)
{
    float a = problem->radius[c->a], b = problem->radius[c->b];
    return (double)(a < b ? a : b);
}

#endif
