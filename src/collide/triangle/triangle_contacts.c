#include "collide/triangle/triangle_contacts.h"

static const double ROUNDING = 1e-9;  // sine of an angle that is none, for points that are exact
static const double ALLOWANCE = 1e-5; // the same for normals that were found by iteration
static const double SHALLOW = 0.02;   // in the least half extent: overlap of which the way out is not asked
static const double EXACT = 1e-7;     // in sizes: how well the smallest gap must be met
static const double DETOUR = 2;       // how much longer the way out of a face may be than another
static const double SAME_NORMAL = 0.99;
static const uint32_t RIDGE_SALT = 0x5bd1e995;

static uint32_t point_feature(uint32_t triangle, uint32_t feature)
{
    return triangle * 0x9e3779b1u ^ feature;
}

// The triangle over a point that is under a height field; MESH_NO_EDGE for points that are not.
static uint32_t triangle_over(const surface *s, vec3 point)
{
    uint32_t over = s->height ? height_triangle_at(s->height, point.x, point.y) : MESH_NO_EDGE;
    if (over == MESH_NO_EDGE)
        return MESH_NO_EDGE;
    vec3 p[3];
    height_corners(s->height, over, p);
    return vec3_dot(triangle_normal(p), vec3_sub(point, p[0])) < 0 ? over : MESH_NO_EDGE;
}

// ------------------------------------------------------------------------------------------------------------- spheres

// The contact of one triangle with a sphere; `away` from the nearest point of the triangle to the centre.
typedef struct sphere_touch {
    vec3 away;
    double distance; // of the centre
    uint32_t triangle;
    int features;
} sphere_touch;

static surface_point sphere_point(const sphere_touch *touch, vec3 normal, double radius, bool front)
{
    double tiny = 1e-12 * radius;
    vec3 outward = touch->distance > tiny ? vec3_scale(touch->away, (front ? 1 : -1) / touch->distance) : normal;
    double gap = (front ? touch->distance : -touch->distance) - radius;
    return (surface_point){vec3_scale(outward, -radius - 0.5 * gap), outward, gap,
                           point_feature(touch->triangle, (uint32_t)touch->features)};
}

// Under a height field the ground above decides, however deep.
static void sphere_under_field(const surface *s, vec3 center, double radius, uint32_t over, surface_points *points)
{
    vec3 p[3];
    height_corners(s->height, over, p);
    vec3 normal = triangle_normal(p);
    double gap = vec3_dot(normal, vec3_sub(center, p[0])) - radius;
    points->points[0] =
        (surface_point){vec3_scale(normal, -radius - 0.5 * gap), normal, gap, point_feature(over, TRIANGLE_FACE)};
    points->count = 1;
}

static bool sphere_touches(const surface *s, vec3 center, uint32_t triangle, sphere_touch *touch, vec3 *normal)
{
    vec3 p[3];
    surface_corners(s, triangle, p);
    *normal = triangle_normal(p);
    touch->features = 0;
    touch->away = vec3_sub(center, triangle_nearest(p, center, &touch->features));
    touch->distance = vec3_length(touch->away);
    touch->triangle = triangle;
    return vec3_dot(*normal, *normal) > 0;
}

// Contacts are the places where the distance to the surface is least in the neighbourhood. The least of all tells on
// which side the centre is.
void sphere_on_surface(const surface *s, vec3 center, double radius, double margin, surface_points *points)
{
    points->size = radius;
    points->count = 0;
    uint32_t over = triangle_over(s, center);
    if (over != MESH_NO_EDGE) {
        sphere_under_field(s, center, radius, over, points);
        return;
    }
    vec3 reach = {radius + margin, radius + margin, radius + margin};
    surface_walk walk = surface_walk_box(s, vec3_sub(center, reach), vec3_add(center, reach));
    sphere_touch touch, least = {.distance = HUGE_VAL};
    vec3 normal, least_normal = {0, 0, 0};
    for (uint32_t triangle; surface_next(&walk, &triangle);) {
        if (!sphere_touches(s, center, triangle, &touch, &normal) || touch.distance > radius + margin)
            continue;
        bool face = touch.features == TRIANGLE_FACE;
        vec3 outward = vec3_scale(touch.away, touch.distance > 0 ? 1 / touch.distance : 0);
        if (touch.distance < least.distance) {
            least = touch;
            least_normal = normal;
        }
        if ((face && vec3_dot(normal, touch.away) < 0) ||
            !surface_allows(s, triangle, touch.features, outward, ROUNDING) ||
            (!face && !surface_is_front(s, triangle, touch.features, touch.away)))
            continue;
        surface_point found = sphere_point(&touch, normal, radius, true);
        surface_points_add(points, &found);
    }
    if (least.distance == HUGE_VAL)
        return;
    bool front = surface_is_front(s, least.triangle, least.features, least.away);
    if (!front)
        points->count = 0;
    if (points->count == 0 && (front || least.distance <= radius)) {
        surface_point only = sphere_point(&least, least_normal, radius, front);
        surface_points_add(points, &only);
    }
    surface_points_reduce(points, SURFACE_SPHERE_MOST);
}

