// Fills: bodies inside the box, clear of each other and of what was there, the same for the same seed, and an error
// that leaves the world alone when they do not fit.
#include "../../physics/check.h"

#include <stdlib.h>
#include <string.h>

#include "../geometry/random_pose.h"
#include "base/random.h"
#include "model/fill.h"

static scree_world *new_world(void)
{
    scree_world_def def = scree_default_world_def();
    scree_world *world = NULL;
    assert_int_equal(scree_world_create(&def, &world, NULL), SCREE_OK);
    return world;
}

static fill_shape sphere(double low, double high)
{
    fill_shape shape = {.shape = scree_default_shape_def(), .radius = {low, high}};
    return shape;
}

static fill_shape box(double x, double y, double z)
{
    fill_shape shape = {.shape = scree_default_shape_def(), .half = {{x, x}, {y, y}, {z, z}}};
    shape.shape.type = SCREE_SHAPE_BOX;
    return shape;
}

static fill_def fill_of(const fill_shape *shapes, size_t shape_count, fill_pattern pattern, size_t count, vec3 high)
{
    return (fill_def){.pattern = pattern,
                      .count = count,
                      .high = high,
                      .shapes = shapes,
                      .shape_count = shape_count,
                      .orientation = {1, 0, 0, 0},
                      .group = 1,
                      .mask = UINT32_MAX,
                      .seed = 1};
}

static void fill_or_fail(scree_world *world, const fill_def *def)
{
    scree_error error = {.message = ""};
    if (fill_world(world, def, &error) != SCREE_OK) {
        print_error("%s\n", error.message);
        assert_true(false);
    }
}

static scree_pose pose_of(const scree_world *world, scree_id id)
{
    scree_state state;
    scree_body_info info;
    assert_int_equal(scree_world_get_states(world, &id, 1, &state, NULL), SCREE_OK);
    assert_int_equal(scree_world_get_body(world, id, &info, NULL), SCREE_OK);
    return (scree_pose){info.frame, state.orientation};
}

static scree_shape_def shape_of(const scree_world *world, scree_id id, size_t index)
{
    scree_shape_def shape;
    assert_int_equal(scree_world_get_shape(world, id, index, &shape, NULL), SCREE_OK);
    return shape;
}

static size_t shapes_of(const scree_world *world, scree_id id)
{
    scree_body_info info;
    assert_int_equal(scree_world_get_body(world, id, &info, NULL), SCREE_OK);
    return info.shape_count;
}

static double body_gap(const scree_world *world, scree_id a, scree_id b)
{
    scree_pose pose_a = pose_of(world, a), pose_b = pose_of(world, b);
    double least = CHECK_INFINITY;
    for (size_t i = 0; i < shapes_of(world, a); i++)
        for (size_t k = 0; k < shapes_of(world, b); k++) {
            scree_shape_def shape_a = shape_of(world, a, i), shape_b = shape_of(world, b, k);
            double gap;
            assert_int_equal(scree_shape_gap(&shape_a, &pose_a, &shape_b, &pose_b, &gap, NULL), SCREE_OK);
            least = fmin(least, gap);
        }
    return least;
}

// The world keeps sizes in single precision, so that touching ones may overlap by that much.
static const double ROUNDING = 1e-6;

// All bodies from id `first` on are clear of all others.
static void check_clear(const scree_world *world, scree_id first)
{
    scree_id last = scree_world_body_count(world);
    for (scree_id b = first; b <= last; b++)
        for (scree_id a = 1; a < b; a++)
            assert_at_least(body_gap(world, a, b), -ROUNDING);
}

