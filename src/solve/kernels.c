#include "solve/kernels.h"

#include "base/isa.h"

#define BY_KIND(kernels, real, isa)                                                                                    \
    [PROBLEM_PLAIN] = &kernels##_##real##_##isa, [PROBLEM_ROUND] = &kernels##_##real##_##isa##_round,                  \
    [PROBLEM_RICH] = &kernels##_##real##_##isa##_rich
#define BY_PRECISION(kernels, isa)                                                                                     \
    {                                                                                                                  \
        [SCREE_SINGLE] = {BY_KIND(kernels, f32, isa), [PROBLEM_BALLS] = &kernels##_f32_##isa##_balls},                 \
        [SCREE_DOUBLE] = {BY_KIND(kernels, f64, isa)},                                                                 \
    }

static const sweep_kernels *const sweeps[][2][PROBLEM_KINDS] = {
    BY_PRECISION(sweep_kernels, baseline),
#ifdef SCREE_HAVE_AVX2
    BY_PRECISION(sweep_kernels, avx2),
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

const sweep_kernels *sweep_kernels_for(const contact_problem *problem)
{
    return sweeps[wider()][problem->precision][problem->kind];
}

const gradient_kernels *gradient_kernels_for(const contact_problem *problem)
{
    return gradients[wider()][problem->precision][problem->kind];
}
