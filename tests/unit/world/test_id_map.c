// The map from ids to slots against a plain list, and its size against the number of ids that live.
#include "../../physics/check.h"

#include "base/random.h"
#include "world/id_map.h"

enum { MOST = 600 };

typedef struct model { // ids by slot
    scree_id ids[MOST];
    size_t count;
} model;

static void assert_same(const id_map *map, const model *of)
{
    assert_int_equal(map->taken, of->count);
    for (uint32_t slot = 0; slot < of->count; slot++)
        assert_int_equal(id_map_find(map, of->ids, of->ids[slot]), slot);
}

static void test_an_empty_map_finds_nothing(void **state)
{
    (void)state;
    id_map map = {0};
    assert_int_equal(id_map_find(&map, NULL, 1), NO_SLOT);
    assert_true(id_map_build(&map, NULL, 0));
    assert_int_equal(id_map_find(&map, NULL, 1), NO_SLOT);
    id_map_free(&map);
}

static void insert(id_map *map, model *of, scree_id id)
{
    assert_true(id_map_reserve(map, of->ids, of->count + 1));
    of->ids[of->count] = id;
    id_map_insert(map, id, (uint32_t)of->count++);
}

// Bodies that stay close ranks, as in a store.
static void remove_some(id_map *map, model *of, random_stream *stream, double part)
{
    model kept = {.count = 0};
    scree_id gone[MOST];
    size_t gone_count = 0;
    for (size_t i = 0; i < of->count; i++)
        if (random_unit(stream) < part)
            gone[gone_count++] = of->ids[i];
        else
            kept.ids[kept.count++] = of->ids[i];
    assert_true(id_map_build(map, kept.ids, kept.count));
    *of = kept;
    for (size_t i = 0; i < gone_count; i++)
        assert_int_equal(id_map_find(map, of->ids, gone[i]), NO_SLOT);
}

// Ids as a world gives them, and ids that differ in their high bits alone, as those of several ranks would.
static void test_random_changes_follow_a_model(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        random_stream stream = {7};
        id_map map = {0};
        model of = {.count = 0};
        scree_id given = 0;
        for (int round = 0; round < 300; round++) {
            size_t more = (size_t)(random_unit(&stream) * (double)(MOST - of.count));
            for (size_t i = 0; i < more; i++) {
                given++;
                insert(&map, &of, wide ? given % 7 << 48 | given / 7 : given);
            }
            assert_same(&map, &of);
            assert_int_equal(id_map_find(&map, of.ids, (scree_id)1 << 60), NO_SLOT);
            remove_some(&map, &of, &stream, random_unit(&stream));
            assert_same(&map, &of);
        }
        id_map_free(&map);
    }
}

// Half of the entries at least are free, and after removals no more than are needed for that.
static void test_the_size_follows_what_lives(void **state)
{
    (void)state;
    static scree_id ids[5000];
    id_map map = {0};
    for (uint32_t i = 0; i < 5000; i++) {
        ids[i] = 3 * i + 1;
        assert_true(id_map_reserve(&map, ids, i + 1));
        id_map_insert(&map, ids[i], i);
        assert_at_most((double)(i + 1), 0.5 * (double)map.entries.count);
    }
    for (size_t count = 5000; count > 0; count /= 3) {
        assert_true(id_map_build(&map, ids, count));
        assert_at_most((double)map.entries.count, fmax(16, 4.0 * (double)count));
    }
    id_map_free(&map);
}

// Four live at a time while millions come and go.
static void test_ids_that_are_gone_take_no_memory(void **state)
{
    (void)state;
    enum { LIVING = 4, GIVEN = CHECK_SANITIZED ? 300000 : 3000000 };
    id_map map = {0};
    model of = {.count = 0};
    for (scree_id id = 1; id <= GIVEN; id++) {
        if (of.count == LIVING) {
            for (size_t i = 1; i < LIVING; i++)
                of.ids[i - 1] = of.ids[i];
            of.count--;
            assert_true(id_map_build(&map, of.ids, of.count));
        }
        insert(&map, &of, id);
        assert_at_most((double)array_bytes(&map.entries), 64);
    }
    assert_same(&map, &of);
    id_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_map_finds_nothing),
        cmocka_unit_test(test_random_changes_follow_a_model),
        cmocka_unit_test(test_the_size_follows_what_lives),
        cmocka_unit_test(test_ids_that_are_gone_take_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
