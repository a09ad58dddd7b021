// Bodies of every shape, streamed: the pairs are those whose signed distance (scree_shape_gap, which knows no boxes, no
// grid and no batches) says so, each once, with that gap; numbers and order are the same for every memory and any
// number of threads.
#include "detect_support.h"

#include "base/random.h"

enum { BODIES = 400, PARTS = 3, FIXED = 4 };

typedef struct zoo {
    scree_detect_body bodies[BODIES];
    scree_shape_def parts[BODIES][PARTS];
    scree_geometry *hull, *set, *mesh, *height;
    size_t count;
} zoo;

static void make_geometries(zoo *z)
{
    static const scree_vec3 wedge[] = {{-0.3, -0.2, -0.3}, {0.3, -0.2, -0.3}, {0.3, 0.2, -0.3},
                                       {-0.3, 0.2, -0.3},  {-0.3, 0, 0.4},    {0.3, 0, 0.4}};
    static const scree_vec3 tent[] = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}, {0, 0, 2}};
    static const uint32_t faces[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4, 0, 2, 1, 0, 3, 2};
    static const scree_ball balls[] = {{{0.3, 0, 0}, 0.2}, {{-0.3, 0.1, 0}, 0.25}, {{0, 0, 0.4}, 0.3}};
    float heights[64];
    random_stream random = {31};
    for (int i = 0; i < 64; i++)
        heights[i] = (float)random_unit(&random);
    scree_hull_create(wedge, 6, &z->hull, NULL); // absent from a build without qhull
    assert_int_equal(scree_spheres_create(balls, 3, NULL, &z->set, NULL), SCREE_OK);
    assert_int_equal(scree_mesh_create(tent, 5, faces, 6, &z->mesh, NULL), SCREE_OK);
    scree_heightfield_def field = {.columns = 8, .rows = 8, .width = 8, .depth = 8, .heights = heights};
    assert_int_equal(scree_heightfield_create(&field, &z->height, NULL), SCREE_OK);
}

static vec3 random_vec(random_stream *random, double low, double high)
{
    double x = random_between(random, low, high), y = random_between(random, low, high);
    return vec3_make(x, y, random_between(random, low, high));
}

static quat random_quat(random_stream *random)
{
    vec3 v = random_vec(random, -1, 1);
    return quat_normalize((quat){random_between(random, 0.1, 1), v.x, v.y, v.z});
}

static scree_shape_def random_shape(const zoo *z, random_stream *random)
{
    static const scree_shape_type types[] = {SCREE_SHAPE_SPHERE,  SCREE_SHAPE_BOX,      SCREE_SHAPE_ELLIPSOID,
                                             SCREE_SHAPE_CAPSULE, SCREE_SHAPE_CYLINDER, SCREE_SHAPE_CONE,
                                             SCREE_SHAPE_SPHERES, SCREE_SHAPE_HULL};
    scree_shape_def shape = scree_default_shape_def();
    shape.type = types[random_bits(random) % (z->hull ? 8 : 7)];
    double size = random_unit(random) < 0.1 ? 1.2 : 0.45; // two sizes: several levels of the grid
    // Sizes are kept in single precision, so that the two sides speak of the same shapes.
    shape.radius = (double)(float)(size * random_between(random, 0.4, 1));
    shape.half_length = (double)(float)(size * random_between(random, 0.4, 1));
    shape.half = shape.radii = vec3_from_f(vec3f_from(random_vec(random, 0.4 * size, size)));
    shape.geometry = shape.type == SCREE_SHAPE_HULL ? z->hull : shape.type == SCREE_SHAPE_SPHERES ? z->set : NULL;
    return shape;
}

static void add_fixed(zoo *z, scree_shape_type type, const scree_geometry *geometry, vec3 position)
{
    scree_detect_body body = scree_default_detect_body();
    body.shape.type = type;
    body.shape.geometry = geometry;
    body.shape.offset = -3.5;
    body.position = position;
    body.orientation = quat_from_rotation(vec3_make(0.1, 0, 0));
    body.fixed = true;
    z->bodies[z->count++] = body;
}

