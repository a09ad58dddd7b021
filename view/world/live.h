// A simulation, or a run that is played back, in a thread of its own, and what a window sees of it.
//
// Three moments go round between the two threads: the simulation fills one, the window draws another, and the newest
// finished one lies between them. Each side swaps its own with that one under a lock that is held for a few
// instructions, so that the picture never waits for a step and no step waits for the picture. Moments are copied no
// more often than costs a twenty-fifth of the steps, or five times a second.
#ifndef VIEW_WORLD_LIVE_H
#define VIEW_WORLD_LIVE_H

#include "record/replay.h"
#include "view/world/world_bodies.h"

typedef struct live live;

typedef struct live_moment {
    world_bodies bodies;
    uint64_t generation; // counts the worlds: another one since a reset or a change of scene
    size_t variant;      // which scene
    bool paused;
    double speed; // simulated time over real time that is wanted
    uint64_t steps;
    double steps_per_second; // of late
    double own_share;        // time spent on copying moments over time spent on steps
    scree_stage_times stages;
    size_t contacts;           // how many; bodies.contacts has them when they are wanted
    size_t frame, frame_count; // of a run; 0 of a scene
    bool may_have_contacts;    // false for frames that hold none
    bool pulling;
    scree_vec3 pull[2]; // from where on the body to where
    bool failed;
    scree_error error; // why it cannot go on
} live_moment;

typedef struct live_def {
    scree_scene *const *scenes; // one at least, unless a run is given; they must outlive it
    size_t scene_count;
    replay *run;        // to play back instead; must outlive it
    int threads;        // as in scree_world_def
    bool paused;        // at first
    void (*wake)(void); // called from the other thread when there is something new; NULL: nobody
} live_def;

scree_status live_open(live **made, const live_def *def, scree_error *error);
void live_close(live *from); // ends the thread; accepts NULL

// The newest moment, which stays as it is until the next call; `is_new` tells whether it is another one than before.
// NULL before there is any.
const live_moment *live_look(live *from, bool *is_new);

// Wishes, which the simulation grants between two steps.
void live_pause(live *to, bool paused);
void live_step(live *to); // one step, or one frame; pauses
void live_reset(live *to, size_t variant);
void live_set_speed(live *to, double speed);

// Whether moments shall have contacts, which cost as much as all else; at first they have none.
void live_want_contacts(live *to, bool wanted);

// Pulls a point of a body, given in the body's frame about its centre of mass, towards a target by a spring that suits
// its mass; id 0 lets go.
void live_pull(live *to, scree_id body, scree_vec3 point, scree_vec3 target);

#endif
