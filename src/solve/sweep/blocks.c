#include "solve/sweep/blocks.h"

#include <math.h>

#include "solve/sweep/articulation.h"
#include "solve/sweep/wide_body.h"

bool blocks_any(const contact_problem *problem)
{
    return problem->joints || problem->wide;
}

void blocks_apply(contact_problem *problem)
{
    if (problem->joints)
        articulation_apply(problem->joints, problem);
    if (problem->wide)
        wide_bodies_apply(problem->wide, problem);
}

void blocks_apply_before(contact_problem *problem)
{
    if (problem->joints)
        articulation_apply_before(problem->joints, problem);
    if (problem->wide)
        wide_bodies_apply_before(problem->wide, problem);
}

double wide_blocks_relax(contact_problem *problem, double beta, step_sums *sums, int threads)
{
    return problem->wide ? wide_bodies_relax(problem->wide, problem, beta, sums, threads) : 0;
}

double blocks_relax(contact_problem *problem, double beta, step_sums *sums, int threads)
{
    double joints = problem->joints ? articulation_relax_onwards(problem->joints, problem, beta, sums) : 0;
    return fmax(joints, wide_blocks_relax(problem, beta, sums, threads));
}

size_t blocks_residual(const contact_problem *problem, tile_residual *sums)
{
    size_t count = 0;
    if (problem->joints)
        count += articulation_residual(problem->joints, problem, sums);
    if (problem->wide)
        count += wide_bodies_residual(problem->wide, problem, sums);
    return count;
}
