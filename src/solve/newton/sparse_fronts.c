// Which columns make a front, where its panel is, and how much room the stack of what fronts leave needs.
#include "solve/newton/sparse_fronts.h"

#include <string.h>

#include "base/error.h"
#include "base/isa.h"

// Part of a front that may be zeros for the sake of fewer and wider ones, which lanes fill better.
static const double most_zeros = 0.05;
enum { NARROW = 12 }; // columns up to which fronts are joined at twice that

extern const front_kernels front_kernels_f64_baseline;
#ifdef SCREE_HAVE_AVX2
extern const front_kernels front_kernels_f64_avx2;
#endif

static const front_kernels *widest_kernels(void)
{
#ifdef SCREE_HAVE_AVX2
    if (isa_has_avx2())
        return &front_kernels_f64_avx2;
#endif
    return &front_kernels_f64_baseline;
}

// ----------------------------------------------------------------------------------------------------------------
// fronts

static size_t entries_below(const sparse_structure *s, uint32_t column)
{
    return s->column_start[column + 1] - s->column_start[column];
}

// Scalars of the rows below a front.
static uint32_t rows_below(const sparse_fronts *f, uint32_t last_column)
{
    const sparse_structure *s = &f->structure;
    uint32_t sum = 0;
    for (size_t i = s->column_start[last_column]; i < s->column_start[last_column + 1]; i++)
        sum += f->scalar[s->rows[i] + 1] - f->scalar[s->rows[i]];
    return sum;
}

static sparse_front make_front(const sparse_fronts *f, uint32_t first, uint32_t end)
{
    uint32_t width = f->scalar[end] - f->scalar[first];
    return (sparse_front){.first = first,
                          .end = end,
                          .width = width,
                          .height = width + rows_below(f, end - 1),
                          .last_child = NO_FRONT,
                          .previous = NO_FRONT};
}

// The zeros of a front of two: the columns of `below` get the rows of `above` too.
static size_t zeros_of_both(const sparse_front *below, const sparse_front *above)
{
    return below->zeros + above->zeros + (size_t)below->width * (above->height - (below->height - below->width));
}

static bool is_worth_joining(const sparse_front *below, const sparse_front *above)
{
    double width = below->width + above->width, height = below->width + above->height;
    double part = width <= NARROW ? 2 * most_zeros : most_zeros;
    return (double)zeros_of_both(below, above) <= part * (width * height - 0.5 * width * width);
}

// Columns with the same rows below them, and fronts joined to the one above where that takes few zeros more.
static void find_fronts(sparse_fronts *f)
{
    const sparse_structure *s = &f->structure;
    f->front_count = 0;
    for (uint32_t first = 0, end; first < s->count; first = end) {
        for (end = first + 1;
             end < s->count && s->parent[end - 1] == end && entries_below(s, end - 1) == entries_below(s, end) + 1;
             end++)
            ;
        sparse_front front = make_front(f, first, end);
        while (f->front_count > 0) {
            const sparse_front *before = &f->fronts[f->front_count - 1];
            uint32_t parent = s->parent[before->end - 1];
            if (parent == NO_PARENT || parent < front.first || parent >= front.end || !is_worth_joining(before, &front))
                break;
            size_t zeros = zeros_of_both(before, &front);
            front = make_front(f, before->first, front.end);
            front.zeros = zeros;
            f->front_count--;
        }
        f->fronts[f->front_count++] = front;
    }
}

static uint32_t round_up(uint32_t n)
{
    return (n + FRONT_LANES - 1) / FRONT_LANES * FRONT_LANES;
}

// Places of panels, of rows, and of what is left on the stack: that of a front is made above those of its children, and
// then moved down to where they were.
static void place_fronts(sparse_fronts *f)
{
    const sparse_structure *s = &f->structure;
    size_t panel = 0, rows = 0;
    for (uint32_t i = 0; i < f->front_count; i++) {
        sparse_front *front = &f->fronts[i];
        front->lead = round_up(front->height) + FRONT_LANES;
        front->rest = round_up(front->height - front->width);
        front->panel = panel;
        front->row_at = rows;
        panel += (size_t)front->lead * front->width;
        rows += entries_below(s, front->end - 1);
        f->most_height = front->height > f->most_height ? front->height : f->most_height;
        for (uint32_t place = front->first; place < front->end; place++)
            f->front_of[place] = i;
    }
    f->panel_size = panel;
    for (uint32_t i = 0; i < f->front_count; i++) {
        uint32_t parent = s->parent[f->fronts[i].end - 1];
        if (parent == NO_PARENT)
            continue;
        sparse_front *above = &f->fronts[f->front_of[parent]];
        above->children++;
        f->fronts[i].previous = above->last_child;
        above->last_child = i;
    }
}

