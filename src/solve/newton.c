// Semismooth Newton inside the method of multipliers (see newton_system.h for the function that is minimised).
//
// Outer rounds move the anchors to the impulses found and, for exact Coulomb, the lifting terms to the sliding speeds
// found (de Saxce & Feng 1998; the fixed point of Acary, Cadoux, Lemarechal & Malick 2011). Inner steps are those of
// Newton with an exact line search on a convex function (Castro, Permenter & Han 2022), so they converge from anywhere.
#include "solve/newton.h"

#include <string.h>

#include "base/error.h"
#include "solve/newton_system.h"
#include "solve/sparse_cholesky.h"
#include "solve/sparse_lu.h"

// Stiffness relative to a constraint's own diagonal: where it begins, where it ends, and the factor by which it grows
// when a round brought less than a digit.
static const double FIRST_STIFFNESS = 1e3, LAST_STIFFNESS = 1e9, STIFFNESS_GROWTH = 10;
// Inner steps end when the gradient is less than this part of what the round moved.
static const double INNER_ACCURACY = 0.5;

typedef struct search {
    newton_system system;
    size_t unknowns;                       // 6 per movable body
    spatial *y, *pushed, *gradient, *step; // by place
    double *lifts;
    spatial *best_contacts;
    double *best_rows;
    residual best;
    double tolerance;
    int steps, most_steps;
} search;

static scree_status start_search(search *s, const island *problem, arena *scratch, scree_error *error);
static void run_search(search *s);
static void write_back(search *s, island *problem);

scree_status newton_solve(island *problem, int iterations, double tolerance, arena *scratch, island_result *result,
                          scree_error *error)
{
    search s = {.tolerance = tolerance, .most_steps = iterations};
    arena_mark mark = arena_get_mark(scratch);
    scree_status status = start_search(&s, problem, scratch, error);
    if (!status) {
        run_search(&s);
        write_back(&s, problem);
        *result = (island_result){.steps = s.steps, .residual = s.best, .reached = s.best.max <= tolerance};
    }
    arena_release(scratch, mark);
    return status;
}

static scree_status start_search(search *s, const island *problem, arena *scratch, scree_error *error)
{
    scree_status status = newton_system_make(&s->system, problem, scratch, error);
    if (status)
        return status;
    size_t n = s->system.movable_count;
    s->unknowns = SPARSE_BLOCK * n;
    s->y = arena_array(scratch, spatial, n);
    s->pushed = arena_array(scratch, spatial, n);
    s->gradient = arena_array(scratch, spatial, n);
    s->step = arena_array(scratch, spatial, n);
    s->lifts = arena_array(scratch, double, problem->contact_count);
    s->best_contacts = arena_array(scratch, spatial, problem->contact_count);
    s->best_rows = arena_array(scratch, double, problem->row_count);
    if (!s->y || !s->pushed || !s->gradient || !s->step || !s->lifts || !s->best_contacts || !s->best_rows)
        return fail_no_memory(error);
    return SCREE_OK;
}

static double dot(const spatial *a, const spatial *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += vec3_dot(a[i].linear, b[i].linear) + vec3_dot(a[i].angular, b[i].angular);
    return sum;
}

static void add_scaled(spatial *to, const spatial *a, double s, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i].linear = vec3_add_scaled(to[i].linear, a[i].linear, s);
        to[i].angular = vec3_add_scaled(to[i].angular, a[i].angular, s);
    }
}

static void keep_best(search *s, residual found)
{
    const island *problem = s->system.island;
    s->best = found;
    for (size_t i = 0; i < problem->contact_count; i++)
        s->best_contacts[i] = s->system.contacts[i].impulse;
    for (size_t i = 0; i < problem->row_count; i++)
        s->best_rows[i] = s->system.rows[i].impulse;
}

// The residual at the impulses, with the velocities that follow from them.
static residual judge(search *s)
{
    newton_system_move(&s->system, s->pushed, true);
    residual found = newton_system_residual(&s->system, s->lifts);
    if (found.max < s->best.max)
        keep_best(s, found);
    return found;
}

static void set_anchors(search *s)
{
    newton_system *system = &s->system;
    for (size_t i = 0; i < system->island->contact_count; i++) {
        system->contacts[i].anchor = system->contacts[i].impulse;
        system->contacts[i].lift = s->lifts[i];
    }
    for (size_t i = 0; i < system->island->row_count; i++)
        system->rows[i].anchor = system->rows[i].impulse;
}

static void evaluate(search *s)
{
    size_t n = s->system.movable_count;
    newton_system_move(&s->system, s->y, true);
    newton_system_project(&s->system, s->pushed);
    for (size_t i = 0; i < n; i++) {
        s->gradient[i].linear = vec3_sub(s->y[i].linear, s->pushed[i].linear);
        s->gradient[i].angular = vec3_sub(s->y[i].angular, s->pushed[i].angular);
    }
}

