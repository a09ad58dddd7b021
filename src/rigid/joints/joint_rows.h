// The rows of all joints for the coming step, and what becomes of them when they are solved.
#ifndef RIGID_JOINTS_JOINT_ROWS_H
#define RIGID_JOINTS_JOINT_ROWS_H

#include "contact/step_problem.h"
#include "solve/rows.h"

typedef struct joint_rows {
    joint_row *rows; // rows of one joint are neighbours, joints in the order of their ids
    size_t count;
    size_t joint_count;
    uint32_t *first;            // by joint, one more entry than joints
    uint8_t *place;             // by row: joint_row_place
    uint8_t *torn;              // by joint: velocities contradict it, or one that hangs together with it
    uint8_t *straight;          // by joint: anchors move along straight lines by the velocities before the step
    uint8_t *followed;          // by joint: made for velocities that a solve gave
    uint8_t *uses_end_gradient; // by joint: impulses act along where the step ends, see joint_use_end_gradient
} joint_rows;

// Makes the rows of all joints from poses and velocities before the step, in scratch memory.
scree_status joints_make_rows(const step_problem *problem, arena *scratch, joint_rows *made, scree_error *error);

// Corrects the rows of a joint for the velocities that a solve gave, by slot: the second Newton step of what
// joint_rows.c says of curved paths. Returns the largest change of a bias in parts of the recovery speed; where it is
// above 1e-5 or so, a second solve keeps energy and positions better by orders of magnitude.
double joint_relinearise(const step_problem *problem, joint_rows *made, size_t index, const vec3 *velocity,
                         const vec3 *spin);

// Marks a joint that would miss what it holds at the end of the step by velocities that a solve gave: light links that
// turn far within the step. For those joint_relinearise then takes gradients where the step ends, as implicit Euler
// does: that costs energy, where impulses along where the link was would tear it. Returns whether it misses.
bool joint_use_end_gradient(const step_problem *problem, const joint_rows *made, size_t index, const vec3 *velocity,
                            const vec3 *spin);

// Finds from a joint's last reaction the geometric damping that its rows need against swinging that the step does not
// resolve.
void joint_find_geometric_damping(const step_problem *problem, size_t index);

// From the solved rows, before bodies are moved: remembers impulses, takes reactions, breaks what was overloaded.
// Joints of bodies that are marked by slot are left out, unless `left_out` is NULL.
void joints_finish(const step_problem *problem, const joint_rows *solved, const uint8_t *left_out);

// How far the gradients of a joint turn in the step, in parts of their size: at the velocities before it.
double joint_turn(const step_problem *problem, size_t index);

#endif
