// The dense arithmetic of fronts, compiled once per instruction set.
//
// Panels are stored by columns, with zeros behind the last row, so that lanes may run over it. What is computed above
// the diagonal in the lanes of a column is never read; it is set to zero where a solve runs over it.
#define SCREE_LANES 4 // that fill a register
#include "base/wide.h"
#include "solve/newton/sparse_fronts.h"

#define JOIN_AGAIN(a, b) a##b
#define JOIN(a, b)       JOIN_AGAIN(a, b)

_Static_assert((int)FRONT_LANES == (int)LANES && sizeof(real) == sizeof(double), "panels are padded to lanes");

enum { COLUMNS = 4, TALL = 2 }; // of a tile that stays in registers

static uint32_t begin_of_lanes(uint32_t row)
{
    return row / LANES * LANES;
}

// ----------------------------------------------------------------------------------------------------------------
// tiles

// c <- c - a b^T over `depth` columns; a and b are rows of one panel.
static inline __attribute__((always_inline)) void
subtract_tile(const real *a, const real *b, size_t lead, uint32_t depth, real *c, size_t c_lead, int tall, int columns)
{
    wide sum[TALL][COLUMNS];
    for (int q = 0; q < columns; q++)
        for (int t = 0; t < tall; t++)
            sum[t][q] = wide_load(c + (size_t)q * c_lead + t * LANES);
    for (uint32_t k = 0; k < depth; k++, a += lead, b += lead)
        for (int t = 0; t < tall; t++) {
            wide at = wide_load(a + t * LANES);
            for (int q = 0; q < columns; q++)
                sum[t][q] -= at * wide_set(b[q]);
        }
    for (int q = 0; q < columns; q++)
        for (int t = 0; t < tall; t++)
            wide_store(c + (size_t)q * c_lead + t * LANES, sum[t][q]);
}

static inline __attribute__((always_inline)) void subtract_strip(const real *a, const real *b, size_t lead,
                                                                 uint32_t depth, real *c, size_t c_lead, uint32_t rows,
                                                                 int columns)
{
    uint32_t i = 0;
    for (; i + TALL * LANES <= rows; i += TALL * LANES)
        subtract_tile(a + i, b, lead, depth, c + i, c_lead, TALL, columns);
    for (; i < rows; i += LANES)
        subtract_tile(a + i, b, lead, depth, c + i, c_lead, 1, columns);
}

