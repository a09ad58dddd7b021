// Generators of the comparison scenes. The order of the draws is part of the scene: change nothing here without
// measuring every engine again.
#include "bench/scene/scenes.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"

enum { PILE_SEED = 7, CUBES_ACROSS = 5 };

static double random_signed(random_stream *stream)
{
    return 2 * random_unit(stream) - 1;
}

bool pile_scene_make(pile_scene *scene, size_t count)
{
    scene->count = count;
    scene->width = sqrt(0.04407 * (double)count);
    scene->spheres = malloc((count ? count : 1) * sizeof *scene->spheres);
    if (!scene->spheres)
        return false;
    size_t across = (size_t)(scene->width / 1.12);
    if (across < 1)
        across = 1;
    double cell = scene->width / (double)across, room = 0.45 * (cell - 1.1);
    random_stream stream = {PILE_SEED};
    for (size_t i = 0; i < count; i++) {
        double column = (double)(i % across), row = (double)(i / across % across);
        double layer = (double)(i / (across * across));
        scene_sphere *sphere = &scene->spheres[i];
        sphere->radius = PILE_RADIUS * (1 + 0.1 * random_signed(&stream));
        sphere->x = -0.5 * scene->width + (column + 0.5) * cell + room * random_signed(&stream);
        sphere->y = -0.5 * scene->width + (row + 0.5) * cell + room * random_signed(&stream);
        sphere->z = 0.6 + 1.12 * layer + 0.009 * random_signed(&stream);
    }
    return true;
}

void pile_scene_free(pile_scene *scene)
{
    free(scene->spheres);
    *scene = (pile_scene){0};
}

double pile_sphere_mass(double radius)
{
    return 8 * radius * radius * radius;
}

bool cube_scene_make(cube_scene *scene, size_t count)
{
    scene->count = count;
    scene->width = 30;
    scene->cubes = malloc((count ? count : 1) * sizeof *scene->cubes);
    if (!scene->cubes)
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t layer = i / (CUBES_ACROSS * CUBES_ACROSS);
        double column = (double)(i % CUBES_ACROSS), row = (double)(i / CUBES_ACROSS % CUBES_ACROSS);
        double shift_x = 0.5 * ((double)(layer % 3) - 1), shift_y = 0.5 * ((double)(layer / 3 % 3) - 1);
        scene->cubes[i] = (scene_sphere){.x = 1.5 * (column - 2) + shift_x,
                                         .y = 1.5 * (row - 2) + shift_y,
                                         .z = 1 + 1.25 * (double)layer,
                                         .radius = 0.5};
    }
    return true;
}

void cube_scene_free(cube_scene *scene)
{
    free(scene->cubes);
    *scene = (cube_scene){0};
}

scene_sphere stack_place(size_t cube)
{
    return (scene_sphere){.z = 0.5 + (double)cube, .radius = 0.5};
}

double stack_mass(size_t cube, size_t count, double ratio)
{
    return cube + 1 == count ? ratio : 1;
}