// -------------------------------------------------------------------------------------------------------------- convex

// The work on one shape. All is relative to the shape's centre.
typedef struct shape_job {
    const surface *s;
    const convex *shape;
    vec3 center, low, high; // the box with the margin, in the surface's frame
    double margin, thin;    // the least half extent
    surface_points *points;
} shape_job;

// A triangle as the shape sees it.
typedef struct faced {
    uint32_t index;
    vec3 normal;
    convex triangle;
    vec3 lowest;   // point of the shape along the normal
    double height; // of the shape's centre over the plane
    double least;  // of the lowest point
} faced;

static bool face_triangle(const shape_job *job, uint32_t index, faced *f)
{
    vec3 p[3];
    surface_corners(job->s, index, p);
    f->index = index;
    f->normal = triangle_normal(p);
    if (vec3_dot(f->normal, f->normal) == 0)
        return false;
    f->height = vec3_dot(f->normal, vec3_sub(job->center, p[0]));
    f->lowest = vec3_add_scaled(convex_support(job->shape, vec3_negate(f->normal)), f->normal, -job->shape->radius);
    f->least = f->height + vec3_dot(f->normal, f->lowest);
    if (f->least > job->margin)
        return false;
    f->triangle = convex_of_triangle(p, job->center);
    return true;
}

static bool is_beside(const shape_job *job, const faced *f)
{
    const vec3 *p = f->triangle.corners;
    vec3 middle = vec3_add(job->center, f->triangle.center);
    for (int axis = 0; axis < 3; axis++) {
        double a = vec3_get(p[0], axis), b = vec3_get(p[1], axis), c = vec3_get(p[2], axis);
        double low = vec3_get(job->low, axis) - vec3_get(middle, axis);
        double high = vec3_get(job->high, axis) - vec3_get(middle, axis);
        if (fmax(a, fmax(b, c)) < low || fmin(a, fmin(b, c)) > high)
            return true;
    }
    return false;
}

// The next triangle that the box of the shape overlaps and whose plane is near enough. Walks stop at leaves and cells,
// so they give many that are beside it.
static bool next_faced(const shape_job *job, surface_walk *walk, faced *f)
{
    for (uint32_t triangle; surface_next(walk, &triangle);)
        if (face_triangle(job, triangle, f) && !is_beside(job, f))
            return true;
    return false;
}

static bool is_in_front(const shape_job *job, const faced *f)
{
    return f->height >= -1e-9 * job->points->size;
}

// `salt` tells the points of two manifolds of one triangle apart.
static void add_manifold(const shape_job *job, const faced *f, const manifold *m, uint32_t salt)
{
    for (int i = 0; i < m->count; i++) {
        surface_point found = {m->points[i].point, vec3_negate(m->normal), m->points[i].gap,
                               point_feature(f->index, m->points[i].feature ^ salt)};
        surface_points_add(job->points, &found);
    }
}

static void add_lowest(const shape_job *job, const faced *f)
{
    surface_point found = {vec3_add_scaled(f->lowest, f->normal, -0.5 * f->least), f->normal, f->least,
                           point_feature(f->index, TRIANGLE_FACE)};
    surface_points_add(job->points, &found);
}

