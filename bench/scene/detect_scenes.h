// Collections of spheres for detection, each sphere made from its number alone, so that a collection of any size can be
// read in any order without being kept. No engine is needed here: peers link this file too.
#ifndef BENCH_SCENE_DETECT_SCENES_H
#define BENCH_SCENE_DETECT_SCENES_H

#include "bench/scene/scenes.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum detect_scene {
    DETECT_RANDOM,   // the papers': 1.25e-7 spheres per volume, radii uniform up to 101
    DETECT_MOVED,    // the same, every coordinate moved by up to 1
    DETECT_DENSE,    // equal spheres in a cubic lattice pressed together by 0.2 %, in the order of the lattice
    DETECT_SHUFFLED, // the same in random order
    DETECT_RATIO,    // radii from 1 to 1000, as many in each octave, filling 0.3 of the volume
    DETECT_UNIFORM,  // as that, all radii equal
    DETECT_SCENES,
} detect_scene;

extern const char *const detect_scene_names[DETECT_SCENES];

typedef struct detect_source {
    detect_scene scene;
    uint64_t count;
    uint64_t across; // of a lattice
    double width;    // of the cube that holds the centres
} detect_source;

detect_source detect_source_make(detect_scene scene, uint64_t count);
scene_sphere detect_sphere(const detect_source *source, uint64_t number);

#ifdef __cplusplus
}
#endif

#endif
