// The same passes over stacks (stacks/stacks.h): the bodies of a side stay at hand from level to level.
#include "solve/sweep/kernels/tile_lanes.h"

#if !SCREE_CENTERED_SPHERES

#define ALWAYS_INLINE inline __attribute__((always_inline))

typedef struct side { // of a stack
    wide_body a, b;
    const uint32_t *at_a, *at_b;
} side;

static ALWAYS_INLINE void load_side(const contact_problem *problem, const real *velocities, const group *g, side *s)
{
    s->at_a = g->a;
    s->at_b = g->b;
    s->a = load_bodies(problem, velocities, g->a);
    s->b = load_bodies(problem, velocities, g->b);
}

static ALWAYS_INLINE void store_side(real *velocities, const side *s)
{
    store_velocities(velocities, s->at_a, &s->a);
    store_velocities(velocities, s->at_b, &s->b);
}

static ALWAYS_INLINE void push_side(side *s, row r, wide_impulse impulse)
{
    subtract_impulse(&s->a, r, impulse);
    add_impulse(&s->b, r, impulse);
}

#if SCREE_EXTENDED_CONTACT

static ALWAYS_INLINE wide_impulse step_side(const side *s, row r, wide_impulse start, wide friction_dilation,
                                            bool exact)
{
    (void)exact;
    return local_step(r, &s->a, &s->b, start, friction_dilation, find_steps(r, &s->a, &s->b));
}

#else

// Coulomb's law: x as far as it pushes, and y cut to mu times that. Where every contact sticks or is open, which is how
// boxes rest, no length is needed.
static ALWAYS_INLINE wide3 project_coulomb(wide3 normal, wide x, wide3 y, wide mu)
{
    const wide zero = wide_set(0), one = wide_set(1);
    wide along = wide_max(x, zero), most = mu * along, squared = wide3_dot(y, y);
    wide_mask sticks = squared <= most * most;
    wide part = wide_select(sticks, one, zero);
    if (!wide_all(sticks | (along <= zero)))
        part = wide_select(sticks, one, most / wide_max(wide_sqrt(squared), wide_set(REAL_TINY)));
    return wide3_add(wide3_scale(normal, along), wide3_scale(y, part));
}

static ALWAYS_INLINE wide_impulse step_side(const side *s, row r, wide_impulse start, wide friction_dilation,
                                            bool exact)
{
    if (!exact)
        return local_step(r, &s->a, &s->b, start, friction_dilation, find_steps(r, &s->a, &s->b));
    wide3 normal = wide3_load(r.g->normal);
    wide normal_step = wide_load(r.g->inverse_normal), tangent_step = wide_load(r.g->inverse_tangent);
    wide_split u = split(normal, relative_velocity(r, &s->a, &s->b)), p = split(normal, start.linear);
    wide x = p.along - normal_step * (u.along + wide_load(r.g->bias));
    wide3 y = wide3_sub(p.rest, wide3_scale(u.rest, tangent_step));
    return (wide_impulse){project_coulomb(normal, x, y, wide_load(r.g->friction))};
}

#endif

// ---- from group to group

// What a pass does with a group, which is the tile's so manyth.
typedef void group_visit(void *context, size_t group, row r, side *s);

// The levels that both sides of a stack have; returns the group behind them.
static ALWAYS_INLINE size_t visit_both(const contact_problem *problem, problem_tile tile, real *velocities, size_t i,
                                       int levels, side *first, bool writes, group_visit *visit, void *context)
{
    side second;
    load_side(problem, velocities, row_at(problem, tile, i + 1).g, &second);
    for (int level = 0; level < levels; level++, i += 2) {
        visit(context, i, row_at(problem, tile, i), first);
        visit(context, i + 1, row_at(problem, tile, i + 1), &second);
    }
    if (writes)
        store_side(velocities, &second);
    return i;
}

static ALWAYS_INLINE void visit_stacks(const contact_problem *problem, problem_tile tile, real *velocities, bool writes,
                                       group_visit *visit, void *context)
{
    const problem_stack *stack = problem->stacks + tile.first_stack;
    for (size_t i = 0; i < tile.group_count; stack++) {
        const group *g = row_at(problem, tile, i).g;
        size_t next = i + stack->levels[0] + stack->levels[1];
        side first;
        load_side(problem, velocities, g, &first);
        if (next < tile.group_count)
            fetch_bodies(problem, velocities, g + (next - i));
        if (stack->levels[1] > 0)
            i = visit_both(problem, tile, velocities, i, stack->levels[1], &first, writes, visit, context);
        for (; i < next; i++)
            visit(context, i, row_at(problem, tile, i), &first);
        if (writes)
            store_side(velocities, &first);
    }
}

// ---- the passes

