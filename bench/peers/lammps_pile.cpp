// The pile in LAMMPS: spheres of the same places, sizes and masses, Hertz-Mindlin contacts with tangential history
// between them and with the container, one process. LAMMPS is run by its command, since that is how its users run it;
// the line of JSON has the time of the last steps by its own clock.
//
//     lammps_pile [--spheres N] [--steps N] [--last N] [--lmp COMMAND]
//
// Young's modulus, Poisson's ratio and the step are those of `scree bench particles`.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <unistd.h>

#include "bench/particles.h"
#include "bench/scenes.h"
#include "bench/step_result.h"

namespace
{

struct options {
    size_t spheres = 16000, steps = 8000, last = 1000;
    std::string command = "lmp";
};

bool read_options(int argc, char **argv, options &given)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--lmp")) {
            given.command = argv[i + 1];
            continue;
        }
        size_t *value = !strcmp(argv[i], "--spheres") ? &given.spheres
                        : !strcmp(argv[i], "--steps") ? &given.steps
                        : !strcmp(argv[i], "--last")  ? &given.last
                                                      : nullptr;
        if (!value || !(*value = strtoull(argv[i + 1], nullptr, 10)))
            return false;
    }
    return argc % 2 == 1 && given.last <= given.steps;
}

bool write_data(const pile_scene &scene, const std::string &path)
{
    FILE *file = fopen(path.c_str(), "w");
    if (!file)
        return false;
    double half = 0.5 * scene.width, top = scene.spheres[scene.count - 1].z + 2;
    fprintf(file, "the pile\n\n%zu atoms\n1 atom types\n\n", scene.count);
    fprintf(file, "%.17g %.17g xlo xhi\n%.17g %.17g ylo yhi\n-1 %.17g zlo zhi\n\n", -half, half, -half, half, top);
    fputs("Atoms # sphere\n\n", file);
    const double pi = 3.14159265358979323846;
    for (size_t i = 0; i < scene.count; i++) {
        const scene_sphere &s = scene.spheres[i];
        double density = pile_sphere_mass(s.radius) / (4.0 / 3.0 * pi * std::pow(s.radius, 3));
        fprintf(file, "%zu 1 %.17g %.17g %.17g %.17g %.17g\n", i + 1, 2 * s.radius, density, s.x, s.y, s.z);
    }
    return fclose(file) == 0;
}

// Numbers of `gran/hertz/history`, the fastest that LAMMPS has of this kind: normal and tangential stiffness, normal
// and tangential damping, friction, and 1 for damping along the contact. Its damping follows from no restitution; this
// one takes about as much.
std::string law()
{
    const double E = PARTICLE_YOUNGS_MODULUS, nu = PARTICLE_POISSON_RATIO, shear = E / (2 * (1 + nu));
    char text[200];
    snprintf(text, sizeof text, "%.17g %.17g 3000 NULL %.17g 1", 4 * shear / (3 * (1 - nu)), 4 * shear / (2 - nu),
             SCENE_FRICTION);
    return text;
}

bool write_input(const pile_scene &scene, const options &given, const std::string &folder)
{
    FILE *file = fopen((folder + "/in.pile").c_str(), "w");
    if (!file)
        return false;
    double half = 0.5 * scene.width;
    fputs("units si\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\n", file);
    fprintf(file, "read_data %s/data.pile\n", folder.c_str());
    fprintf(file, "pair_style gran/hertz/history %s\npair_coeff * *\n", law().c_str());
    fputs("neighbor 0.1 bin\nneigh_modify delay 0 every 1 check yes\n", file);
    fprintf(file, "fix gravity all gravity %g vector 0 0 -1\nfix move all nve/sphere\n", SCENE_GRAVITY);
    fprintf(file, "fix floor all wall/gran hertz/history %s zplane 0 NULL\n", law().c_str());
    fprintf(file, "fix x all wall/gran hertz/history %s xplane %.17g %.17g\n", law().c_str(), -half, half);
    fprintf(file, "fix y all wall/gran hertz/history %s yplane %.17g %.17g\n", law().c_str(), -half, half);
    fprintf(file, "timestep %.17g\nthermo 1000\n", PARTICLE_STEP);
    if (given.steps > given.last)
        fprintf(file, "run %zu\n", given.steps - given.last);
    fprintf(file, "run %zu\nwrite_dump all custom %s/dump.pile id x y z modify sort id format float %%.17g\n",
            given.last, folder.c_str());
    return fclose(file) == 0;
}

