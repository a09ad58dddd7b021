// The penalty method as a machine: the same bits for any number of threads, whenever its lists are made, and when
// resumed; its wide law against a plain one, its groups against brute force.
#include "../../physics/lab.h"

#include <string.h>

#include "../geometry/random_pose.h"
#include "penalty/penalty.h"
#include "scree/geometry.h"
#include "step/snapshot.h"

enum { BODIES = 180 };

typedef struct setting {
    scree_contact_law law;
    bool resists_rolling, sets;
} setting;

static const setting SETTINGS[] = {{SCREE_CONTACT_LAW_LINEAR, false, false},
                                   {SCREE_CONTACT_LAW_LINEAR, true, true},
                                   {SCREE_CONTACT_LAW_HERTZ, false, true},
                                   {SCREE_CONTACT_LAW_HERTZ, true, false}};
enum { SETTING_COUNT = sizeof SETTINGS / sizeof SETTINGS[0] };

static void set_materials(scree_world *world, bool resists_rolling)
{
    scree_material_def material = scree_default_material_def();
    material.density = 1000;
    material.restitution = 0.4;
    material.stiffness = 4e4;
    material.youngs_modulus = 2e6;
    lab_ok(scree_world_set_material(world, 0, &material, error));
    material.friction = 0.2;
    material.rolling_friction = material.spinning_friction = resists_rolling ? 0.002 : 0;
    material.cohesion = 0.1;
    int index;
    lab_ok(scree_world_add_material(world, &material, &index, error));
}

static const scree_ball BALLS[] = {
    {{0, 0, 0}, 0.06}, {{0.08, 0, 0}, 0.05}, {{-0.08, 0.02, 0}, 0.05}, {{0, 0.06, 0.05}, 0.04}};

// Spheres of two materials and, where wanted, sphere sets and boxes fall into a corner with a fixed box in it.
static scree_world *pile(const setting *with, int threads)
{
    scree_world_def def = scree_default_world_def();
    def.method = SCREE_METHOD_PENALTY;
    def.penalty.law = with->law;
    def.step = 4e-4;
    def.threads = threads;
    scree_world *world = lab_create(&def);
    set_materials(world, with->resists_rolling);
    static const vec3 normals[] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    for (int i = 0; i < 5; i++)
        lab_add_fixed(world, vec3_make(0, 0, 0), lab_plane(normals[i], i ? -0.8 : 0));
    lab_add_fixed(world, vec3_make(0.2, 0.1, 0.1), lab_box(0.3, 0.2, 0.1));
    scree_geometry *set = NULL;
    lab_ok(scree_spheres_create(BALLS, sizeof BALLS / sizeof BALLS[0], NULL, &set, error));
    scree_shape_def shapes[] = {lab_sphere(0.08), lab_sphere(0.1), lab_box(0.07, 0.08, 0.06), lab_sphere(0.06)};
    shapes[2].material = 1;
    for (int i = 0; i < BODIES; i++) {
        vec3 at = {0.26 * (i % 6 - 2.5) + 0.01 * (i % 7), 0.26 * (i / 6 % 6 - 2.5) + 0.01 * (i % 5),
                   0.32 + 0.24 * (i / 36)};
        scree_body_def body = lab_body(at, vec3_make(0.1 * (i % 3), 0, -3));
        body.material = i % 2;
        scree_shape_def shape = shapes[i % 4 == 2 && !with->sets ? 0 : i % 4];
        if (with->sets && i % 4 == 3) {
            shape.type = SCREE_SHAPE_SPHERES;
            shape.geometry = set;
        }
        lab_add(world, body, shape);
    }
    scree_geometry_release(set);
    return world;
}

static int few_steps(void)
{
    return CHECK_SANITIZED ? 150 : 500;
}

static void test_threads(void **state)
{
    (void)state;
    for (int k = 0; k < SETTING_COUNT; k++) {
        uint64_t hash[2];
        for (int i = 0; i < 2; i++) {
            scree_world *world = pile(&SETTINGS[k], i ? 3 : 1);
            lab_step(world, few_steps());
            assert_true(scree_world_figures(world).touching > (CHECK_SANITIZED ? 10 : BODIES / 3));
            hash[i] = scree_world_hash(world);
            scree_world_destroy(world);
        }
        assert_true(hash[0] == hash[1]);
    }
}