// Which corners of the triangle are foremost along a direction.
static int foremost(const faced *f, vec3 outward)
{
    const vec3 *p = f->triangle.corners;
    double along[3], most = -HUGE_VAL, size = 0;
    for (int i = 0; i < 3; i++) {
        along[i] = vec3_dot(outward, p[i]);
        most = fmax(most, along[i]);
        size = fmax(size, fabs(p[i].x) + fabs(p[i].y) + fabs(p[i].z));
    }
    int features = 0;
    for (int i = 0; i < 3; i++)
        features |= along[i] >= most - ALLOWANCE * size ? 1 << i : 0;
    return features;
}

// Whether the normal of a manifold is one that the surface has here.
static bool is_real(const shape_job *job, const faced *f, const manifold *m)
{
    vec3 outward = vec3_negate(m->normal);
    int features = foremost(f, outward);
    if (features == TRIANGLE_FACE)
        return vec3_dot(outward, f->normal) > 0;
    return surface_allows(job->s, f->index, features, outward, ALLOWANCE) &&
           surface_is_front(job->s, f->index, features, outward);
}

// Whether the shape's lowest point is over the face, and not beside it.
static bool is_over(const faced *f)
{
    int features = 0;
    triangle_nearest(f->triangle.corners, vec3_sub(f->lowest, f->triangle.center), &features);
    return features == TRIANGLE_FACE;
}

// Whether the line from a point of the shape below the plane to its centre goes through the triangle.
static bool is_through(const faced *f, vec3 below, double gap)
{
    int features = 0;
    vec3 crossing = vec3_scale(below, f->height / (f->height - gap));
    triangle_nearest(f->triangle.corners, vec3_sub(crossing, f->triangle.center), &features);
    return gap < 0 && features == TRIANGLE_FACE;
}

// Whether the shape, with points over the face, overlaps the triangle. The middle of the points mostly tells.
static bool is_overlapped(const shape_job *job, const faced *f, const manifold *face)
{
    vec3 middle = {0, 0, 0};
    double gap = 0;
    for (int i = 0; i < face->count; i++) {
        middle = vec3_add_scaled(middle, face->points[i].point, 1.0 / face->count);
        gap += face->points[i].gap / face->count;
    }
    convex_distance d;
    return is_through(f, vec3_add_scaled(middle, f->normal, 0.5 * gap), gap) ||
           convex_find_distance(job->shape, &f->triangle, EXACT * job->points->size, &d);
}

static bool is_behind_surface(const shape_job *job, vec3 point, double within)
{
    surface_place place;
    return surface_nearest(job->s, vec3_add(job->center, point), within, &place) && place.distance < 0;
}

// Drops points that are below the plane but do not belong to an overlap: those of a shape that reaches there round an
// acute edge, and is outside again. A shape that overlaps neighbours only may well have points behind this triangle.
static void drop_outside(const shape_job *job, const faced *f, manifold *face)
{
    double deep = -EXACT * job->points->size, smallest = HUGE_VAL;
    for (int i = 0; i < face->count; i++)
        smallest = fmin(smallest, face->points[i].gap);
    if (smallest >= deep || is_overlapped(job, f, face))
        return;
    int kept = 0;
    for (int i = 0; i < face->count; i++) {
        const manifold_point *p = &face->points[i];
        vec3 on_shape = vec3_add_scaled(p->point, f->normal, 0.5 * p->gap);
        if (p->gap >= deep || is_behind_surface(job, on_shape, -2 * p->gap))
            face->points[kept++] = *p;
    }
    face->count = kept;
}

// Whether the shape's lowest point is over the face, and not outside again.
static bool is_lowest_felt(const shape_job *job, const faced *f)
{
    convex_distance d;
    return is_over(f) &&
           (f->height < 0 || f->least >= -EXACT * job->points->size || is_through(f, f->lowest, f->least) ||
            convex_find_distance(job->shape, &f->triangle, EXACT * job->points->size, &d) ||
            is_behind_surface(job, f->lowest, -2 * f->least));
}

// The points over the face, and the lowest of the shape if it is there too and is not one of them. False when the
// smallest gap is not met: then the shape is nearer beside the face.
static bool add_face(const shape_job *job, const faced *f, const manifold *face)
{
    double smallest = HUGE_VAL;
    for (int i = 0; i < face->count; i++)
        smallest = fmin(smallest, face->points[i].gap);
    add_manifold(job, f, face, 0);
    if (smallest <= f->least + EXACT * job->points->size)
        return true;
    bool felt = is_lowest_felt(job, f);
    if (felt)
        add_lowest(job, f);
    return felt;
}

