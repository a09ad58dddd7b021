// Snapshots: a restored world goes on with the same bits, and a damaged snapshot is refused or harmless, never trusted.
#include "../../physics/lab.h"

#include <string.h>

#include "step/snapshot.h"
#include "step/snapshot_layout.h"
#include "world/world.h"

enum { VARIED = 10, ADDED = 5 + 80 + 2 + VARIED }; // bodies in the varied corner, and in all

static scree_shape_def shape_with(scree_geometry *geometry, scree_shape_type type)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = type;
    shape.geometry = geometry;
    return shape;
}

// A small pit of triangles, and the same in heights, whose middle is at the origin.
static scree_shape_def ground_shape(bool as_mesh)
{
    enum { EDGE = 5 };
    scree_vec3 vertices[EDGE * EDGE];
    float heights[EDGE * EDGE];
    uint32_t triangles[6 * (EDGE - 1) * (EDGE - 1)];
    for (int i = 0; i < EDGE * EDGE; i++) {
        double x = 0.4 * (i % EDGE - 2), y = 0.4 * (i / EDGE - 2);
        heights[i] = (float)(0.3 * (x * x + y * y));
        vertices[i] = vec3_make(x, y, (double)heights[i]);
    }
    size_t count = 0;
    for (uint32_t i = 0; i < (EDGE - 1) * (EDGE - 1); i++) {
        uint32_t a = i / (EDGE - 1) * EDGE + i % (EDGE - 1);
        const uint32_t quad[6] = {a, a + 1, a + EDGE + 1, a, a + EDGE + 1, a + EDGE};
        for (int k = 0; k < 6; k++)
            triangles[count++] = quad[k];
    }
    scree_geometry *made = NULL;
    scree_heightfield_def field = {.columns = EDGE, .rows = EDGE, .width = 1.6, .depth = 1.6, .heights = heights};
    if (as_mesh)
        lab_ok(scree_mesh_create(vertices, EDGE * EDGE, triangles, count / 3, &made, error));
    else
        lab_ok(scree_heightfield_create(&field, &made, error));
    return shape_with(made, as_mesh ? SCREE_SHAPE_MESH : SCREE_SHAPE_HEIGHTFIELD);
}

// A hull, or a box in builds without qhull.
static scree_shape_def stone_shape(void)
{
    static const scree_vec3 corners[] = {{-0.1, -0.08, -0.06}, {0.1, -0.08, -0.06}, {0.1, 0.08, -0.06},
                                         {-0.1, 0.08, -0.06},  {-0.1, 0, 0.08},     {0.1, 0, 0.08}};
    scree_geometry *made;
    return scree_hull_create(corners, 6, &made, NULL) == SCREE_OK ? shape_with(made, SCREE_SHAPE_HULL)
                                                                  : lab_box(0.1, 0.08, 0.06);
}

static scree_shape_def cluster_shape(void)
{
    static const scree_ball balls[] = {{{-0.06, -0.06, 0}, 0.06}, {{0.06, -0.06, 0}, 0.06}, {{0, 0.08, 0}, 0.06}};
    scree_geometry *made;
    lab_ok(scree_spheres_create(balls, 3, NULL, &made, error));
    return shape_with(made, SCREE_SHAPE_SPHERES);
}

// A hull, a sphere set and a box in a pit of triangles, and the same in one of heights, beside the container, whose
// planes they do not touch since their filter differs; and two spheres in the same place, kept apart.
static void add_varied_corner(scree_world *world)
{
    scree_shape_def shapes[5] = {ground_shape(true), ground_shape(false), stone_shape(), cluster_shape(),
                                 lab_box(0.05, 0.07, 0.06)};
    scree_id ids[VARIED];
    for (int i = 0; i < VARIED; i++) {
        bool twin = i >= 8;
        double x = i % 2 ? 5 : 3, aside = 0.05 * (i / 2 - 2);
        scree_body_def body = lab_body(vec3_make(x + aside, 0.5 * aside, 0.14 * (i / 2)), vec3_make(0, 0, 0));
        scree_shape_def shape = i < 2 ? shapes[i] : twin ? lab_sphere(0.07) : shapes[1 + i / 2];
        if (twin)
            body.position = vec3_make(3, 0.3, 0.4);
        if (i < 2)
            body.position = vec3_make(x, 0, 0);
        body.fixed = i < 2;
        body.group = body.mask = 2;
        ids[i] = lab_add(world, body, shape);
    }
    lab_ok(scree_world_keep_apart(world, ids[8], ids[9], true, error));
    scree_world_watch_touches(world, true);
    for (int i = 0; i < 5; i++)
        scree_geometry_release(shapes[i].geometry);
}

