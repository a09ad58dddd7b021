// The formulas behind OpM and ChM: derivatives against finite differences, the characteristic polynomial against the
// 4x4 determinant that defines it, its turning point against the polynomial's values.
#define SCREE_REAL_DOUBLE 1
#define SCREE_LANES       4
#ifdef __GNUC__
#endif
#include "ellipsoid_support.h"

#include "collide/narrow/ellipsoid_lanes.h"

enum { TRIALS = 500 };

static ellipsoid_pair lanes_of(const oval_pair *pair)
{
    ellipsoid_poses poses;
    for (int lane = 0; lane < LANES; lane++)
        set_oval_lane(&poses, lane, pair);
    return (ellipsoid_pair){ellipsoid_matrix(poses.orientations[0], poses.radii[0]),
                            ellipsoid_matrix(poses.orientations[1], poses.radii[1]), wide3_load(poses.between)};
}

static wide3 wide3_of(vec3 v)
{
    return (wide3){wide_set(v.x), wide_set(v.y), wide_set(v.z)};
}

static vec3 vec3_of(wide3 v)
{
    return vec3_make(v.x[0], v.y[0], v.z[0]);
}

static mat3 mat3_of(const wide_symmetric *m)
{
    return (mat3){{{m->xx[0], m->xy[0], m->xz[0]}, {m->xy[0], m->yy[0], m->yz[0]}, {m->xz[0], m->yz[0], m->zz[0]}}};
}

static oval_pair random_pair(random_stream *random, double ratio)
{
    oval_pair pair = {.first = random_oval(random, ratio), .second = random_oval(random, ratio)};
    pair.between = random_vec(random, 2);
    return pair;
}

// M = A R^2 A^T, entry by entry from the rotated axes.
static void test_matrix(void **state)
{
    (void)state;
    random_stream random = {90};
    for (int trial = 0; trial < TRIALS; trial++) {
        oval_pair pair = random_pair(&random, 10);
        ellipsoid_pair lanes = lanes_of(&pair);
        mat3 m = mat3_of(&lanes.first), axes = mat3_from_quat(pair.first.orientation);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double sum = 0;
                for (int k = 0; k < 3; k++)
                    sum += axes.m[i][k] * axes.m[j][k] * vec3_get(pair.first.radii, k) * vec3_get(pair.first.radii, k);
                assert_near(m.m[i][j], sum, 1e-14);
            }
    }
}

// The gap by support points, its slope and curvature along the sphere by differences of that gap.
static void test_derivatives(void **state)
{
    (void)state;
    random_stream random = {91};
    for (int trial = 0; trial < TRIALS; trial++) {
        oval_pair pair = random_pair(&random, 4);
        ellipsoid_pair lanes = lanes_of(&pair);
        vec3 c = random_direction(&random), side = random_direction(&random);
        vec3 tangent = vec3_normalize(vec3_sub(side, vec3_scale(c, vec3_dot(side, c))));
        ellipsoid_gap at = ellipsoid_gap_along(&lanes, wide3_of(c));
        wide_symmetric bend = ellipsoid_curvature(&lanes, &at);
        assert_near(at.gap[0], gap_along(&pair, c), 1e-13);
        assert_vec3_near(vec3_of(at.first), oval_support(&pair.first, c), 1e-13);

        const double h = 1e-4; // radians along the great circle
        vec3 ahead = vec3_add(vec3_scale(c, cos(h)), vec3_scale(tangent, sin(h)));
        vec3 behind = vec3_add(vec3_scale(c, cos(h)), vec3_scale(tangent, -sin(h)));
        double up = gap_along(&pair, ahead), down = gap_along(&pair, behind), here = gap_along(&pair, c);
        assert_near(vec3_dot(vec3_of(at.slope), c), 0, 1e-13);
        assert_near(vec3_dot(vec3_of(at.slope), tangent), (up - down) / (2 * h), 1e-5);
        mat3 hessian = mat3_of(&bend);
        double second = -vec3_dot(tangent, mat3_apply(&hessian, tangent)) - at.gap[0];
        assert_near(second, (up - 2 * here + down) / (h * h), 2e-4);
        assert_at_most(vec3_length(mat3_apply(&hessian, c)), 1e-12);
        // dP/dc: how the support points move.
        vec3 moved = vec3_sub(vec3_add(oval_support(&pair.first, ahead), oval_support(&pair.second, ahead)),
                              vec3_add(oval_support(&pair.first, behind), oval_support(&pair.second, behind)));
        assert_vec3_near(mat3_apply(&hessian, tangent), vec3_scale(moved, 1 / (2 * h)), 1e-4);
    }
}

typedef struct mat4 {
    double m[4][4];
} mat4;

