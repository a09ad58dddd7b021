// The method of multipliers of newton_system.h where nothing is projected: each round is a step of iterative
// refinement,
//     (J M^-1 J^T + W) dp = -r,     r = J v + b + c p,     p += dp,     v += M^-1 J^T dp,     W = B / rho + c.
// Its matrix over rows has the same solution as that over bodies, I + L^T J^T W^-1 J L, by Woodbury's formula. Joints
// of three rows between bodies with six unknowns make it the smaller one: what separates a net is half as many numbers,
// and a factor costs the third power of that. The rows of a joint are one node of its graph; joints of one body are
// neighbours.
//
// A factor of single precision would do for the speeds, since each round takes out what the last one left; but what its
// errors, a hundredth of the load, put into redundant joints moves nothing, and would stay.
#include "solve/newton/newton_joints.h"

#include <float.h>
#include <string.h>

#include "base/error.h"
#include "solve/newton/newton_bounds.h"
#include "solve/newton/newton_system.h"
#include "solve/newton/sparse_fronts.h"

enum { MOST_BODY_ROWS = 48 }; // on one body, all of which are neighbours of each other

// Rows from which on a sweep costs much less than a factor.
enum { LARGE = 1000 };

// Errors of speeds, in parts of the largest in free motion: of a start that a sweep may repair, and of the factor that
// is made when it no longer can. The latter are what grows until the next factor: it takes another round or two, and
// half as many steps of a net of 10,000 balls need one as with 1e-7.
static const double nearly_right = 1e-3, lasting_accuracy = 1e-9;

// Part of a start's errors that is at least from before the step.
static const double least_old_part = 0.25;

typedef struct joint_node {
    uint32_t first_row;
    uint8_t rows;
    uint32_t place;
} joint_node;

// One end of a joint at a movable body.
typedef struct joint_end {
    uint32_t node;
    uint32_t side; // in body[] of its rows
    uint32_t next; // end at the same body; NO_BODY: none
} joint_end;

typedef struct row_value {
    double block, lever;  // 0: nothing can move
    double free;          // speed without impulses, and bias
    double before;        // speed before the step, and bias
    double impulse, miss; // r
} row_value;

typedef struct joint_search {
    const island *island;
    row_value *rows;
    double *best;      // impulses
    spatial *velocity; // [body_count]: M^-1 J^T p
    spatial *momentum; // [body_count]: J^T p
    joint_node *nodes;
    size_t node_count;
    joint_end *ends;
    uint32_t *first_end; // by body
    sparse_fronts fronts;
    double *unknown; // by place
    residual now, best_residual;
    bool is_best;  // the impulses are the best ones, and velocities follow them
    bool repaired; // by a sweep
    double speed, best_speed, score, best_score, speed_scale, accuracy, tolerance, stiffness;
    int steps, most_steps, idle_steps;
} joint_search;

static bool is_movable(const problem_body *body)
{
    const mat3 *inertia = &body->inverse_inertia;
    return body->inverse_mass > 0 || inertia->m[0][0] > 0 || inertia->m[1][1] > 0 || inertia->m[2][2] > 0;
}

static bool has_body(const island *problem, const joint_row *row, int side)
{
    return row->body[side] != NO_BODY && is_movable(&problem->bodies[row->body[side]]);
}

// ----------------------------------------------------------------------------------------------------------------
// graph

static bool same_bodies(const joint_row *a, const joint_row *b)
{
    for (int i = 0; i < JOINT_ROW_BODIES; i++)
        if (a->body[i] != b->body[i])
            return false;
    return true;
}

bool newton_joints_apply(const island *problem, arena *scratch)
{
    if (problem->contact_count > 0 || problem->row_count == 0)
        return false;
    arena_mark mark = arena_get_mark(scratch);
    uint8_t *rows_of = arena_array(scratch, uint8_t, problem->body_count);
    bool apply = rows_of != NULL;
    if (apply)
        memset(rows_of, 0, problem->body_count);
    for (size_t i = 0; apply && i < problem->row_count; i++) {
        const joint_row *row = &problem->rows[i];
        apply = row->low == -HUGE_VAL && row->high == HUGE_VAL;
        for (int side = 0; side < JOINT_ROW_BODIES; side++)
            if (has_body(problem, row, side))
                apply &= ++rows_of[row->body[side]] <= MOST_BODY_ROWS;
    }
    arena_release(scratch, mark);
    return apply;
}

