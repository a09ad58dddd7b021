// A joint as the world keeps it, and what it says about two poses: equations that are held at zero and the coordinate
// on which motor, limits and friction act, each with its gradient.
//
// All equations are functions of the two bodies' poses alone. With d from the first body's anchor to the second's, the
// axes x, y, z of the frame on the first body, the relative orientation q of the two frames in the first, and b, an
// axis of the second body in the frame of the first:
//
//     linear     x.d, y.d, z.d             the anchors meet, or one slides along or across the others
//     aligned    b_x, b_y     (b the axis z)     both axes z stay parallel
//     locked     2 q_x, 2 q_y, 2 q_z             the frames stay parallel
//     crossed    b_z          (b the axis x)     the second axis stays across the first
//
//     travel  z.d      length  |d|      twist  2 atan2(q_z, q_w)      turn  atan2(b_y, b_x)      swing  angle of z and
//     b
#ifndef JOINT_JOINT_H
#define JOINT_JOINT_H

#include "base/array.h"
#include "base/vec.h"
#include "scree/joint.h"

// Where the impulse of a row is remembered.
enum joint_row_place {
    ROW_LINEAR = 0,  // three, also the row of a distance, a spring or a gear
    ROW_ANGULAR = 3, // three
    ROW_MOTOR = 6,
    ROW_LIMIT = 7,              // one: of the nearer limit
    ROW_FRICTION = 8,           // three
    ROW_GEOMETRIC_DAMPING = 11, // three
    ROW_SPRING = 14,            // one: along or about the free axis
    JOINT_ROWS = 15,
};

// Bodies that a joint ties at most: two joints that one couples share a body.
enum { JOINT_MOST_BODIES = 3 };

// A motor's knowledge of what hangs on its joint, from how the coordinate answered its forces.
typedef struct motor_sense {
    double seen;               // steps, two at most
    double time, speed, force; // of the last step: how long its impulse counts, speed at its start, the motor's force
    double former, gained;     // in the step before that: force, and acceleration
    double pushes, answers;    // sums of products: changes of force and acceleration, and the latter with itself
} motor_sense;

typedef struct joint {
    scree_id id;
    scree_joint_def def; // as given, but with `length` filled in
    vec3 anchor[2];      // point of the joint in each body's internal frame; for the world in world axes
    quat frame[2];       // axes of the joint in the same frames
    double offset;       // gear: second position less ratio times the first when it was added
    double expected;     // the coordinate is taken as the angle nearest to this, so that full turns are counted
    double motor_start;  // time
    motor_sense sense;   // of the motor
    bool broken;
    bool gone;                   // is about to be removed
    uint8_t near_high;           // the limit that the remembered impulse belongs to
    double geometric_damping[3]; // of the next step: impulse per speed against unresolved swinging, see
                                 // geometric_damping.c
    double impulse[JOINT_ROWS];  // of the last step
    vec3 force, torque, local_force, local_torque; // of the last step
} joint;

typedef struct joint_store {
    ARRAY(joint) list; // ids rise
    scree_id last_id;  // given out
} joint_store;

typedef enum joint_hold { HOLD_NOTHING, HOLD_ALIGNED, HOLD_LOCKED, HOLD_CROSSED } joint_hold;
typedef enum joint_measure { NO_MEASURE, TRAVEL, LENGTH, TWIST, TURN, SWING, OF_OTHERS } joint_measure;

typedef struct joint_kind {
    const char *name;
    bool linear[3]; // axes x, y, z of the first body's frame along which the anchors are held together
    joint_hold hold;
    joint_measure measure;
    bool uses_axis;
} joint_kind;

const joint_kind *joint_kind_of(scree_joint_type type);

// May it have a spring along or about the axis that it leaves free?
static inline bool joint_has_free_axis(scree_joint_type type)
{
    joint_measure measure = joint_kind_of(type)->measure;
    return (measure == TRAVEL || measure == TWIST || measure == TURN) && type != SCREE_JOINT_TORSION_SPRING;
}

static inline bool measure_is_angle(joint_measure measure)
{
    return measure == TWIST || measure == TURN || measure == SWING;
}

// A function of the poses of two bodies and its gradient: how fast it grows with their velocities and spins.
typedef struct joint_equation {
    double value;
    vec3 linear[2], angular[2];
    int place; // of joint_row_place
} joint_equation;

// Writes the equations that the joint holds at zero, six at most; returns their number. Poses are of the internal
// frames; the world's is the identity.
int joint_equations(const joint *of, const scree_pose pose[2], joint_equation *equations);

// Their values alone.
void joint_values(const joint *of, const scree_pose pose[2], double values[6]);

// The coordinate of a joint that has one and is neither gear nor rack; angles in (-pi, pi].
joint_equation joint_coordinate(const joint *of, const scree_pose pose[2]);

// The motions that the joint leaves free and that a pull through it stiffens: turning about axes, three at most, or
// the ends of a distance or spring moving across it. Returns their number; values are not used.
int joint_swings(const joint *of, const scree_pose pose[2], joint_equation swings[3]);
int joint_swing_count(const joint *of);

// The point of the joint on a body of that pose.
vec3 joint_end(const joint *of, int body, const scree_pose *pose);

static inline double angle_near(double angle, double expected)
{
    return angle + 2 * PI * round((expected - angle) / (2 * PI));
}

#endif
