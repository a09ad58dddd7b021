#include "solve/sweep/kernels.h"

#include "base/isa.h"

#define BY_KIND(kernels, real, isa)                                                                                    \
    [PROBLEM_GENERAL_INERTIA] = &kernels##_##real##_##isa,                                                             \
    [PROBLEM_ISOTROPIC] = &kernels##_##real##_##isa##_isotropic,                                                       \
    [PROBLEM_EXTENDED_CONTACT] = &kernels##_##real##_##isa##_extended
#define BY_PRECISION(kernels, isa)                                                                                     \
    {                                                                                                                  \
        [SCREE_PRECISION_SINGLE] = {BY_KIND(kernels, f32, isa), [PROBLEM_CENTERED_SPHERES] =                           \
                                                                    &kernels##_f32_##isa##_spheres},                   \
        [SCREE_PRECISION_DOUBLE] = {BY_KIND(kernels, f64, isa)},                                                       \
    }

static const sweep_kernels *const sweeps[][2][PROBLEM_KINDS] = {
    BY_PRECISION(sweep_kernels, baseline),
#ifdef SCREE_HAVE_AVX2
    BY_PRECISION(sweep_kernels, avx2),
#endif
};

#define STACKS_BY_KIND(real, isa)                                                                                      \
    {                                                                                                                  \
        BY_KIND(stack_kernels, real, isa)                                                                              \
    }
#define STACKS_BY_PRECISION(isa)                                                                                       \
    {                                                                                                                  \
        [SCREE_PRECISION_SINGLE] = STACKS_BY_KIND(f32, isa), [SCREE_PRECISION_DOUBLE] = STACKS_BY_KIND(f64, isa)       \
    }

static const sweep_kernels *const stack_sweeps[][2][PROBLEM_KINDS] = {
    STACKS_BY_PRECISION(baseline),
#ifdef SCREE_HAVE_AVX2
    STACKS_BY_PRECISION(avx2),
#endif
};

#define ROWS_BY_PRECISION(isa)                                                                                         \
    {                                                                                                                  \
        [SCREE_PRECISION_SINGLE] = {BY_KIND(row_kernels, f32, isa)}, [SCREE_PRECISION_DOUBLE] = {                      \
            BY_KIND(row_kernels, f64, isa)                                                                             \
        }                                                                                                              \
    }

static const row_kernels *const rows[][2][PROBLEM_KINDS] = {
    ROWS_BY_PRECISION(baseline),
#ifdef SCREE_HAVE_AVX2
    ROWS_BY_PRECISION(avx2),
#endif
};

static const gradient_kernels *const gradients[][2][PROBLEM_KINDS] = {
    BY_PRECISION(gradient_kernels, baseline),
#ifdef SCREE_HAVE_AVX2
    BY_PRECISION(gradient_kernels, avx2),
#endif
};

static bool wider(void)
{
#ifdef SCREE_HAVE_AVX2
    return isa_has_avx2();
#else
    return false;
#endif
}

static const sweep_kernels *sweeps_of(const contact_problem *problem, const problem_tile *tile)
{
    return (tile->stack_count > 0 ? stack_sweeps : sweeps)[wider()][problem->precision][tile->kind];
}

static const gradient_kernels *gradients_of(const contact_problem *problem, problem_kind kind)
{
    return gradients[wider()][problem->precision][kind];
}

// Bodies are those of the most general kind that the problem has inertia for.
static problem_kind kind_of_bodies(const contact_problem *problem)
{
    return problem->inertia ? PROBLEM_GENERAL_INERTIA : PROBLEM_ISOTROPIC;
}

// ------------------------------------------------------------------------------------------------- by the kind of tile

static double sweep(const contact_problem *problem, problem_tile tile)
{
    return sweeps_of(problem, &tile)->sweep(problem, tile);
}

static double sweep_onwards(const contact_problem *problem, const sweep_points *points, int from, size_t tile,
                            double beta, step_sums *sums)
{
    return sweeps_of(problem, &problem->tiles[tile])->sweep_onwards(problem, points, from, tile, beta, sums);
}

static tile_residual residual_of(const contact_problem *problem, problem_tile tile)
{
    return sweeps_of(problem, &tile)->residual(problem, tile);
}

static void apply(const contact_problem *problem, problem_tile tile, const void *impulses, double factor)
{
    sweeps_of(problem, &tile)->apply(problem, tile, impulses, factor);
}

static impulse_work work_on(const contact_problem *problem, problem_tile tile, const void *unpushed)
{
    return sweeps[wider()][problem->precision][tile.kind]->work(problem, tile, unpushed);
}

static void jacobi_contacts(const contact_problem *problem, problem_tile tile, const scree_solver_def *def,
                            const reduction *to)
{
    gradients_of(problem, tile.kind)->jacobi_contacts(problem, tile, def, to);
}

static step_sums descend_contacts(const contact_problem *problem, problem_tile tile, const gradient_step *step,
                                  const reduction *to)
{
    return gradients_of(problem, tile.kind)->descend_contacts(problem, tile, step, to);
}

static void find_diagonals(const contact_problem *problem, problem_tile tile, size_t first_group, size_t group_count)
{
    if (tile.kind != PROBLEM_CENTERED_SPHERES)
        rows[wider()][problem->precision][tile.kind]->find_diagonals(problem, tile, first_group, group_count);
}

static double gather_loads(const contact_problem *problem, size_t first, size_t count, const reduction *from,
                           void *changes)
{
    return gradients_of(problem, kind_of_bodies(problem))->gather_loads(problem, first, count, from, changes);
}

static void extrapolate(const contact_problem *problem, size_t first, size_t count, void *before, double beta)
{
    gradients_of(problem, kind_of_bodies(problem))->extrapolate(problem, first, count, before, beta);
}

static void add_changes(const contact_problem *problem, size_t first, size_t count, const void *changes)
{
    gradients_of(problem, kind_of_bodies(problem))->add_changes(problem, first, count, changes);
}

const sweep_kernels *sweep_kernels_for(const contact_problem *problem)
{
    static const sweep_kernels any = {sweep, sweep_onwards, residual_of, apply, work_on};
    (void)problem;
    return &any;
}

const gradient_kernels *gradient_kernels_for(const contact_problem *problem)
{
    static const gradient_kernels any = {jacobi_contacts, descend_contacts, gather_loads, extrapolate, add_changes};
    (void)problem;
    return &any;
}

const row_kernels *row_kernels_for(const contact_problem *problem)
{
    static const row_kernels any = {find_diagonals};
    (void)problem;
    return &any;
}
