// Fuzzing what comes out of a checkpoint. The first byte chooses the door:
//
//     0      modulo 4: the rest is a file, read as a checkpoint through the whole reader;
//     2      the rest is a file whose head nobody looks at, so that a forger needs no checksum;
//     odd    the rest is a list of changes to the arrays of a small valid world, which are then restored. So values,
//            sizes, types and missing arrays are reached that no damaged file could get past the checksum with.
//
// A world that is accepted must survive a step and everything that reads it.
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "record/checkpoint.h"
#include "record/hdf5/container.h"
#include "record/state.h"
#include "scree/joint.h"
#include "step/snapshot_layout.h"

enum { MOST_VALUES = 1 << 14, MOST_ITERATIONS = 100, MOST_CHANGES = 24 };

static void exercise(scree_world *world)
{
    // A scene may ask for any number of sweeps; the fuzzer has no time for them.
    if (scree_world_get_def(world).solver.iterations <= MOST_ITERATIONS)
        scree_world_step(world, 1, NULL);
    size_t count = scree_world_body_count(world);
    scree_id *ids = calloc(count + 1, sizeof *ids);
    scree_world_body_ids(world, ids);
    for (size_t i = 0; i < count; i++) {
        scree_body_info info;
        scree_state state;
        scree_shape_def shape;
        if (scree_world_get_body(world, ids[i], &info, NULL) != SCREE_OK ||
            scree_world_get_states(world, &ids[i], 1, &state, NULL) != SCREE_OK)
            abort();
        for (size_t k = 0; k < info.shape_count; k++)
            if (scree_world_get_shape(world, ids[i], k, &shape, NULL) != SCREE_OK)
                abort();
    }
    scree_id joints[16];
    size_t joint_count = scree_world_joint_count(world);
    if (joint_count <= 16)
        scree_world_joint_ids(world, joints);
    for (size_t i = 0; i < joint_count && joint_count <= 16; i++) {
        scree_joint_state state;
        if (scree_world_get_joint(world, joints[i], &state, NULL) != SCREE_OK)
            abort();
    }
    scree_contact contacts[64];
    scree_world_contacts(world, contacts, 64);
    scree_world_figures(world);
    scree_world_hash(world);
    snapshot taken;
    if (snapshot_take(world, &taken, NULL) == SCREE_OK)
        snapshot_release(&taken);
    if (count)
        scree_world_remove_bodies(world, ids, 1, NULL);
    free(ids);
}

// ------------------------------------------------------------------------------------------------------------- files

static const char *scratch_path(void)
{
    static char path[256];
    const char *folder = getenv("TMPDIR");
    if (!*path)
        snprintf(path, sizeof path, "%s/scree-fuzz-checkpoint-%d.h5", folder ? folder : "/tmp", (int)getpid());
    return path;
}

static void remove_scratch(void)
{
    unlink(scratch_path());
}

