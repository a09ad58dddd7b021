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
// Two boxes whose edges cross give one point. All others (parallel edges, corner to corner) go the way of convex shapes
// in general, from their nearest points: the gap is never overstated and no contact within the margin is lost.
#include "collide/convex/convex.h"
#include "collide/narrow/box_lanes.h"
#include "collide/narrow/narrow.h"
#include "collide/narrow/narrow_boxes.h"
#include "collide/narrow/narrow_pair.h"

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
enum { FEATURE_EDGES = 1 << 14 };

static const double SIDE_SLACK = 1e-3; // how far a point may stand outside the reference face, in smallest half edges

// The boxes of a pair in an order of their own, since features must be named alike from whatever side the broad phase
// found the pair.
typedef struct named_pair {
    const proxy *a, *b;
    bool turned; // b is the first of the pair
} named_pair;

static inline named_pair name_pair(const proxy_view *view, const proxy_pair *pair)
{
    const proxy *a = &view->proxies[pair->a], *b = &view->proxies[pair->b];
    bool turned = body_is_before(view, b->body, a->body);
    return (named_pair){turned ? b : a, turned ? a : b, turned};
}

static const int NEXT[3] = {1, 2, 0}; // axes in cyclic order

static inline vec3 half_of(const proxy *p)
{
    return vec3_make((double)p->size[0], (double)p->size[1], (double)p->size[2]);
}

static inline vec3 pair_arm(const proxy_view *view, const named_pair *names)
{
    return proxy_arm(view, names->turned ? names->b : names->a);
}

// The values that the points of a pair have in common.
typedef struct common_part {
    uint32_t a, b, feature; // bodies; of the pair's shapes alone
    uint16_t material_a, material_b;
    vec3f normal; // from the pair's first to its second
} common_part;

static inline common_part common_of(const proxy_view *view, const proxy_pair *pair, uint32_t feature, vec3f normal)
{
    const proxy *a = &view->proxies[pair->a], *b = &view->proxies[pair->b];
    named_pair names = name_pair(view, pair);
    return (common_part){a->body,
                         b->body,
                         body_feature(names.a->ordinal, names.b->ordinal, feature),
                         (uint16_t)a->material,
                         (uint16_t)b->material,
                         normal};
}

// Written field by field: compilers put a struct together elsewhere and copy it, and the copy waits for what was just
// written.
static inline contact *put_contact(contact_array *out, const common_part *common)
{
    contact *c = &out->data[out->count++];
    c->a = common->a;
    c->b = common->b;
    c->normal.x = common->normal.x;
    c->normal.y = common->normal.y;
    c->normal.z = common->normal.z;
    c->feature = common->feature;
    c->material_a = common->material_a;
    c->material_b = common->material_b;
    c->impulse.x = c->impulse.y = c->impulse.z = 0;
    return c;
}

static inline void place_contact(contact *c, vec3 arm, double gap)
{
    c->arm.x = (float)arm.x;
    c->arm.y = (float)arm.y;
    c->arm.z = (float)arm.z;
    c->gap = (float)gap;
}

// Two boxes as convex shapes, from the centre of the first.
typedef struct convex_boxes {
    named_pair names;
    vec3 between;
    convex a, b;
} convex_boxes;

static convex_boxes convex_boxes_of(const proxy_view *view, const proxy_pair *pair)
{
    convex_boxes of = {.names = name_pair(view, pair)};
    of.between = place_pair(view, of.names.a, of.names.b).between;
    of.a = convex_of_proxy(view, of.names.a, vec3_make(0, 0, 0));
    of.b = convex_of_proxy(view, of.names.b, of.between);
    return of;
}

// There is room for the points.
static void emit_manifold(const proxy_view *view, const proxy_pair *pair, const convex_boxes *of, const manifold *found,
                          contact_array *out)
{
    bool turned = of->names.turned;
    vec3 origin = vec3_sub(pair_arm(view, &of->names), turned ? of->between : vec3_make(0, 0, 0));
    vec3f normal = vec3f_from(turned ? vec3_negate(found->normal) : found->normal);
    for (int i = 0; i < found->count; i++) {
        common_part common = common_of(view, pair, found->points[i].feature, normal);
        place_contact(put_contact(out, &common), vec3_add(origin, found->points[i].point), found->points[i].gap);
    }
}

