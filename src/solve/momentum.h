// Nesterov's momentum for sweeps: how far to extrapolate before each, and when to begin anew.
//
// With x_k after sweep k, sweep k + 1 starts from x_k + beta (x_k - x_{k-1}), beta as in the accelerated projected
// gradient method (Mazhar, Heyn, Negrut and Tasora 2015, Algorithm 1): it rises from 0 towards 1 until a restart.
#ifndef SOLVE_MOMENTUM_H
#define SOLVE_MOMENTUM_H

#include <math.h>

#include "solve/problem.h"

typedef struct momentum {
    double theta;
    double most; // beta stays at or below this
} momentum;

static inline momentum momentum_begin(double most)
{
    return (momentum){1, most};
}

static inline void momentum_restart(momentum *state)
{
    state->theta = 1;
}

// The beta of the next sweep: 0 for the first after a beginning.
static inline double momentum_next(momentum *state)
{
    double theta = state->theta, squared = theta * theta;
    double next = 0.5 * (theta * sqrt(squared + 4) - squared);
    double beta = theta * (1 - theta) / (squared + next);
    state->theta = next;
    return fmin(beta, state->most);
}

// In single precision momentum gathers up the rounding of velocities that are only ever updated. So every so many
// iterations both V(x_k) and V(x_{k-1}) are computed anew from the impulses, starting from the velocities without
// impulses; refreshing one of them only would leave their difference wrong.
enum { MOMENTUM_REFRESH = 128 };

// Copies the velocities of all bodies (problem_velocities_size) elsewhere, or back.
void velocities_keep(const contact_problem *problem, void *to, int threads);
void velocities_return(contact_problem *problem, const void *from, int threads);

// `unpushed`: velocities without impulses. `impulses` (as for problem_apply_impulses) and `velocities`: x_{k-1} and V
// of it, which is computed.
void momentum_refresh(contact_problem *problem, const void *unpushed, const void *impulses, void *velocities,
                      int threads);

#endif
