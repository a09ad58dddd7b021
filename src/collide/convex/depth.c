// An expanding polytope (van den Bergen 2001): a polyhedron inside the difference a - b grows where its surface is
// nearest to the origin, by the point of the difference that lies farthest beyond that face:
//
//     distance of the nearest face  <=  depth  <=  reach of the difference along any direction,
//
// so the loop ends when the two ends meet, and whatever happens the best direction met so far is a true way out: a
// broken polyhedron costs accuracy, never the answer. The origin need not lie inside at first: faces that look away
// from it have a negative distance and grow first.
#include "collide/convex/depth.h"

#include "collide/convex/descend.h"

enum { MOST_VERTICES = 128, MOST_FACES = 2 * MOST_VERTICES, LITTLE_POLISH = 4, MUCH_POLISH = 64 };

static const double CONVERGED = 1e-13;       // difference of the bounds, in sizes
static const double CONVERGED_CURVED = 1e-9; // the same with curved shapes, which polyhedra approach step by step
static const double POLISH_GAP = 0.1;        // in sizes
static const double FLAT = 1e-13;            // thickness in sizes of a difference without an inside

typedef struct face {
    uint16_t corners[3];   // counter-clockwise from outside
    uint16_t neighbour[3]; // across the edge from corner i to the next
    bool alive;
    vec3 normal;     // unit
    double distance; // of its plane from the origin
} face;

typedef struct polytope {
    difference *difference;
    double size;
    int vertex_count, face_count;
    difference_point vertices[MOST_VERTICES];
    face faces[MOST_FACES];
} polytope;

// An edge of the hole that a new vertex sees, and the face on its far side.
typedef struct horizon_edge {
    uint16_t from, to, outside;
} horizon_edge;

typedef struct horizon {
    int count;
    horizon_edge edges[MOST_FACES];
} horizon;

static face face_make(const polytope *p, uint16_t a, uint16_t b, uint16_t c)
{
    vec3 at = p->vertices[a].w;
    vec3 u = vec3_sub(p->vertices[b].w, at), v = vec3_sub(p->vertices[c].w, at), normal = vec3_cross(u, v);
    double length = vec3_length(normal);
    face f = {.corners = {a, b, c}, .alive = true};
    if (length <= 1e-15 * sqrt(vec3_dot(u, u) * vec3_dot(v, v)) || !(length > 0)) {
        f.distance = HUGE_VAL; // too thin to have a normal: never the nearest
        return f;
    }
    f.normal = vec3_scale(normal, 1 / length);
    f.distance = vec3_dot(f.normal, at);
    return f;
}

// -------------------------------------------------------------------------------------------------- the first solid

// A unit vector across v.
static vec3 across(vec3 v)
{
    vec3 axis = fabs(v.x) <= fabs(v.y) && fabs(v.x) <= fabs(v.z) ? vec3_make(1, 0, 0)
                : fabs(v.y) <= fabs(v.z)                         ? vec3_make(0, 1, 0)
                                                                 : vec3_make(0, 0, 1);
    return vec3_normalize(vec3_cross(v, axis));
}

// How far a point is from the point, line or plane through the first `count` vertices.
static double stands_out(const polytope *p, int count, vec3 w)
{
    vec3 from = vec3_sub(w, p->vertices[0].w);
    if (count == 1)
        return vec3_length(from);
    vec3 u = vec3_normalize(vec3_sub(p->vertices[1].w, p->vertices[0].w));
    if (count == 2)
        return vec3_length(vec3_cross(u, from));
    vec3 normal = vec3_normalize(vec3_cross(u, vec3_sub(p->vertices[2].w, p->vertices[0].w)));
    return fabs(vec3_dot(normal, from));
}

// Directions in which to look for a vertex that stands out from the first `count`.
static int directions_out(const polytope *p, int count, vec3 directions[6])
{
    vec3 u = count == 1 ? vec3_make(1, 0, 0) : vec3_sub(p->vertices[1].w, p->vertices[0].w), v;
    if (count == 3) {
        directions[0] = vec3_normalize(vec3_cross(u, vec3_sub(p->vertices[2].w, p->vertices[0].w)));
        directions[1] = vec3_negate(directions[0]);
        return 2;
    }
    directions[0] = across(u);
    v = vec3_normalize(vec3_cross(u, directions[0]));
    directions[1] = vec3_negate(directions[0]);
    directions[2] = v;
    directions[3] = vec3_negate(v);
    directions[4] = vec3_normalize(u);
    directions[5] = vec3_negate(directions[4]);
    return count == 1 ? 6 : 4;
}