typedef struct relaxation {
    group_impulse *impulses;  // x_{k-1} with momentum, which becomes x_{k+1}
    const group_impulse *now; // x_k
    wide factor, friction_dilation;
    wide_moves moves;
} relaxation;

static ALWAYS_INLINE void relax(relaxation *of, size_t i, row r, side *s, bool onwards, bool exact, bool watched)
{
    wide_impulse start = impulse_load(&of->impulses[i]), now = start;
    if (onwards) {
        now = impulse_load(&of->now[i]);
        start = impulse_extrapolate(now, start, of->factor);
    }
    wide_impulse next = step_side(s, r, start, of->friction_dilation, exact);
    push_side(s, r, impulse_sub(next, start));
    impulse_store(&of->impulses[i], next);
    if (watched)
        add_move(&of->moves, r, now, start, next, wide_load(r.g->inverse_normal));
}

static ALWAYS_INLINE void relax_plainly(void *context, size_t i, row r, side *s)
{
    relax(context, i, r, s, false, false, true);
}

static ALWAYS_INLINE void relax_plainly_exact(void *context, size_t i, row r, side *s)
{
    relax(context, i, r, s, false, true, true);
}

static ALWAYS_INLINE void relax_watched(void *context, size_t i, row r, side *s)
{
    relax(context, i, r, s, true, false, true);
}

static ALWAYS_INLINE void relax_exact(void *context, size_t i, row r, side *s)
{
    relax(context, i, r, s, true, true, false);
}

static ALWAYS_INLINE void relax_exact_watched(void *context, size_t i, row r, side *s)
{
    relax(context, i, r, s, true, true, true);
}

static double sweep(const contact_problem *problem, problem_tile tile)
{
    relaxation of = {.impulses = impulses_of(problem->impulses, tile),
                     .friction_dilation = wide_set((real)problem->friction_dilation),
                     .moves = no_moves()};
    if (problem->friction_dilation == 0)
        visit_stacks(problem, tile, problem->velocities, true, relax_plainly_exact, &of);
    else
        visit_stacks(problem, tile, problem->velocities, true, relax_plainly, &of);
    return sum_moves(&of.moves, NULL);
}

static double sweep_onwards(const contact_problem *problem, const sweep_points *points, int from, size_t tile_index,
                            double beta, step_sums *sums)
{
    problem_tile tile = problem->tiles[tile_index];
    real *velocities = points->velocities[1 - from];
    relaxation of = {.impulses = impulses_of(points->impulses[1 - from], tile),
                     .now = impulses_of(points->impulses[from], tile),
                     .factor = wide_set((real)beta),
                     .friction_dilation = wide_set((real)problem->friction_dilation),
                     .moves = no_moves()};
    extrapolate_bodies(problem, points, from, tile_index, (real)beta);
    if (problem->friction_dilation != 0)
        visit_stacks(problem, tile, velocities, true, relax_watched, &of);
    else if (sums)
        visit_stacks(problem, tile, velocities, true, relax_exact_watched, &of);
    else
        visit_stacks(problem, tile, velocities, true, relax_exact, &of);
    return sum_moves(&of.moves, sums);
}

typedef struct residual_sums {
    const group_impulse *impulses;
    wide friction_dilation;
    tile_residual sums;
} residual_sums;

static ALWAYS_INLINE void add_residual(void *context, size_t i, row r, side *s)
{
    residual_sums *of = context;
    wide_impulse impulse = impulse_load(&of->impulses[i]);
    wide_steps steps = find_steps(r, &s->a, &s->b);
    add_error(&of->sums, r, steps, impulse, local_step(r, &s->a, &s->b, impulse, of->friction_dilation, steps));
}

static tile_residual residual_of(const contact_problem *problem, problem_tile tile)
{
    residual_sums of = {.impulses = impulses_of(problem->impulses, tile),
                        .friction_dilation = wide_set((real)problem->friction_dilation)};
    visit_stacks(problem, tile, problem->velocities, false, add_residual, &of);
    return of.sums;
}

typedef struct scaled_impulses {
    const group_impulse *impulses;
    wide scale;
} scaled_impulses;

static ALWAYS_INLINE void apply_group(void *context, size_t i, row r, side *s)
{
    const scaled_impulses *of = context;
    push_side(s, r, impulse_scale(impulse_load(&of->impulses[i]), of->scale));
}

static void apply(const contact_problem *problem, problem_tile tile, const void *impulses, double factor)
{
    scaled_impulses of = {(const group_impulse *)((const real *)impulses + tile.impulses), wide_set((real)factor)};
    visit_stacks(problem, tile, problem->velocities, true, apply_group, &of);
}

const sweep_kernels JOIN(stack_kernels_, SCREE_KERNEL_SUFFIX) = {sweep, sweep_onwards, residual_of, apply, NULL};

#endif
