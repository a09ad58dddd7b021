// A settled heap of unit cubes on which engines detect contacts: Scree drops and settles it, any engine takes the
// poses.
#ifndef BENCH_SCENE_HEAP_H
#define BENCH_SCENE_HEAP_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cube_heap {
    scree_world *world; // the container is body 1, cubes follow
    scree_state *states;
    size_t count;
    double width; // between the walls
} cube_heap;

// Cubes turned at random fall from a lattice over the container and come to rest within 4 seconds: the kinetic energy
// of a cube is then below a thousandth of what a fall by its own edge gives. Takes a minute for 20,000.
scree_status cube_heap_make(cube_heap *heap, size_t count, int threads, scree_error *error);
void cube_heap_free(cube_heap *heap);

#ifdef __cplusplus
}
#endif

#endif