// Adds the vertex that stands out most; false when none does: the difference has no further dimension.
static bool add_outstanding(polytope *p)
{
    vec3 directions[6];
    int count = directions_out(p, p->vertex_count, directions);
    double most = 0;
    for (int i = 0; i < count; i++) {
        difference_point found = difference_support(p->difference, directions[i]);
        double distance = stands_out(p, p->vertex_count, found.w);
        if (distance > most) {
            most = distance;
            p->vertices[p->vertex_count] = found;
        }
    }
    if (!(most > FLAT * p->size))
        return false;
    p->vertex_count++;
    return true;
}

static double tetrahedron_height(const polytope *p)
{
    return stands_out(p, 3, p->vertices[3].w);
}

// The vertices of a tetrahedron; false when the difference is flat.
static bool add_vertices(polytope *p, const simplex *s)
{
    for (p->vertex_count = 0; p->vertex_count < s->count; p->vertex_count++) {
        p->vertices[p->vertex_count] = s->points[p->vertex_count];
        if (p->vertex_count > 0 && !(stands_out(p, p->vertex_count, s->points[p->vertex_count].w) > 1e-9 * p->size))
            break;
    }
    while (p->vertex_count < 4)
        if (!add_outstanding(p))
            return false;
    return tetrahedron_height(p) > FLAT * p->size;
}