// Boxes that meet neither with faces nor with edges that cross. There is room for the points.
static void emit_convex(const proxy_view *view, const proxy_pair *pair, contact_array *out)
{
    convex_boxes of = convex_boxes_of(view, pair);
    manifold found;
    if (convex_manifold(&of.a, &of.b, pair_margin(view, of.names.a, of.names.b), &found))
        emit_manifold(view, pair, &of, &found, out);
}

// ------------------------------------------------------------------------------------------------------ shrunken boxes

static bool shrink(convex *box, double by)
{
    box->size = vec3_sub(box->size, vec3_make(by, by, by));
    return box->size.x > 0 && box->size.y > 0 && box->size.z > 0;
}

bool narrow_shrunken_boxes(const proxy_view *view, const proxy_pair *pair, double by, contact_array *out)
{
    convex_boxes of = convex_boxes_of(view, pair);
    convex a = of.a, b = of.b;
    convex_distance apart;
    manifold found;
    if (!shrink(&a, by) || !shrink(&b, by) || !convex_find_distance(&a, &b, HUGE_VAL, &apart) || !(apart.gap > 0) ||
        !convex_manifold_along(&of.a, &of.b, apart.normal, pair_margin(view, of.names.a, of.names.b), &found))
        return false;
    emit_manifold(view, pair, &of, &found, out);
    return true;
}

// --------------------------------------------------------------------------------------------------- pairs in lanes

enum { BLOCK = 128, ONE_POINT = -1, AS_CONVEX = -2 };

