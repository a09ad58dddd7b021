// What joints leave open, how hard they hold and what energy becomes, over the steps of a world.
#ifndef BENCH_SCENE_JOINT_WATCH_H
#define BENCH_SCENE_JOINT_WATCH_H

#include <stddef.h>

#include "bench/measure/json_line.h"
#include "scree/joint.h"

typedef struct joint_watch {
    scree_world *world;
    scree_id *joints; // those that hold a common point
    size_t count;
    scree_vec3 axis;     // along which pulls are noted
    size_t noted;        // how many times
    double gap, force;   // the largest so far; the force along the axis
    double first, least; // energy
    double most;
} joint_watch;

scree_status joint_watch_begin(joint_watch *watch, scree_world *world, scree_vec3 axis, scree_error *error);
scree_status joint_watch_note(void *watch, scree_error *error); // a before_step
void joint_watch_print(const joint_watch *watch, json_line *line);
void joint_watch_end(joint_watch *watch);

#endif
