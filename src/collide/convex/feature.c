// Faces, edges and corners of each kind, found in the shape's own axes. Tolerances are wide, since every point that
// comes of a feature has its own gap: one that lies too far off is dropped for that and for nothing else.
#include "collide/convex/feature.h"

#include "collide/convex/farthest.h"
#include "geometry/triangle_math.h"

static const double FACE_COSINE = 0.98; // a face within 11 degrees of the direction
static const double EDGE_SINE = 0.2;    // an edge that rises as much

// Names of features that are not faces: edges and corners.
enum { NAME_EDGE = 1 << 20, NAME_CORNER = 2 << 20 };

// In the shape's own axes until the end: the corners found so far.
typedef struct finder {
    const convex *shape;
    vec3 direction;
    convex_feature *feature;
} finder;

static void add_corner(const finder *f, vec3 corner)
{
    f->feature->corners[f->feature->count++] = corner;
}

static void set_point(const finder *f, vec3 corner, uint32_t name)
{
    f->feature->name = NAME_CORNER + name;
    add_corner(f, corner);
}

static void set_line(const finder *f, vec3 from, vec3 to, uint32_t name)
{
    f->feature->name = NAME_EDGE + name;
    add_corner(f, from);
    add_corner(f, to);
}

static void set_face(const finder *f, vec3 normal, uint32_t name)
{
    f->feature->name = name;
    f->feature->normal = normal;
}

static void find_on_segment(const finder *f)
{
    double half = f->shape->size.z;
    if (fabs(f->direction.z) < EDGE_SINE)
        set_line(f, vec3_make(0, 0, -half), vec3_make(0, 0, half), 0);
    else
        set_point(f, vec3_make(0, 0, copysign(half, f->direction.z)), f->direction.z > 0);
}

static void find_on_box(const finder *f)
{
    double d[3] = {f->direction.x, f->direction.y, f->direction.z};
    double half[3] = {f->shape->size.x, f->shape->size.y, f->shape->size.z}, c[3], normal[3] = {0, 0, 0};
    int most = 0, least = 0;
    uint32_t signs = 0;
    for (int k = 0; k < 3; k++) {
        most = fabs(d[k]) > fabs(d[most]) ? k : most;
        least = fabs(d[k]) < fabs(d[least]) ? k : least;
        c[k] = copysign(half[k], d[k]);
        signs |= (uint32_t)(d[k] > 0) << k;
    }
    if (fabs(d[most]) >= FACE_COSINE) {
        int u = (most + 1) % 3, v = (most + 2) % 3;
        normal[most] = copysign(1, d[most]);
        set_face(f, vec3_make(normal[0], normal[1], normal[2]), (uint32_t)most * 2 + (d[most] > 0));
        for (int i = 0; i < 4; i++) {
            double round = i == 0 || i == 3 ? 1 : -1;
            c[u] = round * half[u] * normal[most]; // the other way round on the negative side
            c[v] = i < 2 ? half[v] : -half[v];
            add_corner(f, vec3_make(c[0], c[1], c[2]));
        }
    } else if (fabs(d[least]) < EDGE_SINE) {
        double e[3] = {c[0], c[1], c[2]};
        c[least] = -half[least];
        e[least] = half[least];
        set_line(f, vec3_make(c[0], c[1], c[2]), vec3_make(e[0], e[1], e[2]),
                 (uint32_t)least << 3 | (signs & ~(1u << least)));
    } else {
        set_point(f, vec3_make(c[0], c[1], c[2]), signs);
    }
}

// A cap at height z, looking along +z or -z.
static void set_cap(const finder *f, double z, double side)
{
    set_face(f, vec3_make(0, 0, side), side > 0);
    for (int i = 0; i < FEATURE_RIM; i++)
        add_corner(f, vec3_on_circle(f->shape->size.x, side * 2 * PI / FEATURE_RIM * i, z));
}

// The point of the rim at height z that is farthest along the direction.
static vec3 rim_point(const finder *f, double z)
{
    vec3 out = vec3_normalize(vec3_make(f->direction.x, f->direction.y, 0));
    return vec3_make(f->shape->size.x * out.x, f->shape->size.x * out.y, z);
}

static void find_on_cylinder(const finder *f)
{
    double half = f->shape->size.z, z = f->direction.z;
    if (fabs(z) >= FACE_COSINE)
        set_cap(f, copysign(half, z), copysign(1, z));
    else if (fabs(z) < EDGE_SINE)
        set_line(f, rim_point(f, -half), rim_point(f, half), 0);
    else
        set_point(f, rim_point(f, copysign(half, z)), z > 0);
}