// A busy world: every kind of geometry, heap, moved blade, several materials with an override, ids that were removed.
static scree_world *build_world(const lab_solver *solver)
{
    scree_world_def def = scree_default_world_def();
    def.threads = 2;
    def.solver.algorithm = solver->algorithm;
    def.solver.precision = solver->precision;
    scree_world *world = lab_create(&def);
    scree_material_def other = {.density = 1500, .friction = 0.7, .restitution = 0.2};
    int index;
    lab_ok(scree_world_add_material(world, &other, &index, error));
    scree_pair_def pair = {.friction = 0.1, .restitution = 0.4, .rolling_friction = 0.01, .spinning_friction = 0.004};
    lab_ok(scree_world_set_pair(world, 0, index, &pair, error));
    lab_add_container(world, 0.65);
    lab_add_heap(world, 80, 0.65, true, 12);
    scree_shape_def shapes[2] = {lab_box(0.5, 0.04, 0.1), lab_sphere(0.1)};
    shapes[1].material = index;
    shapes[1].position = vec3_make(0, 0, 0.2);
    scree_body_def blade = lab_body(vec3_make(0, 0, 0.15), vec3_make(0, 0, 0));
    blade.fixed = true;
    blade.material = index;
    blade.shapes = shapes;
    blade.shape_count = 2;
    scree_id id, gone[2] = {9, 20};
    lab_ok(scree_world_add_bodies(world, &blade, 1, &id, error));
    scree_motion_def motion = scree_default_motion_def();
    motion.type = SCREE_MOTION_ROTATION;
    motion.axis = vec3_make(0, 0, 1);
    motion.speed = 1.5;
    lab_set_motion(world, id, motion);
    shapes[0] = lab_box(0.1, 0.05, 0.05);
    shapes[1] = lab_sphere(0.06);
    shapes[1].position = vec3_make(0.1, 0, 0.05);
    scree_body_def lump = lab_body(vec3_make(0, 0, 2.2), vec3_make(0, 0, -1));
    lump.shapes = shapes;
    lump.shape_count = 2;
    lab_ok(scree_world_add_bodies(world, &lump, 1, &id, error));
    add_varied_corner(world);
    lab_ok(scree_world_remove_bodies(world, gone, 2, error));
    return world;
}

// A snapshot whose data and names are its own, with room for one more row.
static snapshot copy_of(const scree_world *world)
{
    snapshot taken = {0}, copy = {0};
    lab_ok(snapshot_take(world, &taken, error));
    assert_in_range(taken.count, 1, SNAPSHOT_MAX_FIELDS);
    copy.count = taken.count;
    for (size_t i = 0; i < taken.count; i++) {
        const snapshot_field *field = &taken.fields[i];
        size_t row = field->columns * snapshot_element_size(field->type), bytes = field->rows * row;
        char *name = malloc(strlen(field->name) + 1), *data = calloc(1, bytes + row + 1);
        assert_non_null(name);
        assert_non_null(data);
        strcpy(name, field->name);
        if (bytes)
            memcpy(data, field->data, bytes);
        copy.fields[i] = (snapshot_field){name, field->type, field->rows, field->columns, data};
    }
    snapshot_release(&taken);
    return copy;
}

static void free_copy(snapshot *copy)
{
    for (size_t i = 0; i < copy->count; i++) {
        free((void *)(uintptr_t)copy->fields[i].name);
        free((void *)(uintptr_t)copy->fields[i].data);
    }
}

static unsigned char *bytes_of(snapshot *copy, size_t field)
{
    return (unsigned char *)(uintptr_t)copy->fields[field].data;
}

static size_t bytes_in(const snapshot_field *field)
{
    return field->rows * field->columns * snapshot_element_size(field->type);
}

