#include "contact/kept_edges.h"

#include <string.h>

#include "collide/narrow/narrow.h"

enum { MOST_POINTS = 8 };

// Overlap or gap in parts of the smallest half edge up to which edges are kept: a point that stands a thousandth of it
// outside a face still counts as one of the face.
static const float shallow = 0.01f;

// How much smaller boxes are taken to be, in parts of that.
static const double shrinking = 4;

static const proxy *single_box(const proxy_view *view, uint32_t body)
{
    uint32_t first = view->first_proxy[body];
    const proxy *only = &view->proxies[first];
    return view->first_proxy[body + 1] == first + 1 && only->type == SCREE_SHAPE_BOX ? only : NULL;
}

static float smallest_half(const proxy *box)
{
    return fminf(fminf(box->size[0], box->size[1]), box->size[2]);
}

// Do the points lie within a strip of this width? Edges that overlap share no more of their faces.
static bool is_narrow(const contact *contacts, size_t count, double width)
{
    vec3 first = vec3_from_f(contacts[0].arm), along = {0, 0, 0};
    for (size_t i = 1; i < count; i++) {
        vec3 to = vec3_sub(vec3_from_f(contacts[i].arm), first);
        along = vec3_dot(to, to) > vec3_dot(along, along) ? to : along;
    }
    for (size_t i = 1; i < count; i++) {
        vec3 across = vec3_cross(along, vec3_sub(vec3_from_f(contacts[i].arm), first));
        if (vec3_dot(across, across) > width * width * vec3_dot(along, along))
            return false;
    }
    return true;
}

// Writes the points along the edges, if the pair touched there; returns their number.
static size_t find_edges(const contact_memory *memory, const proxy_view *view, const contact *contacts, size_t count,
                         contact *kept)
{
    const proxy *a = single_box(view, contacts[0].a), *b = single_box(view, contacts[0].b);
    if (!a || !b)
        return 0;
    float least = contacts[0].gap;
    for (size_t i = 1; i < count; i++)
        least = fminf(least, contacts[i].gap);
    float most = shallow * fminf(smallest_half(a), smallest_half(b));
    if (fabsf(least) > most || !is_narrow(contacts, count, (double)most))
        return 0;
    pair_memory before = memory_of_pair(memory, view, contacts, count);
    if (before.points == 0 || before.known > 0)
        return 0;
    contact_array found = {kept, 0, MOST_POINTS};
    proxy_pair pair = {(uint32_t)(a - view->proxies), (uint32_t)(b - view->proxies)};
    if (!narrow_shrunken_boxes(view, &pair, shrinking * fabs((double)least), &found) || found.count > count)
        return 0;
    return memory_of_pair(memory, view, kept, found.count).known > 0 ? found.count : 0;
}

size_t keep_edges(const contact_memory *memory, const proxy_view *view, contact *contacts, size_t count)
{
    size_t to = 0;
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1;
             end < count && contacts[end].a == contacts[begin].a && contacts[end].b == contacts[begin].b;)
            end++;
        contact kept[MOST_POINTS];
        size_t points = end - begin, edges = find_edges(memory, view, contacts + begin, points, kept);
        if (edges > 0)
            memcpy(contacts + to, kept, edges * sizeof *kept);
        else if (to < begin)
            memmove(contacts + to, contacts + begin, points * sizeof *contacts);
        to += edges > 0 ? edges : points;
    }
    return to;
}
