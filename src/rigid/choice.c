#include "rigid/choice.h"

#include "base/sort.h"
#include "solve/newton/sparse_order.h"

// Costs in microseconds, as traces of small scenes gave them on one core (AVX2, single precision); their ratios matter.
static const double contact_sweep = 0.025, row_sweep = 0.17;     // one contact, one row of a joint, relaxed once
static const double constraint_step = 0.6, block_product = 0.12; // of a step of Newton: a constraint; a product
enum { SWEEPS = 50 };                                            // that a step is given
enum { NEWTON_STEPS = 10, JOINTED_SOLVES = 2 };                  // joints are held where the step ends: solved twice

// How many times as many sweeps would make an island about as exact as factors do: some, and more where masses are
// unlike, since sweeps then need the root of their ratio. In a mechanism the joints are one block that carries its
// loads at once, whatever the masses are.
static const double exact_sweeps = 5, most_exact_sweeps = 10;

// What factors may cost above that: small islands are exact, whatever they are.
static const double small_cost = 2000;

// An island that was swept goes over to factors only when they are cheaper than their worth by this factor. Between the
// two bounds it stays with what it was solved by.
static const double clearly = 2;

// Ratio of masses beyond which sweeps are not even tried where factors are affordable.
static const double most_swept_ratio = 100;

// --------------------------------------------------------------------------------------------------------------- graph

// Pairs of bodies, which are numbered in the order of their ids.
typedef struct island_graph {
    sparse_pair *pairs;
    size_t pair_count;
} island_graph;

typedef struct numbered_body {
    scree_id id;
    uint32_t slot;
} numbered_body;

static int compare_ids(const void *a, const void *b)
{
    scree_id x = ((const numbered_body *)a)->id, y = ((const numbered_body *)b)->id;
    return (x > y) - (x < y);
}

