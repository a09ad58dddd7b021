#include "world/pushes.h"

#include "base/search.h"
#include "base/sort.h"
#include "world/id_map.h"

static int compare_pushes(const void *a, const void *b)
{
    uint32_t x = ((const body_push *)a)->slot, y = ((const body_push *)b)->slot;
    return (x > y) - (x < y);
}

enum { LARGE = 256 };

void pushes_clear(body_pushes *pushes)
{
    if (pushes->capacity > LARGE && pushes->count < pushes->capacity / 8)
        array_free(pushes);
    pushes->count = 0;
}

bool pushes_note(body_pushes *pushes, uint32_t slot, vec3 path)
{
    if (path.x == 0 && path.y == 0 && path.z == 0)
        return true;
    return array_push(pushes, ((body_push){path, slot, 0}));
}

void pushes_sort(body_pushes *pushes)
{
    sort_items(pushes->data, pushes->count, sizeof *pushes->data, compare_pushes);
}

vec3 pushes_path(const body_pushes *pushes, uint32_t slot)
{
    size_t at = lower_bound_u32(pushes->data, pushes->count, sizeof *pushes->data, offsetof(body_push, slot), slot);
    bool found = at < pushes->count && pushes->data[at].slot == slot;
    return found ? pushes->data[at].path : vec3_make(0, 0, 0);
}

void pushes_follow_bodies(body_pushes *pushes, const uint32_t *new_slot)
{
    size_t kept = 0;
    for (size_t i = 0; i < pushes->count; i++) {
        uint32_t slot = new_slot[pushes->data[i].slot];
        if (slot != NO_SLOT)
            pushes->data[kept++] = (body_push){pushes->data[i].path, slot, 0};
    }
    pushes->count = kept;
    pushes_sort(pushes);
}
