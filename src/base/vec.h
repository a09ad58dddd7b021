// Vectors, quaternions and 3x3 matrices in double, and the float triple that stages exchange.
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <math.h>
#include <stdbool.h>

#include "base/elementary.h"
#include "scree/types.h"

typedef scree_vec3 vec3;
typedef scree_quat quat;

typedef struct mat3 {
    double m[3][3]; // row, column
} mat3;

typedef struct vec3f {
    float x, y, z;
} vec3f;

static inline vec3 vec3_make(double x, double y, double z)
{
    return (vec3){x, y, z};
}
// The point of a circle about the z axis.
static inline vec3 vec3_on_circle(double radius, double angle, double z)
{
    double s, c;
    sin_cos(angle, &s, &c);
    return (vec3){radius * c, radius * s, z};
}
static inline vec3 vec3_add(vec3 a, vec3 b)
{
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline vec3 vec3_sub(vec3 a, vec3 b)
{
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline vec3 vec3_scale(vec3 a, double s)
{
    return (vec3){a.x * s, a.y * s, a.z * s};
}
static inline vec3 vec3_negate(vec3 a)
{
    return (vec3){-a.x, -a.y, -a.z};
}
// a + s b
static inline vec3 vec3_add_scaled(vec3 a, vec3 b, double s)
{
    return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline vec3 vec3_multiply(vec3 a, vec3 b)
{
    return (vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}
static inline double vec3_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline vec3 vec3_cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double vec3_length(vec3 a)
{
    return sqrt(vec3_dot(a, a));
}
// The zero vector stays zero.
static inline vec3 vec3_normalize(vec3 a)
{
    double length = vec3_length(a);
    return length > 0 ? vec3_scale(a, 1 / length) : a;
}
static inline bool vec3_finite(vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}
static inline double vec3_max(vec3 a)
{
    return fmax(a.x, fmax(a.y, a.z));
}
// By component: the corners of the box that holds both.
static inline vec3 vec3_lower(vec3 a, vec3 b)
{
    return vec3_make(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}
static inline vec3 vec3_upper(vec3 a, vec3 b)
{
    return vec3_make(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}
static inline double vec3_get(vec3 a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

static inline vec3f vec3f_from(vec3 a)
{
    return (vec3f){(float)a.x, (float)a.y, (float)a.z};
}
static inline vec3 vec3_from_f(vec3f a)
{
    return (vec3){(double)a.x, (double)a.y, (double)a.z};
}

static inline quat quat_identity(void)
{
    return (quat){1, 0, 0, 0};
}
static inline quat quat_multiply(quat a, quat b)
{
    return (quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
static inline quat quat_conjugate(quat q)
{
    return (quat){q.w, -q.x, -q.y, -q.z};
}
static inline double quat_length(quat q)
{
    return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}
static inline quat quat_normalize(quat q)
{
    double s = 1 / quat_length(q);
    return (quat){q.w * s, q.x * s, q.y * s, q.z * s};
}
static inline bool quat_finite(quat q)
{
    return isfinite(q.w) && isfinite(q.x) && isfinite(q.y) && isfinite(q.z);
}
// q v q*, for unit q.
static inline vec3 quat_rotate(quat q, vec3 v)
{
    vec3 u = {q.x, q.y, q.z};
    vec3 t = vec3_scale(vec3_cross(u, v), 2);
    return vec3_add(vec3_add_scaled(v, t, q.w), vec3_cross(u, t));
}
static inline vec3 quat_rotate_back(quat q, vec3 v)
{
    return quat_rotate(quat_conjugate(q), v);
}
// The rotation by |v| radians about v.
static inline quat quat_from_rotation(vec3 v)
{
    double angle = vec3_length(v);
    double sine, cosine;
    sin_cos(0.5 * angle, &sine, &cosine);
    double s = angle > 1e-8 ? sine / angle : 0.5 - angle * angle / 48;
    return (quat){cosine, s * v.x, s * v.y, s * v.z};
}

static inline mat3 mat3_from_quat(quat q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (mat3){{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
                   {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
                   {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}
static inline vec3 mat3_apply(const mat3 *a, vec3 v)
{
    return (vec3){a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                  a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                  a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z};
}
// Transpose times v: for a rotation, from world into local axes.
static inline vec3 mat3_apply_transposed(const mat3 *a, vec3 v)
{
    return (vec3){a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                  a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                  a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z};
}
static inline vec3 mat3_column(const mat3 *a, int column)
{
    return (vec3){a->m[0][column], a->m[1][column], a->m[2][column]};
}

// Eigenvalues and a right-handed set of eigenvectors (as a unit quaternion: columns of its matrix) of a symmetric
// matrix, by Jacobi rotations. An already diagonal matrix keeps its axes, and its order, exactly.
void mat3_diagonalize(const mat3 *symmetric, vec3 *values, quat *axes);

#endif
