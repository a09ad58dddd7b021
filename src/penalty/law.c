// From materials to springs and dampers, and the longest step that they bear.
//
// Linear law. Of a collision with reduced mass m, spring k and damper c, contact time and restitution are
//     t = pi / sqrt(k / m - (c / 2 m)^2),    e = exp(-c t / 2 m),    so    k = m (pi^2 + ln^2 e) / t^2,   c = -2 m ln e
//     / t.
// Given k and e, c = 2 z sqrt(k m) with z = -ln e / sqrt(pi^2 + ln^2 e). Both end at an overlap of zero, so the damper
// may pull a little at last, as in equation (5.16).
//
// Hertz's law. k = 2 E* sqrt(R d) is the slope of the force, and c = sqrt(10/3) z sqrt(k m) gives the same e at all
// speeds (Tsuji et al. 1992; in closed form, Antypov and Elliott 2011).
//
// A mass on a spring and a damper, of which the damper sees the velocity of half a step ago, is stable up to
//     h = 2 / w (sqrt(1 + z^2) - z),    w = sqrt(k / m),    z = c / (2 sqrt(k m)).
#include "base/elementary.h"
#include "base/error.h"
#include "penalty/penalty.h"
#include "world/materials.h"

// Hertz: the overlap that a step must bear, in reduced radii.
static const double foreseen_overlap = 0.01;

// Part of critical damping. At restitution 0 the collision ends without rebound.
static double damping_ratio(double restitution)
{
    if (restitution <= 0)
        return 1;
    double log_e = natural_log(restitution);
    return -log_e / sqrt(PI * PI + log_e * log_e);
}

static law_row hertz_row(const pair_properties *pair)
{
    double normal = 2 * (double)pair->contact_modulus, shear = 8 * (double)pair->shear_modulus;
    return (law_row){.stiffness = {(float)normal, 0},
                     .damping = {0, 0, (float)(sqrt(10.0 / 3) * damping_ratio((double)pair->restitution))},
                     .tangential = {normal > 0 ? (float)(shear / normal) : 0, 0}};
}

static law_row linear_row(const pair_properties *pair, const scree_penalty_def *def)
{
    law_row row = {.tangential = {(float)def->tangential_stiffness, (float)def->tangential_damping}};
    double e = (double)pair->restitution, time = (double)pair->contact_time;
    if (pair->stiffness > 0) {
        row.stiffness[0] = pair->stiffness;
        row.damping[0] = pair->damping;
        if (pair->damping == 0)
            row.damping[2] = (float)(2 * damping_ratio(e) * sqrt((double)pair->stiffness));
    } else if (time > 0 && e > 0) {
        row.stiffness[1] = (float)((PI * PI + natural_log(e) * natural_log(e)) / (time * time));
        row.damping[1] = (float)(-2 * natural_log(e) / time);
    } else if (time > 0) { // critical damping, with the spring of an elastic collision of that time
        row.stiffness[1] = (float)(PI * PI / (time * time));
        row.damping[1] = (float)(2 * PI / time);
    }
    return row;
}

static void make_rows(scree_world *world)
{
    penalty *of = penalty_of(world);
    of->resists_rolling = false;
    for (size_t i = 0; i < world->pairs.count; i++) {
        const pair_properties *pair = &world->pairs.data[i];
        law_row row =
            world->def.penalty.law == SCREE_CONTACT_LAW_HERTZ ? hertz_row(pair) : linear_row(pair, &world->def.penalty);
        row.friction = pair->friction;
        row.cohesion = pair->cohesion;
        row.rolling = pair->rolling;
        row.spinning = pair->spinning;
        of->laws.data[i] = row;
        of->resists_rolling = of->resists_rolling || pair->rolling > 0 || pair->spinning > 0;
    }
}

law_table penalty_laws(const scree_world *world)
{
    return (law_table){.rows = penalty_of(world)->laws.data,
                       .materials = (uint32_t)world->materials.count,
                       .hertz = world->def.penalty.law == SCREE_CONTACT_LAW_HERTZ,
                       .resists_rolling = penalty_of(world)->resists_rolling,
                       .step = (float)world->def.step};
}

// ---------------------------------------------------------------------------------------------------------- the step

