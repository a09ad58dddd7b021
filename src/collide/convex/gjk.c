// Each round asks for the point of the difference that lies farthest against the nearest point v so far, adds it to the
// simplex, and keeps the smallest part of the simplex that holds the new nearest point:
//
//     |v| is never less than the distance, and v . w / |v| is never more.
//
// The nearest point of a simplex is found from the outside in: the part to which the origin projects is taken when the
// weights say so, and else the nearest of the parts one dimension below. That is slower than walking Voronoi regions,
// but a wrong sign of a thin triangle then costs accuracy and not the answer (see Montanari, Petrinic and Barbieri
// 2017).
#include "collide/convex/gjk.h"

enum { MOST_ROUNDS = 100 };

static const double TOUCHING = 1e-9;          // distance in sizes below which v has lost its direction
static const double CONVERGED = 1e-14;        // difference of the bounds, in sizes
static const double CONVERGED_CURVED = 1e-11; // the same with curved shapes, whose points never repeat
static const double DEGENERATE = 1e-26;       // squared sine

difference_point difference_support(difference *d, vec3 direction)
{
    difference_point p;
    p.a = convex_support_from(d->a, direction, &d->start_a);
    p.b = convex_support_from(d->b, vec3_negate(direction), &d->start_b);
    p.w = vec3_sub(p.a, p.b);
    return p;
}

void simplex_witness(const simplex *s, vec3 *on_a, vec3 *on_b)
{
    *on_a = *on_b = vec3_make(0, 0, 0);
    for (int i = 0; i < s->count; i++) {
        *on_a = vec3_add_scaled(*on_a, s->points[i].a, s->weights[i]);
        *on_b = vec3_add_scaled(*on_b, s->points[i].b, s->weights[i]);
    }
}

// ----------------------------------------------------------------------------------------- nearest part of a simplex

// A part of the simplex: which of its points, with what weights, and the nearest point.
typedef struct part {
    int count, index[3];
    double weights[3];
    vec3 v;
} part;

static part nearest_on_segment(const simplex *s, int i, int j)
{
    vec3 p = s->points[i].w, q = s->points[j].w, edge = vec3_sub(q, p);
    double square = vec3_dot(edge, edge), t = square > 0 ? -vec3_dot(p, edge) / square : 0;
    if (!(t > 0))
        return (part){1, {i}, {1}, p};
    if (t >= 1)
        return (part){1, {j}, {1}, q};
    // From the nearer end: less is lost.
    vec3 v = t < 0.5 ? vec3_add_scaled(p, edge, t) : vec3_add_scaled(q, edge, t - 1);
    return (part){2, {i, j}, {1 - t, t}, v};
}

static void keep_nearer(part *best, part other)
{
    if (vec3_dot(other.v, other.v) < vec3_dot(best->v, best->v))
        *best = other;
}

static part nearest_on_triangle(const simplex *s, int i, int j, int k)
{
    vec3 p = s->points[i].w, u = vec3_sub(s->points[j].w, p), v = vec3_sub(s->points[k].w, p);
    vec3 normal = vec3_cross(u, v);
    double square = vec3_dot(normal, normal);
    if (square > DEGENERATE * vec3_dot(u, u) * vec3_dot(v, v)) {
        double of_j = vec3_dot(normal, vec3_cross(v, p)) / square, of_k = vec3_dot(normal, vec3_cross(p, u)) / square;
        if (of_j >= 0 && of_k >= 0 && of_j + of_k <= 1)
            return (part){
                3, {i, j, k}, {1 - of_j - of_k, of_j, of_k}, vec3_scale(normal, vec3_dot(p, normal) / square)};
    }
    part best = nearest_on_segment(s, i, j);
    keep_nearer(&best, nearest_on_segment(s, j, k));
    keep_nearer(&best, nearest_on_segment(s, k, i));
    return best;
}

