// Which groups of spheres come near each other, by their paths and by boxes around them, and which of their spheres.
#include "penalty/kernels/lanes.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

// -------------------------------------------------------------------------------------------------- spheres of groups

// Spheres of one group that reach into the box of the other, with their places in the axes of the first.
typedef struct candidates {
    float x[64], y[64], z[64], radius[64];
    uint32_t index[64];
    uint32_t count;
} candidates;

#ifdef __AVX2__
// By eight bits: the numbers of the set ones, lowest first, a byte each.
#define PLACE(bits, k) (((uint64_t)(bits) >> (k)&1) * (k) << 8 * __builtin_popcount((bits) & ((1 << (k)) - 1)))
#define ORDER(bits)                                                                                                    \
    PLACE(bits, 1) | PLACE(bits, 2) | PLACE(bits, 3) | PLACE(bits, 4) | PLACE(bits, 5) | PLACE(bits, 6) | PLACE(bits, 7)
#define FOUR(bits)    ORDER(bits), ORDER((bits) + 1), ORDER((bits) + 2), ORDER((bits) + 3)
#define SIXTEEN(bits) FOUR(bits), FOUR((bits) + 4), FOUR((bits) + 8), FOUR((bits) + 12)
static const uint64_t orders[256] = {SIXTEEN(0),   SIXTEEN(16),  SIXTEEN(32),  SIXTEEN(48),  SIXTEEN(64),  SIXTEEN(80),
                                     SIXTEEN(96),  SIXTEEN(112), SIXTEEN(128), SIXTEEN(144), SIXTEEN(160), SIXTEEN(176),
                                     SIXTEEN(192), SIXTEEN(208), SIXTEEN(224), SIXTEEN(240)};

static inline __m256i order_of(uint32_t bits)
{
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)&orders[bits]));
}

static inline void put_in_order(float *to, wide from, __m256i order)
{
    _mm256_storeu_ps(to, _mm256_permutevar8x32_ps((__m256)from, order));
}
#endif

// Appends those of eight lanes whose bits are set, in order; without branches, which nothing could predict.
static inline void keep_lanes(candidates *to, const wide at[3], wide radius, uint32_t first, uint32_t bits)
{
#ifdef __AVX2__
    __m256i order = order_of(bits);
    put_in_order(to->x + to->count, at[0], order);
    put_in_order(to->y + to->count, at[1], order);
    put_in_order(to->z + to->count, at[2], order);
    put_in_order(to->radius + to->count, radius, order);
    __m256i index = _mm256_add_epi32(order, _mm256_set1_epi32((int32_t)first));
    _mm256_storeu_si256((__m256i *)(to->index + to->count), index);
    to->count += (uint32_t)__builtin_popcount(bits);
#else
    for (; bits; bits &= bits - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(bits), n = to->count++;
        to->x[n] = at[0][k];
        to->y[n] = at[1][k];
        to->z[n] = at[2][k];
        to->radius[n] = radius[k];
        to->index[n] = first + k;
    }
#endif
}

// Appends pairs of one sphere with those of eight whose bits are set. Returns how many.
static inline size_t keep_pairs(uint32_t *found_a, uint32_t *found_b, uint32_t a, const uint32_t *b, uint32_t bits)
{
#ifdef __AVX2__
    __m256i others = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)b), order_of(bits));
    _mm256_storeu_si256((__m256i *)found_a, _mm256_set1_epi32((int32_t)a));
    _mm256_storeu_si256((__m256i *)found_b, others);
    return (size_t)__builtin_popcount(bits);
#else
    size_t count = 0;
    for (; bits; bits &= bits - 1) {
        found_a[count] = a;
        found_b[count++] = b[__builtin_ctz(bits)];
    }
    return count;
#endif
}

// A bit for each real lane whose sphere meets the box.
static inline uint32_t inside_box(const wide at[3], wide radius, const float half[3], uint32_t left)
{
    wide_mask inside = wide_abs(at[0]) < radius + half[0];
    inside &= wide_abs(at[1]) < radius + half[1];
    inside &= wide_abs(at[2]) < radius + half[2];
    return wide_bits(inside) & (left < LANES ? (1u << left) - 1 : 255);
}