static zoo *make_zoo(vec3 origin, uint64_t seed)
{
    zoo *z = calloc(1, sizeof *z);
    random_stream random = {seed};
    make_geometries(z);
    add_fixed(z, SCREE_SHAPE_PLANE, NULL, origin);
    add_fixed(z, SCREE_SHAPE_MESH, z->mesh, origin);
    add_fixed(z, SCREE_SHAPE_HEIGHTFIELD, z->height, vec3_add(origin, vec3_make(0, 0, -2.5)));
    add_fixed(z, SCREE_SHAPE_BOX, NULL, vec3_add(origin, vec3_make(3, 3, 3)));
    while (z->count < BODIES) {
        scree_detect_body *body = &z->bodies[z->count];
        *body = scree_default_detect_body();
        body->position = vec3_add(origin, random_vec(&random, -4, 4));
        body->orientation = random_quat(&random);
        body->shape = random_shape(z, &random);
        if (random_unit(&random) < 0.15) {
            body->shapes = z->parts[z->count];
            body->shape_count = PARTS;
            for (int i = 0; i < PARTS; i++) {
                scree_shape_def *part = &z->parts[z->count][i];
                *part = random_shape(z, &random);
                part->position = random_vec(&random, -0.6, 0.6);
                part->orientation = random_quat(&random);
            }
        }
        if (random_unit(&random) < 0.1)
            body->group = 2;
        if (random_unit(&random) < 0.1)
            body->mask = 1;
        z->count++;
    }
    return z;
}

static void free_zoo(zoo *z)
{
    scree_geometry_release(z->hull);
    scree_geometry_release(z->set);
    scree_geometry_release(z->mesh);
    scree_geometry_release(z->height);
    free(z);
}

static kept_contacts detect(const zoo *z, int threads, uint64_t memory, double margin, scree_detect_order order)
{
    kept_contacts kept = {.list = {0}};
    scree_body_source source = scree_body_array(z->bodies, z->count);
    scree_detector *detector = new_detector(threads, memory, margin, order);
    scree_error error = {0};
    scree_status status = scree_detect_bodies(detector, &source, keep_contacts, &kept, &kept.result, &error);
    if (status != SCREE_OK)
        print_error("%s\n", error.message);
    assert_int_equal(status, SCREE_OK);
    scree_detector_destroy(detector);
    return kept;
}

// ------------------------------------------------------------------------------------------------------- brute force

static const scree_shape_def *shapes_of(const scree_detect_body *body, size_t *count)
{
    *count = body->shapes ? body->shape_count : 1;
    return body->shapes ? body->shapes : &body->shape;
}

static double gap_of_bodies(const scree_detect_body *a, const scree_detect_body *b)
{
    scree_pose pose_a = {a->position, a->orientation}, pose_b = {b->position, b->orientation};
    size_t count_a, count_b;
    const scree_shape_def *shapes_a = shapes_of(a, &count_a), *shapes_b = shapes_of(b, &count_b);
    double least = HUGE_VAL;
    for (size_t i = 0; i < count_a; i++)
        for (size_t k = 0; k < count_b; k++) {
            double gap;
            scree_error error = {0};
            assert_int_equal(scree_shape_gap(&shapes_a[i], &pose_a, &shapes_b[k], &pose_b, &gap, &error), SCREE_OK);
            least = fmin(least, gap);
        }
    return least;
}

static bool may_touch(const scree_detect_body *a, const scree_detect_body *b)
{
    return !(a->fixed && b->fixed) && (a->group & b->mask) && (b->group & a->mask);
}

static double found[BODIES][BODIES];

static void note_least_gaps(const kept_contacts *kept)
{
    for (size_t a = 0; a < BODIES; a++)
        for (size_t b = 0; b < BODIES; b++)
            found[a][b] = HUGE_VAL;
    uint64_t pairs = 0;
    for (size_t i = 0; i < kept->list.count; i++) {
        const scree_detect_contact *c = &kept->list.data[i];
        pairs += found[c->a][c->b] == HUGE_VAL;
        found[c->a][c->b] = fmin(found[c->a][c->b], c->gap);
    }
    assert_int_equal(pairs, kept->result.pairs); // points of a pair stand together, so none came twice
}

// Spheres about the frames that hold the bodies: what is farther apart needs no closer look.
static bool surely_apart(const scree_detect_body *a, const scree_detect_body *b, double margin)
{
    double reach = margin;
    const scree_detect_body *both[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        size_t count;
        const scree_shape_def *shapes = shapes_of(both[k], &count);
        double most = 0;
        for (size_t i = 0; i < count; i++)
            most = fmax(most, scree_shape_reach(&shapes[i]));
        reach += most;
    }
    return vec3_length(vec3_sub(a->position, b->position)) > reach * (1 + 1e-9);
}