static void check_inside(const scree_world *world, const fill_def *def, scree_id first)
{
    for (scree_id id = first; id <= scree_world_body_count(world); id++) {
        scree_pose pose = pose_of(world, id);
        for (size_t i = 0; i < shapes_of(world, id); i++) {
            scree_shape_def shape = shape_of(world, id, i);
            vec3 center = vec3_add(pose.position, quat_rotate(pose.orientation, shape.position));
            quat axes = quat_multiply(pose.orientation, quat_normalize(shape.orientation));
            for (int corner = 0; corner < 8; corner++) {
                vec3 sign = {corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1};
                vec3 at = shape.type == SCREE_SHAPE_BOX
                              ? vec3_add(center, quat_rotate(axes, vec3_multiply(sign, shape.half)))
                              : vec3_add_scaled(center, sign, shape.radius);
                for (int k = 0; k < 3; k++) {
                    assert_at_least(vec3_get(at, k), vec3_get(def->low, k) - ROUNDING);
                    assert_at_most(vec3_get(at, k), vec3_get(def->high, k) + ROUNDING);
                }
            }
        }
    }
}

static void expect_only(scree_world *world, const fill_def *def, size_t fitting)
{
    scree_error error = {.message = ""};
    size_t before = scree_world_body_count(world);
    uint64_t hash = scree_world_hash(world);
    assert_int_equal(fill_world(world, def, &error), SCREE_ERROR_INVALID);
    char expected[64];
    snprintf(expected, sizeof expected, "fill: only %zu of %zu bodies fit", fitting, def->count);
    assert_ptr_equal(strstr(error.message, expected), error.message);
    assert_int_equal(scree_world_body_count(world), before);
    assert_true(scree_world_hash(world) == hash);
}

// ---------------------------------------------------------------------------------------------------------- lattice

static void test_lattice_of_spheres(void **state)
{
    (void)state;
    scree_world *world = new_world();
    fill_shape ball = sphere(0.5, 0.5);
    // 3 x 2 cells of 1.1 x 1.25, and 4 layers of height 1.
    fill_def def = fill_of(&ball, 1, FILL_LATTICE, 24, vec3_make(3.3, 2.5, 4.7));
    fill_or_fail(world, &def);
    assert_int_equal(scree_world_body_count(world), 24);
    for (scree_id id = 1; id <= 24; id++) {
        size_t i = id - 1;
        vec3 expected = {1.1 * ((double)(i % 3) + 0.5), 1.25 * ((double)(i / 3 % 2) + 0.5), (double)(i / 6) + 0.5};
        assert_vec3_near(pose_of(world, id).position, expected, 1e-12);
    }
    scree_world_destroy(world);
    world = new_world();
    def.count = 25;
    expect_only(world, &def, 24);
    def.high.z = 0.9;
    expect_only(world, &def, 0);
    scree_world_destroy(world);
}

static void test_lattice_that_fits_exactly(void **state)
{
    (void)state;
    const double radii[] = {0.05, 0.1 / 3, 0.7, 1.0 / 7};
    for (int i = 0; i < 4; i++)
        for (int cells = 1; cells < 12; cells++) {
            scree_world *world = new_world();
            fill_shape ball = sphere(radii[i], radii[i]);
            double width = cells * 2 * radii[i];
            fill_def def =
                fill_of(&ball, 1, FILL_LATTICE, (size_t)(cells * cells * cells), vec3_make(width, width, width));
            fill_or_fail(world, &def);
            scree_world_destroy(world);
        }
}

static void expect_refusal(const fill_def *def, const char *word)
{
    scree_world *world = new_world();
    scree_error error = {.message = ""};
    assert_int_equal(fill_world(world, def, &error), SCREE_ERROR_INVALID);
    assert_ptr_equal(strstr(error.message, "fill"), error.message);
    if (!strstr(error.message, word)) {
        print_error("\"%s\" does not say \"%s\"\n", error.message, word);
        assert_true(false);
    }
    assert_int_equal(fill_world(world, def, NULL), SCREE_ERROR_INVALID);
    assert_int_equal(scree_world_body_count(world), 0);
    scree_world_destroy(world);
}

