// Eight lanes of real numbers at once, or four. `real` is float or double, chosen by SCREE_REAL_DOUBLE where a file is
// compiled for both; the compiler maps the lanes to whatever registers the target has, so the plain C below is also the
// portable fallback. No operation here is fused or reordered: every instruction set gives the same bits.
#ifndef BASE_WIDE_H
#define BASE_WIDE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

// A file may choose four lanes, which in double fill a 32-byte register: gcc compares vectors that are wider than a
// register lane by lane.
#ifndef SCREE_LANES
#define SCREE_LANES 8
#endif
enum { LANES = SCREE_LANES };

#if SCREE_REAL_DOUBLE
typedef double real;
typedef int64_t real_bits;
#define REAL_TINY 1e-290
#define real_sqrt sqrt
#else
typedef float real;
typedef int32_t real_bits;
#define REAL_TINY 1e-36f
#define real_sqrt sqrtf
#endif

typedef real wide __attribute__((vector_size(LANES * sizeof(real))));
typedef real_bits wide_mask __attribute__((vector_size(LANES * sizeof(real))));

typedef struct wide3 {
    wide x, y, z;
} wide3;

// Four lanes whatever `wide` is: doubles that fill a 32-byte register, and what they are made from.
typedef double four_doubles __attribute__((vector_size(4 * sizeof(double))));
typedef float four_floats __attribute__((vector_size(4 * sizeof(float))));
typedef int32_t four_integers __attribute__((vector_size(4 * sizeof(int32_t))));

static inline wide wide_set(real value)
{
#if SCREE_LANES == 8
    return (wide){value, value, value, value, value, value, value, value};
#else
    return (wide){value, value, value, value};
#endif
}
static inline wide wide_load(const real *from)
{
    wide result;
    memcpy(&result, from, sizeof result);
    return result;
}
static inline void wide_store(real *to, wide value)
{
    memcpy(to, &value, sizeof value);
}
// Compilers do not see that the plain form, for masks of all or no bits, is one instruction.
static inline wide wide_select(wide_mask mask, wide yes, wide no)
{
#if defined __AVX2__ && SCREE_REAL_DOUBLE && SCREE_LANES == 4
    return (wide)_mm256_blendv_pd((__m256d)no, (__m256d)yes, (__m256d)mask);
#elif defined __AVX2__ && !SCREE_REAL_DOUBLE && SCREE_LANES == 8
    return (wide)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
#else
    return (wide)((mask & (wide_mask)yes) | (~mask & (wide_mask)no));
#endif
}
static inline bool wide_all(wide_mask mask)
{
#if defined __AVX2__ && SCREE_LANES == 8 && !SCREE_REAL_DOUBLE
    return _mm256_movemask_ps((__m256)mask) == 0xff;
#else
    uint64_t words[sizeof mask / sizeof(uint64_t)], all = UINT64_MAX;
    memcpy(words, &mask, sizeof mask);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        all &= words[i];
    return all == UINT64_MAX;
#endif
}
// One bit per lane, the first lane's lowest.
static inline uint32_t wide_bits(wide_mask mask)
{
#if defined __AVX2__ && SCREE_LANES == 8 && !SCREE_REAL_DOUBLE
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
#elif defined __AVX2__ && SCREE_LANES == 4 && SCREE_REAL_DOUBLE
    return (uint32_t)_mm256_movemask_pd((__m256d)mask);
#else
    uint32_t bits = 0;
    for (int i = 0; i < LANES; i++)
        bits |= (uint32_t)(mask[i] & ((real_bits)1 << i));
    return bits;
#endif
}
// The second where they are equal or one of them is no number, as the instructions have it.
static inline wide wide_max(wide a, wide b)
{
#if defined __AVX2__ && SCREE_LANES == 8 && !SCREE_REAL_DOUBLE
    return (wide)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return wide_select(a > b, a, b);
#endif
}
static inline wide wide_min(wide a, wide b)
{
#if defined __AVX2__ && SCREE_LANES == 8 && !SCREE_REAL_DOUBLE
    return (wide)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return wide_select(a < b, a, b);
#endif
}
static inline wide wide_abs(wide a)
{
    return (wide)((wide_mask)a & ~(wide_mask)wide_set((real)-0.0));
}
static inline wide wide_sqrt(wide a)
{
    wide result;
    for (int i = 0; i < LANES; i++)
        result[i] = real_sqrt(a[i]);
    return result;
}
// Lane by lane in rising order, so that the sum has one value only.
static inline double wide_sum(wide a)
{
    double sum = 0;
    for (int i = 0; i < LANES; i++)
        sum += (double)a[i];
    return sum;
}
static inline double wide_largest(wide a)
{
    double largest = (double)a[0];
    for (int i = 1; i < LANES; i++)
        largest = (double)a[i] > largest ? (double)a[i] : largest;
    return largest;
}

static inline wide3 wide3_load(const real from[3][LANES])
{
    return (wide3){wide_load(from[0]), wide_load(from[1]), wide_load(from[2])};
}
static inline void wide3_store(real to[3][LANES], wide3 a)
{
    wide_store(to[0], a.x);
    wide_store(to[1], a.y);
    wide_store(to[2], a.z);
}
static inline wide3 wide3_add(wide3 a, wide3 b)
{
    return (wide3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline wide3 wide3_sub(wide3 a, wide3 b)
{
    return (wide3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline wide3 wide3_scale(wide3 a, wide s)
{
    return (wide3){a.x * s, a.y * s, a.z * s};
}
static inline wide wide3_dot(wide3 a, wide3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline wide3 wide3_cross(wide3 a, wide3 b)
{
    return (wide3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline wide3 wide3_select(wide_mask mask, wide3 yes, wide3 no)
{
    return (wide3){wide_select(mask, yes.x, no.x), wide_select(mask, yes.y, no.y), wide_select(mask, yes.z, no.z)};
}

static inline four_floats four_floats_load(const void *from)
{
    four_floats result;
    memcpy(&result, from, sizeof result);
    return result;
}
// Compilers take vectors that change their width through memory or in two pieces, where they are told nothing better.
static inline four_doubles doubles_of_floats(four_floats a)
{
#ifdef __AVX2__
    return (four_doubles)_mm256_cvtps_pd((__m128)a);
#else
    return __builtin_convertvector(a, four_doubles);
#endif
}
static inline four_floats floats_of_doubles(four_doubles a)
{
#ifdef __AVX2__
    return (four_floats)_mm256_cvtpd_ps((__m256d)a);
#else
    return __builtin_convertvector(a, four_floats);
#endif
}
static inline four_doubles doubles_of_integers(four_integers a)
{
#ifdef __AVX2__
    return (four_doubles)_mm256_cvtepi32_pd((__m128i)a);
#else
    return __builtin_convertvector(a, four_doubles);
#endif
}

#if SCREE_LANES == 8
// Rows become columns, in three rounds of interleaving, each one instruction per result.
static inline void wide_transpose(wide r[LANES])
{
    wide a[LANES], b[LANES];
    for (int i = 0; i < LANES; i += 2) {
        a[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        a[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < LANES; i += 4)
        for (int j = 0; j < 2; j++) {
            b[i + 2 * j] = __builtin_shufflevector(a[i + j], a[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            b[i + 2 * j + 1] = __builtin_shufflevector(a[i + j], a[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int j = 0; j < 4; j++) {
        r[j] = __builtin_shufflevector(b[j], b[j + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        r[j + 4] = __builtin_shufflevector(b[j], b[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}
#else
static inline void wide_transpose(wide r[LANES])
{
    wide a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    wide c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}
#endif

#endif
