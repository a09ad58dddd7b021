// Separating axes of two boxes, against the oracles.
#include "narrow_support.h"

#include "collide/narrow/narrow_boxes.h"

static solid random_solid(random_stream *random, double place)
{
    solid s = {.center = random_vec(random, place), .axes = mat3_from_quat(random_rotation(random))};
    s.half =
        vec3_make(random_between(random, 0.05, 1), random_between(random, 0.05, 1), random_between(random, 0.05, 1));
    return s;
}

static box_pair pair_of(const solid *a, const solid *b)
{
    return box_pair_make(a->half, &a->axes, b->half, &b->axes, vec3_sub(b->center, a->center));
}

static vec3 from_a(const solid *a, const double v[3])
{
    return mat3_apply(&a->axes, vec3_make(v[0], v[1], v[2]));
}

static void test_separation_against_spans(void **state)
{
    (void)state;
    random_stream random = {31};
    int kinds[3] = {0};
    for (int trial = 0; trial < 10000; trial++) {
        solid a = random_solid(&random, 1), b = random_solid(&random, 1);
        if (trial % 4 == 0)
            b.axes = a.axes;
        box_pair pair = pair_of(&a, &b);
        box_separation s;
        assert_true(box_pair_separation(&pair, CHECK_INFINITY, &s));
        double widest = -CHECK_INFINITY;
        for (int i = 0; i < 3; i++) {
            vec3 axis_a = mat3_column(&a.axes, i);
            widest = fmax(widest, fmax(span_gap(&a, &b, axis_a), span_gap(&a, &b, mat3_column(&b.axes, i))));
            for (int j = 0; j < 3; j++) {
                vec3 axis = vec3_cross(axis_a, mat3_column(&b.axes, j));
                if (vec3_length(axis) > 1e-5)
                    widest = fmax(widest, span_gap(&a, &b, vec3_normalize(axis)));
            }
        }
        assert_near(s.widest, widest, 1e-9);
        vec3 normal = from_a(&a, s.normal);
        assert_near(vec3_length(normal), 1, 1e-12);
        assert_near(span_gap(&a, &b, normal), s.preferred, 1e-9);
        assert_at_most(s.preferred, s.widest);
        assert_at_least(s.preferred, s.widest - 2.1e-3 * box_pair_scale(&pair) - 0.05 * fabs(s.widest));
        assert_at_least(vec3_dot(normal, vec3_sub(b.center, a.center)), 0); // from a to b
        assert_int_equal(box_pair_separation(&pair, widest - 1e-6, &s), false);
        kinds[s.axis < BOX_FACE_B ? 0 : s.axis < BOX_EDGES ? 1 : 2]++;
    }
    assert_true(kinds[0] > 1000 && kinds[1] > 1000 && kinds[2] > 500);
}

// Ties go to a's faces, then b's: a small tilt must not change the choice back and forth.
static void test_faces_are_preferred(void **state)
{
    (void)state;
    random_stream random = {37};
    for (int trial = 0; trial < 2000; trial++) {
        solid a = {.half = {1, 1, 1}, .axes = mat3_from_quat(quat_from_rotation(random_vec(&random, 1e-4)))};
        solid b = {.half = {1, 1, 1}, .axes = mat3_from_quat(quat_from_rotation(random_vec(&random, 1e-4)))};
        b.center = vec3_add(vec3_make(0.2, 0.3, 2), random_vec(&random, 1e-4));
        box_pair pair = pair_of(&a, &b);
        box_separation s;
        assert_true(box_pair_separation(&pair, CHECK_INFINITY, &s));
        assert_int_equal(s.axis, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_separation_against_spans),
        cmocka_unit_test(test_faces_are_preferred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
