#include "solve/sweep/blocks.h"

#include <math.h>
#include <string.h>

#include "solve/sweep/articulation.h"
#include "solve/sweep/wide_body.h"

bool blocks_any(const contact_problem *problem)
{
    return problem->joints || problem->wide;
}

static bool owns_any(const contact_problem *problem, uint32_t tile, const uint8_t *in_block)
{
    for (uint32_t i = problem->first_body[tile]; i < problem->first_body[tile + 1]; i++)
        if (in_block[problem->bodies[i]])
            return true;
    return false;
}

// All tiles that touch a body are neighbours of the first of them, and so at most `lag` bands behind it.
bool blocks_find_bands(contact_problem *problem, arena *scratch)
{
    tile_bands *bands = &problem->bands;
    bands->first_block = 0;
    bands->end_block = bands->count;
    if (!blocks_any(problem) || bands->wave == 1)
        return true;
    uint8_t *in_block = arena_array(scratch, uint8_t, problem->body_count);
    if (!in_block)
        return false;
    memset(in_block, 0, problem->body_count);
    if (problem->joints)
        articulation_mark_bodies(problem->joints, in_block);
    if (problem->wide)
        wide_bodies_mark_bodies(problem->wide, in_block);
    uint32_t first = bands->count, end = 0;
    for (uint32_t band = 0; band < bands->count; band++)
        for (uint32_t tile = bands->first[band]; tile < bands->first[band + 1] && end <= band; tile++)
            if (owns_any(problem, tile, in_block)) {
                first = band < first ? band : first;
                end = band + 1;
            }
    bands->first_block = first < end ? first : 0;
    bands->end_block = end == 0 ? 0 : end + bands->lag < bands->count ? end + bands->lag : bands->count;
    return true;
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