static void write_scratch(const uint8_t *data, size_t size)
{
    int descriptor = open(scratch_path(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (descriptor < 0 || write(descriptor, data, size) != (ssize_t)size)
        abort();
    close(descriptor);
}

static void read_without_head(const uint8_t *data, size_t size)
{
    static const char *const groups[] = {"run", "world"};
    write_scratch(data, size);
    int descriptor = open(scratch_path(), O_RDONLY);
    for (int i = 0; i < 2; i++) {
        snapshot arrays;
        scree_world *world = NULL;
        if (container_read(descriptor, groups[i], &arrays, "file", NULL) != SCREE_OK)
            continue;
        if (i == 1 && snapshot_restore(&arrays, 1, &world, NULL) == SCREE_OK)
            exercise(world);
        scree_world_destroy(world);
        state_release(&arrays);
    }
    close(descriptor);
}

static void read_as_file(const uint8_t *data, size_t size)
{
    checkpoint opened;
    scree_world *world = NULL;
    write_scratch(data, size);
    if (checkpoint_open(scratch_path(), &opened, NULL) != SCREE_OK)
        return;
    if (checkpoint_world(&opened, 1, &world, NULL) == SCREE_OK)
        exercise(world);
    scree_world_destroy(world);
    checkpoint_close(&opened);
}

// ----------------------------------------------------------------------------------------------------------- changes

static void add(scree_world *world, scree_shape_def shape, vec3 position, bool fixed)
{
    scree_body_def def = scree_default_body_def();
    def.shapes = &shape;
    def.shape_count = 1;
    def.position = position;
    def.fixed = fixed;
    if (scree_world_add_bodies(world, &def, 1, NULL, NULL) != SCREE_OK)
        abort();
}

// A hinge with all that it may have, a rope to the moved box, a slide, a rack, a spring.
static void add_joints(scree_world *world)
{
    scree_joint_def defs[5];
    for (int i = 0; i < 5; i++)
        defs[i] = scree_default_joint_def();
    defs[0].type = SCREE_JOINT_REVOLUTE;
    defs[0].bodies[1] = 3;
    defs[0].motor = (scree_motor_def){SCREE_MOTOR_POSITION, 1, 20, 0.5, 1, 0, 0.1};
    defs[0].low = -1;
    defs[0].high = 2;
    defs[0].friction = 1;
    defs[0].break_force = 1e6;
    defs[1].type = SCREE_JOINT_DISTANCE;
    defs[1].bodies[0] = 2;
    defs[1].bodies[1] = 5;
    defs[1].positions[1] = vec3_make(0.2, 0.1, 2);
    defs[2].type = SCREE_JOINT_PRISMATIC;
    defs[2].bodies[1] = 6;
    defs[2].stiffness = 1e4;
    defs[3].type = SCREE_JOINT_SPRING;
    defs[3].bodies[0] = 5;
    defs[3].bodies[1] = 6;
    defs[3].positions[1] = vec3_make(0, 0, 1);
    defs[3].stiffness = 100;
    defs[4].type = SCREE_JOINT_RACK;
    defs[4].joints[0] = 1;
    defs[4].joints[1] = 3;
    if (scree_world_add_joints(world, defs, 4, NULL, NULL) != SCREE_OK ||
        scree_world_add_joints(world, defs + 4, 1, NULL, NULL) != SCREE_OK)
        abort();
}

// A plane, a moved box, spheres and boxes in contact, a compound, joints, an id that is gone, a force that waits.
static scree_world *sample_world(void)
{
    scree_world_def def = scree_default_world_def();
    scree_world *world;
    scree_motion_def motion = scree_default_motion_def();
    scree_shape_def shapes[3] = {scree_default_shape_def(), scree_default_shape_def(), scree_default_shape_def()};
    scree_body_def lump = scree_default_body_def();
    scree_id gone = 4, pushed = 5;
    def.threads = 1;
    scree_material_def material = scree_default_material_def();
    material.rolling_friction = 0.01;
    if (scree_world_create(&def, &world, NULL) != SCREE_OK ||
        scree_world_set_material(world, 0, &material, NULL) != SCREE_OK)
        abort();
    shapes[0].type = SCREE_SHAPE_PLANE;
    shapes[0].normal = vec3_make(0, 0, 1);
    shapes[1].type = SCREE_SHAPE_BOX;
    shapes[1].half = vec3_make(0.5, 0.4, 0.3);
    add(world, shapes[0], vec3_make(0, 0, 0), true);
    add(world, shapes[1], vec3_make(2, 0, 0.3), true);
    for (int i = 0; i < 4; i++)
        add(world, shapes[1 + i % 2], vec3_make(0.1 * i, 0.05 * i, 0.5 + 0.9 * i), false);
    shapes[0] = shapes[1];
    shapes[2].position = vec3_make(0.5, 0, 0);
    lump.shapes = shapes;
    lump.shape_count = 3;
    lump.position = vec3_make(-2, 0, 0.6);
    motion.type = SCREE_MOTION_ROTATION;
    motion.axis = vec3_make(0, 0, 1);
    motion.speed = 1;
    add_joints(world);
    if (scree_world_add_bodies(world, &lump, 1, NULL, NULL) != SCREE_OK ||
        scree_world_set_motion(world, 2, &motion, NULL) != SCREE_OK || scree_world_step(world, 20, NULL) != SCREE_OK ||
        scree_world_remove_bodies(world, &gone, 1, NULL) != SCREE_OK ||
        scree_world_apply_forces(world, &pushed, &(vec3){1, 2, 3}, NULL, 1, NULL) != SCREE_OK)
        abort();
    return world;
}

static void copy_of_sample(snapshot *copy)
{
    static scree_world *world;
    snapshot taken;
    if (!world)
        world = sample_world();
    if (snapshot_take(world, &taken, NULL) != SCREE_OK)
        abort();
    for (size_t i = 0; i < taken.count; i++) {
        const snapshot_field *field = &taken.fields[i];
        if (state_put(copy, field->name, field->type, field->rows, field->columns, field->data, NULL) != SCREE_OK)
            abort();
    }
    snapshot_release(&taken);
}

typedef struct array_change { // as the input has it
    uint8_t action, field, at[2];
    uint8_t value[8];
} array_change;

// Another size or type for an array; what is new is zero.
static void reshape(snapshot_field *field, snapshot_type type, size_t rows, size_t columns)
{
    if (columns == 0 || rows > MOST_VALUES / columns)
        return;
    size_t before = field->rows * field->columns * snapshot_element_size(field->type);
    size_t after = rows * columns * snapshot_element_size(type);
    void *data = calloc(1, after + 1);
    memcpy(data, field->data, before < after ? before : after);
    free((void *)field->data);
    *field = (snapshot_field){field->name, type, rows, columns, data};
}

static void set_value(snapshot_field *field, size_t at, const void *value)
{
    size_t size = snapshot_element_size(field->type), count = field->rows * field->columns;
    if (count)
        memcpy((char *)field->data + at % count * size, value, size);
}

static void set_special(snapshot_field *field, size_t at, uint8_t choice)
{
    static const double reals[] = {
        0,   -0.0,        1,   -1,   1e-300, 1e300, (double)INFINITY, (double)-INFINITY, 1e-45, 1e40,
        1e9, (double)NAN, 0.5, 1e-9, -1e9,   0x1p53};
    static const uint64_t integers[] = {
        0,          1, 2, 3, 4, 5, 6, 7, 255, 65535, 0x7fffffff, 0xffffffff, 0xffffffffffffffff, 0x8000000000000000,
        0xfffffffe, 64};
    double real = reals[choice % 16];
    float narrow = (float)real;
    if (field->type == SNAPSHOT_F64)
        set_value(field, at, &real);
    else if (field->type == SNAPSHOT_F32)
        set_value(field, at, &narrow);
    else
        set_value(field, at, &integers[choice % 16]);
}

static void apply(snapshot *arrays, const array_change *change)
{
    if (arrays->count == 0)
        return;
    snapshot_field *field = &arrays->fields[change->field % arrays->count];
    size_t at = (size_t)(change->at[0] | change->at[1] << 8);
    switch (change->action % 8) {
    case 0:
    case 1:
        set_value(field, at, change->value);
        break;
    case 2:
    case 3:
        set_special(field, at, change->value[0]);
        break;
    case 4:
        reshape(field, field->type, change->value[0] % 2 ? at : field->rows + change->value[1] % 3 - 1, field->columns);
        break;
    case 5:
        reshape(field, field->type, field->rows, change->value[0] % 32);
        break;
    case 6:
        reshape(field, (snapshot_type)(change->value[0] % 6), field->rows, field->columns);
        break;
    case 7:
        free((void *)field->name);
        free((void *)field->data);
        *field = arrays->fields[--arrays->count];
        break;
    }
}

static void restore_changed(const uint8_t *data, size_t size)
{
    snapshot arrays = {0};
    scree_world *world = NULL;
    scree_error error = {0};
    copy_of_sample(&arrays);
    for (size_t i = 0; i < MOST_CHANGES && size >= sizeof(array_change); i++) {
        array_change next;
        memcpy(&next, data, sizeof next);
        data += sizeof next;
        size -= sizeof next;
        apply(&arrays, &next);
    }
    scree_status status = snapshot_restore(&arrays, 1, &world, &error);
    if (status == SCREE_OK)
        exercise(world);
    else if (status == SCREE_ERROR_INVALID && error.message[0] == '\0')
        abort(); // every refusal says why
    scree_world_destroy(world);
    state_release(&arrays);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool registered;
    if (!registered)
        registered = atexit(remove_scratch) == 0;
    if (size == 0)
        return 0;
    if (data[0] % 4 == 0)
        read_as_file(data + 1, size - 1);
    else if (data[0] % 4 == 2)
        read_without_head(data + 1, size - 1);
    else
        restore_changed(data + 1, size - 1);
    return 0;
}
