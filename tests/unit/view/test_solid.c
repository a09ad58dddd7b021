// Solids and triangles in the raster: areas of silhouettes against closed forms, normals against differences of depth,
// triangles against the box that they make up.
#include "physics/check.h"

#include <math.h>

#include "base/random.h"
#include "view/raster/raster.h"

enum { SIDE = 400 };

static quat random_turn(random_stream *random)
{
    quat q = {random_between(random, -1, 1), random_between(random, -1, 1), random_between(random, -1, 1),
              random_between(random, -1, 1)};
    return quat_normalize(q);
}

// Parallel rays along z from below.
static raster_view view_along_z(void)
{
    return (raster_view){.origin = {0, 0, 0},
                         .axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                         .width = SIDE,
                         .height = SIDE,
                         .left = -2,
                         .top = -2,
                         .step = 4.0f / SIDE,
                         .nearest = -RASTER_NOTHING};
}

static double area_of(const picture_solid *solid, const picture_face *faces)
{
    raster_view view = view_along_z();
    raster_solid seen = raster_view_solid(&view, solid, faces);
    raster_objects objects = {.solids = &seen, .solid_count = 1};
    raster out;
    assert_true(raster_cast(&view, &objects, 1, &out, NULL) == SCREE_OK);
    double count = 0;
    for (size_t i = 0; i < SIDE * SIDE; i++)
        count += out.object[i] == 1;
    raster_free(&out);
    return count * (double)view.step * (double)view.step;
}

static picture_solid solid_of(picture_solid_type type, quat turn)
{
    static const vec3 sizes[] = {{1.2, 0.7, 0.3}, {0.4, 1, 0.9}, {0.5, 1, 0.8}, {0.8, 1, 0.7}, {0.5, 0.7, 0.9}};
    return (picture_solid){
        .type = type, .center = {0.1, -0.2, 5}, .orientation = turn, .size = sizes[type], .face_count = 6};
}

// A box of half edges (0.5, 0.7, 0.9).
static const picture_face box_faces[6] = {{{1, 0, 0}, 0.5f},  {{-1, 0, 0}, 0.5f}, {{0, 1, 0}, 0.7f},
                                          {{0, -1, 0}, 0.7f}, {{0, 0, 1}, 0.9f},  {{0, 0, -1}, 0.9f}};

// Seen along d in the solid's own axes.
static double shadow_of(const picture_solid *solid, vec3 d)
{
    vec3 s = solid->size;
    double sine = hypot(d.x, d.y), r = s.x, h = s.z;
    switch (solid->type) {
    case PICTURE_ELLIPSOID:
        return PI * sqrt(pow(s.x * s.y * d.z, 2) + pow(s.y * s.z * d.x, 2) + pow(s.z * s.x * d.y, 2));
    case PICTURE_CAPSULE:
        return 4 * r * h * sine + PI * r * r;
    case PICTURE_CYLINDER:
        return 4 * r * h * sine + PI * r * r * fabs(d.z);
    case PICTURE_CONE: {
        // The hull of the base, an ellipse of half axes r and r |d.z|, and the apex 2 h sine away from its centre.
        double b = r * fabs(d.z), away = 2 * h * sine;
        if (away <= b)
            return PI * r * b;
        double angle = acos(b / away);
        return r * b * (PI - angle) + r * sqrt(away * away - b * b);
    }
    default:
        return 4 * (s.x * s.y * fabs(d.z) + s.y * s.z * fabs(d.x) + s.z * s.x * fabs(d.y));
    }
}

static void silhouettes_have_their_area(void **state)
{
    (void)state;
    random_stream random = {5};
    for (int type = PICTURE_ELLIPSOID; type <= PICTURE_HULL; type++)
        for (int i = 0; i < 12; i++) {
            picture_solid solid = solid_of((picture_solid_type)type, random_turn(&random));
            if (i == 0)
                solid.orientation = quat_identity(); // rays run along the axis
            double expected = shadow_of(&solid, quat_rotate_back(solid.orientation, vec3_make(0, 0, 1)));
            assert_near(area_of(&solid, box_faces) / expected, 1, 0.01);
        }
}

