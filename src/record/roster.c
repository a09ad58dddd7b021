#include "record/roster.h"

#include "base/error.h"

scree_status roster_read(body_roster *to, const scree_world *world, scree_error *error)
{
    size_t count = scree_world_body_count(world);
    id_array all = {0};
    if (!array_resize(&all, count))
        return fail_no_memory(error);
    scree_world_body_ids(world, all.data);
    to->moving.count = to->fixed.count = 0;
    scree_status status = SCREE_OK;
    for (size_t i = 0; status == SCREE_OK && i < count; i++) {
        scree_body_info info;
        status = scree_world_get_body(world, all.data[i], &info, error);
        if (status == SCREE_OK && !array_push(info.fixed ? &to->fixed : &to->moving, all.data[i]))
            status = fail_no_memory(error);
    }
    array_free(&all);
    return status;
}

void roster_free(body_roster *from)
{
    array_free(&from->moving);
    array_free(&from->fixed);
}
