// Newton's method on the six variables. With the soft rows the problem is
//
//     minimise  F(y) = 1/2 |y - start|^2 + sum of H_k(j_k.y),   -H_k'(u) = beta_k(u) = clamp((offset_k - u) / give_k),
//
// convex, once differentiable and quadratic in pieces: a Newton step from the piece that holds the answer ends in it,
// and mostly a few steps get there, however many rows there are. Where they do not, rows are made to hold one after the
// other, which takes longer and always ends.
#include "ffd/feasible.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { SIZE = FEASIBLE_SIZE, NEWTON_STEPS = 20, MOST_TRIALS = 60 };

// A line search may end where the derivative is down to this part of what it was at the start. With more, F could rise.
static const double line_tolerance = 1e-3;

// A first step from far outside is right to so many digits only; a second one in the same piece gives the others.
static const double last_step = 1e-7, rounding = 1e-14;

// A row holds when it is short of its offset by no more than this part of the speeds.
static const double row_tolerance = 1e-13;

static double dot(const double a[SIZE], const double b[SIZE])
{
    return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]) + (a[4] * b[4] + a[5] * b[5]);
}

// The library's fmin and fmax are calls.
static double clamp(double value, double low, double high)
{
    return value > low ? (value < high ? value : high) : low;
}

static double multiplier_at(const feasible_row *row, double speed)
{
    return clamp((row->offset - speed) * row->stiffness, row->low, row->high);
}

// Sets the multipliers after a step of length t; returns whether other rows are free than before. Those of rows that
// are free already change by what the step changes: from the speeds themselves rounding would be felt, divided by what
// little the rows give way.
static bool set_multipliers(feasible_row *rows, size_t count, double t)
{
    bool changed = false;
    for (size_t i = 0; i < count; i++) {
        feasible_row *row = &rows[i];
        if (row->free)
            row->multiplier = clamp(row->multiplier - t * row->change * row->stiffness, row->low, row->high);
        else
            row->multiplier = multiplier_at(row, row->speed + t * row->change);
        uint8_t free = row->multiplier > row->low && row->multiplier < row->high;
        changed |= free != row->free;
        row->free = free;
    }
    return changed;
}

// The gradient of F and the lower half of its second derivative, I + sum over free rows of j j^T / give.
static void differentiate(const feasible_row *rows, size_t count, const double moved[SIZE], double gradient[SIZE],
                          double second[SIZE][SIZE])
{
    memcpy(gradient, moved, SIZE * sizeof *gradient);
    memset(second, 0, SIZE * sizeof *second);
    for (int i = 0; i < SIZE; i++)
        second[i][i] = 1;
    for (size_t k = 0; k < count; k++) {
        const feasible_row *row = &rows[k];
        const double *j = row->direction;
        for (int i = 0; i < SIZE; i++)
            gradient[i] -= j[i] * row->multiplier;
        if (!row->free)
            continue;
        for (int i = 0; i < SIZE; i++) {
            double factor = row->stiffness * j[i];
            for (int m = 0; m <= i; m++)
                second[i][m] += factor * j[m];
        }
    }
}

// Cholesky's factor in place of A.
static void factorize(double a[SIZE][SIZE])
{
    for (int i = 0; i < SIZE; i++) {
        for (int k = 0; k < i; k++) {
            for (int m = 0; m < k; m++)
                a[i][k] -= a[i][m] * a[k][m];
            a[i][k] /= a[k][k];
            a[i][i] -= a[i][k] * a[i][k];
        }
        a[i][i] = sqrt(fmax(a[i][i], 0.5)); // it is 1 at least, but for rounding
    }
}

// x <- -A^-1 x
static void solve(double a[SIZE][SIZE], double x[SIZE])
{
    for (int i = 0; i < SIZE; i++) {
        for (int m = 0; m < i; m++)
            x[i] -= a[i][m] * x[m];
        x[i] /= a[i][i];
    }
    for (int i = SIZE - 1; i >= 0; i--) {
        for (int m = i + 1; m < SIZE; m++)
            x[i] -= a[m][i] * x[m];
        x[i] /= a[i][i];
    }
    for (int i = 0; i < SIZE; i++)
        x[i] = -x[i];
}

