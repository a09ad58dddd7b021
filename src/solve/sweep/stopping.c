#include "solve/sweep/stopping.h"

#include <math.h>

enum { COMPARE_EVERY = 128, LOOK_EVERY = 16, LOOK_NEAR = 8 };

// A mean residual that does not fall below this part of what it was COMPARE_EVERY iterations ago has stalled.
static const double hardly = 0.95;

// With unlike masses sweeps end at so many times the tolerance, which is a part of the mean load: that is a load many
// times the weight of the light bodies. The change of impulses, most of which is that of the load, tells little then.
static const double modest = 10;

// From this many times the tolerance on the residual is looked at more often: it falls by little in a sweep then, and
// changes of impulses say nothing of it, since momentum that rises makes them larger.
static const double nearby = 2;

stopping stopping_begin(const scree_solver_def *def)
{
    return (stopping){.def = def, .threshold = HUGE_VAL, .compared_mean = HUGE_VAL};
}

int stopping_next(const stopping *stop, const solve_result *result, int most)
{
    int left = stop->def->iterations - result->iterations;
    return left < most ? left : most;
}

bool stopping_go_on(stopping *stop, const contact_problem *problem, double change, int threads, solve_result *result)
{
    bool last = result->iterations >= stop->def->iterations || interrupt_asked(problem->interrupt);
    bool compare = result->iterations - stop->compared >= COMPARE_EVERY;
    double tolerance = stop->def->tolerance * (problem->has_unlike_masses ? modest : 1);
    bool near = stop->looked > 0 && result->residual.max <= nearby * tolerance;
    int since = result->iterations - stop->looked;
    bool look = (problem->has_unlike_masses && since >= LOOK_EVERY) || (near && since >= LOOK_NEAR);
    if (!last && !compare && !look && change > stop->threshold)
        return true;
    stop->looked = result->iterations;
    result->residual = problem_residual(problem, threads);
    result->stop = result->residual.max <= tolerance ? SCREE_STOP_TOLERANCE : SCREE_STOP_ITERATIONS;
    if (last || result->stop == SCREE_STOP_TOLERANCE)
        return false;
    stop->threshold = change * fmax(0.1, 0.7 * tolerance / result->residual.max);
    stop->stalled = false;
    if (compare) {
        stop->stalled = !(result->residual.mean < hardly * stop->compared_mean);
        stop->compared = result->iterations;
        stop->compared_mean = result->residual.mean;
    }
    return true;
}
