// The wide inner loops, compiled for each precision and instruction set from kernels/; here are the tables that pick.
#ifndef SOLVE_SWEEP_KERNELS_H
#define SOLVE_SWEEP_KERNELS_H

#include "solve/sweep/problem.h"

// The two points that sweeps with momentum go between: x_k, and x_{k-1}, whose place x_{k+1} takes. A body is
// extrapolated by the first tile that touches it, just before that tile is swept, when it is on its way into the cache
// anyway.
typedef struct sweep_points {
    void *impulses[2], *velocities[2]; // as in the problem
} sweep_points;

typedef struct step_sums {
    double moved;    // |x_{k+1} - y|^2 in the metric of the diagonal, y being where the step began
    double reversal; // its product with the whole move x_{k+1} - x_k: positive when momentum carries the wrong way
    double load;     // sum of the normal impulses
    double sliding;  // of contacts whose friction is at its limit
} step_sums;

typedef struct sweep_kernels {
    // One Gauss-Seidel pass over a tile. Returns the largest squared change of an impulse.
    double (*sweep)(const contact_problem *problem, problem_tile tile);
    // The same from y = x_k + beta (x_k - x_{k-1}), with x_k at points[from]. Without sums (NULL) the change is
    // unknown, and the pass is shorter.
    double (*sweep_onwards)(const contact_problem *problem, const sweep_points *points, int from, size_t tile,
                            double beta, step_sums *sums);
    tile_residual (*residual)(const contact_problem *problem, problem_tile tile);
    // Velocity changes by these impulses, times a factor.
    void (*apply)(const contact_problem *problem, problem_tile tile, const void *impulses, double factor);
    // `unpushed`: velocities without impulses.
    impulse_work (*work)(const contact_problem *problem, problem_tile tile, const void *unpushed);
} sweep_kernels;

typedef struct reduction_slots { // where what a lane does to its bodies goes; UINT32_MAX: nowhere
    uint32_t a[PROBLEM_LANES], b[PROBLEM_LANES];
} reduction_slots;

typedef struct reduction {
    uint32_t *slot_start;   // [body_count + 1]
    reduction_slots *slots; // by group
    void *loads;            // impulse and torque, 6 reals a slot
} reduction;

typedef struct gradient_step {
    void *now, *before; // impulses x_k and x_{k-1}, as in the problem
    bool fresh;         // the impulses of the problem are a new x_k
    double beta, length;
} gradient_step;

typedef struct gradient_kernels {
    // Algorithm 1, steps 6 and 8-9 of Negrut et al. 2010: new impulses, and what they change into `to`.
    void (*jacobi_contacts)(const contact_problem *problem, problem_tile tile, const scree_solver_def *def,
                            const reduction *to);
    // The same from y = x + beta (x - x_before) with a step length that is a part of the diagonal's.
    step_sums (*descend_contacts)(const contact_problem *problem, problem_tile tile, const gradient_step *step,
                                  const reduction *to);
    // The ordered sum over each body's slots, into the velocities or into `changes` (8 reals a body). Returns twice the
    // kinetic energy of the changes.
    double (*gather_loads)(const contact_problem *problem, size_t first, size_t count, const reduction *from,
                           void *changes);
    // v <- v + beta (v - before), before <- the old v; and v <- v + changes. 8 reals a body.
    void (*extrapolate)(const contact_problem *problem, size_t first, size_t count, void *before, double beta);
    void (*add_changes)(const contact_problem *problem, size_t first, size_t count, const void *changes);
} gradient_kernels;

typedef struct row_kernels {
    // Sets the diagonals of some groups of a tile, whose rows and bodies are set. Centered spheres have none.
    void (*find_diagonals)(const contact_problem *problem, problem_tile tile, size_t first_group, size_t group_count);
} row_kernels;

// These take tiles of any kind. Tables of sweeps by kind are for groups as they come, those of stacks for stacks.
const sweep_kernels *sweep_kernels_for(const contact_problem *problem);
const gradient_kernels *gradient_kernels_for(const contact_problem *problem);
const row_kernels *row_kernels_for(const contact_problem *problem);

#define DECLARE_KERNELS(suffix)                                                                                        \
    extern const sweep_kernels sweep_kernels_##suffix, stack_kernels_##suffix;                                         \
    extern const gradient_kernels gradient_kernels_##suffix;                                                           \
    extern const row_kernels row_kernels_##suffix;
#define DECLARE_KINDS(isa)                                                                                             \
    DECLARE_KERNELS(f32_##isa)                                                                                         \
    DECLARE_KERNELS(f32_##isa##_isotropic)                                                                             \
    DECLARE_KERNELS(f32_##isa##_spheres)                                                                               \
    DECLARE_KERNELS(f32_##isa##_extended)                                                                              \
    DECLARE_KERNELS(f64_##isa)                                                                                         \
    DECLARE_KERNELS(f64_##isa##_isotropic)                                                                             \
    DECLARE_KERNELS(f64_##isa##_extended)
DECLARE_KINDS(baseline)
DECLARE_KINDS(avx2)
#undef DECLARE_KERNELS
#undef DECLARE_KINDS

#endif
