// Four lanes of double: one register of AVX2. The eight of base/wide.h are two, and compilers that must split a
// comparison do it lane by lane. No operation is fused or reordered: every instruction set gives the same bits.
#ifndef COLLIDE_BOX_QUAD_H
#define COLLIDE_BOX_QUAD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

enum { QUAD_LANES = 4 };

typedef double quad __attribute__((vector_size(QUAD_LANES * sizeof(double))));
typedef int64_t quad_mask __attribute__((vector_size(QUAD_LANES * sizeof(int64_t))));
typedef float quad_single __attribute__((vector_size(QUAD_LANES * sizeof(float))));

typedef struct quad3 {
    quad x, y, z;
} quad3;

static inline quad quad_set(double value)
{
    return (quad){value, value, value, value};
}
static inline quad quad_load(const double from[QUAD_LANES])
{
    quad result;
    memcpy(&result, from, sizeof result);
    return result;
}
static inline void quad_store(double to[QUAD_LANES], quad value)
{
    memcpy(to, &value, sizeof value);
}
static inline void quad_store_single(float to[QUAD_LANES], quad value)
{
    quad_single rounded = __builtin_convertvector(value, quad_single);
    memcpy(to, &rounded, sizeof rounded);
}
static inline quad quad_select(quad_mask mask, quad yes, quad no)
{
#ifdef __AVX2__
    return (quad)_mm256_blendv_pd((__m256d)no, (__m256d)yes, (__m256d)mask);
#else
    return (quad)((mask & (quad_mask)yes) | (~mask & (quad_mask)no));
#endif
}
static inline quad quad_max(quad a, quad b)
{
    return quad_select(a > b, a, b);
}
static inline quad quad_min(quad a, quad b)
{
    return quad_select(a < b, a, b);
}
static inline quad quad_abs(quad a)
{
    return (quad)((quad_mask)a & INT64_MAX);
}
// Compilers take vectors that change their width through memory, where they are told nothing better.
static inline quad quad_from_single(quad_single a)
{
#ifdef __AVX2__
    return (quad)_mm256_cvtps_pd((__m128)a);
#else
    return __builtin_convertvector(a, quad);
#endif
}
// 1 / sqrt(a): the root is taken in single precision, and a step of Newton's makes it good to 1e-13.
static inline quad quad_inverse_root(quad a)
{
    quad_single rough = __builtin_convertvector(a, quad_single);
    for (int i = 0; i < QUAD_LANES; i++)
        rough[i] = sqrtf(rough[i]);
    quad root = quad_from_single(1 / rough);
    return root * (quad_set(1.5) - quad_set(0.5) * a * root * root);
}

static inline quad3 quad3_load(const double from[3][QUAD_LANES])
{
    return (quad3){quad_load(from[0]), quad_load(from[1]), quad_load(from[2])};
}
static inline void quad3_store(double to[3][QUAD_LANES], quad3 a)
{
    quad_store(to[0], a.x);
    quad_store(to[1], a.y);
    quad_store(to[2], a.z);
}
static inline quad3 quad3_add(quad3 a, quad3 b)
{
    return (quad3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline quad3 quad3_sub(quad3 a, quad3 b)
{
    return (quad3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline quad3 quad3_scale(quad3 a, quad s)
{
    return (quad3){a.x * s, a.y * s, a.z * s};
}
static inline quad quad3_dot(quad3 a, quad3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Rows become columns.
static inline void quad_transpose(quad r[QUAD_LANES])
{
    quad a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    quad c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

#endif
