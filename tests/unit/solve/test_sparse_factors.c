// Order, structure and factors of sparse block matrices against dense elimination.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "solve/newton/sparse_cholesky.h"
#include "solve/newton/sparse_lu.h"

static void is_near(double a, double b, double room)
{
    assert_true(fabs(a - b) <= room);
}

enum { MOST = 40, N = SPARSE_BLOCK };

static size_t random_graph(random_stream *stream, uint32_t nodes, size_t pairs, sparse_pair *to)
{
    for (size_t i = 0; i < pairs; i++)
        to[i] = (sparse_pair){(uint32_t)(random_bits(stream) % nodes), (uint32_t)(random_bits(stream) % nodes)};
    return pairs;
}

static bool has_row(const sparse_structure *s, uint32_t row, uint32_t column)
{
    for (size_t i = s->column_start[column]; i < s->column_start[column + 1]; i++)
        if (s->rows[i] == row)
            return true;
    return false;
}

// The structure is that of dense symbolic elimination in the same order, and places are a permutation.
static void structure_is_that_of_elimination(void **state)
{
    (void)state;
    random_stream stream = {5};
    arena scratch = {0};
    for (uint32_t nodes = 1; nodes < MOST; nodes++) {
        sparse_pair pairs[80];
        size_t count = random_graph(&stream, nodes, 2 * nodes, pairs);
        sparse_structure s;
        arena_reset(&scratch);
        assert_int_equal(sparse_order(&s, nodes, pairs, count, &scratch, NULL), SCREE_OK);
        bool filled[MOST][MOST] = {{false}}, seen[MOST] = {false};
        for (uint32_t i = 0; i < nodes; i++) {
            assert_true(s.place[i] < nodes && !seen[s.place[i]]);
            seen[s.place[i]] = true;
        }
        for (size_t i = 0; i < count; i++)
            filled[s.place[pairs[i].a]][s.place[pairs[i].b]] = filled[s.place[pairs[i].b]][s.place[pairs[i].a]] = true;
        for (uint32_t k = 0; k < nodes; k++)
            for (uint32_t i = k + 1; i < nodes; i++)
                for (uint32_t j = k + 1; j < nodes; j++)
                    filled[i][j] = filled[i][j] || (filled[i][k] && filled[k][j]);
        for (uint32_t k = 0; k < nodes; k++)
            for (uint32_t i = k + 1; i < nodes; i++)
                assert_int_equal(filled[i][k], has_row(&s, i, k));
    }
    arena_free(&scratch);
}

// Trees have no fill: chains, stars, and combs keep as many blocks as edges.
static void trees_do_not_fill(void **state)
{
    (void)state;
    arena scratch = {0};
    sparse_pair chain[MOST], star[MOST], comb[MOST];
    for (uint32_t i = 1; i < MOST; i++) {
        chain[i - 1] = (sparse_pair){i - 1, i};
        star[i - 1] = (sparse_pair){i, 0};
        comb[i - 1] = (sparse_pair){i, i % 2 ? i - 1 : i - 2};
    }
    const sparse_pair *graphs[] = {chain, star, comb};
    for (int i = 0; i < 3; i++) {
        sparse_structure s;
        assert_int_equal(sparse_order(&s, MOST, graphs[i], MOST - 1, &scratch, NULL), SCREE_OK);
        assert_int_equal(s.column_start[MOST], MOST - 1);
    }
    arena_free(&scratch);
}

