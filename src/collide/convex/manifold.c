// The features of two shapes that face each other along the normal are laid on the plane across it and intersected:
//
//         seen along the normal                  seen from the side
//
//             +-------------+                    \             /   feature of b
//         +---o---------o   |   feature of b       \---------/
//         |   |         |   |                       o       |      o: points, each with its own gap along the
//         |   o---------o   |                   -----------------     normal, midway between the surfaces
//         |   +---------|---+                                      feature of a
//         +-------------+       feature of a
//
// Both surfaces are flat there, so the gap is least at a corner of the intersection. Shapes that are tilted by a small
// angle give all points within the margin and so settle flat. Where the nearest points of the shapes are not among the
// corners (a rim between two of its corners, two crossing edges) they are added.
#include "collide/convex/feature.h"
#include "collide/convex/spread.h"

static const double SLACK = 1e-6; // in sizes: how far outside a face a corner may stand and still belong to it
static const double EXACT = 1e-7; // in sizes: how well the smallest gap must be met
static const double ASIDE = 2e-3; // how far one of two parallel lines may lie beside the other, in lengths and breadths
static const double FLAT_AREA = 1e-9; // of a polygon, in squared sizes

enum { MOST_CORNERS = 2 * FEATURE_CORNERS, NAME_CLIPPED = FEATURE_CORNERS, NAME_NEAREST = 255 };

typedef struct corner {
    double x, y, z; // along the two tangents and the normal
    uint32_t name;  // of the edge that starts here, going round
} corner;

typedef struct outline {
    int count;
    corner corners[MOST_CORNERS];
} outline;

// The work on one pair: axes across the normal, and what is kept of the points.
typedef struct manifold_job {
    vec3 normal, tangent[2];
    double size, breadth;
    uint32_t faces; // name of the two features, above the names of points
    bool a_is_clip;
    spread kept;
} manifold_job;

// Largest extent of a shape, roughly.
static double convex_size(const convex *shape)
{
    double size = shape->radius + fmax(shape->size.x, fmax(shape->size.y, shape->size.z));
    if (shape->kind == CONVEX_HULL)
        return vec3_length(shape->hull->vertices[0]);
    if (shape->kind == CONVEX_TRIANGLE)
        return vec3_length(vec3_sub(shape->corners[1], shape->corners[0]));
    return size;
}

// Smallest extent of a box; other shapes are taken to be about as broad as their lines are long.
static double convex_breadth(const convex *shape)
{
    return shape->kind == CONVEX_BOX ? fmin(shape->size.x, fmin(shape->size.y, shape->size.z)) : HUGE_VAL;
}

static outline outline_of(const manifold_job *job, const convex_feature *feature)
{
    outline o = {.count = feature->count};
    for (int i = 0; i < feature->count; i++) {
        vec3 c = feature->corners[i];
        o.corners[i] =
            (corner){vec3_dot(c, job->tangent[0]), vec3_dot(c, job->tangent[1]), vec3_dot(c, job->normal), (uint32_t)i};
    }
    return o;
}

static double twice_area(const outline *o)
{
    double area = 0;
    for (int i = 0; i < o->count; i++) {
        const corner *p = &o->corners[i], *q = &o->corners[i + 1 < o->count ? i + 1 : 0];
        area +=
            (p->x - o->corners[0].x) * (q->y - o->corners[0].y) - (p->y - o->corners[0].y) * (q->x - o->corners[0].x);
    }
    return area;
}

// The inside of the edge from p to q: left . x <= limit.
typedef struct half_plane {
    double x, y, limit;
} half_plane;

