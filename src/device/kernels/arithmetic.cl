// All operations of arithmetic_cases.h over a list of cases: one work-item a case.
#include "device/arithmetic_cases.h"

kernel void check_single(global const float *cases, global float *results, uint count)
{
    uint i = get_global_id(0);
    if (i >= count)
        return;
    float found[SINGLE_OPERATIONS];
    single_results(cases[3 * i], cases[3 * i + 1], cases[3 * i + 2], found);
    for (int k = 0; k < SINGLE_OPERATIONS; k++)
        results[SINGLE_OPERATIONS * i + k] = found[k];
}

kernel void check_double(global const double *cases, global double *results, uint count)
{
    uint i = get_global_id(0);
    if (i >= count)
        return;
    double found[DOUBLE_OPERATIONS];
    double_results(cases[3 * i], cases[3 * i + 1], cases[3 * i + 2], found);
    for (int k = 0; k < DOUBLE_OPERATIONS; k++)
        results[DOUBLE_OPERATIONS * i + k] = found[k];
}
