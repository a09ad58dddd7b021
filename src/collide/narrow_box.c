// Boxes against boxes and planes: up to eight points per pair.
//
// Two boxes that meet face to face: the face of one is the reference, the other's face that looks at it most directly
// is cut by the reference face's sides, and each corner of what remains is a point with its own height over the
// reference.
//
//             +-------------+   incident face, seen from above
//         +---o---------o   |
//         |   |         |   |   o: points; each is known by the edge that starts there, which stays the same from step
//         |   o---------o   |      to step while the boxes slide and turn
//         |   +---------|---+
//         +-------------+       reference face
//
// Two boxes that meet edge to edge give one point. Separated boxes whose nearest points are neither (corner to
// corner, say) get the nearest points themselves: the gap is never overstated and no contact within the margin is lost.
#include "collide/narrow.h"
#include "collide/narrow_boxes.h"
#include "collide/narrow_pair.h"

enum { MAX_POINTS = 8 };

// ----------------------------------------------------------------------------------------------------- box - plane

bool narrow_box_plane(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    for (size_t i = 0; i < count; i++) {
        if (!array_reserve(out, out->count + MAX_POINTS))
            return false;
        const proxy *a = &view->proxies[pairs[i].a], *b = &view->proxies[pairs[i].b];
        pair_place place = place_pair(view, a, b);
        double height;
        vec3 outward = plane_under(view, b, &place, &height);
        double margin = pair_margin(view, a, b);
        quat axes = proxy_orientation(view, a);
        vec3 half = {(double)a->size[0], (double)a->size[1], (double)a->size[2]};
        vec3 rise = vec3_multiply(quat_rotate_back(axes, outward), half);
        if (height - fabs(rise.x) - fabs(rise.y) - fabs(rise.z) > margin)
            continue;
        for (uint32_t corner = 0; corner < 8; corner++) {
            vec3 sign = {corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1};
            double gap = height + vec3_dot(sign, rise);
            if (gap > margin)
                continue;
            vec3 at = vec3_add(place.arm, quat_rotate(axes, vec3_multiply(sign, half)));
            out->data[out->count++] =
                make_contact(a, b, corner, vec3_add_scaled(at, outward, -0.5 * gap), vec3_negate(outward), gap);
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------- box - box

// Features of a pair of boxes, below 2^16: a face point holds the reference face (0..11), the incident face (0..5) and
// the edge that starts there (0..3 of the incident face, 4..7 sides of the reference).
enum { FEATURE_EDGES = 1 << 14, FEATURE_NEAREST = 1 << 15 };

static const double SIDE_SLACK = 1e-3; // how far a point may stand outside the reference face, in smallest half edges

// One pair at work: where its points go and what they have in common.
typedef struct box_job {
    const proxy *a, *b;
    pair_place place;
    mat3 axes_a;
    double margin;
    box_pair pair;
    box_separation separation;
    contact_array *out;
} box_job;

// From the axes of box a into the world.
static vec3 job_world(const box_job *job, const double v[3])
{
    return mat3_apply(&job->axes_a, vec3_make(v[0], v[1], v[2]));
}

// A point midway between the surfaces, from the centre of box a in its axes; there is room for it.
static void job_add(const box_job *job, uint32_t feature, const double point[3], const double normal[3], double gap)
{
    if (gap > job->margin)
        return;
    vec3 arm = vec3_add(job->place.arm, job_world(job, point));
    job->out->data[job->out->count++] = make_contact(job->a, job->b, feature, arm, job_world(job, normal), gap);
}

typedef struct corner {
    double at[3];  // axes of the reference box
    uint32_t edge; // the one that starts here, going round
} corner;

typedef struct polygon {
    corner corners[MAX_POINTS];
    int count;
} polygon;

static void polygon_push(polygon *p, const corner *c)
{
    if (p->count < MAX_POINTS) // convex, cut by four lines: there are never more, but for rounding
        p->corners[p->count++] = *c;
}

// Keeps the part with sign x[axis] <= limit (Sutherland and Hodgman 1974); the new edge is called `name`.
static polygon polygon_cut(const polygon *p, int axis, double sign, double limit, uint32_t name)
{
    polygon kept = {.count = 0};
    for (int i = 0; i < p->count; i++) {
        const corner *c = &p->corners[i], *next = &p->corners[i + 1 < p->count ? i + 1 : 0];
        double over = sign * c->at[axis] - limit, next_over = sign * next->at[axis] - limit;
        if (over <= 0)
            polygon_push(&kept, c);
        if ((over <= 0) == (next_over <= 0))
            continue;
        double t = over / (over - next_over);
        corner crossing = {.edge = over <= 0 ? name : c->edge};
        for (int k = 0; k < 3; k++)
            crossing.at[k] = c->at[k] + t * (next->at[k] - c->at[k]);
        polygon_push(&kept, &crossing);
    }
    return kept;
}

// The two boxes of a pair as reference and incident box, in the axes of the reference.
typedef struct reference {
    const double *half, *half_incident;
    double shift[3];   // from the reference's centre to the incident one's
    double turn[3][3]; // axis i of the reference . axis j of the incident box
    int axis;          // of the reference face
    double side;       // +1 or -1: which of the two faces of that axis
} reference;

static reference reference_make(const box_pair *pair, int face)
{
    bool is_a = face < BOX_FACE_B;
    reference r = {.half = is_a ? pair->half_a : pair->half_b,
                   .half_incident = is_a ? pair->half_b : pair->half_a,
                   .axis = is_a ? face : face - BOX_FACE_B};
    for (int i = 0; i < 3; i++) {
        r.shift[i] = is_a ? pair->shift[i] : -pair->shift_b[i];
        for (int j = 0; j < 3; j++)
            r.turn[i][j] = is_a ? pair->turn[i][j] : pair->turn[j][i];
    }
    r.side = copysign(1, r.shift[r.axis]);
    return r;
}

// The incident face that looks at the reference face most directly; returns its number among the six.
static uint32_t incident_face(const reference *r, polygon *face)
{
    const double *toward = r->turn[r->axis];
    int axis = 0;
    for (int j = 1; j < 3; j++)
        if (fabs(toward[j]) > fabs(toward[axis]))
            axis = j;
    double side = toward[axis] * r->side > 0 ? -1 : 1;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    face->count = 4;
    for (uint32_t i = 0; i < 4; i++) {
        double su = i == 0 || i == 3 ? 1 : -1, sv = i < 2 ? 1 : -1;
        corner *c = &face->corners[i];
        c->edge = i;
        for (int k = 0; k < 3; k++)
            c->at[k] = r->shift[k] + side * r->half_incident[axis] * r->turn[k][axis] +
                       su * r->half_incident[u] * r->turn[k][u] + sv * r->half_incident[v] * r->turn[k][v];
    }
    return (uint32_t)axis * 2 + (side > 0);
}

// From the axes of the reference, about its centre, into those of box a, about its own.
static void reference_point(const box_pair *pair, bool is_a, const double at[3], double point[3])
{
    for (int i = 0; i < 3; i++)
        point[i] =
            is_a ? at[i]
                 : pair->shift[i] + pair->turn[i][0] * at[0] + pair->turn[i][1] * at[1] + pair->turn[i][2] * at[2];
}

// Adds the points of a face contact; returns the smallest gap among them, infinity when there are none.
static double add_face_points(const box_job *job)
{
    int face = job->separation.axis;
    reference r = reference_make(&job->pair, face);
    int u = (r.axis + 1) % 3, v = (r.axis + 2) % 3;
    double slack = SIDE_SLACK * box_pair_scale(&job->pair);
    polygon p;
    uint32_t incident = incident_face(&r, &p);
    p = polygon_cut(&p, u, 1, r.half[u] + slack, 4);
    p = polygon_cut(&p, u, -1, r.half[u] + slack, 5);
    p = polygon_cut(&p, v, 1, r.half[v] + slack, 6);
    p = polygon_cut(&p, v, -1, r.half[v] + slack, 7);
    uint32_t faces = ((uint32_t)face * 2 + (r.side > 0)) << 6 | incident << 3;
    double smallest = (double)INFINITY;
    for (int i = 0; i < p.count; i++) {
        corner *c = &p.corners[i];
        double gap = r.side * c->at[r.axis] - r.half[r.axis], point[3];
        smallest = fmin(smallest, gap);
        c->at[r.axis] -= 0.5 * r.side * gap;
        reference_point(&job->pair, face < BOX_FACE_B, c->at, point);
        job_add(job, faces | c->edge, point, job->separation.normal, gap);
    }
    return smallest;
}

// The edge of a box that lies farthest along a direction, both in the box's own axes: its middle, and a number.
static uint32_t support_edge(const double half[3], int axis, const double direction[3], double middle[3])
{
    uint32_t signs = 0;
    for (int k = 0; k < 3; k++) {
        middle[k] = k == axis ? 0 : copysign(half[k], direction[k]);
        signs |= (uint32_t)(k != axis && direction[k] > 0) << k;
    }
    return (uint32_t)axis << 3 | signs;
}

// Adds the point where two edges cross; false when they do so beyond their ends.
static bool add_edge_point(const box_job *job)
{
    const box_pair *pair = &job->pair;
    const double *normal = job->separation.normal;
    int i = (job->separation.axis - BOX_EDGES) / 3, j = (job->separation.axis - BOX_EDGES) % 3;
    double middle_a[3], local_b[3], middle_b[3], back[3];
    for (int k = 0; k < 3; k++)
        back[k] = -(pair->turn[0][k] * normal[0] + pair->turn[1][k] * normal[1] + pair->turn[2][k] * normal[2]);
    uint32_t edge_a = support_edge(pair->half_a, i, normal, middle_a);
    uint32_t edge_b = support_edge(pair->half_b, j, back, local_b);
    reference_point(pair, false, local_b, middle_b);
    double cosine = pair->turn[i][j], along_a = middle_b[i] - middle_a[i], along_b = 0;
    for (int k = 0; k < 3; k++)
        along_b += (middle_b[k] - middle_a[k]) * pair->turn[k][j];
    double s = (along_a - cosine * along_b) / (1 - cosine * cosine), t = cosine * s - along_b;
    double slack = SIDE_SLACK * box_pair_scale(pair);
    if (fabs(s) > pair->half_a[i] + slack || fabs(t) > pair->half_b[j] + slack)
        return false;
    double point[3];
    for (int k = 0; k < 3; k++)
        point[k] = 0.5 * (middle_a[k] + (k == i ? s : 0) + middle_b[k] + t * pair->turn[k][j]);
    job_add(job, FEATURE_EDGES | edge_a << 5 | edge_b, point, normal, job->separation.preferred);
    return true;
}

static void add_nearest_point(const box_job *job)
{
    double on_a[3], on_b[3], normal[3], point[3], square = 0;
    box_pair_nearest(&job->pair, on_a, on_b);
    for (int k = 0; k < 3; k++) {
        point[k] = 0.5 * (on_a[k] + on_b[k]);
        normal[k] = on_b[k] - on_a[k];
        square += normal[k] * normal[k];
    }
    double distance = sqrt(square);
    bool apart = distance > 1e-9 * box_pair_scale(&job->pair);
    for (int k = 0; k < 3; k++)
        normal[k] = apart ? normal[k] / distance : job->separation.normal[k];
    job_add(job, FEATURE_NEAREST, point, normal, distance);
}

// Of one point too many the one with the widest gap goes.
static void keep_nearest_points(contact_array *out, size_t first)
{
    if (out->count - first <= MAX_POINTS)
        return;
    size_t widest = first;
    for (size_t i = first; i < out->count; i++)
        if (out->data[i].gap > out->data[widest].gap)
            widest = i;
    out->count--;
    for (size_t i = widest; i < out->count; i++)
        out->data[i] = out->data[i + 1];
}

static void add_box_points(box_job *job)
{
    size_t first = job->out->count;
    double smallest = (double)INFINITY;
    if (job->separation.axis < BOX_EDGES)
        smallest = add_face_points(job);
    else if (add_edge_point(job))
        smallest = job->separation.preferred;
    // Overlapping boxes do overlap within the reference face, or where the edges cross: only distance needs more.
    double widest = job->separation.widest;
    if (widest > 0 && smallest > widest + 1e-9 * box_pair_scale(&job->pair))
        add_nearest_point(job);
    keep_nearest_points(job->out, first);
}

bool narrow_box_box(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    for (size_t i = 0; i < count; i++) {
        if (!array_reserve(out, out->count + MAX_POINTS + 1))
            return false;
        const proxy *a = &view->proxies[pairs[i].a], *b = &view->proxies[pairs[i].b];
        box_job job = {.a = a, .b = b, .place = place_pair(view, a, b), .margin = pair_margin(view, a, b), .out = out};
        job.axes_a = mat3_from_quat(proxy_orientation(view, a));
        mat3 axes_b = mat3_from_quat(proxy_orientation(view, b));
        vec3 half_a = {(double)a->size[0], (double)a->size[1], (double)a->size[2]};
        vec3 half_b = {(double)b->size[0], (double)b->size[1], (double)b->size[2]};
        job.pair = box_pair_make(half_a, &job.axes_a, half_b, &axes_b, job.place.between);
        if (box_pair_separation(&job.pair, job.margin, &job.separation))
            add_box_points(&job);
    }
    return true;
}
