// The driver of other engines: options, scenes, steps, one line of JSON.
#include "peer.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace
{

struct options {
    const char *scene = "";
    size_t bodies = 0, iterations = 0, steps = 0, last = 50, hard = 0;
    double ratio = 1;
};

bool read_options(int argc, char **argv, options &given)
{
    given.scene = argc > 1 ? argv[1] : "";
    for (int i = 2; i + 1 < argc; i += 2) {
        size_t *value = !strcmp(argv[i], "--bodies")       ? &given.bodies
                        : !strcmp(argv[i], "--iterations") ? &given.iterations
                        : !strcmp(argv[i], "--steps")      ? &given.steps
                        : !strcmp(argv[i], "--last")       ? &given.last
                        : !strcmp(argv[i], "--hard")       ? &given.hard
                                                           : nullptr;
        bool done = value && (*value = strtoull(argv[i + 1], nullptr, 10)) > 0;
        if (!done && !strcmp(argv[i], "--ratio"))
            done = (given.ratio = strtod(argv[i + 1], nullptr)) > 0;
        if (!done)
            return false;
    }
    return argc % 2 == 0;
}

void add_container(peer_engine &engine, double width)
{
    const double walls[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    engine.add_plane(0, 0, 1, 0);
    for (const double *wall : walls)
        engine.add_plane(wall[0], wall[1], 0, -0.5 * width);
}

void take_steps(peer_engine &engine, const options &given, stack_motion *watched, step_result &result)
{
    step_times times;
    double resident_before = memory_resident_bytes();
    if (!step_times_make(&times, given.last))
        exit(1);
    for (size_t step = 0; step < given.steps; step++) {
        bool timed = step + given.last >= given.steps;
        if (step + given.last == given.steps) {
            step_result before = {};
            engine.stages(before, 1);
        }
        step_times_start(&times);
        engine.step();
        step_times_stop(&times, timed);
        for (size_t i = 0; watched && i < given.bodies; i++)
            stack_motion_note(watched, i, engine.place(i));
    }
    result.bodies = given.bodies;
    result.threads = 1;
    result.residual_max = result.bytes_per_body = std::nan("");
    engine.stages(result, double(given.last));
    result.time = step_times_timing(&times);
    result.warm_up = given.steps - given.last;
    result.step_s = SCENE_STEP;
    result.contacts = engine.contacts(result.overlap);
    if (result.overlap.touching > 0)
        result.overlap.mean /= double(result.overlap.touching);
    result.resident_per_body = (memory_resident_bytes() - resident_before) / double(given.bodies);
    result.memory_bytes = memory_peak_bytes();
    step_times_free(&times);
}

bool run_pile(peer_engine &engine, const options &given, const char *name, step_result &result)
{
    pile_scene scene;
    if (!pile_scene_make(&scene, given.bodies))
        return false;
    add_container(engine, scene.width);
    for (size_t i = 0; i < scene.count; i++)
        engine.add_sphere(scene.spheres[i], pile_sphere_mass(scene.spheres[i].radius));
    engine.start();
    take_steps(engine, given, nullptr, result);
    for (size_t i = 0; i < scene.count; i++) {
        scene_sphere at = engine.place(i);
        at.radius = scene.spheres[i].radius;
        scene.spheres[i] = at;
    }
    bool done = overlap_measure(&scene, &result.overlap); // by our own yardstick
    pile_scene_free(&scene);
    json_line line = step_result_begin("pile", name, &result);
    json_line_end(&line);
    return done;
}

bool run_cubes(peer_engine &engine, const options &given, const char *name, step_result &result)
{
    cube_scene scene;
    if (!cube_scene_make(&scene, given.bodies))
        return false;
    add_container(engine, scene.width);
    for (size_t i = 0; i < scene.count; i++)
        engine.add_cube(scene.cubes[i], 1);
    engine.start();
    take_steps(engine, given, nullptr, result);
    cube_scene_free(&scene);
    json_line line = step_result_begin("cubes", name, &result);
    json_line_end(&line);
    return true;
}

bool run_stack(peer_engine &engine, const options &given, const char *name, step_result &result)
{
    stack_motion motion = {};
    engine.add_plane(0, 0, 1, 0);
    for (size_t i = 0; i < given.bodies; i++)
        engine.add_cube(stack_place(i), stack_mass(i, given.bodies, given.ratio));
    engine.start();
    take_steps(engine, given, &motion, result);
    json_line line = step_result_begin("stack", name, &result);
    stack_motion_print(&motion, given.ratio, &line);
    json_line_end(&line);
    return true;
}

const struct {
    const char *name;
    bool (*run)(peer_engine &, const options &, const char *, step_result &);
    size_t bodies, steps;
} scenes[] = {{"pile", run_pile, 16000, 300}, {"cubes", run_cubes, 1000, 300}, {"stack", run_stack, 10, STACK_STEPS}};

} // namespace

int peer_main(int argc, char **argv, const char *engine, int default_iterations, peer_maker *make)
{
    options given;
    bool understood = read_options(argc, argv, given);
    for (const auto &scene : scenes) {
        if (!understood || strcmp(scene.name, given.scene) != 0)
            continue;
        given.bodies = given.bodies ? given.bodies : scene.bodies;
        given.steps = given.steps ? given.steps : scene.steps;
        given.last = given.last < given.steps ? given.last : given.steps;
        int iterations = given.iterations ? int(given.iterations) : default_iterations;
        std::unique_ptr<peer_engine> made = make({iterations, given.hard > 0});
        if (!made)
            break;
        step_result result = {};
        result.iterations = iterations;
        result.setting = given.hard ? "hard contacts" : nullptr;
        return scene.run(*made, given, engine, result) ? 0 : 1;
    }
    fprintf(stderr,
            "usage: %s pile|cubes|stack [--bodies N] [--ratio K] [--iterations N] [--steps N] [--last N]"
            " [--hard 1]\n",
            argv[0]);
    return 2;
}
