// Islands with known answers for the Newton solver: towers, chains, doors, heaps, random ones.
#ifndef TESTS_SOLVE_ISLANDS_H
#define TESTS_SOLVE_ISLANDS_H

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "solve/newton/newton.h"

typedef struct test_island {
    island island;
    size_t body_room, contact_room, row_room;
    arena scratch;
} test_island;

static inline void *grow(void *data, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return data;
    *room = *room ? 2 * *room : 16;
    return realloc(data, *room * size);
}

static inline void free_island(test_island *t)
{
    free(t->island.bodies);
    free(t->island.contacts);
    free(t->island.rows);
    arena_free(&t->scratch);
}

static inline uint32_t add_body(test_island *t, double mass, vec3 inertia, vec3 velocity)
{
    problem_body body = {.velocity = velocity, .inverse_mass = mass > 0 ? 1 / mass : 0};
    if (mass > 0) {
        body.inverse_inertia.m[0][0] = 1 / inertia.x;
        body.inverse_inertia.m[1][1] = 1 / inertia.y;
        body.inverse_inertia.m[2][2] = 1 / inertia.z;
    }
    t->island.bodies = grow(t->island.bodies, t->island.body_count, &t->body_room, sizeof body);
    t->island.bodies[t->island.body_count] = body;
    return (uint32_t)t->island.body_count++;
}

static inline uint32_t add_box(test_island *t, double mass, double edge, vec3 velocity)
{
    double inertia = mass * edge * edge / 6;
    return add_body(t, mass, vec3_make(inertia, inertia, inertia), velocity);
}

static inline uint32_t add_fixed(test_island *t)
{
    return add_body(t, 0, vec3_make(1, 1, 1), vec3_make(0, 0, 0));
}

static inline problem_row *add_contact(test_island *t, uint32_t a, uint32_t b, vec3 normal, vec3 arm_a, vec3 arm_b,
                                       double friction)
{
    t->island.contacts = grow(t->island.contacts, t->island.contact_count, &t->contact_room, sizeof(problem_row));
    problem_row *row = &t->island.contacts[t->island.contact_count++];
    *row = (problem_row){.a = a, .b = b, .normal = normal, .arm_a = arm_a, .arm_b = arm_b, .friction = friction};
    return row;
}

static inline joint_row *add_row(test_island *t)
{
    t->island.rows = grow(t->island.rows, t->island.row_count, &t->row_room, sizeof(joint_row));
    joint_row *row = &t->island.rows[t->island.row_count++];
    *row = (joint_row){.body = {NO_BODY, NO_BODY, NO_BODY}, .low = -HUGE_VAL, .high = HUGE_VAL};
    return row;
}

// The speed of b against a at a point, along an axis.
static inline joint_row *add_point_row(test_island *t, uint32_t a, uint32_t b, vec3 arm_a, vec3 arm_b, vec3 axis)
{
    joint_row *row = add_row(t);
    row->body[0] = a;
    row->linear[0] = vec3_negate(axis);
    row->angular[0] = vec3_negate(vec3_cross(arm_a, axis));
    row->body[1] = b;
    row->linear[1] = axis;
    row->angular[1] = vec3_cross(arm_b, axis);
    return row;
}

static inline void add_spherical(test_island *t, uint32_t a, uint32_t b, vec3 arm_a, vec3 arm_b)
{
    add_point_row(t, a, b, arm_a, arm_b, vec3_make(1, 0, 0));
    add_point_row(t, a, b, arm_a, arm_b, vec3_make(0, 1, 0));
    add_point_row(t, a, b, arm_a, arm_b, vec3_make(0, 0, 1));
}

// The spin of b against a about an axis.
static inline joint_row *add_turn_row(test_island *t, uint32_t a, uint32_t b, vec3 axis)
{
    joint_row *row = add_row(t);
    row->body[0] = a;
    row->angular[0] = vec3_negate(axis);
    row->body[1] = b;
    row->angular[1] = axis;
    return row;
}