// Q of equation (7) for an ellipsoid at b.
static mat4 quadric(const oval *o, vec3 b)
{
    mat4 q = {{{0}}};
    mat3 axes = mat3_from_quat(o->orientation);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                q.m[i][j] += axes.m[i][k] * axes.m[j][k] / (vec3_get(o->radii, k) * vec3_get(o->radii, k));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            q.m[i][3] -= q.m[i][j] * vec3_get(b, j);
        q.m[3][i] = q.m[i][3];
    }
    q.m[3][3] = -1;
    for (int i = 0; i < 3; i++)
        q.m[3][3] -= q.m[i][3] * vec3_get(b, i);
    return q;
}

// By elimination with row pivots.
static double determinant(mat4 a)
{
    double det = 1;
    for (int k = 0; k < 4; k++) {
        int pivot = k;
        for (int i = k + 1; i < 4; i++)
            pivot = fabs(a.m[i][k]) > fabs(a.m[pivot][k]) ? i : pivot;
        for (int j = 0; pivot != k && j < 4; j++) {
            double swap = a.m[k][j];
            a.m[k][j] = a.m[pivot][j];
            a.m[pivot][j] = swap;
        }
        det *= pivot != k ? -a.m[k][k] : a.m[k][k];
        for (int i = k + 1; i < 4; i++)
            for (int j = 3; j >= k; j--)
                a.m[i][j] -= a.m[i][k] / a.m[k][k] * a.m[k][j];
    }
    return det;
}

static double polynomial_at(const ellipsoid_polynomial *p, double s)
{
    return (((p->b4[0] * s + p->b3[0]) * s + p->b2[0]) * s + p->b1[0]) * s + p->b0[0];
}

// det(s Q1 + Q2) = -p(s) / (det M1 det M2).
static void test_characteristic_polynomial(void **state)
{
    (void)state;
    random_stream random = {92};
    for (int trial = 0; trial < TRIALS; trial++) {
        oval_pair pair = random_pair(&random, 3);
        ellipsoid_pair lanes = lanes_of(&pair);
        ellipsoid_polynomial p = ellipsoid_characteristic(&lanes);
        mat4 first = quadric(&pair.first, vec3_make(0, 0, 0)), second = quadric(&pair.second, pair.between);
        vec3 r = vec3_multiply(pair.first.radii, pair.second.radii);
        double volume = r.x * r.y * r.z;
        for (int k = 0; k < 5; k++) {
            double s = random_between(&random, 0.05, 3);
            mat4 mixed;
            for (int i = 0; i < 16; i++)
                (&mixed.m[0][0])[i] = s * (&first.m[0][0])[i] + (&second.m[0][0])[i];
            double expected = -determinant(mixed) * volume * volume;
            assert_near(polynomial_at(&p, s), expected, 1e-9 * (1 + fabs(expected)));
        }
    }
}

// Where a turning point to the right is given, p is flat there and rises beyond, and no other positive s is lower;
// where none is given, p is nowhere negative for positive s.
static void test_turning_point(void **state)
{
    (void)state;
    random_stream random = {93};
    int given = 0, negative = 0;
    for (int trial = 0; trial < 4 * TRIALS; trial++) {
        oval_pair pair = random_pair(&random, 5);
        ellipsoid_pair lanes = lanes_of(&pair);
        ellipsoid_polynomial p = ellipsoid_characteristic(&lanes);
        double s = ellipsoid_turning_point(&p)[0], size = 0, lowest = CHECK_INFINITY;
        for (double x = 1e-4; x < 1e4; x *= 1.02) {
            size = fabs(p.b0[0]) + fabs(p.b1[0]) * x;
            lowest = fmin(lowest, polynomial_at(&p, x) / (size + (fabs(p.b2[0]) + fabs(p.b4[0]) * x * x) * x * x));
        }
        if (s == 0) {
            assert_true(lowest > -1e-9);
            continue;
        }
        given++;
        double at = polynomial_at(&p, s), h = 1e-3 * s;
        size = fabs(p.b0[0]) + s * (fabs(p.b1[0]) + s * (fabs(p.b2[0]) + s * (fabs(p.b3[0]) + s * fabs(p.b4[0]))));
        assert_near((polynomial_at(&p, s + h) - polynomial_at(&p, s - h)) / (2 * h) * s, 0, 2e-5 * size);
        assert_true(polynomial_at(&p, 1.01 * s) > at && polynomial_at(&p, 2 * s) > polynomial_at(&p, 1.5 * s));
        negative += at < 0;
        if (lowest < -1e-9) // rule (b): apart, and the turning point shows it
            assert_true(at < 0);
        assert_int_equal(at<-1e-9 * size, collide_oval(&pair, 1).gap> 0 && at < -1e-9 * size);
    }
    assert_true(given > TRIALS && negative > TRIALS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_characteristic_polynomial),
        cmocka_unit_test(test_turning_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
