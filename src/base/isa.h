// Which build of the wide kernels this machine runs.
#ifndef BASE_ISA_H
#define BASE_ISA_H

#include <stdbool.h>

// True when the AVX2 kernels were compiled in and the processor has AVX2.
static inline bool isa_has_avx2(void)
{
#if defined(SCREE_HAVE_AVX2) && defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

// For people: the instruction set and lane count in use.
static inline const char *wide_isa(void)
{
    return isa_has_avx2() ? "avx2, 8 lanes" : "baseline, 8 lanes";
}

#endif
