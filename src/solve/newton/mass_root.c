// Cholesky roots of inverse masses and inertias, by which the system of an island is scaled.
#include "solve/newton/newton_system.h"

mass_root mass_root_make(const problem_body *body)
{
    mass_root root = {.linear = sqrt(body->inverse_mass)};
    const double(*a)[3] = body->inverse_inertia.m;
    double least = 1e-14 * (a[0][0] + a[1][1] + a[2][2]);
    for (int j = 0; j < 3; j++)
        for (int i = j; i < 3; i++) {
            double sum = a[i][j];
            for (int k = 0; k < j; k++)
                sum -= root.angular[i][k] * root.angular[j][k];
            if (i == j)
                root.angular[j][j] = sum > least ? sqrt(sum) : 0;
            else
                root.angular[i][j] = root.angular[j][j] > 0 ? sum / root.angular[j][j] : 0;
        }
    return root;
}

spatial mass_root_apply(const mass_root *root, const spatial *y)
{
    const double(*a)[3] = root->angular;
    vec3 t = y->angular;
    return (spatial){vec3_scale(y->linear, root->linear),
                     {a[0][0] * t.x, a[1][0] * t.x + a[1][1] * t.y, a[2][0] * t.x + a[2][1] * t.y + a[2][2] * t.z}};
}

spatial mass_root_apply_transposed(const mass_root *root, const spatial *q)
{
    const double(*a)[3] = root->angular;
    vec3 t = q->angular;
    return (spatial){vec3_scale(q->linear, root->linear),
                     {a[0][0] * t.x + a[1][0] * t.y + a[2][0] * t.z, a[1][1] * t.y + a[2][1] * t.z, a[2][2] * t.z}};
}