// Layers of 2 x 1 cells, each layer shifted in turn; the box holds the shifted ones too.
static void test_spacing_and_shifts(void **state)
{
    (void)state;
    scree_world *world = new_world();
    fill_shape cube = box(0.5, 0.5, 0.5);
    double shifts[3][2] = {{-0.25, 0}, {0.5, 0.125}, {0, -0.5}};
    fill_def def = fill_of(&cube, 1, FILL_LATTICE, 8, vec3_make(3.75, 2.125, 5));
    def.spacing = vec3_make(1.5, 0, 1.25);
    def.shifts = (fill_shifts){shifts, 3};
    fill_or_fail(world, &def);
    for (size_t i = 0; i < 8; i++) {
        const double *shift = shifts[i / 2 % 3];
        vec3 at = pose_of(world, i + 1).position;
        double start_y = 0.5 * (2.125 - 0.625) + 0.5; // one cell between the shifts of -0.5 and 0.125
        assert_near(at.x, 0.25 + 0.75 + 1.5 * (double)(i % 2) + shift[0], 1e-12);
        assert_near(at.y, start_y + shift[1], 1e-12);
        assert_near(at.z, 0.625 + 1.25 * (double)(i / 2), 1e-12);
    }
    scree_world_destroy(world);
    def.count = 9;
    expect_refusal(&def, "only 8 of 9 bodies fit");
}

static void test_lattice_of_boxes_packs_by_axis(void **state)
{
    (void)state;
    scree_world *world = new_world();
    fill_shape brick = box(1, 0.5, 0.25);
    fill_def def = fill_of(&brick, 1, FILL_LATTICE, 64, vec3_make(4, 4, 4));
    fill_or_fail(world, &def);
    assert_vec3_near(pose_of(world, 2).position, vec3_make(3, 0.5, 0.25), 1e-12);
    check_clear(world, 1);
    check_inside(world, &def, 1);
    scree_world_destroy(world);
    world = new_world();
    def.orientation = (quat){sqrt(0.5), 0, 0, sqrt(0.5)}; // x and y change places
    fill_or_fail(world, &def);
    assert_vec3_near(pose_of(world, 2).position, vec3_make(1.5, 1, 0.25), 1e-12);
    scree_world_destroy(world);
    world = new_world();
    def.count = 65;
    expect_only(world, &def, 64);
    scree_world_destroy(world);
}

static void test_jitter_stays_in_the_cell(void **state)
{
    (void)state;
    const double jitters[] = {0.25, 1};
    for (int j = 0; j < 2; j++) {
        scree_world *world = new_world();
        fill_shape ball = sphere(0.2, 0.5);
        fill_def def = fill_of(&ball, 1, FILL_LATTICE, 1000, vec3_make(10, 10, 10));
        def.jitter = jitters[j];
        fill_or_fail(world, &def);
        double widest = 0;
        for (scree_id id = 1; id <= 1000; id++) {
            size_t i = id - 1;
            vec3 center = {(double)(i % 10) + 0.5, (double)(i / 10 % 10) + 0.5, (double)(i / 100) + 0.5};
            vec3 shift = vec3_sub(pose_of(world, id).position, center);
            double room = 0.5 - shape_of(world, id, 0).radius;
            double most = fmax(fabs(shift.x), fmax(fabs(shift.y), fabs(shift.z)));
            assert_at_most(most, jitters[j] * room + ROUNDING);
            widest = fmax(widest, most / room);
        }
        assert_at_least(widest, 0.99 * jitters[j]);
        check_inside(world, &def, 1);
        scree_world_destroy(world);
    }
}

static void test_lattice_of_turned_compounds(void **state)
{
    (void)state;
    scree_world *world = new_world();
    fill_shape parts[2] = {box(0.3, 0.1, 0.1), sphere(0.1, 0.2)};
    parts[1].shape.position = vec3_make(0.4, 0, 0);
    fill_def def = fill_of(parts, 2, FILL_LATTICE, 97, vec3_make(6, 6, 6));
    def.low = vec3_make(1, -2, 0.5);
    def.jitter = 1;
    def.random_orientation = true;
    expect_only(world, &def, 96); // 4 x 6 x 4 cells of twice the reach, 1.2
    def.count = 96;
    fill_or_fail(world, &def);
    check_clear(world, 1);
    check_inside(world, &def, 1);
    scree_world_destroy(world);
}

// ----------------------------------------------------------------------------------------------------------- random

