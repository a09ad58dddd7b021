// A new world, by the method that its definition names.
#include "base/error.h"
#include "step/methods.h"
#include "step/settings.h"

scree_world_def scree_default_world_def(void)
{
    scree_world_def def = {
        .gravity = {0, 0, -9.81},
        .step = 0.005,
        .contacts_per_pair = 8,
        .solver = {.algorithm = SCREE_ALGORITHM_AUTO,
                   .friction = SCREE_FRICTION_EXACT,
                   .iterations = 50,
                   .tolerance = 1e-4,
                   .precision = SCREE_PRECISION_SINGLE,
                   .warm_start = true,
                   .omega = 0.2,
                   .lambda = 1},
    };
    settings_set_defaults(&def);
    return def;
}

scree_status scree_world_create(const scree_world_def *def, scree_world **world, scree_error *error)
{
    if (!def || !world)
        return fail_null(error, "scree_world_create");
    const method *by = method_numbered((uint64_t)def->method);
    if (!by)
        return fail(error, SCREE_ERROR_INVALID, "method %d is unknown", (int)def->method);
    scree_status status = settings_check(def, error);
    return status ? status : world_make(def, by, world, error);
}
