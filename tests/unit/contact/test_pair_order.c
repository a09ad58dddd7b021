// The order of candidate pairs against a plain sort, for any number of threads.
#include "../../physics/check.h"

#include <stdlib.h>

#include "base/random.h"
#include "contact/pair_order.h"

enum { BODIES = 700, SHAPES = 2, PROXIES = BODIES * SHAPES, PAIRS = 40000 };

// Bodies of a sphere and a box each; ids in no order of slots.
typedef struct crowd {
    proxy proxies[PROXIES];
    uint64_t ids[BODIES];
    proxy_pair pairs[PAIRS], expected[PAIRS];
    proxy_view view;
} crowd;

static const crowd *compared; // what qsort cannot be told

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_pairs(const void *left, const void *right)
{
    const proxy_pair *x = left, *y = right;
    const proxy *proxies = compared->proxies;
    int order = compare_numbers(proxies[x->a].body, proxies[y->a].body);
    if (order == 0)
        order = compare_numbers(compared->ids[proxies[x->b].body], compared->ids[proxies[y->b].body]);
    if (order == 0)
        order = compare_numbers(x->a, y->a);
    return order != 0 ? order : compare_numbers(x->b, y->b);
}

static crowd *make_crowd(random_stream *stream)
{
    crowd *of = calloc(1, sizeof *of);
    assert_non_null(of);
    for (uint32_t i = 0; i < PROXIES; i++)
        of->proxies[i] = (proxy){.body = i / SHAPES, .type = i % SHAPES ? SCREE_SHAPE_BOX : SCREE_SHAPE_SPHERE};
    for (uint32_t i = 0; i < BODIES; i++)
        of->ids[i] = (uint64_t)(i * 397 % BODIES) * 1000000007;
    of->view = (proxy_view){.proxies = of->proxies, .proxy_count = PROXIES, .ids = of->ids, .body_count = BODIES};
    for (size_t i = 0; i < PAIRS; i++) {
        uint32_t a, b;
        do {
            a = (uint32_t)(random_bits(stream) % PROXIES);
            b = i % 10 ? (uint32_t)(random_bits(stream) % PROXIES) : 4; // one body meets very many
        } while (a / SHAPES == b / SHAPES);
        of->pairs[i] = (proxy_pair){a, b};
        const proxy *of_a = &of->proxies[a], *of_b = &of->proxies[b];
        bool first = of_a->type != of_b->type ? of_a->type < of_b->type : of->ids[of_a->body] < of->ids[of_b->body];
        of->expected[i] = first ? of->pairs[i] : (proxy_pair){b, a};
    }
    compared = of;
    qsort(of->expected, PAIRS, sizeof *of->expected, compare_pairs);
    return of;
}

static void test_pairs_stand_by_bodies_and_ids(void **state)
{
    (void)state;
    random_stream stream = {31};
    for (int threads = 1; threads <= 16; threads *= 2) {
        arena scratch = {0};
        crowd *of = make_crowd(&stream);
        const proxy_pair *sorted = order_pairs(&of->view, of->pairs, PAIRS, threads, &scratch);
        assert_non_null(sorted);
        assert_memory_equal(sorted, of->expected, sizeof of->expected);
        free(of);
        arena_free(&scratch);
    }
}

static void test_no_pairs(void **state)
{
    (void)state;
    random_stream stream = {32};
    arena scratch = {0};
    crowd *of = make_crowd(&stream);
    assert_non_null(order_pairs(&of->view, of->pairs, 0, 2, &scratch));
    free(of);
    arena_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs_stand_by_bodies_and_ids),
                                       cmocka_unit_test(test_no_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