static void test_random_is_clear_and_inside(void **state)
{
    (void)state;
    fill_shape parts[2] = {box(0.2, 0.1, 0.15), sphere(0.05, 0.15)};
    parts[0].half[0] = (fill_range){0.1, 0.3};
    parts[1].shape.position = vec3_make(0, 0.2, 0);
    for (int turned = 0; turned < 2; turned++)
        for (size_t first = 0; first < 2; first++)
            for (size_t count = 1; first + count <= 2; count++) {
                scree_world *world = new_world();
                fill_def def = fill_of(&parts[first], count, FILL_RANDOM, 150, vec3_make(2, 1.5, 3));
                def.low = vec3_make(-1, -1, -1);
                def.random_orientation = turned;
                fill_or_fail(world, &def);
                assert_int_equal(scree_world_body_count(world), 150);
                check_clear(world, 1);
                check_inside(world, &def, 1);
                scree_world_destroy(world);
            }
}

// The documented order of draws, made again by hand: radius, then x, y, z.
static void test_order_of_draws(void **state)
{
    (void)state;
    scree_world *world = new_world();
    fill_shape ball = sphere(0.1, 0.2);
    fill_def def = fill_of(&ball, 1, FILL_RANDOM, 2, vec3_make(1000, 1000, 1000));
    def.seed = 42;
    fill_or_fail(world, &def);
    random_stream random = {42};
    for (scree_id id = 1; id <= 2; id++) {
        double radius = 0.1 + 0.1 * random_unit(&random);
        assert_near(shape_of(world, id, 0).radius, radius, 1e-7);
        vec3 at;
        at.x = radius + (1000 - 2 * radius) * random_unit(&random);
        at.y = radius + (1000 - 2 * radius) * random_unit(&random);
        at.z = radius + (1000 - 2 * radius) * random_unit(&random);
        assert_vec3_near(pose_of(world, id).position, at, 1e-9);
    }
    scree_world_destroy(world);
}

// Speeds are drawn apart from places, as documented, and so change none of them.
static void test_speeds(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    fill_shape ball = sphere(0.5, 0.5);
    fill_def def = fill_of(&ball, 1, FILL_RANDOM, COUNT, vec3_make(40, 40, 40));
    scree_world *still = new_world(), *moving = new_world();
    def.seed = 42;
    fill_or_fail(still, &def);
    def.speed = (fill_range){2, 3};
    def.velocity = vec3_make(10, 0, 0);
    fill_or_fail(moving, &def);
    random_stream random = {~(uint64_t)42};
    vec3 sum = {0, 0, 0};
    for (scree_id id = 1; id <= COUNT; id++) {
        scree_state now;
        assert_int_equal(scree_world_get_states(moving, &id, 1, &now, NULL), SCREE_OK);
        assert_vec3_near(now.position, pose_of(still, id).position, 0);
        double z = 2 * random_unit(&random) - 1, angle = 6.283185307179586 * random_unit(&random);
        double speed = 2 + random_unit(&random), across = sqrt(1 - z * z) * speed;
        vec3 drawn = vec3_make(across * cos(angle), across * sin(angle), z * speed);
        assert_vec3_near(vec3_sub(now.velocity, def.velocity), drawn, 1e-9);
        sum = vec3_add(sum, drawn);
    }
    assert_at_most(vec3_length(sum) / COUNT, 4 * 2.5 / sqrt(COUNT)); // four deviations
    scree_world_destroy(still);
    scree_world_destroy(moving);
}

static void test_same_seed_same_bodies(void **state)
{
    (void)state;
    uint64_t hashes[2][3];
    fill_shape brick = box(0.1, 0.2, 0.1);
    brick.half[1] = (fill_range){0.1, 0.3};
    for (int pattern = 0; pattern < 2; pattern++) {
        for (int run = 0; run < 3; run++) {
            scree_world *world = new_world();
            fill_def def = fill_of(&brick, 1, (fill_pattern)pattern, 100, vec3_make(5, 5, 5));
            def.random_orientation = true;
            def.jitter = 0.5;
            def.seed = run < 2 ? 7 : 8;
            fill_or_fail(world, &def);
            hashes[pattern][run] = scree_world_hash(world);
            scree_world_destroy(world);
        }
        assert_true(hashes[pattern][0] == hashes[pattern][1]);
        assert_true(hashes[pattern][0] != hashes[pattern][2]);
    }
}

