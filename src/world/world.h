// The inside of a world: what exists, for the rooms from world up to step.
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

#include "base/arena.h"
#include "base/interrupt.h"
#include "collide/contact.h"
#include "collide/meetings.h"
#include "geometry/bvh.h"
#include "joint/joint.h"
#include "scree/world.h"
#include "world/body_store.h"
#include "world/instant.h"
#include "world/pushes.h"

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

// How well the last step was solved.
typedef struct step_outcome {
    scree_algorithm algorithm;
    int iterations;
    double residual_mean, residual_max;
    scree_stop stop;
} step_outcome;

// Contacts that a step finds once more, with their angular impulses and meetings.
typedef struct strike_list {
    contact_array contacts;
    vec3f_array angular;
    pair_meetings meetings;
} strike_list;

struct scree_world {
    scree_world_def def; // solver.cell is the edge in use (cell.h)
    int most_threads;    // that the definition allows, and that there are workers for
    int threads;         // of the step under way
    double gravity;      // length of def.gravity
    uint64_t steps;
    double time;
    bool diverged;
    scree_id lost; // the body that the message of a failed step names; 0: none

    body_store bodies;
    joint_store joints;
    ARRAY(scree_material_def) materials;
    ARRAY(pair_properties) pairs;    // [material_count]^2
    bool pairs_noted;                // the flags below hold for the pairs as they are
    bool cohesive, bouncy, extended; // some pair has cohesion; restitution; compliance, rolling or spinning friction
    ARRAY(body_motion) motions;
    ARRAY(applied_force) forces; // for the next step
    body_pair_array apart;       // a < b

    contact_array contacts;       // of the last step, sorted by slot of a
    vec3f_array angular_impulses; // by contact, where contacts are extended: of rolling and spinning friction
    body_pushes pushes;           // since contacts were found
    half_kicks half_kicks;        // of the last step
    pair_meetings meetings;       // during a step

    const struct method *method; // method.h
    void *method_state;          // what the method keeps from step to step; NULL when that is nothing

    strike_list strikes, thrown; // during a step: contacts of bodies that it makes fast; and of what those throw

    bool watch_touches;
    body_pair_array touching, begun, ended; // after the last step, rising

    double travel;           // mean path since bodies were last put in order, in mean radii
    uint32_t steps_in_order; // steps since then
    double radius_sum;       // over movable bodies
    size_t movable_count;
    size_t sleeping; // bodies

    world_tree tree;
    step_outcome solved;
    scree_stage_times last, total; // of the last step, and of all steps of this world
    double stage_begun;            // time on the clock when the stage at hand began (method.h)
    struct step_capture *capture;  // filled by every step; NULL when nobody wants it
    interrupt interrupt;           // asks whether the step under way is to be given up
    arena scratch;
    arena *workers; // scratch of each thread
};

static inline size_t pair_index(const scree_world *world, int a, int b)
{
    return (size_t)a * world->materials.count + (size_t)b;
}

// A world without bodies by a definition whose method is known.
scree_status world_make(const scree_world_def *def, const struct method *by, scree_world **world, scree_error *error);

#endif