// The rows of a joint follow each other.
static void find_nodes(joint_search *s)
{
    const island *problem = s->island;
    for (uint32_t i = 0; i < problem->row_count; i++) {
        joint_node *last = s->node_count > 0 ? &s->nodes[s->node_count - 1] : NULL;
        if (last && last->rows < MOST_NODE_ROWS && same_bodies(&problem->rows[i], &problem->rows[last->first_row]))
            last->rows++;
        else
            s->nodes[s->node_count++] = (joint_node){.first_row = i, .rows = 1};
    }
}

// Joints of each body, the last one first.
static void find_ends(joint_search *s)
{
    const island *problem = s->island;
    uint32_t count = 0;
    memset(s->first_end, 0xff, problem->body_count * sizeof *s->first_end);
    for (uint32_t n = 0; n < s->node_count; n++) {
        const joint_row *row = &problem->rows[s->nodes[n].first_row];
        for (int side = 0; side < JOINT_ROW_BODIES; side++) {
            if (!has_body(problem, row, side))
                continue;
            s->ends[count] = (joint_end){n, (uint32_t)side, s->first_end[row->body[side]]};
            s->first_end[row->body[side]] = count++;
        }
    }
}

static size_t count_pairs(const joint_search *s)
{
    size_t count = 0;
    for (size_t body = 0; body < s->island->body_count; body++)
        for (uint32_t a = s->first_end[body]; a != NO_BODY; a = s->ends[a].next)
            for (uint32_t b = s->ends[a].next; b != NO_BODY; b = s->ends[b].next)
                count++;
    return count;
}

