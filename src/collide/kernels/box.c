// Separating axes of four pairs of boxes at once (the method is told in narrow_boxes.c), and the cut of four pairs of
// faces.
//
// A face is not cut side by side, as Sutherland and Hodgman do, which takes as many turns as it leaves corners: each
// edge of the incident face is cut to what lies within the reference face (Liang and Barsky 1984), and corners of the
// reference face are asked whether they lie within the incident one. Together these are the corners of the cut.
#include "collide/box_lanes.h"

#include "collide/box_quad.h"
#include "collide/narrow_boxes.h"

#define NAME_(name, isa) name##_##isa
#define NAME(name, isa)  NAME_(name, isa)

static const int NEXT[3] = {1, 2, 0};

// ------------------------------------------------------------------------------------------------- separating axes

// Columns of the rotation matrix.
static inline void axes_of(const quad turn[4], quad3 axes[3])
{
    quad w = turn[0], x = turn[1], y = turn[2], z = turn[3];
    quad x2 = x + x, y2 = y + y, z2 = z + z;
    quad xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    quad wx = w * x2, wy = w * y2, wz = w * z2;
    axes[0] = (quad3){1 - (yy + zz), xy + wz, xz - wy};
    axes[1] = (quad3){xy - wz, 1 - (xx + zz), yz + wx};
    axes[2] = (quad3){xz + wy, yz - wx, 1 - (xx + yy)};
}

typedef struct lane_pairs {                                // as box_pair
    quad half[2][4], turn[3][3], steep[3][3], shift[2][3]; // steep: |turn|
} lane_pairs;

static inline void load_columns(const double *first, quad columns[4])
{
    for (int lane = 0; lane < QUAD_LANES; lane++)
        columns[lane] = quad_load(first + (size_t)lane * (sizeof(box_lane) / sizeof(double)));
    quad_transpose(columns);
}

static inline void load_pairs(const box_lane lanes[BOX_LANES], box_separations *to, lane_pairs *pairs)
{
    quad turn[4], d[4];
    quad3 axes[2][3];
    load_columns(lanes->between, d);
    for (int box = 0; box < 2; box++) {
        load_columns(lanes->half[box], pairs->half[box]);
        load_columns(lanes->turn[box], turn);
        axes_of(turn, axes[box]);
        for (int i = 0; i < 3; i++) {
            pairs->shift[box][i] = quad3_dot(axes[box][i], (quad3){d[0], d[1], d[2]});
            quad3_store(to->axes[box][i], axes[box][i]);
            quad_store(to->shift[box][i], pairs->shift[box][i]);
        }
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            pairs->turn[i][j] = quad3_dot(axes[0][i], axes[1][j]);
            pairs->steep[i][j] = quad_abs(pairs->turn[i][j]);
            quad_store(to->turn[i][j], pairs->turn[i][j]);
        }
}

typedef struct best_axis {
    quad separation, axis;
} best_axis;

static inline void keep_wider(best_axis *best, quad separation, int axis)
{
    quad_mask wider = separation > best->separation;
    best->separation = quad_select(wider, separation, best->separation);
    best->axis = quad_select(wider, quad_set(axis), best->axis);
}

static inline void try_faces(const lane_pairs *p, best_axis *of_a, best_axis *of_b)
{
    for (int i = 0; i < 3; i++) {
        quad reach_a = p->half[0][i], reach_b = p->half[1][i];
        for (int j = 0; j < 3; j++) {
            reach_a += p->half[1][j] * p->steep[i][j];
            reach_b += p->half[0][j] * p->steep[j][i];
        }
        keep_wider(of_a, quad_abs(p->shift[0][i]) - reach_a, i);
        keep_wider(of_b, quad_abs(p->shift[1][i]) - reach_b, BOX_FACE_B + i);
    }
}

// Axis i of a times axis j of b.
static inline void try_edges(const lane_pairs *p, int i, int j, best_axis *best)
{
    int i1 = NEXT[i], i2 = NEXT[i1], j1 = NEXT[j], j2 = NEXT[j1];
    quad y = p->turn[i2][j], z = p->turn[i1][j];
    quad square = y * y + z * z;
    quad reach = p->half[0][i1] * p->steep[i2][j] + p->half[0][i2] * p->steep[i1][j] +
                 p->half[1][j1] * p->steep[i][j2] + p->half[1][j2] * p->steep[i][j1];
    quad over = quad_abs(z * p->shift[0][i2] - y * p->shift[0][i1]) - reach;
    quad_mask parallel = square < quad_set(BOX_PARALLEL_EDGES);
    quad scale = quad_inverse_root(quad_select(parallel, quad_set(1), square));
    keep_wider(best, quad_select(parallel, quad_set(-HUGE_VAL), over * scale), BOX_EDGES + 3 * i + j);
}

static inline quad smallest_half(const lane_pairs *p)
{
    quad least = quad_min(p->half[0][0], p->half[1][0]);
    for (int i = 1; i < 3; i++)
        least = quad_min(least, quad_min(p->half[0][i], p->half[1][i]));
    return least;
}