static void find_on_cone(const finder *f)
{
    double half = f->shape->size.z, radius = f->shape->size.x, slant = hypotenuse(2 * half, radius);
    double out = hypotenuse(f->direction.x, f->direction.y), z = f->direction.z;
    vec3 apex = {0, 0, 1.5 * half};
    double lean = (2 * half * z - radius * out) / slant; // sine of the angle from the side's normal towards the apex
    if (-z >= FACE_COSINE)
        set_cap(f, -0.5 * half, -1);
    else if (fabs(lean) < EDGE_SINE && out > 0)
        set_line(f, rim_point(f, -0.5 * half), apex, 0);
    else if (lean > 0)
        set_point(f, apex, 1);
    else
        set_point(f, rim_point(f, -0.5 * half), 0);
}

static void find_on_triangle(const finder *f)
{
    const vec3 *c = f->shape->corners;
    vec3 normal = triangle_normal(c);
    double along = vec3_dot(normal, f->direction);
    if (fabs(along) >= FACE_COSINE) {
        set_face(f, vec3_scale(normal, copysign(1, along)), along > 0);
        for (int i = 0; i < 3; i++)
            add_corner(f, c[along > 0 ? i : 2 - i]);
        return;
    }
    int first = 0, level = -1;
    double flattest = EDGE_SINE;
    for (int i = 1; i < 3; i++)
        first = vec3_dot(c[i], f->direction) > vec3_dot(c[first], f->direction) ? i : first;
    for (int i = 1; i < 3; i++) {
        int other = (first + i) % 3;
        double rise = fabs(vec3_dot(vec3_normalize(vec3_sub(c[other], c[first])), f->direction));
        if (rise < flattest) {
            flattest = rise;
            level = other;
        }
    }
    if (level < 0)
        set_point(f, c[first], (uint32_t)first);
    else
        set_line(f, c[first < level ? first : level], c[first < level ? level : first], (uint32_t)(first + level));
}

static void set_hull_face(const finder *f, uint32_t face)
{
    const hull_geometry *hull = f->shape->hull;
    uint32_t start = hull->face_start[face], corners = hull->face_start[face + 1] - start;
    uint32_t count = corners < FEATURE_CORNERS ? corners : FEATURE_CORNERS;
    set_face(f, hull->normals[face], face);
    for (uint32_t i = 0; i < count; i++)
        add_corner(f, hull->vertices[hull->face_corners[start + (uint32_t)((uint64_t)i * corners / count)]]);
}

static void find_on_hull(const finder *f)
{
    const hull_geometry *hull = f->shape->hull;
    const double d[3] = {f->direction.x, f->direction.y, f->direction.z};
    uint32_t face = farthest_point(hull->normal_columns, hull_column_length(hull->face_count), d);
    if (vec3_dot(hull->normals[face], f->direction) >= FACE_COSINE) {
        set_hull_face(f, face);
        return;
    }
    uint32_t vertex = farthest_point(hull->vertex_columns, hull_column_length(hull->vertex_count), d);
    uint32_t level = vertex;
    double flattest = EDGE_SINE;
    for (uint32_t i = hull->ring_start[vertex]; i < hull->ring_start[vertex + 1]; i++) {
        vec3 edge = vec3_normalize(vec3_sub(hull->vertices[hull->ring[i]], hull->vertices[vertex]));
        double rise = fabs(vec3_dot(edge, f->direction));
        if (rise < flattest) {
            flattest = rise;
            level = hull->ring[i];
        }
    }
    if (level == vertex)
        set_point(f, hull->vertices[vertex], vertex);
    else if (level < vertex)
        set_line(f, hull->vertices[level], hull->vertices[vertex], level * 1021 + vertex);
    else
        set_line(f, hull->vertices[vertex], hull->vertices[level], vertex * 1021 + level);
}

void convex_find_feature(const convex *shape, vec3 direction, convex_feature *feature)
{
    finder f = {shape, mat3_apply_transposed(&shape->axes, direction), feature};
    feature->count = 0;
    switch (shape->kind) {
    case CONVEX_SEGMENT:
        find_on_segment(&f);
        break;
    case CONVEX_TRIANGLE:
        find_on_triangle(&f);
        break;
    case CONVEX_BOX:
        find_on_box(&f);
        break;
    case CONVEX_CYLINDER:
        find_on_cylinder(&f);
        break;
    case CONVEX_CONE:
        find_on_cone(&f);
        break;
    case CONVEX_HULL:
        find_on_hull(&f);
        break;
    default:
        feature->name = NAME_CORNER;
        feature->count = 1;
        feature->corners[0] = vec3_add_scaled(convex_support(shape, direction), direction, shape->radius);
        return;
    }
    vec3 place = vec3_add_scaled(shape->center, direction, shape->radius);
    for (int i = 0; i < feature->count; i++)
        feature->corners[i] = vec3_add(place, mat3_apply(&shape->axes, feature->corners[i]));
    if (feature->count > 2)
        feature->normal = mat3_apply(&shape->axes, feature->normal);
}
