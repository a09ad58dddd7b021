// Separating axes of four pairs of boxes at once (the method is told in narrow_boxes.c), and the cut of four pairs of
// faces.
//
// A face is not cut side by side, as Sutherland and Hodgman do, which takes as many turns as it leaves corners: each
// edge of the incident face is cut to what lies within the reference face (Liang and Barsky 1984), and corners of the
// reference face are asked whether they lie within the incident one. Together these are the corners of the cut.
#undef SCREE_REAL_DOUBLE
#define SCREE_REAL_DOUBLE 1
#define SCREE_LANES       4
#include "base/wide.h"
#include "collide/narrow/box_lanes.h"

#include "collide/narrow/narrow_boxes.h"

#define NAME_(name, isa) name##_##isa
#define NAME(name, isa)  NAME_(name, isa)

_Static_assert((int)LANES == (int)BOX_LANES, "one lane for each pair");

static inline void store_single(float to[LANES], wide value)
{
    four_floats rounded = floats_of_doubles(value);
    memcpy(to, &rounded, sizeof rounded);
}

// 1 / sqrt(a): the root is taken in single precision, and a step of Newton's makes it good to 1e-13.
static inline wide inverse_root(wide a)
{
    four_floats rough = floats_of_doubles(a);
    for (int i = 0; i < LANES; i++)
        rough[i] = sqrtf(rough[i]);
    wide root = doubles_of_floats(1 / rough);
    return root * (wide_set(1.5) - wide_set(0.5) * a * root * root);
}

static const int NEXT[3] = {1, 2, 0};

// ------------------------------------------------------------------------------------------------- separating axes

// Columns of the rotation matrix.
static inline void axes_of(const wide orientation[4], wide3 axes[3])
{
    wide w = orientation[0], x = orientation[1], y = orientation[2], z = orientation[3];
    wide x2 = x + x, y2 = y + y, z2 = z + z;
    wide xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    wide wx = w * x2, wy = w * y2, wz = w * z2;
    axes[0] = (wide3){1 - (yy + zz), xy + wz, xz - wy};
    axes[1] = (wide3){xy - wz, 1 - (xx + zz), yz + wx};
    axes[2] = (wide3){xz + wy, yz - wx, 1 - (xx + yy)};
}

typedef struct lane_pairs {                                    // as box_pair
    wide half[2][4], rotation[3][3], steep[3][3], shift[2][3]; // steep: |turn|
} lane_pairs;

static inline void load_columns(const double *first, wide columns[4])
{
    for (int lane = 0; lane < LANES; lane++)
        columns[lane] = wide_load(first + (size_t)lane * (sizeof(box_lane) / sizeof(double)));
    wide_transpose(columns);
}

static inline void load_pairs(const box_lane lanes[BOX_LANES], box_separations *to, lane_pairs *pairs)
{
    wide orientation[4], d[4];
    wide3 axes[2][3];
    load_columns(lanes->between, d);
    for (int box = 0; box < 2; box++) {
        load_columns(lanes->half[box], pairs->half[box]);
        load_columns(lanes->orientation[box], orientation);
        axes_of(orientation, axes[box]);
        for (int i = 0; i < 3; i++) {
            pairs->shift[box][i] = wide3_dot(axes[box][i], (wide3){d[0], d[1], d[2]});
            wide3_store(to->axes[box][i], axes[box][i]);
            wide_store(to->shift[box][i], pairs->shift[box][i]);
        }
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            pairs->rotation[i][j] = wide3_dot(axes[0][i], axes[1][j]);
            pairs->steep[i][j] = wide_abs(pairs->rotation[i][j]);
            wide_store(to->rotation[i][j], pairs->rotation[i][j]);
        }
}

typedef struct best_axis {
    wide separation, axis;
} best_axis;

static inline void keep_wider(best_axis *best, wide separation, int axis)
{
    wide_mask wider = separation > best->separation;
    best->separation = wide_select(wider, separation, best->separation);
    best->axis = wide_select(wider, wide_set(axis), best->axis);
}

