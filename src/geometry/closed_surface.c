#include "geometry/closed_surface.h"

#include <stdlib.h>

#include "geometry/solid.h"

// What of a triangle is nearest to a point: its inside, the edge from corner i, or corner i.
typedef enum part { INSIDE, EDGE, CORNER } part;

typedef struct nearest_point {
    vec3 at;
    part part;
    int index;
} nearest_point;

static void corners_of(const closed_surface *surface, uint32_t triangle, vec3 corners[3])
{
    for (int i = 0; i < 3; i++)
        corners[i] = surface->vertices[surface->triangles[3 * (size_t)triangle + (size_t)i]];
}

// The nearest point of the edge from corner i on, and how far it is.
static nearest_point nearest_on_edge(const vec3 c[3], int i, vec3 p)
{
    vec3 a = c[i], along = vec3_sub(c[(i + 1) % 3], a);
    double square = vec3_dot(along, along), t = square > 0 ? vec3_dot(vec3_sub(p, a), along) / square : 0;
    if (t <= 0)
        return (nearest_point){a, CORNER, i};
    if (t >= 1)
        return (nearest_point){c[(i + 1) % 3], CORNER, (i + 1) % 3};
    return (nearest_point){vec3_add_scaled(a, along, t), EDGE, i};
}

// Inside if the point's foot is on the inner side of all edges, else on the nearest edge.
static nearest_point nearest_on_triangle(const vec3 c[3], vec3 p)
{
    vec3 normal = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
    double square = vec3_dot(normal, normal);
    bool inside = square > 0;
    for (int i = 0; i < 3 && inside; i++)
        inside = vec3_dot(vec3_cross(vec3_sub(c[(i + 1) % 3], c[i]), vec3_sub(p, c[i])), normal) > 0;
    if (inside)
        return (nearest_point){vec3_add_scaled(p, normal, -vec3_dot(vec3_sub(p, c[0]), normal) / square), INSIDE, 0};
    nearest_point best = nearest_on_edge(c, 0, p);
    for (int i = 1; i < 3; i++) {
        nearest_point other = nearest_on_edge(c, i, p);
        if (vec3_length(vec3_sub(other.at, p)) < vec3_length(vec3_sub(best.at, p)))
            best = other;
    }
    return best;
}

static double distance_to_triangle(const void *context, uint32_t triangle, vec3 p)
{
    vec3 corners[3];
    corners_of(context, triangle, corners);
    return vec3_length(vec3_sub(nearest_on_triangle(corners, p).at, p));
}

static void set_normals(closed_surface *surface, const directed_edge *edges)
{
    for (size_t t = 0; t < surface->triangle_count; t++) {
        vec3 c[3];
        corners_of(surface, (uint32_t)t, c);
        vec3 normal = vec3_normalize(vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0])));
        surface->face_normals[t] = normal;
        for (int i = 0; i < 3; i++) {
            vec3 a = vec3_sub(c[(i + 1) % 3], c[i]), b = vec3_sub(c[(i + 2) % 3], c[i]);
            double angle = atan2(vec3_length(vec3_cross(a, b)), vec3_dot(a, b));
            vec3 *sum = &surface->vertex_normals[surface->triangles[3 * t + (size_t)i]];
            *sum = vec3_add_scaled(*sum, normal, angle);
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

static bool build_tree(closed_surface *surface)
{
    near_box *boxes = malloc(surface->triangle_count * sizeof *boxes);
    for (size_t t = 0; boxes && t < surface->triangle_count; t++) {
        vec3 c[3];
        corners_of(surface, (uint32_t)t, c);
        boxes[t].low = vec3_make(fmin(c[0].x, fmin(c[1].x, c[2].x)), fmin(c[0].y, fmin(c[1].y, c[2].y)),
                                 fmin(c[0].z, fmin(c[1].z, c[2].z)));
        boxes[t].high = vec3_make(fmax(c[0].x, fmax(c[1].x, c[2].x)), fmax(c[0].y, fmax(c[1].y, c[2].y)),
                                  fmax(c[0].z, fmax(c[1].z, c[2].z)));
    }
    bool done = boxes && near_tree_build(&surface->tree, boxes, surface->triangle_count);
    free(boxes);
    return done;
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
        done = build_tree(surface);
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
    near_tree_free(&surface->tree);
}

double closed_surface_depth(const closed_surface *surface, vec3 point, vec3 *nearest)
{
    double distance;
    uint32_t triangle = near_tree_find(&surface->tree, point, distance_to_triangle, surface, &distance);
    vec3 corners[3];
    corners_of(surface, triangle, corners);
    nearest_point found = nearest_on_triangle(corners, point);
    size_t slot = 3 * (size_t)triangle + (size_t)found.index;
    vec3 normal = found.part == INSIDE ? surface->face_normals[triangle]
                  : found.part == EDGE ? surface->edge_normals[slot]
                                       : surface->vertex_normals[surface->triangles[slot]];
    *nearest = found.at;
    return vec3_dot(vec3_sub(point, found.at), normal) > 0 ? -distance : distance;
}

double closed_surface_half_thickness(const closed_surface *surface, vec3 point, vec3 normal, double most)
{
    double radius = most;
    for (int i = 0; i < 40; i++) {
        vec3 nearest, centre = vec3_add_scaled(point, normal, -radius);
        double distance = fabs(closed_surface_depth(surface, centre, &nearest));
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