// dF/dt at y + t step, and its own derivative.
static double slope_at(const feasible_row *rows, size_t count, double at_start, double per_length, double t,
                       double *bend)
{
    double slope = at_start + t * per_length;
    *bend = per_length;
    for (size_t i = 0; i < count; i++) {
        const feasible_row *row = &rows[i];
        double at = multiplier_at(row, row->speed + t * row->change);
        slope -= row->change * at;
        if (at > row->low && at < row->high)
            *bend += row->change * row->change * row->stiffness;
    }
    return slope;
}

// What rounding of the rows' speeds does to the derivative at the end of the step.
static double slope_noise(const feasible_row *rows, size_t count)
{
    double noise = 0;
    for (size_t i = 0; i < count; i++) {
        const feasible_row *row = &rows[i];
        double at = multiplier_at(row, row->speed + row->change);
        if (at > row->low && at < row->high)
            noise += fabs(row->change) * (fabs(row->offset) + fabs(row->speed) + fabs(row->change)) * row->stiffness;
    }
    return 4 * DBL_EPSILON * noise;
}

// Where F is least along the step, of 0 < t <= 1: by Newton's method within ever closer bounds.
static double step_length(const feasible_row *rows, size_t count, const double moved[SIZE], const double step[SIZE])
{
    double at_start = dot(moved, step), per_length = dot(step, step);
    double low = 0, high = 1, bend;
    double here = slope_at(rows, count, at_start, per_length, 1, &bend);
    if (here <= 0)
        return 1;
    double first_bend, first = slope_at(rows, count, at_start, per_length, 0, &first_bend);
    double enough = line_tolerance * fabs(first) + slope_noise(rows, count);
    if (!(first < 0) || here <= enough)
        return 1;
    double t = 1;
    for (int i = 0; i < MOST_TRIALS && fabs(here) > enough && high - low > 1e-15; i++) {
        double next = t - here / bend;
        t = next > low && next < high ? next : 0.5 * (low + high);
        here = slope_at(rows, count, at_start, per_length, t, &bend);
        if (here < 0)
            low = t;
        else
            high = t;
    }
    return t;
}

