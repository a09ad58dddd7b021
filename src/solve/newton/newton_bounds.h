// What all ways of solving an island aim at.
#ifndef SOLVE_NEWTON_NEWTON_BOUNDS_H
#define SOLVE_NEWTON_NEWTON_BOUNDS_H

#include <math.h>

static const double MOST_STIFFNESS = 1e9, GROWTH = 5;
// Stiffness of rows that hold both ways at first, and times their mobility under loads; a load is what leaves more than
// this part of the speeds that were to be corrected.
static const double FIRST_JOINT_STIFFNESS = 1e5, JOINT_MARGIN = 30, MUCH_LEFT = 0.01;
// Errors of constraints' speeds that are wanted at most, relative to the largest in free motion.
static const double SPEED_ACCURACY = 1e-7;
// The same of a start, or where a round brought nothing.
static const double ROUGH_SPEED_ACCURACY = 1e-5;
// The same of an island at rest: about what impulses in single precision do to a tower of 50 boxes.
static const double FINISHED_SPEED_ACCURACY = 2e-5;
// Steps without an improvement by half after which speeds count as right to rounding, the tolerance being met.
enum { MOST_IDLE_STEPS = 8 };

// A stiffness 1 / W leaves alone what moves its rows by less than W. Where equations depend on each other, as in a
// linkage whose links are in line, a combination of them has the size s in parts of its rows, and s^2 of their
// mobility. The step turns gradients by t, and a step of Newton's method with those of its start multiplies an error of
// the combination by t / s; with W = t^2 by s t / (s^2 + t^2), which is 1/2 at most. Turns beyond the largest are not
// resolved.
static const double LARGEST_TURN = 0.1;

static inline double first_joint_stiffness(double turn)
{
    turn = fmin(turn, LARGEST_TURN);
    return fmin(FIRST_JOINT_STIFFNESS, 1 / (turn * turn));
}

#endif
