// The pile in Bullet: same spheres in the same order, same line of JSON.
//
//     bullet_pile [--spheres N] [--iterations N] [--steps N] [--last N]
#include <cstdio>

#include "bullet_world.hpp"

int main(int argc, char **argv)
{
    bullet_options given{16000};
    pile_scene scene;
    step_times times;
    if (!read_bullet_options(argc, argv, "--spheres", given)) {
        fputs("usage: bullet_pile [--spheres N] [--iterations N] [--steps N] [--last N]\n", stderr);
        return 2;
    }
    if (!pile_scene_make(&scene, given.bodies) || !step_times_make(&times, given.last))
        return 1;
    double resident_before = memory_resident_bytes();
    bullet_world bullet(scene.width);
    for (size_t i = 0; i < scene.count; i++)
        bullet.add_body(std::make_unique<btSphereShape>(btScalar(scene.spheres[i].radius)),
                        pile_sphere_mass(scene.spheres[i].radius), scene.spheres[i]);

    step_result result = {};
    bullet.run(given, times, result);
    result.resident_per_body = (memory_resident_bytes() - resident_before) / double(given.bodies);
    for (size_t i = 0; i < scene.count; i++)
        bullet.read_position(i, scene.spheres[i]);
    if (!overlap_measure(&scene, &result.overlap))
        return 1;
    json_line line = step_result_begin("pile", "bullet", &result);
    json_line_end(&line);
    step_times_free(&times);
    pile_scene_free(&scene);
    return 0;
}