// The root of phi'(length) = linear + quadratic length + slope(length), which rises, to a twentieth of phi'(0): by
// false position, with the Illinois rule against one end standing still.
static double search_line(search *s)
{
    size_t n = s->system.movable_count;
    newton_system_move(&s->system, s->step, false);
    newton_system_set_speeds(&s->system);
    double linear = dot(s->step, s->y, n), quadratic = dot(s->step, s->step, n);
    double low = 0, at_low = dot(s->step, s->gradient, n), wanted = 0.05 * fabs(at_low);
    double high = 1, at_high = linear + quadratic + newton_system_slope(&s->system, 1);
    if (at_high <= wanted || !(at_low < 0))
        return 1;
    double length = 1;
    for (int round = 0, side = 0; round < 20; round++) {
        length = (low * at_high - high * at_low) / (at_high - at_low);
        double at = linear + quadratic * length + newton_system_slope(&s->system, length);
        if (fabs(at) <= wanted)
            break;
        if (at < 0) {
            low = length, at_low = at;
            at_high = side < 0 ? 0.5 * at_high : at_high;
            side = -1;
        } else {
            high = length, at_high = at;
            at_low = side > 0 ? 0.5 * at_low : at_low;
            side = 1;
        }
    }
    return length;
}

// A step of the exact law, with the lift as a function of the velocity: halved until the gradient falls.
static double take_coupled_step(search *s)
{
    size_t n = s->system.movable_count;
    newton_system_assemble(&s->system);
    double before = dot(s->gradient, s->gradient, n);
    if (!sparse_lu_factor(&s->system.matrix))
        return 0;
    for (size_t i = 0; i < n; i++) {
        s->step[i].linear = vec3_negate(s->gradient[i].linear);
        s->step[i].angular = vec3_negate(s->gradient[i].angular);
    }
    sparse_lu_solve(&s->system.matrix, (double *)s->step);
    s->steps++;
    double length = 1, taken = 0;
    for (int halvings = 0; halvings < 6; halvings++, length *= 0.5) {
        add_scaled(s->y, s->step, length - taken, n);
        taken = length;
        evaluate(s);
        if (dot(s->gradient, s->gradient, n) < before * (1 - 0.2 * length))
            return length;
    }
    add_scaled(s->y, s->step, -taken, n);
    evaluate(s);
    return 0;
}

static double take_step(search *s)
{
    size_t n = s->system.movable_count;
    newton_system_assemble(&s->system);
    sparse_cholesky_factor(&s->system.matrix, 1);
    for (size_t i = 0; i < n; i++) {
        s->step[i].linear = vec3_negate(s->gradient[i].linear);
        s->step[i].angular = vec3_negate(s->gradient[i].angular);
    }
    sparse_cholesky_solve(&s->system.matrix, (double *)s->step);
    double l = search_line(s);
    add_scaled(s->y, s->step, l, n);
    s->steps++;
    evaluate(s);
    return l;
}

// Squared distance of the impulses from their anchors, in the metric of the proximal term.
static double anchor_distance(const newton_system *system)
{
    double sum = 0;
    for (size_t i = 0; i < system->island->contact_count; i++) {
        const contact_state *c = &system->contacts[i];
        vec3 linear = vec3_sub(c->impulse.linear, c->anchor.linear);
        vec3 angular = vec3_sub(c->impulse.angular, c->anchor.angular);
        sum += c->block.normal * vec3_dot(linear, linear) + c->block.disc[2] * vec3_dot(angular, angular);
    }
    for (size_t i = 0; i < system->island->row_count; i++) {
        const row_state *r = &system->rows[i];
        sum += r->block * (r->impulse - r->anchor) * (r->impulse - r->anchor);
    }
    return sum / system->stiffness;
}

static void run_search(search *s)
{
    newton_system *system = &s->system;
    size_t n = system->movable_count;
    newton_system_push(system, s->pushed);
    newton_system_move(system, s->pushed, true);
    keep_best(s, newton_system_residual(system, s->lifts));
    memcpy(s->y, s->pushed, n * sizeof *s->y);
    newton_system_stiffen(system, FIRST_STIFFNESS);
    double last = s->best.max;
    int frozen = 1;
    while (s->steps < s->most_steps && s->best.max > s->tolerance) {
        set_anchors(s);
        frozen--;
        system->coupled = false;
        evaluate(s);
        residual found = {0};
        do {
            double l = system->coupled ? take_coupled_step(s) : take_step(s);
            found = judge(s);
            if (l == 0) {
                frozen = 2;
                break;
            }
        } while (s->steps < s->most_steps && found.max > s->tolerance &&
                 dot(s->gradient, s->gradient, n) > INNER_ACCURACY * INNER_ACCURACY * anchor_distance(system));
        if (found.max > 0.1 * last && frozen <= 0 && system->stiffness < LAST_STIFFNESS)
            newton_system_stiffen(system, fmin(LAST_STIFFNESS, system->stiffness * STIFFNESS_GROWTH));
        last = found.max;
    }
}

static void write_back(search *s, island *problem)
{
    newton_system *system = &s->system;
    for (size_t i = 0; i < problem->contact_count; i++) {
        system->contacts[i].impulse = s->best_contacts[i];
        problem->contacts[i].impulse = s->best_contacts[i].linear;
        problem->contacts[i].angular_impulse = s->best_contacts[i].angular;
    }
    for (size_t i = 0; i < problem->row_count; i++)
        system->rows[i].impulse = problem->rows[i].impulse = s->best_rows[i];
    newton_system_push(system, s->pushed);
    newton_system_move(system, s->pushed, true);
    for (size_t i = 0; i < problem->body_count; i++) {
        problem->bodies[i].velocity = system->velocity[i].linear;
        problem->bodies[i].spin = system->velocity[i].angular;
    }
}
