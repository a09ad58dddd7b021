// Materials and their pairs.
#include "world/materials.h"

#include "base/error.h"
#include "world/wake.h"

scree_material_def scree_default_material_def(void)
{
    return (scree_material_def){.density = 2500, .friction = 0.5, .poisson_ratio = 0.3};
}

static scree_status check_amount(const char *name, double value, scree_error *error)
{
    if (!(value >= 0 && isfinite(value)))
        return fail(error, SCREE_ERROR_INVALID, "material %s is %g, must be at least 0", name, value);
    return SCREE_OK;
}

static scree_status check_pair(const scree_pair_def *def, scree_error *error)
{
    if (!(def->restitution >= 0 && def->restitution <= 1))
        return fail(error, SCREE_ERROR_INVALID, "material restitution is %g, must be in [0, 1]", def->restitution);
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
        return fail(error, SCREE_ERROR_INVALID, "material damping is %g, must be 0 without a stiffness", def->damping);
    return SCREE_OK;
}

static scree_status check_material(const scree_material_def *def, scree_error *error)
{
    if (!(def->density > 0 && isfinite(def->density)))
        return fail(error, SCREE_ERROR_INVALID, "material density is %g, must be greater than 0", def->density);
    if (!(def->youngs_modulus >= 0 && isfinite(def->youngs_modulus)))
        return fail(error, SCREE_ERROR_INVALID, "material Young's modulus is %g, must be at least 0",
                    def->youngs_modulus);
    if (!(def->poisson_ratio >= 0 && def->poisson_ratio <= 0.5))
        return fail(error, SCREE_ERROR_INVALID, "material Poisson's ratio is %g, must be in [0, 0.5]",
                    def->poisson_ratio);
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

// Combines moduli as springs are; 0 when both are rigid.
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
    if (!a || !b)
        return (scree_pair_def){0};
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

// What both have, by its name in pair_properties and in scree_pair_def.
#define PAIR_VALUES(X)                                                                                                 \
    X(friction, friction)                                                                                              \
    X(restitution, restitution)                                                                                        \
    X(rolling, rolling_friction)                                                                                       \
    X(spinning, spinning_friction)                                                                                     \
    X(cohesion, cohesion)                                                                                              \
    X(stiffness, stiffness)                                                                                            \
    X(damping, damping)                                                                                                \
    X(contact_time, contact_time)                                                                                      \
    X(contact_modulus, contact_modulus)                                                                                \
    X(shear_modulus, shear_modulus)

static pair_properties pair_from_def(const scree_pair_def *def, bool overridden)
{
    pair_properties pair = {.overridden = overridden};
#define TAKE(of_pair, of_def) pair.of_pair = (float)def->of_def;
    PAIR_VALUES(TAKE)
#undef TAKE
    return pair;
}

static scree_pair_def pair_to_def(const pair_properties *pair)
{
    scree_pair_def def = {0};
#define GIVE(of_pair, of_def) def.of_def = (double)pair->of_pair;
    PAIR_VALUES(GIVE)
#undef GIVE
    return def;
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
        return fail(error, SCREE_ERROR_INVALID, "material %d does not exist; there are 0 to %zu", material,
                    world->materials.count - 1);
    return SCREE_OK;
}

scree_status scree_world_set_material(scree_world *world, int material, const scree_material_def *def,
                                      scree_error *error)
{
    if (!world || !def)
        return fail_null(error, "scree_world_set_material");
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
    if (!world || !def || !material)
        return fail_null(error, "scree_world_add_material");
    scree_status status = check_material(def, error);
    if (status)
        return status;
    size_t old = world->materials.count, n = old + 1;
    if (n > MOST_MATERIALS)
        return fail(error, SCREE_ERROR_INVALID, "there are %d materials already, which is the most", MOST_MATERIALS);
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
    if (!world || !def)
        return fail_null(error, "scree_world_set_pair");
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
    wake_all(world);
    world->pairs_noted = false;
    return SCREE_OK;
}

scree_status scree_world_get_pair(const scree_world *world, int material_a, int material_b, scree_pair_def *def,
                                  scree_error *error)
{
    if (!world || !def)
        return fail_null(error, "scree_world_get_pair");
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
    if (!world)
        return 0;
    return world->materials.count;
}

scree_status scree_world_get_material(const scree_world *world, int material, scree_material_def *def,
                                      scree_error *error)
{
    if (!world || !def)
        return fail_null(error, "scree_world_get_material");
    scree_status status = check_index(world, material, error);
    if (!status)
        *def = world->materials.data[material];
    return status;
}

void note_pairs(scree_world *world)
{
    if (world->pairs_noted)
        return;
    world->cohesive = world->extended = world->bouncy = false;
    for (size_t i = 0; i < world->pairs.count; i++) {
        const pair_properties *pair = &world->pairs.data[i];
        world->cohesive |= pair->cohesion > 0;
        world->bouncy |= pair->restitution > 0;
        world->extended |= pair->rolling > 0 || pair->spinning > 0 || pair->stiffness > 0;
    }
    world->pairs_noted = true;
}
