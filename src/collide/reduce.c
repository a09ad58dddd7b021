#include "collide/reduce.h"

#include <string.h>

// So many points span the patch without regard to where the deepest lies, or a corner beside it would be left out.
enum { CORNERS = 4 };

// A difference of normals of this many radians counts as much as the whole width of the contact patch.
static const double angle_of_width = 0.5;

// A point that carried an impulse counts as if it were twice as far from those picked.
static const double habit = 4;

// Points that are farther from touching than the deepest by this part of the patch's width count half.
static const double gap_of_half = 0.02;

void contact_turn(const proxy_view *view, contact *c)
{
    vec3 between = vec3_sub(view->centers[c->a], view->centers[c->b]);
    c->arm = vec3f_from(vec3_add(vec3_from_f(c->arm), vec3_add(between, vec3_from_f(c->shift))));
    c->shift = (vec3f){-c->shift.x, -c->shift.y, -c->shift.z};
    c->normal = (vec3f){-c->normal.x, -c->normal.y, -c->normal.z};
    c->impulse = (vec3f){-c->impulse.x, -c->impulse.y, -c->impulse.z};
    uint32_t body = c->a;
    c->a = c->b;
    c->b = body;
    uint16_t material = c->material_a;
    c->material_a = c->material_b;
    c->material_b = material;
}

// ---------------------------------------------------------------------------------------------------------- picking

static double square_distance(vec3f a, vec3f b)
{
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return x * x + y * y + z * z;
}

static size_t deepest_point(const contact *points, size_t count)
{
    size_t deepest = 0;
    for (size_t i = 1; i < count; i++)
        if (points[i].gap < points[deepest].gap)
            deepest = i;
    return deepest;
}

static double patch_square(const contact *points, size_t count)
{
    double largest = 0;
    for (size_t i = 1; i < count; i++)
        largest = fmax(largest, square_distance(points[i].arm, points[0].arm));
    return largest;
}

static bool has_memory(const contact *c)
{
    return c->impulse.x != 0 || c->impulse.y != 0 || c->impulse.z != 0;
}

typedef struct pick_scale {
    double per_angle; // square of length for a squared difference of normals
    double per_gap;   // 1 / length
    double least_gap;
} pick_scale;

// The worth that a point adds to those picked so far, `nearest` being its squared distance to the nearest of them.
static double pick_merit(const pick_scale *scale, const contact *c, double nearest)
{
    double weight = 1 / (1 + ((double)c->gap - scale->least_gap) * scale->per_gap);
    return nearest * weight * weight * (has_memory(c) ? habit : 1);
}

size_t contacts_pick(contact *points, size_t count, size_t most)
{
    if (count <= most)
        return count;
    double square = patch_square(points, count), width = sqrt(square);
    size_t chosen = deepest_point(points, count);
    pick_scale scale = {square / (angle_of_width * angle_of_width), width > 0 ? 1 / (gap_of_half * width) : 0,
                        (double)points[chosen].gap};
    // Picked points move to the front; the rest keep their order, so that ties are always settled alike.
    for (size_t picked = 0;;) {
        contact taken = points[chosen];
        memmove(&points[picked + 1], &points[picked], (chosen - picked) * sizeof *points);
        points[picked++] = taken;
        if (picked == most)
            return most;
        double best = -1;
        chosen = picked; // what is not a number has no merit, but something must be picked
        for (size_t i = picked; i < count; i++) {
            double nearest = HUGE_VAL;
            for (size_t k = picked > 1 && picked <= CORNERS ? 1 : 0; k < picked; k++)
                nearest = fmin(nearest, square_distance(points[i].arm, points[k].arm) +
                                            scale.per_angle * square_distance(points[i].normal, points[k].normal));
            double merit = pick_merit(&scale, &points[i], nearest);
            if (merit > best) {
                best = merit;
                chosen = i;
            }
        }
    }
}

// -------------------------------------------------------------------------------------------------------- gathering

// Whether the pair should be seen from its other body.
static bool wants_turning(const proxy_view *view, const uint8_t *is_compound, const contact *c)
{
    bool a = is_compound[c->a] && !view->immovable[c->a], b = is_compound[c->b] && !view->immovable[c->b];
    return b && (!a || body_is_before(view, c->b, c->a));
}

// A stable counting sort by slot of a.
static bool sort_by_first(contact *contacts, size_t count, size_t bodies, contact *sorted, arena *scratch)
{
    uint32_t *start = arena_array(scratch, uint32_t, bodies + 1);
    if (!start)
        return false;
    memset(start, 0, (bodies + 1) * sizeof *start);
    for (size_t i = 0; i < count; i++)
        start[contacts[i].a + 1]++;
    for (size_t b = 0; b < bodies; b++)
        start[b + 1] += start[b];
    for (size_t i = 0; i < count; i++)
        sorted[start[contacts[i].a]++] = contacts[i];
    memcpy(contacts, sorted, count * sizeof *contacts);
    return true;
}

static int compare_floats(const float *a, const float *b, int count)
{
    for (int i = 0; i < count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

// By the second body, and within a pair by what the points are: some of them were turned, and stood elsewhere before.
static bool comes_before(const proxy_view *view, const contact *x, const contact *y)
{
    if (x->b != y->b)
        return body_is_before(view, x->b, y->b);
    if (x->feature != y->feature)
        return x->feature < y->feature;
    const float of_x[4] = {x->gap, x->arm.x, x->arm.y, x->arm.z}, of_y[4] = {y->gap, y->arm.x, y->arm.y, y->arm.z};
    return compare_floats(of_x, of_y, 4) < 0;
}

// Stable, by merging runs; `other` has room for as many.
static void sort_by_second(const proxy_view *view, contact *contacts, size_t count, contact *other)
{
    for (size_t run = 1; run < count; run *= 2)
        for (size_t begin = 0; begin + run < count; begin += 2 * run) {
            size_t end = begin + 2 * run < count ? begin + 2 * run : count;
            size_t left = 0, right = begin + run, to = begin;
            if (!comes_before(view, &contacts[right], &contacts[right - 1]))
                continue;
            memcpy(other, contacts + begin, run * sizeof *contacts);
            while (left < run && right < end)
                contacts[to++] = comes_before(view, &contacts[right], &other[left]) ? contacts[right++] : other[left++];
            memcpy(contacts + to, other + left, (run - left) * sizeof *contacts);
        }
}

bool contacts_gather(const proxy_view *view, const uint8_t *is_compound, contact *contacts, size_t count,
                     arena *scratch)
{
    bool turned = false;
    for (size_t i = 0; i < count; i++)
        if (wants_turning(view, is_compound, &contacts[i])) {
            contact_turn(view, &contacts[i]);
            turned = true;
        }
    contact *other = arena_array(scratch, contact, count);
    if (!other || (turned && !sort_by_first(contacts, count, view->body_count, other, scratch)))
        return false;
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && contacts[end].a == contacts[begin].a;)
            end++;
        if (is_compound[contacts[begin].a])
            sort_by_second(view, contacts + begin, end - begin, other);
    }
    return true;
}
