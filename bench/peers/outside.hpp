// An engine that is run by its own command, as its users run it: the pile as particles with springs (Hertz-Mindlin
// contacts with tangential history), spheres of the same places, sizes and masses as everywhere. The driver in
// outside.cpp writes what the engine reads, runs it, and prints the line of JSON that `scree bench particles` prints.
//
//     ENGINE_pile [--spheres N] [--steps N] [--last N] [--stiffer K] [--command COMMAND]
//
// Young's modulus, Poisson's ratio and the step are those of `scree bench particles`. K times the modulus makes overlaps
// K^(2/3) times smaller, and a contact, with the step, sqrt(K) times shorter.
#ifndef PEERS_OUTSIDE_HPP
#define PEERS_OUTSIDE_HPP

#include <cmath>
#include <cstddef>
#include <string>

#include "bench/scene/particles.h"
#include "bench/scene/scenes.h"

struct outside_options {
    size_t spheres = 16000, steps = 8000, last = 1000, stiffer = 1;
    std::string command;

    double youngs_modulus() const
    {
        return PARTICLE_YOUNGS_MODULUS * double(stiffer);
    }
    double step() const
    {
        return PARTICLE_STEP / std::sqrt(double(stiffer));
    }
};

class outside_engine
{
  public:
    virtual ~outside_engine() = default;

    // Its input; false when that cannot be written. The engine must leave "ID X Y Z" of each sphere, numbered from one,
    // in the file `places` of the folder; lines of another form in it are skipped.
    virtual bool write(const pile_scene &scene, const outside_options &given, const std::string &folder) = 0;

    virtual std::string arguments() = 0; // of the command, which runs within the folder

    // Takes wall and processor seconds of the last steps from a line that the engine prints; true where it has wall time.
    virtual bool read_time(const char *line, double &wall, double &cpu) = 0;
};

int outside_main(int argc, char **argv, const char *name, const char *command, outside_engine &engine);

#endif
