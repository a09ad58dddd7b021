// Boxes in lanes: the kernels against scalar code, the sieve before them against pairs that just reach each other, and
// batches against single pairs.
#include "narrow_support.h"

#include "base/isa.h"
#include "collide/narrow/box_lanes.h"
#include "collide/narrow/narrow_boxes.h"

static const box_kernels *const builds[2] = {
    &box_kernels_baseline,
#ifdef SCREE_HAVE_AVX2
    &box_kernels_avx2,
#else
    &box_kernels_baseline,
#endif
};

static int build_count(void)
{
    return isa_has_avx2() ? 2 : 1;
}

// ------------------------------------------------------------------------------------------------- separating axes

static quat quarter_turns(int number)
{
    const double quarter = 2 * atan(1);
    quat rotation = quat_from_rotation(vec3_make(quarter * (number & 3), 0, 0));
    return quat_multiply(rotation, quat_from_rotation(vec3_make(0, 0, quarter * (number >> 2 & 3))));
}

// Turned at random, or alike up to quarter turns, or nearly so; sizes to 1:1000; centres that coincide now and then.
static box_lane random_lane(random_stream *random, int trial)
{
    box_lane lane = {0};
    quat a = random_rotation(random), b = random_rotation(random);
    if (trial % 3 == 1)
        b = quat_multiply(a, quarter_turns(trial));
    if (trial % 6 == 2)
        b = quat_multiply(a, quat_from_rotation(random_vec(random, trial % 4 ? 1e-6 : 1e-9)));
    if (trial % 12 == 3)
        a = b = quat_identity();
    const quat turns[2] = {a, b};
    double reach = 0;
    for (int box = 0; box < 2; box++) {
        lane.orientation[box][0] = turns[box].w;
        lane.orientation[box][1] = turns[box].x;
        lane.orientation[box][2] = turns[box].y;
        lane.orientation[box][3] = turns[box].z;
        for (int k = 0; k < 3; k++) {
            double half = trial % 5 == 4 ? pow(10, random_between(random, -3, 0)) : random_between(random, 0.3, 1);
            lane.half[box][k] = trial % 7 == 6 ? 0.5 : (double)(float)half;
            reach += lane.half[box][k];
        }
    }
    vec3 between = trial % 11 == 10 ? vec3_make(0, 0, 0) : vec3_scale(random_vec(random, 1), reach);
    lane.between[0] = between.x;
    lane.between[1] = between.y;
    lane.between[2] = between.z;
    return lane;
}

static box_pair pair_of(const box_lane *lane)
{
    mat3 axes[2];
    vec3 half[2];
    for (int box = 0; box < 2; box++) {
        const double *q = lane->orientation[box];
        axes[box] = mat3_from_quat((quat){q[0], q[1], q[2], q[3]});
        half[box] = vec3_make(lane->half[box][0], lane->half[box][1], lane->half[box][2]);
    }
    return box_pair_make(half[0], &axes[0], half[1], &axes[1],
                         vec3_make(lane->between[0], lane->between[1], lane->between[2]));
}

