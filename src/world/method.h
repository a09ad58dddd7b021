// A method takes a world through its steps: a table of functions, behind which it may keep a state of its own from step
// to step. src/step/methods.c lists the methods; nothing else knows which there are.
#ifndef WORLD_METHOD_H
#define WORLD_METHOD_H

#include "base/clock.h"
#include "world/world.h"

// What a method remembers of one contact, as a snapshot holds it.
typedef struct method_record {
    uint64_t words[7];
} method_record;

typedef ARRAY(method_record) method_record_array;

// A setting of a method: a number in scree_world_def that it alone reads. Its default, its range and its place in a
// snapshot follow from this row.
typedef struct method_setting {
    const char *name; // in messages
    size_t offset;    // in scree_world_def, of a double, or of an enumeration when there are choices
    int choices;      // how many values the enumeration has; 0 for a double, which is at least 0
    double normal;    // its value by scree_default_world_def
} method_setting;

typedef struct method {
    const char *name; // as scenes say it

    const method_setting *settings;
    size_t setting_count;

    // One step. It ends its stages one after the other; what comes after the last is of stage integrate.
    scree_status (*step)(scree_world *world, scree_error *error);

    const char *no_joints;   // the reason why joints are refused when they are added; NULL when they are not
    bool follows_paths;      // contacts of fast pairs are those of the moment of impact (contact/meet.h)
    bool impulses_hold_pull; // those of contacts are larger than what acts by what cohesion pulls

    // The rest may be NULL, for a method that has nothing to do or to say.

    // Refuses what the method cannot do, before the first step; tells the longest step that it takes.
    scree_status (*check)(scree_world *world, double *longest_step, scree_error *error);

    // Called before bodies change their slots or filters: by slots nothing is to be remembered any longer.
    void (*slots_will_move)(scree_world *world);

    // Called before somebody reads the contacts, which the method may have counted only.
    void (*contacts_wanted)(const scree_world *world);

    // Are contacts found half a step before its end? Otherwise at its beginning.
    bool (*detects_midway)(const scree_world *world);

    void (*add_energy)(const scree_world *world, double *sum); // that springs of contacts hold
    double (*stable_step)(const scree_world *world);           // the longest by the contacts so far; 0: not known
    size_t (*bytes)(const scree_world *world);                 // of memory that its state takes

    // The state for a snapshot, and back into a world without one.
    bool (*pack)(const scree_world *world, method_record_array *records);
    scree_status (*unpack)(scree_world *world, const method_record *records, size_t count, double stable_step,
                           scree_error *error);

    void (*free)(scree_world *world); // its state
} method;

// The clock of a step: every moment between its beginning and its end belongs to a stage.
static inline void stages_begin(scree_world *world)
{
    world->last = (scree_stage_times){0};
    world->stage_begun = clock_seconds();
}

// All that was done since the last stage ended belongs to this one of world->last.
static inline void stage_ends(scree_world *world, double *stage)
{
    double now = clock_seconds();
    *stage += now - world->stage_begun;
    world->stage_begun = now;
}

// The same for a part of a stage that has a clock of its own.
static inline void stage_part_ends(scree_world *world, double *stage, double *part)
{
    double before = *stage;
    stage_ends(world, stage);
    *part += *stage - before;
}

static inline void slots_will_move(scree_world *world)
{
    if (world->method->slots_will_move)
        world->method->slots_will_move(world);
}

static inline void contacts_wanted(const scree_world *world)
{
    if (world->method->contacts_wanted)
        world->method->contacts_wanted(world);
}

static inline double method_stable_step(const scree_world *world)
{
    return world->method->stable_step ? world->method->stable_step(world) : 0;
}

#endif
