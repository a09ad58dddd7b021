#include "collide/convex/farthest.h"

#include "base/isa.h"

uint32_t farthest_point(const double *columns, size_t length, const double direction[3])
{
#ifdef SCREE_HAVE_AVX2
    if (isa_has_avx2())
        return farthest_avx2(columns, length, direction);
#endif
    return farthest_baseline(columns, length, direction);
}
