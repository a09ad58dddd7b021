// How a snapshot lays out what it holds, shared by taking and restoring: the types of columns, the places of scalars.
#ifndef STEP_SNAPSHOT_LAYOUT_H
#define STEP_SNAPSHOT_LAYOUT_H

#include "step/settings.h"
#include "step/snapshot.h"
#include "world/body_store.h"

// A column of the body store by the type of its values: of which numbers, and how many.
#define NUMBERS_OF_scree_id SNAPSHOT_U64
#define NUMBERS_OF_uint32_t SNAPSHOT_U32
#define NUMBERS_OF_uint16_t SNAPSHOT_U16
#define NUMBERS_OF_uint8_t  SNAPSHOT_U8
#define NUMBERS_OF_double   SNAPSHOT_F64
#define NUMBERS_OF_vec3     SNAPSHOT_F64
#define NUMBERS_OF_quat     SNAPSHOT_F64
#define NUMBERS_OF_float    SNAPSHOT_F32
#define NUMBERS_OF_vec3f    SNAPSHOT_F32
#define WIDTH_OF(type)      (sizeof(type) / snapshot_element_size(NUMBERS_OF_##type))

enum { MATERIAL_REALS = 11, FORCE_REALS = 6 };
enum {
    PROXY_WORDS = 6,
    CONTACT_WORDS = 14,
    GEOMETRY_WORDS = 3,
    TOUCH_WORDS = 14,
    PUSH_WORDS = 8,
    HALF_KICK_WORDS = 14
};

// Places in `reals`.
enum {
    GRAVITY,
    STEP = GRAVITY + 3,
    TOLERANCE,
    RECOVERY_SPEED,
    OMEGA,
    LAMBDA,
    TIME,
    ORDER_TRAVEL,
    RADIUS_SUM,
    RESIDUAL_MEAN,
    RESIDUAL_MAX,
    METHOD_REALS, // the settings of methods, in their order
    STABLE_STEP = METHOD_REALS + SETTING_REALS,
    CELL,
    REALS, // how many
};

// Places in a row of `pairs`.
enum {
    PAIR_FRICTION,
    PAIR_RESTITUTION,
    PAIR_ROLLING,
    PAIR_SPINNING,
    PAIR_COHESION,
    PAIR_STIFFNESS,
    PAIR_DAMPING,
    PAIR_CONTACT_TIME,
    PAIR_CONTACT_MODULUS,
    PAIR_SHEAR_MODULUS,
    PAIR_OVERRIDDEN,
    PAIR_REALS, // how many
};

// Places in a row of `motions`.
enum {
    MOTION_TYPE,
    MOTION_AXIS,
    MOTION_AMPLITUDE = MOTION_AXIS + 3,
    MOTION_FREQUENCY,
    MOTION_PHASE,
    MOTION_LINEAR,
    MOTION_ANGULAR = MOTION_LINEAR + 3,
    MOTION_CENTER = MOTION_ANGULAR + 3,
    MOTION_SPEED = MOTION_CENTER + 3,
    MOTION_START_POSITION,
    MOTION_START_ORIENTATION = MOTION_START_POSITION + 3,
    MOTION_START_TIME = MOTION_START_ORIENTATION + 4,
    MOTION_REALS, // how many
};

// Places in `integers`.
enum {
    METHOD,
    STEPS,
    STEPS_IN_ORDER,
    ALGORITHM,
    ITERATIONS,
    PRECISION,
    WARM_START,
    LAST_ID,
    SOLVED_ITERATIONS,
    SOLVED_ALGORITHM,
    MOVABLE_COUNT,
    CONTACTS_PER_PAIR,
    WATCH_TOUCHES,
    FRICTION,
    SLEEP,
    SOLVED_STOP,
    FILTERS,
    METHOD_CHOICES,
    INTEGERS = METHOD_CHOICES + SETTING_CHOICES, // how many
};

#endif
