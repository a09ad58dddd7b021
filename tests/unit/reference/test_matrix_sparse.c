// Sparse and dense matrices against plain loops over dense arrays.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "reference/matrix_dense.h"
#include "reference/matrix_sparse.h"

enum { ROWS = 17, COLUMNS = 23, ENTRIES = 150 };

typedef struct sample {
    double dense[ROWS][COLUMNS];
    sparse_matrix sparse;
} sample;

// Entries in no order; a third of the places are hit twice.
static sample *make_sample(uint64_t seed)
{
    random_stream stream = {seed};
    sample *s = calloc(1, sizeof *s);
    sparse_entry entries[ENTRIES];
    scree_error error;
    for (int i = 0; i < ENTRIES; i++) {
        entries[i].row = (uint32_t)random_between(&stream, 0, ROWS - 1e-9);
        entries[i].column = (uint32_t)random_between(&stream, 0, COLUMNS - 1e-9);
        entries[i].value = random_between(&stream, -1, 1);
        s->dense[entries[i].row][entries[i].column] += entries[i].value;
    }
    assert_int_equal(sparse_from_entries(&s->sparse, ROWS, COLUMNS, entries, ENTRIES, &error), SCREE_OK);
    return s;
}

static void free_sample(sample *s)
{
    sparse_free(&s->sparse);
    free(s);
}

static void entries_add_up(void **unused)
{
    (void)unused;
    sample *s = make_sample(1);
    size_t places = 0;
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t c = 0; c < COLUMNS; c++) {
            places += s->dense[r][c] != 0;
            assert_true(fabs(sparse_get(&s->sparse, r, c) - s->dense[r][c]) < 1e-15);
        }
        for (size_t k = s->sparse.start[r] + 1; k < s->sparse.start[r + 1]; k++)
            assert_true(s->sparse.column[k] > s->sparse.column[k - 1]);
    }
    assert_int_equal(sparse_count(&s->sparse), places);
    free_sample(s);
}

static void products_and_transposes(void **unused)
{
    (void)unused;
    sample *s = make_sample(2);
    sparse_matrix turned;
    scree_error error;
    double x[COLUMNS], y[ROWS];
    for (int c = 0; c < COLUMNS; c++)
        x[c] = c - 5;
    sparse_multiply(&s->sparse, x, y);
    assert_int_equal(sparse_transpose(&s->sparse, &turned, &error), SCREE_OK);
    for (size_t r = 0; r < ROWS; r++) {
        double sum = 0;
        for (size_t c = 0; c < COLUMNS; c++) {
            sum += s->dense[r][c] * x[c];
            assert_true(sparse_get(&turned, c, r) == sparse_get(&s->sparse, r, c));
        }
        assert_true(fabs(sum - y[r]) < 1e-12);
    }
    sparse_free(&turned);
    free_sample(s);
}

static void empty_matrices(void **unused)
{
    (void)unused;
    sparse_matrix matrix, turned;
    scree_error error;
    assert_int_equal(sparse_from_entries(&matrix, 3, 0, NULL, 0, &error), SCREE_OK);
    assert_int_equal(sparse_transpose(&matrix, &turned, &error), SCREE_OK);
    assert_int_equal(turned.rows, 0);
    assert_int_equal(sparse_count(&turned), 0);
    sparse_free(&matrix);
    sparse_free(&turned);
}

static void asymmetry_is_relative(void **unused)
{
    (void)unused;
    const sparse_entry entries[] = {{0, 0, 4}, {0, 1, 1}, {1, 0, 1.02}, {2, 1, -0.01}};
    sparse_matrix matrix;
    scree_error error;
    assert_int_equal(sparse_from_entries(&matrix, 3, 3, entries, 4, &error), SCREE_OK);
    assert_true(fabs(sparse_asymmetry(&matrix) - 0.005) < 1e-12);
    sparse_free(&matrix);
}

