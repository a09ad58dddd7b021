// How well a stack stands, from where its cubes are: the same yardstick for every engine.
#ifndef BENCH_SCENE_STACK_MOTION_H
#define BENCH_SCENE_STACK_MOTION_H

#include "bench/measure/json_line.h"
#include "bench/scene/scenes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stack_motion {
    double drift; // farthest that a cube ever was from the axis
    double sink;  // deepest that a cube ever was below its place
    double rise;  // highest above it
} stack_motion;

void stack_motion_note(stack_motion *motion, size_t cube, scene_sphere at);

// Fallen is what has lost half an edge of height or left the axis by as much, or is nowhere.
void stack_motion_print(const stack_motion *motion, double ratio, json_line *line);

#ifdef __cplusplus
}
#endif

#endif
