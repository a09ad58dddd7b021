// Minimum degree and fronts: fill against exact minimum degree, the tree of elimination, factors against dense
// products.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "solve/newton/sparse_fronts.h"

enum { SIDE = 14, GRID = SIDE * SIDE, MOST_PAIRS = 8 * GRID };

// A grid of nodes with their four neighbours, or eight.
static size_t make_grid(bool diagonals, sparse_pair *pairs)
{
    size_t count = 0;
    for (uint32_t row = 0; row < SIDE; row++)
        for (uint32_t column = 0; column < SIDE; column++) {
            uint32_t node = row * SIDE + column;
            if (column > 0)
                pairs[count++] = (sparse_pair){node - 1, node};
            if (row > 0)
                pairs[count++] = (sparse_pair){node, node - SIDE};
            if (diagonals && row > 0 && column > 0)
                pairs[count++] = (sparse_pair){node - SIDE - 1, node};
            if (diagonals && row > 0 && column + 1 < SIDE)
                pairs[count++] = (sparse_pair){node - SIDE + 1, node};
        }
    return count;
}

static size_t make_random(random_stream *stream, size_t count, sparse_pair *pairs)
{
    for (size_t i = 0; i < count; i++)
        pairs[i] = (sparse_pair){(uint32_t)(random_bits(stream) % GRID), (uint32_t)(random_bits(stream) % GRID)};
    return count;
}

// Products of a factor by dense elimination, always of a node with the fewest neighbours.
static double exact_products(const sparse_pair *pairs, size_t count)
{
    bool(*joined)[GRID] = calloc(GRID, sizeof *joined);
    bool gone[GRID] = {false};
    double products = 0;
    for (size_t i = 0; i < count; i++)
        if (pairs[i].a != pairs[i].b)
            joined[pairs[i].a][pairs[i].b] = joined[pairs[i].b][pairs[i].a] = true;
    for (int step = 0; step < GRID; step++) {
        int best = -1, least = GRID;
        for (int i = 0; i < GRID; i++) {
            int degree = 0;
            for (int j = 0; j < GRID; j++)
                degree += joined[i][j];
            if (!gone[i] && degree < least) {
                best = i;
                least = degree;
            }
        }
        gone[best] = true;
        for (int i = 0; i < GRID; i++)
            for (int j = 0; j < GRID; j++)
                if (i != j && joined[best][i] && joined[best][j])
                    joined[i][j] = true;
        for (int i = 0; i < GRID; i++)
            joined[best][i] = joined[i][best] = false;
        products += 1 + least + 0.5 * least * (least + 1);
    }
    free(joined);
    return products;
}

static double products_of(const sparse_structure *s)
{
    double products = 0;
    for (size_t i = 0; i < s->count; i++) {
        double below = (double)(s->column_start[i + 1] - s->column_start[i]);
        products += 1 + below + 0.5 * below * (below + 1);
    }
    return products;
}

// The parent of a column is its first row, and subtrees are contiguous: every column lies between its first descendant
// and its parent.
static void check_tree(const sparse_structure *s)
{
    uint32_t *size = calloc(s->count, sizeof *size);
    for (uint32_t i = 0; i < s->count; i++) {
        bool has_rows = s->column_start[i] < s->column_start[i + 1];
        assert_int_equal(s->parent[i], has_rows ? s->rows[s->column_start[i]] : NO_PARENT);
        size[i]++;
        for (uint32_t k = i + 1 - size[i]; k < i; k++)
            assert_true(s->parent[k] <= i);
        if (has_rows)
            size[s->parent[i]] += size[i];
    }
    free(size);
}