// A filter that is set again to what it was makes the world let go of its lists.
static void test_lists_do_not_matter(void **state)
{
    (void)state;
    for (int k = 0; k < SETTING_COUNT; k++) {
        scree_world *kept = pile(&SETTINGS[k], 1), *renewed = pile(&SETTINGS[k], 1);
        for (int i = 0; i < few_steps(); i += 5) {
            lab_step(kept, 5);
            lab_ok(scree_world_set_filter(renewed, 7, 1, UINT32_MAX, error));
            lab_step(renewed, 5);
        }
        assert_true(scree_world_hash(kept) == scree_world_hash(renewed));
        scree_world_destroy(kept);
        scree_world_destroy(renewed);
    }
}

// Sets of spheres fly about in a box, fast enough to cross a good part of themselves in a step; some are off their
// centres, one is longer than a group.
static scree_world *swarm(int threads, int bodies)
{
    scree_world_def def = scree_default_world_def();
    def.method = SCREE_METHOD_PENALTY;
    def.step = 2e-3;
    def.threads = threads;
    scree_world *world = lab_create(&def);
    scree_material_def material = scree_default_material_def();
    material.restitution = 1;
    material.density = 1000;
    material.contact_time = 0.03;
    lab_ok(scree_world_set_material(world, 0, &material, error));
    static const vec3 normals[] = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    for (int i = 0; i < 6; i++)
        lab_add_fixed(world, vec3_make(0, 0, 0), lab_plane(normals[i], -1.2));
    lab_add_fixed(world, vec3_make(0, 0, 0), lab_box(0.2, 0.2, 0.2));
    scree_ball rod[40];
    for (int i = 0; i < 40; i++)
        rod[i] = (scree_ball){{0.02 * (i - 19.5), 0, 0}, 0.02};
    scree_geometry *set = NULL, *sticks = NULL;
    lab_ok(scree_spheres_create(BALLS, sizeof BALLS / sizeof BALLS[0], NULL, &set, error));
    lab_ok(scree_spheres_create(rod, 40, NULL, &sticks, error));
    random_stream stream = {7};
    for (int i = 0; i < bodies; i++) {
        vec3 at = {0.4 * (i % 5 - 2), 0.4 * (i / 5 % 5 - 2), 0.9 - 0.4 * (i / 25)};
        scree_body_def body = lab_body(at, random_vec(&stream, 20));
        body.spin = random_vec(&stream, 20);
        scree_shape_def shape = scree_default_shape_def();
        shape.type = SCREE_SHAPE_SPHERES;
        shape.geometry = i % 6 == 5 ? sticks : set;
        lab_add(world, body, shape);
    }
    scree_geometry_release(set);
    scree_geometry_release(sticks);
    return world;
}

static void test_fast_sets_miss_nothing(void **state)
{
    (void)state;
    scree_world *kept = swarm(1, 50), *renewed = swarm(1, 50), *shared = swarm(3, 50);
    size_t touching = 0;
    for (int i = 0; i < few_steps() / 4; i++) {
        lab_step(kept, 1);
        lab_ok(scree_world_set_filter(renewed, 8, 1, UINT32_MAX, error));
        lab_step(renewed, 1);
        lab_step(shared, 1);
        touching += scree_world_figures(kept).touching;
        assert_true(scree_world_hash(kept) == scree_world_hash(renewed));
    }
    assert_true(touching > (size_t)few_steps() / 4);
    assert_true(scree_world_hash(kept) == scree_world_hash(shared));
    scree_world_destroy(kept);
    scree_world_destroy(renewed);
    scree_world_destroy(shared);
}

static void test_resuming(void **state)
{
    (void)state;
    for (int k = 0; k < SETTING_COUNT; k++) {
        scree_world *whole = pile(&SETTINGS[k], 1), *resumed = NULL;
        lab_step(whole, few_steps() + 3);
        snapshot taken;
        lab_ok(snapshot_take(whole, &taken, error));
        lab_ok(snapshot_restore(&taken, 2, &resumed, error));
        snapshot_release(&taken);
        assert_true(scree_world_figures(resumed).contacts == scree_world_figures(whole).contacts);
        assert_relative(scree_world_figures(resumed).stable_step, scree_world_figures(whole).stable_step, 1e-15);
        lab_step(whole, 200);
        lab_step(resumed, 200);
        assert_true(scree_world_hash(whole) == scree_world_hash(resumed));
        scree_world_destroy(whole);
        scree_world_destroy(resumed);
    }
}

