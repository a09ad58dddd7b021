// Joints between two bodies, or a body and the fixed world: what they hold, drive, limit, brake and pull.
//
// A joint has a frame on each of its two bodies; they coincide when it is added. Most joints have one coordinate, their
// `position`, on which motor, limits and friction act:
//
//     type             holds                                    position
//     spherical        a common point                           angle between the two axes (limits only)
//     revolute         a common point and axis                  angle about the axis
//     prismatic        all but sliding along the axis           travel along the axis
//     cylindrical      a common axis                            travel along the axis
//     planar           a common plane with the axis as normal   angle about the axis
//     universal        a point; the two axes perpendicular      angle about the first axis
//     fixed            everything                               none
//     distance         the distance of two points               that distance; free with limits or a motor
//     point on line    a point of the second body on a line     travel along the axis
//     spring           nothing: a force along a line            distance of its ends
//     torsion spring   nothing: a torque about the axis         angle about the axis
//     gear, rack       the ratio of two other joints' speeds    that of the second joint
//
// Positions are zero when the joint is added, except distances, which are what they are. Angles count full turns.
#ifndef SCREE_JOINT_H
#define SCREE_JOINT_H

#include <stddef.h>

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_joint_type {
    SCREE_JOINT_SPHERICAL,
    SCREE_JOINT_REVOLUTE,
    SCREE_JOINT_PRISMATIC,
    SCREE_JOINT_CYLINDRICAL,
    SCREE_JOINT_PLANAR,
    SCREE_JOINT_UNIVERSAL,
    SCREE_JOINT_FIXED,
    SCREE_JOINT_DISTANCE,
    SCREE_JOINT_POINT_ON_LINE,
    SCREE_JOINT_SPRING,
    SCREE_JOINT_TORSION_SPRING,
    SCREE_JOINT_GEAR, // couples two rotations, or two travels
    SCREE_JOINT_RACK, // couples a rotation, the first, with a travel
    SCREE_JOINT_TYPES,
} scree_joint_type;

typedef enum scree_motor_type { SCREE_MOTOR_NONE, SCREE_MOTOR_SPEED, SCREE_MOTOR_POSITION } scree_motor_type;

// Drives the joint's position, or its speed, to
//     target + amplitude (sin(2 pi frequency t + phase) - sin(phase)),     t from when the motor was set.
// Without a force limit the motion is prescribed. With one the target is held rigidly while the load is within the
// limit; a position is approached with the time constant `response`, from afar no faster than the motor can brake.
typedef struct scree_motor_def {
    scree_motor_type type;
    double target;    // [length or rad], or that per time
    double max_force; // most force, or torque for a rotation; > 0, infinity: no limit
    double amplitude; // as the target
    double frequency; // [1/time]
    double phase;     // [rad]
    double response;  // position: time constant of the approach, >= 0; 0: ten steps, or at once without a limit
} scree_motor_def;

// No motor, without a force limit.
SCREE_API scree_motor_def scree_default_motor_def(void);

typedef struct scree_joint_def {
    scree_joint_type type;
    scree_id bodies[2];      // 0 is the fixed world; different, and one at least not fixed
    scree_vec3 position;     // where the joint is, world frame
    scree_vec3 positions[2]; // distance, spring: the two ends instead, one on each body
    scree_vec3 axis;         // world frame, not zero
    scree_vec3 second_axis;  // universal: on the second body, perpendicular to the other
    double stiffness;        // spring [force/length], torsion spring [torque/rad]; others: of what is held, 0: rigid
    double damping;          // [force time/length], [torque time/rad]; >= 0
    double angular_stiffness, angular_damping; // of the rotations that are held; 0: rigid
    double axis_stiffness, axis_damping; // of a spring along or about the free axis; revolute, prismatic, cylindrical,
                                         // planar, universal, point on line: [force/length], [torque/rad]
    double rest;                         // position at which that spring has no force
    double length;                       // distance, spring: free length, >= 0; < 0: as the ends stand
    double angle;                        // torsion spring: free angle [rad]
    double preload;        // springs: force at the free length, pulling; torque, turning the second body back
    double low, high;      // limits of the position; -infinity, infinity: none
    double friction;       // most force (torque for a rotation) against motion; spherical, universal: about each axis
    double break_force;    // breaks when the force of its reaction exceeds it; > 0, infinity: never
    double break_torque;   // breaks when the torque of its reaction exceeds it; > 0, infinity: never
    bool collide;          // the two bodies may touch each other
    scree_motor_def motor; // drives the position or its speed
    scree_id joints[2];    // gear, rack: the joints that are coupled; they have a body in common, or the world
    double ratio;          // gear, rack: speed of the second over that of the first, not zero
} scree_joint_def;

// Spherical, between world and world, at the origin, axis z, rigid, without motor, limits and friction, unbreakable;
// joined bodies do not touch; ratio 1; free length as the ends stand.
SCREE_API scree_joint_def scree_default_joint_def(void);

// Adds all joints or none, as the bodies stand now. `ids` may be NULL. A gear names joints that exist before the call.
SCREE_API scree_status scree_world_add_joints(scree_world *world, const scree_joint_def *defs, size_t count,
                                              scree_id *ids, scree_error *error);

// Removes all of them or, when one is unknown or named twice, none. Gears of a removed joint go with it, as do the
// joints of a removed body.
SCREE_API scree_status scree_world_remove_joints(scree_world *world, const scree_id *ids, size_t count,
                                                 scree_error *error);

// Replaces the motor of a joint that has a position; its time begins now.
SCREE_API scree_status scree_world_set_motor(scree_world *world, scree_id joint, const scree_motor_def *def,
                                             scree_error *error);

typedef struct scree_joint_state {
    scree_joint_type type;
    scree_id bodies[2];       // 0: the world
    scree_vec3 ends[2];       // the joint's point on each body, world frame
    double position, speed;   // see the table above; 0 for a fixed joint
    scree_vec3 force, torque; // mean over the last step on the second body, about the joint's point there, world frame
    scree_vec3 local_force, local_torque; // the same along the joint's frame on the first body: z is the axis
    bool broken;                          // holds no more, since its reaction exceeded a limit
} scree_joint_state;

SCREE_API scree_status scree_world_get_joint(const scree_world *world, scree_id joint, scree_joint_state *state,
                                             scree_error *error);

SCREE_API size_t scree_world_joint_count(const scree_world *world);
SCREE_API bool scree_world_has_joint(const scree_world *world, scree_id joint);

// Ids of all joints in rising order into `ids`, which has room for scree_world_joint_count of them.
SCREE_API void scree_world_joint_ids(const scree_world *world, scree_id *ids);

#ifdef __cplusplus
}
#endif

#endif
