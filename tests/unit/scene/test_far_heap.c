// Bodies of shipped scenes keep every bit when a heap of other sizes, masses and speeds is put a kilometre above them,
// with later ids and the same edge of cells: by every method, whatever the scene has of joints, motions and materials.
#include "mixed_heap.h"

#include "scree/scene.h"

enum { STEPS = CHECK_SANITIZED ? 20 : 80, MOST_SETS = 6 };

typedef struct far_case {
    const char *file; // below scenes/
    const char *sets[MOST_SETS];
} far_case;

static const far_case cases[] = {
    {"pile.yaml", {"fills.0.count=600"}},
    {"pile.yaml", {"fills.0.count=600", "solver.algorithm=jacobi"}},
    {"shaken-tank.yaml", {"fills.0.count=300", "solver.precision=double", "solver.algorithm=apgd"}},
    {"boxes-tower.yaml", {NULL}},
    {"rolling-ball.yaml", {NULL}},
    {"shapes.yaml", {NULL}},
    {"mixer.yaml", {"fills.0.count=200", "fills.1.count=200", "materials.plastic.cohesion=0.002"}},
    {"segregation.yaml", {"fills.0.count=200", "fills.1.count=40"}},
    {"physics/chain.yaml", {NULL}},
    {"ellipsoids.yaml", {"fills.0.count=40", "fills.1.count=40", "fills.2.count=40"}},
    {"newton-cradle.yaml", {NULL}},
    {"cubes.yaml", {"fills.0.count=200"}},                     // penalty
    {"physics/chung-ooi-4-penalty.yaml", {NULL}},              // penalty
    {"gas.yaml", {"fills.0.count=600"}},                       // ffd
    {"well.yaml", {"fills.5.count=300", "fills.6.count=300"}}, // ffd
};
enum { CASES = sizeof cases / sizeof cases[0] };

static scree_world *build(const far_case *of, double cell, int threads)
{
    char path[1024], edge[64];
    const char *sets[MOST_SETS + 1];
    size_t count = 0;
    scree_scene *scene;
    scree_world *world;
    snprintf(path, sizeof path, "%s/scenes/%s", SCREE_SOURCE_DIR, of->file);
    snprintf(edge, sizeof edge, "solver.cell=%.17g", cell);
    for (; count < MOST_SETS && of->sets[count]; count++)
        sets[count] = of->sets[count];
    if (cell > 0)
        sets[count++] = edge;
    lab_ok(scree_scene_load(path, sets, count, &scene, error));
    lab_ok(scree_scene_build(scene, threads, &world, error));
    scree_scene_destroy(scene);
    return world;
}

// The edge of cells that the scene has on its own; 0 for methods without cells.
static double cell_of(const far_case *of)
{
    scree_world *world = build(of, 0, 1);
    lab_step(world, 1);
    double cell = scree_world_get_def(world).solver.cell;
    scree_world_destroy(world);
    return cell;
}

// Above all walls, which may be planes without end.
static void add_far(scree_world *world)
{
    random_stream stream = {5};
    const vec3 middle = {0, 0, 1000};
    const scree_shape_def shapes[] = {lab_sphere(0.4), lab_sphere(0.05), lab_box(0.5, 0.3, 0.2)};
    lab_add_fixed(world, vec3_sub(middle, vec3_make(0, 0, 1)), lab_box(4, 4, 0.5));
    for (int i = 0; i < 40; i++) {
        vec3 at = {0.9 * (i % 4 - 1.5), 0.9 * (i / 4 % 4 - 1.5), 0.9 * (i / 16)};
        vec3 velocity = {random_between(&stream, -3, 3), random_between(&stream, -3, 3), -5};
        scree_body_def body = lab_body(vec3_add(middle, at), velocity);
        body.spin = vec3_make(random_between(&stream, -9, 9), 3, 0);
        body.mass = 5 + 200 * random_unit(&stream);
        lab_add(world, body, shapes[i % 3]);
    }
}

static void test_far_heap(void **state)
{
    const far_case *of = *state;
    double cell = cell_of(of);
    scree_world *alone = build(of, cell, 1), *with_far = build(of, cell, 2);
    add_far(with_far);
    lab_step(alone, STEPS);
    lab_step(with_far, STEPS);
    heap_assert_alike(alone, with_far, 1);
    print_message("%s: %zu bodies, %zu contacts\n", of->file, scree_world_figures(alone).bodies,
                  scree_world_figures(alone).contacts);
    scree_world_destroy(alone);
    scree_world_destroy(with_far);
}

int main(void)
{
    struct CMUnitTest tests[CASES];
    for (int i = 0; i < CASES; i++)
        tests[i] = (struct CMUnitTest){cases[i].file, test_far_heap, NULL, NULL, (void *)(uintptr_t)&cases[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
