// The scenes on which engines are compared, generated number by number so that every engine gets the same bodies.
//
// Random numbers are splitmix64 (base/random.h). No engine is needed here: peers link this file too.
#ifndef BENCH_SCENE_SCENES_H
#define BENCH_SCENE_SCENES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scene_sphere {
    double x, y, z, radius;
} scene_sphere;

// Spheres dropped from a jittered lattice into a square container open at the top: floor z = 0, walls at +-width/2.
// Settled they are about 20 diameters deep whatever their number. Mass (2 radius)^3, so 1 for the mean one.
typedef struct pile_scene {
    scene_sphere *spheres;
    size_t count;
    double width;
} pile_scene;

// Unit cubes of mass 1 in layers of 5 x 5, each layer shifted, above a floor z = 0 between walls at +-15.
typedef struct cube_scene {
    scene_sphere *cubes; // centres; the radius is half an edge
    size_t count;
    double width;
} cube_scene;

// For both: friction 0.5, restitution 0.
#define SCENE_FRICTION 0.5
#define SCENE_GRAVITY  9.81
#define SCENE_STEP     0.01
#define PILE_RADIUS    0.5 // mean; penetrations are given as parts of it

bool pile_scene_make(pile_scene *scene, size_t count); // false when out of memory
void pile_scene_free(pile_scene *scene);
double pile_sphere_mass(double radius);

bool cube_scene_make(cube_scene *scene, size_t count);
void cube_scene_free(cube_scene *scene);

// A tower of unit cubes that stand on each other from the start, without walls; the topmost may be heavier.
enum { STACK_STEPS = 1000 };
scene_sphere stack_place(size_t cube);
double stack_mass(size_t cube, size_t count, double ratio);

#ifdef __cplusplus
}
#endif

#endif
