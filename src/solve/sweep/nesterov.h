// Nesterov's momentum for sweeps: how far to extrapolate before each, when to begin anew, and when to hold it back.
//
// With x_k after sweep k, sweep k + 1 starts from x_k + beta (x_k - x_{k-1}), beta as in the accelerated projected
// gradient method (Mazhar, Heyn, Negrut and Tasora 2015, Algorithm 1): it rises from 0 towards 1 until a restart.
#ifndef SOLVE_SWEEP_NESTEROV_H
#define SOLVE_SWEEP_NESTEROV_H

#include <math.h>

#include "solve/sweep/problem.h"

typedef struct nesterov {
    double theta;
    double limit; // beta never exceeds this
    double most;  // nor this: the limit, or less while the guard holds momentum back
    double beta;  // of the last sweep
    double best;  // shortest step since the last restart, as the guard measures it
    double calm;  // beta then
    double pace;  // part of what the guard has taken that it gives back at a time
} nesterov;

static inline nesterov nesterov_begin(double limit)
{
    return (nesterov){.theta = 1, .limit = limit, .most = limit, .best = HUGE_VAL, .pace = 1.0 / 16};
}

// By the exact law of friction, what slides makes the iteration unsymmetric, by some ten to thirty degrees in the
// angles of its eigenvalues; momentum near 1 then lets oscillations grow instead of carrying through them. Of limits
// from 0.5 to 1 this one leaves the smallest residuals after 50 sweeps in drums and settling piles; it rises where
// sweeps go on and steps get shorter.
static inline nesterov nesterov_begin_exact(void)
{
    nesterov state = nesterov_begin(0.9);
    state.most = 0.8;
    state.pace = 1.0 / 32;
    return state;
}

// Where next to nothing slides the iteration is as good as symmetric, and momentum may come near 1, as by the convex
// law: a pyramid of boxes, in which loads have a hundred layers to go through, has 1 % of its load on contacts that
// slide; piles that settle, silos, drums and mixers have 5 % and more.
static inline void nesterov_free(nesterov *state, double sliding, double load)
{
    const double slides = 0.05;
    double free = load > 0 ? fmin(1, fmax(0, 2 - 2 * sliding / (slides * load))) : 0;
    state->limit += free * (1 - state->limit);
    state->most += free * (1 - state->most);
}

static inline void nesterov_restart(nesterov *state)
{
    state->theta = 1;
    state->best = HUGE_VAL;
}

// The beta of the next sweep: 0 for the first after a beginning.
static inline double nesterov_next(nesterov *state)
{
    double theta = state->theta, squared = theta * theta;
    double next = 0.5 * (theta * sqrt(squared + 4) - squared);
    double beta = theta * (1 - theta) / (squared + next);
    state->theta = next;
    return state->beta = fmin(beta, state->most);
}

// From now on beta stays at or below this.
static inline void nesterov_limit(nesterov *state, double limit)
{
    state->limit = limit;
    state->most = fmin(state->most, limit);
}

// The guard. Steps of a sweep that converges get shorter, ripples aside. Where sweeps are far from symmetric (ordered
// packings, light bodies with many contacts) momentum beyond some beta makes them longer and longer without ever
// carrying the wrong way, so that a restart by sign does not see it. When the step, `moved` of step_sums, has grown so,
// momentum begins anew and stays below the beta that shortened steps last (taking half of its reach at most, since
// steps grow for a moment after each beginning); it gets more only while steps fall, and more slowly each time.
static inline void nesterov_watch(nesterov *state, double moved)
{
    const double grown = 2, slower = 0.7;
    if (moved < state->best) {
        state->best = moved;
        state->calm = state->beta;
        state->most += state->pace * (state->limit - state->most);
    } else if (moved > grown * state->best) {
        state->most = fmin(state->most, fmax(state->calm, 1 - 2 * (1 - state->beta)));
        state->pace *= slower;
        nesterov_restart(state);
    }
}

// In single precision momentum gathers up the rounding of velocities that are only ever updated. So every so many
// iterations both V(x_k) and V(x_{k-1}) are computed anew from the impulses, starting from the velocities without
// impulses; refreshing one of them only would leave their difference wrong.
enum { MOMENTUM_REFRESH = 128 };

// Copies the velocities of all bodies (problem_velocities_size) elsewhere, or back.
void velocities_keep(const contact_problem *problem, void *to, int threads);
void velocities_return(contact_problem *problem, const void *from, int threads);

// `unpushed`: velocities without impulses. `impulses` (as for problem_apply_impulses) and `velocities`: x_{k-1} and V
// of it, which is computed. Blocks (blocks.h) have both of their points themselves.
void momentum_refresh(contact_problem *problem, const void *unpushed, const void *impulses, void *velocities,
                      int threads);

#endif
