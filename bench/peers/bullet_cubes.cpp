// The falling column of cubes in Bullet: boxes in the places of `scree bench cubes`, same line of JSON. Overlaps are
// those that Bullet finds at its contact points, over half an edge.
//
//     bullet_cubes [--boxes N] [--iterations N] [--steps N] [--last N]
#include <algorithm>
#include <cstdio>

#include "bullet_world.hpp"

int main(int argc, char **argv)
{
    bullet_options given{1000};
    cube_scene scene;
    step_times times;
    if (!read_bullet_options(argc, argv, "--boxes", given)) {
        fputs("usage: bullet_cubes [--boxes N] [--iterations N] [--steps N] [--last N]\n", stderr);
        return 2;
    }
    if (!cube_scene_make(&scene, given.bodies) || !step_times_make(&times, given.last))
        return 1;
    double resident_before = memory_resident_bytes();
    bullet_world bullet(scene.width);
    for (size_t i = 0; i < scene.count; i++)
        bullet.add_body(std::make_unique<btBoxShape>(btVector3(0.5, 0.5, 0.5)), 1, scene.cubes[i]);

    step_result result = {};
    bullet.run(given, times, result);
    result.resident_per_body = (memory_resident_bytes() - resident_before) / double(given.bodies);
    bullet.each_contact([&](double distance) {
        double part = std::max(-distance, 0.0) / 0.5;
        result.overlap.touching += distance <= 0;
        result.overlap.mean += part;
        result.overlap.maximum = std::max(result.overlap.maximum, part);
    });
    if (result.overlap.touching > 0)
        result.overlap.mean /= double(result.overlap.touching);
    json_line line = step_result_begin("cubes", "bullet", &result);
    json_line_end(&line);
    step_times_free(&times);
    cube_scene_free(&scene);
    return 0;
}