// Whether the two are farther apart than the margin along the line from the shape's centre to the triangle.
static bool is_apart(const shape_job *job, const faced *f)
{
    int features;
    const vec3 *p = f->triangle.corners;
    vec3 middle = f->triangle.center;
    vec3 line = vec3_normalize(vec3_add(middle, triangle_nearest(p, vec3_negate(middle), &features)));
    double triangle = fmin(vec3_dot(line, p[0]), fmin(vec3_dot(line, p[1]), vec3_dot(line, p[2])));
    double shape = vec3_dot(line, convex_support(job->shape, line)) + job->shape->radius;
    return triangle + vec3_dot(line, middle) - shape > job->margin;
}

// The lowest point of the shape as another triangle sees it.
typedef struct lowest_over {
    vec3 corners[3], normal, lowest;
    double depth; // below the plane, twice
} lowest_over;

static lowest_over find_lowest(const shape_job *job, uint32_t triangle)
{
    lowest_over over;
    surface_corners(job->s, triangle, over.corners);
    over.normal = triangle_normal(over.corners);
    vec3 support = convex_support(job->shape, vec3_negate(over.normal));
    over.lowest = vec3_add_scaled(vec3_add(job->center, support), over.normal, -job->shape->radius);
    double least = vec3_dot(over.normal, vec3_sub(over.lowest, over.corners[0]));
    over.depth = 2 * fmax(0, -least);
    return over;
}

// Across an edge, or so little inside that the shape, overlapping by no more than its depth, may touch the edge along a
// normal that differs by an angle of this tangent.
static bool is_across(const shape_job *job, const lowest_over *over, uint32_t edge, double tangent)
{
    vec3 from = over->corners[edge % 3], along = vec3_sub(over->corners[(edge + 1) % 3], from);
    double slack = over->depth * tangent + 1e-6 * job->points->size;
    return vec3_dot(vec3_cross(along, vec3_sub(over->lowest, from)), over->normal) <= slack * vec3_length(along);
}

// Tangent of half the angle, and of the whole angle, between two normals.
static double tangent_of_half(vec3 a, vec3 b)
{
    double cosine = vec3_dot(a, b);
    return cosine > -1 ? sqrt(fmax(1 - cosine, 0) / (1 + cosine)) : HUGE_VAL;
}

static double tangent_of(vec3 a, vec3 b)
{
    double cosine = vec3_dot(a, b);
    return cosine > 0 ? sqrt(fmax(1 - cosine * cosine, 0)) / cosine : HUGE_VAL;
}

static bool may_touch_edge(const shape_job *job, const lowest_over *own, uint32_t edge)
{
    uint32_t other = surface_opposite(job->s, edge);
    if (other == MESH_NO_EDGE)
        return is_across(job, own, edge, 1);
    lowest_over next = find_lowest(job, other / 3);
    double tangent = tangent_of_half(own->normal, next.normal);
    return is_across(job, own, edge, tangent) && is_across(job, &next, other, tangent);
}

// No two normals round the corner differ by more than twice the widest angle from its own.
static bool may_touch_corner(const shape_job *job, const lowest_over *own, uint32_t start)
{
    double tangent = 0;
    uint32_t edge;
    surface_fan around = {.s = job->s, .start = start};
    while (surface_fan_next(&around, &edge)) {
        vec3 p[3];
        surface_corners(job->s, edge / 3, p);
        tangent = fmax(tangent, tangent_of(own->normal, triangle_normal(p)));
    }
    if (around.open)
        tangent = fmax(tangent, 1);
    around = (surface_fan){.s = job->s, .start = start};
    while (surface_fan_next(&around, &edge)) {
        lowest_over over = find_lowest(job, edge / 3);
        if (!is_across(job, &over, edge, tangent) && !is_across(job, &over, edge_before(edge), tangent))
            return false;
    }
    return true;
}