// Newton steps from y; returns whether they have come to an end, and counts them.
static bool descend(feasible_row *rows, size_t count, const double start[SIZE], double y[SIZE], int *steps)
{
    double moved[SIZE];
    for (int i = 0; i < SIZE; i++)
        moved[i] = y[i] - start[i];
    for (; *steps < NEWTON_STEPS; ++*steps) {
        double step[SIZE], second[SIZE][SIZE];
        differentiate(rows, count, moved, step, second);
        if (dot(step, step) == 0)
            return true;
        factorize(second);
        solve(second, step);
        for (size_t k = 0; k < count; k++)
            rows[k].change = dot(rows[k].direction, step);
        double t = step_length(rows, count, moved, step);
        for (int k = 0; k < SIZE; k++) {
            moved[k] += t * step[k];
            y[k] += t * step[k];
        }
        bool settled = !set_multipliers(rows, count, t) && t == 1;
        for (size_t k = 0; k < count; k++)
            rows[k].speed = dot(rows[k].direction, y);
        double length = dot(step, step);
        if ((settled && length <= last_step * last_step * dot(moved, moved)) ||
            length <= rounding * rounding * dot(y, y))
            return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------------------- active sets

// How much a row is short of its offset; less than 0 when it is beyond.
static double shortage(const feasible_row *row, const double y[SIZE])
{
    return row->offset - dot(row->direction, y) - row->give * row->multiplier;
}

// The row whose multiplier should change the most, for what it is short of; NULL when all are as they should be.
static feasible_row *worst_row(feasible_row *rows, size_t count, const double y[SIZE], double *most)
{
    feasible_row *worst = NULL;
    double enough = row_tolerance * sqrt(dot(y, y)), largest = 0;
    for (size_t i = 0; i < count; i++) {
        feasible_row *row = &rows[i];
        double s = shortage(row, y), length = sqrt(row->give / row->softness);
        bool wants = s > 0 ? row->multiplier < row->high : row->multiplier > row->low;
        if (row->free || !wants || fabs(s) <= enough * length + row_tolerance * fabs(row->offset) ||
            fabs(s) <= largest * length)
            continue;
        largest = fabs(s) / length;
        worst = row;
        *most = s;
    }
    return worst;
}

// The free row that comes to a bound first when all of them follow `step`, and how far along it; NULL: none before
// `length`.
static feasible_row *first_stop(feasible_row *rows, size_t count, const double step[SIZE], double *length)
{
    feasible_row *first = NULL;
    for (size_t i = 0; i < count; i++) {
        feasible_row *row = &rows[i];
        if (!row->free)
            continue;
        row->change = -dot(row->direction, step) * row->stiffness;
        double room = (row->change < 0 ? row->low : row->high) - row->multiplier;
        if (row->change == 0 || room / row->change >= *length)
            continue;
        *length = fmax(0, room / row->change);
        first = row;
    }
    return first;
}

// Raises or lowers one multiplier until its row holds or the multiplier is at its bound, while free rows keep holding;
// those that come to a bound on the way stay there.
static void admit(feasible_row *rows, size_t count, feasible_row *entering, double missing, double y[SIZE])
{
    double sign = missing > 0 ? 1 : -1;
    for (size_t left = count + 1; left > 0; left--) {
        double step[SIZE], second[SIZE][SIZE], none[SIZE] = {0};
        differentiate(rows, count, none, step, second);
        for (int i = 0; i < SIZE; i++)
            step[i] = -sign * entering->direction[i];
        factorize(second);
        solve(second, step);
        double full = fabs(missing) / (sign * dot(entering->direction, step) + entering->give);
        double room = sign * ((sign > 0 ? entering->high : entering->low) - entering->multiplier);
        double length = fmin(full, room);
        feasible_row *stopped = first_stop(rows, count, step, &length);
        for (int i = 0; i < SIZE; i++)
            y[i] += length * step[i];
        for (size_t i = 0; i < count; i++)
            if (rows[i].free)
                rows[i].multiplier += length * rows[i].change;
        entering->multiplier += sign * length;
        if (!stopped) {
            entering->free = full < room;
            if (!entering->free)
                entering->multiplier = sign > 0 ? entering->high : entering->low;
            return;
        }
        stopped->free = 0;
        stopped->multiplier = stopped->change < 0 ? stopped->low : stopped->high;
        missing = shortage(entering, y);
        if (missing * sign <= 0)
            missing = sign * DBL_MIN;
    }
}

// Goldfarb and Idnani 1983, with bounds on both sides: row after row is made to hold. What is minimised by the
// multipliers falls every time, so that no set of free rows comes twice.
static void take_turns(feasible_row *rows, size_t count, double y[SIZE], int *steps)
{
    for (size_t i = 0; i < count; i++) {
        rows[i].multiplier = fmin(fmax(0, rows[i].low), rows[i].high);
        rows[i].free = 0;
        for (int k = 0; k < SIZE; k++)
            y[k] += rows[i].multiplier * rows[i].direction[k];
    }
    for (size_t most = 20 * count; most > 0; most--) {
        double missing;
        feasible_row *entering = worst_row(rows, count, y, &missing);
        if (!entering)
            return;
        ++*steps;
        admit(rows, count, entering, missing, y);
    }
}

int feasible_project(feasible_row *rows, size_t count, const double start[SIZE], double y[SIZE])
{
    int steps = 0;
    for (size_t i = 0; i < count; i++) {
        feasible_row *row = &rows[i];
        row->give = row->softness * dot(row->direction, row->direction);
        row->stiffness = row->give > 0 ? 1 / row->give : 0;
        row->speed = dot(row->direction, y);
        row->change = 0;
        row->free = 0;
    }
    set_multipliers(rows, count, 0);
    if (descend(rows, count, start, y, &steps))
        return steps;
    memcpy(y, start, SIZE * sizeof *y);
    take_turns(rows, count, y, &steps);
    return steps;
}
