// Walls are blended from far to near over the finished row: first the tint of the face that a ray enters, then the
// edges as lines of constant width, each hidden where the depth buffer holds something nearer.
#include "view/raster/glass.h"

#include <stdlib.h>

static const float TINT = 0.04f, LINE = 0.8f;

static vec3f corner_of(const raster_box *box, int corner)
{
    vec3f p = box->center;
    for (int i = 0; i < 3; i++)
        p = vec3f_add_scaled(p, box->axes[i], corner >> i & 1 ? box->half[i] : -box->half[i]);
    return p;
}

// Cuts the line at the nearest depth and projects it; false when nothing is left.
static bool make_edge(const raster_view *view, vec3f a, vec3f b, glass_edge *edge)
{
    if (a.z < view->nearest && b.z < view->nearest)
        return false;
    vec3f ends[2] = {a, b};
    for (int i = 0; i < 2; i++)
        if (ends[i].z < view->nearest) {
            vec3f other = ends[1 - i];
            float t = (view->nearest - other.z) / (ends[i].z - other.z);
            ends[i] = vec3f_add_scaled(other, vec3f_sub(ends[i], other), t);
        }
    for (int i = 0; i < 2; i++) {
        edge->nearness[i] = 1 / ends[i].z;
        edge->x[i] = (ends[i].x * edge->nearness[i] - view->left) / view->step;
        edge->y[i] = (ends[i].y * edge->nearness[i] - view->top) / view->step;
    }
    return true;
}

static glass_wall make_wall(const surfaces *all, size_t i)
{
    const raster_box *box = &all->boxes.data[i];
    glass_wall wall = {.box = i, .bounds = raster_bounds_of_box(&all->view, box)};
    for (int corner = 0; corner < 8; corner++)
        for (int axis = 0; axis < 3; axis++) {
            int other = corner | 1 << axis;
            if (other != corner &&
                make_edge(&all->view, corner_of(box, corner), corner_of(box, other), &wall.edges[wall.edge_count]))
                wall.edge_count++;
        }
    return wall;
}

typedef struct placed_wall {
    float distance;
    size_t box;
} placed_wall;

static int compare_far_first(const void *a, const void *b)
{
    const placed_wall *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? 1 : -1;
    return (x->box > y->box) - (x->box < y->box);
}

bool glass_make(glass *panes, const surfaces *all, float line_width)
{
    *panes = (glass){.line_width = line_width};
    ARRAY(placed_wall) placed = {0};
    bool made = true;
    for (size_t i = 0; i < all->boxes.count; i++) {
        const raster_box *box = &all->boxes.data[i];
        if (box->hidden)
            made = made && array_push(&placed, ((placed_wall){vec3f_dot(box->center, box->center), i}));
    }
    if (placed.count > 0)
        qsort(placed.data, placed.count, sizeof *placed.data, compare_far_first);
    for (size_t i = 0; made && i < placed.count; i++)
        made = array_push(&panes->walls, make_wall(all, placed.data[i].box));
    array_free(&placed);
    return made;
}

void glass_free(glass *panes)
{
    array_free(&panes->walls);
}

static void blend(vec3f *sample, vec3f paint, float share)
{
    *sample = vec3f_add_scaled(vec3f_scale(*sample, 1 - share), paint, share);
}

static void tint_row(const glass_wall *wall, const surfaces *all, size_t y, const float *depth, vec3f *row)
{
    const raster_box *box = &all->boxes.data[wall->box];
    for (int x = wall->bounds.left; x < wall->bounds.right; x++) {
        raster_ray ray = raster_view_ray(&all->view, (float)x + 0.5f, (float)y + 0.5f);
        float front;
        int face;
        if (raster_hit_box(box, &ray, &front, &face) && front > all->view.nearest && front < depth[x])
            blend(&row[x], (vec3f){0.75f, 0.85f, 0.95f}, TINT);
    }
}

// The line where it passes this row, hidden by what is nearer.
static void edge_row(const glass_edge *edge, float width, size_t count, size_t y, const float *depth, vec3f *row)
{
    float reach = 0.5f * width + 0.5f, middle = (float)y + 0.5f;
    float dx = edge->x[1] - edge->x[0], dy = edge->y[1] - edge->y[0], length2 = fmaxf(dx * dx + dy * dy, 1e-12f);
    float first = 0, last = 1;
    if (fabsf(dy) > 1e-6f) {
        float a = (middle - reach - edge->y[0]) / dy, b = (middle + reach - edge->y[0]) / dy;
        first = fmaxf(first, fminf(a, b));
        last = fminf(last, fmaxf(a, b));
    } else if (fabsf(edge->y[0] - middle) > reach) {
        return;
    }
    float xa = edge->x[0] + first * dx, xb = edge->x[0] + last * dx;
    float left = fmaxf(fminf(xa, xb) - reach, 0), right = fminf(fmaxf(xa, xb) + reach, (float)count - 1);
    if (first > last || left > right)
        return;
    for (size_t x = (size_t)left; x <= (size_t)right; x++) {
        float px = (float)x + 0.5f - edge->x[0], py = middle - edge->y[0];
        float t = clamp_unit((px * dx + py * dy) / length2);
        float cover = clamp_unit(reach - hypotf(px - t * dx, py - t * dy));
        float nearness = edge->nearness[0] + t * (edge->nearness[1] - edge->nearness[0]);
        if (cover > 0 && nearness * depth[x] > 0.998f)
            blend(&row[x], (vec3f){0.11f, 0.15f, 0.20f}, LINE * cover);
    }
}

void glass_blend_row(const glass *panes, const surfaces *all, size_t y, vec3f *row)
{
    const float *depth = all->seen.depth + y * all->view.width;
    for (size_t i = 0; i < panes->walls.count; i++) {
        const glass_wall *wall = &panes->walls.data[i];
        int margin = (int)panes->line_width + 1;
        if ((int)y < wall->bounds.top - margin || (int)y >= wall->bounds.bottom + margin)
            continue;
        if ((int)y >= wall->bounds.top && (int)y < wall->bounds.bottom)
            tint_row(wall, all, y, depth, row);
        for (int e = 0; e < wall->edge_count; e++)
            edge_row(&wall->edges[e], panes->line_width, all->view.width, y, depth, row);
    }
}