static inline void try_faces(const lane_pairs *p, best_axis *of_a, best_axis *of_b)
{
    for (int i = 0; i < 3; i++) {
        wide reach_a = p->half[0][i], reach_b = p->half[1][i];
        for (int j = 0; j < 3; j++) {
            reach_a += p->half[1][j] * p->steep[i][j];
            reach_b += p->half[0][j] * p->steep[j][i];
        }
        keep_wider(of_a, wide_abs(p->shift[0][i]) - reach_a, i);
        keep_wider(of_b, wide_abs(p->shift[1][i]) - reach_b, BOX_FACE_B + i);
    }
}

// Axis i of a times axis j of b.
static inline void try_edges(const lane_pairs *p, int i, int j, best_axis *best)
{
    int i1 = NEXT[i], i2 = NEXT[i1], j1 = NEXT[j], j2 = NEXT[j1];
    wide y = p->rotation[i2][j], z = p->rotation[i1][j];
    wide square = y * y + z * z;
    wide reach = p->half[0][i1] * p->steep[i2][j] + p->half[0][i2] * p->steep[i1][j] +
                 p->half[1][j1] * p->steep[i][j2] + p->half[1][j2] * p->steep[i][j1];
    wide over = wide_abs(z * p->shift[0][i2] - y * p->shift[0][i1]) - reach;
    wide_mask parallel = square < wide_set(BOX_PARALLEL_EDGES);
    wide scale = inverse_root(wide_select(parallel, wide_set(1), square));
    keep_wider(best, wide_select(parallel, wide_set(-HUGE_VAL), over * scale), BOX_EDGES + 3 * i + j);
}

static inline wide smallest_half(const lane_pairs *p)
{
    wide least = wide_min(p->half[0][0], p->half[1][0]);
    for (int i = 1; i < 3; i++)
        least = wide_min(least, wide_min(p->half[0][i], p->half[1][i]));
    return least;
}

