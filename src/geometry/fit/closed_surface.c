#include "geometry/fit/closed_surface.h"

#include <stdlib.h>

#include "geometry/solid.h"
#include "geometry/triangle_math.h"

// The nearest point of the surface, the features of its triangle that carry it, and how far it is. Of triangles at the
// same distance the first by number.
typedef struct nearest_place {
    vec3 at;
    double distance;
    uint32_t triangle;
    int features;
} nearest_place;

static nearest_place find_nearest(const closed_surface *surface, vec3 point)
{
    nearest_place best = {.distance = HUGE_VAL};
    bvh_search search = bvh_search_near(&surface->tree, point);
    for (uint32_t triangle; bvh_next_near(&search, best.distance, &triangle);) {
        vec3 corners[3];
        int features = TRIANGLE_FACE;
        triangles_corners(surface->vertices, surface->triangles, triangle, corners);
        vec3 at = triangle_nearest(corners, point, &features);
        double distance = vec3_length(vec3_sub(at, point));
        if (distance < best.distance || (distance == best.distance && triangle < best.triangle))
            best = (nearest_place){at, distance, triangle, features};
    }
    return best;
}

static void set_normals(closed_surface *surface, const directed_edge *edges)
{
    for (size_t t = 0; t < surface->triangle_count; t++) {
        vec3 c[3];
        triangles_corners(surface->vertices, surface->triangles, t, c);
        vec3 normal = triangle_normal(c);
        surface->face_normals[t] = normal;
        for (int i = 0; i < 3; i++) {
            vec3 *sum = &surface->vertex_normals[surface->triangles[3 * t + (size_t)i]];
            *sum = vec3_add_scaled(*sum, normal, triangle_angle(c, i));
        }
    }
    // The two sides of an edge stand side by side.
    for (size_t e = 0; e < 3 * surface->triangle_count; e++) {
        const directed_edge *own = &edges[e], *other = &edges[e ^ 1];
        size_t first = 3 * (size_t)own->triangle;
        for (size_t i = first; i < first + 3; i++)
            if (surface->triangles[i] == own->from)
                surface->edge_normals[i] =
                    vec3_add(surface->face_normals[own->triangle], surface->face_normals[other->triangle]);
    }
}

bool closed_surface_make(closed_surface *surface, const vec3 *vertices, size_t vertex_count, const uint32_t *triangles,
                         size_t triangle_count)
{
    *surface = (closed_surface){
        .vertices = vertices, .triangles = triangles, .vertex_count = vertex_count, .triangle_count = triangle_count};
    directed_edge *edges = malloc(3 * triangle_count * sizeof *edges);
    surface->face_normals = calloc(triangle_count, sizeof(vec3));
    surface->edge_normals = calloc(3 * triangle_count, sizeof(vec3));
    surface->vertex_normals = calloc(vertex_count, sizeof(vec3));
    bool done = edges && surface->face_normals && surface->edge_normals && surface->vertex_normals;
    if (done) {
        solid_sort_edges(triangles, triangle_count, edges);
        set_normals(surface, edges);
        done = triangles_tree(vertices, triangles, triangle_count, &surface->tree);
    }
    free(edges);
    if (!done)
        closed_surface_free(surface);
    return done;
}

void closed_surface_free(closed_surface *surface)
{
    free(surface->face_normals);
    free(surface->edge_normals);
    free(surface->vertex_normals);
    bvh_free(&surface->tree);
}

static vec3 pseudonormal(const closed_surface *surface, const nearest_place *place)
{
    size_t first = 3 * (size_t)place->triangle;
    int edge = triangle_edge(place->features);
    if (place->features == TRIANGLE_FACE)
        return surface->face_normals[place->triangle];
    if (edge >= 0)
        return surface->edge_normals[first + (size_t)edge];
    return surface->vertex_normals[surface->triangles[first + triangle_corner(place->features)]];
}

double closed_surface_depth(const closed_surface *surface, vec3 point, vec3 *nearest)
{
    nearest_place found = find_nearest(surface, point);
    *nearest = found.at;
    bool outside = vec3_dot(vec3_sub(point, found.at), pseudonormal(surface, &found)) > 0;
    return outside ? -found.distance : found.distance;
}

double closed_surface_half_thickness(const closed_surface *surface, vec3 point, vec3 normal, double most)
{
    double radius = most;
    for (int i = 0; i < 40; i++) {
        vec3 nearest, center = vec3_add_scaled(point, normal, -radius);
        double distance = fabs(closed_surface_depth(surface, center, &nearest));
        if (distance >= radius * (1 - 1e-9))
            break;
        // The ball through `point` and `nearest` whose centre is on the normal.
        vec3 chord = vec3_sub(point, nearest);
        double away = vec3_dot(chord, normal);
        if (!(away > 0))
            return 0;
        radius = fmin(radius, vec3_dot(chord, chord) / (2 * away));
    }
    return radius;
}
