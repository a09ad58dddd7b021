// Meshes and height fields for tests.
#ifndef SURFACES_H
#define SURFACES_H

#include "../../physics/check.h"

#include <stdlib.h>

#include "base/random.h"
#include "base/vec.h"
#include "geometry/geometry.h"

#define surface_ok(call)                                                                                               \
    do {                                                                                                               \
        scree_error surface_error = {0};                                                                               \
        scree_error *error = &surface_error;                                                                           \
        if ((call) != SCREE_OK) {                                                                                      \
            print_error("%s: %s\n", #call, surface_error.message);                                                     \
            _fail(__FILE__, __LINE__);                                                                                 \
        }                                                                                                              \
    } while (0)

typedef double surface_function(double x, double y);

static inline double flat_surface(double x, double y)
{
    (void)x, (void)y;
    return 0;
}

// A grid of `cells` by `cells` over a square of half width `half`; inner vertices are moved by up to `jitter` cells
// sideways (below a quarter, or triangles turn over), and diagonals run either way. Heights by `height`.
static inline scree_geometry *grid_mesh(size_t cells, double half, double jitter, uint64_t seed,
                                        surface_function *height)
{
    random_stream random = {seed};
    size_t across = cells + 1;
    vec3 *vertices = malloc(across * across * sizeof *vertices);
    uint32_t(*triangles)[3] = malloc(2 * cells * cells * sizeof *triangles);
    double step = 2 * half / (double)cells;
    for (size_t i = 0; i < across * across; i++) {
        size_t column = i % across, row = i / across;
        double x = (double)column * step - half, y = (double)row * step - half;
        double dx = random_between(&random, -jitter, jitter), dy = random_between(&random, -jitter, jitter);
        x += column > 0 && column < cells ? dx * step : 0;
        y += row > 0 && row < cells ? dy * step : 0;
        vertices[i] = vec3_make(x, y, height(x, y));
    }
    for (size_t i = 0; i < cells * cells; i++) {
        uint32_t a = (uint32_t)(i / cells * across + i % cells), b = a + 1, d = a + (uint32_t)across, c = d + 1;
        bool turned = jitter > 0 && random_unit(&random) < 0.5;
        uint32_t both[2][3] = {{a, b, turned ? d : c}, {turned ? b : a, c, d}};
        memcpy(triangles[2 * i], both, sizeof both);
    }
    scree_geometry *geometry = NULL;
    surface_ok(scree_mesh_create(vertices, across * across, triangles[0], 2 * cells * cells, &geometry, error));
    free(vertices);
    free(triangles);
    return geometry;
}

// Samples of `height` at `samples` by `samples` points over a square of half width `half`.
static inline scree_geometry *grid_field(size_t samples, double half, surface_function *height)
{
    float *heights = malloc(samples * samples * sizeof *heights);
    for (size_t i = 0; i < samples * samples; i++) {
        double step = 2 * half / (double)(samples - 1);
        heights[i] = (float)height((double)(i % samples) * step - half, (double)(i / samples) * step - half);
    }
    scree_heightfield_def def = {samples, samples, 2 * half, 2 * half, heights};
    scree_geometry *geometry = NULL;
    surface_ok(scree_heightfield_create(&def, &geometry, error));
    free(heights);
    return geometry;
}

// A box of twelve triangles, or an open one without its top. Every triangle has vertices of its own when `soup`.
static inline scree_geometry *box_mesh(vec3 middle, vec3 half, bool open, bool soup)
{
    static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {0, 1, 4}, {1, 5, 4}, {1, 3, 5}, {3, 7, 5},
                                          {3, 2, 7}, {2, 6, 7}, {2, 0, 6}, {0, 4, 6}, {4, 5, 6}, {5, 7, 6}};
    vec3 corners[36];
    uint32_t triangles[36];
    size_t count = open ? 10 : 12;
    for (uint32_t i = 0; i < 36; i++) {
        uint32_t corner = soup ? faces[i / 3][i % 3] : i % 8;
        vec3 sign = {corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1};
        corners[i] = vec3_add(middle, vec3_multiply(sign, half));
        triangles[i] = soup ? i : faces[i / 3][i % 3];
    }
    scree_geometry *geometry = NULL;
    surface_ok(scree_mesh_create(corners, soup ? 3 * count : 8, triangles, count, &geometry, error));
    return geometry;
}

#endif
