// Making worlds, materials and their pairs.
#include "dynamics/penalty.h"
#include "dynamics/sleep.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/threads.h"

enum { MOST_THREADS = 1024 };

scree_world_def scree_default_world_def(void)
{
    return (scree_world_def){
        .gravity = {0, 0, -9.81},
        .step = 0.005,
        .contacts_per_pair = 8,
        .solver = {.algorithm = SCREE_AUTO,
                   .iterations = 50,
                   .tolerance = 1e-4,
                   .precision = SCREE_SINGLE,
                   .warm_start = true,
                   .omega = 0.2,
                   .lambda = 1},
        .penalty = {.tangential_stiffness = 2.0 / 7, .tangential_damping = 2.0 / 7},
    };
}

static scree_status check_solver(const scree_solver_def *solver, scree_error *error)
{
    if ((unsigned)solver->algorithm > SCREE_NEWTON)
        return fail(error, SCREE_INVALID, "solver algorithm %d is unknown", (int)solver->algorithm);
    if ((unsigned)solver->friction > SCREE_FRICTION_EXACT)
        return fail(error, SCREE_INVALID, "solver friction law %d is unknown", (int)solver->friction);
    if (solver->precision != SCREE_SINGLE && solver->precision != SCREE_DOUBLE)
        return fail(error, SCREE_INVALID, "solver precision %d is unknown", (int)solver->precision);
    if ((unsigned)solver->sleep > SCREE_SLEEP_ON)
        return fail(error, SCREE_INVALID, "solver sleep %d is unknown", (int)solver->sleep);
    if (solver->iterations < 1)
        return fail(error, SCREE_INVALID, "solver iterations are %d, must be at least 1", solver->iterations);
    if (!(solver->tolerance >= 0))
        return fail(error, SCREE_INVALID, "solver tolerance is %g, must be at least 0", solver->tolerance);
    if (!(solver->recovery_speed >= 0 && isfinite(solver->recovery_speed)))
        return fail(error, SCREE_INVALID, "solver recovery speed is %g, must be at least 0", solver->recovery_speed);
    if (!(solver->omega > 0 && isfinite(solver->omega)))
        return fail(error, SCREE_INVALID, "solver omega is %g, must be greater than 0", solver->omega);
    if (!(solver->lambda > 0 && solver->lambda <= 1))
        return fail(error, SCREE_INVALID, "solver lambda is %g, must be in (0, 1]", solver->lambda);
    return SCREE_OK;
}

static scree_status check_penalty(const scree_penalty_def *def, scree_error *error)
{
    if ((unsigned)def->law > SCREE_LAW_HERTZ)
        return fail(error, SCREE_INVALID, "contact law %d is unknown", (int)def->law);
    if ((unsigned)def->integrator > SCREE_INTEGRATOR_EULER)
        return fail(error, SCREE_INVALID, "integrator %d is unknown", (int)def->integrator);
    const struct {
        const char *name;
        double value;
    } amounts[] = {{"tangential stiffness", def->tangential_stiffness},
                   {"tangential damping", def->tangential_damping},
                   {"terminal velocity", def->terminal_velocity}};
    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++)
        if (!(amounts[i].value >= 0 && isfinite(amounts[i].value)))
            return fail(error, SCREE_INVALID, "penalty %s is %g, must be at least 0", amounts[i].name,
                        amounts[i].value);
    return SCREE_OK;
}

static scree_status check_world(const scree_world_def *def, scree_error *error)
{
    if (!method_exists(def->method))
        return fail(error, SCREE_INVALID, "method %d is unknown", (int)def->method);
    if (!vec3_finite(def->gravity))
        return fail(error, SCREE_INVALID, "gravity must be finite");
    if (!(def->step > 0 && isfinite(def->step)))
        return fail(error, SCREE_INVALID, "time step is %g, must be greater than 0", def->step);
    if (def->threads < 0 || def->threads > MOST_THREADS)
        return fail(error, SCREE_INVALID, "threads are %d, must be 0 (all) to %d", def->threads, MOST_THREADS);
    if (def->contacts_per_pair < 1)
        return fail(error, SCREE_INVALID, "contacts per pair are %d, must be at least 1", def->contacts_per_pair);
    scree_status status = check_penalty(&def->penalty, error);
    return status ? status : check_solver(&def->solver, error);
}