static scree_world *restore(const snapshot *from, int threads)
{
    scree_world *world = NULL;
    lab_ok(snapshot_restore(from, threads, &world, error));
    assert_non_null(world);
    return world;
}

// Returns how many there were.
static size_t check_same_touches(const scree_world *a, const scree_world *b)
{
    enum { ROOM = 2000 };
    static scree_body_pair first[ROOM], second[ROOM];
    size_t begun = scree_world_touch_begins(a, first, ROOM);
    assert_in_range(begun, 0, ROOM);
    assert_int_equal(scree_world_touch_begins(b, second, ROOM), begun);
    assert_memory_equal(first, second, begun * sizeof *first);
    size_t ended = scree_world_touch_ends(a, first, ROOM);
    assert_in_range(ended, 0, ROOM);
    assert_int_equal(scree_world_touch_ends(b, second, ROOM), ended);
    assert_memory_equal(first, second, ended * sizeof *first);
    return begun + ended;
}

static void test_restored_world_goes_on_with_the_same_bits(void **state)
{
    const int gaps[] = {0, 1, 13, 27, 40}; // steps since the last snapshot
    scree_world *whole = build_world(*state);
    size_t touches = 0;
    for (int i = 0; i < 5; i++) {
        lab_step(whole, gaps[i]);
        snapshot copy = copy_of(whole);
        scree_world *again = restore(&copy, 1 + i % 3);
        free_copy(&copy);
        assert_true(scree_world_hash(again) == scree_world_hash(whole));
        scree_figures a = scree_world_figures(whole), b = scree_world_figures(again);
        assert_int_equal(a.steps, b.steps);
        assert_near(a.time, b.time, 0);
        assert_int_equal(a.bodies, b.bodies);
        for (int k = 0; k < 40; k++) {
            lab_step(whole, 1);
            lab_step(again, 1);
            assert_true(scree_world_hash(again) == scree_world_hash(whole));
            touches += check_same_touches(whole, again);
        }
        scree_world_destroy(whole);
        whole = again; // snapshots of restored worlds are as good
    }
    assert_true(touches > 100);
    scree_world_destroy(whole);
}

static void expect_refused(const snapshot *damaged, const char *field, const char *damage)
{
    scree_error error = {0};
    scree_world *world = NULL;
    scree_status status = snapshot_restore(damaged, 1, &world, &error);
    if (status == SCREE_ERROR_INVALID && error.message[0] && !world)
        return;
    print_error("field \"%s\" %s: status %d, message \"%s\"\n", field, damage, (int)status, error.message);
    if (status == SCREE_OK)
        scree_world_destroy(world);
    _fail(__FILE__, __LINE__);
}

static snapshot_field *field_named(snapshot *in, const char *name)
{
    size_t i = 0;
    while (i < in->count && strcmp(in->fields[i].name, name) != 0)
        i++;
    assert_true(i < in->count);
    return &in->fields[i];
}

static scree_world *rolling_heap(void)
{
    scree_world_def def = scree_default_world_def();
    def.threads = 1;
    def.solver.algorithm = SCREE_ALGORITHM_GAUSS_SEIDEL;
    def.solver.iterations = 6; // what a solve starts from shows
    scree_world *world = lab_create(&def);
    scree_material_def rolling = scree_default_material_def();
    rolling.rolling_friction = 0.02;
    rolling.spinning_friction = 0.01;
    lab_ok(scree_world_set_material(world, 0, &rolling, error));
    lab_add_container(world, 0.65);
    lab_add_heap(world, 80, 0.65, false, 4);
    return world;
}

static uint64_t hash_after(const snapshot *from, int steps)
{
    scree_world *world = restore(from, 2);
    lab_step(world, steps);
    uint64_t hash = scree_world_hash(world);
    scree_world_destroy(world);
    return hash;
}

// The impulses of rolling friction are a start of the next solve, too.
static void test_rolling_heap_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    scree_world *whole = rolling_heap();
    lab_step(whole, 60);
    snapshot copy = copy_of(whole);
    lab_step(whole, 40);
    assert_true(hash_after(&copy, 40) == scree_world_hash(whole));
    snapshot_field *angular = field_named(&copy, "angular_impulses");
    assert_int_equal(angular->rows, field_named(&copy, "contacts")->rows);
    assert_true(angular->rows > 50);
    angular->rows = 0;
    assert_true(hash_after(&copy, 40) != scree_world_hash(whole));
    free_copy(&copy);
    scree_world_destroy(whole);
}

