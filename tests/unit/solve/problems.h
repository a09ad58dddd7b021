// Small random contact problems, and the same in dense form to check the solver against its definition.
#ifndef TESTS_SOLVE_PROBLEMS_H
#define TESTS_SOLVE_PROBLEMS_H

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "solve/solver.h"
#include "solve/sweep/problem.h"

typedef struct test_problem {
    size_t body_count, contact_count;
    problem_body *bodies;
    problem_row *rows;
    uint8_t *immovable;
    problem_kind kind;
    arena scratch;
    contact_problem problem;
} test_problem;

static inline vec3 random_vec(random_stream *stream)
{
    return vec3_make(random_between(stream, -1, 1), random_between(stream, -1, 1), random_between(stream, -1, 1));
}

static inline problem_body random_body(random_stream *stream)
{
    problem_body body = {random_vec(stream), random_vec(stream), random_between(stream, 0.5, 2), {{{0}}}};
    mat3 axes = mat3_from_quat(quat_normalize((quat){1, random_unit(stream), random_unit(stream), 0.2}));
    vec3 inverse = {random_between(stream, 2, 6), random_between(stream, 2, 6), random_between(stream, 2, 6)};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            body.inverse_inertia.m[i][j] = axes.m[i][0] * inverse.x * axes.m[j][0] +
                                           axes.m[i][1] * inverse.y * axes.m[j][1] +
                                           axes.m[i][2] * inverse.z * axes.m[j][2];
    return body;
}

// A chain with cross links: body i touches i + 1 and sometimes i + 7; every tenth body is immovable.
static inline test_problem *make_problem(size_t bodies, uint64_t seed)
{
    random_stream stream = {seed};
    test_problem *t = calloc(1, sizeof *t);
    t->kind = PROBLEM_GENERAL_INERTIA;
    t->body_count = bodies;
    t->bodies = calloc(bodies, sizeof *t->bodies);
    t->immovable = calloc(bodies, 1);
    t->rows = calloc(2 * bodies, sizeof *t->rows);
    for (size_t i = 0; i < bodies; i++) {
        t->bodies[i] = random_body(&stream);
        t->immovable[i] = i % 10 == 9;
        if (t->immovable[i])
            t->bodies[i] = (problem_body){.velocity = vec3_scale(random_vec(&stream), 0.1)};
    }
    for (size_t i = 0; i < bodies; i++)
        for (size_t j = i + 1; j <= i + 7; j += 6) {
            if (j >= bodies || (t->immovable[i] && t->immovable[j]) || random_unit(&stream) < 0.2)
                continue;
            problem_row row = {.a = (uint32_t)i, .b = (uint32_t)j, .friction = random_between(&stream, 0, 1)};
            row.normal = vec3_normalize(random_vec(&stream));
            row.arm_a = vec3_scale(row.normal, 0.5);
            row.arm_b = vec3_scale(row.normal, -0.5);
            row.bias = random_between(&stream, -0.3, 0.3);
            t->rows[t->contact_count++] = row;
        }
    return t;
}

static inline contact_ends ends_of_row(const void *context, size_t contact)
{
    const test_problem *t = context;
    return (contact_ends){t->rows[contact].a, t->rows[contact].b, t->kind};
}

static inline problem_spec spec_of(const test_problem *t, scree_precision precision)
{
    return (problem_spec){.precision = precision,
                          .body_count = t->body_count,
                          .immovable = t->immovable,
                          .contact_count = t->contact_count,
                          .ends = ends_of_row,
                          .context = t};
}

static inline void load_problem(test_problem *t, scree_precision precision, int threads)
{
    arena_reset(&t->scratch);
    problem_spec spec = spec_of(t, precision);
    problem_lay_out(&t->problem, &spec, threads, &t->scratch, NULL);
    for (size_t i = 0; i < t->body_count; i++)
        problem_set_body(&t->problem, i, &t->bodies[i]);
    for (size_t i = 0; i < t->contact_count; i++)
        problem_set_contact(&t->problem, i, &t->rows[i]);
}

static inline void free_problem(test_problem *t)
{
    arena_free(&t->scratch);
    free(t->bodies);
    free(t->immovable);
    free(t->rows);
    free(t);
}

// ---- the definition, in double, without any layout

static inline vec3 velocity_change(const problem_body *body, vec3 arm, vec3 impulse, vec3 *spin)
{
    *spin = mat3_apply(&body->inverse_inertia, vec3_cross(arm, impulse));
    return vec3_scale(impulse, body->inverse_mass);
}

// v = M^-1 (D g + k) for impulses on b.
static inline void velocities_of(const test_problem *t, const vec3 *impulses, vec3 *velocity, vec3 *spin)
{
    for (size_t i = 0; i < t->body_count; i++) {
        velocity[i] = t->bodies[i].velocity;
        spin[i] = t->bodies[i].spin;
    }
    for (size_t i = 0; i < t->contact_count; i++) {
        const problem_row *row = &t->rows[i];
        vec3 turn;
        vec3 push = velocity_change(&t->bodies[row->a], row->arm_a, impulses[i], &turn);
        velocity[row->a] = vec3_sub(velocity[row->a], push);
        spin[row->a] = vec3_sub(spin[row->a], turn);
        push = velocity_change(&t->bodies[row->b], row->arm_b, impulses[i], &turn);
        velocity[row->b] = vec3_add(velocity[row->b], push);
        spin[row->b] = vec3_add(spin[row->b], turn);
    }
}

// Relative velocity at a contact plus its bias along the normal.
static inline vec3 contact_velocity(const problem_row *row, const vec3 *velocity, const vec3 *spin)
{
    vec3 at_a = vec3_add(velocity[row->a], vec3_cross(spin[row->a], row->arm_a));
    vec3 at_b = vec3_add(velocity[row->b], vec3_cross(spin[row->b], row->arm_b));
    return vec3_add_scaled(vec3_sub(at_b, at_a), row->normal, row->bias);
}

#endif
