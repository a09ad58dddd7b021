// The constraints of one step as plain arrays: the bodies' free velocities, contacts, and the scalar rows of joints.
//
// Whatever solves a step starts from these: the wide sweeps lay contacts out in groups of lanes (problem.h), the Newton
// solver takes an island of them as it is (newton.h), and a dump writes them to a file.
#ifndef SOLVE_ROWS_H
#define SOLVE_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

typedef struct problem_body {
    vec3 velocity, spin;  // in: before impulses, v + h M^-1 f; out: of the solution
    double inverse_mass;  // 0: not movable
    mat3 inverse_inertia; // world axes; all 0: not movable
} problem_body;

// A contact with the relative velocity u = (v_b + w_b x arm_b) - (v_a + w_a x arm_a) and the impulse p on b. With the
// normal parts u_n, p_n and the rest u_t, p_t it asks for
//     0 <= p_n,  u_n + bias + compliance p_n >= 0, one of them with equality;   |p_t| <= friction p_n, against u_t,
// in the convex law with friction |u_t| taken from the left side of the middle. The angular impulse t on b resists the
// relative spin w_b - w_a:  |t_n| <= spinning p_n along the normal, |t_t| <= rolling p_n across it.
typedef struct problem_row {
    uint32_t a, b;
    vec3 normal, arm_a, arm_b; // unit, from a towards b; from the centres of mass to the contact point
    double bias, friction;
    double compliance;        // >= 0; 1 / (h^2 k + h d) for a spring k with a damper d
    double rolling, spinning; // lengths, >= 0
    vec3 impulse;             // on b; in: to start from, out: the solution
    vec3 angular_impulse;     // on b; in: to start from, out: the solution
} problem_row;

// A scalar constraint of a joint between two bodies, or three when it couples two joints of one carrier. With the speed
//     s = sum over its bodies of  linear . v + angular . w
// and the impulse p it asks for  s + bias + compliance p = 0  while low < p < high; at p = low the left side may be
// positive, at p = high negative. Each body gets  linear p  and  angular p.
enum { JOINT_ROW_BODIES = 3 };
#define NO_BODY UINT32_MAX

typedef struct joint_row {
    uint32_t body[JOINT_ROW_BODIES]; // NO_BODY where there is none
    vec3 linear[JOINT_ROW_BODIES], angular[JOINT_ROW_BODIES];
    double bias;
    double correction; // the part of bias that brings positions to where they are to be, as far as that can be
    double compliance; // >= 0
    double low, high;  // -HUGE_VAL, HUGE_VAL: holds both ways
    double impulse;    // in: to start from, out: the solution
} joint_row;

#endif
