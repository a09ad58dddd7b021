// Semismooth Newton inside the method of multipliers (see newton_system.h for the function that is minimised).
//
// Rounds move the anchors to the impulses found. The steps within a round are, for the convex law, those of Newton with
// an exact line search on a convex function (as Castro, Permenter & Han 2022), which converge from anywhere. For the
// exact law the matrix is not symmetric and there is no function to minimise: steps are halved until the gradient
// falls, and when that fails the round is given up and the stiffness lowered, which brings the problem nearer to the
// identity. A few sweeps of Gauss-Seidel come first: they are cheap and find most of what sticks, slides and opens.
#include "solve/newton/newton.h"

#include <float.h>
#include <string.h>

#include "base/error.h"
#include "solve/newton/newton_bounds.h"
#include "solve/newton/newton_joints.h"
#include "solve/newton/newton_system.h"
#include "solve/newton/sparse_cholesky.h"
#include "solve/newton/sparse_lu.h"

// Stiffness relative to a constraint's own diagonal. Among joints, which begin without impulses, contacts have more to
// find out: beginning at 1e3, every second solve of a track on the ground gives its first round up.
static const double FIRST_STIFFNESS = 1e3, FIRST_AMONG_JOINTS = 1e2, LEAST_STIFFNESS = 1;
// The same of the one step that a start which is nearly right is finished by.
static const double FINISHING_STIFFNESS = 1e8;
// Steps of a round end when the gradient is less than this part of what the round moved.
static const double ROUND_ACCURACY = 0.1;
// Residual below which a step that does not help has met rounding errors, and a start is nearly right.
static const double NEARLY = 1e-5;
// A start with a larger residual than this knows nothing of the solution.
static const double COLD = 0.1;
enum { COLD_SWEEPS = 20, WARM_SWEEPS = 5, RESCUE_SWEEPS = 5 };
enum { ROUNDS_BEFORE_GROWTH = 3 };    // after a round that failed
static const double ROUNDING = 1e-12; // of sums over constraints
enum { MOST_HALVINGS = 6, MOST_LINE_ROUNDS = 20 };

typedef struct search {
    newton_system system;
    spatial *base;                         // by place: y(p_k) of the anchors
    spatial *y, *pushed, *gradient, *step; // y and y(p) from there on
    spatial *best_contacts;                // impulses
    double *best_rows;
    residual now, best;
    double speed, best_speed; // largest errors of constraints' speeds
    double score, best_score; // residual over tolerance, or error of speeds over the wanted one: the worse
    double tolerance, rough_speed, speed_scale, most_stiffness;
    int steps, most_steps, idle_steps;
    const interrupt *interrupt;
} search;

static scree_status start_search(search *s, const island *problem, arena *scratch, scree_error *error);
static bool judge_start(search *s);
static bool is_nearly_right(const search *s);
static bool finish_start(search *s);
static bool sweep_start(search *s);
static void run_search(search *s);
static void write_back(search *s, island *problem);

static search search_of(const island *problem, int iterations, double tolerance)
{
    return (search){.tolerance = fmax(tolerance, DBL_EPSILON),
                    .most_steps = iterations,
                    .rough_speed = ROUGH_SPEED_ACCURACY,
                    .most_stiffness = MOST_STIFFNESS,
                    .interrupt = problem->interrupt};
}

static void give_result(search *s, island *problem, double tolerance, island_result *result)
{
    write_back(s, problem);
    *result = (island_result){
        .steps = s->steps, .residual = s->best, .speed = s->best_speed, .reached = s->best.max <= tolerance};
}

scree_status newton_solve(island *problem, int iterations, double tolerance, arena *scratch, island_result *result,
                          scree_error *error)
{
    if (newton_joints_apply(problem, scratch))
        return newton_joints_solve(problem, iterations, tolerance, scratch, result, error);
    search s = search_of(problem, iterations, tolerance);
    arena_mark mark = arena_get_mark(scratch);
    scree_status status = start_search(&s, problem, scratch, error);
    if (!status && !judge_start(&s) && !sweep_start(&s)) {
        status = newton_system_order(&s.system, scratch, error);
        if (!status)
            run_search(&s);
    }
    if (!status)
        give_result(&s, problem, tolerance, result);
    arena_release(scratch, mark);
    return status;
}

