// Contact problems of thousands of bodies: a pile that a world has let settle, with a plate inside it where one is
// wanted, and a jittered lattice.
#ifndef TESTS_SOLVE_PILES_H
#define TESTS_SOLVE_PILES_H

#include "physics/lab.h"
#include "rigid/capture.h"
#include "solve/solver.h"

typedef struct pile {
    size_t body_count, row_count;
    problem_body *bodies;
    problem_row *rows; // from no impulses
    vec3 *positions;   // of the bodies but the last, where they are a lattice; else NULL
    size_t plate;      // body; SIZE_MAX where there is none
} pile;

static inline void free_pile(pile *p)
{
    free(p->bodies);
    free(p->rows);
    free(p->positions);
}

static inline contact_ends ends_of_pile_row(const void *context, size_t index)
{
    const pile *p = context;
    return (contact_ends){p->rows[index].a, p->rows[index].b, PROBLEM_GENERAL_INERTIA};
}

static inline contact_ends ends_of_ball_row(const void *context, size_t index)
{
    const pile *p = context;
    return (contact_ends){p->rows[index].a, p->rows[index].b, PROBLEM_CENTERED_SPHERES};
}

// As a problem of the sweeps, in cells where there are any.
static inline void lay_out_pile(contact_problem *problem, scree_precision precision, const pile *p,
                                contact_ends (*ends)(const void *context, size_t index), const cell_list *cells,
                                arena *scratch)
{
    uint8_t *immovable = malloc(p->body_count);
    for (size_t i = 0; i < p->body_count; i++)
        immovable[i] = p->bodies[i].inverse_mass == 0;
    problem_spec spec = {.precision = precision,
                         .body_count = p->body_count,
                         .immovable = immovable,
                         .contact_count = p->row_count,
                         .ends = ends,
                         .context = p,
                         .cells = cells};
    lab_ok(problem_lay_out(problem, &spec, 2, scratch, error));
    for (size_t i = 0; i < p->body_count; i++)
        problem_set_body(problem, i, &p->bodies[i]);
    for (size_t i = 0; i < p->row_count; i++)
        problem_set_contact(problem, i, &p->rows[i]);
    free(immovable);
}

// Balls of diameter 1 a little above each other from the height `bottom` on, in a box of edge `side`.
static inline double pour(scree_world *world, random_stream *stream, int balls, double side, double bottom)
{
    const double pitch = 1.12;
    int across = (int)((side - 0.1) / pitch), placed = 0;
    double z = bottom;
    for (; placed < balls; z += pitch)
        for (int i = 0; i < across * across && placed < balls; i++, placed++) {
            double at = 0.5 * (side - (across - 1) * pitch), jitter = 0.04;
            vec3 position = {at + i % across * pitch, at + (int)(i / across) * pitch, z + 0.6};
            position.x += random_between(stream, -jitter, jitter);
            position.y += random_between(stream, -jitter, jitter);
            lab_add(world, lab_body(position, vec3_make(0, 0, 0)), lab_sphere(random_between(stream, 0.46, 0.54)));
        }
    return z;
}

static inline double highest(const step_capture *capture, const scree_world *world)
{
    double most = 0;
    for (size_t i = 0; i < capture->ids.count; i++)
        if (capture->bodies.data[i].inverse_mass > 0)
            most = fmax(most, lab_state(world, capture->ids.data[i]).position.z);
    return most;
}

