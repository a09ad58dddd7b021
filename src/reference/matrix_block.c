// The projection. With x and y_k the parts of z, B and B_k the weights, the wanted n minimises
//     B (n - x)^2 + sum_k B_k max(0, |y_k| - c_k n)^2,
// whose derivative rises. Caps that bind are found from above: all of them first, then without those that turn out not
// to bind, which only raises n.
#include "reference/matrix_block.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"

typedef struct block_state {
    double lead;               // of the projection
    double length[BLOCK_CAPS]; // |y_k|
    bool binds[BLOCK_CAPS];
    double stiffness; // B + sum over binding caps of c^2 B_k
} block_state;

static double length_of(const double *y, uint32_t size)
{
    return size == 1 ? fabs(y[0]) : hypotenuse(y[0], y[1]);
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static void find_convex_lead(const matrix_block *block, const block_metric *metric, double x, block_state *state)
{
    for (uint32_t k = 0; k < block->cap_count; k++)
        state->binds[k] = true;
    for (bool changed = true; changed;) {
        changed = false;
        double sum = metric->lead * x;
        state->stiffness = metric->lead;
        for (uint32_t k = 0; k < block->cap_count; k++)
            if (state->binds[k]) {
                double c = block->cap[k].coefficient;
                sum += c * metric->cap[k] * state->length[k];
                state->stiffness += c * c * metric->cap[k];
            }
        state->lead = fmax(0, sum / state->stiffness);
        for (uint32_t k = 0; k < block->cap_count; k++)
            if (state->binds[k] && state->length[k] <= block->cap[k].coefficient * state->lead) {
                state->binds[k] = false;
                changed = true;
            }
    }
}

static block_state find_state(const matrix_block *block, const block_metric *metric, bool exact, const double *z)
{
    block_state state = {.lead = z[0]};
    const double *y = z + 1;
    for (uint32_t k = 0; k < block->cap_count; y += block->cap[k++].size)
        state.length[k] = length_of(y, block->cap[k].size);
    if (block->cap_count && !exact) {
        find_convex_lead(block, metric, z[0], &state);
        return state;
    }
    state.lead = clamp(z[0], block->low, block->high);
    for (uint32_t k = 0; k < block->cap_count; k++)
        state.binds[k] = state.length[k] > block->cap[k].coefficient * state.lead;
    return state;
}

void block_project(const matrix_block *block, const block_metric *metric, bool exact, const double *z, double *result)
{
    block_state state = find_state(block, metric, exact, z);
    result[0] = state.lead;
    uint32_t at = 1;
    for (uint32_t k = 0; k < block->cap_count; k++) {
        double factor = state.binds[k] ? block->cap[k].coefficient * state.lead / state.length[k] : 1;
        for (uint32_t i = 0; i < block->cap[k].size; i++, at++)
            result[at] = factor * z[at];
    }
}

// The row of the leading impulse: how it changes with z.
static void derive_lead(const matrix_block *block, const block_metric *metric, bool exact, const double *z,
                        const block_state *state, double *row)
{
    if (exact || block->cap_count == 0) {
        row[0] = z[0] > block->low && z[0] < block->high;
        return;
    }
    row[0] = metric->lead / state->stiffness;
    const double *y = z + 1;
    double *to = row + 1;
    for (uint32_t k = 0; k < block->cap_count; k++) {
        double weight = block->cap[k].coefficient * metric->cap[k] / state->stiffness;
        for (uint32_t i = 0; i < block->cap[k].size; i++)
            to[i] = state->binds[k] ? weight * y[i] / state->length[k] : 0;
        to += block->cap[k].size;
        y += block->cap[k].size;
    }
}

void block_derivative(const matrix_block *block, const block_metric *metric, bool exact, const double *z,
                      double *derivative)
{
    uint32_t size = block->size, at = 1;
    block_state state = find_state(block, metric, exact, z);
    memset(derivative, 0, size * size * sizeof *derivative);
    if (block->cap_count && !(state.lead > 0))
        return;
    derive_lead(block, metric, exact, z, &state, derivative);
    for (uint32_t k = 0; k < block->cap_count; k++) {
        const double *y = z + at;
        double c = block->cap[k].coefficient, length = state.length[k];
        for (uint32_t i = 0; i < block->cap[k].size; i++) {
            double *row = derivative + (at + i) * size;
            if (!state.binds[k]) {
                row[at + i] = 1;
                continue;
            }
            for (uint32_t j = 0; j < size; j++)
                row[j] = c * y[i] / length * derivative[j];
            for (uint32_t j = 0; j < block->cap[k].size; j++)
                row[at + j] += c * state.lead / length * ((i == j) - y[i] * y[j] / (length * length));
        }
        at += block->cap[k].size;
    }
}

double block_slip(const matrix_block *block, const double *u)
{
    double sum = 0;
    const double *y = u + 1;
    for (uint32_t k = 0; k < block->cap_count; y += block->cap[k++].size)
        sum += block->cap[k].coefficient * length_of(y, block->cap[k].size);
    return sum;
}
