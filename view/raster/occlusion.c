// Neighbours are taken from the depth buffer alone, so the cost is that of the picture, not that of the scene.
#include "view/raster/occlusion.h"

#include <stdlib.h>

enum { PATTERN = 4, LEVELS = 3, MOST_TAPS = 44, MOST_SAMPLES = 400 };

// A wider disc takes more taps, or they would show one by one.
static const struct {
    float reach; // in samples, up to which this level serves
    int taps, turns;
} LEVEL[LEVELS] = {{64, 11, 7}, {160, 22, 9}, {MOST_SAMPLES, MOST_TAPS, 17}};

// Places of the taps on a unit disc, for each level and each sample of the pattern.
typedef struct spirals {
    float x[LEVELS][PATTERN][PATTERN][MOST_TAPS], y[LEVELS][PATTERN][PATTERN][MOST_TAPS];
} spirals;

static void make_spiral(int level, float turn, float *x, float *y)
{
    for (int i = 0; i < LEVEL[level].taps; i++) {
        float share = ((float)i + 0.5f) / (float)LEVEL[level].taps;
        float angle = 6.2831853f * (share * (float)LEVEL[level].turns + turn);
        x[i] = share * cosf(angle);
        y[i] = share * sinf(angle);
    }
}

static spirals make_spirals(void)
{
    // The sixteen turns of the spiral in an order that puts unlike ones side by side.
    static const unsigned char order[PATTERN][PATTERN] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    spirals all;
    for (int level = 0; level < LEVELS; level++)
        for (int v = 0; v < PATTERN; v++)
            for (int u = 0; u < PATTERN; u++)
                make_spiral(level, (float)order[v][u] / (PATTERN * PATTERN), all.x[level][v][u], all.y[level][v][u]);
    return all;
}

// The facets of a smooth surface shall not show: what rises above a wall by less than this slope takes nothing away.
static const float WALL_SLOPE = 0.2f;

// The light that one neighbour takes away: most when near and straight above, nothing beyond the radius.
static float obscurance(const surfaces *all, const surface_sample *s, long x, long y, float radius2)
{
    if (x < 0 || y < 0 || x >= (long)all->view.width || y >= (long)all->view.height)
        return 0;
    float depth = all->seen.depth[(size_t)y * all->view.width + (size_t)x];
    raster_ray ray = raster_view_ray(&all->view, (float)x + 0.5f, (float)y + 0.5f);
    vec3f d = vec3f_sub(raster_ray_at(&ray, depth), s->point);
    float distance2 = vec3f_dot(d, d), rise = vec3f_dot(d, s->flat), near = radius2 - distance2;
    if (!(near > 0))
        return 0;
    float least = 1e-3f * s->point.z * all->view.step;
    if (s->kind != SURFACE_GRAIN)
        least += WALL_SLOPE * sqrtf(distance2);
    return near * near * near * fmaxf(0, rise - least) / (distance2 + 1e-4f * radius2);
}

// Mean obscurance on a disc of the given radius in the scene, at most 1, in a deep gap.
static float closed(const surfaces *all, const spirals *taps, const surface_sample *s, size_t x, size_t y, float radius)
{
    float reach = fminf(radius / (s->point.z * all->view.step), MOST_SAMPLES);
    if (reach < 1.5f)
        return 0;
    float seen_radius = reach * s->point.z * all->view.step, radius2 = seen_radius * seen_radius, sum = 0;
    int level = 0;
    while (reach > LEVEL[level].reach)
        level++;
    const float *across = taps->x[level][y % PATTERN][x % PATTERN], *down = taps->y[level][y % PATTERN][x % PATTERN];
    for (int i = 0; i < LEVEL[level].taps; i++) {
        // Moved up by a whole number before cutting off the fraction, so that this rounds to nearest on both sides.
        long u = (long)x + (long)(reach * across[i] + 0.5f + MOST_SAMPLES) - MOST_SAMPLES;
        long v = (long)y + (long)(reach * down[i] + 0.5f + MOST_SAMPLES) - MOST_SAMPLES;
        sum += obscurance(all, s, u, v, radius2);
    }
    return fminf(5 * sum * seen_radius / (radius2 * radius2 * radius2 * (float)LEVEL[level].taps), 1);
}

float *occlusion_make(const surfaces *all, int threads)
{
    const raster_view *view = &all->view;
    float *openness = malloc(view->width * view->height * sizeof *openness);
    if (!openness)
        return NULL;
    spirals taps = make_spirals();
    float fine = (float)(1.6 * all->grain), coarse = (float)fmax(0.16 * all->radius, 4 * all->grain);
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads)
    for (size_t y = 0; y < view->height; y++)
        for (size_t x = 0; x < view->width; x++) {
            surface_sample s = surface_at(all, x, y);
            float open = 1;
            if (s.kind != SURFACE_NONE)
                open = (1 - 0.55f * closed(all, &taps, &s, x, y, fine)) *
                       (1 - 0.5f * closed(all, &taps, &s, x, y, coarse));
            openness[y * view->width + x] = open;
        }
    return openness;
}

float occlusion_at(const surfaces *all, const float *openness, size_t x, size_t y)
{
    const raster_view *view = &all->view;
    float depth = all->seen.depth[y * view->width + x], sum = 0, weight = 0;
    float step = fmaxf((float)all->grain * 0.3f, 4 * depth * view->step);
    for (long v = (long)y - 1; v <= (long)y + 2; v++)
        for (long u = (long)x - 1; u <= (long)x + 2; u++) {
            if (u < 0 || v < 0 || u >= (long)view->width || v >= (long)view->height)
                continue;
            size_t at = (size_t)v * view->width + (size_t)u;
            float same = fabsf(all->seen.depth[at] - depth) < step ? 1.0f : 0.0f;
            sum += same * openness[at];
            weight += same;
        }
    return weight > 0 ? sum / weight : 1;
}