// What is lightest and smallest of each material; mass infinity where no body that can move has it.
typedef struct lightest {
    double mass, radius;
    bool used;
} lightest;

static lightest *find_lightest(scree_world *world)
{
    const body_store *store = &world->bodies;
    lightest *of = arena_array(&world->scratch, lightest, world->materials.count);
    for (size_t i = 0; of && i < world->materials.count; i++)
        of[i] = (lightest){HUGE_VAL, HUGE_VAL, false};
    for (size_t i = 0; of && i < store->proxies.count; i++) {
        const proxy *p = &store->proxies.data[i];
        lightest *here = &of[p->material];
        here->used = true;
        if (store->immovable.data[p->body])
            continue;
        here->mass = fmin(here->mass, store->mass.data[p->body]);
        here->radius = fmin(here->radius, proxy_roundness(&store->proxies.data[i]));
    }
    return of;
}

// The longest step that is stable for one contact alone; 0 when the law is not given.
static double bearable_step(const scree_world *world, size_t pair, double mass, double radius)
{
    const law_row *row = &penalty_of(world)->laws.data[pair];
    double k, c;
    if (world->def.penalty.law == SCREE_CONTACT_LAW_HERTZ) {
        k = (double)row->stiffness[0] * sqrt(foreseen_overlap) * radius;
        c = (double)row->damping[2] * sqrt(k * mass);
    } else {
        k = (double)row->stiffness[0] + (double)row->stiffness[1] * mass;
        c = (double)row->damping[0] + (double)row->damping[1] * mass + (double)row->damping[2] * sqrt(mass);
    }
    if (!(k > 0))
        return 0;
    double ratio = c / (2 * sqrt(k * mass));
    return 2 * sqrt(mass / k) * (sqrt(1 + ratio * ratio) - ratio);
}

// Lowers *longest to what the two materials bear.
static scree_status check_law(const scree_world *world, size_t a, size_t b, const lightest *of, double *longest,
                              scree_error *error)
{
    bool alone = world->movable_count < 2;
    double inverse = 1 / of[a].mass + (alone && isfinite(of[a].mass) ? 0 : 1 / of[b].mass);
    double curvature = 1 / of[a].radius + 1 / of[b].radius;
    double step = bearable_step(world, a * world->materials.count + b, 1 / inverse, 1 / curvature);
    bool hertz = world->def.penalty.law == SCREE_CONTACT_LAW_HERTZ;
    if (step == 0)
        return fail(error, SCREE_ERROR_INVALID,
                    "materials %zu and %zu have no contact law: the penalty method needs %s", a, b,
                    hertz ? "a Young's modulus"
                          : "a stiffness or a contact time, or penalty.law: hertz, which takes a Young's modulus");
    *longest = fmin(*longest, step);
    if (world->def.step > step)
        return fail(error, SCREE_ERROR_INVALID,
                    "time step is %g, but a contact of the lightest bodies of materials %zu and %zu is stable up to "
                    "%g only; a tenth of that is accurate",
                    world->def.step, a, b, step);
    return SCREE_OK;
}

static scree_status check_laws(scree_world *world, double *longest, scree_error *error)
{
    *longest = HUGE_VAL;
    arena_reset(&world->scratch);
    const lightest *of = find_lightest(world);
    if (!of)
        return fail_no_memory(error);
    for (size_t a = 0; a < world->materials.count; a++)
        for (size_t b = a; b < world->materials.count; b++) {
            if (!of[a].used || !of[b].used || (isinf(of[a].mass) && isinf(of[b].mass)))
                continue;
            scree_status status = check_law(world, a, b, of, longest, error);
            if (status)
                return status;
        }
    return SCREE_OK;
}

scree_status penalty_make_laws(scree_world *world, scree_error *error)
{
    penalty *of = penalty_of(world);
    bool known = world->pairs_noted && of->laws.count == world->pairs.count;
    if (known && of->checked_bodies == world->bodies.count)
        return SCREE_OK;
    if (!known) {
        note_pairs(world);
        if (!array_resize(&of->laws, world->pairs.count))
            return fail_no_memory(error);
        make_rows(world);
        of->stale = true;
    }
    scree_status status = check_laws(world, &of->longest_step, error);
    of->checked_bodies = status ? SIZE_MAX : world->bodies.count;
    return status;
}
