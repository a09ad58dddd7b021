// Making meshes: validity, the edges that triangles share, boxes, volume; packing for snapshots.
//
// Vertices at exactly the same place count as one when edges are matched, so that meshes without shared indices, as
// STL files give them, have whole surfaces too. Of an edge that more than two triangles use, or two in the same
// direction, each side is taken as a rim.
#include "geometry/mesh.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/hash.h"
#include "geometry/solid.h"
#include "geometry/triangle_math.h"

enum { MOST_TRIANGLES = 1 << 30 };
static const double most_distance = 1e15;

void mesh_free(mesh_geometry *mesh)
{
    if (!mesh)
        return;
    free(mesh->vertices);
    free(mesh->triangles);
    free(mesh->opposite);
    bvh_free(&mesh->tree);
    free(mesh);
}

// ----------------------------------------------------------------------------------------------------------- checking

static bool valid_vertex(vec3 v)
{
    return fabs(v.x) <= most_distance && fabs(v.y) <= most_distance && fabs(v.z) <= most_distance;
}

static scree_status check_mesh(const vec3 *vertices, size_t vertex_count, const uint32_t *triangles,
                               size_t triangle_count, scree_error *error)
{
    if (!vertices || !triangles || triangle_count == 0)
        return fail(error, SCREE_ERROR_INVALID, "a mesh needs one triangle at least");
    if (triangle_count > MOST_TRIANGLES || vertex_count > UINT32_MAX)
        return fail(error, SCREE_ERROR_INVALID, "a mesh can have at most %d triangles, not %zu", MOST_TRIANGLES,
                    triangle_count);
    for (size_t i = 0; i < vertex_count; i++)
        if (!valid_vertex(vertices[i]))
            return fail(error, SCREE_ERROR_INVALID,
                        "vertex %zu of the mesh must be finite and within 1e15, not (%g, %g, %g)", i, vertices[i].x,
                        vertices[i].y, vertices[i].z);
    bool solid = false;
    for (size_t i = 0; i < triangle_count; i++) {
        const uint32_t *corner = triangles + 3 * i;
        for (int k = 0; k < 3; k++)
            if (corner[k] >= vertex_count)
                return fail(error, SCREE_ERROR_INVALID, "triangle %zu of the mesh names vertex %u; there are %zu", i,
                            corner[k], vertex_count);
        vec3 a = vertices[corner[0]], b = vertices[corner[1]], c = vertices[corner[2]];
        solid = solid || vec3_length(vec3_cross(vec3_sub(b, a), vec3_sub(c, a))) > 0;
    }
    return solid ? SCREE_OK : fail(error, SCREE_ERROR_INVALID, "no triangle of the mesh has an area");
}

// -------------------------------------------------------------------------------------------------------------- edges

static size_t table_size(size_t count)
{
    size_t size = 16;
    while (size < 2 * count)
        size *= 2;
    return size;
}

// For every vertex the first one at the same place.
static bool name_places(const mesh_geometry *mesh, uint32_t *place)
{
    size_t size = table_size(mesh->vertex_count);
    uint32_t *table = malloc(size * sizeof *table);
    if (!table)
        return false;
    memset(table, 0xff, size * sizeof *table);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        vec3 v = mesh->vertices[i];
        size_t slot = hash_double(hash_double(hash_double(0, v.x), v.y), v.z) & (size - 1);
        for (; table[slot] != UINT32_MAX; slot = (slot + 1) & (size - 1)) {
            vec3 u = mesh->vertices[table[slot]];
            if (u.x == v.x && u.y == v.y && u.z == v.z)
                break;
        }
        if (table[slot] == UINT32_MAX)
            table[slot] = (uint32_t)i;
        place[i] = table[slot];
    }
    free(table);
    return true;
}

typedef struct edge_table {
    const mesh_geometry *mesh;
    const uint32_t *place;
    size_t size;
    uint32_t *edges; // one half edge of every edge seen so far
} edge_table;

