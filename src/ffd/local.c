// Collision, rebound and friction of one velocity in six dimensions: lines 24 to 27 of Algorithm 1 (Iglberger and Rüde
// 2009), after Kaufman, Edmunds and Pai 2005.
//
// Friction is sampled: SAMPLES directions across the normal, each with a force of its own between -f and f. The sum of
// such segments is a regular polygon of 2 SAMPLES corners; f is such that the corners are on Coulomb's circle, and one
// of them points against the slip, so that a single sliding contact is braked by exactly mu times its normal force.
#include "ffd/feasible.h"
#include "ffd/ffd.h"

enum { SAMPLES = 3, SIZE = FEASIBLE_SIZE, MOST_ROWS = 2 + 2 * SAMPLES };

// At -60, 0 and 60 degrees from the slip, half of the friction each: along the slip 1/4 + 1/2 + 1/4.
static const double sample_cosine[SAMPLES] = {0.5, 1, 0.5};
static const double sample_sine[SAMPLES] = {-0.86602540378443864676, 0, 0.86602540378443864676};
static const double segment_strength = 0.5;

// Where a row comes from: the direction of its force or torque, and the contact that it belongs to.
typedef struct row_source {
    vec3 direction;
    size_t contact;
    bool is_angular;
} row_source;

typedef struct local_rows {
    feasible_row *rows;
    row_source *sources;
    size_t count;
} local_rows;

static void set_direction(const local_problem *problem, vec3 linear, vec3 angular, double out[SIZE])
{
    double in[SIZE] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (int i = 0; i < SIZE; i++) {
        out[i] = 0;
        for (int k = 0; k < SIZE; k++)
            out[i] += problem->whitened[i][k] * in[k];
    }
}

static body_velocity unwhitened(const local_problem *problem, const double y[SIZE])
{
    double out[SIZE] = {0};
    for (int i = 0; i < SIZE; i++)
        for (int k = 0; k < SIZE; k++)
            out[i] += problem->whitened[k][i] * y[k];
    return (body_velocity){{out[0], out[1], out[2]}, {out[3], out[4], out[5]}};
}

static double dot(const double a[SIZE], const double b[SIZE])
{
    double sum = 0;
    for (int i = 0; i < SIZE; i++)
        sum += a[i] * b[i];
    return sum;
}

static void add_row(local_rows *to, const local_problem *problem, row_source source, double wanted, double strength)
{
    const local_contact *c = &problem->contacts[source.contact];
    feasible_row *row = &to->rows[to->count];
    *row = (feasible_row){.offset = wanted, .low = -strength, .high = strength, .softness = c->softness};
    if (source.is_angular)
        set_direction(problem, vec3_make(0, 0, 0), source.direction, row->direction);
    else
        set_direction(problem, source.direction, vec3_cross(c->arm, source.direction), row->direction);
    to->sources[to->count++] = source;
}

static void add_normals(local_rows *to, const local_problem *problem)
{
    for (size_t i = 0; i < problem->count; i++) {
        add_row(to, problem, (row_source){problem->contacts[i].normal, i, false}, problem->contacts[i].least, HUGE_VAL);
        to->rows[i].low = 0;
    }
}

// Contacts that give back part of their compression are held at the speeds that this gives them.
static bool raise_rebounds(const local_problem *problem, feasible_row *rows, double y[SIZE])
{
    bool any = false;
    for (size_t i = 0; i < problem->count; i++) {
        double given = problem->contacts[i].rebound * rows[i].multiplier;
        any = any || given > 0;
        for (int k = 0; k < SIZE; k++)
            y[k] += given * rows[i].direction[k];
    }
    for (size_t i = 0; any && i < problem->count; i++)
        if (problem->contacts[i].rebound * rows[i].multiplier > 0)
            rows[i].offset = dot(rows[i].direction, y);
    return any;
}

static void across(vec3 normal, vec3 *t1)
{
    vec3 axis = fabs(normal.x) < 0.6 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
    *t1 = vec3_normalize(vec3_cross(normal, axis));
}

// Dry friction in the plane across the normal, of velocities at the contact or of spins, against `slip`.
static void add_disc(local_rows *to, const local_problem *problem, size_t index, bool is_angular, vec3 slip,
                     double strength)
{
    const local_contact *c = &problem->contacts[index];
    vec3 wanted = is_angular ? c->roll : c->slide;
    vec3 t1 = vec3_normalize(vec3_add_scaled(slip, c->normal, -vec3_dot(slip, c->normal)));
    if (vec3_dot(t1, t1) == 0)
        across(c->normal, &t1);
    vec3 t2 = vec3_cross(c->normal, t1);
    for (int i = 0; i < SAMPLES; i++) {
        vec3 direction = vec3_add_scaled(vec3_scale(t1, sample_cosine[i]), t2, sample_sine[i]);
        add_row(to, problem, (row_source){direction, index, is_angular}, vec3_dot(wanted, direction),
                strength * segment_strength);
    }
}

static void add_friction(local_rows *to, const local_problem *problem, size_t index, body_velocity now)
{
    const local_contact *c = &problem->contacts[index];
    double strength = c->strength * (1 + c->rebound);
    vec3 slip = vec3_sub(vec3_add(now.velocity, vec3_cross(now.spin, c->arm)), c->slide);
    if (strength == 0)
        return;
    if (c->friction > 0)
        add_disc(to, problem, index, false, slip, c->friction * strength);
    if (c->rolling > 0)
        add_disc(to, problem, index, true, vec3_sub(now.spin, c->roll), c->rolling * strength);
    if (c->spinning > 0)
        add_row(to, problem, (row_source){c->normal, index, true}, vec3_dot(c->roll, c->normal),
                c->spinning * strength);
}

static void take_impulses(const local_rows *from, const local_problem *problem)
{
    for (size_t i = 0; i < problem->count; i++)
        problem->contacts[i].impulse = problem->contacts[i].angular_impulse = vec3_make(0, 0, 0);
    for (size_t i = 0; i < from->count; i++) {
        local_contact *c = &problem->contacts[from->sources[i].contact];
        vec3 *sum = from->sources[i].is_angular ? &c->angular_impulse : &c->impulse;
        *sum = vec3_add_scaled(*sum, from->sources[i].direction, from->rows[i].multiplier);
    }
}

int local_respond(local_problem *problem, bool friction, arena *scratch, body_velocity *change)
{
    size_t most = problem->count * (friction ? MOST_ROWS : 1);
    local_rows made = {arena_array(scratch, feasible_row, most), arena_array(scratch, row_source, most), 0};
    if (!made.rows || !made.sources)
        return -1;
    const double still[SIZE] = {0};
    double y[SIZE] = {0};
    add_normals(&made, problem);
    int steps = feasible_project(made.rows, made.count, still, y);
    for (size_t i = 0; i < problem->count; i++)
        problem->contacts[i].strength = made.rows[i].multiplier;
    bool again = friction && raise_rebounds(problem, made.rows, y);
    *change = unwhitened(problem, y);
    for (size_t i = 0; friction && i < problem->count; i++)
        add_friction(&made, problem, i, *change);
    if (again || made.count > problem->count) {
        int more = feasible_project(made.rows, made.count, still, y);
        steps = more > steps ? more : steps;
        *change = unwhitened(problem, y);
    }
    take_impulses(&made, problem);
    return steps;
}
