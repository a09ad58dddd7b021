// One shape on one surface, collided through the narrow phase.
#ifndef SURFACE_SUPPORT_H
#define SURFACE_SUPPORT_H

#include "../geometry/surfaces.h"

#include "../geometry/random_pose.h"
#include "collide/convex/convex.h"
#include "collide/narrow/narrow.h"
#include "collide/triangle/triangle.h"

typedef struct stage { // body 0 has the shape, body 1 the surface
    proxy proxies[2];
    local_pose locals[2];
    vec3 centers[2];
    quat orientations[2];
    float margins[2];
    uint8_t immovable[2];
    const scree_geometry *geometries[2]; // the surface, and a hull's
} stage;

typedef struct touches {
    contact data[16];
    size_t count;
} touches;

// The surface's internal origin stands at body 1's centre.
static inline stage stage_make(scree_shape_type type, vec3 size, const scree_geometry *geometry, double margin)
{
    stage s = {.locals = {{.orientation = {1, 0, 0, 0}}, {.orientation = {1, 0, 0, 0}}},
               .orientations = {{1, 0, 0, 0}, {1, 0, 0, 0}},
               .margins = {(float)margin, 0},
               .immovable = {0, 1},
               .geometries = {geometry}};
    s.proxies[0] = (proxy){.size = {(float)size.x, (float)size.y, (float)size.z}, .body = 0, .material = 3};
    s.proxies[0].type = (unsigned)type & 31;
    s.proxies[1] = (proxy){.geometry = 0, .body = 1, .material = 4};
    s.proxies[1].type = (unsigned)geometry->type & 31;
    return s;
}

static inline proxy_view stage_view(const stage *s)
{
    return (proxy_view){.proxies = s->proxies,
                        .proxy_count = 2,
                        .locals = s->locals,
                        .geometries = s->geometries,
                        .centers = s->centers,
                        .orientations = s->orientations,
                        .margins = s->margins,
                        .immovable = s->immovable,
                        .body_count = 2};
}

// Checks what every contact must have.
static inline touches stage_collide(const stage *s)
{
    proxy_view view = stage_view(s);
    proxy_pair pair = {0, 1};
    contact_array out = {0};
    touches result = {.count = 0};
    assert_true(narrow_phase(&view, &pair, 1, &out));
    assert_true(out.count <= narrow_most_points((uint8_t)s->proxies[0].type, (uint8_t)s->proxies[1].type));
    for (size_t i = 0; i < out.count; i++) {
        const contact *c = &out.data[i];
        assert_int_equal(c->a, 0);
        assert_int_equal(c->b, 1);
        assert_int_equal(c->material_a, 3);
        assert_int_equal(c->material_b, 4);
        assert_near(vec3_length(vec3_from_f(c->normal)), 1, 1e-6);
        assert_at_most((double)c->gap, (double)s->margins[0] * (1 + 1e-6));
        assert_true(vec3_finite(vec3_from_f(c->arm)));
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(c->feature, out.data[k].feature);
        result.data[result.count++] = *c;
    }
    array_free(&out);
    return result;
}

static inline double smallest_of(const touches *t, size_t *which)
{
    double smallest = CHECK_INFINITY;
    for (size_t i = 0; i < t->count; i++)
        if ((double)t->data[i].gap < smallest) {
            smallest = (double)t->data[i].gap;
            *which = i;
        }
    return smallest;
}

// The shape in the surface's frame.
static inline convex stage_shape(const stage *s, vec3 *center)
{
    proxy_view view = stage_view(s);
    convex shape = convex_of_proxy(&view, &s->proxies[0], vec3_make(0, 0, 0));
    mat3 axes = mat3_from_quat(s->orientations[1]), turned = shape.axes;
    *center = mat3_apply_transposed(&axes, vec3_sub(s->centers[0], s->centers[1]));
    for (int column = 0; column < 3; column++) {
        vec3 axis = mat3_apply_transposed(&axes, mat3_column(&turned, column));
        shape.axes.m[0][column] = axis.x;
        shape.axes.m[1][column] = axis.y;
        shape.axes.m[2][column] = axis.z;
    }
    return shape;
}

static inline size_t triangle_count(const scree_geometry *geometry)
{
    if (geometry->type == SCREE_SHAPE_MESH)
        return geometry->mesh->triangle_count;
    return 2 * (geometry->height->columns - 1) * (geometry->height->rows - 1);
}

// Distance to all triangles one by one; negative when one is cut.
static inline double brute_gap(const stage *s)
{
    vec3 center;
    convex shape = stage_shape(s, &center);
    surface on = surface_of(s->geometries[0]);
    double least = CHECK_INFINITY;
    for (uint32_t t = 0; t < triangle_count(s->geometries[0]); t++) {
        vec3 p[3];
        surface_corners(&on, t, p);
        convex triangle = {.kind = CONVEX_TRIANGLE, .axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
        triangle.center = vec3_sub(p[0], center);
        for (int i = 0; i < 3; i++)
            triangle.corners[i] = vec3_sub(p[i], p[0]);
        convex_distance d;
        if (convex_find_distance(&shape, &triangle, least, &d))
            least = d.gap;
    }
    return least;
}

static const scree_shape_type SHAPES[6] = {SCREE_SHAPE_SPHERE,  SCREE_SHAPE_BOX,      SCREE_SHAPE_ELLIPSOID,
                                           SCREE_SHAPE_CAPSULE, SCREE_SHAPE_CYLINDER, SCREE_SHAPE_CONE};

static inline double waves(double x, double y)
{
    return 0.3 * sin(2.3 * x) * cos(1.9 * y);
}

#endif
