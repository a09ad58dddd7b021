// Round shapes are all bodies of revolution about z: a profile of rings from below to above, closed at each end by a
// pole (a ring of radius 0) or by a flat polygon. An ellipsoid is a stretched sphere.
#include "geometry/surface.h"

#include "geometry/height.h"
#include "geometry/hull.h"
#include "geometry/mesh.h"
#include "geometry/sphere_set.h"

static bool add_point(shape_surface *to, vec3 point)
{
    return to->points.count < UINT32_MAX && array_push(&to->points, point);
}

static bool add_polygon(shape_surface *to, const uint32_t *corners, size_t count, size_t first)
{
    if (to->corners.count > UINT32_MAX - count)
        return false;
    bool done = true;
    for (size_t i = 0; i < count && done; i++)
        done = array_push(&to->corners, (uint32_t)first + corners[i]);
    return done && array_push(&to->ends, (uint32_t)to->corners.count);
}

// -------------------------------------------------------------------------------------------------- round shapes

typedef struct profile_ring {
    double radius, z;
} profile_ring;

// The rings of a body of revolution: where they are, and how it is stretched and moved.
typedef struct revolution {
    const profile_ring *rings;
    size_t ring_count;
    uint32_t sectors;
    vec3 stretch, center;
} revolution;

static size_t ring_points(const revolution *body, size_t ring)
{
    return body->rings[ring].radius > 0 ? body->sectors : 1;
}

static bool add_ring(shape_surface *to, const revolution *body, size_t ring)
{
    const profile_ring *at = &body->rings[ring];
    bool done = true;
    for (size_t i = 0; i < ring_points(body, ring) && done; i++) {
        double angle = 2 * PI * (double)i / body->sectors;
        vec3 unit = vec3_on_circle(at->radius, angle, at->z);
        done = add_point(to, vec3_add(vec3_multiply(unit, body->stretch), body->center));
    }
    return done;
}

// Between two rings whose points begin at `low` and `high`; triangles where one of them is a pole.
static bool add_band(shape_surface *to, const revolution *body, size_t ring, uint32_t low, uint32_t high)
{
    bool south = ring_points(body, ring) == 1, north = ring_points(body, ring + 1) == 1, done = true;
    for (uint32_t i = 0; i < body->sectors && done; i++) {
        uint32_t next = (i + 1) % body->sectors;
        if (south)
            done = add_polygon(to, (const uint32_t[]){low, high + next, high + i}, 3, 0);
        else if (north)
            done = add_polygon(to, (const uint32_t[]){high, low + i, low + next}, 3, 0);
        else
            done = add_polygon(to, (const uint32_t[]){low + i, low + next, high + next, high + i}, 4, 0);
    }
    return done;
}

// A flat end: the ring that begins at `first`, seen from above or from below.
static bool add_lid(shape_surface *to, const revolution *body, uint32_t first, bool above)
{
    bool done = to->corners.count <= UINT32_MAX - body->sectors;
    for (uint32_t i = 0; i < body->sectors && done; i++)
        done = array_push(&to->corners, first + (above ? i : body->sectors - 1 - i));
    return done && array_push(&to->ends, (uint32_t)to->corners.count);
}

static bool add_revolution(shape_surface *to, const revolution *body)
{
    uint32_t first = (uint32_t)to->points.count, low = first;
    size_t last = body->ring_count - 1;
    bool done = true;
    for (size_t ring = 0; ring <= last && done; ring++)
        done = add_ring(to, body, ring);
    if (done && ring_points(body, 0) > 1)
        done = add_lid(to, body, first, false);
    for (size_t ring = 0; ring < last && done; ring++) {
        uint32_t high = low + (uint32_t)ring_points(body, ring);
        done = add_band(to, body, ring, low, high);
        low = high;
    }
    if (done && ring_points(body, last) > 1)
        done = add_lid(to, body, low, true);
    return done;
}

typedef ARRAY(profile_ring) profile;

// Rings of a ball of radius 1, or of its lower or upper half, moved along z; poles included.
static bool add_arc(profile *to, uint32_t from, uint32_t end, uint32_t rings, double radius, double z)
{
    bool done = true;
    for (uint32_t i = from; i <= end && done; i++) {
        vec3 at = vec3_on_circle(radius, PI * i / rings, 0);
        bool pole = i == 0 || i == rings;
        done = array_push(to, ((profile_ring){pole ? 0 : at.y, z - at.x}));
    }
    return done;
}

static bool add_ball(shape_surface *to, vec3 center, vec3 radii, uint32_t sectors)
{
    profile rings = {0};
    uint32_t count = sectors / 2;
    bool done = add_arc(&rings, 0, count, count, 1, 0);
    if (done)
        done = add_revolution(to, &(revolution){rings.data, rings.count, sectors, radii, center});
    array_free(&rings);
    return done;
}