// Uniform in place, size and direction: means and second moments over many bodies.
static void test_draws_are_uniform(void **state)
{
    (void)state;
    enum { COUNT = 4000 };
    scree_world *world = new_world();
    fill_shape brick = box(0.01, 0.01, 0.01);
    brick.half[2] = (fill_range){0.01, 0.03};
    fill_def def = fill_of(&brick, 1, FILL_RANDOM, COUNT, vec3_make(3, 6, 9));
    def.random_orientation = true;
    fill_or_fail(world, &def);
    vec3 mean = {0, 0, 0};
    double half = 0, squares[3][3] = {{0}};
    for (scree_id id = 1; id <= COUNT; id++) {
        scree_pose pose = pose_of(world, id);
        mean = vec3_add_scaled(mean, pose.position, 1.0 / COUNT);
        half += shape_of(world, id, 0).half.z / COUNT;
        mat3 axes = mat3_from_quat(pose.orientation);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                squares[i][k] += axes.m[i][k] * axes.m[i][k] / COUNT;
    }
    assert_vec3_near(mean, vec3_make(1.5, 3, 4.5), 0.15);
    assert_near(half, 0.02, 0.0005);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            assert_near(squares[i][k], 1.0 / 3, 0.02);
    scree_world_destroy(world);
}

static void test_too_many_at_random(void **state)
{
    (void)state;
    scree_world *world = new_world();
    fill_shape ball = sphere(0.3, 0.5);
    fill_def def = fill_of(&ball, 1, FILL_RANDOM, 500, vec3_make(4, 4, 4));
    scree_error error = {.message = ""};
    assert_int_equal(fill_world(world, &def, &error), SCREE_ERROR_INVALID);
    assert_int_equal(scree_world_body_count(world), 0);
    size_t fitting = 0, asked = 0;
    assert_int_equal(sscanf(error.message, "fill: only %zu of %zu bodies fit", &fitting, &asked), 2);
    assert_int_equal(asked, 500);
    assert_in_range(fitting, 40, 120); // between 20 and 60 percent of the volume
    def.count = fitting;
    fill_or_fail(world, &def);
    assert_int_equal(scree_world_body_count(world), fitting);
    check_clear(world, 1);
    scree_world_destroy(world);
    world = new_world();
    def.high.x = 0.5; // not even one
    expect_only(world, &def, 0);
    scree_world_destroy(world);
}

// Many bodies, checked by a sweep along x.
static int by_x(const void *a, const void *b)
{
    double x = ((const scree_vec3 *)a)->x, y = ((const scree_vec3 *)b)->x;
    return (x > y) - (x < y);
}

static void test_many_at_random(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    scree_world *world = new_world();
    fill_shape ball = sphere(0.1, 0.1);
    fill_def def = fill_of(&ball, 1, FILL_RANDOM, COUNT, vec3_make(8, 8, 6));
    fill_or_fail(world, &def);
    vec3 *centers = malloc(COUNT * sizeof *centers);
    assert_non_null(centers);
    for (scree_id id = 1; id <= COUNT; id++)
        centers[id - 1] = pose_of(world, id).position;
    qsort(centers, COUNT, sizeof *centers, by_x);
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = i + 1; k < COUNT && centers[k].x - centers[i].x < 0.2; k++)
            assert_at_least(vec3_length(vec3_sub(centers[k], centers[i])), 0.2 - ROUNDING);
    free(centers);
    scree_world_destroy(world);
}

// -------------------------------------------------------------------------------------------------------- obstacles

static void add_obstacle(scree_world *world, const scree_shape_def *shapes, size_t count, vec3 position, bool fixed)
{
    scree_body_def body = scree_default_body_def();
    body.shapes = shapes;
    body.shape_count = count;
    body.position = position;
    body.orientation = (quat){0.9, 0.1, -0.3, 0.2};
    body.fixed = fixed;
    assert_int_equal(scree_world_add_bodies(world, &body, 1, NULL, NULL), SCREE_OK);
}