static void separate(const box_lane lanes[BOX_LANES], box_separations *to)
{
    lane_pairs pairs;
    load_pairs(lanes, to, &pairs);
    const best_axis none = {quad_set(-HUGE_VAL), quad_set(0)};
    best_axis best = none, others[2] = {none, none};
    try_faces(&pairs, &best, &others[0]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            try_edges(&pairs, i, j, &others[1]);
    quad widest = quad_max(best.separation, quad_max(others[0].separation, others[1].separation));
    quad scale = smallest_half(&pairs), slack = quad_set(BOX_TOLERANCE_SCALE) * scale;
    for (int k = 0; k < 2; k++) {
        quad enough = best.separation + slack + quad_set(BOX_TOLERANCE_OVERLAP) * quad_abs(best.separation);
        quad_mask better = others[k].separation > enough;
        best.separation = quad_select(better, others[k].separation, best.separation);
        best.axis = quad_select(better, others[k].axis, best.axis);
    }
    quad_store(to->widest, widest);
    quad_store(to->preferred, best.separation);
    quad_store(to->axis, best.axis);
    quad_store(to->scale, scale);
    quad_mask near = widest <= pairs.half[0][BOX_MARGIN];
    to->near = 0;
    for (int i = 0; i < QUAD_LANES; i++)
        to->near |= (unsigned)(near[i] & 1) << i;
}

// ---------------------------------------------------------------------------------------------------- faces that meet

typedef struct face_cut { // one at work
    const box_faces *faces;
    box_face_points *points;
    quad3 half, axes[3], origin;
    quad margin, smallest;
    quad_mask slots;
} face_cut;

// A corner of the cut, in the lanes of `there`.
static inline void add_corner(face_cut *cut, int slot, quad3 at, quad_mask there)
{
    quad gap = at.z - cut->half.z, height = (at.z + cut->half.z) * quad_set(0.5);
    cut->smallest = quad_select(there & (gap < cut->smallest), gap, cut->smallest);
    cut->slots |= there & (gap <= cut->margin) & ((quad_mask){0} + (1 << slot));
    quad3 arm = quad3_add(quad3_add(cut->origin, quad3_scale(cut->axes[0], at.x)),
                          quad3_add(quad3_scale(cut->axes[1], at.y), quad3_scale(cut->axes[2], height)));
    quad_store_single(cut->points->arm[slot][0], arm.x);
    quad_store_single(cut->points->arm[slot][1], arm.y);
    quad_store_single(cut->points->arm[slot][2], arm.z);
    quad_store_single(cut->points->gap[slot], gap);
}

// The part of an edge with -limit <= x <= limit. An edge that runs along the limit gives NaN, and is not cut.
static inline void cut_edge(quad from, quad inverse_step, quad limit, quad *enter, quad *leave)
{
    quad one = (-limit - from) * inverse_step, other = (limit - from) * inverse_step;
    quad first = quad_min(one, other), last = quad_max(one, other);
    *enter = quad_select(first > *enter, first, *enter);
    *leave = quad_select(last < *leave, last, *leave);
}

static inline void add_edge(face_cut *cut, int edge, quad3 from, quad3 step, quad inverse_x, quad inverse_y)
{
    quad enter = quad_set(0), leave = quad_set(1);
    cut_edge(from.x, inverse_x, cut->half.x, &enter, &leave);
    cut_edge(from.y, inverse_y, cut->half.y, &enter, &leave);
    quad_mask goes_out = (leave < quad_set(1)) & (enter < leave);
    add_corner(cut, edge, quad3_add(from, quad3_scale(step, enter)), (enter <= leave) & (enter < quad_set(1)));
    add_corner(cut, 4 + edge, quad3_add(from, quad3_scale(step, leave)), goes_out);
}

static inline void add_edges(face_cut *cut, quad3 centre, quad3 u, quad3 v)
{
    quad3 step_u = quad3_add(u, u), step_v = quad3_add(v, v), none = {quad_set(0), quad_set(0), quad_set(0)};
    quad over_ux = 1 / step_u.x, over_uy = 1 / step_u.y, over_vx = 1 / step_v.x, over_vy = 1 / step_v.y;
    quad3 both = quad3_add(u, v), either = quad3_sub(u, v);
    add_edge(cut, 0, quad3_add(centre, both), quad3_sub(none, step_u), -over_ux, -over_uy);
    add_edge(cut, 1, quad3_sub(centre, either), quad3_sub(none, step_v), -over_vx, -over_vy);
    add_edge(cut, 2, quad3_sub(centre, both), step_u, over_ux, over_uy);
    add_edge(cut, 3, quad3_add(centre, either), step_v, over_vx, over_vy);
}

static inline void add_reference_corners(face_cut *cut, quad3 centre, quad3 u, quad3 v)
{
    quad over = 1 / (u.x * v.y - u.y * v.x);
    for (int corner = 0; corner < 4; corner++) {
        quad x = (corner & 1 ? cut->half.x : -cut->half.x), y = (corner & 2 ? cut->half.y : -cut->half.y);
        quad dx = x - centre.x, dy = y - centre.y;
        quad along_u = (dx * v.y - dy * v.x) * over, along_v = (u.x * dy - u.y * dx) * over;
        quad_mask inside = (quad_abs(along_u) <= quad_set(1)) & (quad_abs(along_v) <= quad_set(1));
        add_corner(cut, 8 + corner, (quad3){x, y, centre.z + along_u * u.z + along_v * v.z}, inside);
    }
}

static void meet(const box_faces *faces, box_face_points *points)
{
    face_cut cut = {.faces = faces,
                    .points = points,
                    .half = quad3_load(faces->half),
                    .origin = quad3_load(faces->origin),
                    .margin = quad_load(faces->margin),
                    .smallest = quad_set(HUGE_VAL)};
    for (int k = 0; k < 3; k++)
        cut.axes[k] = quad3_load(faces->axes[k]);
    quad3 centre = quad3_load(faces->centre), u = quad3_load(faces->edges[0]), v = quad3_load(faces->edges[1]);
    add_edges(&cut, centre, u, v);
    add_reference_corners(&cut, centre, u, v);
    quad_store(points->smallest, cut.smallest);
    memcpy(points->slots, &cut.slots, sizeof cut.slots);
}

const box_kernels NAME(box_kernels, SCREE_ISA) = {separate, meet};