static scree_status order_joints(joint_search *s, arena *scratch, scree_error *error)
{
    size_t count = 0;
    sparse_pair *pairs = arena_array(scratch, sparse_pair, count_pairs(s));
    uint8_t *sizes = arena_array(scratch, uint8_t, s->node_count);
    if (!pairs || !sizes)
        return fail_no_memory(error);
    for (size_t body = 0; body < s->island->body_count; body++)
        for (uint32_t a = s->first_end[body]; a != NO_BODY; a = s->ends[a].next)
            for (uint32_t b = s->ends[a].next; b != NO_BODY; b = s->ends[b].next)
                pairs[count++] = (sparse_pair){s->ends[a].node, s->ends[b].node};
    for (size_t n = 0; n < s->node_count; n++)
        sizes[n] = s->nodes[n].rows;
    scree_status status = sparse_fronts_order(&s->fronts, s->node_count, sizes, pairs, count, scratch, error);
    for (size_t n = 0; !status && n < s->node_count; n++)
        s->nodes[n].place = s->fronts.structure.place[n];
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// matrix

// M^-1 J^T of the rows of a node at one of its bodies.
static void turn_rows(const joint_search *s, const joint_end *end, spatial *turned)
{
    const joint_node *node = &s->nodes[end->node];
    const joint_row *rows = &s->island->rows[node->first_row];
    const problem_body *body = &s->island->bodies[rows->body[end->side]];
    for (int i = 0; i < node->rows; i++)
        turned[i] = (spatial){vec3_scale(rows[i].linear[end->side], body->inverse_mass),
                              mat3_apply(&body->inverse_inertia, rows[i].angular[end->side])};
}

static void add_product(joint_search *s, const joint_end *end, const joint_end *other, const spatial *turned)
{
    double block[MOST_NODE_ROWS * MOST_NODE_ROWS];
    const joint_node *later = &s->nodes[end->node], *earlier = &s->nodes[other->node];
    const joint_row *rows = &s->island->rows[later->first_row];
    for (int j = 0; j < earlier->rows; j++)
        for (int i = 0; i < later->rows; i++)
            block[j * later->rows + i] = vec3_dot(rows[i].linear[end->side], turned[j].linear) +
                                         vec3_dot(rows[i].angular[end->side], turned[j].angular);
    sparse_fronts_add(&s->fronts, later->place, earlier->place, block);
}

// All products of rows that meet at a body, each pair of nodes once.
static void add_body(joint_search *s, uint32_t first)
{
    for (uint32_t b = first; b != NO_BODY; b = s->ends[b].next) {
        spatial turned[MOST_NODE_ROWS];
        turn_rows(s, &s->ends[b], turned);
        for (uint32_t a = first; a != NO_BODY; a = s->ends[a].next) {
            uint32_t later = s->nodes[s->ends[a].node].place, earlier = s->nodes[s->ends[b].node].place;
            if (later >= earlier)
                add_product(s, &s->ends[a], &s->ends[b], turned);
        }
    }
}

static double softness(const joint_search *s, size_t row)
{
    double own = s->rows[row].block > 0 ? s->rows[row].block : 1; // what cannot move has a row of its own
    return own / s->stiffness + s->island->rows[row].compliance;
}

static void factor(joint_search *s)
{
    sparse_fronts_clear(&s->fronts);
    for (size_t body = 0; body < s->island->body_count; body++)
        add_body(s, s->first_end[body]);
    for (size_t n = 0; n < s->node_count; n++) {
        const joint_node *node = &s->nodes[n];
        double block[MOST_NODE_ROWS * MOST_NODE_ROWS] = {0};
        for (int i = 0; i < node->rows; i++) {
            double soft = softness(s, node->first_row + (size_t)i);
            block[i * node->rows + i] = soft;
            s->fronts.least[s->fronts.scalar[node->place] + (uint32_t)i] = soft;
        }
        sparse_fronts_add(&s->fronts, node->place, node->place, block);
    }
    sparse_fronts_factor(&s->fronts);
}

// ---------------------------------------------------------------------------------------------------------------
// passes

static void add_momentum(joint_search *s, size_t row, double impulse)
{
    const joint_row *of = &s->island->rows[row];
    for (int i = 0; i < JOINT_ROW_BODIES; i++)
        if (of->body[i] != NO_BODY) {
            spatial *q = &s->momentum[of->body[i]];
            q->linear = vec3_add_scaled(q->linear, of->linear[i], impulse);
            q->angular = vec3_add_scaled(q->angular, of->angular[i], impulse);
        }
}

static void take_velocities(joint_search *s)
{
    for (size_t i = 0; i < s->island->body_count; i++) {
        const problem_body *body = &s->island->bodies[i];
        s->velocity[i] = (spatial){vec3_scale(s->momentum[i].linear, body->inverse_mass),
                                   mat3_apply(&body->inverse_inertia, s->momentum[i].angular)};
    }
}

// What the impulses as they are do to the bodies.
static void push_bodies(joint_search *s)
{
    memset(s->momentum, 0, s->island->body_count * sizeof *s->momentum);
    for (size_t i = 0; i < s->island->row_count; i++)
        add_momentum(s, i, s->rows[i].impulse);
    take_velocities(s);
}

static double wanted_speed(const joint_search *s)
{
    return fmax(fmax(s->accuracy * s->speed_scale, s->island->enough_speed), DBL_MIN);
}

// What is left of each row, and the residual of newton.h: a local step changes the impulse by r over its diagonal.
static residual find_misses(joint_search *s)
{
    double sum = 0, largest = 0, load = 0;
    size_t count = 0, loaded = 0;
    s->speed = 0;
    for (size_t i = 0; i < s->island->row_count; i++) {
        row_value *r = &s->rows[i];
        const joint_row *row = &s->island->rows[i];
        r->miss = 0;
        if (!(r->block > 0))
            continue;
        r->miss = r->free + joint_row_speed(row, s->velocity) + row->compliance * r->impulse;
        double error = r->lever * fabs(r->miss) / (r->block + row->compliance), carried = r->lever * fabs(r->impulse);
        sum += error;
        largest = error > largest || isnan(error) ? error : largest;
        s->speed = fmax(s->speed, fabs(r->miss) / r->lever);
        load += carried;
        loaded += carried > 0;
        count++;
    }
    if (sum == 0)
        return (residual){0, 0};
    double scale = loaded ? load / (double)loaded : largest; // without any load yet there is no other scale
    return (residual){sum / (double)count / scale, largest / scale};
}

static void keep_best(joint_search *s)
{
    s->best_residual = s->now;
    s->best_speed = s->speed;
    s->best_score = s->score;
    s->is_best = true;
    for (size_t i = 0; i < s->island->row_count; i++)
        s->best[i] = s->rows[i].impulse;
}

static void judge(joint_search *s)
{
    s->is_best = false;
    s->now = find_misses(s);
    s->score = fmax(s->now.max / s->tolerance, s->speed / wanted_speed(s));
    s->idle_steps = s->score < 0.5 * s->best_score ? 0 : s->idle_steps + 1;
    if (s->score < s->best_score)
        keep_best(s);
}

static void take_round(joint_search *s)
{
    s->steps++;
    for (size_t n = 0; n < s->node_count; n++)
        for (uint32_t i = 0; i < s->nodes[n].rows; i++)
            s->unknown[s->fronts.scalar[s->nodes[n].place] + i] = -s->rows[s->nodes[n].first_row + i].miss;
    sparse_fronts_solve(&s->fronts, s->unknown);
    for (size_t n = 0; n < s->node_count; n++)
        for (uint32_t i = 0; i < s->nodes[n].rows; i++) {
            uint32_t row = s->nodes[n].first_row + i;
            double change = s->rows[row].block > 0 ? s->unknown[s->fronts.scalar[s->nodes[n].place] + i] : 0;
            s->rows[row].impulse += change;
            add_momentum(s, row, change);
        }
    take_velocities(s);
    judge(s);
}

// --------------------------------------------------------------------------------------------------------------
// solving

static scree_status start_search(joint_search *s, arena *scratch, scree_error *error)
{
    const island *problem = s->island;
    s->rows = arena_array(scratch, row_value, problem->row_count);
    s->best = arena_array(scratch, double, problem->row_count);
    s->velocity = arena_array(scratch, spatial, problem->body_count);
    s->momentum = arena_array(scratch, spatial, problem->body_count);
    if (!s->rows || !s->best || !s->velocity || !s->momentum)
        return fail_no_memory(error);
    for (size_t i = 0; i < problem->body_count; i++)
        s->velocity[i] = (spatial){problem->bodies[i].velocity, problem->bodies[i].spin};
    for (size_t i = 0; i < problem->row_count; i++) {
        row_value *r = &s->rows[i];
        joint_row_scale(problem, &problem->rows[i], &r->block, &r->lever);
        r->free = joint_row_speed(&problem->rows[i], s->velocity) + problem->rows[i].bias;
        r->before = problem->before ? joint_row_speed(&problem->rows[i], problem->before) + problem->rows[i].bias : 0;
        r->impulse = 0;
    }
    memset(s->velocity, 0, problem->body_count * sizeof *s->velocity);
    return SCREE_OK;
}

static bool is_done(const joint_search *s)
{
    return s->steps >= s->most_steps || s->best_score <= 1 ||
           (s->best_residual.max <= s->tolerance && s->idle_steps >= MOST_IDLE_STEPS) ||
           interrupt_asked(s->island->interrupt);
}

// The start of a large island that was nearly right. Where a net hangs, a factor in every step would find next to
// nothing. What is left of the last one grows in two ways. Light bodies between taut joints are unstable under impulses
// that do not follow them (geometric_damping.c), by a factor of six in every step; that is local, and a sweep takes it
// out.
//
// Changes of a repair are not handed on to the next step. Let a sweep take the part a of an error. With the speed x in
// which positions are wrong, the wrong speed v and that of a wrong impulse q, a step does
//     q' = q - a (v + q + x),   v' = v + q',   x' = x + v',     so   (1 - a) s^3 + a (1 + s)^3 = 0   with   z = 1 + s:
// positions are two sums of impulses, and impulses that are a third one throw each error of a < 1/2 further with every
// step, by 1.15 where a = 0.02. From the same q in every step |z|^2 = 1 - a: all errors fade, down to q / a. That is
// what the last factor left, and grows when loads change, until another one is due.

// Speeds that rows miss before the step, with loads and impulses in balance.
static double missed_before(const joint_search *s)
{
    const island *problem = s->island;
    double fastest = 0;
    for (size_t i = 0; i < problem->row_count; i++) {
        const joint_row *row = &problem->rows[i];
        const row_value *r = &s->rows[i];
        if (r->block > 0)
            fastest = fmax(fastest, fabs(r->before + row->compliance * r->impulse) / r->lever);
    }
    return fastest;
}

// Impulses p* + dp of a state without errors let through e = N dp. The next two steps need p* - 2 dp and p* + dp to set
// speeds e and positions h e right, each three times e away from the last one; the third would begin with p* + dp and
// no errors again, and let them through as the first one did. So errors that were not there before the step are none to
// let through.
static bool is_repairable(const joint_search *s)
{
    return s->island->before && s->island->row_count >= LARGE && s->best_speed <= nearly_right * s->speed_scale &&
           missed_before(s) >= least_old_part * s->best_speed;
}

static void relax_row(joint_search *s, size_t i)
{
    const joint_row *row = &s->island->rows[i];
    row_value *r = &s->rows[i];
    if (!(r->block > 0))
        return;
    double miss = r->free + joint_row_speed(row, s->velocity) + row->compliance * r->impulse;
    double change = -miss / (r->block + row->compliance);
    r->impulse += change;
    for (int k = 0; k < JOINT_ROW_BODIES; k++)
        if (row->body[k] != NO_BODY) {
            const problem_body *body = &s->island->bodies[row->body[k]];
            spatial *v = &s->velocity[row->body[k]];
            v->linear = vec3_add_scaled(v->linear, row->linear[k], body->inverse_mass * change);
            v->angular = vec3_add_scaled(v->angular, mat3_apply(&body->inverse_inertia, row->angular[k]), change);
        }
}

// Gauss-Seidel, there and back.
static void sweep(joint_search *s)
{
    for (size_t i = 0; i < s->island->row_count; i++)
        relax_row(s, i);
    for (size_t i = s->island->row_count; i-- > 0;)
        relax_row(s, i);
    push_bodies(s);
}

// The largest speed that rows miss without any impulse.
static double free_speed(const joint_search *s)
{
    double fastest = 0;
    for (size_t i = 0; i < s->island->row_count; i++)
        if (s->rows[i].block > 0)
            fastest = fmax(fastest, fabs(s->rows[i].free) / s->rows[i].lever);
    return fastest;
}

// Is nothing to be done, or nothing that is worth a factor?
static bool judge_start(joint_search *s)
{
    s->speed_scale = free_speed(s);
    s->best_score = HUGE_VAL;
    if (s->speed_scale == 0 && s->most_steps > 0) {
        keep_best(s);
        return true;
    }
    for (size_t i = 0; i < s->island->row_count; i++)
        if (s->rows[i].block > 0)
            s->rows[i].impulse = s->island->rows[i].impulse;
    push_bodies(s);
    judge(s);
    keep_best(s);
    if (is_done(s))
        return true;
    if (is_repairable(s)) {
        sweep(s);
        judge(s);
        s->repaired = s->score < 2 * s->best_score; // the largest error may be a smooth one
        if (s->repaired)
            keep_best(s);
    } else if (s->island->row_count >= LARGE)
        return false;
    return is_done(s) ||
           (s->best_residual.max <= s->island->enough && s->best_speed <= ROUGH_SPEED_ACCURACY * s->speed_scale);
}

static scree_status prepare_factor(joint_search *s, arena *scratch, scree_error *error)
{
    const island *problem = s->island;
    s->nodes = arena_array(scratch, joint_node, problem->row_count);
    s->ends = arena_array(scratch, joint_end, JOINT_ROW_BODIES * problem->row_count);
    s->first_end = arena_array(scratch, uint32_t, problem->body_count);
    s->unknown = arena_array(scratch, double, problem->row_count);
    if (!s->nodes || !s->ends || !s->first_end || !s->unknown)
        return fail_no_memory(error);
    find_nodes(s);
    find_ends(s);
    return order_joints(s, scratch, error);
}

// Rayleigh's quotient p^T N p / p^T B p of the impulses: how much less than alone a row answers to its impulse.
static double mobility(const joint_search *s)
{
    double sum = 0, own = 0;
    for (size_t i = 0; i < s->island->body_count; i++)
        sum += vec3_dot(s->momentum[i].linear, s->velocity[i].linear) +
               vec3_dot(s->momentum[i].angular, s->velocity[i].angular);
    for (size_t i = 0; i < s->island->row_count; i++)
        own += s->rows[i].block * s->rows[i].impulse * s->rows[i].impulse;
    return own > 0 ? sum / own : 1;
}

// Does the first round leave much of what the rows are to hold beside their corrections of positions? Of
//     (N + B / rho + c) dp = -r
// it leaves  r + (N + c) dp = -B dp / rho.  Such loads are speeds of bodies, which impulses can take from them: what is
// left of them is due to light bodies. Corrections may contradict each other, as in a net that is nearly flat. What is
// left of those is no reason to push harder: it would be met by impulses that move next to nothing, and whose direction
// turns away under them in the next step.
static bool leaves_loads(joint_search *s)
{
    double largest = 0, left = 0;
    for (size_t n = 0; n < s->node_count; n++)
        for (uint32_t i = 0; i < s->nodes[n].rows; i++) {
            uint32_t row = s->nodes[n].first_row + i;
            const row_value *r = &s->rows[row];
            double load = r->block > 0 ? r->free - s->island->rows[row].correction : 0;
            largest = r->block > 0 ? fmax(largest, fabs(load) / r->lever) : largest;
            s->unknown[s->fronts.scalar[s->nodes[n].place] + i] = -load;
        }
    sparse_fronts_solve(&s->fronts, s->unknown);
    for (size_t n = 0; n < s->node_count; n++)
        for (uint32_t i = 0; i < s->nodes[n].rows; i++) {
            const row_value *r = &s->rows[s->nodes[n].first_row + i];
            if (r->block > 0)
                left = fmax(left, r->block / s->stiffness / r->lever *
                                      fabs(s->unknown[s->fronts.scalar[s->nodes[n].place] + i]));
        }
    return left > MUCH_LEFT * largest;
}

// As in newton.c: only where much is left of what was to be corrected, which is a load on light bodies.
static double raised_stiffness(joint_search *s)
{
    if (!(s->speed > MUCH_LEFT * s->speed_scale) || !leaves_loads(s))
        return s->stiffness;
    double most = fmin(JOINT_MARGIN / mobility(s), MOST_STIFFNESS);
    return most > GROWTH * s->stiffness ? most : s->stiffness;
}

// Will the next steps begin with these impulses? They do where the start was nearly right, or nothing moves yet.
static bool is_lasting(const joint_search *s)
{
    const island *problem = s->island;
    double fastest = 0;
    for (size_t i = 0; problem->before && i < problem->body_count; i++)
        fastest = fmax(fastest, vec3_length(problem->before[i].linear));
    return problem->before && problem->row_count >= LARGE &&
           fmin(s->best_speed, fastest) <= nearly_right * s->speed_scale;
}

// Rounds begin without impulses, see docs/newton.md. What they do not halve any more are contradictions.
static void run_rounds(joint_search *s)
{
    s->stiffness = first_joint_stiffness(s->island->turn);
    if (is_lasting(s))
        s->accuracy = lasting_accuracy;
    for (size_t i = 0; i < s->island->row_count; i++)
        s->rows[i].impulse = 0;
    push_bodies(s);
    find_misses(s);
    factor(s);
    for (double last = HUGE_VAL; !is_done(s); last = s->score) {
        take_round(s);
        double stiffness = raised_stiffness(s);
        if (stiffness != s->stiffness) {
            s->stiffness = stiffness;
            factor(s);
        } else if (s->score > 0.5 * last)
            break;
    }
}

static void write_back(joint_search *s, island *problem)
{
    bool hand_on = !s->repaired || s->steps > 0;
    for (size_t i = 0; i < problem->row_count; i++) {
        s->rows[i].impulse = s->best[i];
        if (hand_on)
            problem->rows[i].impulse = s->best[i];
    }
    if (!s->is_best || s->steps > 0) // rounds add up momentum in another order
        push_bodies(s);
    for (size_t i = 0; i < problem->body_count; i++) {
        problem->bodies[i].velocity = vec3_add(problem->bodies[i].velocity, s->velocity[i].linear);
        problem->bodies[i].spin = vec3_add(problem->bodies[i].spin, s->velocity[i].angular);
    }
}

scree_status newton_joints_solve(island *problem, int iterations, double tolerance, arena *scratch,
                                 island_result *result, scree_error *error)
{
    joint_search s = {.island = problem,
                      .accuracy = SPEED_ACCURACY,
                      .tolerance = fmax(tolerance, DBL_EPSILON),
                      .most_steps = iterations};
    arena_mark mark = arena_get_mark(scratch);
    scree_status status = start_search(&s, scratch, error);
    if (!status && !judge_start(&s)) {
        status = prepare_factor(&s, scratch, error);
        if (!status)
            run_rounds(&s);
    }
    if (!status) {
        write_back(&s, problem);
        *result = (island_result){.steps = s.steps,
                                  .residual = s.best_residual,
                                  .speed = s.best_speed,
                                  .reached = s.best_residual.max <= tolerance};
    }
    arena_release(scratch, mark);
    return status;
}
