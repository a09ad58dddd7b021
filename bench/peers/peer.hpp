// What another engine must do to run the comparison scenes of bench/scene/scenes.h; the driver in peer.cpp runs them and
// prints the line of JSON that `scree bench` prints. Each engine is one file with its own main.
//
//     ENGINE pile|cubes|stack [--bodies N] [--ratio K] [--iterations N] [--steps N] [--last N] [--hard 1]
#ifndef PEERS_PEER_HPP
#define PEERS_PEER_HPP

#include <cstddef>
#include <memory>

#include "bench/scene/scenes.h"
#include "bench/scene/stack_motion.h"
#include "bench/measure/step_result.h"

class peer_engine
{
  public:
    virtual ~peer_engine() = default;

    // A plane that is solid below normal . x = offset, the normal along an axis; spheres and cubes, numbered in order.
    virtual void add_plane(double x, double y, double z, double offset) = 0;
    virtual void add_sphere(const scene_sphere &at, double mass) = 0;
    virtual void add_cube(const scene_sphere &at, double mass) = 0; // the radius is half an edge
    virtual void start()
    {
    } // all are added

    virtual void step() = 0;                     // by SCENE_STEP
    virtual scene_sphere place(size_t body) = 0; // of the centre; the radius is not looked at

    // Depths of the contact points that the engine has; returns how many points.
    virtual size_t contacts(overlap_figures &depths) = 0;

    // Seconds of parts of a step since the last call, with names; none unless the engine lets us in.
    virtual void stages(step_result &result, double steps)
    {
        (void)result, (void)steps;
    }
};

struct peer_settings {
    int iterations;
    bool hard; // where contacts are soft by default: as hard as the engine's manual allows
};

// Nothing where the engine has no such setting.
typedef std::unique_ptr<peer_engine> peer_maker(const peer_settings &settings);

int peer_main(int argc, char **argv, const char *engine, int default_iterations, peer_maker *make);

// Adds a depth over half an edge or the mean radius.
inline void note_depth(overlap_figures &depths, double depth)
{
    if (depth < 0)
        return;
    depths.touching++;
    depths.mean += depth / PILE_RADIUS;
    depths.maximum = depth / PILE_RADIUS > depths.maximum ? depth / PILE_RADIUS : depths.maximum;
}

#endif
