// When an iteration may stop: by the true residual, which costs about a sweep and is therefore computed only once the
// change of the impulses suggests that it may be small enough, and now and then to see whether there is any progress.
#ifndef SOLVE_SWEEP_STOPPING_H
#define SOLVE_SWEEP_STOPPING_H

#include "solve/solver.h"

typedef struct stopping {
    const scree_solver_def *def;
    double threshold;     // change of an impulse below which the residual is worth a look
    int compared;         // iteration of the last comparison
    double compared_mean; // mean residual then
    int looked;           // iteration of the last look at the residual
    bool stalled;         // it has hardly fallen since the comparison before
} stopping;

stopping stopping_begin(const scree_solver_def *def);

// How many iterations to do at once: `most`, or what is left.
int stopping_next(const stopping *stop, const solve_result *result, int most);

// After iterations: false when they are to end, with residual and reason in the result. `change` is the largest change
// of an impulse in the last one, 0 when unknown.
bool stopping_go_on(stopping *stop, const contact_problem *problem, double change, int threads, solve_result *result);

#endif