scree_status newton_finish(island *problem, double tolerance, arena *scratch, island_result *result, scree_error *error)
{
    search s = search_of(problem, 1, tolerance);
    s.rough_speed = FINISHED_SPEED_ACCURACY;
    arena_mark mark = arena_get_mark(scratch);
    scree_status status = start_search(&s, problem, scratch, error);
    bool finished = !status && judge_start(&s);
    if (!status && !finished && is_nearly_right(&s)) {
        status = newton_system_order(&s.system, scratch, error);
        finished = !status && finish_start(&s);
    }
    *result = (island_result){0};
    if (finished)
        give_result(&s, problem, tolerance, result);
    result->reached = finished;
    arena_release(scratch, mark);
    return status;
}

static scree_status start_search(search *s, const island *problem, arena *scratch, scree_error *error)
{
    scree_status status = newton_system_make(&s->system, problem, scratch, error);
    if (status)
        return status;
    size_t n = s->system.movable_count;
    s->base = arena_array(scratch, spatial, n);
    s->y = arena_array(scratch, spatial, n);
    s->pushed = arena_array(scratch, spatial, n);
    s->gradient = arena_array(scratch, spatial, n);
    s->step = arena_array(scratch, spatial, n);
    s->best_contacts = arena_array(scratch, spatial, problem->contact_count);
    s->best_rows = arena_array(scratch, double, problem->row_count);
    if (!s->base || !s->y || !s->pushed || !s->gradient || !s->step || !s->best_contacts || !s->best_rows)
        return fail_no_memory(error);
    return SCREE_OK;
}

// ---- vectors of unknowns

static double dot(const search *s, const spatial *a, const spatial *b)
{
    double sum = 0;
    for (size_t i = 0; i < s->system.movable_count; i++)
        sum += vec3_dot(a[i].linear, b[i].linear) + vec3_dot(a[i].angular, b[i].angular);
    return sum;
}

static void add_step(search *s, double length)
{
    for (size_t i = 0; i < s->system.movable_count; i++) {
        s->y[i].linear = vec3_add_scaled(s->y[i].linear, s->step[i].linear, length);
        s->y[i].angular = vec3_add_scaled(s->y[i].angular, s->step[i].angular, length);
    }
}

static void set_gradient(search *s)
{
    for (size_t i = 0; i < s->system.movable_count; i++) {
        s->gradient[i].linear = vec3_sub(s->y[i].linear, s->pushed[i].linear);
        s->gradient[i].angular = vec3_sub(s->y[i].angular, s->pushed[i].angular);
    }
}

// Impulses and gradient y - y(p) at y, all from the anchors on.
static void evaluate(search *s)
{
    newton_system_move(&s->system, s->y);
    newton_system_project(&s->system, s->pushed);
    set_gradient(s);
}

// ---- keeping account

static void keep_best(search *s)
{
    const island *problem = s->system.island;
    s->best = s->now;
    s->best_speed = s->speed;
    s->best_score = s->score;
    for (size_t i = 0; i < problem->contact_count; i++)
        s->best_contacts[i] = s->system.contacts[i].impulse;
    for (size_t i = 0; i < problem->row_count; i++)
        s->best_rows[i] = s->system.rows[i].impulse;
}

static double wanted_speed(const search *s)
{
    return fmax(fmax(SPEED_ACCURACY * s->speed_scale, s->system.island->enough_speed), DBL_MIN);
}

// The residual at the impulses, with the velocities that follow from them.
static void judge(search *s)
{
    newton_system_move_from(&s->system, s->base, s->pushed);
    s->now = newton_system_residual(&s->system, &s->speed);
    s->score = fmax(s->now.max / s->tolerance, s->speed / wanted_speed(s));
    s->idle_steps = s->score < 0.5 * s->best_score ? 0 : s->idle_steps + 1;
    if (s->score < s->best_score)
        keep_best(s);
}

