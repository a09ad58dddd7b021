// Places in the arrays of a snapshot that hold scalars, shared by taking and restoring.
#ifndef DYNAMICS_SNAPSHOT_LAYOUT_H
#define DYNAMICS_SNAPSHOT_LAYOUT_H

enum { REALS = 17, MOTION_REALS = 25, FORCE_REALS = 6 };
enum { MATERIAL_REALS = 11, PAIR_REALS = 11 };
enum { PROXY_WORDS = 6, CONTACT_WORDS = 14, GEOMETRY_WORDS = 3, TOUCH_WORDS = 14 };

enum {
    METHOD,
    STEPS,
    STEPS_IN_ORDER,
    ALGORITHM,
    ITERATIONS,
    PRECISION,
    WARM_START,
    IDS,
    SOLVED_ITERATIONS,
    SOLVED_ALGORITHM,
    MOVABLE_COUNT,
    CONTACTS_PER_PAIR,
    WATCH_TOUCHES,
    FRICTION,
    SLEEP,
    SOLVED_STOP,
    FILTERS,
    CONTACT_LAW,
    INTEGRATOR,
    INTEGERS, // how many
};

#endif