// Sizes from much smaller to much larger than the fill's, a compound whose centre of mass is not its frame, a tilted
// plane.
static scree_id add_obstacles(scree_world *world)
{
    scree_shape_def ball = scree_default_shape_def(), brick = ball, plane = ball, parts[2] = {ball, ball};
    brick.type = parts[1].type = SCREE_SHAPE_BOX;
    plane.type = SCREE_SHAPE_PLANE;
    plane.normal = vec3_make(1, 0.5, 2);
    plane.offset = -1;
    plane.position = vec3_make(0, 0, 0.1);
    plane.orientation = (quat){0.9, 0.2, 0, 0};
    add_obstacle(world, &plane, 1, vec3_make(0, 0, 0), true);
    brick.half = vec3_make(4, 0.05, 4);
    add_obstacle(world, &brick, 1, vec3_make(0, 1, 0), true);
    parts[0].position = vec3_make(1, 0, 0);
    parts[0].radius = 0.4;
    parts[1].position = vec3_make(-0.5, 0.2, 0.1);
    parts[1].half = vec3_make(0.6, 0.1, 0.2);
    add_obstacle(world, parts, 2, vec3_make(0.5, -0.5, 0.6), false);
    random_stream random = {3};
    for (int i = 0; i < 40; i++) {
        ball.radius = pow(10, random_between(&random, -3, 0));
        add_obstacle(world, &ball, 1, random_vec(&random, 2), false);
    }
    ball.radius = 50;
    add_obstacle(world, &ball, 1, vec3_make(51, 0, 0), false);
    return scree_world_body_count(world);
}

static void test_obstacles_are_spared(void **state)
{
    (void)state;
    for (int pattern = 0; pattern < 2; pattern++) {
        scree_world *world = new_world();
        scree_id last = add_obstacles(world);
        fill_shape parts[2] = {box(0.1, 0.05, 0.08), sphere(0.05, 0.09)};
        parts[1].shape.position = vec3_make(0.1, 0, 0);
        fill_def def = fill_of(parts, 2, (fill_pattern)pattern, 60, vec3_make(2, 2, 2));
        def.low = vec3_make(-2, -2, -2);
        def.random_orientation = true;
        fill_or_fail(world, &def);
        assert_int_equal(scree_world_body_count(world), last + 60);
        check_clear(world, last + 1);
        check_inside(world, &def, last + 1);
        // A second fill of the same box, of larger bodies, spares the first.
        fill_shape ball = sphere(0.12, 0.15);
        def.shapes = &ball;
        def.shape_count = 1;
        def.count = 15;
        def.pattern = FILL_RANDOM;
        fill_or_fail(world, &def);
        check_clear(world, last + 61);
        scree_world_destroy(world);
    }
}

static void test_blocked_cells_are_skipped(void **state)
{
    (void)state;
    scree_world *world = new_world();
    scree_shape_def ball = scree_default_shape_def();
    ball.radius = 0.3;
    add_obstacle(world, &ball, 1, vec3_make(1.5, 0.5, 0.5), true); // in the second cell only
    fill_shape grain = sphere(0.5, 0.5);
    fill_def def = fill_of(&grain, 1, FILL_LATTICE, 27, vec3_make(3, 3, 3));
    expect_only(world, &def, 26);
    def.count = 26;
    fill_or_fail(world, &def);
    assert_vec3_near(pose_of(world, 2).position, vec3_make(0.5, 0.5, 0.5), 1e-12);
    assert_vec3_near(pose_of(world, 3).position, vec3_make(2.5, 0.5, 0.5), 1e-12);
    scree_world_destroy(world);
}

// A box that stands on the floor between walls is filled to the edge: touching is not overlapping.
static void fill_corner(double offset, double radius)
{
    scree_world *world = new_world();
    scree_shape_def planes[3];
    for (int k = 0; k < 3; k++) {
        planes[k] = scree_default_shape_def();
        planes[k].type = SCREE_SHAPE_PLANE;
        planes[k].normal = vec3_make(k == 0, k == 1, k == 2);
        planes[k].offset = offset;
    }
    scree_body_def walls = scree_default_body_def();
    walls.shapes = planes;
    walls.shape_count = 3;
    walls.fixed = true;
    assert_int_equal(scree_world_add_bodies(world, &walls, 1, NULL, NULL), SCREE_OK);
    fill_shape ball = sphere(radius, radius);
    double high = offset + 10 * radius;
    fill_def def = fill_of(&ball, 1, FILL_LATTICE, 125, vec3_make(high, high, high));
    def.low = vec3_make(offset, offset, offset);
    fill_or_fail(world, &def);
    assert_int_equal(scree_world_body_count(world), 126);
    scree_world_destroy(world);
}

