// A joint as numbers in a row, and back. Numbers from a file are checked as a definition is, and for what a definition
// does not say.
#include "step/joint_snapshot.h"

#include "base/error.h"
#include "world/joints/joint_check.h"
#include "world/joints/joints.h"

// Every number of a joint: its place, how many there are, and whether they must be finite.
#define REAL_FIELDS(X)                                                                                                 \
    X(def.position, 3, true)                                                                                           \
    X(def.positions, 6, true)                                                                                          \
    X(def.axis, 3, true)                                                                                               \
    X(def.second_axis, 3, true)                                                                                        \
    X(def.stiffness, 1, true)                                                                                          \
    X(def.damping, 1, true)                                                                                            \
    X(def.angular_stiffness, 1, true)                                                                                  \
    X(def.angular_damping, 1, true)                                                                                    \
    X(def.axis_stiffness, 1, true)                                                                                     \
    X(def.axis_damping, 1, true)                                                                                       \
    X(def.rest, 1, true)                                                                                               \
    X(def.length, 1, true)                                                                                             \
    X(def.angle, 1, true)                                                                                              \
    X(def.preload, 1, true)                                                                                            \
    X(def.low, 1, false)                                                                                               \
    X(def.high, 1, false)                                                                                              \
    X(def.friction, 1, true)                                                                                           \
    X(def.break_force, 1, false)                                                                                       \
    X(def.break_torque, 1, false)                                                                                      \
    X(def.motor.target, 1, true)                                                                                       \
    X(def.motor.max_force, 1, false)                                                                                   \
    X(def.motor.amplitude, 1, true)                                                                                    \
    X(def.motor.frequency, 1, true)                                                                                    \
    X(def.motor.phase, 1, true)                                                                                        \
    X(def.motor.response, 1, true)                                                                                     \
    X(def.ratio, 1, true)                                                                                              \
    X(anchor, 6, true)                                                                                                 \
    X(frame, 8, true)                                                                                                  \
    X(offset, 1, true)                                                                                                 \
    X(expected, 1, true)                                                                                               \
    X(motor_start, 1, true)                                                                                            \
    X(sense, 8, true)                                                                                                  \
    X(geometric_damping, 3, true)                                                                                      \
    X(impulse, JOINT_ROWS, true)                                                                                       \
    X(force, 3, true)                                                                                                  \
    X(torque, 3, true)                                                                                                 \
    X(local_force, 3, true)                                                                                            \
    X(local_torque, 3, true)

typedef struct real_field {
    size_t offset;
    int count;
    bool finite;
} real_field;

#define ROW(member, count, finite) {offsetof(joint, member), (count), (finite)},
static const real_field real_fields[] = {REAL_FIELDS(ROW)};
#undef ROW
enum { FIELD_COUNT = sizeof real_fields / sizeof *real_fields };

#define PLUS(member, count, finite) +(count)
_Static_assert(JOINT_REALS == 0 REAL_FIELDS(PLUS), "a row has room for all numbers");
#undef PLUS

enum joint_word { ID, TYPE, BODY, JOINT = BODY + 2, MOTOR = JOINT + 2, COLLIDE, BROKEN, NEAR_HIGH };

void joint_pack(const joint *of, uint64_t *words, double *reals)
{
    const uint64_t all[JOINT_WORDS] = {
        [ID] = of->id,
        [TYPE] = (uint64_t)of->def.type,
        [BODY] = of->def.bodies[0],
        [BODY + 1] = of->def.bodies[1],
        [JOINT] = of->def.joints[0],
        [JOINT + 1] = of->def.joints[1],
        [MOTOR] = (uint64_t)of->def.motor.type,
        [COLLIDE] = of->def.collide,
        [BROKEN] = of->broken,
        [NEAR_HIGH] = of->near_high,
    };
    memcpy(words, all, sizeof all);
    for (int i = 0; i < FIELD_COUNT; i++) {
        memcpy(reals, (const char *)of + real_fields[i].offset, (size_t)real_fields[i].count * sizeof *reals);
        reals += real_fields[i].count;
    }
}

static bool read_reals(joint *of, const double *reals)
{
    for (int i = 0; i < FIELD_COUNT; i++) {
        const real_field *field = &real_fields[i];
        for (int k = 0; k < field->count; k++)
            if (field->finite ? !isfinite(reals[k]) : isnan(reals[k]))
                return false;
        memcpy((char *)of + field->offset, reals, (size_t)field->count * sizeof *reals);
        reals += field->count;
    }
    for (int i = 0; i < 2; i++)
        if (joint_kind_of(of->def.type)->measure != OF_OTHERS && !(fabs(quat_length(of->frame[i]) - 1) < 1e-6))
            return false;
    return true;
}

// Only what swings is steadied; a row for anything else would never be made.
static bool geometric_damping_fits(const joint *of)
{
    for (int i = 0; i < 3; i++)
        if (i < joint_swing_count(of) ? of->geometric_damping[i] < 0 : of->geometric_damping[i] != 0)
            return false;
    return true;
}

static bool sense_fits(const motor_sense *sense)
{
    return sense->time >= 0 && (sense->time > 0 || !(sense->seen > 0)) && sense->pushes >= 0 && sense->answers >= 0;
}

static bool is_flag(uint64_t word)
{
    return word <= 1;
}

// A gear stands for the second bodies of its joints.
static bool bodies_fit(const scree_world *world, const joint *of)
{
    if (joint_kind_of(of->def.type)->measure != OF_OTHERS)
        return of->def.joints[0] == 0 && of->def.joints[1] == 0;
    for (int i = 0; i < 2; i++) {
        uint32_t slot = joint_slot(&world->joints, of->def.joints[i]);
        if (slot == NO_SLOT || world->joints.list.data[slot].def.bodies[1] != of->def.bodies[i])
            return false;
    }
    return true;
}

scree_status joint_unpack(scree_world *world, const uint64_t *words, const double *reals, scree_error *error)
{
    joint_store *store = &world->joints;
    scree_id before = store->list.count ? store->list.data[store->list.count - 1].id : 0;
    if (words[TYPE] >= SCREE_JOINT_TYPES || words[MOTOR] > SCREE_MOTOR_POSITION || !is_flag(words[COLLIDE]) ||
        !is_flag(words[BROKEN]) || !is_flag(words[NEAR_HIGH]) || words[ID] <= before || words[ID] > store->last_id)
        return fail(error, SCREE_ERROR_INVALID, "joint %llu has an impossible value", (unsigned long long)words[ID]);
    joint made = {.id = words[ID],
                  .def = {.type = (scree_joint_type)words[TYPE],
                          .bodies = {words[BODY], words[BODY + 1]},
                          .joints = {words[JOINT], words[JOINT + 1]},
                          .collide = words[COLLIDE] != 0,
                          .motor.type = (scree_motor_type)words[MOTOR]},
                  .broken = words[BROKEN] != 0,
                  .near_high = words[NEAR_HIGH] != 0};
    if (!read_reals(&made, reals) || !sense_fits(&made.sense) || !geometric_damping_fits(&made) ||
        !bodies_fit(world, &made))
        return fail(error, SCREE_ERROR_INVALID, "joint %llu has an impossible value", (unsigned long long)made.id);
    scree_error reason = {0};
    if (joint_check(world, &made.def, &reason))
        return fail(error, SCREE_ERROR_INVALID, "joint %llu: %s", (unsigned long long)made.id, reason.message);
    return array_push(&store->list, made) ? SCREE_OK : fail_no_memory(error);
}