// Removing bodies leaves what the others remember; adding them back elsewhere, too.
static void test_removing(void **state)
{
    (void)state;
    scree_world *world = pile(&SETTINGS[1], 1);
    lab_step(world, few_steps());
    scree_id gone[] = {20, 31, 50, 149};
    lab_ok(scree_world_remove_bodies(world, gone, 4, error));
    size_t before = scree_world_figures(world).contacts;
    lab_step(world, 1);
    size_t after = scree_world_figures(world).contacts;
    assert_true(after + 12 > before && before + 12 > after);
    size_t count;
    scree_contact *contacts = lab_contacts(world, &count);
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 4; k++)
            assert_true(contacts[i].a != gone[k] && contacts[i].b != gone[k]);
        assert_near(vec3_length(contacts[i].normal), 1, 1e-5);
    }
    free(contacts);
    scree_world_destroy(world);
}

// ----------------------------------------------------------------------------------------------------------- the law

typedef struct plain_touch {
    vec3 normal, velocity, spring;
    double depth, mass, radius, loaded;
    vec3 force;
    vec3 new_spring;
} plain_touch;

static vec3 across(vec3 v, vec3 n)
{
    return vec3_add_scaled(v, n, -vec3_dot(v, n));
}

// The same law as kernels/penalty.c, one contact at a time in double.
static void plain_law(plain_touch *t, const law_row *row, bool hertz, double step)
{
    double k, elastic, c, kt, ct;
    if (hertz) {
        k = (double)row->stiffness[0] * sqrt(t->radius * t->depth);
        elastic = 2.0 / 3 * k * t->depth;
        c = (double)row->damping[2] * sqrt(k * t->mass);
        kt = (double)row->tangential[0] * k;
        ct = (double)row->damping[2] * sqrt(kt * t->mass);
    } else {
        k = (double)row->stiffness[0] + (double)row->stiffness[1] * t->mass;
        elastic = k * t->depth;
        c = (double)row->damping[0] + (double)row->damping[1] * t->mass + (double)row->damping[2] * sqrt(t->mass);
        kt = (double)row->tangential[0] * k;
        ct = (double)row->tangential[1] * c;
    }
    double parting = vec3_dot(t->velocity, t->normal), along = elastic - c * parting;
    double most = (double)row->friction * fmax(along, 0);
    vec3 sliding = across(t->velocity, t->normal), spring = across(t->spring, t->normal);
    spring = vec3_scale(vec3_normalize(spring), vec3_length(t->spring));
    if (hertz && k > t->loaded)
        spring = vec3_scale(spring, t->loaded / k);
    spring = vec3_add_scaled(spring, sliding, step);
    double stretched = kt * vec3_length(spring);
    if (stretched > most)
        spring = vec3_scale(spring, most / stretched);
    vec3 friction = vec3_add(vec3_scale(spring, -kt), vec3_scale(sliding, -ct));
    if (vec3_length(friction) > most)
        friction = vec3_scale(vec3_normalize(friction), most);
    t->new_spring = spring;
    t->force = vec3_add_scaled(friction, t->normal, along - (double)row->cohesion);
}

static void put(float to[3][POINT_LANES], int lane, vec3 v)
{
    to[0][lane] = (float)v.x;
    to[1][lane] = (float)v.y;
    to[2][lane] = (float)v.z;
}

static vec3 take(float from[3][POINT_LANES], int lane)
{
    return vec3_make((double)from[0][lane], (double)from[1][lane], (double)from[2][lane]);
}

