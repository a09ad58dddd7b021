// The laboratory of the joint tests: worlds of a few bodies whose joint rows are solved densely, independent of the
// engine's solvers, so that what is tested is the rows and not an iteration.
#ifndef TESTS_UNIT_RIGID_JOINT_LAB_H
#define TESTS_UNIT_RIGID_JOINT_LAB_H

#include "../../physics/lab.h"

#include "contact/row.h"
#include "rigid/joints/joint_rows.h"
#include "world/joints/joints.h"
#include "world/motion.h"

enum { LAB_MOST_ROWS = 128 };

static inline double row_speed(const joint_row *row, const vec3 *v, const vec3 *w)
{
    double speed = 0;
    for (int i = 0; i < JOINT_ROW_BODIES; i++)
        if (row->body[i] != NO_BODY)
            speed += vec3_dot(row->linear[i], v[row->body[i]]) + vec3_dot(row->angular[i], w[row->body[i]]);
    return speed;
}

static inline void row_push(const scree_world *world, const joint_row *row, double impulse, vec3 *v, vec3 *w)
{
    for (int i = 0; i < JOINT_ROW_BODIES; i++) {
        uint32_t slot = row->body[i];
        if (slot == NO_BODY || world->bodies.immovable.data[slot])
            continue;
        mat3 inverse = inverse_inertia(world, slot);
        v[slot] = vec3_add_scaled(v[slot], row->linear[i], impulse / world->bodies.mass.data[slot]);
        w[slot] = vec3_add_scaled(w[slot], mat3_apply(&inverse, row->angular[i]), impulse);
    }
}

// Gauss elimination with pivoting on the rows that are free; redundant ones get nothing.
static inline void solve_free(double a[LAB_MOST_ROWS][LAB_MOST_ROWS + 1], size_t n, const bool *is_free, double *x)
{
    static double m[LAB_MOST_ROWS][LAB_MOST_ROWS + 1];
    size_t rows[LAB_MOST_ROWS], count = 0;
    for (size_t i = 0; i < n; i++)
        if (is_free[i])
            rows[count++] = i;
    for (size_t i = 0; i < count; i++) {
        m[i][count] = a[rows[i]][n];
        for (size_t j = 0; j < n; j++)
            m[i][count] -= is_free[j] ? 0 : a[rows[i]][j] * x[j];
        for (size_t j = 0; j < count; j++)
            m[i][j] = a[rows[i]][rows[j]];
    }
    bool used[LAB_MOST_ROWS] = {false};
    size_t order[LAB_MOST_ROWS];
    for (size_t k = 0; k < count; k++) { // the largest diagonal that is left
        size_t p = count;
        for (size_t i = 0; i < count; i++)
            if (!used[i] && (p == count || m[i][i] > m[p][p]))
                p = i;
        order[k] = p;
        used[p] = true;
        if (!(m[p][p] > 1e-11 * a[rows[p]][rows[p]])) {
            order[k] = SIZE_MAX;
            x[rows[p]] = 0;
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            if (i == p)
                continue;
            double f = m[i][p] / m[p][p];
            for (size_t j = 0; j <= count; j++)
                m[i][j] -= f * m[p][j];
        }
    }
    for (size_t k = 0; k < count; k++)
        if (order[k] != SIZE_MAX)
            x[rows[order[k]]] = m[order[k]][count] / m[order[k]][order[k]];
}

