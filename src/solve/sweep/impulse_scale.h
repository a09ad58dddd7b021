// All impulses of a problem times one number, which is found exactly.
//
// A light heap that carries a heavy body passes a change of its load on from layer to layer, and every round through
// the layers changes the velocity of the heavy body by about a layer's part of its mass: sweeps see the mode "all
// impulses larger by one part" last of all. But along that mode the minimum of 1/2 x^T N x + r^T x is known,
//     s = -x.r / x.Nx,
// and cones are scaled onto themselves, so that s x is as admissible as x. Joints with bounds are not.
#ifndef SOLVE_SWEEP_IMPULSE_SCALE_H
#define SOLVE_SWEEP_IMPULSE_SCALE_H

#include "solve/sweep/kernels.h"

// The factor for the problem's impulses; 1 where there is nothing to scale. `unpushed`: velocities without impulses.
double impulse_scale_find(const contact_problem *problem, const void *unpushed, int threads);

// Scales the impulses of both points, x_k being `now`, and their velocities with them.
void impulse_scale_apply(contact_problem *problem, const sweep_points *points, int now, const void *unpushed,
                         double factor, int threads);

#endif