// Fills a matrix of the structure with random blocks, diagonally dominant, and the same densely.
static void fill_matrix(random_stream *stream, sparse_blocks *m, double *dense)
{
    const sparse_structure *s = &m->structure;
    size_t size = N * s->count;
    memset(dense, 0, size * size * sizeof *dense);
    for (size_t column = 0; column < s->count; column++) {
        for (int j = 0; j < N; j++)
            for (int i = 0; i <= j; i++) {
                double a = random_between(stream, -1, 1) + (i == j ? 60 : 0);
                double b = m->above ? random_between(stream, -1, 1) + (i == j ? 60 : 0) : a;
                size_t at_a = (N * column + (size_t)i) * size + N * column + (size_t)j;
                size_t at_b = (N * column + (size_t)j) * size + N * column + (size_t)i;
                dense[at_a] = a;
                dense[at_b] = i == j ? a : b;
                m->diagonal[SPARSE_BLOCK_REALS * column + (size_t)(j * N + i)] = a;
                m->diagonal[SPARSE_BLOCK_REALS * column + (size_t)(i * N + j)] = i == j ? a : b;
            }
        for (size_t r = s->column_start[column]; r < s->column_start[column + 1]; r++)
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++) {
                    size_t row = N * s->rows[r] + (size_t)i, across = N * column + (size_t)j;
                    double below = random_between(stream, -1, 1), above = below;
                    m->below[SPARSE_BLOCK_REALS * r + (size_t)(j * N + i)] = below;
                    if (m->above) {
                        above = random_between(stream, -1, 1);
                        m->above[SPARSE_BLOCK_REALS * r + (size_t)(i * N + j)] = above;
                    }
                    dense[row * size + across] = below;
                    dense[across * size + row] = above;
                }
    }
}

static void check_solution(bool symmetric)
{
    random_stream stream = {symmetric ? 21u : 22u};
    arena scratch = {0};
    for (uint32_t nodes = 1; nodes < 20; nodes++) {
        sparse_pair pairs[80];
        size_t count = random_graph(&stream, nodes, nodes, pairs), size = (size_t)N * nodes;
        sparse_blocks m;
        arena_reset(&scratch);
        assert_int_equal(sparse_order(&m.structure, nodes, pairs, count, &scratch, NULL), SCREE_OK);
        assert_int_equal(sparse_blocks_prepare(&m, symmetric, &scratch, NULL), SCREE_OK);
        sparse_blocks_clear(&m, symmetric);
        double *dense = arena_array(&scratch, double, size *size);
        fill_matrix(&stream, &m, dense);
        double x[N * 20], product[N * 20];
        for (size_t i = 0; i < size; i++)
            x[i] = random_between(&stream, -1, 1);
        for (size_t i = 0; i < size; i++) {
            product[i] = 0;
            for (size_t j = 0; j < size; j++)
                product[i] += dense[i * size + j] * x[j];
        }
        if (symmetric) {
            sparse_cholesky_factor(&m, 1e-9);
            sparse_cholesky_solve(&m, product);
        } else {
            assert_true(sparse_lu_factor(&m));
            sparse_lu_solve(&m, product);
        }
        for (size_t i = 0; i < size; i++)
            is_near(product[i], x[i], 1e-12);
    }
    arena_free(&scratch);
}

static void cholesky_solves(void **state)
{
    (void)state;
    check_solution(true);
}

static void lu_solves(void **state)
{
    (void)state;
    check_solution(false);
}

static void lu_refuses_singular(void **state)
{
    (void)state;
    arena scratch = {0};
    sparse_blocks m;
    assert_int_equal(sparse_order(&m.structure, 1, NULL, 0, &scratch, NULL), SCREE_OK);
    assert_int_equal(sparse_blocks_prepare(&m, false, &scratch, NULL), SCREE_OK);
    sparse_blocks_clear(&m, false);
    assert_false(sparse_lu_factor(&m));
    arena_free(&scratch);
}

static void finds_blocks(void **state)
{
    (void)state;
    random_stream stream = {6};
    arena scratch = {0};
    sparse_pair pairs[80];
    sparse_blocks m;
    size_t count = random_graph(&stream, MOST, 80, pairs);
    assert_int_equal(sparse_order(&m.structure, MOST, pairs, count, &scratch, NULL), SCREE_OK);
    const sparse_structure *s = &m.structure;
    for (uint32_t column = 0; column < MOST; column++)
        for (size_t i = s->column_start[column]; i < s->column_start[column + 1]; i++)
            assert_int_equal(sparse_blocks_find(&m, s->rows[i], column), i);
    arena_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structure_is_that_of_elimination),
        cmocka_unit_test(trees_do_not_fill),
        cmocka_unit_test(cholesky_solves),
        cmocka_unit_test(lu_solves),
        cmocka_unit_test(lu_refuses_singular),
        cmocka_unit_test(finds_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