static void test_touching_the_floor_is_allowed(void **state)
{
    (void)state;
    const double offsets[] = {0, 0.1, -0.3, 1.0 / 7, 5}, radii[] = {0.5, 0.05, 1.0 / 30};
    for (int i = 0; i < 15; i++)
        fill_corner(offsets[i / 3], radii[i % 3]);
}

static void test_boulder_in_dust(void **state)
{
    (void)state;
    scree_world *world = new_world();
    fill_shape dust = sphere(0.01, 0.01), boulder = sphere(0.45, 0.45);
    fill_def def = fill_of(&dust, 1, FILL_RANDOM, 3000, vec3_make(1, 1, 1));
    fill_or_fail(world, &def);
    def.shapes = &boulder;
    def.count = 1;
    def.high = vec3_make(2.2, 1, 1);
    fill_or_fail(world, &def);
    check_clear(world, 3001);
    scree_world_destroy(world);
}

// ------------------------------------------------------------------------------------------------------- the rest

static void test_bodies_are_as_asked(void **state)
{
    (void)state;
    scree_world *world = new_world();
    scree_material_def steel = scree_default_material_def();
    steel.density = 7800;
    int material;
    assert_int_equal(scree_world_add_material(world, &steel, &material, NULL), SCREE_OK);
    fill_shape ball = sphere(0.5, 0.5);
    fill_def def = fill_of(&ball, 1, FILL_LATTICE, 2, vec3_make(5, 5, 5));
    def.material = material;
    def.velocity = vec3_make(1, 2, 3);
    def.spin = vec3_make(4, 5, 6);
    fill_or_fail(world, &def);
    def.mass = 3;
    def.low.z = 5;
    def.high.z = 10;
    fill_or_fail(world, &def);
    const scree_id ids[3] = {1, 2, 3};
    scree_state states[3];
    scree_body_info info;
    assert_int_equal(scree_world_get_states(world, ids, 3, states, NULL), SCREE_OK);
    for (int i = 0; i < 3; i++) {
        assert_vec3_near(states[i].velocity, def.velocity, 0);
        assert_vec3_near(states[i].spin, def.spin, 0);
    }
    assert_int_equal(scree_world_get_body(world, 1, &info, NULL), SCREE_OK);
    assert_int_equal(info.material, material);
    assert_relative(info.mass, 7800 * 3.14159265358979 / 6, 1e-9);
    assert_int_equal(scree_world_get_body(world, 3, &info, NULL), SCREE_OK);
    assert_near(info.mass, 3, 1e-12);
    def.count = 0;
    fill_or_fail(world, &def);
    assert_int_equal(scree_world_body_count(world), 4);
    def = fill_of(&ball, 1, FILL_LATTICE, 1, vec3_make(5, 5, 5));
    def.low.z = 10;
    def.high.z = 12;
    def.fixed = true;
    fill_or_fail(world, &def);
    assert_int_equal(scree_world_get_body(world, 5, &info, NULL), SCREE_OK);
    assert_true(info.fixed);
    scree_world_destroy(world);
}

