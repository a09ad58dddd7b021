// Paths of pushed bodies against a plain array of all bodies.
#include "../../physics/check.h"

#include "base/random.h"
#include "world/id_map.h"
#include "world/pushes.h"

enum { BODIES = 100 };

static void test_paths_follow_an_array(void **state)
{
    (void)state;
    random_stream stream = {5};
    body_pushes pushes = {0};
    for (int round = 0; round < 200; round++) {
        vec3 expected[BODIES];
        uint32_t new_slot[BODIES], bodies = BODIES;
        pushes.count = 0;
        for (uint32_t i = 0; i < bodies; i++) {
            expected[i] = random_unit(&stream) < 0.3 ? vec3_make(random_unit(&stream), 1, i) : vec3_make(0, 0, 0);
            if (i % 2)
                assert_true(pushes_note(&pushes, i, expected[i]));
        }
        for (uint32_t i = 0; i < bodies; i += 2)
            assert_true(pushes_note(&pushes, i, expected[i]));
        pushes_sort(&pushes);
        for (int removal = 0; removal < 2; removal++) {
            for (uint32_t i = 0; i < bodies; i++)
                assert_vec3_near(pushes_path(&pushes, i), expected[i], 0);
            uint32_t kept = 0;
            vec3 moved[BODIES];
            for (uint32_t i = 0; i < bodies; i++)
                new_slot[i] = random_unit(&stream) < 0.4 ? NO_SLOT : kept++;
            for (uint32_t i = 0; i < bodies; i++)
                if (new_slot[i] != NO_SLOT) {
                    new_slot[i] = (new_slot[i] + (uint32_t)round) % kept; // in another order, too
                    moved[new_slot[i]] = expected[i];
                }
            pushes_follow_bodies(&pushes, new_slot);
            bodies = kept;
            memcpy(expected, moved, bodies * sizeof *moved);
        }
        for (uint32_t i = 0; i < bodies; i++)
            assert_vec3_near(pushes_path(&pushes, i), expected[i], 0);
    }
    array_free(&pushes);
}

// An impact pushes many bodies and leaves no memory behind; steps with few or many of them take none anew.
static void test_clearing_gives_back_what_an_impact_needed(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    body_pushes pushes = {0};
    for (uint32_t i = 0; i < MANY; i++)
        assert_true(pushes_note(&pushes, i, vec3_make(1, 0, 0)));
    pushes_clear(&pushes);
    const body_push *data = pushes.data;
    for (uint32_t round = 0; round < 10; round++) {
        for (uint32_t i = 0; i < MANY / (1 + round % 4); i++)
            assert_true(pushes_note(&pushes, i, vec3_make(1, 0, 0)));
        assert_ptr_equal(pushes.data, data);
        pushes_clear(&pushes);
        assert_int_equal(pushes.count, 0);
    }
    pushes_clear(&pushes);
    assert_int_equal(pushes.capacity, 0);
    array_free(&pushes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_paths_follow_an_array),
                                       cmocka_unit_test(test_clearing_gives_back_what_an_impact_needed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