// Whether an edge or a corner of the triangle can be what the shape touches. Supports are monotone: with s(n) the
// lowest point for a normal n, (s(n) - s(m)) . (m - n) >= 0. So if an edge is touched along some m between the normals
// of its two sides, the lowest point for either of them is across that edge; and if a corner is, every triangle around
// has its own across one of its two edges there. That is cheap to ask, and on smooth ground the answer is mostly no.
static bool may_touch_ridge(const shape_job *job, const faced *f)
{
    lowest_over own = find_lowest(job, f->index);
    for (uint32_t edge = 3 * f->index; edge < 3 * f->index + 3; edge++)
        if (may_touch_edge(job, &own, edge))
            return true;
    for (uint32_t start = 3 * f->index; start < 3 * f->index + 3; start++)
        if (may_touch_corner(job, &own, start))
            return true;
    return false;
}

// The shortest way out of the triangle that is known: over a ridge, or out of the plane of a neighbour that the whole
// triangle is below. As a gap.
static double shortest_way(const shape_job *job, const faced *f, const manifold *ridge)
{
    double way = HUGE_VAL;
    for (int i = 0; i < ridge->count; i++)
        way = fmin(way, ridge->points[i].gap);
    way = ridge->count > 0 ? way : -HUGE_VAL;
    vec3 middle = vec3_add(job->center, f->triangle.center);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t other = surface_opposite(job->s, 3 * f->index + i);
        if (other == MESH_NO_EDGE)
            continue;
        lowest_over over = find_lowest(job, other / 3);
        vec3 far = vec3_add(middle, f->triangle.corners[(i + 2) % 3]);
        if (vec3_dot(over.normal, vec3_sub(far, over.corners[0])) <= 0)
            way = fmax(way, -0.5 * over.depth);
    }
    return way;
}

// Whether the face is so much the longer way out that it is the neighbours that are touched.
static bool is_detour(const shape_job *job, const faced *f, const manifold *face, const manifold *ridge)
{
    double through = face->count > 0 ? HUGE_VAL : f->least;
    for (int i = 0; i < face->count; i++)
        through = fmin(through, face->points[i].gap);
    return through < 0 && through < DETOUR * shortest_way(job, f, ridge);
}

// The face is touched where the part of the shape that faces the triangle lies over it; but a shape that reaches deep
// behind it may have a shorter way out over a ridge. Where it does not, or is not nearest there, a ridge can be
// touched.
static void touch_front(const shape_job *job, const faced *f)
{
    manifold face, nearest;
    face.count = 0;
    if (job->shape->kind != CONVEX_ELLIPSOID) // whose lowest point is all there is to face anything
        convex_manifold_along(job->shape, &f->triangle, vec3_negate(f->normal), job->margin, &face);
    drop_outside(job, f, &face);
    bool shallow = f->least >= -SHALLOW * job->thin;
    if (shallow && add_face(job, f, &face))
        return;
    nearest.count = 0;
    if (!is_apart(job, f) && surface_has_ridge(job->s, f->index) && may_touch_ridge(job, f) &&
        convex_manifold(job->shape, &f->triangle, job->margin, &nearest) && is_real(job, f, &nearest))
        add_manifold(job, f, &nearest, RIDGE_SALT);
    else if (!shallow && !is_detour(job, f, &face, &nearest))
        add_face(job, f, &face);
}

// Beside a rim there is no behind: a shape whose centre is beyond the rim of a triangle touches it there, from
// whichever side of the plane.
static bool is_past_rim(const shape_job *job, const faced *f)
{
    int features = 0;
    triangle_nearest(f->triangle.corners, vec3_negate(f->triangle.center), &features);
    return surface_is_rim(job->s, f->index, features);
}

static void touch_rim(const shape_job *job, const faced *f)
{
    manifold nearest;
    if (!is_apart(job, f) && convex_manifold(job->shape, &f->triangle, job->margin, &nearest) &&
        is_real(job, f, &nearest))
        add_manifold(job, f, &nearest, RIDGE_SALT);
}

// Takes the way out over an edge on the rim, with the centre beyond it, for the way along the normal if that is longer.
static void prefer_rim(const shape_job *job, faced *f)
{
    vec3 normal = f->normal;
    for (uint32_t i = 0; i < 3; i++) {
        if (surface_opposite(job->s, 3 * f->index + i) != MESH_NO_EDGE)
            continue;
        const vec3 *p = f->triangle.corners;
        vec3 outward = vec3_normalize(vec3_cross(vec3_sub(p[(i + 1) % 3], p[i]), normal));
        vec3 lowest = vec3_add_scaled(convex_support(job->shape, vec3_negate(outward)), outward, -job->shape->radius);
        double height = -vec3_dot(outward, vec3_add(f->triangle.center, p[i]));
        double least = height + vec3_dot(outward, lowest);
        if (height < 0 || least <= f->least)
            continue;
        f->normal = outward;
        f->lowest = lowest;
        f->height = height;
        f->least = least;
    }
}