static size_t left_size(const sparse_front *front)
{
    return (size_t)front->rest * (front->height - front->width);
}

static void measure_stack(sparse_fronts *f, uint32_t *stack)
{
    size_t top = 0;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < f->front_count; i++) {
        sparse_front *front = &f->fronts[i];
        size_t size = left_size(front);
        f->stack_size = top + size > f->stack_size ? top + size : f->stack_size;
        depth -= front->children;
        if (front->children > 0)
            top = f->fronts[stack[depth]].left;
        front->left = top;
        top += size;
        if (f->structure.parent[front->end - 1] != NO_PARENT)
            stack[depth++] = i;
    }
}

static void find_rows(sparse_fronts *f)
{
    const sparse_structure *s = &f->structure;
    for (size_t i = 0; i < f->front_count; i++) {
        const sparse_front *front = &f->fronts[i];
        uint32_t at = front->width, *row_at = f->row_at + front->row_at;
        for (size_t k = s->column_start[front->end - 1]; k < s->column_start[front->end]; k++) {
            *row_at++ = at;
            at += f->scalar[s->rows[k] + 1] - f->scalar[s->rows[k]];
        }
    }
}

scree_status sparse_fronts_order(sparse_fronts *f, size_t count, const uint8_t *sizes, const sparse_pair *pairs,
                                 size_t pair_count, arena *scratch, scree_error *error)
{
    *f = (sparse_fronts){0};
    scree_status status = sparse_order(&f->structure, count, pairs, pair_count, scratch, error);
    if (status)
        return status;
    f->scalar = arena_array(scratch, uint32_t, count + 1);
    f->fronts = arena_array(scratch, sparse_front, count);
    f->front_of = arena_array(scratch, uint32_t, count);
    if (!f->scalar || !f->fronts || !f->front_of)
        return fail_no_memory(error);
    for (size_t node = 0; node < count; node++)
        f->scalar[f->structure.place[node]] = sizes[node];
    uint32_t sum = 0;
    for (size_t place = 0; place < count; place++) {
        uint32_t size = f->scalar[place];
        f->scalar[place] = sum;
        sum += size;
    }
    f->scalar[count] = sum;
    f->scalar_count = sum;
    find_fronts(f);
    place_fronts(f);
    f->row_at = arena_array(scratch, uint32_t, f->structure.column_start[count] + 1);
    uint32_t *stack = arena_array(scratch, uint32_t, f->front_count + 1);
    f->least = arena_array(scratch, double, f->scalar_count);
    f->target = arena_array(scratch, uint32_t, f->most_height);
    if (!f->row_at || !stack || !f->least || !f->target)
        return fail_no_memory(error);
    measure_stack(f, stack);
    find_rows(f);
    f->panels = arena_array(scratch, double, f->panel_size + FRONT_LANES);
    f->stack = arena_array(scratch, double, f->stack_size + FRONT_LANES);
    f->work = arena_array(scratch, double, f->most_height + 2 * FRONT_LANES);
    return f->panels && f->stack && f->work ? SCREE_OK : fail_no_memory(error);
}

// ----------------------------------------------------------------------------------------------------------------
// values

void sparse_fronts_clear(sparse_fronts *f)
{
    memset(f->panels, 0, (f->panel_size + FRONT_LANES) * sizeof *f->panels);
}

// The row of a front at which the node of a place begins, which is in it or below it.
static uint32_t row_of(const sparse_fronts *f, const sparse_front *front, uint32_t place)
{
    const sparse_structure *s = &f->structure;
    if (place < front->end)
        return f->scalar[place] - f->scalar[front->first];
    size_t begin = s->column_start[front->end - 1], low = begin, high = s->column_start[front->end];
    while (low + 1 < high) {
        size_t middle = (low + high) / 2;
        if (s->rows[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return f->row_at[front->row_at + low - begin];
}

void sparse_fronts_add(sparse_fronts *f, uint32_t later, uint32_t earlier, const double *block)
{
    const sparse_front *front = &f->fronts[f->front_of[earlier]];
    uint32_t row = row_of(f, front, later), column = f->scalar[earlier] - f->scalar[front->first];
    uint32_t rows = f->scalar[later + 1] - f->scalar[later], columns = f->scalar[earlier + 1] - f->scalar[earlier];
    for (uint32_t j = 0; j < columns; j++) {
        size_t at = front->panel + (size_t)(column + j) * front->lead + row;
        for (uint32_t i = 0; i < rows; i++)
            f->panels[at + i] += block[j * rows + i];
    }
}

void sparse_fronts_factor(sparse_fronts *f)
{
    widest_kernels()->factor(f);
}

void sparse_fronts_solve(sparse_fronts *f, double *x)
{
    widest_kernels()->solve(f, x);
}