// Balls that both ways of solving would suit, and that were swept: they are swept on, also after a restart.
static void test_swept_island_is_swept_on(void **state)
{
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.solver.tolerance = 1e-7; // more than sweeps reach
    scree_world *whole = lab_create(&def);
    lab_add_floor(whole);
    for (int i = 0; i < 27; i++)
        lab_add(whole, lab_body(vec3_make(i % 3, i / 3 % 3, 0.5 + i / 9), vec3_make(0.01 * (i % 5), 0, 0)),
                lab_sphere(0.5));
    memset(whole->bodies.solved_by.data, SOLVED_BY_SWEEPS, whole->bodies.count);
    snapshot copy = copy_of(whole);
    lab_step(whole, 10);
    assert_true(hash_after(&copy, 10) == scree_world_hash(whole));
    memset(bytes_of(&copy, (size_t)(field_named(&copy, "solved_by") - copy.fields)), NEVER_SOLVED, whole->bodies.count);
    assert_true(hash_after(&copy, 10) != scree_world_hash(whole));
    free_copy(&copy);
    scree_world_destroy(whole);
}

// A world that is restored before its first step has not decided yet, one after it keeps what it decided.
static void test_cell_is_kept(void **state)
{
    (void)state;
    scree_world *world = build_world(&LAB_GS_SINGLE);
    for (int i = 0; i < 2; i++) {
        snapshot copy = copy_of(world);
        scree_world *again = restore(&copy, 1);
        free_copy(&copy);
        assert_near(scree_world_get_def(again).solver.cell, scree_world_get_def(world).solver.cell, 0);
        assert_int_equal(scree_world_get_def(again).solver.cell > 0, i > 0);
        for (int k = 0; i > 0 && k < 100; k++) // another median
            lab_add(again, lab_body(vec3_make(100 + 10 * k, 0, 0), vec3_make(0, 0, 0)), lab_sphere(3));
        lab_step(again, 1);
        lab_step(world, 1);
        assert_near(scree_world_get_def(again).solver.cell, scree_world_get_def(world).solver.cell, 0);
        scree_world_destroy(again);
    }
    snapshot copy = copy_of(world);
    double negative = -1;
    memcpy((double *)(uintptr_t)field_named(&copy, "reals")->data + CELL, &negative, sizeof negative);
    expect_refused(&copy, "reals", "with a negative cell");
    free_copy(&copy);
    scree_world_destroy(world);
}

// The busy world is what the tests take it for: bodies stand on both grounds, and the twins pass through each other.
static void test_varied_corner_is_in_touch(void **state)
{
    (void)state;
    const scree_id mesh = ADDED - VARIED + 1, field = mesh + 1, twin = ADDED - 1;
    scree_world *world = build_world(&LAB_GS_SINGLE);
    lab_step(world, 120);
    size_t count, on_mesh = 0, on_field = 0;
    scree_contact *contacts = lab_contacts(world, &count);
    for (size_t i = 0; i < count; i++) {
        scree_id low = contacts[i].a < contacts[i].b ? contacts[i].a : contacts[i].b;
        scree_id high = low == contacts[i].a ? contacts[i].b : contacts[i].a;
        on_mesh += low == mesh;
        on_field += low == field;
        assert_true(low != twin || high != twin + 1);
        assert_true((low < mesh) == (high < mesh)); // filters
    }
    assert_true(on_mesh >= 3 && on_field >= 3);
    free(contacts);
    scree_world_destroy(world);
}