// A pair that no axis separates by more than its margin.
typedef struct near_pair {
    uint32_t pair;  // within the block
    int face;       // lane of the face points, or ONE_POINT where edges cross, or AS_CONVEX
    uint32_t faces; // of the features
    vec3f normal;   // from the pair's first to its second
    float scale;    // smallest half edge
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
// share a box of the broad phase often are. No root is needed for a bound that is hardly wider: (r + s)^2 is at most
// 2 (r^2 + s^2), and (x + m)^2 at most (1 + e) x^2 + (1 + 1/e) m^2.
static inline bool fill_lane(const proxy_view *view, const proxy_pair *pair, box_lane *lane)
{
    named_pair names = name_pair(view, pair);
    vec3 half_a = half_of(names.a), half_b = half_of(names.b), between = place_pair(view, names.a, names.b).between;
    double margin = pair_margin(view, names.a, names.b);
    const double e = 1.0 / 64;
    double squares = 2 * (vec3_dot(half_a, half_a) + vec3_dot(half_b, half_b));
    if (vec3_dot(between, between) > (1 + e) * squares + (1 + 1 / e) * margin * margin)
        return false;
    quat turn_a = proxy_orientation(view, names.a), turn_b = proxy_orientation(view, names.b);
    *lane = (box_lane){
        .orientation = {{turn_a.w, turn_a.x, turn_a.y, turn_a.z}, {turn_b.w, turn_b.x, turn_b.y, turn_b.z}},
        .half = {{half_a.x, half_a.y, half_a.z, margin}, {half_b.x, half_b.y, half_b.z, 0}},
        .between = {between.x, between.y, between.z, 0},
    };
    return true;
}

// The world's coordinates of an axis of a lane.
static inline vec3 lane_axis(const box_separations *s, int box, int axis, int lane)
{
    return vec3_make(s->axes[box][axis][0][lane], s->axes[box][axis][1][lane], s->axes[box][axis][2][lane]);
}

static inline vec3 lane_between(const box_lane *pair)
{
    return vec3_make(pair->between[0], pair->between[1], pair->between[2]);
}

// An edge of each box, along axis i of a and axis j of b; numbers along a's axes come in the order i, i1, i2.
typedef struct edge_pair {
    double normal[3], middle[3]; // from a to b; of a's edge
    double gap[3];               // from the middle of a's edge to that of b's
    double along[3];             // b's edge
    double sine;                 // of the angle between the edges
    double s, t;                 // from the middles to where the edges come nearest
    uint32_t feature;
} edge_pair;

static inline uint32_t edge_number(int axis, double along_1, double along_2)
{
    return (uint32_t)axis << 2 | (uint32_t)(along_1 > 0) << 1 | (uint32_t)(along_2 > 0);
}

// The edges that lie farthest towards the other box along their common normal.
static inline edge_pair edges_of(const box_lane *pair, const box_separations *from, int lane)
{
    int number = (int)from->axis[lane] - BOX_EDGES, i = number / 3, j = number % 3;
    int j1 = NEXT[j], j2 = NEXT[j1];
    const int order[3] = {i, NEXT[i], NEXT[NEXT[i]]};
    double rotation[3][3], shift[3];
    for (int k = 0; k < 3; k++) {
        shift[k] = from->shift[0][order[k]][lane];
        rotation[k][0] = from->rotation[order[k]][j][lane];
        rotation[k][1] = from->rotation[order[k]][j1][lane];
        rotation[k][2] = from->rotation[order[k]][j2][lane];
    }
    double y = -rotation[2][0], z = rotation[1][0];
    double scale = 1 / sqrt(y * y + z * z), signed_scale = copysign(scale, y * shift[1] + z * shift[2]);
    edge_pair e = {.normal = {0, y * signed_scale, z * signed_scale}, .sine = 1 / scale};
    double back_1 = -(rotation[1][1] * e.normal[1] + rotation[2][1] * e.normal[2]);
    double back_2 = -(rotation[1][2] * e.normal[1] + rotation[2][2] * e.normal[2]);
    double half_1 = copysign(pair->half[1][j1], back_1), half_2 = copysign(pair->half[1][j2], back_2);
    double along_b = 0;
    for (int k = 0; k < 3; k++) {
        e.middle[k] = k == 0 ? 0 : copysign(pair->half[0][order[k]], e.normal[k]);
        e.gap[k] = shift[k] + rotation[k][1] * half_1 + rotation[k][2] * half_2 - e.middle[k];
        e.along[k] = rotation[k][0];
        along_b += e.gap[k] * e.along[k];
    }
    e.s = (e.gap[0] - e.along[0] * along_b) * scale * scale; // the squared sine is y^2 + z^2
    e.t = e.along[0] * e.s - along_b;
    e.feature = FEATURE_EDGES | edge_number(i, e.normal[1], e.normal[2]) << 4 | edge_number(j, back_1, back_2);
    return e;
}

// From a's axes in the order of the edges into the world.
static inline vec3 edge_world(const box_separations *from, int lane, int i, const double v[3])
{
    const int i1 = NEXT[i], i2 = NEXT[i1];
    vec3 along = vec3_scale(lane_axis(from, 0, i, lane), v[0]);
    return vec3_add_scaled(vec3_add_scaled(along, lane_axis(from, 0, i1, lane), v[1]), lane_axis(from, 0, i2, lane),
                           v[2]);
}

static inline double clamp(double value, double limit)
{
    return fmin(fmax(value, -limit), limit);
}

// The point where two edges cross. Edges that cross beyond their ends, or run side by side, are for the general way.
static void add_edges(box_block *block, uint32_t index, const box_lane *pair, const box_separations *from, int lane)
{
    const proxy_view *view = block->view;
    named_pair names = name_pair(view, &block->pairs[index]);
    edge_pair e = edges_of(pair, from, lane);
    int number = (int)from->axis[lane] - BOX_EDGES, i = number / 3, j = number % 3;
    double slack = SIDE_SLACK * from->scale[lane], sign = names.turned ? -1 : 1;
    vec3 normal = vec3_scale(edge_world(from, lane, i, e.normal), sign);
    bool cross = fabs(e.s) <= pair->half[0][i] + slack && fabs(e.t) <= pair->half[1][j] + slack;
    if (cross && e.sine > CONVEX_PARALLEL) {
        double s = clamp(e.s, pair->half[0][i]), t = clamp(e.t, pair->half[1][j]), point[3];
        for (int k = 0; k < 3; k++)
            point[k] = e.middle[k] + 0.5 * (e.gap[k] + (k == 0 ? s : 0) + t * e.along[k]);
        vec3 arm = vec3_add(pair_arm(view, &names), edge_world(from, lane, i, point));
        if (names.turned)
            arm = vec3_sub(arm, lane_between(pair));
        common_part common = common_of(view, &block->pairs[index], e.feature, vec3f_from(normal));
        place_contact(put_contact(&block->single, &common), arm, from->preferred[lane]);
        block->near[block->near_count++] = (near_pair){.pair = index, .face = ONE_POINT};
    } else if (cross || from->widest[lane] > 0) { // edges of boxes that overlap do cross
        block->near[block->near_count++] = (near_pair){.pair = index, .face = AS_CONVEX};
    }
}

static void flush_faces(box_block *block)
{
    int group = (block->face_count - 1) / BOX_LANES;
    block->kernels->meet(&block->faces, &block->points[group]);
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
    return reference == 0 ? s->rotation[i][j][lane] : s->rotation[j][i][lane];
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

// Fills the next lane of the faces.
static void fill_faces(box_faces *to, int lane, const face_choice *f, const box_lane *pair, const box_separations *s,
                       int from)
{
    int u = NEXT[f->axis], n = f->incident_axis, nu = NEXT[n], nv = NEXT[nu];
    const int order[3] = {u, NEXT[u], f->axis};
    double half_n = f->incident_side * pair->half[f->incident][n];
    double half_u = pair->half[f->incident][nu], half_v = pair->half[f->incident][nv];
    for (int k = 0; k < 3; k++) {
        int axis = order[k];
        double flip = k == 2 ? f->side : 1, shift = s->shift[f->reference][axis][from];
        to->half[k][lane] = pair->half[f->reference][axis];
        for (int c = 0; c < 3; c++)
            to->axes[k][c][lane] = flip * s->axes[f->reference][axis][c][from];
        to->center[k][lane] =
            flip * ((f->reference == 0 ? shift : -shift) + half_n * lane_turn(s, f->reference, axis, n, from));
        to->edges[0][k][lane] = flip * half_u * lane_turn(s, f->reference, axis, nu, from);
        to->edges[1][k][lane] = flip * half_v * lane_turn(s, f->reference, axis, nv, from);
    }
    to->slack[lane] = SIDE_SLACK * s->scale[from];
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
    vec3 origin = pair_arm(block->view, &names);
    if (f.reference != first)
        origin = vec3_add_scaled(origin, lane_between(pair), names.turned ? -1 : 1);
    set_row(block->faces.origin, lane, origin);
    vec3 normal = vec3_scale(lane_axis(s, f.reference, f.axis, from), f.reference == first ? f.side : -f.side);
    uint32_t face = (uint32_t)(f.reference * BOX_FACE_B + f.axis), incident = (uint32_t)f.incident_axis;
    block->near[block->near_count++] = (near_pair){
        .pair = index,
        .face = block->face_count - 1,
        .faces = (face * 2 + (f.side > 0)) << 7 | (incident * 2 + (f.incident_side > 0)) << 4,
        .normal = vec3f_from(normal),
        .scale = (float)s->scale[from],
        .widest = s->widest[from],
    };
    if (lane == BOX_LANES - 1)
        flush_faces(block);
}

static void emit_faces(const box_block *block, const near_pair *near, contact_array *out)
{
    const proxy_pair *pair = &block->pairs[near->pair];
    const box_face_points *points = &block->points[near->face / BOX_LANES];
    int lane = near->face % BOX_LANES;
    // Boxes that overlap do so within the reference face; of others the nearest points may lie elsewhere.
    if (near->widest > 0 && points->smallest[lane] > near->widest + 1e-9 * (double)near->scale) {
        emit_convex(block->view, pair, out);
        return;
    }
    common_part common = common_of(block->view, pair, near->faces, near->normal);
    for (uint32_t left = (uint32_t)points->slots[lane]; left; left &= left - 1) {
        int slot = __builtin_ctz(left);
        contact *c = put_contact(out, &common);
        c->feature ^= (uint32_t)slot;
        c->arm.x = points->arm[slot][0][lane];
        c->arm.y = points->arm[slot][1][lane];
        c->arm.z = points->arm[slot][2][lane];
        c->gap = points->gap[slot][lane];
    }
}

// Lanes are filled for the whole block before any are read: numbers just written one by one cannot yet be read as a
// register full.
static size_t fill_lanes(box_block *block, size_t count)
{
    const proxy_view *view = block->view;
    for (size_t i = 0; i < count; i++) {
        uint32_t other = view->proxies[block->pairs[i].b].body;
        __builtin_prefetch(&view->orientations[other]);
        __builtin_prefetch(&view->centers[other]);
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
        (s.axis[lane] < BOX_EDGES ? add_faces : add_edges)(block, block->lane_pairs[at], &block->lanes[at], &s, lane);
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
        if (block->near[i].face == ONE_POINT)
            out->data[out->count++] = block->singles[single++];
        else if (block->near[i].face == AS_CONVEX)
            emit_convex(block->view, &block->pairs[block->near[i].pair], out);
        else
            emit_faces(block, &block->near[i], out);
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