static bool has_box(const scree_detect_body *body)
{
    size_t count;
    const scree_shape_def *shapes = shapes_of(body, &count);
    for (size_t i = 0; i < count; i++)
        if (shapes[i].type == SCREE_SHAPE_BOX)
            return true;
    return false;
}

// Whether a pair was found as its signed distance says.
static bool found_rightly(const zoo *z, size_t a, size_t b, double gap, double margin, double tolerance)
{
    double contact = found[a][b];
    // Triangles push out of their front alone, so what is near behind them, or beside an inner edge, has no contact.
    bool surface = z->bodies[a].shape.type == SCREE_SHAPE_MESH || z->bodies[a].shape.type == SCREE_SHAPE_HEIGHTFIELD;
    if (gap < (surface ? 0 : margin) - tolerance && !isfinite(contact))
        return false;
    if (gap > margin + tolerance && isfinite(contact))
        return false;
    // Two boxes keep to a face unless an edge is better by 2 % and a thousandth of their size.
    bool boxes = gap < 0 && has_box(&z->bodies[a]) && has_box(&z->bodies[b]);
    double slack = boxes ? 1e-3 + 0.025 * fabs(gap) : 1e-4 * fabs(gap);
    return !isfinite(contact) || fabs(gap - contact) <= tolerance + slack;
}

static void check_all_pairs(const zoo *z, const kept_contacts *kept, double margin, double tolerance)
{
    note_least_gaps(kept);
    size_t near = 0;
    for (size_t a = 0; a < z->count; a++)
        for (size_t b = a + 1; b < z->count; b++) {
            const scree_detect_body *of_a = &z->bodies[a], *of_b = &z->bodies[b];
            if (!may_touch(of_a, of_b) || surely_apart(of_a, of_b, margin)) {
                assert_true(found[a][b] == HUGE_VAL);
                continue;
            }
            double gap = gap_of_bodies(of_a, of_b);
            near += gap <= margin;
            if (!found_rightly(z, a, b, gap, margin, tolerance)) {
                print_error("bodies %zu (type %d) and %zu (type %d): gap %.9g, found %.9g\n", a, (int)of_a->shape.type,
                            b, (int)of_b->shape.type, gap, found[a][b]);
                fail();
            }
        }
    assert_true(near > 700);
}

static void test_all_shapes_against_all_pairs(void **state)
{
    (void)state;
    static const vec3 origins[] = {{0, 0, 0}, {1000, -500, 300}, {-3e5, 2e5, 1e5}};
    static const double margins[] = {0, 0.2, 0.05};
    for (int i = 0; i < 3; i++) {
        zoo *z = make_zoo(origins[i], 7 + (uint64_t)i);
        kept_contacts kept = detect(z, 2, 100000, margins[i], SCREE_DETECT_ORDER_FIXED);
        assert_true(kept.result.boxes > 4);
        check_result(&kept, margins[i]);
        check_all_pairs(z, &kept, margins[i], 2e-6);
        array_free(&kept.list);
        free_zoo(z);
    }
}

// The point is midway between the surfaces: a small ball there is half the gap away from either body. Convex shapes
// only, where their deepest point is the nearest one.
static void test_points_lie_between_surfaces(void **state)
{
    (void)state;
    zoo *z = make_zoo(vec3_make(50, 60, -20), 21);
    kept_contacts kept = detect(z, 1, 1000000000, 0.2, SCREE_DETECT_ORDER_FIXED);
    note_least_gaps(&kept);
    size_t checked = 0;
    for (size_t i = 0; i < kept.list.count; i++) {
        const scree_detect_contact *c = &kept.list.data[i];
        if (c->a < FIXED || c->gap < 0 || c->gap > found[c->a][c->b])
            continue;
        scree_detect_body ball = scree_default_detect_body();
        ball.position = c->point;
        ball.shape.radius = 1e-3;
        assert_true(fabs(gap_of_bodies(&ball, &z->bodies[c->a]) - (0.5 * c->gap - 1e-3)) < 1e-5);
        assert_true(fabs(gap_of_bodies(&ball, &z->bodies[c->b]) - (0.5 * c->gap - 1e-3)) < 1e-5);
        // Moved along the normal, it comes nearer to b.
        ball.position = vec3_add_scaled(c->point, c->normal, 0.25 * c->gap);
        assert_true(fabs(gap_of_bodies(&ball, &z->bodies[c->b]) - (0.25 * c->gap - 1e-3)) < 1e-5);
        checked++;
    }
    assert_true(checked > 300);
    array_free(&kept.list);
    free_zoo(z);
}

