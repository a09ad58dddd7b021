// Closed triangle meshes whose volume is known, for tests.
#ifndef SOLIDS_H
#define SOLIDS_H

#include "base/array.h"
#include "base/vec.h"

typedef struct test_mesh {
    ARRAY(vec3) vertices;
    ARRAY(uint32_t) triangles; // three each
} test_mesh;

static inline void mesh_triangle(test_mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    assert_true(array_push(&mesh->triangles, a) && array_push(&mesh->triangles, b) && array_push(&mesh->triangles, c));
}

static inline size_t mesh_triangles(const test_mesh *mesh)
{
    return mesh->triangles.count / 3;
}

static inline void mesh_drop(test_mesh *mesh)
{
    array_free(&mesh->vertices);
    array_free(&mesh->triangles);
}

// A box of the given half edges about `center`: 12 triangles.
static inline test_mesh mesh_box(vec3 half, vec3 center)
{
    static const uint32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    test_mesh mesh = {0};
    for (int i = 0; i < 8; i++) {
        vec3 sign = {i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1};
        assert_true(array_push(&mesh.vertices, vec3_add(center, vec3_multiply(sign, half))));
    }
    for (int q = 0; q < 6; q++) {
        mesh_triangle(&mesh, quads[q][0], quads[q][1], quads[q][2]);
        mesh_triangle(&mesh, quads[q][0], quads[q][2], quads[q][3]);
    }
    return mesh;
}

// A polygon of the x-y plane, counter-clockwise, drawn up from z = 0 to `height`; it must be star-shaped as seen from
// its first corner.
static inline test_mesh mesh_prism(const double (*corners)[2], uint32_t count, double height)
{
    test_mesh mesh = {0};
    for (uint32_t i = 0; i < 2 * count; i++)
        assert_true(array_push(&mesh.vertices,
                               vec3_make(corners[i % count][0], corners[i % count][1], i < count ? 0 : height)));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = (i + 1) % count;
        mesh_triangle(&mesh, i, j, count + j);
        mesh_triangle(&mesh, i, count + j, count + i);
        if (i > 0 && j > 0) {
            mesh_triangle(&mesh, 0, j, i);
            mesh_triangle(&mesh, count, count + i, count + j);
        }
    }
    return mesh;
}

// A ball of the radius about the origin by rings of longitude and latitude: no two vertices coincide.
static inline test_mesh mesh_ball(double radius, uint32_t rings)
{
    test_mesh mesh = {0};
    uint32_t around = 2 * rings;
    assert_true(array_push(&mesh.vertices, vec3_make(0, 0, -radius)));
    for (uint32_t i = 1; i < rings; i++)
        for (uint32_t j = 0; j < around; j++) {
            double latitude = PI * i / rings, longitude = 2 * PI * j / around;
            assert_true(array_push(&mesh.vertices,
                                   vec3_make(radius * sin(latitude) * cos(longitude),
                                             radius * sin(latitude) * sin(longitude), -radius * cos(latitude))));
        }
    assert_true(array_push(&mesh.vertices, vec3_make(0, 0, radius)));
    uint32_t top = (uint32_t)mesh.vertices.count - 1;
    for (uint32_t j = 0; j < around; j++) {
        uint32_t k = (j + 1) % around;
        mesh_triangle(&mesh, 0, 1 + k, 1 + j);
        for (uint32_t i = 0; i + 2 < rings; i++) {
            uint32_t low = 1 + i * around, high = low + around;
            mesh_triangle(&mesh, low + j, low + k, high + k);
            mesh_triangle(&mesh, low + j, high + k, high + j);
        }
        mesh_triangle(&mesh, top - around + j, top - around + k, top);
    }
    return mesh;
}

#endif
