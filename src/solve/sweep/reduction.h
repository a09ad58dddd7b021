// Where the contacts of a problem leave what they do to bodies when all are relaxed at once: slots sorted by body.
//
//     body 0 | c0.a c1.a c7.b | body 1 | c0.b c2.a | body 2 | ...     slot_start: 0 3 5 ...
#ifndef SOLVE_SWEEP_REDUCTION_H
#define SOLVE_SWEEP_REDUCTION_H

#include "solve/sweep/kernels.h"

enum { REDUCTION_BLOCK = 1024 }; // bodies that are summed together

// False when out of memory.
bool reduction_make(const contact_problem *problem, arena *scratch, reduction *made);

#endif
