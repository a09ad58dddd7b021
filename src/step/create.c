// A new world, by the method that its definition names.
#include "base/error.h"
#include "step/methods.h"

scree_status scree_world_create(const scree_world_def *def, scree_world **world, scree_error *error)
{
    if (!def || !world)
        return fail_null(error, "scree_world_create");
    const method *by = method_numbered((uint64_t)def->method);
    if (!by)
        return fail(error, SCREE_ERROR_INVALID, "method %d is unknown", (int)def->method);
    return world_make(def, by, world, error);
}
