// Complaints: all that is wrong with a scene, in the order in which it is read, for a user who would rather mend it at
// once than error by error.
#ifndef SCENE_COMPLAINTS_H
#define SCENE_COMPLAINTS_H

#include <string.h>

#include "base/array.h"
#include "scree/scene.h"

enum { MOST_COMPLAINTS = 100 }; // more would help nobody

typedef struct complaint_list {
    scree_error *data;
    size_t count, capacity;
    size_t refusals; // with those that are on the list already
} complaint_list;

// As scree_scene_load. What is refused is put on the list, and reading goes on behind it; any complaint makes the
// result SCREE_ERROR_INVALID with the first one in `error`. The list may be NULL: the first refusal ends the reading.
scree_status scene_load_listing(const char *path, const char *const *sets, size_t set_count, complaint_list *all,
                                scree_scene **scene, scree_error *error);

// As scree_scene_build, in the same way: bodies, fills and joints that the engine refuses.
scree_status scene_build_listing(const scree_scene *scene, int threads, complaint_list *all, scree_world **world,
                                 scree_error *error);

// Puts an error on the list, once: a part of a scene that is used again by its anchor is wrong in the same place. False
// when out of memory.
static inline bool complaints_add(complaint_list *all, const scree_error *error)
{
    all->refusals++;
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->data[i].message, error->message) == 0)
            return true;
    return array_push(all, *error);
}

// Puts an error on the list; `status` is handed on when it must end the reading all the same: the list is NULL or full,
// or it is no refusal.
static inline scree_status complain_and_go_on(complaint_list *all, scree_status status, const scree_error *error)
{
    if (!all || status != SCREE_ERROR_INVALID || all->count >= MOST_COMPLAINTS)
        return status;
    return complaints_add(all, error) ? SCREE_OK : SCREE_ERROR_NO_MEMORY;
}

#endif