// On parallel rays the surface is z = depth(x, y), whose normal towards the eye is (depth_x, depth_y, -1).
static void normals_follow_depth(void **state)
{
    (void)state;
    random_stream random = {6};
    raster_view view = view_along_z();
    int checked = 0;
    for (int trial = 0; trial < 4000; trial++) {
        picture_solid solid = solid_of((picture_solid_type)(trial % 5), random_turn(&random));
        solid.center = vec3_make(0, 0, 0);
        raster_solid seen = raster_view_solid(&view, &solid, box_faces);
        const float e = 2e-3f;
        float x = (float)random_between(&random, -1, 1), y = (float)random_between(&random, -1, 1);
        const float places[5][2] = {{x, y}, {x + e, y}, {x - e, y}, {x, y + e}, {x, y - e}};
        solid_hit hits[5];
        bool all = true;
        for (int i = 0; i < 5; i++) {
            raster_ray ray = {{places[i][0], places[i][1], -9}, {0, 0, 1}};
            all = all && solid_meet(&seen, &ray, &hits[i]);
        }
        // Not across an edge or near the rim.
        if (!all || hits[0].normal.z > -0.3f || hits[0].edge < 0.02f)
            continue;
        vec3f slope = {(hits[1].depth - hits[2].depth) / (2 * e), (hits[3].depth - hits[4].depth) / (2 * e), -1};
        assert_true(vec3f_dot(vec3f_normalize(slope), hits[0].normal) > 0.9995f);
        checked++;
    }
    assert_true(checked > 500);
}

static void triangles_make_a_box(void **state)
{
    (void)state;
    static const int quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    random_stream random = {8};
    const vec3 half = {0.5, 0.7, 0.9}, center = {0.3, -0.1, 6};
    raster_view views[2] = {view_along_z(), view_along_z()};
    views[1].perspective = true;
    views[1].left = views[1].top = -0.4f;
    views[1].step = 0.8f / SIDE;
    views[1].nearest = 0.1f;
    for (int trial = 0; trial < 4; trial++) {
        const raster_view *view = &views[trial % 2];
        quat turn = random_turn(&random);
        vec3 corners[8];
        for (int i = 0; i < 8; i++) {
            vec3 local = {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
            corners[i] = vec3_add(center, quat_rotate(turn, local));
        }
        raster_triangle triangles[12];
        for (int f = 0; f < 6; f++)
            for (int k = 0; k < 2; k++) {
                const vec3 three[3] = {corners[quads[f][0]], corners[quads[f][k + 1]], corners[quads[f][k + 2]]};
                triangles[2 * f + k] = raster_view_triangle(view, three);
            }
        raster_box box = raster_view_box(view, center, turn, half);
        raster_objects one = {.boxes = &box, .box_count = 1}, twelve = {.triangles = triangles, .triangle_count = 12};
        raster a, b;
        assert_true(raster_cast(view, &one, 1, &a, NULL) == SCREE_OK &&
                    raster_cast(view, &twelve, 2, &b, NULL) == SCREE_OK);
        int differ = 0, seen = 0;
        for (size_t i = 0; i < SIDE * SIDE; i++) {
            seen += a.object[i] != 0;
            if (!a.object[i] != !b.object[i])
                differ++; // at the rim, where a sample is in by a hair
            else if (a.object[i])
                assert_near((double)a.depth[i], (double)b.depth[i], 1e-4);
        }
        assert_true(seen > 2000 && differ < 20);
        raster_free(&b);
        // Turned inside out it shows its far side.
        for (int t = 0; t < 12; t++) {
            vec3f first = triangles[t].corners[0];
            triangles[t].corners[0] = triangles[t].corners[1];
            triangles[t].corners[1] = first;
        }
        assert_true(raster_cast(view, &twelve, 1, &b, NULL) == SCREE_OK);
        int behind = 0;
        for (size_t i = 0; i < SIDE * SIDE; i++)
            behind += a.object[i] && b.object[i] && b.depth[i] > a.depth[i] + 0.2f;
        assert_true(behind > seen * 3 / 4);
        raster_free(&a);
        raster_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(silhouettes_have_their_area),
        cmocka_unit_test(normals_follow_depth),
        cmocka_unit_test(triangles_make_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
