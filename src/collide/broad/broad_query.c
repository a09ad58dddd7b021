#include "collide/broad/broad_query.h"

#include "base/isa.h"

const query_kernels *query_kernels_here(void)
{
#ifdef SCREE_HAVE_AVX2
    if (isa_has_avx2())
        return &query_kernels_f32_avx2;
#endif
    return &query_kernels_f32_baseline;
}