// Four corners of a face of edge `edge` with a below and b above; the centres are `below` and `above` away from it.
static inline void add_face(test_island *t, uint32_t a, uint32_t b, double below, double above, double edge,
                            double friction)
{
    for (int corner = 0; corner < 4; corner++) {
        double x = corner & 1 ? edge / 2 : -edge / 2, y = corner & 2 ? edge / 2 : -edge / 2;
        add_contact(t, a, b, vec3_make(0, 0, 1), vec3_make(x, y, below), vec3_make(x, y, -above), friction);
    }
}

// Boxes of edge 1 on a floor that fell for one step: velocity -gh each. `top` is the mass of the last.
static const double FALL = 0.05;

static inline void make_tower(test_island *t, int boxes, double top, double friction)
{
    *t = (test_island){.island = {.convex = true}};
    uint32_t below = add_fixed(t);
    for (int i = 0; i < boxes; i++) {
        uint32_t box = add_box(t, i == boxes - 1 ? top : 1, 1, vec3_make(0, 0, -FALL));
        add_face(t, below, box, i == 0 ? 0 : 0.5, 0.5, 1, friction);
        below = box;
    }
}

// Links of length 1 and mass 1 under a fixed point, each at an angle to the last; the end carries `end`.
static inline void make_chain(test_island *t, int links, double end, double lean)
{
    *t = (test_island){.island = {.convex = true}};
    uint32_t above = add_fixed(t);
    vec3 above_arm = vec3_make(0, 0, 0);
    for (int i = 0; i < links; i++) {
        double angle = lean * (i % 2 ? 1 : -1);
        vec3 half = vec3_make(0.5 * sin(angle), 0, 0.5 * cos(angle));
        double mass = i == links - 1 ? end : 1;
        uint32_t link = add_body(t, mass, vec3_make(mass / 12, mass / 12, mass / 600), vec3_make(0, 0, -FALL));
        add_spherical(t, above, link, above_arm, half);
        above = link;
        above_arm = vec3_negate(half);
    }
}

// ---- the definition

static inline void push(problem_body *body, vec3 arm, vec3 linear, vec3 angular, double sign)
{
    vec3 turn = vec3_add(vec3_cross(arm, linear), angular);
    body->velocity = vec3_add_scaled(body->velocity, linear, sign * body->inverse_mass);
    body->spin = vec3_add_scaled(body->spin, mat3_apply(&body->inverse_inertia, turn), sign);
}

static inline vec3 slip_of(const island *problem, const problem_row *row)
{
    const problem_body *a = &problem->bodies[row->a], *b = &problem->bodies[row->b];
    return vec3_sub(vec3_add(b->velocity, vec3_cross(b->spin, row->arm_b)),
                    vec3_add(a->velocity, vec3_cross(a->spin, row->arm_a)));
}

// ---- a slow plain Gauss-Seidel of the convex law: contact by contact, with one step length for its three directions
// and the textbook projection onto the cone

static inline void relax_contact(island *problem, problem_row *row)
{
    vec3 n = row->normal, u = slip_of(problem, row);
    const problem_body *a = &problem->bodies[row->a], *b = &problem->bodies[row->b];
    double most = a->inverse_mass + b->inverse_mass;
    for (int k = 0; k < 3; k++) // a bound for the block: its trace
        most += a->inverse_inertia.m[k][k] * vec3_dot(row->arm_a, row->arm_a) +
                b->inverse_inertia.m[k][k] * vec3_dot(row->arm_b, row->arm_b);
    vec3 z = vec3_add_scaled(row->impulse, vec3_add_scaled(u, n, row->bias), -1 / most);
    double z_n = vec3_dot(n, z), mu = row->friction;
    vec3 z_t = vec3_add_scaled(z, n, -z_n), next = z;
    double length = vec3_length(z_t);
    if (mu * length <= -z_n)
        next = vec3_make(0, 0, 0);
    else if (length > mu * z_n) {
        double p_n = (z_n + mu * length) / (1 + mu * mu);
        next = vec3_add(vec3_scale(n, p_n), vec3_scale(z_t, mu * p_n / length));
    }
    vec3 change = vec3_sub(next, row->impulse);
    row->impulse = next;
    push(&problem->bodies[row->a], row->arm_a, change, vec3_make(0, 0, 0), -1);
    push(&problem->bodies[row->b], row->arm_b, change, vec3_make(0, 0, 0), 1);
}

#endif