static void test_wide_law(void **state)
{
    (void)state;
    random_stream stream = {3};
    const law_row rows[2] = {
        {.stiffness = {4e4f, 1e3f},
         .damping = {3, 2, 5},
         .tangential = {0.3f, 0.2f},
         .friction = 0.4f,
         .cohesion = 0.3f},
        {.stiffness = {9e6f, 0}, .damping = {0, 0, 0.7f}, .tangential = {0.8f, 0}, .friction = 0.2f}};
    for (int round = 0; round < 500; round++) {
        bool hertz = round % 2;
        law_table laws = {.rows = rows, .materials = 1, .hertz = hertz, .step = 1e-4f};
        point_lanes lanes = {0};
        plain_touch plain[POINT_LANES];
        for (int i = 0; i < POINT_LANES; i++) {
            plain_touch *t = &plain[i];
            *t = (plain_touch){.normal = vec3_normalize(random_vec(&stream, 1)),
                               .velocity = random_vec(&stream, 0.5),
                               .depth = 1e-3 * random_unit(&stream),
                               .mass = 0.1 + random_unit(&stream),
                               .radius = 0.01 + random_unit(&stream),
                               .loaded = 1e5 * random_unit(&stream)};
            t->spring = across(random_vec(&stream, 1e-3), t->normal);
            put(lanes.normal, i, t->normal);
            put(lanes.velocity, i, t->velocity);
            put(lanes.spring, i, t->spring);
            lanes.depth[i] = (float)t->depth;
            lanes.inverse_mass[i] = (float)(1 / t->mass);
            lanes.radius[i] = (float)t->radius;
            lanes.history_stiffness[i] = (float)t->loaded;
            lanes.law[i] = hertz;
        }
        point_lanes other = lanes;
        penalty_kernels_f32_baseline.points(&laws, &lanes);
        penalty_kernels_here()->points(&laws, &other);
        assert_memory_equal(lanes.force, other.force, sizeof lanes.force);
        assert_memory_equal(lanes.spring, other.spring, sizeof lanes.spring);
        for (int i = 0; i < POINT_LANES; i++) {
            plain_law(&plain[i], &rows[hertz], hertz, 1e-4);
            assert_vec3_near(take(lanes.force, i), plain[i].force, 1e-4 * (1 + vec3_length(plain[i].force)));
            assert_vec3_near(take(lanes.spring, i), plain[i].new_spring, 1e-8);
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ groups

static void put_path(float column[7][61], int i, vec3 at, vec3 step)
{
    const double row[6] = {at.x, at.y, at.z, step.x, step.y, step.z};
    for (int k = 0; k < 6; k++)
        column[k][i] = (float)row[k];
}

static void test_groups_against_brute_force(void **state)
{
    (void)state;
    enum { MOST = 32 };
    random_stream stream = {9};
    for (int round = 0; round < 300; round++) {
        float x[2 * MOST + 8] = {0}, y[2 * MOST + 8] = {0}, z[2 * MOST + 8] = {0}, radius[2 * MOST + 8] = {0};
        uint32_t count[2] = {1 + (uint32_t)(MOST * random_unit(&stream)), 1 + (uint32_t)(MOST * random_unit(&stream))};
        for (uint32_t i = 0; i < count[0] + count[1]; i++) {
            vec3 at = random_vec(&stream, 1);
            x[i] = (float)at.x;
            y[i] = (float)at.y;
            z[i] = (float)at.z;
            radius[i] = (float)(0.1 + 0.2 * random_unit(&stream));
        }
        group_job job = {.x = x,
                         .y = y,
                         .z = z,
                         .radius = radius,
                         .first = {0, count[0]},
                         .count = {count[0], count[1]},
                         .rotation = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
                         .between = {1.2f, 0.3f, -0.2f},
                         .half = {{100, 100, 100}, {100, 100, 100}},
                         .margin = 0.05f};
        uint32_t a[MOST * MOST + 8], b[MOST * MOST + 8];
        uint32_t plain_a[MOST * MOST + 8], plain_b[MOST * MOST + 8];
        size_t found = penalty_kernels_here()->groups(&job, a, b), next = 0;
        assert_int_equal(penalty_kernels_f32_baseline.groups(&job, plain_a, plain_b), found);
        assert_memory_equal(a, plain_a, found * sizeof *a);
        assert_memory_equal(b, plain_b, found * sizeof *b);
        for (uint32_t i = 0; i < count[0]; i++)
            for (uint32_t k = count[0]; k < count[0] + count[1]; k++) {
                float dx = (-y[k] + 1.2f) - x[i], dy = (x[k] + 0.3f) - y[i], dz = (z[k] - 0.2f) - z[i];
                float reach = radius[k] + (radius[i] + 0.05f);
                if (!(dx * dx + dy * dy + dz * dz < reach * reach))
                    continue;
                assert_true(next < found && a[next] == i && b[next] == k);
                next++;
            }
        assert_int_equal(next, found);
    }
}

// Rounded boxes: the gap is at most the least distance of corners and points between, and both variants agree.
static void test_boxes_apart(void **state)
{
    (void)state;
    random_stream stream = {11};
    int apart = 0;
    for (int round = 0; round < 400; round++) {
        box_lanes lanes = {0};
        for (int i = 0; i < BOX_LANES; i++) {
            put(lanes.between, i, random_vec(&stream, 2));
            lanes.round[i] = 0.2f;
            for (int k = 0; k < 2; k++) {
                quat q = quat_from_rotation(random_vec(&stream, 3));
                const double parts[4] = {q.w, q.x, q.y, q.z};
                for (int j = 0; j < 4; j++)
                    lanes.orientation[k][j][i] = (float)parts[j];
                for (int j = 0; j < 3; j++)
                    lanes.half[k][j][i] = (float)(0.1 + 0.4 * random_unit(&stream));
            }
        }
        box_lanes other = lanes;
        penalty_kernels_f32_baseline.boxes(&lanes);
        penalty_kernels_here()->boxes(&other);
        assert_memory_equal(lanes.gap, other.gap, sizeof lanes.gap);
        for (int i = 0; i < BOX_LANES; i++) {
            double least = HUGE_VAL;
            for (int s = 0; s < 40; s++) { // any two points are farther apart than the gap
                vec3 at[2];
                for (int k = 0; k < 2; k++) {
                    vec3 p = random_vec(&stream, 1), half = take(lanes.half[k], i);
                    if (s % 2 == 0)
                        p = vec3_make(copysign(1, p.x), copysign(1, p.y), copysign(1, p.z));
                    quat q = {(double)lanes.orientation[k][0][i], (double)lanes.orientation[k][1][i],
                              (double)lanes.orientation[k][2][i], (double)lanes.orientation[k][3][i]};
                    at[k] = quat_rotate(q, vec3_multiply(p, half));
                }
                vec3 between = vec3_add(take(lanes.between, i), vec3_sub(at[1], at[0]));
                least = fmin(least, vec3_length(between) - 0.2);
            }
            apart += lanes.gap[i] > 0;
            assert_true((double)lanes.gap[i] <= least);
        }
    }
    assert_true(apart > 500);
}

static void test_paths_against_brute_force(void **state)
{
    (void)state;
    enum { COUNT = 53 };
    random_stream stream = {13};
    float column[7][COUNT + 8] = {{0}};
    for (int i = 0; i < COUNT; i++) {
        put_path(column, i, random_vec(&stream, 4), random_vec(&stream, 0.4));
        column[6][i] = i % 9 == 0 ? 0 : (float)(0.1 + 0.4 * random_unit(&stream));
    }
    path_job job = {{column[0], column[1], column[2]}, {column[3], column[4], column[5]}, column[6], COUNT, 8};
    for (uint32_t which = 1; which < 9; which++) {
        uint32_t found[COUNT + 8];
        size_t count = penalty_kernels_here()->paths(&job, which, found), next = 0;
        for (uint32_t k = 0; k < COUNT; k++) {
            double least = HUGE_VAL;
            for (int s = 0; s <= 8000; s++) {
                double square = 0;
                for (int axis = 0; axis < 3; axis++) {
                    double d = (double)(column[axis][k] - column[axis][which]);
                    d += 1e-3 * s * (double)(column[axis + 3][k] - column[axis + 3][which]);
                    square += d * d;
                }
                least = fmin(least, sqrt(square));
            }
            double gap = least - (double)(column[6][k] + column[6][which]);
            bool listed = next < count && found[next] == k;
            if (column[6][k] == 0 || gap > 1e-3)
                assert_false(listed);
            else if (gap < -1e-3)
                assert_true(listed);
            next += listed;
        }
        assert_int_equal(next, count);
    }
}

// Both instruction sets, bit for bit as one number after the other.
static void test_sums_of_loads(void **state)
{
    (void)state;
    enum { COUNT = 40, FIRST = 3, END = 30 };
    random_stream stream = {12};
    float_quad arms[COUNT] = {{0}};
    contact_load loads[COUNT] = {0};
    uint32_t active[COUNT];
    double want[8] = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        active[i] = COUNT - 1 - i;
        vec3 arm = random_vec(&stream, 1), force = random_vec(&stream, 5), torque = random_vec(&stream, 2);
        arms[i][0] = (float)arm.x, arms[i][1] = (float)arm.y, arms[i][2] = (float)arm.z;
        loads[i] = (contact_load){{(float)force.x, (float)force.y, (float)force.z},
                                  (float)random_unit(&stream),
                                  {(float)torque.x, (float)torque.y, (float)torque.z},
                                  (float)random_unit(&stream)};
    }
    for (uint32_t i = FIRST; i < END; i++) {
        const float *r = arms[active[i]], *f = loads[active[i]].force, *t = loads[active[i]].torque;
        for (int k = 0; k < 3; k++) {
            int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            want[k] += (double)f[k];
            want[4 + k] = want[4 + k] + (double)t[k] + ((double)r[k1] * (double)f[k2] - (double)r[k2] * (double)f[k1]);
        }
        want[3] += (double)loads[active[i]].stiffness;
        want[7] += (double)loads[active[i]].damping;
    }
    sum_job job = {active, (const float(*)[4])arms, loads};
    particle_sum sum;
    penalty_kernels_f32_baseline.sum(&job, FIRST, END, &sum);
    assert_memory_equal(&sum, want, sizeof sum);
    penalty_kernels_here()->sum(&job, FIRST, END, &sum);
    assert_memory_equal(&sum, want, sizeof sum);
}

// Likewise: rows stand by active particle.
static void test_gathering_of_rows(void **state)
{
    (void)state;
    enum { COUNT = 20, ROWS = 61, MIDDLE = 7 };
    random_stream stream = {13};
    uint32_t active[COUNT], row_end[COUNT] = {0}, row = 0;
    contact_load loads[COUNT] = {0}, rows[ROWS];
    float want[COUNT][8] = {{0}};
    for (uint32_t i = 0; i < ROWS; i++)
        for (int k = 0; k < 8; k++)
            ((float *)&rows[i])[k] = (float)random_between(&stream, -3, 3);
    for (uint32_t i = 0; i < COUNT; i++) {
        active[i] = COUNT - 1 - i;
        loads[active[i]].force[0] = want[active[i]][0] = (float)random_unit(&stream);
        for (uint32_t end = row + i % 7; row < end; row++)
            for (int k = 0; k < 8; k++)
                want[active[i]][k] += ((const float *)&rows[row])[k];
        row_end[active[i]] = row;
    }
    assert_in_range(row, 1, ROWS);
    const penalty_kernels *kernels[] = {&penalty_kernels_f32_baseline, penalty_kernels_here()};
    for (int k = 0; k < 2; k++) {
        contact_load sums[COUNT];
        memcpy(sums, loads, sizeof sums);
        gather_job job = {active, row_end, rows, sums};
        kernels[k]->gather(&job, MIDDLE, COUNT);
        kernels[k]->gather(&job, 0, MIDDLE);
        assert_memory_equal(sums, want, sizeof sums);
    }
}

// Every group is one shape here, but the sphere is not in the centre of its body. It stands on the floor and carries
// half of the body; another one holds the other end.
static void test_one_sphere_beside_a_box(void **state)
{
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.method = SCREE_METHOD_PENALTY;
    def.step = 4e-4;
    def.threads = 1;
    scree_world *world = lab_create(&def);
    set_materials(world, false);
    lab_add_floor(world);
    scree_shape_def shapes[2] = {lab_box(0.1, 0.05, 0.05), lab_sphere(0.1)};
    shapes[0].position = vec3_make(0.3, 0, 0);
    scree_body_def body = lab_body(vec3_make(0, 0, 0.1), vec3_make(0, 0, 0));
    body.shapes = shapes;
    body.shape_count = 2;
    scree_id id;
    lab_ok(scree_world_add_bodies(world, &body, 1, &id, error));
    lab_add(world, lab_body(vec3_make(0, 0, 0.3), vec3_make(0, 0, 0)), lab_sphere(0.1));
    lab_step(world, 100);
    assert_at_least(lab_state(world, id).position.z, 0.095);
    assert_int_equal(scree_world_figures(world).touching, 2);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_lists_do_not_matter),
        cmocka_unit_test(test_resuming),
        cmocka_unit_test(test_removing),
        cmocka_unit_test(test_wide_law),
        cmocka_unit_test(test_groups_against_brute_force),
        cmocka_unit_test(test_fast_sets_miss_nothing),
        cmocka_unit_test(test_boxes_apart),
        cmocka_unit_test(test_paths_against_brute_force),
        cmocka_unit_test(test_sums_of_loads),
        cmocka_unit_test(test_gathering_of_rows),
        cmocka_unit_test(test_one_sphere_beside_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