static void check_lane(const box_lane *lane, const box_separations *found, int i, bool within)
{
    box_pair pair = pair_of(lane);
    box_separation expected;
    assert_true(box_pair_separation(&pair, CHECK_INFINITY, &expected));
    assert_near(found->widest[i], expected.widest, 1e-11);
    assert_near(found->preferred[i], expected.preferred, 1e-11);
    assert_int_equal(found->near >> i & 1, within);
    if ((int)found->axis[i] == expected.axis)
        return;
    // Axes that tie may change places, but for their kind: a's faces come before b's before edges.
    const int kinds[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    assert_int_equal(kinds[(int)found->axis[i]], kinds[expected.axis]);
}

// Margins just above and just below the separation: the lanes keep exactly the pairs that scalar code keeps.
static void test_separations_against_scalar(void **state)
{
    (void)state;
    random_stream random = {41};
    for (int trial = 0; trial < 20000; trial += BOX_LANES) {
        box_lane lanes[BOX_LANES];
        box_separations found[2];
        for (int i = 0; i < BOX_LANES; i++) {
            lanes[i] = random_lane(&random, trial + i);
            box_pair pair = pair_of(&lanes[i]);
            box_separation s;
            assert_true(box_pair_separation(&pair, CHECK_INFINITY, &s));
            lanes[i].half[0][BOX_MARGIN] = s.widest + (i % 2 ? 1e-11 : -1e-11);
        }
        memset(found, 0, sizeof found);
        for (int build = 0; build < build_count(); build++)
            builds[build]->separate(lanes, &found[build]);
        for (int i = 0; i < BOX_LANES; i++)
            check_lane(&lanes[i], &found[0], i, i % 2);
        if (build_count() == 2)
            assert_memory_equal(&found[0], &found[1], sizeof found[0]);
    }
}

// ------------------------------------------------------------------------------------------------------------ faces

typedef struct polygon {
    vec3 corners[16];
    int count;
} polygon;

// Sutherland and Hodgman: the part with sign x <= limit, or y for axis 1.
static polygon cut_side(const polygon *p, int axis, double sign, double limit)
{
    polygon kept = {.count = 0};
    for (int i = 0; i < p->count; i++) {
        vec3 c = p->corners[i], next = p->corners[(i + 1) % p->count];
        double over = sign * vec3_get(c, axis) - limit, next_over = sign * vec3_get(next, axis) - limit;
        if (over <= 0)
            kept.corners[kept.count++] = c;
        if ((over <= 0) != (next_over <= 0))
            kept.corners[kept.count++] = vec3_add_scaled(c, vec3_sub(next, c), over / (over - next_over));
    }
    return kept;
}

static polygon cut_face(const box_faces *faces, int lane)
{
    polygon p = {.count = 4};
    for (int i = 0; i < 4; i++) {
        double su = i == 0 || i == 3 ? 1 : -1, sv = i < 2 ? 1 : -1, at[3];
        for (int k = 0; k < 3; k++)
            at[k] = faces->center[k][lane] + su * faces->edges[0][k][lane] + sv * faces->edges[1][k][lane];
        p.corners[i] = vec3_make(at[0], at[1], at[2]);
    }
    for (int side = 0; side < 4; side++)
        p = cut_side(&p, side / 2, side % 2 ? 1 : -1, faces->half[side / 2][lane]);
    return p;
}

// In the reference's own axes, its centre at the origin.
static void random_faces(random_stream *random, int trial, box_faces *faces, int lane)
{
    mat3 rotation = mat3_from_quat(trial % 4 == 0 ? quarter_turns(trial / 4 & 12) : random_rotation(random));
    int normal = 0;
    for (int k = 1; k < 3; k++)
        normal = fabs(rotation.m[2][k]) > fabs(rotation.m[2][normal]) ? k : normal;
    double half_u = random_between(random, 0.1, 1), half_v = random_between(random, 0.1, 1);
    for (int k = 0; k < 3; k++) {
        faces->half[k][lane] = random_between(random, 0.2, 1);
        for (int c = 0; c < 3; c++)
            faces->axes[k][c][lane] = k == c;
        faces->origin[k][lane] = 0;
        faces->center[k][lane] = random_between(random, -1, 1);
        faces->edges[0][k][lane] = half_u * rotation.m[k][(normal + 1) % 3];
        faces->edges[1][k][lane] = half_v * rotation.m[k][(normal + 2) % 3];
    }
    faces->slack[lane] = 0;
    faces->margin[lane] = 100;
}

static void check_face(const box_faces *faces, const box_face_points *found, int lane, size_t *seen)
{
    polygon p = cut_face(faces, lane);
    double half = faces->half[2][lane], smallest = CHECK_INFINITY;
    for (int i = 0; i < p.count; i++) {
        double gap = p.corners[i].z - half, nearest = CHECK_INFINITY;
        vec3 middle = vec3_make(p.corners[i].x, p.corners[i].y, p.corners[i].z - 0.5 * gap);
        smallest = fmin(smallest, gap);
        for (int slot = 0; slot < BOX_SLOTS; slot++) {
            if (!(found->slots[lane] >> slot & 1))
                continue;
            vec3 arm = {(double)found->arm[slot][0][lane], (double)found->arm[slot][1][lane],
                        (double)found->arm[slot][2][lane]};
            nearest = fmin(nearest, vec3_length(vec3_sub(arm, middle)) + fabs((double)found->gap[slot][lane] - gap));
        }
        assert_at_most(nearest, 2e-6);
    }
    assert_int_equal(__builtin_popcountll((unsigned long long)found->slots[lane]), p.count);
    if (p.count)
        assert_near(found->smallest[lane], smallest, 1e-12);
    else
        assert_true(found->smallest[lane] > 1e300);
    seen[p.count]++;
}

static void test_faces_against_cutting_side_by_side(void **state)
{
    (void)state;
    random_stream random = {42};
    size_t seen[17] = {0};
    for (int trial = 0; trial < 40000; trial += BOX_LANES) {
        box_faces faces;
        box_face_points found[2];
        for (int i = 0; i < BOX_LANES; i++)
            random_faces(&random, trial + i, &faces, i);
        memset(found, 0, sizeof found);
        for (int build = 0; build < build_count(); build++)
            builds[build]->meet(&faces, &found[build]);
        for (int i = 0; i < BOX_LANES; i++)
            check_face(&faces, &found[0], i, seen);
        if (build_count() == 2)
            assert_memory_equal(&found[0], &found[1], sizeof found[0]);
    }
    for (int count = 3; count <= 8; count++)
        assert_true(seen[count] > 50);
    assert_true(seen[0] > 1000);
}

// A slack lets corners just outside belong to the face, but the points stay within it, and those of a face that is cut
// are where they are without slack.
static void test_points_stay_within_the_reference_face(void **state)
{
    (void)state;
    random_stream random = {45};
    int moved = 0;
    for (int trial = 0; trial < 40000; trial += BOX_LANES) {
        box_faces faces;
        box_face_points found, exact;
        for (int i = 0; i < BOX_LANES; i++)
            random_faces(&random, trial + i, &faces, i);
        builds[0]->meet(&faces, &exact);
        for (int i = 0; i < BOX_LANES; i++)
            faces.slack[i] = 1e-3;
        builds[0]->meet(&faces, &found);
        for (int i = 0; i < BOX_LANES; i++)
            for (int slot = 0; slot < BOX_SLOTS; slot++) {
                if (!(found.slots[i] >> slot & 1))
                    continue;
                for (int k = 0; k < 2; k++)
                    assert_at_most(fabs((double)found.arm[slot][k][i]), faces.half[k][i] * (1 + 1e-7));
                if (!(exact.slots[i] >> slot & 1))
                    continue;
                for (int k = 0; k < 3; k++) {
                    double by = fabs((double)found.arm[slot][k][i] - (double)exact.arm[slot][k][i]);
                    moved += slot >= 4 && by > 1e-6; // corners of the incident face move by the slack at most
                    if (slot >= 8)
                        assert_at_most(by, 1e-6);
                }
            }
    }
    assert_at_most(moved, 0);
}

static vec3 found_point(const box_face_points *found, int slot, int lane)
{
    return vec3_make((double)found->arm[slot][0][lane], (double)found->arm[slot][1][lane],
                     (double)found->arm[slot][2][lane]);
}

// How far a point lies outside of the polygon of the found points, seen along the normal: beyond the line through any
// two of them that has all others on its other side.
static double outside_found(const box_face_points *found, int lane, vec3 at)
{
    double most = 0;
    for (int i = 0; i < BOX_SLOTS; i++)
        for (int k = 0; k < BOX_SLOTS; k++) {
            if (i == k || !(found->slots[lane] >> i & 1) || !(found->slots[lane] >> k & 1))
                continue;
            vec3 from = found_point(found, i, lane), along = vec3_sub(found_point(found, k, lane), from);
            double length = sqrt(along.x * along.x + along.y * along.y);
            if (length < 0.01)
                continue;
            bool is_side = true;
            for (int other = 0; other < BOX_SLOTS; other++) {
                vec3 to = vec3_sub(found_point(found, other, lane), from);
                bool is_there = found->slots[lane] >> other & 1;
                is_side &= !is_there || along.x * to.y - along.y * to.x <= 1e-6 * length;
            }
            vec3 to = vec3_sub(at, from);
            if (is_side)
                most = fmax(most, (along.x * to.y - along.y * to.x) / length);
        }
    return most;
}

// Faces of boxes of one size that stand on each other, aside by half an edge or not at all, turned by a little and
// shifted by as little: their points span all that the two faces have in common, but for some slacks. An edge that
// all but runs along a side crosses it anywhere, and once took the place of a corner.
static void test_faces_with_common_edges_lose_no_corner(void **state)
{
    (void)state;
    random_stream random = {46};
    const double slack = 1e-3;
    for (int trial = 0; trial < 40000; trial += BOX_LANES) {
        box_faces faces;
        box_face_points found;
        for (int i = 0; i < BOX_LANES; i++) {
            random_faces(&random, trial + i, &faces, i);
            double turn = random_between(&random, -4, 4) * slack, aside = (trial + i) % 2 ? 0.5 : 0;
            for (int k = 0; k < 3; k++) {
                faces.half[k][i] = 0.5;
                faces.center[k][i] = (k == 2 ? 0.5 : k == 0 ? aside : 0) + random_between(&random, -3, 3) * slack;
                faces.edges[0][k][i] = k == 0 ? 0.5 * cos(turn) : k == 1 ? 0.5 * sin(turn) : 0;
                faces.edges[1][k][i] = k == 0 ? 0.5 * sin(turn) : k == 1 ? -0.5 * cos(turn) : 0;
            }
            faces.slack[i] = slack;
        }
        builds[0]->meet(&faces, &found);
        for (int i = 0; i < BOX_LANES; i++) {
            polygon p = cut_face(&faces, i);
            for (int corner = 0; corner < p.count; corner++)
                assert_at_most(outside_found(&found, i, p.corners[corner]), 8 * slack);
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ pairs

// Corner to corner, or face to face, and just within the margin: nothing that reaches may be sieved off, wherever in
// the world it is.
static void test_nothing_that_reaches_is_dropped(void **state)
{
    (void)state;
    random_stream random = {43};
    for (int trial = 0; trial < 4000; trial++) {
        world w = {0};
        double far = trial % 2 ? 1e5 : 1, size = trial % 3 ? 1 : random_between(&random, 0.01, 1);
        float margin = trial % 5 ? 1e-3f : 0.3f;
        vec3 half_a = {random_between(&random, 0.2, 1), random_between(&random, 0.2, 1),
                       random_between(&random, 0.2, 1)};
        vec3 half_b = trial % 7 ? vec3_scale(half_a, size) : vec3_make(size, 0.1 * size, 0.1 * size);
        vec3 at = vec3_scale(random_direction(&random), far);
        add_box(&w, add_body(&w, at, random_rotation(&random), margin), half_a, NULL);
        add_box(&w, add_body(&w, at, w.orientations[0], margin), half_b, NULL);
        solid a = solid_of(&w, 0), b = solid_of(&w, 1);
        // Along the diagonal of a; b's diagonal as well when the boxes are alike. The rounding of far places is apart.
        vec3 diagonal = vec3_normalize(vec3_sub(solid_corner(&a, 7), a.center));
        double apart = 2 * (double)margin - 2e-11 * far, reach_a = vec3_length(a.half);
        double low, high;
        solid_span(&b, diagonal, &low, &high);
        double reach_b = 0.5 * (high - low);
        w.centers[1] = vec3_add_scaled(at, diagonal, reach_a + reach_b + apart);
        if (trial % 7 == 0 || vec3_length(half_b) > reach_b * (1 + 1e-6))
            continue; // corners do not face each other
        points p = collide(&w, 0, 1);
        assert_true(p.count > 0);
        assert_near(smallest_gap(&p), apart, 1e-6);
    }
}

// The pair from its other side: the same names, the same places, everything turned.
static void test_order_of_the_pair_is_of_no_matter(void **state)
{
    (void)state;
    random_stream random = {44};
    size_t seen = 0;
    for (int trial = 0; trial < 5000; trial++) {
        world w = {0};
        local_pose local = {random_vec(&random, 0.5), random_rotation(&random)};
        for (int i = 0; i < 2; i++) {
            vec3 half = {random_between(&random, 0.3, 1), random_between(&random, 0.3, 1),
                         random_between(&random, 0.3, 1)};
            uint32_t body = add_body(&w, random_vec(&random, 1), random_rotation(&random), 0.05f);
            add_box(&w, body, half, (trial >> i & 1) ? &local : NULL)->ordinal = i ? 7 : 2;
        }
        points p = collide(&w, 0, 1), q = collide(&w, 1, 0);
        assert_int_equal(p.count, q.count);
        for (size_t i = 0; i < p.count; i++) {
            assert_int_equal(p.data[i].feature, q.data[i].feature);
            assert_near((double)p.data[i].gap, (double)q.data[i].gap, 0);
            assert_vec3_near(vec3_from_f(p.data[i].normal), vec3_negate(vec3_from_f(q.data[i].normal)), 0);
            vec3 from_p = vec3_add(w.centers[0], vec3_from_f(p.data[i].arm));
            assert_vec3_near(from_p, vec3_add(w.centers[1], vec3_from_f(q.data[i].arm)), 1e-6);
        }
        seen += p.count;
    }
    assert_true(seen > 5000);
}

// What a pair gives does not depend on its neighbours in the lanes, and comes in the order of the pairs.
static void test_batches_give_what_single_pairs_give(void **state)
{
    (void)state;
    random_stream random = {45};
    world w = {0};
    for (int i = 0; i < WORLD_MAX; i++)
        add_box(&w, add_body(&w, random_vec(&random, 1.2), random_rotation(&random), 0.02f), vec3_make(0.5, 0.4, 0.3),
                NULL);
    enum { PAIRS = 1000 };
    proxy_pair pairs[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        pairs[i].a = (uint32_t)random_between(&random, 0, WORLD_MAX - 1e-9);
        pairs[i].b = (pairs[i].a + 1 + (uint32_t)random_between(&random, 0, WORLD_MAX - 1 - 1e-9)) % WORLD_MAX;
    }
    proxy_view view = world_view(&w);
    contact_array together = {0}, apart = {0};
    assert_true(narrow_phase(&view, pairs, PAIRS, &together));
    for (int i = 0; i < PAIRS; i++)
        assert_true(narrow_phase(&view, &pairs[i], 1, &apart));
    assert_int_equal(together.count, apart.count);
    assert_true(apart.count > PAIRS / 2);
    assert_memory_equal(together.data, apart.data, apart.count * sizeof *apart.data);
    array_free(&together);
    array_free(&apart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_separations_against_scalar),
        cmocka_unit_test(test_faces_against_cutting_side_by_side),
        cmocka_unit_test(test_points_stay_within_the_reference_face),
        cmocka_unit_test(test_faces_with_common_edges_lose_no_corner),
        cmocka_unit_test(test_nothing_that_reaches_is_dropped),
        cmocka_unit_test(test_order_of_the_pair_is_of_no_matter),
        cmocka_unit_test(test_batches_give_what_single_pairs_give),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