// Keeps the part of the subject within a half plane (Sutherland and Hodgman 1974). A line stays one of two ends that
// keep their names; a polygon gets a new edge called `name`.
static void outline_cut(outline *o, half_plane edge, uint32_t name)
{
    outline kept = {.count = 0};
    bool closed = o->count > 2;
    for (int i = 0; i < o->count; i++) {
        const corner *c = &o->corners[i], *next = &o->corners[i + 1 < o->count ? i + 1 : 0];
        double over = edge.x * c->x + edge.y * c->y - edge.limit;
        double next_over = edge.x * next->x + edge.y * next->y - edge.limit;
        if (over <= 0 && kept.count < MOST_CORNERS)
            kept.corners[kept.count++] = *c;
        if ((over <= 0) == (next_over <= 0) || (!closed && i == 1) || kept.count == MOST_CORNERS)
            continue;
        double t = over / (over - next_over);
        kept.corners[kept.count++] =
            (corner){c->x + t * (next->x - c->x), c->y + t * (next->y - c->y), c->z + t * (next->z - c->z),
                     !closed ? (over <= 0 ? next->name : c->name) : (over <= 0 ? name : c->name)};
    }
    *o = kept;
}

// Clips the subject by the sides of a polygon; false when the polygon is seen edge on.
static bool outline_clip(const manifold_job *job, outline *subject, const outline *clip)
{
    double area = twice_area(clip), side = area > 0 ? 1 : -1;
    if (fabs(area) <= FLAT_AREA * job->size * job->size)
        return false;
    for (int i = 0; i < clip->count && subject->count > 0; i++) {
        const corner *p = &clip->corners[i], *q = &clip->corners[i + 1 < clip->count ? i + 1 : 0];
        double x = side * (q->y - p->y), y = side * (p->x - q->x), length = sqrt(x * x + y * y);
        if (!(length > 0))
            continue;
        x /= length;
        y /= length;
        outline_cut(subject, (half_plane){x, y, x * p->x + y * p->y + SLACK * job->size}, NAME_CLIPPED + (uint32_t)i);
    }
    return true;
}

static void keep_point(manifold_job *job, double x, double y, double z_a, double z_b, uint32_t name)
{
    spread_point p = {.x = x, .y = y, .z = 0.5 * (z_a + z_b), .gap = z_b - z_a, .name = name};
    spread_add(&job->kept, &p);
}

// Height of the plane of a polygon over (x, y).
static double plane_height(const manifold_job *job, const convex_feature *face, const outline *o, double x, double y)
{
    double m = vec3_dot(face->normal, job->normal);
    double u = vec3_dot(face->normal, job->tangent[0]), v = vec3_dot(face->normal, job->tangent[1]);
    return o->corners[0].z - (u * (x - o->corners[0].x) + v * (y - o->corners[0].y)) / m;
}

// Points, lines and polygons against a polygon.
static void meet_polygon(manifold_job *job, const convex_feature *face, const convex_feature *other)
{
    outline clip = outline_of(job, face), subject = outline_of(job, other);
    if (!outline_clip(job, &subject, &clip))
        return;
    for (int i = 0; i < subject.count; i++) {
        const corner *c = &subject.corners[i];
        double height = plane_height(job, face, &clip, c->x, c->y);
        if (job->a_is_clip)
            keep_point(job, c->x, c->y, height, c->z, c->name);
        else
            keep_point(job, c->x, c->y, c->z, height, c->name);
    }
}