// y(p) of the impulses as they are.
static void take_base(search *s)
{
    newton_system_push(&s->system, s->base);
    memset(s->pushed, 0, s->system.movable_count * sizeof *s->pushed);
}

// Some sweeps, from velocities that follow from the impulses.
static void sweep(search *s, int sweeps)
{
    newton_system_push(&s->system, s->base);
    newton_system_move(&s->system, s->base);
    newton_system_sweep(&s->system, sweeps);
    take_base(s);
    judge(s);
}

static void set_anchors(search *s)
{
    newton_system_set_anchors(&s->system, s->base);
    memset(s->y, 0, s->system.movable_count * sizeof *s->y);
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
    newton_system_move(system, s->pushed);
    for (size_t i = 0; i < problem->body_count; i++) {
        problem->bodies[i].velocity = vec3_add(problem->bodies[i].velocity, system->velocity[i].linear);
        problem->bodies[i].spin = vec3_add(problem->bodies[i].spin, system->velocity[i].angular);
    }
}

// ---- steps

// The root of phi'(length), which rises, to a twentieth of phi'(0): by false position, with the Illinois rule against
// one end standing still. The whole step is taken where it does not overshoot.
static double search_line(search *s)
{
    newton_system *system = &s->system;
    newton_system_move(system, s->step);
    newton_system_set_speeds(system);
    double linear = dot(s, s->step, s->y), quadratic = dot(s, s->step, s->step);
    double low = 0, at_low = dot(s, s->step, s->gradient);
    double enough = fmax(0.05 * fabs(at_low), ROUNDING * fabs(linear));
    double high = 1, at_high = linear + quadratic + newton_system_slope(system, 1);
    if (at_high <= enough || !(at_low < 0))
        return 1;
    double length = 1;
    for (int round = 0, side = 0; round < MOST_LINE_ROUNDS; round++) {
        length = (low * at_high - high * at_low) / (at_high - at_low);
        double at = linear + quadratic * length + newton_system_slope(system, length);
        if (fabs(at) <= enough)
            break;
        if (at < 0) {
            low = length;
            at_low = at;
            at_high *= side < 0 ? 0.5 : 1;
        } else {
            high = length;
            at_high = at;
            at_low *= side > 0 ? 0.5 : 1;
        }
        side = at < 0 ? -1 : 1;
    }
    return length;
}

// The gradient must fall with the length of the step; false when it does not, however short.
static bool halve_step(search *s)
{
    double before = dot(s, s->gradient, s->gradient), taken = 0, length = 1;
    for (int halvings = 0; halvings < MOST_HALVINGS; halvings++, length *= 0.5) {
        add_step(s, length - taken);
        taken = length;
        evaluate(s);
        if (dot(s, s->gradient, s->gradient) < before * (1 - 0.2 * length))
            return true;
    }
    return false;
}

// The direction of Newton's step for the gradient at hand.
static bool find_step(search *s)
{
    newton_system *system = &s->system;
    s->steps++;
    if (!newton_system_is_factored(system)) {
        newton_system_assemble(system);
        if (system->symmetric)
            sparse_cholesky_factor(&system->matrix, 1);
        else if (!sparse_lu_factor(&system->matrix))
            return false;
    }
    for (size_t i = 0; i < system->movable_count; i++) {
        s->step[i].linear = vec3_negate(s->gradient[i].linear);
        s->step[i].angular = vec3_negate(s->gradient[i].angular);
    }
    if (system->symmetric)
        sparse_cholesky_solve(&system->matrix, (double *)s->step);
    else
        sparse_lu_solve(&system->matrix, (double *)s->step);
    return true;
}

static bool take_step(search *s)
{
    if (!find_step(s))
        return false;
    if (!s->system.convex)
        return halve_step(s);
    add_step(s, search_line(s));
    evaluate(s);
    return true;
}

