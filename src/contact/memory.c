#include "contact/memory.h"

#include <float.h>

#include "base/threads.h"

enum { MOST_POINTS = 32 }; // of one pair that are matched; more start from zero
enum { CONTACT_BLOCK = 4096 };

typedef struct memory_task {
    contact_memory *memory;
    const contact *contacts;
} memory_task;

static void take_range(void *context, size_t first, size_t end)
{
    const memory_task *task = context;
    const contact_memory *memory = task->memory;
    const contact *all = task->contacts;
    for (size_t i = first; i < end; i++) {
        memory->contacts[i] = (remembered_contact){all[i].feature, all[i].arm, all[i].impulse};
        memory->others[i] = all[i].b;
        for (size_t body = i > 0 ? (size_t)all[i - 1].a + 1 : 0; body <= all[i].a; body++)
            memory->start[body] = (uint32_t)i;
    }
}

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
    for_ranges(threads, count, CONTACT_BLOCK, take_range, &(memory_task){memory, all});
    for (size_t body = count > 0 ? (size_t)all[count - 1].a + 1 : 0; body <= body_count; body++)
        memory->start[body] = (uint32_t)count;
    return true;
}

typedef struct old_points { // of one pair, as seen from its first body now
    remembered_contact points[MOST_POINTS];
    uint32_t index[MOST_POINTS]; // among the remembered contacts
    bool turned[MOST_POINTS];    // found from its other side: impulses change their sign
    bool taken[MOST_POINTS];
    int count;
} old_points;

static vec3f negated(vec3f v)
{
    return (vec3f){-v.x, -v.y, -v.z};
}

static void add_point(old_points *old, remembered_contact point, uint32_t index, bool turned)
{
    old->points[old->count] = point;
    old->index[old->count] = index;
    old->turned[old->count] = turned;
    old->taken[old->count++] = false;
}

// The pair may have been found from its other side in the last step.
static void find_old_points(const contact_memory *memory, const proxy_view *view, uint32_t a, uint32_t b,
                            old_points *old)
{
    old->count = 0;
    for (uint32_t i = memory->start[a]; i < memory->start[a + 1] && old->count < MOST_POINTS; i++)
        if (memory->others[i] == b)
            add_point(old, memory->contacts[i], i, false);
    if (memory->one_sided && old->count > 0)
        return;
    vec3 between = vec3_sub(view->centers[b], view->centers[a]);
    for (uint32_t i = memory->start[b]; i < memory->start[b + 1] && old->count < MOST_POINTS; i++) {
        if (memory->others[i] != a)
            continue;
        remembered_contact turned = memory->contacts[i];
        turned.arm = vec3f_from(vec3_add(vec3_from_f(turned.arm), between));
        turned.impulse = negated(turned.impulse);
        add_point(old, turned, i, true);
    }
}

static int find_feature(const old_points *old, uint32_t feature)
{
    for (int i = 0; i < old->count; i++)
        if (!old->taken[i] && old->points[i].feature == feature)
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
        if (!old->taken[i] && square < least) {
            least = square;
            nearest = i;
        }
    }
    return nearest;
}

// The same points in the same order: most pairs at rest have them.
static bool match_same(const old_points *old, const contact *contacts, size_t count, int *match)
{
    if ((size_t)old->count != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (old->points[i].feature != contacts[i].feature)
            return false;
        match[i] = (int)i;
    }
    return true;
}

// Which old point each contact was, or -1; of the first MOST_POINTS contacts.
static void match_pair(old_points *old, const contact *contacts, size_t count, int *match)
{
    if (match_same(old, contacts, count, match))
        return;
    for (size_t i = 0; i < count && i < MOST_POINTS; i++) {
        match[i] = find_feature(old, contacts[i].feature);
        if (match[i] >= 0)
            old->taken[match[i]] = true;
    }
    for (size_t i = 0; i < count && i < MOST_POINTS; i++) {
        if (match[i] >= 0)
            continue;
        match[i] = find_nearest(old, contacts[i].arm);
        if (match[i] >= 0)
            old->taken[match[i]] = true;
    }
}

static void recall_pair(old_points *old, contact *contacts, size_t count)
{
    int match[MOST_POINTS];
    match_pair(old, contacts, count, match);
    for (size_t i = 0; i < count && i < MOST_POINTS; i++)
        if (match[i] >= 0)
            contacts[i].impulse = old->points[match[i]].impulse;
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

static void recall_angular_pair(const vec3f *remembered, old_points *old, const contact *contacts, size_t count,
                                vec3f *angular)
{
    int match[MOST_POINTS];
    match_pair(old, contacts, count, match);
    for (size_t i = 0; i < count; i++) {
        bool known = i < MOST_POINTS && match[i] >= 0;
        vec3f impulse = known ? remembered[old->index[match[i]]] : (vec3f){0, 0, 0};
        angular[i] = known && old->turned[match[i]] ? negated(impulse) : impulse;
    }
}

void memory_recall_angular(const contact_memory *memory, const proxy_view *view, const vec3f *remembered,
                           const contact *contacts, size_t count, vec3f *angular)
{
    for (size_t begin = 0, end; begin < count; begin = end) {
        uint32_t a = contacts[begin].a, b = contacts[begin].b;
        for (end = begin + 1; end < count && contacts[end].a == a && contacts[end].b == b;)
            end++;
        old_points old;
        find_old_points(memory, view, a, b, &old);
        recall_angular_pair(remembered, &old, contacts + begin, end - begin, angular + begin);
    }
}

pair_memory memory_of_pair(const contact_memory *memory, const proxy_view *view, const contact *contacts, size_t count)
{
    old_points old;
    find_old_points(memory, view, contacts[0].a, contacts[0].b, &old);
    pair_memory found = {.points = old.count};
    for (size_t i = 0; i < count; i++)
        found.known += find_feature(&old, contacts[i].feature) >= 0;
    return found;
}
