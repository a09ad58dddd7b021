// Pairs that begin and end to touch, from contacts made by hand.
#include "../../physics/check.h"

#include "step/touches.h"

static const scree_id ids[] = {50, 20, 30, 40}; // by slot

typedef struct watch {
    arena scratch;
    body_pair_array touching, begun, ended;
} watch;

static contact touch(uint32_t a, uint32_t b, float gap, float push)
{
    return (contact){.a = a, .b = b, .normal = {0, 0, 1}, .gap = gap, .impulse = {0, 0, push}};
}

static void look(watch *of, const contact *contacts, size_t count)
{
    touch_lists lists = {&of->touching, &of->begun, &of->ended};
    arena_reset(&of->scratch);
    assert_true(touches_update(contacts, count, ids, &of->scratch, &lists));
}

static void assert_pairs(const body_pair_array *of, const scree_body_pair *expected, size_t count)
{
    assert_int_equal(of->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(of->data[i].a, expected[i].a);
        assert_int_equal(of->data[i].b, expected[i].b);
    }
}

// Each pair once, by rising ids, whatever the slots and however many points; one that is near, and does not push, is
// none.
static void test_pairs_begin(void **state)
{
    (void)state;
    watch of = {0};
    const contact contacts[] = {touch(0, 1, -0.1f, 0), touch(2, 1, 0.1f, 0), touch(1, 2, 0.1f, 3),
                                touch(2, 3, 0.1f, 0)};
    look(&of, contacts, 4);
    const scree_body_pair expected[] = {{20, 30}, {20, 50}};
    assert_pairs(&of.begun, expected, 2);
    assert_pairs(&of.touching, expected, 2);
    assert_pairs(&of.ended, NULL, 0);
    array_free(&of.touching);
    array_free(&of.begun);
    array_free(&of.ended);
    arena_free(&of.scratch);
}

// A touch goes on while a contact point is left, however far; it ends with the last one.
static void test_pairs_go_on_and_end(void **state)
{
    (void)state;
    watch of = {0};
    const contact first[] = {touch(0, 1, 0, 0), touch(2, 3, -1, 0)}, next[] = {touch(0, 1, 0.1f, 0), touch(1, 2, 0, 0)};
    look(&of, first, 2);
    look(&of, next, 2);
    const scree_body_pair begun = {20, 30}, ended = {30, 40}, touching[] = {{20, 30}, {20, 50}};
    assert_pairs(&of.begun, &begun, 1);
    assert_pairs(&of.ended, &ended, 1);
    assert_pairs(&of.touching, touching, 2);
    look(&of, NULL, 0);
    assert_pairs(&of.begun, NULL, 0);
    assert_pairs(&of.ended, touching, 2);
    assert_pairs(&of.touching, NULL, 0);
    array_free(&of.touching);
    array_free(&of.begun);
    array_free(&of.ended);
    arena_free(&of.scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs_begin), cmocka_unit_test(test_pairs_go_on_and_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