static void test_same_order_for_all_memories_and_threads(void **state)
{
    (void)state;
    static const uint64_t memories[] = {1000000000, 1000000, 200000, 65536};
    zoo *z = make_zoo(vec3_make(0, 0, 0), 3);
    kept_contacts whole = detect(z, 1, memories[0], 0.1, SCREE_DETECT_ORDER_FIXED);
    check_result(&whole, 0.1);
    assert_int_equal(whole.result.boxes, 1);
    for (int i = 0; i < 4; i++)
        for (int threads = 1; threads <= 2; threads++) {
            kept_contacts sorted = detect(z, threads, memories[i], 0.1, SCREE_DETECT_ORDER_FIXED);
            kept_contacts quick = detect(z, threads, memories[i], 0.1, SCREE_DETECT_ORDER_AS_FOUND);
            assert_true(hash_in_order(&sorted) == hash_in_order(&whole));
            assert_true(hash_of_set(&quick) == hash_of_set(&whole));
            assert_same_counts(&sorted.result, &whole.result);
            assert_same_counts(&quick.result, &whole.result);
            assert_true(i == 0 || sorted.result.boxes > 1);
            array_free(&sorted.list);
            array_free(&quick.list);
        }
    array_free(&whole.list);
    free_zoo(z);
}

// Bodies that are nothing but spheres go the way of spheres, and give the same bits.
static void test_bodies_that_are_spheres(void **state)
{
    (void)state;
    enum { COUNT = 1500 };
    random_stream random = {4};
    scree_ball *balls = malloc(COUNT * sizeof *balls);
    scree_detect_body *bodies = malloc((COUNT + 1) * sizeof *bodies);
    for (int i = 0; i < COUNT; i++) {
        balls[i] = (scree_ball){random_vec(&random, 0, 10), random_between(&random, 0.1, 0.6)};
        bodies[i] = scree_default_detect_body();
        bodies[i].position = balls[i].position;
        bodies[i].orientation = random_quat(&random);
        bodies[i].shape.radius = balls[i].radius;
    }
    scree_detector *detector = new_detector(2, 300000, 0.02, SCREE_DETECT_ORDER_FIXED);
    kept_contacts of_balls = {.list = {0}}, of_bodies = {.list = {0}}, with_plane = {.list = {0}};
    scree_ball_source ball_source = scree_ball_array(balls, COUNT);
    scree_body_source body_source = scree_body_array(bodies, COUNT);
    assert_int_equal(scree_detect_spheres(detector, &ball_source, keep_contacts, &of_balls, &of_balls.result, NULL), 0);
    assert_int_equal(scree_detect_bodies(detector, &body_source, keep_contacts, &of_bodies, &of_bodies.result, NULL),
                     0);
    assert_true(hash_in_order(&of_balls) == hash_in_order(&of_bodies));
    assert_int_equal(of_balls.result.boxes, of_bodies.result.boxes);
    // A plane far below changes the way, but neither the pairs nor the gaps.
    bodies[COUNT] = scree_default_detect_body();
    bodies[COUNT].shape.type = SCREE_SHAPE_PLANE;
    bodies[COUNT].shape.offset = -100;
    bodies[COUNT].fixed = true;
    body_source.count = COUNT + 1;
    assert_int_equal(scree_detect_bodies(detector, &body_source, keep_contacts, &with_plane, &with_plane.result, NULL),
                     0);
    assert_int_equal(with_plane.list.count, of_balls.list.count);
    for (size_t i = 0; i < with_plane.list.count; i++) {
        const scree_detect_contact *a = &with_plane.list.data[i], *b = &of_balls.list.data[i];
        assert_true(a->a == b->a && a->b == b->b && a->gap == b->gap);
        assert_true(vec3_length(vec3_sub(a->point, b->point)) < 1e-6);
        assert_true(vec3_length(vec3_sub(a->normal, b->normal)) < 1e-6);
    }
    array_free(&of_balls.list);
    array_free(&of_bodies.list);
    array_free(&with_plane.list);
    scree_detector_destroy(detector);
    free(balls);
    free(bodies);
}