// Up to four columns of c; `rows` is rounded up to lanes.
static void subtract_columns(const real *a, const real *b, size_t lead, uint32_t depth, real *c, size_t c_lead,
                             uint32_t rows, uint32_t columns)
{
    switch (columns) {
    case 1:
        subtract_strip(a, b, lead, depth, c, c_lead, rows, 1);
        break;
    case 2:
        subtract_strip(a, b, lead, depth, c, c_lead, rows, 2);
        break;
    case 3:
        subtract_strip(a, b, lead, depth, c, c_lead, rows, 3);
        break;
    default:
        subtract_strip(a, b, lead, depth, c, c_lead, rows, COLUMNS);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// panels

// Columns that have been updated by all before them, one by one. The inverse of the pivot takes its place.
static void factor_columns(real *panel, size_t lead, uint32_t height, uint32_t first, uint32_t end, const double *least)
{
    for (uint32_t j = first; j < end; j++) {
        real *column = panel + j * lead;
        uint32_t begin = begin_of_lanes(j);
        real pivot = column[j] > least[j] ? column[j] : least[j], inverse = 1 / real_sqrt(pivot);
        for (uint32_t i = begin; i < j; i++)
            column[i] = 0;
        for (uint32_t i = begin; i < height; i += LANES)
            wide_store(column + i, wide_load(column + i) * wide_set(inverse));
        for (uint32_t k = j + 1; k < end; k++) {
            real *other = panel + k * lead;
            wide factor = wide_set(column[k]);
            for (uint32_t i = begin_of_lanes(k); i < height; i += LANES)
                wide_store(other + i, wide_load(other + i) - wide_load(column + i) * factor);
        }
        column[j] = inverse;
    }
}

static void factor_panel(const sparse_fronts *f, const sparse_front *front)
{
    real *panel = f->panels + front->panel;
    const double *least = f->least + f->scalar[front->first];
    for (uint32_t j = 0; j < front->width; j += COLUMNS) {
        uint32_t end = j + COLUMNS < front->width ? j + COLUMNS : front->width, begin = begin_of_lanes(j);
        if (j > 0)
            subtract_columns(panel + begin, panel + j, front->lead, j, panel + (size_t)j * front->lead + begin,
                             front->lead, front->height - begin, end - j);
        factor_columns(panel, front->lead, front->height, j, end, least);
    }
}

// What the front leaves to the one above.
static void subtract_rest(const sparse_fronts *f, const sparse_front *front, real *left)
{
    const real *below = f->panels + front->panel + front->width;
    uint32_t rows = front->height - front->width;
    for (uint32_t j = 0; j < rows; j += COLUMNS) {
        uint32_t begin = begin_of_lanes(j);
        subtract_columns(below + begin, below + j, front->lead, front->width, left + (size_t)j * front->rest + begin,
                         front->rest, rows - begin, rows - j < COLUMNS ? rows - j : COLUMNS);
    }
}

// -------------------------------------------------------------------------------------------------------------
// gathering

// For each row that a child leaves its row in the parent.
static void find_targets(const sparse_fronts *f, const sparse_front *child, const sparse_front *parent)
{
    const sparse_structure *s = &f->structure;
    const uint32_t *rows = s->rows + s->column_start[parent->end - 1], *row_at = f->row_at + parent->row_at;
    uint32_t to = 0;
    for (size_t k = s->column_start[child->end - 1]; k < s->column_start[child->end]; k++) {
        uint32_t place = s->rows[k], size = f->scalar[place + 1] - f->scalar[place], at;
        if (place < parent->end)
            at = f->scalar[place] - f->scalar[parent->first];
        else {
            while (*rows != place) {
                rows++;
                row_at++;
            }
            at = *row_at;
        }
        for (uint32_t i = 0; i < size; i++)
            f->target[to++] = at + i;
    }
}

static void add_run(real *to, const real *from, uint32_t count)
{
    uint32_t i = 0;
    for (; i + LANES <= count; i += LANES)
        wide_store(to + i, wide_load(to + i) + wide_load(from + i));
    for (; i < count; i++)
        to[i] += from[i];
}

static void gather_child(const sparse_fronts *f, const sparse_front *child, const sparse_front *parent, real *left)
{
    find_targets(f, child, parent);
    const uint32_t *target = f->target;
    uint32_t rows = child->height - child->width;
    for (uint32_t j = 0; j < rows; j++) {
        const real *from = f->stack + child->left + (size_t)j * child->rest;
        real *to = target[j] < parent->width
                       ? f->panels + parent->panel + (size_t)target[j] * parent->lead
                       : left + (size_t)(target[j] - parent->width) * parent->rest - parent->width;
        for (uint32_t i = j, end; i < rows; i = end) {
            for (end = i + 1; end < rows && target[end] == target[end - 1] + 1; end++)
                ;
            add_run(to + target[i], from + i, end - i);
        }
    }
}

static void factor(sparse_fronts *f)
{
    real *stack = f->stack;
    size_t top = 0;
    for (uint32_t i = 0; i < f->front_count; i++) {
        const sparse_front *front = &f->fronts[i];
        uint32_t rows = front->height - front->width;
        size_t size = (size_t)rows * front->rest;
        real *left = stack + top;
        memset(left, 0, size * sizeof *left);
        for (uint32_t child = front->last_child; child != NO_FRONT; child = f->fronts[child].previous)
            gather_child(f, &f->fronts[child], front, left);
        factor_panel(f, front);
        subtract_rest(f, front, left);
        if (stack + front->left != left)
            memmove(stack + front->left, left, size * sizeof *left);
        top = front->left + size;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// solving

// x <- L^-1 x over the columns of a front.
static void go_up(const sparse_fronts *f, const sparse_front *front, double *x)
{
    const sparse_structure *s = &f->structure;
    real *work = f->work;
    const real *column = f->panels + front->panel;
    double *own = x + f->scalar[front->first];
    for (uint32_t i = 0; i < front->width; i++)
        work[i] = own[i];
    for (uint32_t i = front->width; i < front->lead; i++)
        work[i] = 0;
    for (uint32_t j = 0; j < front->width; j++, column += front->lead) {
        real value = work[j] * column[j];
        wide factor = wide_set(value);
        for (uint32_t i = begin_of_lanes(j); i < front->height; i += LANES)
            wide_store(work + i, wide_load(work + i) - wide_load(column + i) * factor);
        work[j] = value;
        own[j] = value;
    }
    const real *from = work + front->width;
    for (size_t k = s->column_start[front->end - 1]; k < s->column_start[front->end]; k++)
        for (uint32_t i = f->scalar[s->rows[k]]; i < f->scalar[s->rows[k] + 1]; i++)
            x[i] += *from++;
}

// x <- L^-T x over the columns of a front.
static void go_down(const sparse_fronts *f, const sparse_front *front, double *x)
{
    const sparse_structure *s = &f->structure;
    real *work = f->work, *to = work + front->width;
    const real *panel = f->panels + front->panel;
    double *own = x + f->scalar[front->first];
    for (uint32_t i = 0; i < front->width; i++)
        work[i] = own[i];
    for (size_t k = s->column_start[front->end - 1]; k < s->column_start[front->end]; k++)
        for (uint32_t i = f->scalar[s->rows[k]]; i < f->scalar[s->rows[k] + 1]; i++)
            *to++ = x[i];
    for (uint32_t i = front->height; i < front->lead; i++)
        work[i] = 0;
    for (uint32_t j = front->width; j-- > 0;) {
        const real *column = panel + (size_t)j * front->lead;
        real value = work[j];
        wide sum = wide_set(0);
        work[j] = 0;
        for (uint32_t i = begin_of_lanes(j); i < front->height; i += LANES)
            sum += wide_load(column + i) * wide_load(work + i);
        work[j] = (value - wide_sum(sum)) * column[j];
        own[j] = work[j];
    }
}

static void solve(sparse_fronts *f, double *x)
{
    for (size_t i = 0; i < f->front_count; i++)
        go_up(f, &f->fronts[i], x);
    for (size_t i = f->front_count; i-- > 0;)
        go_down(f, &f->fronts[i], x);
}

extern const front_kernels JOIN(front_kernels_, SCREE_KERNEL_SUFFIX);
const front_kernels JOIN(front_kernels_, SCREE_KERNEL_SUFFIX) = {factor, solve};
