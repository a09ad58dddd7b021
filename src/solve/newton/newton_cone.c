// The projection is a problem in p_n alone: with l_j the length of disc j's part of z and r_j its radius, the
// derivative
//     w_n (p_n - z_n) - sum_j w_j r_j max(0, l_j - r_j p_n)
// rises with p_n and is concave, so Newton's iteration from the solution with all discs sliding climbs to the root in
// as many steps as there are discs at most. With one disc these are the three cases of docs/methods.md.
#include "solve/newton/newton_cone.h"

static double find_normal(const cone *c, const cone_metric *weight, double z_n, const double *length, int discs)
{
    double sum = weight->normal * z_n, slope = weight->normal;
    for (int j = 0; j < discs; j++) {
        sum += weight->disc[j] * c->radius[j] * length[j];
        slope += weight->disc[j] * c->radius[j] * c->radius[j];
    }
    if (!(sum > 0))
        return 0;
    double p_n = sum / slope;
    bool dropped[CONE_DISCS] = {0};
    for (int round = 0; round < discs; round++) {
        bool changed = false;
        for (int j = 0; j < discs; j++)
            if (!dropped[j] && length[j] <= c->radius[j] * p_n) {
                sum -= weight->disc[j] * c->radius[j] * length[j];
                slope -= weight->disc[j] * c->radius[j] * c->radius[j];
                dropped[j] = changed = true;
            }
        if (!changed)
            break;
        bool all = true;
        for (int j = 0; j < discs; j++)
            all = all && (dropped[j] || c->radius[j] == 0);
        p_n = all ? z_n : sum / slope; // without the rounding of what was added and taken off again
    }
    return p_n;
}

spatial cone_project(const cone *c, const cone_metric *weight, spatial z, cone_point *at)
{
    vec3 part[CONE_DISCS] = {{0, 0, 0}};
    double z_n = cone_split(c, z, part, at);
    at->normal = find_normal(c, weight, z_n, at->length, c->has_angular ? CONE_DISCS : 1);
    return cone_join(c, part, at);
}

static void add_outer(mat3 *to, vec3 a, vec3 b, double s)
{
    const double x[3] = {s * a.x, s * a.y, s * a.z}, y[3] = {b.x, b.y, b.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to->m[i][j] += x[i] * y[j];
}

static void add_identity(mat3 *to, double s)
{
    for (int i = 0; i < 3; i++)
        to->m[i][i] += s;
}

// Stiffness of disc j across its direction and along it, without what comes by way of p_n.
static double disc_stiffness(const cone *c, const cone_metric *weight, const cone_point *at, int j, double *along)
{
    double stiff = 1 / weight->disc[j];
    *along = at->slides[j] ? 0 : stiff;
    if (!at->slides[j])
        return stiff;
    return at->length[j] > 0 ? stiff * c->radius[j] * at->normal / at->length[j] : 0;
}

void cone_differentiate(const cone *c, const cone_metric *weight, const cone_point *at, bool exact, cone_slope *slope)
{
    slope->linear = (mat3){{{0}}};
    if (c->has_angular)
        slope->mixed = slope->turned = slope->angular = (mat3){{{0}}};
    if (at->normal == 0)
        return;
    double sum = weight->normal;
    for (int j = 0; j < (c->has_angular ? CONE_DISCS : 1); j++)
        sum += at->slides[j] && !exact ? weight->disc[j] * c->radius[j] * c->radius[j] : 0;
    double along, across = disc_stiffness(c, weight, at, 0, &along);
    vec3 push = at->slides[0] ? vec3_add_scaled(c->normal, at->direction[0], c->radius[0]) : c->normal;
    add_identity(&slope->linear, across);
    add_outer(&slope->linear, c->normal, c->normal, -across);
    add_outer(&slope->linear, at->direction[0], at->direction[0], along - across);
    add_outer(&slope->linear, push, exact ? c->normal : push, 1 / sum);
    if (!c->has_angular)
        return;
    vec3 angular = {0, 0, 0};
    for (int j = 1; j < CONE_DISCS; j++)
        if (at->slides[j])
            angular = vec3_add_scaled(angular, at->direction[j], c->radius[j]);
    add_outer(&slope->turned, angular, exact ? c->normal : push, 1 / sum);
    if (!exact) {
        add_outer(&slope->mixed, push, angular, 1 / sum);
        add_outer(&slope->angular, angular, angular, 1 / sum);
    }
    across = disc_stiffness(c, weight, at, 2, &along);
    add_identity(&slope->angular, across);
    add_outer(&slope->angular, c->normal, c->normal, -across);
    add_outer(&slope->angular, at->direction[2], at->direction[2], along - across);
    disc_stiffness(c, weight, at, 1, &along); // one direction only: there is nothing across
    add_outer(&slope->angular, c->normal, c->normal, along);
}

double cone_lift(const cone *c, spatial u)
{
    double lift = c->radius[0] * vec3_length(vec3_add_scaled(u.linear, c->normal, -vec3_dot(c->normal, u.linear)));
    if (!c->has_angular)
        return lift;
    double angular = vec3_dot(c->normal, u.angular);
    return lift + c->radius[1] * fabs(angular) +
           c->radius[2] * vec3_length(vec3_add_scaled(u.angular, c->normal, -angular));
}
