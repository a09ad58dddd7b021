#include "solve/kernels.h"

#include "base/isa.h"

const kernel_table *kernels_for(scree_precision precision)
{
#ifdef SCREE_HAVE_AVX2
    if (isa_has_avx2())
        return precision == SCREE_DOUBLE ? &kernels_f64_avx2 : &kernels_f32_avx2;
#endif
    return precision == SCREE_DOUBLE ? &kernels_f64_baseline : &kernels_f32_baseline;
}
