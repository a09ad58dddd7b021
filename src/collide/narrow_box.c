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
#include "collide/box_lanes.h"
#include "collide/narrow.h"
#include "collide/narrow_boxes.h"
#include "collide/narrow_pair.h"
#include "collide/reduce.h"

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
// its slot (box_lanes.h).
enum { FEATURE_EDGES = 1 << 14, FEATURE_NEAREST = 1 << 15 };

static const double SIDE_SLACK = 1e-3; // how far a point may stand outside the reference face, in smallest half edges

// The boxes of a pair in an order of their own, since features must be named alike from whatever side the broad phase
// found the pair.
typedef struct named_pair {
    const proxy *a, *b;
    bool turned; // b is the first of the pair
} named_pair;

static inline named_pair name_pair(const proxy_view *view, const proxy_pair *pair)
{
    bool turned = pair->b < pair->a;
    return (named_pair){&view->proxies[turned ? pair->b : pair->a], &view->proxies[turned ? pair->a : pair->b], turned};
}

static inline vec3 half_of(const proxy *p)
{
    return vec3_make((double)p->size[0], (double)p->size[1], (double)p->size[2]);
}

// ----------------------------------------------------------------------------------- one pair: edges, nearest points

// One pair at work: where its points go and what they have in common.
typedef struct box_job {
    const proxy_view *view;
    named_pair names;
    vec3 arm; // of box a in its body
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
    contact *c = &job->out->data[job->out->count++];
    *c = make_contact(job->names.a, job->names.b, feature, vec3_add(job->arm, job_world(job, point)),
                      job_world(job, normal), gap);
    if (job->names.turned)
        contact_turn(job->view, c);
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
    box_pair_from_b(pair, local_b, middle_b);
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

// --------------------------------------------------------------------------------------------------- pairs in lanes

enum { BLOCK = 128, NO_FACE = -1 };

// A pair that no axis separates by more than its margin.
typedef struct near_pair {
    uint32_t pair;  // within the block
    int face;       // lane of the face points, or NO_FACE
    uint32_t faces; // of the features
    vec3f normal;   // from the pair's first to its second
    float scale;    // box_pair_scale
    double widest;  // separation
} near_pair;

// Pairs go through in blocks: pairs whose faces meet wait until enough of them fill the lanes, and points come out in
// the order of the pairs at the end.
typedef struct box_block {
    const proxy_view *view;
    const box_kernels *kernels;
    const proxy_pair *pairs;
    box_lane lanes[BLOCK];
    uint32_t lane_pairs[BLOCK]; // by lane: within the block
    near_pair near[BLOCK];
    size_t near_count;
    box_faces faces; // of the lanes that are filled next
    int face_count;
    box_face_points points[BLOCK / BOX_LANES];
    contact singles[BLOCK]; // points of pairs without a face, in their order
    contact_array single;
} box_block;

// False when the boxes' bounding spheres are farther apart than the margin, as the spheres of neighbours whose corners
// share a box of the broad phase often are. By the mean square the sum of two radii is at most sqrt(2 (r^2 + s^2)).
static inline bool fill_lane(const proxy_view *view, const proxy_pair *pair, box_lane *lane)
{
    named_pair names = name_pair(view, pair);
    vec3 half_a = half_of(names.a), half_b = half_of(names.b), between = place_pair(view, names.a, names.b).between;
    double margin = pair_margin(view, names.a, names.b);
    double reach = sqrt(2 * (vec3_dot(half_a, half_a) + vec3_dot(half_b, half_b))) + margin;
    if (vec3_dot(between, between) > reach * reach * (1 + 1e-12))
        return false;
    quat turn_a = proxy_orientation(view, names.a), turn_b = proxy_orientation(view, names.b);
    *lane = (box_lane){
        .turn = {{turn_a.w, turn_a.x, turn_a.y, turn_a.z}, {turn_b.w, turn_b.x, turn_b.y, turn_b.z}},
        .half = {{half_a.x, half_a.y, half_a.z, margin}, {half_b.x, half_b.y, half_b.z, 0}},
        .between = {between.x, between.y, between.z, 0},
    };
    return true;
}

static double lane_scale(const box_lane *lane)
{
    double least = lane->half[0][0];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            least = lane->half[i][k] < least ? lane->half[i][k] : least;
    return least;
}

static box_pair pair_of_lane(const box_lane *from, const box_separations *s, int lane)
{
    box_pair pair;
    for (int i = 0; i < 3; i++) {
        pair.half_a[i] = from->half[0][i];
        pair.half_b[i] = from->half[1][i];
        pair.shift[i] = s->shift[0][i][lane];
        pair.shift_b[i] = s->shift[1][i][lane];
        for (int j = 0; j < 3; j++)
            pair.turn[i][j] = s->turn[i][j][lane];
    }
    return pair;
}

// Edges that cross, or nearest points.
static void add_single(box_block *block, uint32_t index, const box_lane *pair, const box_separations *s, int lane)
{
    named_pair names = name_pair(block->view, &block->pairs[index]);
    box_job job = {.view = block->view,
                   .names = names,
                   .arm = proxy_arm(block->view, names.a),
                   .margin = pair->half[0][BOX_MARGIN],
                   .pair = pair_of_lane(pair, s, lane),
                   .separation = {s->widest[lane], (int)s->axis[lane], s->preferred[lane], {0}},
                   .out = &block->single};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            job.axes_a.m[k][i] = s->axes[0][i][k][lane];
    box_pair_normal(&job.pair, job.separation.axis, job.separation.normal);
    size_t before = block->single.count;
    if (!add_edge_point(&job) && job.separation.widest > 0) // edges of boxes that overlap do cross
        add_nearest_point(&job);
    if (block->single.count > before)
        block->near[block->near_count++] = (near_pair){.pair = index, .face = NO_FACE};
}

static void flush_faces(box_block *block)
{
    int group = (block->face_count - 1) / BOX_LANES;
    block->kernels->meet(&block->faces, &block->points[group]);
}

// The world's coordinates of an axis of a lane.
static inline vec3 lane_axis(const box_separations *s, int box, int axis, int lane)
{
    return vec3_make(s->axes[box][axis][0][lane], s->axes[box][axis][1][lane], s->axes[box][axis][2][lane]);
}

static inline void set_row(double rows[3][BOX_LANES], int lane, vec3 v)
{
    rows[0][lane] = v.x;
    rows[1][lane] = v.y;
    rows[2][lane] = v.z;
}

// The reference face and the incident face of a lane, as seen from the reference box.
typedef struct face_choice {
    int reference, incident;    // 0: box a, 1: box b
    int axis, incident_axis;    // of the faces' normals
    double side, incident_side; // +1 or -1: which of the two faces of that axis
} face_choice;

static inline double lane_turn(const box_separations *s, int reference, int i, int j, int lane)
{
    return reference == 0 ? s->turn[i][j][lane] : s->turn[j][i][lane];
}

// The incident face is the one that looks at the reference face most directly.
static inline face_choice choose_faces(const box_separations *s, int lane)
{
    int axis = (int)s->axis[lane], reference = axis >= BOX_FACE_B;
    face_choice f = {.reference = reference, .incident = 1 - reference, .axis = axis - (reference ? BOX_FACE_B : 0)};
    f.side = copysign(1, reference ? -s->shift[1][f.axis][lane] : s->shift[0][f.axis][lane]);
    double toward = lane_turn(s, reference, f.axis, 0, lane);
    for (int j = 1; j < 3; j++) {
        double other = lane_turn(s, reference, f.axis, j, lane);
        if (fabs(other) > fabs(toward)) {
            toward = other;
            f.incident_axis = j;
        }
    }
    f.incident_side = toward * f.side > 0 ? -1 : 1;
    return f;
}

static const int NEXT[3] = {1, 2, 0};

// Fills the next lane of the faces.
static void fill_faces(box_faces *to, int lane, const face_choice *f, const box_lane *pair, const box_separations *s,
                       int from)
{
    int u = NEXT[f->axis], n = f->incident_axis, nu = NEXT[n], nv = NEXT[nu];
    const int order[3] = {u, NEXT[u], f->axis};
    double half_n = f->incident_side * pair->half[f->incident][n];
    double half_u = pair->half[f->incident][nu], half_v = pair->half[f->incident][nv];
    double slack = SIDE_SLACK * lane_scale(pair);
    for (int k = 0; k < 3; k++) {
        int axis = order[k];
        double flip = k == 2 ? f->side : 1, shift = s->shift[f->reference][axis][from];
        to->half[k][lane] = pair->half[f->reference][axis] + (k == 2 ? 0 : slack);
        for (int c = 0; c < 3; c++)
            to->axes[k][c][lane] = flip * s->axes[f->reference][axis][c][from];
        to->centre[k][lane] =
            flip * ((f->reference == 0 ? shift : -shift) + half_n * lane_turn(s, f->reference, axis, n, from));
        to->edges[0][k][lane] = flip * half_u * lane_turn(s, f->reference, axis, nu, from);
        to->edges[1][k][lane] = flip * half_v * lane_turn(s, f->reference, axis, nv, from);
    }
    to->margin[lane] = pair->half[0][BOX_MARGIN];
}

static void add_faces(box_block *block, uint32_t index, const box_lane *pair, const box_separations *s, int from)
{
    named_pair names = name_pair(block->view, &block->pairs[index]);
    face_choice f = choose_faces(s, from);
    int lane = block->face_count++ % BOX_LANES;
    fill_faces(&block->faces, lane, &f, pair, s, from);
    // Arms are from the centre of the pair's first body.
    int first = names.turned ? 1 : 0;
    vec3 origin = proxy_arm(block->view, names.turned ? names.b : names.a);
    vec3 between = {pair->between[0], pair->between[1], pair->between[2]};
    if (f.reference != first)
        origin = vec3_add_scaled(origin, between, names.turned ? -1 : 1);
    set_row(block->faces.origin, lane, origin);
    vec3 normal = vec3_scale(lane_axis(s, f.reference, f.axis, from), f.reference == first ? f.side : -f.side);
    uint32_t face = (uint32_t)(f.reference * BOX_FACE_B + f.axis), incident = (uint32_t)f.incident_axis;
    block->near[block->near_count++] = (near_pair){
        .pair = index,
        .face = block->face_count - 1,
        .faces = (face * 2 + (f.side > 0)) << 7 | (incident * 2 + (f.incident_side > 0)) << 4,
        .normal = vec3f_from(normal),
        .scale = (float)lane_scale(pair),
        .widest = s->widest[from],
    };
    if (lane == BOX_LANES - 1)
        flush_faces(block);
}

// Of too many points those with the widest gaps go.
static void keep_nearest_points(contact_array *out, size_t first)
{
    while (out->count - first > MAX_POINTS) {
        size_t widest = first;
        for (size_t i = first; i < out->count; i++)
            if (out->data[i].gap > out->data[widest].gap)
                widest = i;
        out->count--;
        for (size_t i = widest; i < out->count; i++)
            out->data[i] = out->data[i + 1];
    }
}

// Boxes whose nearest points are not on the face: the distance is found the long way.
static void add_distance(const proxy_view *view, const proxy_pair *pair, const near_pair *near, contact_array *out)
{
    named_pair names = name_pair(view, pair);
    pair_place place = place_pair(view, names.a, names.b);
    box_job job = {.view = view,
                   .names = names,
                   .arm = place.arm,
                   .axes_a = mat3_from_quat(proxy_orientation(view, names.a)),
                   .margin = pair_margin(view, names.a, names.b),
                   .out = out};
    mat3 axes_b = mat3_from_quat(proxy_orientation(view, names.b));
    job.pair = box_pair_make(half_of(names.a), &job.axes_a, half_of(names.b), &axes_b, place.between);
    vec3 normal = mat3_apply_transposed(&job.axes_a, vec3_from_f(near->normal));
    double sign = names.turned ? -1 : 1;
    job.separation = (box_separation){.normal = {sign * normal.x, sign * normal.y, sign * normal.z}};
    add_nearest_point(&job);
}

static void emit_faces(const box_block *block, const near_pair *near, contact_array *out)
{
    const proxy_pair *pair = &block->pairs[near->pair];
    const proxy *a = &block->view->proxies[pair->a], *b = &block->view->proxies[pair->b];
    named_pair names = name_pair(block->view, pair);
    const box_face_points *points = &block->points[near->face / BOX_LANES];
    int lane = near->face % BOX_LANES;
    size_t first = out->count;
    uint32_t feature = body_feature(names.a->ordinal, names.b->ordinal, near->faces);
    for (uint32_t left = (uint32_t)points->slots[lane]; left; left &= left - 1) {
        int slot = __builtin_ctz(left);
        out->data[out->count++] = (contact){
            .a = a->body,
            .b = b->body,
            .arm = {points->arm[slot][0][lane], points->arm[slot][1][lane], points->arm[slot][2][lane]},
            .normal = near->normal,
            .gap = points->gap[slot][lane],
            .feature = feature ^ (uint32_t)slot,
            .material_a = (uint16_t)a->material,
            .material_b = (uint16_t)b->material,
        };
    }
    // Overlapping boxes do overlap within the reference face: only distance needs more.
    if (near->widest > 0 && points->smallest[lane] > near->widest + 1e-9 * (double)near->scale)
        add_distance(block->view, pair, near, out);
    keep_nearest_points(out, first);
}

// Lanes are filled for the whole block before any are read: numbers just written one by one cannot yet be read as a
// register full.
static size_t fill_lanes(box_block *block, size_t count)
{
    const proxy_view *view = block->view;
    for (size_t i = 0; i < count; i++) {
        uint32_t other = view->proxies[block->pairs[i].b].body;
        __builtin_prefetch(&view->orientations[other]);
        __builtin_prefetch(&view->centres[other]);
    }
    size_t filled = 0;
    for (size_t i = 0; i < count; i++) {
        block->lane_pairs[filled] = (uint32_t)i;
        filled += fill_lane(view, &block->pairs[i], &block->lanes[filled]);
    }
    for (size_t i = filled; i % BOX_LANES; i++)
        block->lanes[i] = block->lanes[0];
    return filled;
}

static void sift_group(box_block *block, size_t first, size_t count)
{
    box_separations s;
    block->kernels->separate(&block->lanes[first], &s);
    for (unsigned left = s.near & ((1u << count) - 1); left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        size_t at = first + (size_t)lane;
        (s.axis[lane] < BOX_EDGES ? add_faces : add_single)(block, block->lane_pairs[at], &block->lanes[at], &s, lane);
    }
}

static bool narrow_block(box_block *block, size_t count, contact_array *out)
{
    block->near_count = 0;
    block->face_count = 0;
    block->single.count = 0;
    size_t filled = fill_lanes(block, count);
    for (size_t i = 0; i < filled; i += BOX_LANES)
        sift_group(block, i, filled - i < BOX_LANES ? filled - i : BOX_LANES);
    if (block->face_count % BOX_LANES)
        flush_faces(block);
    size_t single = 0;
    for (size_t i = 0; i < block->near_count; i++) {
        if (!array_reserve(out, out->count + BOX_SLOTS + 1))
            return false;
        if (block->near[i].face != NO_FACE)
            emit_faces(block, &block->near[i], out);
        else
            out->data[out->count++] = block->singles[single++];
    }
    return true;
}

bool narrow_box_box(const proxy_view *view, const proxy_pair *pairs, size_t count, contact_array *out)
{
    box_block block;
    block.view = view;
    block.kernels = box_kernels_here();
    block.single = (contact_array){block.singles, 0, BLOCK};
    block.faces = (box_faces){0};
    for (size_t begin = 0; begin < count; begin += BLOCK) {
        block.pairs = pairs + begin;
        if (!narrow_block(&block, count - begin < BLOCK ? count - begin : BLOCK, out))
            return false;
    }
    return true;
}