// Positions by their number alone, in a collection that nobody keeps.
static bool read_row(void *user, uint64_t first, size_t count, scree_detect_body *out)
{
    (void)user;
    for (size_t i = 0; i < count; i++) {
        out[i].position = vec3_make(0.9 * (double)(first + i), 0, 0);
        out[i].shape.type = SCREE_SHAPE_BOX;
        out[i].shape.half = vec3_make(0.5, 0.5, 0.5);
    }
    return true;
}

static void test_a_source_that_makes_its_bodies(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    scree_body_source source = {.read = read_row, .count = COUNT};
    scree_detector *detector = new_detector(2, 1000000, 0, SCREE_DETECT_ORDER_AS_FOUND);
    scree_detect_result result;
    assert_int_equal(scree_detect_bodies(detector, &source, NULL, NULL, &result, NULL), SCREE_OK);
    assert_int_equal(result.bodies, COUNT);
    assert_int_equal(result.pairs, COUNT - 1);
    assert_int_equal(result.overlapping, 4 * (COUNT - 1));
    assert_true(fabs(result.deepest - 0.1) < 1e-6);
    assert_true(result.boxes >= 64 && result.memory_bytes < 4000000);
    scree_detector_destroy(detector);
}

typedef struct growing_bodies {
    scree_shape_def shapes[20];
    size_t count;
} growing_bodies;

// One shape more in every reading.
static bool read_more(void *user, uint64_t first, size_t count, scree_detect_body *out)
{
    growing_bodies *bodies = user;
    (void)first;
    bodies->count++;
    for (size_t i = 0; i < count; i++) {
        out[i].shapes = bodies->shapes;
        out[i].shape_count = bodies->count;
    }
    return true;
}

static void test_sources_that_change_are_refused(void **state)
{
    (void)state;
    growing_bodies bodies = {.count = 1};
    for (int i = 0; i < 20; i++)
        bodies.shapes[i] = scree_default_shape_def();
    scree_body_source source = {read_more, &bodies, 50};
    scree_detector *detector = new_detector(1, 1000000, 0, SCREE_DETECT_ORDER_FIXED);
    scree_error error = {0};
    assert_int_equal(scree_detect_bodies(detector, &source, NULL, NULL, NULL, &error), SCREE_ERROR_INVALID);
    assert_non_null(strstr(error.message, "changed"));
    scree_detector_destroy(detector);
}

static void check_refused(const scree_detect_body *bodies, size_t count, const char *said)
{
    scree_body_source source = scree_body_array(bodies, count);
    scree_detector *detector = new_detector(2, 100000, 0, SCREE_DETECT_ORDER_FIXED);
    scree_error error = {0};
    assert_int_equal(scree_detect_bodies(detector, &source, NULL, NULL, NULL, &error), SCREE_ERROR_INVALID);
    if (!strstr(error.message, said))
        print_error("%s\n", error.message);
    assert_non_null(strstr(error.message, said));
    scree_detector_destroy(detector);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    scree_detect_body bodies[600];
    for (int i = 0; i < 600; i++)
        bodies[i] = scree_default_detect_body();
    bodies[2].position.y = (double)NAN;
    bodies[590].shape.radius = -1;
    check_refused(bodies, 600, "body 2: "); // the first of them, whichever thread meets it first
    bodies[2] = scree_default_detect_body();
    check_refused(bodies, 600, "body 590, shape 0: ");
    bodies[1].orientation = (scree_quat){0, 0, 0, 0};
    check_refused(bodies, 2, "orientation");
    bodies[1] = scree_default_detect_body();
    bodies[1].shape.type = SCREE_SHAPE_PLANE;
    check_refused(bodies, 2, "fixed body");
    bodies[1].fixed = true;
    bodies[1].shape_count = 2;
    check_refused(bodies, 2, "shapes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_shapes_against_all_pairs),
        cmocka_unit_test(test_points_lie_between_surfaces),
        cmocka_unit_test(test_same_order_for_all_memories_and_threads),
        cmocka_unit_test(test_bodies_that_are_spheres),
        cmocka_unit_test(test_a_source_that_makes_its_bodies),
        cmocka_unit_test(test_sources_that_change_are_refused),
        cmocka_unit_test(test_what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
