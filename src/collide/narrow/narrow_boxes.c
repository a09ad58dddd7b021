// Separating axes (Gottschalk, Lin, Manocha 1996): two boxes are apart exactly if one of 15 directions separates them,
// three faces of each and nine products of edges. The one with the widest gap, or the shallowest overlap, is the
// direction of contact.
//
// Resting boxes tie on several of them, and rounding would choose another one at each step; so a face is kept unless
// another axis is better by a tolerance.
#include "collide/narrow/narrow_boxes.h"

static const int NEXT[3] = {1, 2, 0}; // axes in cyclic order

box_pair box_pair_make(vec3 half_a, const mat3 *axes_a, vec3 half_b, const mat3 *axes_b, vec3 between)
{
    box_pair pair = {.half_a = {half_a.x, half_a.y, half_a.z}, .half_b = {half_b.x, half_b.y, half_b.z}};
    for (int i = 0; i < 3; i++) {
        pair.shift[i] = vec3_dot(mat3_column(axes_a, i), between);
        pair.shift_b[i] = vec3_dot(mat3_column(axes_b, i), between);
        for (int j = 0; j < 3; j++)
            pair.rotation[i][j] = vec3_dot(mat3_column(axes_a, i), mat3_column(axes_b, j));
    }
    return pair;
}

double box_pair_scale(const box_pair *pair)
{
    double least = pair->half_a[0];
    for (int i = 0; i < 3; i++) {
        least = pair->half_a[i] < least ? pair->half_a[i] : least;
        least = pair->half_b[i] < least ? pair->half_b[i] : least;
    }
    return least;
}

static double face_a_separation(const box_pair *pair, int i)
{
    double reach = pair->half_a[i];
    for (int j = 0; j < 3; j++)
        reach += pair->half_b[j] * fabs(pair->rotation[i][j]);
    return fabs(pair->shift[i]) - reach;
}

static double face_b_separation(const box_pair *pair, int j)
{
    double reach = pair->half_b[j];
    for (int i = 0; i < 3; i++)
        reach += pair->half_a[i] * fabs(pair->rotation[i][j]);
    return fabs(pair->shift_b[j]) - reach;
}

// Along axis i of a times axis j of b; -infinity when they are parallel.
static inline double edge_separation(const box_pair *pair, int i, int j)
{
    int i1 = NEXT[i], i2 = NEXT[i1], j1 = NEXT[j], j2 = NEXT[j1];
    double y = -pair->rotation[i2][j], z = pair->rotation[i1][j]; // the product, along axes i1 and i2 of a
    double square = y * y + z * z;
    if (square < BOX_PARALLEL_EDGES)
        return (double)-INFINITY;
    double reach = pair->half_a[i1] * fabs(y) + pair->half_a[i2] * fabs(z) +
                   pair->half_b[j1] * fabs(pair->rotation[i][j2]) + pair->half_b[j2] * fabs(pair->rotation[i][j1]);
    return (fabs(y * pair->shift[i1] + z * pair->shift[i2]) - reach) / sqrt(square);
}

typedef struct best_axis {
    double separation;
    int axis;
} best_axis;

// Keeps the wider of the two; false when it separates by more than the limit.
static inline bool keep_wider(best_axis *best, double separation, int axis, double limit)
{
    if (separation > best->separation)
        *best = (best_axis){separation, axis};
    return separation <= limit;
}

static void axis_normal(const box_pair *pair, int axis, double normal[3])
{
    if (axis < BOX_FACE_B) {
        for (int k = 0; k < 3; k++)
            normal[k] = k == axis ? copysign(1, pair->shift[k]) : 0;
    } else if (axis < BOX_EDGES) {
        int face = axis - BOX_FACE_B;
        for (int k = 0; k < 3; k++)
            normal[k] = copysign(1, pair->shift_b[face]) * pair->rotation[k][face];
    } else {
        int i = (axis - BOX_EDGES) / 3, j = (axis - BOX_EDGES) % 3, i1 = NEXT[i], i2 = NEXT[i1];
        double y = -pair->rotation[i2][j], z = pair->rotation[i1][j];
        double scale = copysign(1 / sqrt(y * y + z * z), y * pair->shift[i1] + z * pair->shift[i2]);
        normal[i] = 0;
        normal[i1] = y * scale;
        normal[i2] = z * scale;
    }
}

bool box_pair_separation(const box_pair *pair, double limit, box_separation *separation)
{
    best_axis best[3] = {{(double)-INFINITY, 0}, {(double)-INFINITY, 0}, {(double)-INFINITY, 0}};
    for (int i = 0; i < 3; i++)
        if (!keep_wider(&best[0], face_a_separation(pair, i), i, limit) ||
            !keep_wider(&best[1], face_b_separation(pair, i), BOX_FACE_B + i, limit))
            return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (!keep_wider(&best[2], edge_separation(pair, i, j), BOX_EDGES + 3 * i + j, limit))
                return false;
    int chosen = 0;
    for (int group = 1; group < 3; group++) {
        double now = best[chosen].separation;
        if (best[group].separation >
            now + BOX_TOLERANCE_SCALE * box_pair_scale(pair) + BOX_TOLERANCE_OVERLAP * fabs(now))
            chosen = group;
    }
    separation->widest = fmax(best[0].separation, fmax(best[1].separation, best[2].separation));
    separation->preferred = best[chosen].separation;
    separation->axis = best[chosen].axis;
    axis_normal(pair, separation->axis, separation->normal);
    return true;
}