// The triangle through which, or over the rim of which, the shape is pushed when nothing is touched as it should be:
// the one with the shortest way, among those in front whose plane the shape has crossed at a hollow edge, or else among
// those it is behind. Only triangles that it overlaps.
static bool find_way_out(const shape_job *job, bool front, faced *best)
{
    bool found = false;
    surface_walk walk = surface_walk_box(job->s, job->low, job->high);
    for (faced f; next_faced(job, &walk, &f);) {
        convex_distance d;
        if (is_in_front(job, &f) != front)
            continue;
        if (!front)
            prefer_rim(job, &f);
        if (f.least >= -EXACT * job->points->size || (found && f.least <= best->least) ||
            !convex_find_distance(job->shape, &f.triangle, 0, &d))
            continue;
        found = true;
        *best = f;
    }
    return found;
}

static double smallest_gap(const surface_points *points)
{
    double smallest = HUGE_VAL;
    for (int i = 0; i < points->count; i++)
        smallest = fmin(smallest, points->points[i].gap);
    return smallest;
}

// Through one face and those that go on from it flat.
static void push_through(const shape_job *job, const faced *way)
{
    surface_walk walk = surface_walk_box(job->s, job->low, job->high);
    for (uint32_t triangle; surface_next(&walk, &triangle);) {
        faced f;
        manifold face;
        if (face_triangle(job, triangle, &f) && !is_in_front(job, &f) &&
            vec3_dot(f.normal, way->normal) > SAME_NORMAL &&
            convex_manifold_along(job->shape, &f.triangle, vec3_negate(f.normal), job->margin, &face))
            add_face(job, &f, &face);
    }
    if (smallest_gap(job->points) > way->least + EXACT * job->points->size)
        add_lowest(job, way);
}

static shape_job make_job(const surface *s, vec3 center, const convex *shape, double margin, surface_points *points)
{
    shape_job job = {.s = s, .shape = shape, .center = center, .margin = margin, .points = points};
    vec3 low = {convex_support(shape, vec3_make(-1, 0, 0)).x, convex_support(shape, vec3_make(0, -1, 0)).y,
                convex_support(shape, vec3_make(0, 0, -1)).z};
    vec3 high = {convex_support(shape, vec3_make(1, 0, 0)).x, convex_support(shape, vec3_make(0, 1, 0)).y,
                 convex_support(shape, vec3_make(0, 0, 1)).z};
    vec3 around = {shape->radius, shape->radius, shape->radius}, reach = {margin, margin, margin};
    low = vec3_sub(low, around);
    high = vec3_add(high, around);
    vec3 half = vec3_scale(vec3_sub(high, low), 0.5);
    job.thin = fmin(half.x, fmin(half.y, half.z));
    points->size = vec3_length(half);
    points->count = 0;
    job.low = vec3_sub(vec3_add(center, low), reach);
    job.high = vec3_add(vec3_add(center, high), reach);
    return job;
}

void convex_on_surface(const surface *s, vec3 center, const convex *shape, double margin, surface_points *points)
{
    shape_job job = make_job(s, center, shape, margin, points);
    faced f;
    uint32_t over = triangle_over(s, center);
    if (over != MESH_NO_EDGE) {
        if (face_triangle(&job, over, &f))
            push_through(&job, &f);
    } else {
        surface_walk walk = surface_walk_box(s, job.low, job.high);
        while (next_faced(&job, &walk, &f))
            if (is_in_front(&job, &f))
                touch_front(&job, &f);
            else if (is_past_rim(&job, &f))
                touch_rim(&job, &f);
        double apart = EXACT * points->size;
        if (smallest_gap(points) > apart && find_way_out(&job, true, &f))
            add_lowest(&job, &f);
        if (smallest_gap(points) > apart && find_way_out(&job, false, &f))
            push_through(&job, &f);
    }
    surface_points_reduce(points, SURFACE_MOST);
}