scree_status scree_world_create(const scree_world_def *def, scree_world **world, scree_error *error)
{
    scree_status status = check_world(def, error);
    if (status)
        return status;
    scree_world *made = calloc(1, sizeof *made);
    if (!made)
        return fail_no_memory(error);
    made->def = *def;
    made->gravity = vec3_length(def->gravity);
    made->threads = def->threads ? def->threads : threads_available();
    made->workers = calloc((size_t)made->threads, sizeof *made->workers);
    scree_material_def material = scree_default_material_def();
    int index;
    if (!made->workers || !body_store_init(&made->bodies) ||
        scree_world_add_material(made, &material, &index, NULL) != SCREE_OK) {
        scree_world_destroy(made);
        return fail_no_memory(error);
    }
    *world = made;
    return SCREE_OK;
}

void scree_world_destroy(scree_world *world)
{
    if (!world)
        return;
    body_store_free(&world->bodies);
    array_free(&world->joints.list);
    array_free(&world->materials);
    array_free(&world->pairs);
    array_free(&world->motions);
    array_free(&world->forces);
    array_free(&world->apart);
    world_tree_free(&world->tree);
    array_free(&world->contacts);
    penalty_free(world->penalty);
    array_free(&world->touching);
    array_free(&world->begun);
    array_free(&world->ended);
    arena_free(&world->scratch);
    for (int i = 0; world->workers && i < world->threads; i++)
        arena_free(&world->workers[i]);
    free(world->workers);
    free(world);
}

scree_world_def scree_world_get_def(const scree_world *world)
{
    return world->def;
}

// -------------------------------------------------------------------------------------------------------- materials

scree_material_def scree_default_material_def(void)
{
    return (scree_material_def){.density = 2500, .friction = 0.5, .poisson_ratio = 0.3};
}

static scree_status check_amount(const char *name, double value, scree_error *error)
{
    if (!(value >= 0 && isfinite(value)))
        return fail(error, SCREE_INVALID, "material %s is %g, must be at least 0", name, value);
    return SCREE_OK;
}

static scree_status check_pair(const scree_pair_def *def, scree_error *error)
{
    if (!(def->restitution >= 0 && def->restitution <= 1))
        return fail(error, SCREE_INVALID, "material restitution is %g, must be in [0, 1]", def->restitution);
    const struct {
        const char *name;
        double value;
    } amounts[] = {{"friction", def->friction},
                   {"rolling friction", def->rolling_friction},
                   {"spinning friction", def->spinning_friction},
                   {"cohesion", def->cohesion},
                   {"stiffness", def->stiffness},
                   {"damping", def->damping},
                   {"contact time", def->contact_time},
                   {"contact modulus", def->contact_modulus},
                   {"shear modulus", def->shear_modulus}};
    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++) {
        scree_status status = check_amount(amounts[i].name, amounts[i].value, error);
        if (status)
            return status;
    }
    if (def->damping > 0 && def->stiffness == 0)
        return fail(error, SCREE_INVALID, "material damping is %g, must be 0 without a stiffness", def->damping);
    return SCREE_OK;
}