// Everything that can be asked of a world is the same, and it can be changed in the same ways with the same results.
static void test_restored_world_is_whole(void **state)
{
    (void)state;
    scree_world *first = build_world(&LAB_GS_SINGLE);
    lab_step(first, 50);
    snapshot copy = copy_of(first);
    scree_world *second = restore(&copy, 2);
    free_copy(&copy);
    size_t count = scree_world_body_count(first);
    assert_int_equal(scree_world_body_count(second), count);
    scree_id ids[100];
    scree_world_body_ids(second, ids);
    for (size_t i = 0; i < count; i++) {
        scree_body_info a = lab_info(first, ids[i]), b = lab_info(second, ids[i]);
        assert_int_equal(a.fixed, b.fixed);
        assert_int_equal(a.moved, b.moved);
        assert_int_equal(a.material, b.material);
        assert_int_equal(a.shape_count, b.shape_count);
        assert_vec3_near(a.frame, b.frame, 0);
        for (size_t k = 0; k < a.shape_count; k++) {
            scree_shape_def s, t;
            lab_ok(scree_world_get_shape(first, ids[i], k, &s, error));
            lab_ok(scree_world_get_shape(second, ids[i], k, &t, error));
            assert_int_equal(s.type, t.type);
            assert_int_equal(s.material, t.material);
            assert_vec3_near(s.position, t.position, 0);
            assert_int_equal(s.geometry != NULL, t.geometry != NULL);
        }
    }
    assert_false(scree_world_has_body(second, 9));
    assert_int_equal(scree_world_material_count(second), 2);
    scree_pair_def pair;
    lab_ok(scree_world_get_pair(second, 1, 0, &pair, error));
    assert_near(pair.friction, 0.1, 1e-7);
    scree_world_def def = scree_world_get_def(second), original = scree_world_get_def(first);
    assert_near(def.step, original.step, 0);
    assert_int_equal(def.solver.iterations, original.solver.iterations);
    scree_world *both[2] = {first, second};
    for (int i = 0; i < 2; i++) {
        scree_id id = lab_add(both[i], lab_body(vec3_make(0, 0, 3), vec3_make(0, 0, 0)), lab_sphere(0.1));
        assert_int_equal(id, ADDED + 1);
        scree_id gone[2] = {30, 31};
        lab_ok(scree_world_remove_bodies(both[i], gone, 2, error));
        lab_step(both[i], 60);
    }
    assert_true(scree_world_hash(first) == scree_world_hash(second));
    scree_world_destroy(first);
    scree_world_destroy(second);
}

static void test_order_of_fields_is_free(void **state)
{
    (void)state;
    scree_world *world = build_world(&LAB_GS_SINGLE);
    lab_step(world, 20);
    snapshot copy = copy_of(world);
    for (size_t i = 0; i < copy.count / 2; i++) {
        snapshot_field swap = copy.fields[i];
        copy.fields[i] = copy.fields[copy.count - 1 - i];
        copy.fields[copy.count - 1 - i] = swap;
    }
    scree_world *again = restore(&copy, 1);
    lab_step(world, 10);
    lab_step(again, 10);
    assert_true(scree_world_hash(world) == scree_world_hash(again));
    free_copy(&copy);
    scree_world_destroy(world);
    scree_world_destroy(again);
}

static void test_names_are_plain_and_distinct(void **state)
{
    (void)state;
    scree_world *world = build_world(&LAB_GS_SINGLE);
    snapshot copy = copy_of(world);
    for (size_t i = 0; i < copy.count; i++) {
        assert_int_equal(strspn(copy.fields[i].name, "abcdefghijklmnopqrstuvwxyz0123456789_"),
                         strlen(copy.fields[i].name));
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(copy.fields[i].name, copy.fields[k].name);
    }
    free_copy(&copy);
    scree_world_destroy(world);
}

// One of these less is a valid world too.
static bool may_be_shorter(const char *field)
{
    return strcmp(field, "contacts") == 0 || strcmp(field, "apart") == 0 || strcmp(field, "touching") == 0 ||
           strcmp(field, "pushes") == 0;
}

static void test_missing_or_misshapen_fields_are_refused(void **state)
{
    (void)state;
    scree_world *world = build_world(&LAB_GS_SINGLE);
    lab_step(world, 60);
    snapshot copy = copy_of(world);
    for (size_t i = 0; i < copy.count; i++) {
        snapshot_field *field = &copy.fields[i], whole = *field;
        snapshot without = copy;
        without.fields[i] = without.fields[--without.count];
        expect_refused(&without, whole.name, "missing");
        field->rows++;
        expect_refused(&copy, whole.name, "with one row more");
        *field = whole;
        if (field->rows > 0 && !may_be_shorter(field->name)) {
            field->rows--;
            expect_refused(&copy, whole.name, "with one row less");
            *field = whole;
        }
        if (field->rows > 0) { // an empty field has no width
            field->columns--;
            expect_refused(&copy, whole.name, "with one column less");
            *field = whole;
        }
        field->type = whole.type == SNAPSHOT_F32 ? SNAPSHOT_U32 : SNAPSHOT_F32;
        if (snapshot_element_size(field->type) <= snapshot_element_size(whole.type))
            expect_refused(&copy, whole.name, "of another type");
        *field = whole;
    }
    snapshot nothing = {0};
    expect_refused(&nothing, "", "all missing");
    free_copy(&copy);
    scree_world_destroy(world);
}