// Degrees are bounds here, ties break otherwise: no more than a sixth beyond the products of exact minimum degree, and
// what is counted without a structure is what it has.
static void test_fill_is_that_of_minimum_degree(void **state)
{
    (void)state;
    random_stream stream = {11};
    arena scratch = {0};
    sparse_pair pairs[MOST_PAIRS];
    for (int graph = 0; graph < 5; graph++) {
        size_t count = graph < 2 ? make_grid(graph == 1, pairs) : make_random(&stream, (size_t)graph * GRID / 2, pairs);
        sparse_structure s;
        double counted;
        assert_int_equal(sparse_order(&s, GRID, pairs, count, &scratch, NULL), SCREE_OK);
        check_tree(&s);
        double products = products_of(&s), exact = exact_products(pairs, count);
        print_message("graph %d: %g products, %g by exact minimum degree\n", graph, products, exact);
        assert_true(products <= 7.0 / 6 * exact);
        assert_true(sparse_count_products(GRID, pairs, count, HUGE_VAL, &scratch, &counted));
        assert_true(counted == products);
        assert_true(sparse_count_products(GRID, pairs, count, 0.5 * products, &scratch, &counted));
        assert_true(counted > 0.5 * products && counted <= products);
        arena_reset(&scratch);
    }
    arena_free(&scratch);
}

// A x = b against a dense product, with nodes of one to six rows; values set anew in the same structure give the same.
static void test_factors_solve(void **state)
{
    (void)state;
    random_stream stream = {3};
    arena scratch = {0};
    sparse_pair pairs[MOST_PAIRS];
    for (int graph = 0; graph < 4; graph++) {
        size_t count = graph < 2 ? make_grid(graph == 1, pairs) : make_random(&stream, (size_t)graph * GRID / 3, pairs);
        uint8_t sizes[GRID];
        for (size_t i = 0; i < GRID; i++)
            sizes[i] = (uint8_t)(1 + random_bits(&stream) % MOST_NODE_ROWS);
        sparse_fronts f;
        assert_int_equal(sparse_fronts_order(&f, GRID, sizes, pairs, count, &scratch, NULL), SCREE_OK);
        size_t n = f.scalar_count;
        double *dense = calloc(n * n, sizeof *dense), *right = calloc(n, sizeof *right);
        double *x[2] = {calloc(n, sizeof *right), calloc(n, sizeof *right)};
        for (size_t i = 0; i < n; i++)
            right[i] = random_between(&stream, -1, 1);
        random_stream values = stream;
        for (int time = 0; time < 2; time++) {
            stream = values;
            memset(dense, 0, n * n * sizeof *dense);
            sparse_fronts_clear(&f);
            for (size_t i = 0; i < n; i++)
                f.least[i] = 1e-9;
            for (size_t k = 0; k < GRID + count; k++) {
                uint32_t a = f.structure.place[k < GRID ? k : pairs[k - GRID].a];
                uint32_t b = f.structure.place[k < GRID ? k : pairs[k - GRID].b];
                if (k >= GRID && a == b)
                    continue;
                uint32_t later = a > b ? a : b, earlier = a > b ? b : a;
                uint32_t rows = f.scalar[later + 1] - f.scalar[later];
                uint32_t columns = f.scalar[earlier + 1] - f.scalar[earlier];
                double block[MOST_NODE_ROWS * MOST_NODE_ROWS] = {0};
                for (uint32_t j = 0; j < columns; j++)
                    for (uint32_t i = 0; i < rows; i++) {
                        if (k < GRID && i < j)
                            continue;
                        double value = k < GRID && i == j ? 60 : random_between(&stream, -1, 1);
                        size_t row = f.scalar[later] + i, column = f.scalar[earlier] + j;
                        block[j * rows + i] = value;
                        dense[row * n + column] += value;
                        if (row != column)
                            dense[column * n + row] += value;
                    }
                sparse_fronts_add(&f, later, earlier, block);
            }
            sparse_fronts_factor(&f);
            memcpy(x[time], right, n * sizeof *right);
            sparse_fronts_solve(&f, x[time]);
        }
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (size_t j = 0; j < n; j++)
                sum += dense[i * n + j] * x[0][j];
            assert_true(fabs(sum - right[i]) < 1e-12);
        }
        assert_memory_equal(x[0], x[1], n * sizeof *right);
        free(x[0]);
        free(x[1]);
        free(right);
        free(dense);
        arena_reset(&scratch);
    }
    arena_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill_is_that_of_minimum_degree),
        cmocka_unit_test(test_factors_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