static bool add_long_shape(shape_surface *to, const scree_shape_def *shape, uint32_t sectors)
{
    profile rings = {0};
    double radius = shape->radius, half = shape->half_length;
    uint32_t count = 2 * (sectors / 4); // even, so that a cap ends where the tube begins
    bool done;
    if (shape->type == SCREE_SHAPE_CAPSULE)
        done = add_arc(&rings, 0, count / 2, count, radius, -half) &&
               add_arc(&rings, count / 2, count, count, radius, half);
    else if (shape->type == SCREE_SHAPE_CYLINDER)
        done =
            array_push(&rings, ((profile_ring){radius, -half})) && array_push(&rings, ((profile_ring){radius, half}));
    else
        done = array_push(&rings, ((profile_ring){radius, -0.5 * half})) &&
               array_push(&rings, ((profile_ring){0, 1.5 * half}));
    if (done)
        done = add_revolution(to, &(revolution){rings.data, rings.count, sectors, {1, 1, 1}, {0, 0, 0}});
    array_free(&rings);
    return done;
}

// ---------------------------------------------------------------------------------------------------- flat shapes

// Corner i has the sign of half edge k in bit k.
static bool add_box(shape_surface *to, vec3 half)
{
    static const uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    size_t first = to->points.count;
    bool done = true;
    for (int i = 0; i < 8 && done; i++)
        done = add_point(to, vec3_make(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z));
    for (int f = 0; f < 6 && done; f++)
        done = add_polygon(to, faces[f], 4, first);
    return done;
}

static bool add_points(shape_surface *to, const vec3 *points, size_t count, vec3 origin)
{
    bool done = array_reserve(&to->points, to->points.count + count);
    for (size_t i = 0; i < count && done; i++)
        done = add_point(to, vec3_add(points[i], origin));
    return done;
}

static bool add_hull(shape_surface *to, const scree_geometry *geometry)
{
    const hull_geometry *hull = geometry->hull;
    size_t first = to->points.count;
    bool done = add_points(to, hull->vertices, hull->vertex_count, geometry->origin);
    for (size_t f = 0; f < hull->face_count && done; f++)
        done = add_polygon(to, hull->face_corners + hull->face_start[f], hull->face_start[f + 1] - hull->face_start[f],
                           first);
    return done;
}

static bool add_mesh(shape_surface *to, const scree_geometry *geometry)
{
    const mesh_geometry *mesh = geometry->mesh;
    size_t first = to->points.count;
    bool done = add_points(to, mesh->vertices, mesh->vertex_count, geometry->origin);
    for (size_t t = 0; t < mesh->triangle_count && done; t++)
        done = add_polygon(to, mesh->triangles[t], 3, first);
    return done;
}

static bool add_height(shape_surface *to, const scree_geometry *geometry)
{
    const height_geometry *field = geometry->height;
    size_t first = to->points.count, columns = field->columns;
    bool done = true;
    for (size_t row = 0; row < field->rows && done; row++)
        for (size_t column = 0; column < columns && done; column++)
            done = add_point(to, vec3_add(height_sample(field, column, row), geometry->origin));
    for (size_t row = 0; row + 1 < field->rows && done; row++)
        for (size_t column = 0; column + 1 < columns && done; column++) {
            uint32_t a = (uint32_t)(row * columns + column), d = a + (uint32_t)columns; // as in height.h
            done = add_polygon(to, (const uint32_t[]){a, a + 1, d + 1}, 3, first) &&
                   add_polygon(to, (const uint32_t[]){a, d + 1, d}, 3, first);
        }
    return done;
}

static bool add_spheres(shape_surface *to, const scree_geometry *geometry, uint32_t sectors)
{
    const sphere_set *set = geometry->spheres;
    bool done = true;
    for (size_t i = 0; i < set->count && done; i++) {
        double radius = set->balls[i].radius;
        done = add_ball(to, vec3_add(set->balls[i].position, geometry->origin), vec3_make(radius, radius, radius),
                        sectors);
    }
    return done;
}

bool shape_surface_add(shape_surface *to, const scree_shape_def *shape, uint32_t sectors)
{
    switch (shape->type) {
    case SCREE_SHAPE_SPHERE:
        return add_ball(to, vec3_make(0, 0, 0), vec3_make(shape->radius, shape->radius, shape->radius), sectors);
    case SCREE_SHAPE_ELLIPSOID:
        return add_ball(to, vec3_make(0, 0, 0), shape->radii, sectors);
    case SCREE_SHAPE_CAPSULE:
    case SCREE_SHAPE_CYLINDER:
    case SCREE_SHAPE_CONE:
        return add_long_shape(to, shape, sectors);
    case SCREE_SHAPE_BOX:
        return add_box(to, shape->half);
    case SCREE_SHAPE_HULL:
        return add_hull(to, shape->geometry);
    case SCREE_SHAPE_MESH:
        return add_mesh(to, shape->geometry);
    case SCREE_SHAPE_HEIGHTFIELD:
        return add_height(to, shape->geometry);
    case SCREE_SHAPE_SPHERES:
        return add_spheres(to, shape->geometry, sectors);
    default:
        return true;
    }
}

void shape_surface_free(shape_surface *surface)
{
    array_free(&surface->points);
    array_free(&surface->corners);
    array_free(&surface->ends);
}