// Impulses of all rows with their bounds: rows at a bound that want to leave it become free, and the other way round.
static inline void solve_rows(const scree_world *world, joint_row *rows, size_t n, vec3 *v, vec3 *w)
{
    static double a[LAB_MOST_ROWS][LAB_MOST_ROWS + 1];
    assert_true(n <= LAB_MOST_ROWS);
    size_t bodies = world->bodies.count;
    vec3 *dv = calloc(bodies + 1, sizeof *dv), *dw = calloc(bodies + 1, sizeof *dw);
    for (size_t j = 0; j < n; j++) {
        memset(dv, 0, bodies * sizeof *dv);
        memset(dw, 0, bodies * sizeof *dw);
        row_push(world, &rows[j], 1, dv, dw);
        for (size_t i = 0; i < n; i++)
            a[i][j] = row_speed(&rows[i], dv, dw) + (i == j ? rows[i].compliance : 0);
        a[j][n] = -rows[j].bias - row_speed(&rows[j], v, w);
    }
    double x[LAB_MOST_ROWS] = {0};
    bool is_free[LAB_MOST_ROWS];
    for (size_t i = 0; i < n; i++)
        is_free[i] = true;
    for (int round = 0; round < 200; round++) {
        solve_free(a, n, is_free, x);
        double worst = 0;
        size_t change = n;
        for (size_t i = 0; i < n; i++) {
            double left = -a[i][n];
            for (size_t j = 0; j < n; j++)
                left += a[i][j] * x[j];
            double scale = a[i][i];
            double wrong = is_free[i] ? fmax(rows[i].low - x[i], x[i] - rows[i].high) * scale
                                      : (x[i] <= rows[i].low ? -left : left);
            if (wrong > 1e-12 && wrong > worst) {
                worst = wrong;
                change = i;
            }
        }
        if (change == n)
            break;
        if (is_free[change])
            x[change] = x[change] < rows[change].low ? rows[change].low : rows[change].high;
        is_free[change] = !is_free[change];
    }
    for (size_t i = 0; i < n; i++) {
        rows[i].impulse = x[i];
        row_push(world, &rows[i], x[i], v, w);
    }
    free(dv);
    free(dw);
}

// The problem of a world's step with its joints, in scratch memory.
static inline step_problem joint_problem(scree_world *world)
{
    step_problem problem = step_problem_of(world);
    assert_true(step_problem_add_joints(&problem, world, &world->scratch));
    return problem;
}

// One step of a world without contacts, with a second solve that follows curved paths.
static inline void joint_step(scree_world *world)
{
    body_store *store = &world->bodies;
    joint_rows made;
    body_load *loads;
    arena_reset(&world->scratch);
    motions_set_velocities(world);
    assert_true(gather_loads(world, &loads));
    step_problem problem = joint_problem(world);
    problem.loads = loads;
    lab_ok(joints_make_rows(&problem, &world->scratch, &made, error));
    vec3 *v = calloc(store->count + 1, sizeof *v), *w = calloc(store->count + 1, sizeof *w);
    for (int solve = 0; solve < 2; solve++) {
        for (size_t i = 0; solve > 0 && i < made.joint_count; i++)
            if (made.first[i] < made.first[i + 1])
                joint_relinearise(&problem, &made, i, v, w);
        for (size_t i = 0; i < store->count; i++) {
            body_velocity free_one = free_velocity_of(&problem, i);
            v[i] = free_one.velocity;
            w[i] = free_one.spin;
        }
        solve_rows(world, made.rows, made.count, v, w);
    }
    joints_finish(&problem, &made, NULL);
    for (size_t i = 0; i < store->count; i++) {
        if (store->immovable.data[i])
            continue;
        store->position.data[i] = vec3_add_scaled(store->position.data[i], v[i], world->def.step);
        turn_freely(vec3_from_f(store->inertia.data[i]), world->def.step, w[i], &store->orientation.data[i], &w[i]);
        store->velocity.data[i] = v[i];
        store->spin.data[i] = w[i];
    }
    free(v);
    free(w);
    world->forces.count = 0;
    world->steps++;
    world->time = (double)world->steps * world->def.step;
    motions_set_poses(world);
}

static inline void joint_steps(scree_world *world, int steps)
{
    for (int i = 0; i < steps; i++)
        joint_step(world);
}

static inline scree_world *joint_world(double step, vec3 gravity)
{
    scree_world_def def = scree_default_world_def();
    def.threads = 1;
    def.step = step;
    def.gravity = gravity;
    return lab_create(&def);
}

#endif
