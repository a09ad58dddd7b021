#include "bench/scene/stack_motion.h"

#include <math.h>

static double worse(double a, double b)
{
    return isnan(b) ? HUGE_VAL : fmax(a, b);
}

void stack_motion_note(stack_motion *motion, size_t cube, scene_sphere at)
{
    double down = stack_place(cube).z - at.z;
    motion->drift = worse(motion->drift, hypot(at.x, at.y));
    motion->sink = worse(motion->sink, down);
    motion->rise = worse(motion->rise, -down);
}

void stack_motion_print(const stack_motion *motion, double ratio, json_line *line)
{
    json_line_number(line, "ratio", ratio);
    json_line_number(line, "drift", motion->drift);
    json_line_number(line, "sink", motion->sink);
    json_line_number(line, "rise", motion->rise);
    json_line_text(line, "stands", motion->drift < 0.5 && motion->sink < 0.5 && motion->rise < 0.5 ? "yes" : "no");
}