static scree_status check_material(const scree_material_def *def, scree_error *error)
{
    if (!(def->density > 0 && isfinite(def->density)))
        return fail(error, SCREE_INVALID, "material density is %g, must be greater than 0", def->density);
    if (!(def->youngs_modulus >= 0 && isfinite(def->youngs_modulus)))
        return fail(error, SCREE_INVALID, "material Young's modulus is %g, must be at least 0", def->youngs_modulus);
    if (!(def->poisson_ratio >= 0 && def->poisson_ratio <= 0.5))
        return fail(error, SCREE_INVALID, "material Poisson's ratio is %g, must be in [0, 0.5]", def->poisson_ratio);
    scree_pair_def with_itself = {.friction = def->friction,
                                  .restitution = def->restitution,
                                  .rolling_friction = def->rolling_friction,
                                  .spinning_friction = def->spinning_friction,
                                  .cohesion = def->cohesion,
                                  .stiffness = def->stiffness,
                                  .damping = def->damping,
                                  .contact_time = def->contact_time};
    return check_pair(&with_itself, error);
}

// Two springs share an approach in the inverse ratio of their stiffnesses; each damper takes the square of its share of
// the speed. What is rigid leaves all of it to the other.
static void combine_springs(const scree_material_def *a, const scree_material_def *b, scree_pair_def *pair)
{
    if (a->stiffness == 0 || b->stiffness == 0) {
        pair->stiffness = a->stiffness + b->stiffness;
        pair->damping = a->damping + b->damping;
        return;
    }
    double sum = a->stiffness + b->stiffness, share_a = b->stiffness / sum, share_b = a->stiffness / sum;
    pair->stiffness = a->stiffness * share_a;
    pair->damping = a->damping * share_a * share_a + b->damping * share_b * share_b;
}

// Moduli likewise; 0 when both are rigid.
static void combine_moduli(const scree_material_def *a, const scree_material_def *b, scree_pair_def *pair)
{
    const scree_material_def *of[2] = {a, b};
    double normal = 0, shear = 0; // compliances
    for (int i = 0; i < 2; i++) {
        double nu = of[i]->poisson_ratio, modulus = of[i]->youngs_modulus;
        normal += modulus > 0 ? (1 - nu * nu) / modulus : 0;
        shear += modulus > 0 ? 2 * (2 - nu) * (1 + nu) / modulus : 0;
    }
    pair->contact_modulus = normal > 0 ? 1 / normal : 0;
    pair->shear_modulus = shear > 0 ? 1 / shear : 0;
}

scree_pair_def scree_combine_materials(const scree_material_def *a, const scree_material_def *b)
{
    scree_pair_def pair = {.friction = sqrt(a->friction * b->friction),
                           .restitution = fmax(a->restitution, b->restitution),
                           .rolling_friction = fmax(a->rolling_friction, b->rolling_friction),
                           .spinning_friction = fmax(a->spinning_friction, b->spinning_friction),
                           .cohesion = sqrt(a->cohesion * b->cohesion),
                           .contact_time = fmax(a->contact_time, b->contact_time)};
    combine_springs(a, b, &pair);
    combine_moduli(a, b, &pair);
    return pair;
}

static pair_properties pair_from_def(const scree_pair_def *def, bool overridden)
{
    return (pair_properties){.friction = (float)def->friction,
                             .restitution = (float)def->restitution,
                             .rolling = (float)def->rolling_friction,
                             .spinning = (float)def->spinning_friction,
                             .cohesion = (float)def->cohesion,
                             .stiffness = (float)def->stiffness,
                             .damping = (float)def->damping,
                             .contact_time = (float)def->contact_time,
                             .contact_modulus = (float)def->contact_modulus,
                             .shear_modulus = (float)def->shear_modulus,
                             .overridden = overridden};
}

static scree_pair_def pair_to_def(const pair_properties *pair)
{
    return (scree_pair_def){.friction = (double)pair->friction,
                            .restitution = (double)pair->restitution,
                            .rolling_friction = (double)pair->rolling,
                            .spinning_friction = (double)pair->spinning,
                            .cohesion = (double)pair->cohesion,
                            .stiffness = (double)pair->stiffness,
                            .damping = (double)pair->damping,
                            .contact_time = (double)pair->contact_time,
                            .contact_modulus = (double)pair->contact_modulus,
                            .shear_modulus = (double)pair->shear_modulus};
}