static void set_not_a_number(snapshot *copy, size_t field, size_t element)
{
    if (copy->fields[field].type == SNAPSHOT_F32) {
        float value = NAN;
        memcpy(bytes_of(copy, field) + element * sizeof value, &value, sizeof value);
    } else {
        double value = CHECK_NAN;
        memcpy(bytes_of(copy, field) + element * sizeof value, &value, sizeof value);
    }
}

static void test_numbers_that_are_none_are_refused(void **state)
{
    (void)state;
    scree_world *world = build_world(&LAB_GS_SINGLE);
    lab_step(world, 60);
    size_t tried = 0;
    snapshot copy = copy_of(world);
    for (size_t i = 0; i < copy.count; i++) {
        const snapshot_field *field = &copy.fields[i];
        size_t count = field->rows * field->columns;
        if ((field->type != SNAPSHOT_F32 && field->type != SNAPSHOT_F64) || count == 0)
            continue;
        if (strcmp(field->name, "pairs") == 0)
            continue; // what is not overridden there follows from the materials
        size_t size = snapshot_element_size(field->type);
        const size_t places[3] = {0, count / 2, count - 1};
        for (int k = 0; k < 3; k++) {
            unsigned char saved[8], *at = bytes_of(&copy, i) + places[k] * size;
            memcpy(saved, at, size);
            set_not_a_number(&copy, i, places[k]);
            expect_refused(&copy, field->name, "with a NaN");
            memcpy(at, saved, size);
            tried++;
        }
    }
    assert_true(tried >= 12);
    scree_world *again = restore(&copy, 1); // all damage was undone
    assert_true(scree_world_hash(again) == scree_world_hash(world));
    free_copy(&copy);
    scree_world_destroy(world);
    scree_world_destroy(again);
}

// Every number and index of every geometry, one at a time.
static void test_damaged_geometries_are_refused(void **state)
{
    (void)state;
    scree_world *world = build_world(&LAB_GS_SINGLE);
    snapshot copy = copy_of(world);
    size_t tried = 0;
    for (size_t i = 0; i < copy.count; i++) {
        const snapshot_field *field = &copy.fields[i];
        size_t count = field->rows * field->columns, size = snapshot_element_size(field->type);
        if (strncmp(field->name, "geometr", 7) != 0)
            continue;
        assert_true(count > 0);
        for (size_t k = 0; k < count; k++) {
            unsigned char saved[8], *at = bytes_of(&copy, i) + k * size;
            memcpy(saved, at, size);
            memset(at, 0xff, size); // as a number it is none, as an index too large
            expect_refused(&copy, field->name, "with all bits set");
            memcpy(at, saved, size);
            tried++;
        }
    }
    assert_true(tried > 200);
    free_copy(&copy);
    scree_world_destroy(world);
}

// Integers at their largest: indices and counts must be refused; a value that is free (a count of steps) may pass, and
// then the world must work.
static void test_integers_out_of_range_do_no_harm(void **state)
{
    (void)state;
    scree_world *world = build_world(&LAB_GS_SINGLE);
    lab_step(world, 60);
    snapshot copy = copy_of(world);
    size_t refused = 0, accepted = 0;
    for (size_t i = 0; i < copy.count; i++) {
        const snapshot_field *field = &copy.fields[i];
        size_t count = field->rows * field->columns, size = snapshot_element_size(field->type);
        if (field->type == SNAPSHOT_F32 || field->type == SNAPSHOT_F64)
            continue;
        for (size_t k = 0; k < count; k += count / 7 + 1) {
            unsigned char saved[8], *at = bytes_of(&copy, i) + k * size;
            memcpy(saved, at, size);
            memset(at, 0xff, size);
            scree_world *again = NULL;
            scree_error error = {0};
            scree_status status = snapshot_restore(&copy, 1, &again, &error);
            assert_true(status == SCREE_OK || (status == SCREE_ERROR_INVALID && error.message[0]));
            refused += status == SCREE_ERROR_INVALID;
            accepted += status == SCREE_OK;
            if (status == SCREE_OK) {
                scree_world_step(again, 2, NULL);
                scree_world_destroy(again);
            }
            memcpy(at, saved, size);
        }
    }
    assert_true(refused > 2 * accepted);
    free_copy(&copy);
    scree_world_destroy(world);
}

