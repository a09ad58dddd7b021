#include "solve/kernels.h"

#include "base/isa.h"

#ifdef SCREE_HAVE_AVX2
#define PICK(kernels, precision)                                                                                       \
    (isa_has_avx2() ? (precision) == SCREE_DOUBLE ? &kernels##_f64_avx2 : &kernels##_f32_avx2                          \
     : (precision) == SCREE_DOUBLE ? &kernels##_f64_baseline                                                           \
                                   : &kernels##_f32_baseline)
#else
#define PICK(kernels, precision) ((precision) == SCREE_DOUBLE ? &kernels##_f64_baseline : &kernels##_f32_baseline)
#endif

const sweep_kernels *sweep_kernels_for(const contact_problem *problem)
{
    return PICK(sweep_kernels, problem->precision);
}

const gradient_kernels *gradient_kernels_for(const contact_problem *problem)
{
    return PICK(gradient_kernels, problem->precision);
}