static int compare_pairs(const void *a, const void *b)
{
    const sparse_pair *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

// The number of each body, by its place in the island.
static uint32_t *number_bodies(const step_problem *problem, const island_set *set, const island_entry *island,
                               arena *scratch)
{
    numbered_body *bodies = arena_array(scratch, numbered_body, island->body_count);
    uint32_t *number = arena_array(scratch, uint32_t, island->body_count);
    if (!bodies || !number)
        return NULL;
    for (uint32_t i = 0; i < island->body_count; i++) {
        uint32_t slot = set->bodies[island->first_body + i];
        bodies[i] = (numbered_body){problem->id[slot], slot};
    }
    sort_items(bodies, island->body_count, sizeof *bodies, compare_ids);
    for (uint32_t i = 0; i < island->body_count; i++)
        number[set->place_of_slot[bodies[i].slot] - island->first_body] = i;
    return number;
}

static void add_pair(const step_problem *problem, const island_set *set, const island_entry *island,
                     const uint32_t *number, uint32_t a, uint32_t b, island_graph *graph)
{
    if (a == NO_BODY || b == NO_BODY || problem->immovable[a] || problem->immovable[b])
        return;
    uint32_t x = number[set->place_of_slot[a] - island->first_body];
    uint32_t y = number[set->place_of_slot[b] - island->first_body];
    graph->pairs[graph->pair_count++] = x < y ? (sparse_pair){x, y} : (sparse_pair){y, x};
}

// In an order that follows from the numbers alone, since that of an elimination depends on it.
static bool make_graph(const step_problem *problem, const joint_rows *joints, const island_set *set,
                       const island_entry *island, arena *scratch, island_graph *graph)
{
    const uint32_t *number = number_bodies(problem, set, island, scratch);
    size_t most = island->contact_count + JOINT_ROW_BODIES * (size_t)island->row_count;
    *graph = (island_graph){.pairs = arena_array(scratch, sparse_pair, most)};
    if (!number || !graph->pairs)
        return false;
    for (uint32_t i = 0; i < island->contact_count; i++) {
        const contact *c = &problem->contacts[set->contacts[island->first_contact + i]];
        add_pair(problem, set, island, number, c->a, c->b, graph);
    }
    for (uint32_t i = 0; i < island->row_count; i++) {
        const uint32_t *body = joints->rows[set->rows[island->first_row + i]].body;
        for (int k = 0; k < JOINT_ROW_BODIES; k++)
            add_pair(problem, set, island, number, body[k], body[(k + 1) % JOINT_ROW_BODIES], graph);
    }
    sort_items(graph->pairs, graph->pair_count, sizeof *graph->pairs, compare_pairs);
    return true;
}

// --------------------------------------------------------------------------------------------------------------- costs

// A tower is solved in some ten steps of Newton, a heap in more: there are several ways in which it can carry itself.
static double newton_steps(const island_entry *island)
{
    if (island->row_count > 0)
        return JOINTED_SOLVES * NEWTON_STEPS;
    return NEWTON_STEPS * fmax(1, (double)island->pair_count / island->body_count);
}

// Cost of all passes over constraints.
static double passes_cost(const island_entry *island)
{
    return newton_steps(island) * constraint_step * ((double)island->contact_count + island->row_count);
}

// A factor has at least the pairs that touch, which are cheapest where all bodies have as many of them.
static double least_products(const island_entry *island)
{
    double bodies = island->body_count, pairs = island->pair_count;
    return bodies + pairs + 0.5 * (pairs * pairs / bodies + pairs);
}

// And at most all pairs of bodies. With no more pairs than bodies, as in a tower, there is one cycle at most: no body
// has more than two neighbours left when its turn comes.
static double most_products(const island_entry *island)
{
    double bodies = island->body_count;
    if (island->row_count == 0 && island->pair_count <= island->body_count)
        return 6 * bodies;
    return bodies * (bodies + 1) * (bodies + 2) / 6;
}

// What factors may cost. The fewer pairs of bodies touch, the more of the work of sweeps goes into the block of
// joints, for little; and where none do, that block is the factor.
static double worth_of_factors(const island_entry *island)
{
    double sweep = contact_sweep * island->contact_count + row_sweep * island->row_count;
    double times = fmin(fmax(exact_sweeps, sqrt(island->heaviest / island->lightest)), most_exact_sweeps);
    if (island->row_count > 0)
        times = exact_sweeps * fmax(1, (double)island->body_count / island->pair_count);
    return times * SWEEPS * sweep + small_cost;
}

// An island counts as swept when most of those of its bodies that were solved before are.
static double affordable_cost(const island_entry *island)
{
    bool swept = island->swept_before > island->factored_before;
    return worth_of_factors(island) / (swept ? clearly : 1);
}

// Are factors worth their cost? Bodies are numbered and eliminated only where the bounds of their number leave it open.
static bool is_affordable(const step_problem *problem, const joint_rows *joints, const island_set *set,
                          const island_entry *island, arena *scratch, bool *affordable)
{
    double products_cost = affordable_cost(island) - passes_cost(island);
    double most = products_cost / (newton_steps(island) * block_product);
    *affordable = most_products(island) <= most;
    if (*affordable || least_products(island) > most)
        return true;
    arena_mark before = arena_get_mark(scratch);
    island_graph graph;
    double products = 0;
    bool ok = make_graph(problem, joints, set, island, scratch, &graph) &&
              sparse_count_products(island->body_count, graph.pairs, graph.pair_count, most, scratch, &products);
    arena_release(scratch, before);
    *affordable = ok && products <= most;
    return ok;
}

// ------------------------------------------------------------------------------------------------------------ choosing

static island_solver choose_affordable(const step_problem *problem, const island_entry *island)
{
    if (problem->solver.algorithm != SCREE_ALGORITHM_AUTO)
        return island->row_count > 0 ? ISLAND_DIRECT : ISLAND_SWEPT;
    bool hard = island->row_count > 0 || island->heaviest > most_swept_ratio * island->lightest;
    return hard ? ISLAND_DIRECT : ISLAND_SWEPT_THEN_CHECKED;
}

static bool choose_solver(const step_problem *problem, const joint_rows *joints, const island_set *set,
                          island_entry *island, arena *scratch)
{
    scree_algorithm asked = problem->solver.algorithm;
    island->solver = ISLAND_SWEPT;
    if (!island->awake)
        island->solver = ISLAND_ASLEEP;
    else if (island->done)
        island->solver = ISLAND_DONE;
    else if (asked == SCREE_ALGORITHM_NEWTON)
        island->solver = ISLAND_DIRECT;
    else if (problem->done && island->row_count == 0 && island->swept_before > island->factored_before)
        island->solver = ISLAND_SWEPT; // as the heap was of which it is a part
    else if (asked == SCREE_ALGORITHM_AUTO || (island->row_count > 0 && asked != SCREE_ALGORITHM_JACOBI)) {
        bool affordable;
        if (!is_affordable(problem, joints, set, island, scratch, &affordable))
            return false;
        if (affordable)
            island->solver = choose_affordable(problem, island);
    }
    return true;
}

bool choose_solvers(const step_problem *problem, const joint_rows *joints, island_set *set, arena *scratch)
{
    for (size_t i = 0; i < set->count; i++)
        if (!choose_solver(problem, joints, set, &set->islands[i], scratch))
            return false;
    return true;
}

// ------------------------------------------------------------------------------------------------------------- memory

static const uint8_t way_of_solver[] = {[ISLAND_ASLEEP] = NEVER_SOLVED,
                                        [ISLAND_DONE] = NEVER_SOLVED,
                                        [ISLAND_SWEPT] = SOLVED_BY_SWEEPS,
                                        [ISLAND_SWEPT_THEN_CHECKED] = SOLVED_BY_FACTORS,
                                        [ISLAND_DIRECT] = SOLVED_BY_FACTORS};

void note_solvers(const island_set *set, size_t body_count, const uint8_t *left_out, uint8_t *solved_by)
{
    for (size_t i = 0; i < body_count; i++) {
        if (set->of_slot[i] == NO_ISLAND || (left_out && left_out[i]))
            continue;
        uint8_t way = way_of_solver[set->islands[set->of_slot[i]].solver];
        if (way != NEVER_SOLVED)
            solved_by[i] = way;
    }
}
