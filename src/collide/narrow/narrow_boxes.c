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