// The first step of a round, as if nothing were to open, close, stick or get loose. Trial points at the velocities of
// the anchors would be far off with another stiffness, and line searches from there short.
static bool predict(search *s)
{
    newton_system_move(&s->system, s->y);
    newton_system_predict(&s->system, s->pushed);
    set_gradient(s);
    if (!find_step(s))
        return false;
    add_step(s, 1);
    evaluate(s);
    return true;
}

// ---- rounds

// A start that is as good is not worth a factor. Where a round brought nothing, what is left is a contradiction, and
// another round would only feed it.
static bool is_enough(const search *s)
{
    return s->best.max <= s->system.island->enough && s->best_speed <= s->rough_speed * s->speed_scale;
}

static bool is_done(const search *s)
{
    return s->steps >= s->most_steps || s->best_score <= 1 ||
           (s->best.max <= s->tolerance && s->idle_steps >= MOST_IDLE_STEPS) || interrupt_asked(s->interrupt);
}

// False when a step failed: impulses are then back at the anchors, but for some sweeps.
static bool run_round(search *s)
{
    set_anchors(s);
    bool ok = predict(s);
    double last = HUGE_VAL;
    for (;;) {
        if (!ok) {
            newton_system_return_to_anchors(&s->system);
            sweep(s, RESCUE_SWEEPS);
            return false;
        }
        judge(s);
        double gradient = sqrt(dot(s, s->gradient, s->gradient));
        if (is_done(s) || gradient <= ROUND_ACCURACY * sqrt(newton_system_anchor_distance(&s->system)))
            return true;
        if (s->now.max < NEARLY && gradient > 0.5 * last) { // rounding errors, which grow with the stiffness
            s->most_stiffness = fmax(s->system.stiffness / GROWTH, FIRST_STIFFNESS);
            return true;
        }
        last = gradient;
        ok = take_step(s);
    }
}

// A round of the convex law, lifted by the velocities as they are: one step of the fixed point whose solution is that
// of the exact law. It converges from where the exact law's steps do not.
static void run_relaxed_round(search *s)
{
    if (is_done(s))
        return;
    newton_system_relax(&s->system, true);
    run_round(s);
    newton_system_relax(&s->system, false);
}

// The largest speed that an impulse would give to its constraint alone, over the speeds that are there to be corrected.
static double load_ratio(const search *s)
{
    return newton_system_impulse_speed(&s->system) / s->speed_scale;
}

// A round that has to find the impulses p leaves speeds of the size of p times the diagonal over the stiffness. Where
// light bodies carry heavy ones, p alone would give them speeds far above those that are there to be corrected.
static double first_stiffness(const search *s)
{
    double least = s->system.island->row_count > 0 ? FIRST_AMONG_JOINTS : FIRST_STIFFNESS;
    return fmin(fmax(10 * load_ratio(s), least), MOST_STIFFNESS);
}

// Rayleigh's quotient p^T N p / p^T B p of the impulses, of the loads that is: how much less than alone a constraint
// answers to its impulse.
static double mobility(const search *s)
{
    double sum = 0, own = newton_system_impulse_sum(&s->system);
    for (size_t i = 0; i < s->system.movable_count; i++) {
        vec3 linear = vec3_add(s->base[i].linear, s->pushed[i].linear);
        vec3 angular = vec3_add(s->base[i].angular, s->pushed[i].angular);
        sum += vec3_dot(linear, linear) + vec3_dot(angular, angular);
    }
    return own > 0 ? sum / own : 1;
}

// Joints that contradict each other a little (a ring of hinges that is not quite flat) are satisfied only by impulses
// that grow with the stiffness, move next to nothing and throw bodies about. Most of a contradiction is left as it is;
// the stiffness rises where much is left of what was to be corrected, which is a load on light bodies.
static double raise_joint_stiffness(const search *s)
{
    double now = s->system.joint_stiffness;
    if (!(newton_system_joint_speed(&s->system) > MUCH_LEFT * s->speed_scale))
        return now;
    double most = fmin(JOINT_MARGIN / mobility(s), MOST_STIFFNESS);
    return most > GROWTH * now ? most : now;
}

