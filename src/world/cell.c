#include "world/cell.h"

#include <math.h>

#include "base/sort.h"

// Smaller cells leave lanes empty, larger ones leave threads without work (docs/methods.md).
static const double least_diameters = 4.6;

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

bool cell_decide(scree_world *world)
{
    const body_store *store = &world->bodies;
    if (world->def.solver.cell > 0)
        return true;
    float *radii = arena_array(&world->scratch, float, store->count);
    if (!radii)
        return false;
    size_t count = 0;
    for (size_t i = 0; i < store->count; i++)
        if (!store->immovable.data[i])
            radii[count++] = store->radius.data[i];
    if (count == 0)
        return true;
    sort_items(radii, count, sizeof *radii, compare_floats);
    int exponent; // least is in [2^(exponent - 1), 2^exponent)
    double least = least_diameters * 2 * (double)radii[count / 2];
    frexp(least, &exponent);
    double quarter = ldexp(1, exponent - 3);
    world->def.solver.cell = ceil(least / quarter) * quarter;
    return true;
}