static void combine_pair(scree_world *world, int a, int b)
{
    pair_properties *pair = &world->pairs.data[pair_index(world, a, b)];
    if (pair->overridden)
        return;
    scree_pair_def def = scree_combine_materials(&world->materials.data[a], &world->materials.data[b]);
    *pair = pair_from_def(&def, false);
}

static scree_status check_index(const scree_world *world, int material, scree_error *error)
{
    if (material < 0 || (size_t)material >= world->materials.count)
        return fail(error, SCREE_INVALID, "material %d does not exist; there are 0 to %zu", material,
                    world->materials.count - 1);
    return SCREE_OK;
}

scree_status scree_world_set_material(scree_world *world, int material, const scree_material_def *def,
                                      scree_error *error)
{
    scree_status status = check_index(world, material, error);
    if (!status)
        status = check_material(def, error);
    if (status)
        return status;
    world->materials.data[material] = *def;
    wake_all(world);
    for (int i = 0; i < (int)world->materials.count; i++) {
        combine_pair(world, i, material);
        combine_pair(world, material, i);
    }
    world->pairs_noted = false;
    return SCREE_OK;
}

scree_status scree_world_add_material(scree_world *world, const scree_material_def *def, int *material,
                                      scree_error *error)
{
    scree_status status = check_material(def, error);
    if (status)
        return status;
    size_t old = world->materials.count, n = old + 1;
    if (n > MOST_MATERIALS)
        return fail(error, SCREE_INVALID, "there are %d materials already, which is the most", MOST_MATERIALS);
    if (!array_reserve(&world->materials, n) || !array_reserve(&world->pairs, n * n))
        return fail_no_memory(error);
    for (size_t i = old; i-- > 0;) // rows grow by one entry, so the last row moves first
        memmove(&world->pairs.data[i * n], &world->pairs.data[i * old], old * sizeof *world->pairs.data);
    world->materials.data[old] = *def;
    world->materials.count = n;
    world->pairs.count = n * n;
    for (size_t i = 0; i < n; i++) {
        world->pairs.data[i * n + old].overridden = false;
        world->pairs.data[old * n + i].overridden = false;
        combine_pair(world, (int)i, (int)old);
        combine_pair(world, (int)old, (int)i);
    }
    world->pairs_noted = false;
    *material = (int)old;
    return SCREE_OK;
}

scree_status scree_world_set_pair(scree_world *world, int material_a, int material_b, const scree_pair_def *def,
                                  scree_error *error)
{
    scree_status status = check_index(world, material_a, error);
    if (!status)
        status = check_index(world, material_b, error);
    if (status)
        return status;
    status = check_pair(def, error);
    if (status)
        return status;
    pair_properties pair = pair_from_def(def, true);
    world->pairs.data[pair_index(world, material_a, material_b)] = pair;
    world->pairs.data[pair_index(world, material_b, material_a)] = pair;
    world->pairs_noted = false;
    return SCREE_OK;
}

scree_status scree_world_get_pair(const scree_world *world, int material_a, int material_b, scree_pair_def *def,
                                  scree_error *error)
{
    scree_status status = check_index(world, material_a, error);
    if (!status)
        status = check_index(world, material_b, error);
    if (status)
        return status;
    const pair_properties *pair = &world->pairs.data[pair_index(world, material_a, material_b)];
    *def = pair_to_def(pair);
    return SCREE_OK;
}

size_t scree_world_material_count(const scree_world *world)
{
    return world->materials.count;
}

scree_status scree_world_get_material(const scree_world *world, int material, scree_material_def *def,
                                      scree_error *error)
{
    scree_status status = check_index(world, material, error);
    if (!status)
        *def = world->materials.data[material];
    return status;
}
