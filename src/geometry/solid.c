#include "geometry/solid.h"

#include <stdlib.h>

#include "base/error.h"
#include "geometry/triangle_math.h"

// Integrals of 1, x and x x^T over the solid, about a reference point.
typedef struct moments {
    double volume;
    vec3 first;
    double second[3][3];
} moments;

// Adds the tetrahedron (0, a, b, c), whose volume has the sign of the triangle's winding. With s = a + b + c:
// integral of x = V s / 4, of x x^T = V / 20 (s s^T + a a^T + b b^T + c c^T).
static void add_tetrahedron(moments *sum, vec3 a, vec3 b, vec3 c)
{
    double volume = vec3_dot(a, vec3_cross(b, c)) / 6;
    vec3 s = vec3_add(vec3_add(a, b), c);
    sum->volume += volume;
    sum->first = vec3_add_scaled(sum->first, s, volume / 4);
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            sum->second[i][j] += volume / 20 *
                                 (vec3_get(s, i) * vec3_get(s, j) + vec3_get(a, i) * vec3_get(a, j) +
                                  vec3_get(b, i) * vec3_get(b, j) + vec3_get(c, i) * vec3_get(c, j));
}

static moments moments_about(const vec3 *vertices, const uint32_t *triangles, size_t triangle_count, vec3 reference)
{
    moments sum = {0};
    for (size_t t = 0; t < triangle_count; t++) {
        const uint32_t *corner = &triangles[3 * t];
        add_tetrahedron(&sum, vec3_sub(vertices[corner[0]], reference), vec3_sub(vertices[corner[1]], reference),
                        vec3_sub(vertices[corner[2]], reference));
    }
    return sum;
}

solid_properties solid_of_triangles(const vec3 *vertices, const uint32_t *triangles, size_t triangle_count)
{
    solid_properties solid = {0};
    if (triangle_count == 0)
        return solid;
    // About the middle, then about the centroid itself: far from the origin nothing cancels.
    vec3 low, high;
    triangles_bounds(vertices, triangles, triangle_count, &low, &high);
    vec3 reference = vec3_add_scaled(low, vec3_sub(high, low), 0.5);
    moments sum = moments_about(vertices, triangles, triangle_count, reference);
    solid.volume = sum.volume;
    solid.centroid = sum.volume != 0 ? vec3_add_scaled(reference, sum.first, 1 / sum.volume) : reference;
    sum = moments_about(vertices, triangles, triangle_count, solid.centroid);
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            double trace = sum.second[0][0] + sum.second[1][1] + sum.second[2][2];
            solid.inertia.m[i][j] = (i == j ? trace : 0) - sum.second[i][j];
            solid.inertia.m[j][i] = solid.inertia.m[i][j];
        }
    return solid;
}

// ------------------------------------------------------------------------------------------------------------- edges

static uint32_t least(const directed_edge *e)
{
    return e->from < e->to ? e->from : e->to;
}

static uint32_t most(const directed_edge *e)
{
    return e->from < e->to ? e->to : e->from;
}

static int compare_edges(const void *left, const void *right)
{
    const directed_edge *a = left, *b = right;
    if (least(a) != least(b))
        return least(a) < least(b) ? -1 : 1;
    if (most(a) != most(b))
        return most(a) < most(b) ? -1 : 1;
    if (a->triangle != b->triangle)
        return a->triangle < b->triangle ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

void solid_sort_edges(const uint32_t *triangles, size_t triangle_count, directed_edge *edges)
{
    for (size_t i = 0; i < 3 * triangle_count; i++) {
        size_t next = i % 3 == 2 ? i - 2 : i + 1;
        edges[i] = (directed_edge){triangles[i], triangles[next], (uint32_t)(i / 3)};
    }
    qsort(edges, 3 * triangle_count, sizeof *edges, compare_edges);
}

static bool same_ends(const directed_edge *a, const directed_edge *b)
{
    return least(a) == least(b) && most(a) == most(b);
}

static scree_status check_edges(const directed_edge *edges, size_t count, const char *where, scree_error *error)
{
    for (size_t i = 0; i < count;) {
        const directed_edge *edge = &edges[i];
        size_t sides = 1;
        while (i + sides < count && same_ends(edge, &edges[i + sides]))
            sides++;
        unsigned long from = edge->from + 1UL, to = edge->to + 1UL, triangle = edge->triangle + 1UL;
        if (sides != 2)
            return fail(error, SCREE_ERROR_INVALID,
                        "%s: the edge from vertex %lu to %lu of triangle %lu belongs to %zu triangle%s; a closed "
                        "surface has two at each",
                        where, from, to, triangle, sides, sides == 1 ? "" : "s");
        if (edge->from == edges[i + 1].from)
            return fail(error, SCREE_ERROR_INVALID,
                        "%s: triangles %lu and %lu both run from vertex %lu to %lu; all triangles must be "
                        "counter-clockwise as seen from outside",
                        where, triangle, edges[i + 1].triangle + 1UL, from, to);
        i += 2;
    }
    return SCREE_OK;
}

scree_status solid_check(const vec3 *vertices, const uint32_t *triangles, size_t triangle_count, const char *where,
                         scree_error *error)
{
    if (triangle_count == 0)
        return fail(error, SCREE_ERROR_INVALID, "%s: there are no triangles; a closed surface has four at least",
                    where);
    for (size_t t = 0; t < triangle_count; t++) {
        const uint32_t *corner = &triangles[3 * t];
        if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0])
            return fail(error, SCREE_ERROR_INVALID, "%s: triangle %zu has a vertex twice; its three must differ", where,
                        t + 1);
    }
    directed_edge *edges = malloc(3 * triangle_count * sizeof *edges);
    if (!edges)
        return fail_no_memory(error);
    solid_sort_edges(triangles, triangle_count, edges);
    scree_status status = check_edges(edges, 3 * triangle_count, where, error);
    free(edges);
    if (status)
        return status;
    double volume = solid_of_triangles(vertices, triangles, triangle_count).volume;
    if (!(volume > 0) || !isfinite(volume))
        return fail(error, SCREE_ERROR_INVALID,
                    "%s: the enclosed volume is %g, which must be positive; triangles must be counter-clockwise as "
                    "seen from outside",
                    where, volume);
    return SCREE_OK;
}