// False when the tetrahedron holds the origin.
static bool nearest_on_tetrahedron(const simplex *s, part *best)
{
    static const int FACES[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    bool outside = false;
    for (int f = 0; f < 4; f++) {
        const int *face = FACES[f];
        vec3 p = s->points[face[0]].w, u = vec3_sub(s->points[face[1]].w, p), v = vec3_sub(s->points[face[2]].w, p);
        vec3 normal = vec3_cross(u, v), other = vec3_sub(s->points[face[3]].w, p);
        double of_origin = -vec3_dot(normal, p), of_other = vec3_dot(normal, other);
        bool flat = of_other * of_other <= DEGENERATE * vec3_dot(normal, normal) * vec3_dot(other, other);
        if (!flat && of_origin * of_other >= 0)
            continue;
        part found = nearest_on_triangle(s, face[0], face[1], face[2]);
        if (!outside)
            *best = found;
        outside = true;
        keep_nearer(best, found);
    }
    return outside;
}

// The part of the simplex nearest to the origin; false when it holds the origin.
static bool simplex_nearest(const simplex *s, part *best)
{
    *best = (part){1, {0}, {1}, s->points[0].w};
    if (s->count == 2)
        *best = nearest_on_segment(s, 0, 1);
    else if (s->count == 3)
        *best = nearest_on_triangle(s, 0, 1, 2);
    return s->count < 4 || nearest_on_tetrahedron(s, best);
}

// Points move to the front in the order in which they came.
static void simplex_reduce(simplex *s, const part *to)
{
    int kept = 0;
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < to->count; k++)
            if (to->index[k] == i) {
                if (kept < i)
                    s->points[kept] = s->points[i];
                s->weights[kept++] = to->weights[k];
            }
    s->count = kept;
}

// ------------------------------------------------------------------------------------------------------------ rounds

static double larger(double a, double b) // fmax would be a call
{
    return a > b ? a : b;
}

static double largest(vec3 v)
{
    return larger(fabs(v.x), larger(fabs(v.y), fabs(v.z)));
}

static bool simplex_has(const simplex *s, vec3 w)
{
    for (int i = 0; i < s->count; i++)
        if (s->points[i].w.x == w.x && s->points[i].w.y == w.y && s->points[i].w.z == w.z)
            return true;
    return false;
}

gjk_outcome gjk_distance(difference *d, vec3 first, double limit, gjk_result *result)
{
    vec3 v = first;
    simplex *s = &result->simplex;
    s->count = 0;
    result->size = 0;
    if (!(largest(v) > 1e-150)) // below that the square is lost to underflow
        v = vec3_make(0, 0, 1);
    double length = vec3_length(v);
    result->distance = (double)-INFINITY;
    double tolerance = convex_is_curved(d->a) || convex_is_curved(d->b) ? CONVERGED_CURVED : CONVERGED;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        difference_point next = difference_support(d, vec3_negate(v));
        double bound = vec3_dot(v, next.w) / length;
        result->size = larger(result->size, largest(next.w));
        if (bound > result->distance) {
            result->distance = bound;
            result->normal = vec3_scale(v, -1 / length);
        }
        if (bound > limit)
            return GJK_BEYOND;
        if (s->count > 0 && (length - bound <= tolerance * result->size || simplex_has(s, next.w)))
            break;
        s->points[s->count++] = next;
        part nearest;
        bool outside = simplex_nearest(s, &nearest);
        double nearer = outside ? vec3_length(nearest.v) : 0;
        // Too thin to tell, though a plane has been between them already; or no better: what was found before holds.
        if (outside ? s->count > 1 && nearer >= length : result->distance > TOUCHING * result->size) {
            s->count--;
            break;
        }
        if (!outside)
            return GJK_TOUCHING;
        simplex_reduce(s, &nearest);
        v = nearest.v;
        length = nearer;
        if (length <= TOUCHING * result->size)
            return GJK_TOUCHING;
    }
    return result->distance > 0 ? GJK_APART : GJK_TOUCHING;
}