static inline void find_first(const group_job *job, candidates *found)
{
    const float(*m)[3] = job->rotation;
    float from[3]; // the box of the second, in its own axes, as seen from the first body
    for (int k = 0; k < 3; k++)
        from[k] = job->center[1][k] + m[0][k] * job->between[0] + m[1][k] * job->between[1] + m[2][k] * job->between[2];
    found->count = 0;
    for (uint32_t i = 0; i < job->count[0]; i += LANES) {
        uint32_t at = job->first[0] + i;
        wide x = wide_load(job->x + at), y = wide_load(job->y + at), z = wide_load(job->z + at);
        wide radius = wide_load(job->radius + at), seen[3];
        for (int k = 0; k < 3; k++)
            seen[k] = m[0][k] * x + m[1][k] * y + m[2][k] * z - from[k];
        uint32_t bits = inside_box(seen, radius, job->half[1], job->count[0] - i);
        keep_lanes(found, (wide[3]){x, y, z}, radius, at, bits);
    }
}

static inline void find_second(const group_job *job, candidates *found)
{
    const float(*m)[3] = job->rotation;
    found->count = 0;
    for (uint32_t i = 0; i < job->count[1]; i += LANES) {
        uint32_t at = job->first[1] + i;
        wide x = wide_load(job->x + at), y = wide_load(job->y + at), z = wide_load(job->z + at);
        wide radius = wide_load(job->radius + at), place[3], seen[3];
        for (int k = 0; k < 3; k++) {
            place[k] = m[k][0] * x + m[k][1] * y + m[k][2] * z + job->between[k];
            seen[k] = place[k] - job->center[0][k];
        }
        uint32_t bits = inside_box(seen, radius, job->half[0], job->count[1] - i);
        keep_lanes(found, place, radius, at, bits);
    }
}

size_t PENALTY_KERNEL(groups)(const group_job *job, uint32_t *found_a, uint32_t *found_b)
{
    candidates a, b;
    find_first(job, &a);
    if (a.count == 0)
        return 0;
    find_second(job, &b);
    size_t count = 0;
    wide far = wide_set(1e18f); // idle lanes, whose squares are finite
    wide_store(b.x + b.count, far);
    wide_store(b.y + b.count, far);
    wide_store(b.z + b.count, far);
    wide_store(b.radius + b.count, wide_set(0));
    for (uint32_t i = 0; i < a.count; i++)
        for (uint32_t k = 0; k < b.count; k += LANES) {
            wide x = wide_load(b.x + k) - a.x[i], y = wide_load(b.y + k) - a.y[i], z = wide_load(b.z + k) - a.z[i];
            wide reach = wide_load(b.radius + k) + (a.radius[i] + job->margin);
            uint32_t bits = wide_bits(x * x + y * y + z * z < reach * reach);
            count += keep_pairs(found_a + count, found_b + count, a.index[i], b.index + k, bits);
        }
    return count;
}

// ------------------------------------------------------------------------------------------------ boxes around groups

static inline void axes_of(const float quaternion[4][BOX_LANES], wide m[3][3])
{
    wide w = wide_load(quaternion[0]), x = wide_load(quaternion[1]), y = wide_load(quaternion[2]),
         z = wide_load(quaternion[3]);
    wide x2 = x + x, y2 = y + y, z2 = z + z, one = wide_set(1);
    wide xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    wide wx = w * x2, wy = w * y2, wz = w * z2;
    m[0][0] = one - (yy + zz), m[0][1] = xy - wz, m[0][2] = xz + wy;
    m[1][0] = xy + wz, m[1][1] = one - (xx + zz), m[1][2] = yz - wx;
    m[2][0] = xz - wy, m[2][1] = yz + wx, m[2][2] = one - (xx + yy);
}