static void add_tetrahedron(polytope *p)
{
    vec3 at = p->vertices[0].w, u = vec3_sub(p->vertices[1].w, at), v = vec3_sub(p->vertices[2].w, at);
    if (vec3_dot(vec3_cross(u, v), vec3_sub(p->vertices[3].w, at)) > 0) { // the fourth belongs behind the first three
        difference_point swap = p->vertices[1];
        p->vertices[1] = p->vertices[2];
        p->vertices[2] = swap;
    }
    static const uint16_t CORNERS[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const uint16_t NEIGHBOURS[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int f = 0; f < 4; f++) {
        p->faces[f] = face_make(p, CORNERS[f][0], CORNERS[f][1], CORNERS[f][2]);
        for (int i = 0; i < 3; i++)
            p->faces[f].neighbour[i] = NEIGHBOURS[f][i];
    }
    p->face_count = 4;
}

// ------------------------------------------------------------------------------------------------------------ growth

static int find_nearest(const polytope *p)
{
    int nearest = -1;
    for (int f = 0; f < p->face_count; f++)
        if (p->faces[f].alive && (nearest < 0 || p->faces[f].distance < p->faces[nearest].distance))
            nearest = f;
    return nearest;
}

static int edge_of(const face *f, uint16_t neighbour)
{
    return f->neighbour[0] == neighbour ? 0 : f->neighbour[1] == neighbour ? 1 : 2;
}

// Removes the faces that w sees, beginning with one of them, and gathers the edges of the hole in order round it. An
// explicit stack stands for the recursion across the edges.
static bool dig(polytope *p, int first, vec3 w, horizon *hole)
{
    struct {
        uint16_t face;
        uint8_t edge, left;
    } stack[MOST_FACES];
    int depth = 0;
    hole->count = 0;
    p->faces[first].alive = false;
    stack[depth].face = (uint16_t)first;
    stack[depth].edge = 0;
    stack[depth++].left = 3;
    while (depth > 0) {
        if (stack[depth - 1].left-- == 0) {
            depth--;
            continue;
        }
        const face *from = &p->faces[stack[depth - 1].face];
        int edge = stack[depth - 1].edge;
        stack[depth - 1].edge = (uint8_t)((edge + 1) % 3);
        uint16_t beyond = from->neighbour[edge];
        face *f = &p->faces[beyond];
        if (!f->alive)
            continue;
        if (vec3_dot(f->normal, w) - f->distance > 1e-15 * p->size) {
            f->alive = false;
            stack[depth].face = beyond;
            stack[depth].edge = (uint8_t)((edge_of(f, stack[depth - 1].face) + 1) % 3);
            stack[depth++].left = 2;
        } else {
            hole->edges[hole->count++] = (horizon_edge){from->corners[edge], from->corners[(edge + 1) % 3], beyond};
        }
    }
    for (int i = 0; i < hole->count; i++) // one closed ring?
        if (hole->edges[i].to != hole->edges[(i + 1) % hole->count].from)
            return false;
    return hole->count >= 3;
}

// A room for a new face: that of a dead one, or behind all others.
static int free_face(polytope *p, int *search)
{
    while (*search < p->face_count && p->faces[*search].alive)
        ++*search;
    if (*search < p->face_count)
        return *search;
    return p->face_count < MOST_FACES ? p->face_count++ : -1;
}

// Closes the hole with a fan about the new vertex.
static bool close_hole(polytope *p, const horizon *hole, uint16_t apex)
{
    uint16_t fan[MOST_FACES];
    int search = 0;
    for (int i = 0; i < hole->count; i++) {
        int room = free_face(p, &search);
        if (room < 0)
            return false;
        fan[i] = (uint16_t)room;
        p->faces[room] = face_make(p, hole->edges[i].from, hole->edges[i].to, apex);
    }
    for (int i = 0; i < hole->count; i++) {
        face *f = &p->faces[fan[i]], *outside = &p->faces[hole->edges[i].outside];
        f->neighbour[0] = hole->edges[i].outside;
        f->neighbour[1] = fan[(i + 1) % hole->count];
        f->neighbour[2] = fan[(i + hole->count - 1) % hole->count];
        for (int e = 0; e < 3; e++)
            if (outside->corners[e] == hole->edges[i].to && outside->corners[(e + 1) % 3] == hole->edges[i].from)
                outside->neighbour[e] = fan[i];
    }
    return true;
}

// Adds a vertex beyond a face; false when the polyhedron cannot grow any more.
static bool grow(polytope *p, int nearest, const difference_point *vertex)
{
    if (p->vertex_count == MOST_VERTICES)
        return false;
    horizon hole;
    p->vertices[p->vertex_count] = *vertex;
    return dig(p, nearest, vertex->w, &hole) && close_hole(p, &hole, (uint16_t)p->vertex_count++);
}

// ------------------------------------------------------------------------------------------------------------ answer

static void keep_shallower(depth_result *best, double depth, vec3 normal, vec3 on_a, vec3 on_b)
{
    if (depth < best->depth)
        *best = (depth_result){depth, normal, on_a, on_b};
}

// Moves b out along the best normal until the shapes are a little apart and asks for their distance. That gives the
// points of contact, wherever they are on the faces; and a normal that is nearer to the truth by about the depth over
// the radius of curvature of the difference, if that has any.
static void polish(difference *d, double size, int rounds, depth_result *result)
{
    convex moved = *d->b;
    for (int round = 0; round < rounds; round++) {
        double before = result->depth, shift = before + POLISH_GAP * size;
        moved.center = vec3_add_scaled(d->b->center, result->normal, shift);
        difference apart = {d->a, &moved, d->start_a, d->start_b};
        gjk_result found;
        if (gjk_distance(&apart, vec3_negate(result->normal), HUGE_VAL, &found) != GJK_APART)
            return;
        vec3 back = vec3_scale(result->normal, -shift);
        simplex_witness(&found.simplex, &result->on_a, &result->on_b);
        result->on_b = vec3_add(result->on_b, back);
        double depth = vec3_dot(found.normal, difference_support(d, found.normal).w);
        if (!(depth < before))
            return;
        result->depth = depth;
        result->normal = found.normal;
        if (before - depth <= 1e-15 * size)
            return;
    }
}

// A difference without an inside: out along its normal, on the nearer side.
static void flat_depth(polytope *p, depth_result *result)
{
    vec3 directions[6];
    int count = p->vertex_count;
    directions_out(p, count > 3 ? 3 : count, directions);
    for (int i = 0; i < 2; i++) {
        difference_point found = difference_support(p->difference, directions[i]);
        keep_shallower(result, vec3_dot(directions[i], found.w), directions[i], found.a, found.b);
    }
}

void find_depth(difference *d, const gjk_result *found, depth_result *result)
{
    polytope p;
    p.difference = d;
    p.size = found->size;
    result->depth = HUGE_VAL;
    if (!add_vertices(&p, &found->simplex)) {
        flat_depth(&p, result);
        polish(d, p.size, 1, result);
        return;
    }
    add_tetrahedron(&p);
    bool curved = convex_is_curved(d->a) || convex_is_curved(d->b);
    double tolerance = (curved ? CONVERGED_CURVED : CONVERGED) * p.size;
    for (;;) {
        int nearest = find_nearest(&p);
        if (nearest < 0 || p.faces[nearest].distance == HUGE_VAL)
            break;
        face f = p.faces[nearest];
        difference_point next = difference_support(d, f.normal);
        double reach = vec3_dot(f.normal, next.w);
        keep_shallower(result, reach, f.normal, next.a, next.b);
        if (result->depth - f.distance <= tolerance || reach - f.distance <= tolerance || !grow(&p, nearest, &next))
            break;
    }
    if (curved)
        descend(d, p.size, &result->normal, &result->depth);
    polish(d, p.size, !curved ? 1 : p.vertex_count < MOST_VERTICES ? LITTLE_POLISH : MUCH_POLISH, result);
}
