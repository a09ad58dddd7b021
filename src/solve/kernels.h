// The wide inner loops, compiled for each precision and instruction set from kernels/; here is the table that picks.
#ifndef SOLVE_KERNELS_H
#define SOLVE_KERNELS_H

#include "solve/problem.h"

typedef struct jacobi_slots { // where a lane's velocity changes go in the reduction buffer; UINT32_MAX: nowhere
    uint32_t a[PROBLEM_LANES], b[PROBLEM_LANES];
} jacobi_slots;

typedef struct kernel_table {
    // One Gauss-Seidel pass over consecutive groups. Returns the largest squared change of an impulse.
    double (*sweep)(void *bodies, void *groups, size_t first, size_t count);
    tile_residual (*residual)(const void *bodies, const void *groups, size_t first, size_t count);
    // Velocity changes by the impulses as they stand.
    void (*apply)(void *bodies, const void *groups, size_t first, size_t count);
    // Algorithm 1, steps 6 and 8-9 of Negrut et al. 2010: new impulses and the changes of velocity into `reduction`
    // (6 reals a slot), then the ordered sum over each body's slots.
    double (*jacobi_contacts)(const void *bodies, void *groups, size_t first, size_t count, double omega, double lambda,
                              const jacobi_slots *slots, void *reduction);
    void (*jacobi_bodies)(void *bodies, const uint32_t *slot_start, size_t first, size_t count, const void *reduction);
} kernel_table;

const kernel_table *kernels_for(scree_precision precision);

extern const kernel_table kernels_f32_baseline, kernels_f64_baseline, kernels_f32_avx2, kernels_f64_avx2;

#endif
