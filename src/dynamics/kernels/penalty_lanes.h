// Shared by the wide loops of the penalty method: halves of lanes, and the names that the loops have for each
// instruction set.
#ifndef DYNAMICS_KERNELS_PENALTY_LANES_H
#define DYNAMICS_KERNELS_PENALTY_LANES_H

#include "base/wide.h"
#include "dynamics/penalty_kernel.h"

typedef double half_wide __attribute__((vector_size(LANES / 2 * sizeof(double))));
typedef int32_t half_integers __attribute__((vector_size(LANES / 2 * sizeof(int32_t))));
typedef float half_float __attribute__((vector_size(LANES / 2 * sizeof(float))));

static inline half_float load_half(const void *from)
{
    half_float result;
    memcpy(&result, from, sizeof result);
    return result;
}

// gcc converts such vectors in two pieces.
static inline half_wide widen(half_float v)
{
#ifdef __AVX2__
    return (half_wide)_mm256_cvtps_pd((__m128)v);
#else
    return __builtin_convertvector(v, half_wide);
#endif
}

static inline half_float narrow(half_wide v)
{
#ifdef __AVX2__
    return (half_float)_mm256_cvtpd_ps((__m256d)v);
#else
    return __builtin_convertvector(v, half_float);
#endif
}

static inline half_wide widen_integers(half_integers v)
{
#ifdef __AVX2__
    return (half_wide)_mm256_cvtepi32_pd((__m128i)v);
#else
    return __builtin_convertvector(v, half_wide);
#endif
}

#define JOIN_AGAIN(a, b)     a##b
#define JOIN(a, b)           JOIN_AGAIN(a, b)
#define PENALTY_KERNEL(name) JOIN(penalty_##name##_, SCREE_KERNEL_SUFFIX)

size_t PENALTY_KERNEL(groups)(const group_job *job, uint32_t *found_a, uint32_t *found_b);
size_t PENALTY_KERNEL(paths)(const path_job *job, size_t which, uint32_t *found);
void PENALTY_KERNEL(boxes)(box_lanes *lanes);
void PENALTY_KERNEL(place)(const place_job *job, size_t first, size_t end);
void PENALTY_KERNEL(sum)(const sum_job *job, size_t first, size_t end, particle_sum *sum);

#endif