// ------------------------------------------------------------------------------------------------- nearest points

typedef struct nearest {
    double square; // of the distance
    double on_a[3], on_b[3];
} nearest;

static void keep_nearer(nearest *best, const double on_a[3], const double on_b[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += (on_b[k] - on_a[k]) * (on_b[k] - on_a[k]);
    if (!(square < best->square))
        return;
    best->square = square;
    for (int k = 0; k < 3; k++) {
        best->on_a[k] = on_a[k];
        best->on_b[k] = on_b[k];
    }
}

static inline double clamp(double value, double limit)
{
    double raised = value < -limit ? -limit : value;
    return raised > limit ? limit : raised;
}

// A point of b, given in the axes of b from its centre, as seen from a.
static void from_b(const box_pair *pair, const double local[3], double point[3])
{
    for (int i = 0; i < 3; i++)
        point[i] = pair->shift[i] + pair->rotation[i][0] * local[0] + pair->rotation[i][1] * local[1] +
                   pair->rotation[i][2] * local[2];
}

static void corner_of(const double half[3], int signs, double corner[3])
{
    for (int k = 0; k < 3; k++)
        corner[k] = signs >> k & 1 ? half[k] : -half[k];
}

static void nearest_corners(const box_pair *pair, nearest *best)
{
    for (int signs = 0; signs < 8; signs++) {
        double corner[3], on_a[3], on_b[3], local[3];
        corner_of(pair->half_b, signs, corner);
        from_b(pair, corner, on_b);
        for (int k = 0; k < 3; k++)
            on_a[k] = clamp(on_b[k], pair->half_a[k]);
        keep_nearer(best, on_a, on_b);

        corner_of(pair->half_a, signs, on_a);
        for (int j = 0; j < 3; j++)
            local[j] = clamp(pair->rotation[0][j] * on_a[0] + pair->rotation[1][j] * on_a[1] +
                                 pair->rotation[2][j] * on_a[2] - pair->shift_b[j],
                             pair->half_b[j]);
        from_b(pair, local, on_b);
        keep_nearer(best, on_a, on_b);
    }
}

// The edges of a along its axis i and of b along its axis j whose middles are those two points.
static void nearest_edges(const box_pair *pair, int i, int j, const double middle_a[3], const double middle_b[3],
                          nearest *best)
{
    double cosine = pair->rotation[i][j];
    double along_a = middle_b[i] - middle_a[i], along_b = 0; // from middle to middle, along either edge
    for (int k = 0; k < 3; k++)
        along_b += (middle_b[k] - middle_a[k]) * pair->rotation[k][j];
    double sine2 = 1 - cosine * cosine;
    double s = sine2 > BOX_PARALLEL_EDGES ? clamp((along_a - cosine * along_b) / sine2, pair->half_a[i]) : 0;
    double t = clamp(cosine * s - along_b, pair->half_b[j]);
    s = clamp(along_a + cosine * t, pair->half_a[i]);
    double on_a[3], on_b[3];
    for (int k = 0; k < 3; k++) {
        on_a[k] = middle_a[k] + (k == i ? s : 0);
        on_b[k] = middle_b[k] + t * pair->rotation[k][j];
    }
    keep_nearer(best, on_a, on_b);
}

// Nearest points of two convex polyhedra lie on a corner of one of them or on an edge of each. Trying all of them is
// slow but exact, and only pairs that meet corner to corner, or about that, come here.
void box_pair_nearest(const box_pair *pair, double on_a[3], double on_b[3])
{
    nearest best = {.square = (double)INFINITY};
    nearest_corners(pair, &best);
    for (int axes = 0; axes < 9; axes++) {
        int i = axes / 3, j = axes % 3;
        for (int edges = 0; edges < 16; edges++) {
            double middle_a[3], local[3], middle_b[3];
            corner_of(pair->half_a, (edges & 1) << NEXT[i] | (edges >> 1 & 1) << NEXT[NEXT[i]], middle_a);
            corner_of(pair->half_b, (edges >> 2 & 1) << NEXT[j] | (edges >> 3 & 1) << NEXT[NEXT[j]], local);
            middle_a[i] = local[j] = 0;
            from_b(pair, local, middle_b);
            nearest_edges(pair, i, j, middle_a, middle_b, &best);
        }
    }
    for (int k = 0; k < 3; k++) {
        on_a[k] = best.on_a[k];
        on_b[k] = best.on_b[k];
    }
}