static void edge_ends(const edge_table *table, uint32_t edge, uint32_t *from, uint32_t *to)
{
    const uint32_t *corner = table->mesh->triangles[edge / 3];
    *from = table->place[corner[edge % 3]];
    *to = table->place[corner[(edge + 1) % 3]];
}

// The place of an edge between two places, or where it would be; its direction does not matter.
static size_t find_edge(const edge_table *table, uint32_t from, uint32_t to)
{
    uint32_t low = from < to ? from : to, high = from < to ? to : from;
    size_t slot = hash_word(0, (uint64_t)high << 32 | low) & (table->size - 1);
    for (; table->edges[slot] != MESH_NO_EDGE; slot = (slot + 1) & (table->size - 1)) {
        uint32_t a, b;
        edge_ends(table, table->edges[slot], &a, &b);
        if ((a == low && b == high) || (a == high && b == low))
            break;
    }
    return slot;
}

// The first two half edges of an edge become each other's opposite; a third one, or one that runs the same way, parts
// them again for good: `shared` of the first counts.
static void match_edge(const edge_table *table, uint8_t *shared, uint32_t edge)
{
    uint32_t *opposite = table->mesh->opposite[0];
    uint32_t from, to, other_from, other_to;
    edge_ends(table, edge, &from, &to);
    opposite[edge] = MESH_NO_EDGE;
    if (from == to)
        return;
    size_t slot = find_edge(table, from, to);
    uint32_t other = table->edges[slot];
    if (other == MESH_NO_EDGE) {
        table->edges[slot] = edge;
        return;
    }
    edge_ends(table, other, &other_from, &other_to);
    if (shared[other] == 0 && other_from == to) {
        opposite[edge] = other;
        opposite[other] = edge;
    } else if (opposite[other] != MESH_NO_EDGE) {
        opposite[opposite[other]] = MESH_NO_EDGE;
        opposite[other] = MESH_NO_EDGE;
    }
    shared[other] = 1;
}

static bool find_opposites(mesh_geometry *mesh)
{
    size_t edges = 3 * mesh->triangle_count;
    edge_table table = {.mesh = mesh, .size = table_size(edges / 2 + 1)};
    uint32_t *place = malloc((mesh->vertex_count + 1) * sizeof *place);
    uint8_t *shared = calloc(edges, 1);
    table.place = place;
    bool done = place && shared && name_places(mesh, place);
    // An open mesh may have as many edges as half edges.
    while (table.size < edges + edges / 4)
        table.size *= 2;
    table.edges = done ? malloc(table.size * sizeof *table.edges) : NULL;
    if (table.edges) {
        memset(table.edges, 0xff, table.size * sizeof *table.edges);
        for (size_t edge = 0; edge < edges; edge++)
            match_edge(&table, shared, (uint32_t)edge);
        mesh->closed = true;
        for (size_t edge = 0; edge < edges; edge++)
            mesh->closed = mesh->closed && mesh->opposite[edge / 3][edge % 3] != MESH_NO_EDGE;
    }
    done = table.edges != NULL;
    free(table.edges);
    free(shared);
    free(place);
    return done;
}

// ------------------------------------------------------------------------------------------------------------- making

static void set_bounds(scree_geometry *geometry)
{
    const mesh_geometry *mesh = geometry->mesh;
    double square = 0;
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++) {
        vec3 p = mesh->vertices[mesh->triangles[i / 3][i % 3]];
        geometry->half = vec3_upper(geometry->half, vec3_make(fabs(p.x), fabs(p.y), fabs(p.z)));
        square = fmax(square, vec3_dot(p, p));
    }
    geometry->radius = sqrt(square);
}

// Triangles that are inside out enclose nothing.
static void set_solid(scree_geometry *geometry)
{
    const mesh_geometry *mesh = geometry->mesh;
    solid_properties solid = solid_of_triangles(mesh->vertices, mesh->triangles[0], mesh->triangle_count);
    if (solid.volume > 0)
        geometry->solid = solid;
}