// Random damage anywhere: refused, or a world that can be stepped, read and freed. The sanitizer build watches.
static void test_random_damage_does_no_harm(void **state)
{
    (void)state;
    scree_world *world = build_world(&LAB_GS_SINGLE);
    lab_step(world, 60);
    snapshot copy = copy_of(world);
    random_stream stream = {6};
    const int tries = CHECK_SANITIZED ? 300 : 2000;
    for (int n = 0; n < tries; n++) {
        size_t field = (size_t)(random_bits(&stream) % copy.count), bytes = bytes_in(&copy.fields[field]);
        if (bytes == 0 || strcmp(copy.fields[field].name, "integers") == 0)
            continue; // a count of ids in the thousand millions is valid, and a lot of memory
        unsigned char *at = bytes_of(&copy, field) + random_bits(&stream) % bytes, saved = *at;
        *at = (unsigned char)(random_bits(&stream) & 0xff);
        scree_world *again = NULL;
        scree_error error = {0};
        scree_status status = snapshot_restore(&copy, 1, &again, &error);
        assert_true(status == SCREE_OK || status == SCREE_ERROR_INVALID);
        if (status == SCREE_OK) {
            scree_status stepped = scree_world_step(again, 1, &error);
            assert_true(stepped == SCREE_OK || stepped == SCREE_ERROR_DIVERGED || stepped == SCREE_ERROR_NO_MEMORY);
            scree_world_figures(again);
            scree_world_destroy(again);
        }
        *at = saved;
    }
    free_copy(&copy);
    scree_world_destroy(world);
}

static void check_column(const snapshot *in, const char *name, const void *data, size_t rows, size_t size)
{
    size_t i = 0;
    while (i < in->count && strcmp(in->fields[i].name, name) != 0)
        i++;
    assert_true(i < in->count);
    assert_ptr_equal(in->fields[i].data, data);
    assert_int_equal(in->fields[i].rows, rows);
    assert_int_equal(in->fields[i].columns * snapshot_element_size(in->fields[i].type), size);
}

// A column that is added to the body store cannot be forgotten.
static void test_every_column_of_bodies_is_there(void **state)
{
    (void)state;
    scree_world *world = build_world(&LAB_GS_SINGLE);
    snapshot taken;
    lab_ok(snapshot_take(world, &taken, error));
#define CHECK(kind, name) check_column(&taken, #name, world->bodies.name.data, world->bodies.name.count, sizeof(kind));
    BODY_COLUMNS(CHECK)
#undef CHECK
    snapshot_release(&taken);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_column_of_bodies_is_there),
        LAB_TEST(test_restored_world_goes_on_with_the_same_bits, LAB_GS_SINGLE),
        LAB_TEST(test_restored_world_goes_on_with_the_same_bits, LAB_JACOBI_DOUBLE),
        cmocka_unit_test(test_rolling_heap_goes_on_with_the_same_bits),
        cmocka_unit_test(test_swept_island_is_swept_on),
        cmocka_unit_test(test_cell_is_kept),
        cmocka_unit_test(test_varied_corner_is_in_touch),
        cmocka_unit_test(test_restored_world_is_whole),
        cmocka_unit_test(test_order_of_fields_is_free),
        cmocka_unit_test(test_names_are_plain_and_distinct),
        cmocka_unit_test(test_missing_or_misshapen_fields_are_refused),
        cmocka_unit_test(test_numbers_that_are_none_are_refused),
        cmocka_unit_test(test_damaged_geometries_are_refused),
        cmocka_unit_test(test_integers_out_of_range_do_no_harm),
        cmocka_unit_test(test_random_damage_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