// Balls that have settled in a box of edge `side`: `below` of them, and upon them a plate and `above` more.
static inline void make_pile_by(scree_algorithm algorithm, pile *p, int below, int above, double side, int settle)
{
    scree_world_def def = scree_default_world_def();
    def.solver.friction = SCREE_FRICTION_CONVEX;
    def.gravity = vec3_make(0, 0, -LAB_G);
    def.step = 0.01;
    def.threads = 2;
    def.solver.sleep = SCREE_SLEEP_OFF;
    def.solver.algorithm = algorithm;
    scree_world *world = lab_create(&def);
    step_capture capture = {0};
    random_stream stream = {7};
    lab_surface(world, 0.5, 0);
    lab_add_floor(world);
    lab_add_fixed(world, vec3_make(0, 0, 0), lab_plane(vec3_make(1, 0, 0), 0));
    lab_add_fixed(world, vec3_make(0, 0, 0), lab_plane(vec3_make(0, 1, 0), 0));
    lab_add_fixed(world, vec3_make(0, 0, 0), lab_plane(vec3_make(-1, 0, 0), -side));
    lab_add_fixed(world, vec3_make(0, 0, 0), lab_plane(vec3_make(0, -1, 0), -side));
    world_capture(world, &capture);
    pour(world, &stream, below, side, 0);
    lab_step(world, settle);
    scree_id plate = 0;
    if (above > 0) {
        double top = highest(&capture, world) + 0.55;
        scree_body_def body = lab_body(vec3_make(side / 2, side / 2, top + 0.25), vec3_make(0, 0, 0));
        body.mass = 1000 * 4.0 / 3 * LAB_PI * 0.125 * 100; // that of a hundred balls
        plate = lab_add(world, body, lab_box(side / 2 - 0.1, side / 2 - 0.1, 0.25));
        pour(world, &stream, above, side, top + 0.5);
        lab_step(world, settle);
    }
    p->body_count = capture.bodies.count;
    p->row_count = capture.rows.count;
    p->bodies = malloc(p->body_count * sizeof *p->bodies);
    p->rows = malloc(p->row_count * sizeof *p->rows);
    memcpy(p->bodies, capture.bodies.data, p->body_count * sizeof *p->bodies);
    memcpy(p->rows, capture.rows.data, p->row_count * sizeof *p->rows);
    p->plate = SIZE_MAX;
    for (size_t i = 0; i < p->body_count; i++)
        if (plate && capture.ids.data[i] == plate)
            p->plate = i;
    for (size_t i = 0; i < p->row_count; i++)
        p->rows[i].impulse = vec3_make(0, 0, 0);
    capture_free(&capture);
    scree_world_destroy(world);
}

static inline void make_pile(pile *p, int below, int above, double side, int settle)
{
    make_pile_by(SCREE_ALGORITHM_AUTO, p, below, above, side, settle);
}

// Balls of diameter 1 around the points of a cubic lattice of edge `side`, row after row, on a floor; neighbours within
// `reach` touch. They move at random.
static inline void make_lattice(pile *p, int side, double jitter, double lag)
{
    random_stream stream = {5};
    uint32_t n = (uint32_t)side, balls = n * n * n;
    *p = (pile){.body_count = balls + 1, .plate = SIZE_MAX};
    p->bodies = calloc(p->body_count, sizeof *p->bodies);
    p->rows = calloc(14 * (size_t)balls, sizeof *p->rows);
    vec3 *at = malloc(balls * sizeof *at);
    for (uint32_t i = 0; i < balls; i++) {
        vec3 v = {random_between(&stream, -1, 1), random_between(&stream, -1, 1), random_between(&stream, -1, 1)};
        vec3 off = {random_between(&stream, -1, 1), random_between(&stream, -1, 1), random_between(&stream, -1, 1)};
        at[i] = vec3_add_scaled(vec3_make(i % n, (int)(i / n % n), (int)(i / n / n)), off, jitter);
        p->bodies[i] = (problem_body){.velocity = vec3_scale(v, 0.5), .inverse_mass = 1};
        for (int k = 0; k < 3; k++)
            p->bodies[i].inverse_inertia.m[k][k] = 10;
    }
    for (uint32_t i = 0; i < balls; i++) {
        if (i < n * n)
            p->rows[p->row_count++] =
                (problem_row){.a = i, .b = balls, .normal = {0, 0, -1}, .arm_a = {0, 0, -0.5}, .friction = 0.5};
        for (uint32_t z = 0; z <= 1; z++)
            for (uint32_t y = z ? -1u : 0; y != 2; y++)
                for (uint32_t x = z || y ? -1u : 1; x != 2; x++) {
                    uint32_t j = i + x + n * (y + n * z);
                    if (i % n + x >= n || i / n % n + y >= n || j >= balls)
                        continue;
                    vec3 normal = vec3_sub(at[j], at[i]);
                    double distance = vec3_length(normal);
                    if (distance > lag)
                        continue;
                    normal = vec3_scale(normal, 1 / distance);
                    p->rows[p->row_count++] = (problem_row){.a = i,
                                                            .b = j,
                                                            .normal = normal,
                                                            .arm_a = vec3_scale(normal, 0.5),
                                                            .arm_b = vec3_scale(normal, -0.5),
                                                            .friction = 0.5};
                }
    }
    p->positions = at;
}

#endif