static void test_refusals_of_shapes(void **state)
{
    (void)state;
    fill_shape shapes[2] = {sphere(0.5, 0.5), sphere(0.5, 0.5)};
    fill_def def = fill_of(shapes, 2, FILL_LATTICE, 1, vec3_make(9, 9, 9));
    shapes[1].shape.type = SCREE_SHAPE_PLANE;
    expect_refusal(&def, "shape 1: a fill cannot be made of planes");
    shapes[1].shape.type = SCREE_SHAPE_TYPES;
    expect_refusal(&def, "shape 1: unknown shape type");
    shapes[1] = sphere(0.6, 0.5);
    expect_refusal(&def, "must run upwards");
    shapes[1] = sphere(CHECK_NAN, 0.5);
    expect_refusal(&def, "must run upwards");
    shapes[1] = sphere(-1, 0.5);
    expect_refusal(&def, "shape 1: the radius");
    shapes[1] = sphere(1, CHECK_INFINITY);
    expect_refusal(&def, "shape 1: the radius");
    shapes[1] = box(1, 0, 1);
    expect_refusal(&def, "shape 1: half edge 1");
    shapes[1] = sphere(1, 1);
    shapes[1].shape.orientation = (quat){0, 0, 0, 0};
    expect_refusal(&def, "shape 1: the orientation");
    def.shape_count = 0;
    expect_refusal(&def, "at least one shape");
}

static void test_refusals(void **state)
{
    (void)state;
    fill_shape ball = sphere(0.5, 0.5);
    const fill_def good = fill_of(&ball, 1, FILL_LATTICE, 1, vec3_make(9, 9, 9));
    fill_def def = good;
    def.pattern = (fill_pattern)7;
    expect_refusal(&def, "pattern");
    def = good;
    def.low.y = 9;
    expect_refusal(&def, "box");
    def = good;
    def.high.z = CHECK_INFINITY;
    expect_refusal(&def, "box");
    def = good;
    def.spacing.y = -1;
    expect_refusal(&def, "spacing");
    def.spacing.y = 0.9;
    expect_refusal(&def, "spacing along y is 0.9, must be 0 or at least the largest body's 1");
    def = good;
    def.shifts = (fill_shifts){(double[1][2]){{0, CHECK_NAN}}, 1};
    expect_refusal(&def, "shift 0");
    def = good;
    def.jitter = 1.5;
    expect_refusal(&def, "jitter");
    def = good;
    def.orientation = (quat){0, 0, 0, 0};
    expect_refusal(&def, "orientation");
    def = good;
    def.mass = -1;
    expect_refusal(&def, "mass");
    def = good;
    def.velocity.x = CHECK_NAN;
    expect_refusal(&def, "velocity");
    def = good;
    def.speed = (fill_range){-1, 1};
    expect_refusal(&def, "speed");
    def.speed = (fill_range){2, 1};
    expect_refusal(&def, "speed");
    def.speed = (fill_range){0, CHECK_INFINITY};
    expect_refusal(&def, "speed");
    def.speed = (fill_range){0, 1};
    def.fixed = true;
    expect_refusal(&def, "at rest");
    def = good;
    def.material = 1;
    expect_refusal(&def, "material");
    def = good;
    def.count = SIZE_MAX;
    expect_refusal(&def, "too many");
    def = good;
    ball.shape.material = 4; // only the world knows that there is none
    scree_world *world = new_world();
    assert_int_equal(fill_world(world, &def, NULL), SCREE_ERROR_INVALID);
    assert_int_equal(scree_world_body_count(world), 0);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lattice_of_spheres),
        cmocka_unit_test(test_lattice_that_fits_exactly),
        cmocka_unit_test(test_spacing_and_shifts),
        cmocka_unit_test(test_lattice_of_boxes_packs_by_axis),
        cmocka_unit_test(test_jitter_stays_in_the_cell),
        cmocka_unit_test(test_lattice_of_turned_compounds),
        cmocka_unit_test(test_random_is_clear_and_inside),
        cmocka_unit_test(test_order_of_draws),
        cmocka_unit_test(test_speeds),
        cmocka_unit_test(test_same_seed_same_bodies),
        cmocka_unit_test(test_draws_are_uniform),
        cmocka_unit_test(test_too_many_at_random),
        cmocka_unit_test(test_many_at_random),
        cmocka_unit_test(test_obstacles_are_spared),
        cmocka_unit_test(test_blocked_cells_are_skipped),
        cmocka_unit_test(test_touching_the_floor_is_allowed),
        cmocka_unit_test(test_boulder_in_dust),
        cmocka_unit_test(test_bodies_are_as_asked),
        cmocka_unit_test(test_refusals_of_shapes),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
