// Snapshots: a restored world goes on with the same bits, and a damaged snapshot is refused or harmless, never trusted.
#include "../../physics/lab.h"

#include <string.h>

#include "dynamics/snapshot.h"

// A busy world: heap, moved blade, several materials with an override, ids that were removed.
static scree_world *build_world(const lab_solver *solver)
{
    scree_world_def def = scree_default_world_def();
    def.threads = 2;
    def.solver.algorithm = solver->algorithm;
    def.solver.precision = solver->precision;
    scree_world *world = lab_create(&def);
    scree_material_def other = {1500, 0.7, 0.2};
    int index;
    lab_ok(scree_world_add_material(world, &other, &index, error));
    lab_ok(scree_world_set_pair(world, 0, index, &(scree_pair_def){0.1, 0.4}, error));
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

static void test_restored_world_goes_on_with_the_same_bits(void **state)
{
    const int gaps[] = {0, 1, 13, 27, 40}; // steps since the last snapshot
    scree_world *whole = build_world(*state);
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
        }
        scree_world_destroy(whole);
        whole = again; // snapshots of restored worlds are as good
    }
    scree_world_destroy(whole);
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
    scree_world_ids(second, ids);
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
        assert_int_equal(id, 88); // 5 + 80 + 2 came before
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

static void expect_refused(const snapshot *damaged, const char *field, const char *damage)
{
    scree_error error = {0};
    scree_world *world = NULL;
    scree_status status = snapshot_restore(damaged, 1, &world, &error);
    if (status == SCREE_INVALID && error.message[0] && !world)
        return;
    print_error("field \"%s\" %s: status %d, message \"%s\"\n", field, damage, (int)status, error.message);
    if (status == SCREE_OK)
        scree_world_destroy(world);
    _fail(__FILE__, __LINE__);
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
        if (field->rows > 0 && strcmp(field->name, "contacts") != 0) { // a contact less is a valid world too
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
            assert_true(status == SCREE_OK || (status == SCREE_INVALID && error.message[0]));
            refused += status == SCREE_INVALID;
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
        assert_true(status == SCREE_OK || status == SCREE_INVALID);
        if (status == SCREE_OK) {
            scree_status stepped = scree_world_step(again, 1, &error);
            assert_true(stepped == SCREE_OK || stepped == SCREE_DIVERGED || stepped == SCREE_NO_MEMORY);
            scree_world_figures(again);
            scree_world_destroy(again);
        }
        *at = saved;
    }
    free_copy(&copy);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_restored_world_goes_on_with_the_same_bits, LAB_GS_SINGLE),
        LAB_TEST(test_restored_world_goes_on_with_the_same_bits, LAB_JACOBI_DOUBLE),
        cmocka_unit_test(test_restored_world_is_whole),
        cmocka_unit_test(test_order_of_fields_is_free),
        cmocka_unit_test(test_names_are_plain_and_distinct),
        cmocka_unit_test(test_missing_or_misshapen_fields_are_refused),
        cmocka_unit_test(test_numbers_that_are_none_are_refused),
        cmocka_unit_test(test_integers_out_of_range_do_no_harm),
        cmocka_unit_test(test_random_damage_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
