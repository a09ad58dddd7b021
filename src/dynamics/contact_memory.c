#include "dynamics/contact_memory.h"

#include <float.h>

enum { MOST_POINTS = 32 }; // of one pair that are matched; more start from zero

bool memory_take(contact_memory *memory, const contact_array *contacts, size_t body_count, bool one_sided, int threads,
                 arena *scratch)
{
    memory->one_sided = one_sided;
    memory->contacts = arena_array(scratch, remembered_contact, contacts->count);
    memory->others = arena_array(scratch, uint32_t, contacts->count);
    memory->start = arena_array(scratch, uint32_t, body_count + 1);
    if (!memory->contacts || !memory->others || !memory->start)
        return false;
    const contact *all = contacts->data;
    size_t count = contacts->count;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t i = 0; i < count; i++) {
        memory->contacts[i] = (remembered_contact){all[i].feature, all[i].arm, all[i].impulse};
        memory->others[i] = all[i].b;
        for (size_t body = i > 0 ? (size_t)all[i - 1].a + 1 : 0; body <= all[i].a; body++)
            memory->start[body] = (uint32_t)i;
    }
    for (size_t body = count > 0 ? (size_t)all[count - 1].a + 1 : 0; body <= body_count; body++)
        memory->start[body] = (uint32_t)count;
    return true;
}

typedef struct old_points { // of one pair, as seen from its first body now
    remembered_contact points[MOST_POINTS];
    int count;
} old_points;

static vec3f negated(vec3f v)
{
    return (vec3f){-v.x, -v.y, -v.z};
}

// The pair may have been found from its other side in the last step.
static void find_old_points(const contact_memory *memory, const proxy_view *view, uint32_t a, uint32_t b,
                            old_points *old)
{
    old->count = 0;
    for (uint32_t i = memory->start[a]; i < memory->start[a + 1] && old->count < MOST_POINTS; i++)
        if (memory->others[i] == b)
            old->points[old->count++] = memory->contacts[i];
    if (memory->one_sided && old->count > 0)
        return;
    vec3 between = vec3_sub(view->centres[b], view->centres[a]);
    for (uint32_t i = memory->start[b]; i < memory->start[b + 1] && old->count < MOST_POINTS; i++) {
        if (memory->others[i] != a)
            continue;
        remembered_contact turned = memory->contacts[i];
        turned.arm = vec3f_from(vec3_add(vec3_from_f(turned.arm), between));
        turned.impulse = negated(turned.impulse);
        old->points[old->count++] = turned;
    }
}

static void take_point(old_points *old, int index, contact *c)
{
    c->impulse = old->points[index].impulse;
    old->points[index] = old->points[--old->count];
}

static int find_feature(const old_points *old, uint32_t feature)
{
    for (int i = 0; i < old->count; i++)
        if (old->points[i].feature == feature)
            return i;
    return -1;
}

static int find_nearest(const old_points *old, vec3f arm)
{
    int nearest = -1;
    float least = FLT_MAX;
    for (int i = 0; i < old->count; i++) {
        vec3f p = old->points[i].arm;
        float x = p.x - arm.x, y = p.y - arm.y, z = p.z - arm.z;
        float square = x * x + y * y + z * z;
        if (square < least) {
            least = square;
            nearest = i;
        }
    }
    return nearest;
}

// The same points in the same order: what most pairs at rest have.
static bool recall_same(const old_points *old, contact *contacts, size_t count)
{
    if ((size_t)old->count != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (old->points[i].feature != contacts[i].feature)
            return false;
    for (size_t i = 0; i < count; i++)
        contacts[i].impulse = old->points[i].impulse;
    return true;
}

static void recall_pair(old_points *old, contact *contacts, size_t count)
{
    if (recall_same(old, contacts, count))
        return;
    bool found[MOST_POINTS] = {false};
    for (size_t i = 0; i < count && i < MOST_POINTS; i++) {
        int index = find_feature(old, contacts[i].feature);
        found[i] = index >= 0;
        if (found[i])
            take_point(old, index, &contacts[i]);
    }
    for (size_t i = 0; i < count && i < MOST_POINTS && old->count > 0; i++) {
        int index = found[i] ? -1 : find_nearest(old, contacts[i].arm);
        if (index >= 0)
            take_point(old, index, &contacts[i]);
    }
}

static void recall_features(old_points *old, contact *contacts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int index = find_feature(old, contacts[i].feature);
        contacts[i].impulse = index >= 0 ? old->points[index].impulse : (vec3f){0, 0, 0};
    }
}

typedef void recall_function(old_points *old, contact *contacts, size_t count);

static void recall_pairs(const contact_memory *memory, const proxy_view *view, contact *contacts, size_t count,
                         recall_function *recall)
{
    for (size_t begin = 0, end; begin < count; begin = end) {
        uint32_t a = contacts[begin].a, b = contacts[begin].b;
        for (end = begin + 1; end < count && contacts[end].a == a && contacts[end].b == b;)
            end++;
        old_points old;
        find_old_points(memory, view, a, b, &old);
        recall(&old, contacts + begin, end - begin);
    }
}

void memory_recall(const contact_memory *memory, const proxy_view *view, contact *contacts, size_t count)
{
    recall_pairs(memory, view, contacts, count, recall_pair);
}

void memory_recall_features(const contact_memory *memory, const proxy_view *view, contact *contacts, size_t count)
{
    recall_pairs(memory, view, contacts, count, recall_features);
}