// From what was checked already; `origin` is taken off the vertices.
static scree_status make_mesh(const vec3 *vertices, size_t vertex_count, const uint32_t *triangles,
                              size_t triangle_count, vec3 origin, scree_geometry **geometry, scree_error *error)
{
    scree_geometry *made = geometry_new(SCREE_SHAPE_MESH);
    mesh_geometry *mesh = made ? made->mesh = calloc(1, sizeof *mesh) : NULL;
    if (mesh) {
        mesh->vertices = malloc(vertex_count * sizeof *mesh->vertices);
        mesh->triangles = malloc(triangle_count * sizeof *mesh->triangles);
        mesh->opposite = malloc(triangle_count * sizeof *mesh->opposite);
    }
    bool done = mesh && mesh->vertices && mesh->triangles && mesh->opposite;
    if (done) {
        mesh->vertex_count = vertex_count;
        mesh->triangle_count = triangle_count;
        memcpy(mesh->triangles, triangles, triangle_count * sizeof *mesh->triangles);
        for (size_t i = 0; i < vertex_count; i++)
            mesh->vertices[i] = vec3_sub(vertices[i], origin);
        set_bounds(made);
        done = find_opposites(mesh) && triangles_tree(mesh->vertices, mesh->triangles[0], triangle_count, &mesh->tree);
    }
    if (!done) {
        scree_geometry_release(made);
        return fail_no_memory(error);
    }
    if (mesh->closed)
        set_solid(made);
    made->origin = origin;
    *geometry = made;
    return SCREE_OK;
}

scree_status scree_mesh_create(const scree_vec3 *vertices, size_t vertex_count, const uint32_t *triangles,
                               size_t triangle_count, scree_geometry **geometry, scree_error *error)
{
    if ((!vertices && vertex_count > 0) || (!triangles && triangle_count > 0) || !geometry)
        return fail_null(error, "scree_mesh_create");
    scree_status status = check_mesh(vertices, vertex_count, triangles, triangle_count, error);
    if (status)
        return status;
    vec3 low, high;
    triangles_bounds(vertices, triangles, triangle_count, &low, &high);
    vec3 origin = vec3_scale(vec3_add(low, high), 0.5);
    return make_mesh(vertices, vertex_count, triangles, triangle_count, origin, geometry, error);
}

// ------------------------------------------------------------------------------------------------------------ packing

// Reals: the origin, then the vertices about it. Words: the corners.
bool mesh_pack(const scree_geometry *geometry, geometry_parts *to)
{
    const mesh_geometry *mesh = geometry->mesh;
    size_t reals = 3 * (mesh->vertex_count + 1), words = 3 * mesh->triangle_count;
    if (!array_reserve(&to->reals, to->reals.count + reals) || !array_reserve(&to->words, to->words.count + words))
        return false;
    double *next = to->reals.data + to->reals.count;
    memcpy(next, &geometry->origin, sizeof geometry->origin);
    memcpy(next + 3, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
    memcpy(to->words.data + to->words.count, mesh->triangles, words * sizeof *to->words.data);
    to->reals.count += reals;
    to->words.count += words;
    return true;
}

scree_status mesh_unpack(const packed_geometry *from, scree_geometry **geometry, scree_error *error)
{
    if (from->real_count < 3 || from->real_count % 3 != 0 || from->word_count % 3 != 0)
        return fail(error, SCREE_ERROR_INVALID, "a mesh of %zu numbers and %zu indices cannot be: both come in threes",
                    from->real_count, from->word_count);
    vec3 origin = {from->reals[0], from->reals[1], from->reals[2]};
    if (!valid_vertex(origin))
        return fail(error, SCREE_ERROR_INVALID, "the origin of a mesh must be finite and within 1e15");
    const vec3 *vertices = (const vec3 *)(const void *)(from->reals + 3);
    size_t vertex_count = from->real_count / 3 - 1, triangle_count = from->word_count / 3;
    scree_status status = check_mesh(vertices, vertex_count, from->words, triangle_count, error);
    if (status)
        return status;
    status = make_mesh(vertices, vertex_count, from->words, triangle_count, vec3_make(0, 0, 0), geometry, error);
    if (status == SCREE_OK)
        (*geometry)->origin = origin;
    return status;
}
