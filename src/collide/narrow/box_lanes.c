#include "collide/narrow/box_lanes.h"

#include "base/isa.h"

const box_kernels *box_kernels_here(void)
{
#ifdef SCREE_HAVE_AVX2
    if (isa_has_avx2())
        return &box_kernels_avx2;
#endif
    return &box_kernels_baseline;
}
