// The driver of engines that are run by their own command.
#include "outside.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <ftw.h>
#include <unistd.h>

#include "bench/measure/step_result.h"

namespace
{

bool read_options(int argc, char **argv, outside_options &given)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--command")) {
            given.command = argv[i + 1];
            continue;
        }
        size_t *value = !strcmp(argv[i], "--spheres")   ? &given.spheres
                        : !strcmp(argv[i], "--steps")   ? &given.steps
                        : !strcmp(argv[i], "--last")    ? &given.last
                        : !strcmp(argv[i], "--stiffer") ? &given.stiffer
                                                        : nullptr;
        if (!value || !(*value = strtoull(argv[i + 1], nullptr, 10)))
            return false;
    }
    return argc % 2 == 1 && given.last <= given.steps;
}

// Wall time and processor time are those of the last steps, by the engine's own clock.
bool run(const std::string &command, outside_engine &engine, double &wall, double &cpu)
{
    FILE *output = popen(command.c_str(), "r");
    if (!output)
        return false;
    char line[1000];
    bool found = false;
    while (fgets(line, sizeof line, output)) {
        found = engine.read_time(line, wall, cpu) || found;
        if (!strncmp(line, "ERROR", 5))
            fputs(line, stderr);
    }
    return pclose(output) == 0 && found;
}

bool read_places(const std::string &path, pile_scene &scene)
{
    FILE *file = fopen(path.c_str(), "r");
    char line[1000];
    size_t read = 0;
    while (file && fgets(line, sizeof line, file)) {
        size_t id;
        double x, y, z;
        if (sscanf(line, "%zu %lf %lf %lf", &id, &x, &y, &z) != 4 || id < 1 || id > scene.count)
            continue;
        scene_sphere &sphere = scene.spheres[id - 1];
        sphere.x = x, sphere.y = y, sphere.z = z;
        read++;
    }
    if (file)
        fclose(file);
    return read == scene.count;
}

void print_line(const char *name, const outside_options &given, double wall, double cpu, const overlap_figures &overlap)
{
    double last = double(given.last);
    json_line line = json_line_begin("particles", name);
    json_line_count(&line, "bodies", given.spheres);
    json_line_count(&line, "threads", 1);
    if (given.stiffer > 1)
        json_line_text(&line, "setting", ("springs " + std::to_string(given.stiffer) + " times as stiff").c_str());
    json_line_number(&line, "ms_per_step", 1e3 * wall / last);
    json_line_number(&line, "cpu_ms_per_step", 1e3 * cpu / last);
    json_line_number(&line, "cpu_ms_per_10ms", 1e3 * cpu / last * 0.01 / given.step());
    json_line_count(&line, "warm_up", given.steps - given.last);
    json_line_count(&line, "repeats", given.last);
    json_line_number(&line, "particle_steps_per_s", double(given.spheres) * last / cpu);
    json_line_number(&line, "penetration_mean", overlap.mean);
    json_line_number(&line, "penetration_max", overlap.maximum);
    json_line_count(&line, "touching", overlap.touching);
    json_line_end(&line);
}

int remove_one(const char *path, const struct stat *, int, struct FTW *)
{
    return remove(path);
}

} // namespace

int outside_main(int argc, char **argv, const char *name, const char *command, outside_engine &engine)
{
    outside_options given;
    pile_scene scene;
    overlap_figures overlap = {};
    scree_error error = {};
    char folder[4096];
    double wall = 0, cpu = 0;
    given.command = command;
    if (!read_options(argc, argv, given)) {
        fprintf(stderr, "usage: %s [--spheres N] [--steps N] [--last N] [--stiffer K] [--command COMMAND]\n", argv[0]);
        return 2;
    }
    if (!pile_scene_make(&scene, given.spheres))
        return 1;
    if (temporary_folder(folder, sizeof folder, &error) != SCREE_OK) {
        fprintf(stderr, "%s: %s\n", argv[0], error.message);
        pile_scene_free(&scene);
        return 1;
    }
    std::string at = folder, whole = "cd " + at + " && OMP_NUM_THREADS=1 " + given.command + " " + engine.arguments();
    bool done = engine.write(scene, given, at) && run(whole, engine, wall, cpu) && read_places(at + "/places", scene) &&
                overlap_measure(&scene, &overlap);
    if (done)
        print_line(name, given, wall, cpu, overlap);
    else
        fprintf(stderr, "%s: '%s' did not finish\n", argv[0], given.command.c_str());
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    pile_scene_free(&scene);
    return done ? 0 : 1;
}
