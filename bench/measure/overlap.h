// How far the spheres of a pile overlap, from their positions alone: the same yardstick for every engine, whatever
// margins or contact caches it keeps.
#ifndef BENCH_MEASURE_OVERLAP_H
#define BENCH_MEASURE_OVERLAP_H

#include "bench/scene/scenes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct overlap_figures {
    size_t touching; // pairs and walls with gap <= 0
    double mean;     // of their depths, over PILE_RADIUS
    double maximum;
} overlap_figures;

// False when out of memory. Spheres may be anywhere.
bool overlap_measure(const pile_scene *scene, overlap_figures *figures);

#ifdef __cplusplus
}
#endif

#endif
