// Contact reduction: what is kept of the points of a pair, and how the points of a pair come together.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "collide/reduce.h"

static contact point(float x, float y, float gap, uint32_t feature)
{
    return (contact){.a = 0, .b = 1, .arm = {x, y, 0}, .normal = {0, 0, -1}, .gap = gap, .feature = feature};
}

static bool has_feature(const contact *points, size_t count, uint32_t feature)
{
    for (size_t i = 0; i < count; i++)
        if (points[i].feature == feature)
            return true;
    return false;
}

// A square grid of points at nearly one height: the deepest stays, and the rest span it.
static void test_deepest_stays_and_patch_is_spanned(void **state)
{
    (void)state;
    enum { EDGE = 9 };
    random_stream random = {3};
    for (int trial = 0; trial < 50; trial++) {
        contact points[EDGE * EDGE];
        uint32_t deepest = (uint32_t)(random_bits(&random) % (EDGE * EDGE));
        for (uint32_t i = 0; i < EDGE * EDGE; i++)
            points[i] = point((float)(i % EDGE), (float)(i / EDGE), (float)(1e-4 * random_unit(&random)), i);
        points[deepest].gap = -1e-3f;
        assert_int_equal(contacts_pick(points, EDGE * EDGE, 8), 8);
        assert_true(has_feature(points, 8, deepest));
        // The support in every direction is that of all points, to a cell.
        for (int turn = 0; turn < 16; turn++) {
            double x = cos(2 * PI * turn / 16), y = sin(2 * PI * turn / 16), all = -HUGE_VAL, kept = -HUGE_VAL;
            for (uint32_t i = 0; i < EDGE * EDGE; i++)
                all = fmax(all, x * (i % EDGE) + y * (i / EDGE));
            for (uint32_t i = 0; i < 8; i++)
                kept = fmax(kept, x * (double)points[i].arm.x + y * (double)points[i].arm.y);
            assert_true(kept >= all - 1);
        }
    }
}

static void test_few_points_stay_as_they_are(void **state)
{
    (void)state;
    contact points[3] = {point(0, 0, 0, 5), point(1, 0, 0, 6), point(0, 1, 0, 7)};
    assert_int_equal(contacts_pick(points, 3, 8), 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(points[i].feature, 5 + i);
    assert_int_equal(contacts_pick(points, 3, 1), 1);
}

// Bodies that explode give points that are no numbers.
static void test_nonsense_is_picked_too(void **state)
{
    (void)state;
    contact points[20];
    for (uint32_t i = 0; i < 20; i++)
        points[i] = point((float)NAN, i % 2 ? HUGE_VALF : 0, i % 3 ? (float)NAN : -1, i);
    assert_int_equal(contacts_pick(points, 20, 8), 8);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < i; k++)
            assert_int_not_equal(points[i].feature, points[k].feature);
}

// A wall beside a floor: both directions are kept although the wall's points are close together.
static void test_every_direction_stays(void **state)
{
    (void)state;
    contact points[40];
    for (uint32_t i = 0; i < 40; i++)
        points[i] = point((float)(i % 6), (float)(i / 6), 0, i);
    for (uint32_t i = 36; i < 40; i++) {
        points[i].arm = (vec3f){0.1f * (float)(i - 36), 0, 0.1f};
        points[i].normal = (vec3f){-1, 0, 0};
    }
    contacts_pick(points, 40, 8);
    int walls = 0;
    for (int i = 0; i < 8; i++)
        walls += points[i].normal.x < -0.5f;
    assert_in_range(walls, 1, 4);
}

// Symmetric choices stay with the points that carried an impulse before.
static void test_choice_does_not_flicker(void **state)
{
    (void)state;
    random_stream random = {5};
    uint32_t before[8] = {0};
    for (int step = 0; step < 20; step++) {
        contact points[32];
        for (uint32_t i = 0; i < 32; i++) {
            double angle = 2 * PI * i / 32 + 1e-3 * random_unit(&random);
            points[i] = point((float)cos(angle), (float)sin(angle), (float)(1e-6 * random_unit(&random)), i);
            for (int k = 0; step > 0 && k < 8; k++)
                if (before[k] == i)
                    points[i].impulse = (vec3f){0, 0, -1};
        }
        // The deepest point is random, so at most it is new.
        contacts_pick(points, 32, 8);
        int fresh = 0;
        for (int i = 0; i < 8; i++)
            fresh += points[i].impulse.z == 0;
        if (step > 0)
            assert_in_range(fresh, 0, 2);
        for (int i = 0; i < 8; i++)
            before[i] = points[i].feature;
    }
}

// Contacts of four bodies from either side, in disorder: afterwards every pair is one run, nothing is lost, and points
// are where they were in the world.
static void test_pairs_come_together(void **state)
{
    (void)state;
    enum { COUNT = 400, BODIES = 6 };
    vec3 centers[BODIES];
    uint8_t immovable[BODIES] = {1, 0, 0, 0, 0, 0}, compound[BODIES] = {0, 0, 1, 1, 0, 1};
    random_stream random = {11};
    for (int i = 0; i < BODIES; i++)
        centers[i] = vec3_make(4 * random_unit(&random), random_unit(&random), i);
    proxy_view view = {.centers = centers, .immovable = immovable, .body_count = BODIES};
    contact contacts[COUNT];
    vec3 places[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t a = i * BODIES / COUNT, b = (a + 1 + (uint32_t)(random_bits(&random) % (BODIES - 1))) % BODIES;
        vec3f arm = {(float)random_unit(&random), (float)random_unit(&random), 0};
        contacts[i] = (contact){.a = a, .b = b, .arm = arm, .normal = {0, 0, b > a ? 1.0f : -1.0f}, .feature = i};
        places[i] = vec3_add(centers[a], vec3_from_f(arm));
    }
    arena scratch = {0};
    assert_true(contacts_gather(&view, compound, contacts, COUNT, &scratch));
    bool met[BODIES][BODIES] = {{false}};
    bool seen[COUNT] = {false};
    for (size_t i = 0; i < COUNT; i++) {
        const contact *c = &contacts[i];
        assert_false(seen[c->feature]);
        seen[c->feature] = true;
        vec3 place = vec3_add(centers[c->a], vec3_from_f(c->arm));
        assert_true(vec3_length(vec3_sub(place, places[c->feature])) < 1e-5);
        assert_true(c->normal.z == (c->b > c->a ? 1.0f : -1.0f));
        assert_true(i == 0 || contacts[i - 1].a <= c->a);
        if (!compound[c->a] && !compound[c->b])
            continue;
        assert_true(compound[c->a]);
        bool same_run = i > 0 && contacts[i - 1].a == c->a && contacts[i - 1].b == c->b;
        assert_true(same_run || (!met[c->a][c->b] && !met[c->b][c->a]));
        met[c->a][c->b] = true;
    }
    arena_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deepest_stays_and_patch_is_spanned),
        cmocka_unit_test(test_few_points_stay_as_they_are),
        cmocka_unit_test(test_nonsense_is_picked_too),
        cmocka_unit_test(test_every_direction_stays),
        cmocka_unit_test(test_choice_does_not_flicker),
        cmocka_unit_test(test_pairs_come_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