// Groups against repeated relabelling.
static void groups_are_found(void **unused)
{
    (void)unused;
    enum { ITEMS = 60, LINKS = 40 };
    random_stream stream = {3};
    uint32_t parent[ITEMS], label[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++)
        label[i] = i;
    group_begin(parent, ITEMS);
    for (int i = 0; i < LINKS; i++) {
        uint32_t a = (uint32_t)random_between(&stream, 0, ITEMS - 1e-9);
        uint32_t b = (uint32_t)random_between(&stream, 0, ITEMS - 1e-9), old = label[b];
        group_join(parent, a, b);
        for (int k = 0; k < ITEMS; k++)
            label[k] = label[k] == old ? label[a] : label[k];
    }
    size_t groups = group_number(parent, ITEMS);
    uint32_t next = 0;
    for (int i = 0; i < ITEMS; i++) {
        assert_true(parent[i] < groups && parent[i] <= next);
        next += parent[i] == next;
        for (int k = 0; k < i; k++)
            assert_int_equal(parent[i] == parent[k], label[i] == label[k]);
    }
    assert_int_equal(next, groups);
}

static void fill_random(random_stream *stream, double *a, size_t count)
{
    for (size_t i = 0; i < count; i++)
        a[i] = random_between(stream, -1, 1);
}

static void cholesky_gives_the_matrix_back(void **unused)
{
    (void)unused;
    enum { SIZE = 20 };
    random_stream stream = {4};
    double root[SIZE * SIZE], a[SIZE * SIZE], factor[SIZE * SIZE], x[SIZE * 2], right[SIZE * 2];
    fill_random(&stream, root, SIZE * SIZE);
    for (int i = 0; i < SIZE * SIZE; i++) {
        a[i] = i / SIZE == i % SIZE ? 0.1 : 0;
        for (int k = 0; k < SIZE; k++)
            a[i] += root[i / SIZE * SIZE + k] * root[i % SIZE * SIZE + k];
        factor[i] = a[i];
    }
    assert_true(dense_cholesky(factor, SIZE));
    fill_random(&stream, right, SIZE * 2);
    for (int i = 0; i < SIZE * 2; i++)
        x[i] = right[i];
    dense_forward(factor, SIZE, x, 2);
    for (int i = 0; i < SIZE; i++)
        for (int c = 0; c < 2; c++) {
            double sum = 0;
            for (int k = 0; k <= i; k++)
                sum += factor[i * SIZE + k] * x[k * 2 + c];
            assert_true(fabs(sum - right[i * 2 + c]) < 1e-11);
        }
    for (int i = 0; i < SIZE * SIZE; i++) {
        double sum = 0;
        for (int k = 0; k <= i / SIZE && k <= i % SIZE; k++)
            sum += factor[i / SIZE * SIZE + k] * factor[i % SIZE * SIZE + k];
        assert_true(fabs(sum - a[i]) < 1e-12);
    }
    a[0] = -1;
    assert_false(dense_cholesky(a, SIZE));
}

// Sizes on either side of the panels of the factorisation; the first pivot is zero.
static void lu_solves(void **unused)
{
    (void)unused;
    static const size_t sizes[] = {1, 3, 31, 32, 33, 100};
    random_stream stream = {5};
    for (int t = 0; t < 6; t++) {
        size_t size = sizes[t];
        double *a = calloc(size * size, sizeof *a), *factors = calloc(size * size, sizeof *a);
        double *x = calloc(size, sizeof *x), *right = calloc(size, sizeof *right);
        uint32_t *pivot = calloc(size, sizeof *pivot);
        fill_random(&stream, a, size * size);
        fill_random(&stream, right, size);
        a[0] = size > 1 ? 0 : 2;
        for (size_t i = 0; i < size * size; i++)
            factors[i] = a[i];
        for (size_t i = 0; i < size; i++)
            x[i] = right[i];
        assert_true(dense_lu(factors, size, pivot));
        dense_lu_solve(factors, pivot, size, x);
        for (size_t i = 0; i < size; i++) {
            double sum = -right[i];
            for (size_t k = 0; k < size; k++)
                sum += a[i * size + k] * x[k];
            assert_true(fabs(sum) < 1e-9);
        }
        for (size_t i = 0; i < size; i++)
            a[i * size] = 0;
        assert_false(dense_lu(a, size, pivot));
        free(a), free(factors), free(x), free(right), free(pivot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_add_up),   cmocka_unit_test(products_and_transposes),
        cmocka_unit_test(empty_matrices),   cmocka_unit_test(asymmetry_is_relative),
        cmocka_unit_test(groups_are_found), cmocka_unit_test(cholesky_gives_the_matrix_back),
        cmocka_unit_test(lu_solves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