// What is open, stuck or sliding by the impulses: trial points with the stiffness of the constraints themselves.
static void classify(search *s)
{
    set_anchors(s);
    newton_system_stiffen(&s->system, 1, 1);
    newton_system_move(&s->system, s->y);
    newton_system_project(&s->system, s->pushed);
    newton_system_return_to_anchors(&s->system);
}

// Nothing is to be found out: each round is one step of iterative refinement. What it does not halve any more are
// contradictions.
static void run_linear_rounds(search *s)
{
    newton_system *system = &s->system;
    newton_system_stiffen(system, FIRST_STIFFNESS, first_joint_stiffness(system->island->turn));
    newton_system_forget_joints(system);
    double last = HUGE_VAL;
    for (bool settled = false; !is_done(s) && !settled; last = s->score) {
        double stiffness = system->joint_stiffness;
        run_round(s);
        newton_system_stiffen(system, FIRST_STIFFNESS, raise_joint_stiffness(s));
        settled = s->score > 0.5 * last && system->joint_stiffness == stiffness;
    }
}

// Is nothing to be done, or nothing that is worth a factor?
static bool judge_start(search *s)
{
    newton_system *system = &s->system;
    residual idle = newton_system_residual(system, &s->speed_scale); // without any impulse yet
    s->best_score = HUGE_VAL;
    if (idle.max == 0 && s->most_steps > 0) {
        keep_best(s);
        return true;
    }
    newton_system_load(system);
    take_base(s);
    judge(s);
    keep_best(s);
    return is_done(s) || is_enough(s);
}

// Bodies at rest lack no more than the digits that impulses lost by being kept in single precision, and know what
// sticks, slides and opens.
static bool is_nearly_right(const search *s)
{
    return s->now.max < NEARLY && s->system.island->row_count == 0;
}

// One stiff step, in which soft ones would come to the loads of a tower by growth. Where contacts open or close by it
// after all, impulses are back at the anchors.
static bool finish_start(search *s)
{
    double start = s->score;
    take_base(s); // by the places of the factor
    classify(s);
    newton_system_stiffen(&s->system, FINISHING_STIFFNESS, FIRST_JOINT_STIFFNESS);
    set_anchors(s);
    if (predict(s))
        judge(s);
    if (!(s->score < start))
        newton_system_return_to_anchors(&s->system);
    return s->best_score <= 1 || is_enough(s);
}

// Sweeps come first where a start is far from the solution.
static bool sweep_start(search *s)
{
    if (newton_system_is_linear(&s->system) || is_nearly_right(s))
        return false;
    sweep(s, s->now.max > COLD ? COLD_SWEEPS : WARM_SWEEPS);
    return is_done(s);
}

static void run_search(search *s)
{
    newton_system *system = &s->system;
    take_base(s); // by the places of the factor
    if (newton_system_is_linear(system)) {
        run_linear_rounds(s);
        return;
    }
    if (is_nearly_right(s)) {
        if (finish_start(s))
            return;
        sweep(s, WARM_SWEEPS);
    }
    classify(s);
    newton_system_stiffen(system, first_stiffness(s), FIRST_JOINT_STIFFNESS);
    newton_system_forget_joints(system);
    if (!system->convex && s->now.max > COLD)
        run_relaxed_round(s);
    bool settled = false;
    for (int patience = 0; !is_done(s) && !settled; patience--) {
        double last = s->score, best = s->best_score;
        bool ok = run_round(s);
        settled = s->best_score > 0.5 * best && is_enough(s);
        if (!ok) {
            newton_system_stiffen(system, fmax(LEAST_STIFFNESS, system->stiffness / GROWTH), raise_joint_stiffness(s));
            patience = ROUNDS_BEFORE_GROWTH;
            run_relaxed_round(s);
        } else {
            bool slow = patience <= 0 && s->score > 0.1 * last;
            newton_system_stiffen(system, fmin(s->most_stiffness, system->stiffness * (slow ? GROWTH : 1)),
                                  raise_joint_stiffness(s));
        }
    }
}