// Along the axes of both boxes.
static inline wide gap_of_faces(wide half[2][3], wide rotation[3][3], const wide seen[3])
{
    wide most = wide_set(-1e30f);
    for (int i = 0; i < 3; i++) {
        wide of_a = half[0][i], of_b = half[1][i], along = wide_set(0);
        for (int j = 0; j < 3; j++) {
            of_a += half[1][j] * wide_abs(rotation[i][j]);
            of_b += half[0][j] * wide_abs(rotation[j][i]);
            along += seen[j] * rotation[j][i];
        }
        most = wide_max(most, wide_max(wide_abs(seen[i]) - of_a, wide_abs(along) - of_b));
    }
    return most;
}

// Along the products of two edges, unless they are nearly parallel.
static inline wide gap_of_edges(wide half[2][3], wide rotation[3][3], const wide seen[3])
{
    wide most = wide_set(-1e30f);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            wide along = seen[i2] * rotation[i1][j] - seen[i1] * rotation[i2][j],
                 square = 1 - rotation[i][j] * rotation[i][j];
            wide reach = half[0][i1] * wide_abs(rotation[i2][j]) + half[0][i2] * wide_abs(rotation[i1][j]) +
                         half[1][j1] * wide_abs(rotation[i][j2]) + half[1][j2] * wide_abs(rotation[i][j1]);
            wide gap = (wide_abs(along) - reach) / wide_sqrt(wide_max(square, wide_set(0.01f)));
            most = wide_max(most, wide_select(square > 0.01f, gap, wide_set(-1e30f)));
        }
    return most;
}

void PENALTY_KERNEL(boxes)(box_lanes *lanes)
{
    wide a[3][3], b[3][3], rotation[3][3], seen[3], half[2][3], size = wide_load(lanes->round);
    wide3 between = wide3_load(lanes->between);
    axes_of((const float(*)[BOX_LANES])lanes->orientation[0], a);
    axes_of((const float(*)[BOX_LANES])lanes->orientation[1], b);
    for (int i = 0; i < 3; i++) {
        half[0][i] = wide_load(lanes->half[0][i]);
        half[1][i] = wide_load(lanes->half[1][i]);
        seen[i] = a[0][i] * between.x + a[1][i] * between.y + a[2][i] * between.z;
        wide_store(lanes->seen[i], seen[i]);
        for (int j = 0; j < 3; j++) {
            rotation[i][j] = a[0][i] * b[0][j] + a[1][i] * b[1][j] + a[2][i] * b[2][j];
            wide_store(lanes->rotation[i][j], rotation[i][j]);
        }
        size += half[0][i] + half[1][i] + wide_abs(seen[i]);
    }
    wide gap = wide_max(gap_of_faces(half, rotation, seen), gap_of_edges(half, rotation, seen));
    // Whatever the rounding, which small products of edges enlarge.
    wide_store(lanes->gap, gap - wide_load(lanes->round) - wide_set(1e-5f) * size);
}

// --------------------------------------------------------------------------------------------------- groups on paths

size_t PENALTY_KERNEL(paths)(const path_job *job, size_t which, uint32_t *found)
{
    size_t count = 0;
    wide zero = wide_set(0), most = wide_set(job->steps), own = wide_set(job->reach[which]);
    for (size_t i = 0; i < job->count; i += LANES) {
        wide3 away, step;
        away.x = wide_load(job->at[0] + i) - job->at[0][which];
        away.y = wide_load(job->at[1] + i) - job->at[1][which];
        away.z = wide_load(job->at[2] + i) - job->at[2][which];
        step.x = wide_load(job->step[0] + i) - job->step[0][which];
        step.y = wide_load(job->step[1] + i) - job->step[1][which];
        step.z = wide_load(job->step[2] + i) - job->step[2][which];
        wide time = -wide3_dot(away, step) / wide_max(wide3_dot(step, step), wide_set(REAL_TINY));
        time = wide_max(zero, wide_select(time < most, time, most));
        wide3 nearest = wide3_add(away, wide3_scale(step, time));
        wide radius = wide_load(job->reach + i), reach = radius + own;
        uint32_t bits = wide_bits((wide3_dot(nearest, nearest) <= reach * reach) & (radius > 0));
        for (; bits; bits &= bits - 1)
            found[count++] = (uint32_t)i + (uint32_t)__builtin_ctz(bits);
    }
    return count;
}
