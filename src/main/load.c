// The last override wins, so the one that a command adds stands after those of the user.
#include "main/load.h"

#include "base/array.h"
#include "base/error.h"

scree_status load_scene_with(const char *path, const option_list *sets, const char *one_more, scree_scene **scene,
                             scree_error *error)
{
    option_list all = {0};
    if (!array_reserve(&all, sets->count + 1))
        return fail_no_memory(error);
    for (size_t i = 0; i < sets->count; i++)
        all.data[all.count++] = sets->data[i];
    if (one_more)
        all.data[all.count++] = one_more;
    scree_status status = scree_scene_load(path, all.data, all.count, scene, error);
    array_free(&all);
    return status;
}
