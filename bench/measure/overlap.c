// Overlaps by a plain cell list: cells as wide as the largest sphere, a counting sort, each cell against itself and
// half of its neighbours. Spheres outside the container are binned into the outermost cells, which keeps neighbours
// neighbours.
#include "bench/measure/overlap.h"

#include <math.h>
#include <stdlib.h>

typedef struct cell_list {
    double low[3], size;
    long cells[3];
    size_t *first;         // of each cell in `spheres`, and one past the last
    scene_sphere *spheres; // sorted by cell
} cell_list;

static long clamp_cell(double coordinate, double low, double size, long cells)
{
    double cell = floor((coordinate - low) / size);
    return cell < 0 ? 0 : cell >= (double)cells ? cells - 1 : (long)cell;
}

static size_t cell_of(const cell_list *list, const scene_sphere *sphere)
{
    long x = clamp_cell(sphere->x, list->low[0], list->size, list->cells[0]);
    long y = clamp_cell(sphere->y, list->low[1], list->size, list->cells[1]);
    long z = clamp_cell(sphere->z, list->low[2], list->size, list->cells[2]);
    return (size_t)((z * list->cells[1] + y) * list->cells[0] + x);
}

static void cell_list_free(cell_list *list)
{
    free(list->first);
    free(list->spheres);
}

static bool cell_list_make(cell_list *list, const pile_scene *scene)
{
    double largest = 0;
    for (size_t i = 0; i < scene->count; i++)
        largest = fmax(largest, scene->spheres[i].radius);
    double height = (double)scene->count / (scene->width * scene->width) * 2 + 4;
    *list = (cell_list){.low = {-0.5 * scene->width, -0.5 * scene->width, 0}, .size = 2 * largest};
    list->cells[0] = list->cells[1] = (long)ceil(scene->width / list->size);
    list->cells[2] = (long)ceil(height / list->size);
    size_t cells = (size_t)(list->cells[0] * list->cells[1] * list->cells[2]);
    list->first = calloc(cells + 2, sizeof *list->first);
    list->spheres = malloc(scene->count * sizeof *list->spheres);
    if (!list->first || !list->spheres)
        return cell_list_free(list), false;
    size_t *next = list->first + 1; // filling moves each entry up to the first of the following cell
    for (size_t i = 0; i < scene->count; i++)
        next[cell_of(list, &scene->spheres[i]) + 1]++;
    for (size_t c = 1; c <= cells; c++)
        next[c] += next[c - 1];
    for (size_t i = 0; i < scene->count; i++)
        list->spheres[next[cell_of(list, &scene->spheres[i])]++] = scene->spheres[i];
    return true;
}

static void add_gap(overlap_figures *figures, double gap)
{
    if (gap > 0)
        return;
    figures->touching++;
    figures->mean += -gap;
    figures->maximum = fmax(figures->maximum, -gap);
}

static void add_pair(overlap_figures *figures, const scene_sphere *a, const scene_sphere *b)
{
    double x = a->x - b->x, y = a->y - b->y, z = a->z - b->z;
    add_gap(figures, sqrt(x * x + y * y + z * z) - a->radius - b->radius);
}

static void add_walls(overlap_figures *figures, const scene_sphere *sphere, double width)
{
    add_gap(figures, sphere->z - sphere->radius);
    add_gap(figures, 0.5 * width - sphere->x - sphere->radius);
    add_gap(figures, 0.5 * width + sphere->x - sphere->radius);
    add_gap(figures, 0.5 * width - sphere->y - sphere->radius);
    add_gap(figures, 0.5 * width + sphere->y - sphere->radius);
}

// All pairs of one cell with another, or with itself.
static void add_cells(overlap_figures *figures, const cell_list *list, size_t a, size_t b)
{
    for (size_t i = list->first[a]; i < list->first[a + 1]; i++)
        for (size_t j = a == b ? i + 1 : list->first[b]; j < list->first[b + 1]; j++)
            add_pair(figures, &list->spheres[i], &list->spheres[j]);
}

static void add_cell_and_neighbours(overlap_figures *figures, const cell_list *list, long x, long y, long z)
{
    const long *cells = list->cells;
    size_t own = (size_t)((z * cells[1] + y) * cells[0] + x);
    for (long k = z; k <= z + 1 && k < cells[2]; k++)
        for (long j = y - 1; j <= y + 1; j++)
            for (long i = x - 1; i <= x + 1; i++) {
                bool inside = i >= 0 && i < cells[0] && j >= 0 && j < cells[1];
                size_t other = inside ? (size_t)((k * cells[1] + j) * cells[0] + i) : 0;
                if (inside && other >= own)
                    add_cells(figures, list, own, other);
            }
}

bool overlap_measure(const pile_scene *scene, overlap_figures *figures)
{
    *figures = (overlap_figures){0};
    if (scene->count == 0)
        return true;
    cell_list list;
    if (!cell_list_make(&list, scene))
        return false;
    for (long z = 0; z < list.cells[2]; z++)
        for (long y = 0; y < list.cells[1]; y++)
            for (long x = 0; x < list.cells[0]; x++)
                add_cell_and_neighbours(figures, &list, x, y, z);
    for (size_t i = 0; i < scene->count; i++)
        add_walls(figures, &scene->spheres[i], scene->width);
    cell_list_free(&list);
    if (figures->touching)
        figures->mean /= PILE_RADIUS * (double)figures->touching;
    figures->maximum /= PILE_RADIUS;
    return true;
}