// Runs it; false when it failed or said nothing of its time. Wall time and processor time are those of the last run.
bool run(const std::string &command, double &wall, double &cpu)
{
    FILE *output = popen(command.c_str(), "r");
    if (!output)
        return false;
    char line[1000];
    bool found = false;
    while (fgets(line, sizeof line, output)) {
        double share;
        found = sscanf(line, "Loop time of %lf", &wall) == 1 || found;
        if (sscanf(line, "%lf%% CPU use", &share) == 1)
            cpu = 0.01 * share * wall;
        if (!strncmp(line, "ERROR", 5))
            fprintf(stderr, "lammps_pile: %s", line);
    }
    return pclose(output) == 0 && found;
}

bool read_positions(const std::string &path, pile_scene &scene)
{
    FILE *file = fopen(path.c_str(), "r");
    char line[1000];
    size_t read = 0;
    for (size_t row = 0; file && fgets(line, sizeof line, file); row++) {
        size_t id;
        double x, y, z;
        if (row < 9 || sscanf(line, "%zu %lf %lf %lf", &id, &x, &y, &z) != 4 || id < 1 || id > scene.count)
            continue;
        scene.spheres[id - 1].x = x;
        scene.spheres[id - 1].y = y;
        scene.spheres[id - 1].z = z;
        read++;
    }
    if (file)
        fclose(file);
    return read == scene.count;
}

} // namespace

int main(int argc, char **argv)
{
    options given;
    pile_scene scene;
    char folder[] = "/tmp/lammps-pile-XXXXXX";
    if (!read_options(argc, argv, given)) {
        fputs("usage: lammps_pile [--spheres N] [--steps N] [--last N] [--lmp COMMAND]\n", stderr);
        return 2;
    }
    if (!pile_scene_make(&scene, given.spheres) || !mkdtemp(folder))
        return 1;
    std::string at = folder, command = "cd " + at + " && OMP_NUM_THREADS=1 " + given.command + " -in in.pile -log none";
    double wall = 0, cpu = 0;
    step_result result = {};
    bool done = write_data(scene, at + "/data.pile") && write_input(scene, given, at) && run(command, wall, cpu) &&
                read_positions(at + "/dump.pile", scene) && overlap_measure(&scene, &result.overlap);
    if (done) {
        json_line line = json_line_begin("particles", "lammps");
        json_line_count(&line, "bodies", given.spheres);
        json_line_count(&line, "threads", 1);
        json_line_number(&line, "ms_per_step", 1e3 * wall / double(given.last));
        json_line_number(&line, "cpu_ms_per_step", 1e3 * cpu / double(given.last));
        json_line_number(&line, "particle_steps_per_s", double(given.spheres) * double(given.last) / cpu);
        json_line_number(&line, "penetration_mean", result.overlap.mean);
        json_line_number(&line, "penetration_max", result.overlap.maximum);
        json_line_count(&line, "touching", result.overlap.touching);
        json_line_end(&line);
    } else {
        fprintf(stderr, "lammps_pile: '%s' did not finish\n", given.command.c_str());
    }
    for (const char *name : {"/data.pile", "/in.pile", "/dump.pile"})
        unlink((at + name).c_str());
    rmdir(folder);
    pile_scene_free(&scene);
    return done ? 0 : 1;
}