// Two lines that are all but parallel touch along where they run side by side.
static void meet_lines(manifold_job *job, const convex_feature *a, const convex_feature *b)
{
    outline p = outline_of(job, a), q = outline_of(job, b);
    double ux = p.corners[1].x - p.corners[0].x, uy = p.corners[1].y - p.corners[0].y, length = sqrt(ux * ux + uy * uy);
    double vx = q.corners[1].x - q.corners[0].x, vy = q.corners[1].y - q.corners[0].y, other = sqrt(vx * vx + vy * vy);
    if (!(length > 0 && other > 0) || fabs(ux * vy - uy * vx) > CONVEX_PARALLEL * length * other)
        return;
    double along[2], aside[2];
    for (int i = 0; i < 2; i++) {
        double x = q.corners[i].x - p.corners[0].x, y = q.corners[i].y - p.corners[0].y;
        along[i] = (x * ux + y * uy) / (length * length);
        aside[i] = (x * uy - y * ux) / length;
    }
    bool turned = along[1] < along[0];
    double low = fmax(0, along[turned]), high = fmin(1, along[!turned]);
    if (low > high)
        return;
    for (int end = 0; end < 2; end++) {
        double s = end ? high : low, t = (s - along[0]) / (along[1] - along[0]);
        double off = aside[0] + t * (aside[1] - aside[0]);
        if (fabs(off) > ASIDE * fmin(job->breadth, fmin(length, other)))
            continue;
        double x = p.corners[0].x + s * ux + 0.5 * off * uy / length;
        double y = p.corners[0].y + s * uy - 0.5 * off * ux / length;
        keep_point(job, x, y, p.corners[0].z + s * (p.corners[1].z - p.corners[0].z),
                   q.corners[0].z + t * (q.corners[1].z - q.corners[0].z), (uint32_t)end);
    }
}

static manifold_job job_make(const convex *a, const convex *b, vec3 normal, double margin)
{
    manifold_job job = {.normal = normal,
                        .size = fmin(convex_size(a), convex_size(b)),
                        .breadth = fmin(convex_breadth(a), convex_breadth(b))};
    vec3 axis = fabs(normal.x) <= 0.6 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
    job.tangent[0] = vec3_normalize(vec3_cross(normal, axis));
    job.tangent[1] = vec3_cross(normal, job.tangent[0]);
    spread_begin(&job.kept, margin, SLACK * job.size);
    return job;
}

static void meet(manifold_job *job, const convex *a, const convex *b)
{
    convex_feature of_a, of_b;
    convex_find_feature(a, job->normal, &of_a);
    convex_find_feature(b, vec3_negate(job->normal), &of_b);
    job->faces = (of_a.name * 0x9e3779b1u ^ of_b.name * 0x85ebca6bu) << 8;
    job->a_is_clip = of_a.count > 2 && of_a.count >= of_b.count;
    if (job->a_is_clip)
        meet_polygon(job, &of_a, &of_b);
    else if (of_b.count > 2)
        meet_polygon(job, &of_b, &of_a);
    else if (of_a.count == 2 && of_b.count == 2)
        meet_lines(job, &of_a, &of_b);
}

static bool job_finish(manifold_job *job, manifold *out)
{
    spread_point points[MANIFOLD_MOST];
    out->normal = job->normal;
    out->count = spread_end(&job->kept, points);
    for (int i = 0; i < out->count; i++) {
        vec3 at = vec3_scale(job->normal, points[i].z);
        at = vec3_add_scaled(vec3_add_scaled(at, job->tangent[0], points[i].x), job->tangent[1], points[i].y);
        uint32_t feature = points[i].name == NAME_NEAREST ? NAME_NEAREST : job->faces | points[i].name;
        out->points[i] = (manifold_point){at, points[i].gap, feature};
    }
    return out->count > 0;
}

bool convex_manifold_along(const convex *a, const convex *b, vec3 normal, double margin, manifold *out)
{
    manifold_job job = job_make(a, b, normal, margin);
    meet(&job, a, b);
    return job_finish(&job, out);
}

bool convex_manifold(const convex *a, const convex *b, double margin, manifold *out)
{
    convex_distance distance;
    if (!convex_find_distance(a, b, margin, &distance))
        return false;
    manifold_job job = job_make(a, b, distance.normal, margin);
    meet(&job, a, b);
    if (!(job.kept.smallest <= distance.gap + EXACT * job.size)) {
        vec3 middle = vec3_scale(vec3_add(distance.on_a, distance.on_b), 0.5);
        double height = vec3_dot(middle, job.normal);
        keep_point(&job, vec3_dot(middle, job.tangent[0]), vec3_dot(middle, job.tangent[1]),
                   height - 0.5 * distance.gap, height + 0.5 * distance.gap, NAME_NEAREST);
    }
    return job_finish(&job, out);
}
