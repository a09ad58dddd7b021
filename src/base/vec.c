#include "base/vec.h"

// The off-diagonal element (p, q) is turned to zero by a rotation of `angle` about the third axis; rotations are
// gathered in the quaternion, so that the result is a proper rotation by construction.
static void rotate_plane(mat3 *a, int p, int q, quat *axes)
{
    static const double axis_of[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double off = a->m[p][q];
    if (off == 0)
        return;
    double angle = 0.5 * arc_tangent(2 * off, a->m[q][q] - a->m[p][p]);
    // The smaller of the two angles that diagonalise keeps axes in place where possible.
    const double quarter = 0.78539816339744830962;
    if (angle > quarter)
        angle -= 2 * quarter;
    if (angle < -quarter)
        angle += 2 * quarter;
    double c, s;
    sin_cos(angle, &s, &c);
    mat3 r = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    r.m[p][p] = c;
    r.m[q][q] = c;
    r.m[p][q] = s;
    r.m[q][p] = -s;
    mat3 t, out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            t.m[i][j] = a->m[i][0] * r.m[0][j] + a->m[i][1] * r.m[1][j] + a->m[i][2] * r.m[2][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.m[i][j] = r.m[0][i] * t.m[0][j] + r.m[1][i] * t.m[1][j] + r.m[2][i] * t.m[2][j];
    out.m[p][q] = out.m[q][p] = 0;
    *a = out;
    int k = 3 - p - q;
    // In cyclic order (p, q, k) the matrix r turns by -angle about axis k, otherwise by +angle.
    double sign = (q == (p + 1) % 3) ? -1 : 1;
    const double *n = axis_of[k];
    quat rotation = quat_from_rotation(vec3_make(sign * angle * n[0], sign * angle * n[1], sign * angle * n[2]));
    *axes = quat_multiply(*axes, rotation);
}

void mat3_diagonalize(const mat3 *symmetric, vec3 *values, quat *axes)
{
    mat3 a = *symmetric;
    *axes = quat_identity();
    double scale = fabs(a.m[0][0]) + fabs(a.m[1][1]) + fabs(a.m[2][2]);
    for (int sweep = 0; sweep < 32; sweep++) {
        double off = fabs(a.m[0][1]) + fabs(a.m[0][2]) + fabs(a.m[1][2]);
        if (off <= 1e-16 * scale)
            break;
        rotate_plane(&a, 0, 1, axes);
        rotate_plane(&a, 0, 2, axes);
        rotate_plane(&a, 1, 2, axes);
    }
    *axes = quat_normalize(*axes);
    *values = vec3_make(a.m[0][0], a.m[1][1], a.m[2][2]);
}