static void separate(const box_lane lanes[BOX_LANES], box_separations *to)
{
    lane_pairs pairs;
    load_pairs(lanes, to, &pairs);
    const best_axis none = {wide_set(-HUGE_VAL), wide_set(0)};
    best_axis best = none, others[2] = {none, none};
    try_faces(&pairs, &best, &others[0]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            try_edges(&pairs, i, j, &others[1]);
    wide widest = wide_max(best.separation, wide_max(others[0].separation, others[1].separation));
    wide scale = smallest_half(&pairs), slack = wide_set(BOX_TOLERANCE_SCALE) * scale;
    for (int k = 0; k < 2; k++) {
        wide enough = best.separation + slack + wide_set(BOX_TOLERANCE_OVERLAP) * wide_abs(best.separation);
        wide_mask better = others[k].separation > enough;
        best.separation = wide_select(better, others[k].separation, best.separation);
        best.axis = wide_select(better, others[k].axis, best.axis);
    }
    wide_store(to->widest, widest);
    wide_store(to->preferred, best.separation);
    wide_store(to->axis, best.axis);
    wide_store(to->scale, scale);
    wide_mask near = widest <= pairs.half[0][BOX_MARGIN];
    to->near = 0;
    for (int i = 0; i < LANES; i++)
        to->near |= (unsigned)(near[i] & 1) << i;
}

// ---------------------------------------------------------------------------------------------------- faces that meet

// An edge crosses the slack of a side within so many slacks of its length, or counts as running along it.
static const double CROSSING = 8;

typedef struct face_cut { // one at work
    const box_faces *faces;
    box_face_points *points;
    wide3 half, axes[3], origin;
    wide slack, margin, smallest;
    wide_mask slots;
} face_cut;

// A corner of the cut, in the lanes of `there`.
static inline void add_corner(face_cut *cut, int slot, wide3 at, wide_mask there)
{
    wide gap = at.z - cut->half.z, height = (at.z + cut->half.z) * wide_set(0.5);
    cut->smallest = wide_select(there & (gap < cut->smallest), gap, cut->smallest);
    cut->slots |= there & (gap <= cut->margin) & ((wide_mask){0} + (1 << slot));
    wide3 arm = wide3_add(wide3_add(cut->origin, wide3_scale(cut->axes[0], at.x)),
                          wide3_add(wide3_scale(cut->axes[1], at.y), wide3_scale(cut->axes[2], height)));
    store_single(cut->points->arm[slot][0], arm.x);
    store_single(cut->points->arm[slot][1], arm.y);
    store_single(cut->points->arm[slot][2], arm.z);
    store_single(cut->points->gap[slot], gap);
}

// The part of an edge with -limit <= x <= limit. An edge that runs along the limit gives NaN, and is not cut.
static inline void cut_edge(wide from, wide inverse_step, wide limit, wide *enter, wide *leave)
{
    wide one = (-limit - from) * inverse_step, other = (limit - from) * inverse_step;
    wide first = wide_min(one, other), last = wide_max(one, other);
    *enter = wide_select(first > *enter, first, *enter);
    *leave = wide_select(last < *leave, last, *leave);
}

static inline wide clamp(wide value, wide limit)
{
    return wide_max(wide_min(value, limit), -limit);
}

// The point of an edge at `along`, or next to it within the reference face.
static inline wide3 edge_point(const face_cut *cut, wide3 from, wide3 step, wide along)
{
    wide3 at = wide3_add(from, wide3_scale(step, along));
    return (wide3){clamp(at.x, cut->half.x), clamp(at.y, cut->half.y), at.z};
}

// An edge cut by two sides of the reference face, with their slack and truly.
typedef struct side_cut {
    wide enter, leave, true_enter, true_leave;
} side_cut;

static inline side_cut cut_by_sides(wide from, wide inverse_step, wide limit, wide slack)
{
    const wide zero = wide_set(0), one = wide_set(1);
    side_cut cut = {zero, one, zero, one};
    cut_edge(from, inverse_step, limit + slack, &cut.enter, &cut.leave);
    cut_edge(from, inverse_step, limit, &cut.true_enter, &cut.true_leave);
    return cut;
}

// The place where an edge truly comes in. A side that it crosses within the slack alone, as it does where two boxes are
// flush, cuts nowhere: where that would be is a matter of rounding. Nor does one along which it all but runs, so that
// it crosses the slack for longer than `longest`, while it comes in over the other: a corner would be lost there.
static inline wide true_begin(const side_cut *x, const side_cut *y, wide enter, wide longest)
{
    const wide zero = wide_set(0);
    wide of_x = wide_select(x->enter > zero, x->true_enter, zero);
    wide of_y = wide_select(y->enter > zero, y->true_enter, zero);
    wide begin = wide_max(of_x, of_y);
    return wide_select(begin - enter > longest, wide_select(x->enter > y->enter, of_x, of_y), begin);
}

static inline wide true_end(const side_cut *x, const side_cut *y, wide leave, wide longest)
{
    const wide one = wide_set(1);
    wide of_x = wide_select(x->leave < one, x->true_leave, one);
    wide of_y = wide_select(y->leave < one, y->true_leave, one);
    wide end = wide_min(of_x, of_y);
    return wide_select(leave - end > longest, wide_select(x->leave < y->leave, of_x, of_y), end);
}

// An edge that comes in or goes out does so at the true side. A corner within the slack, and an edge that meets nothing
// but the slack, move to the side straight; where such an edge goes out from a corner or comes in to one, that corner
// is the place, as it is for one that is on the side but for rounding.
static inline void add_edge(face_cut *cut, int edge, wide3 from, wide3 step, wide inverse_x, wide inverse_y,
                            wide longest)
{
    const wide zero = wide_set(0), one = wide_set(1);
    side_cut x = cut_by_sides(from.x, inverse_x, cut->half.x, cut->slack);
    side_cut y = cut_by_sides(from.y, inverse_y, cut->half.y, cut->slack);
    wide enter = wide_max(x.enter, y.enter), leave = wide_min(x.leave, y.leave);
    wide begin = true_begin(&x, &y, enter, longest), end = true_end(&x, &y, leave, longest);
    wide_mask goes_out = (leave < one) & (enter < leave), meets = begin <= end;
    wide to_corner = wide_select(leave >= one, one, enter), from_corner = wide_select(enter <= zero, zero, leave);
    begin = wide_select(enter > zero, wide_select(meets, begin, to_corner), enter);
    end = wide_select(meets, end, from_corner);
    add_corner(cut, edge, edge_point(cut, from, step, begin), (enter <= leave) & (enter < one));
    add_corner(cut, 4 + edge, edge_point(cut, from, step, end), goes_out);
}

static inline wide longest_crossing(const face_cut *cut, wide3 step)
{
    return wide_set(CROSSING) * cut->slack / wide_sqrt(wide3_dot(step, step));
}

static inline void add_edges(face_cut *cut, wide3 center, wide3 u, wide3 v)
{
    wide3 step_u = wide3_add(u, u), step_v = wide3_add(v, v), none = {wide_set(0), wide_set(0), wide_set(0)};
    wide over_ux = 1 / step_u.x, over_uy = 1 / step_u.y, over_vx = 1 / step_v.x, over_vy = 1 / step_v.y;
    wide longest_u = longest_crossing(cut, step_u), longest_v = longest_crossing(cut, step_v);
    wide3 both = wide3_add(u, v), either = wide3_sub(u, v);
    add_edge(cut, 0, wide3_add(center, both), wide3_sub(none, step_u), -over_ux, -over_uy, longest_u);
    add_edge(cut, 1, wide3_sub(center, either), wide3_sub(none, step_v), -over_vx, -over_vy, longest_v);
    add_edge(cut, 2, wide3_sub(center, both), step_u, over_ux, over_uy, longest_u);
    add_edge(cut, 3, wide3_add(center, either), step_v, over_vx, over_vy, longest_v);
}

// With their slack they must lie within the incident face.
static inline void add_reference_corners(face_cut *cut, wide3 center, wide3 u, wide3 v)
{
    wide over = 1 / (u.x * v.y - u.y * v.x);
    for (int corner = 0; corner < 4; corner++) {
        wide side_x = wide_set(corner & 1 ? 1 : -1), side_y = wide_set(corner & 2 ? 1 : -1);
        wide x = side_x * cut->half.x, y = side_y * cut->half.y, dx = x - center.x, dy = y - center.y;
        wide along_u = (dx * v.y - dy * v.x) * over, along_v = (u.x * dy - u.y * dx) * over;
        wide more_u = (side_x * v.y - side_y * v.x) * over * cut->slack;
        wide more_v = (u.x * side_y - u.y * side_x) * over * cut->slack;
        wide_mask inside = (wide_abs(along_u + more_u) <= wide_set(1)) & (wide_abs(along_v + more_v) <= wide_set(1));
        add_corner(cut, 8 + corner, (wide3){x, y, center.z + along_u * u.z + along_v * v.z}, inside);
    }
}

static void meet(const box_faces *faces, box_face_points *points)
{
    face_cut cut = {.faces = faces,
                    .points = points,
                    .half = wide3_load(faces->half),
                    .origin = wide3_load(faces->origin),
                    .slack = wide_load(faces->slack),
                    .margin = wide_load(faces->margin),
                    .smallest = wide_set(HUGE_VAL)};
    for (int k = 0; k < 3; k++)
        cut.axes[k] = wide3_load(faces->axes[k]);
    wide3 center = wide3_load(faces->center), u = wide3_load(faces->edges[0]), v = wide3_load(faces->edges[1]);
    add_edges(&cut, center, u, v);
    add_reference_corners(&cut, center, u, v);
    wide_store(points->smallest, cut.smallest);
    memcpy(points->slots, &cut.slots, sizeof cut.slots);
}

const box_kernels NAME(box_kernels, SCREE_ISA) = {separate, meet};
