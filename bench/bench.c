// The command: a table of benchmarks, a table of options, and nothing clever between them.
#include "bench/bench.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "bench/benchmarks.h"
#include "bench/scene/detect_scenes.h"
#include "bench/scene/particles.h"

typedef struct benchmark {
    const char *name;
    const char *measures;
    const char *options; // the ones it takes, each after a space; " FILE" first where it wants one
    scree_status (*run)(const bench_options *options, scree_error *error);
    bench_options defaults;
} benchmark;

#define COMMON .tolerance = -1, .threads = 1, .steps = 300, .last = 50

static const benchmark benchmarks[] = {
    {"pile",
     "time per step and penetration of a settled pile of spheres",
     " --spheres --threads --iterations --tolerance --algorithm --steps --last",
     bench_pile,
     {.spheres = 16000, COMMON}},
    {"stages",
     "time of every stage of a step of a settled pile, each on its own over plain arrays",
     " --spheres --threads --iterations --tolerance --algorithm --steps --last",
     bench_stages,
     {.spheres = 16000, COMMON}},
    {"residual",
     "seconds that each algorithm takes to a residual in the contacts of a settled pile, from impulses of zero",
     " --spheres --threads --iterations --tolerance --algorithm --steps",
     bench_residual,
     {.spheres = 66000, COMMON}},
    {"bandwidth",
     "bytes per second of accelerated sweeps over a large lattice, beside copying as many",
     " --spheres --threads",
     bench_bandwidth,
     {.spheres = 343000, COMMON}},
    {"growth",
     "time and bytes per body of the pile at 1, 4 and 16 times the number of spheres",
     " --spheres --threads --iterations --tolerance --algorithm --steps --last",
     bench_growth,
     {.spheres = 16000, COMMON}},
    {"cubes",
     "time per step of a falling and toppling column of cubes",
     " --boxes --threads --iterations --tolerance --algorithm --steps --last",
     bench_cubes,
     {.boxes = 1000, COMMON}},
    {"particles",
     "time per step of the pile as particles with springs, once they have settled",
     " --spheres --threads --steps --last",
     bench_pile,
     {.spheres = 16000, .particles = true, .tolerance = -1, .threads = 1, .steps = 8000, .last = 1000}},
    {"particle-cubes",
     "time per step of the column of cubes, each of 27 particles with springs",
     " --boxes --threads --steps --last",
     bench_cubes,
     {.boxes = 1000, .particles = true, COMMON}},
    {"stack",
     "whether a tower of cubes stands for ten seconds, the topmost as heavy as asked for, and how still",
     " --boxes --ratio --threads --iterations --tolerance --algorithm --steps --last",
     bench_stack,
     {.boxes = 10, .ratio = 1, .tolerance = -1, .threads = 1, .steps = STACK_STEPS, .last = 50}},
    {"net",
     "time per step of a net of balls and spherical joints that hangs, its gaps and energy",
     " --spheres --threads --iterations --tolerance --algorithm --steps --last",
     bench_net,
     {.spheres = 10000, .tolerance = -1, .threads = 1, .steps = 100, .last = 100}},
    {"falling-net",
     "the same of one that is let go level",
     " --spheres --threads --iterations --tolerance --algorithm --steps --last",
     bench_net,
     {.spheres = 900, .level = true, .tolerance = -1, .threads = 1, .steps = 100, .last = 100}},
    {"pyramid",
     "time per step of a pyramid of boxes that stands",
     " --boxes --threads --iterations --tolerance --algorithm --steps --last",
     bench_pyramid,
     {.boxes = 5050, .tolerance = -1, .threads = 1, .steps = 200, .last = 200}},
    {"hulls",
     "time per step of a column of equal hulls of 32 corners that collapses",
     " --boxes --threads --iterations --tolerance --algorithm --steps --last",
     bench_hulls,
     {.boxes = 5120, .tolerance = -1, .threads = 1, .steps = 500, .last = 500}},
    {"track",
     "time per step of half a tracked vehicle that drives on a plane, gaps and forces of its pins",
     " --threads --iterations --tolerance --algorithm --steps --last",
     bench_track,
     {.tolerance = -1, .threads = 1, .steps = 300, .last = 100}},
    {"track-on-grains",
     "the same on a bed of loose grains",
     " --spheres --threads --iterations --tolerance --algorithm --steps --last",
     bench_track,
     {.spheres = 7000, .tolerance = -1, .threads = 1, .steps = 160, .last = 60}},
    {"detect",
     "seconds from spheres to contact points, in memory or streamed box by box",
     " --spheres --threads --scene --stream --memory",
     bench_detect,
     {.spheres = 1048576, .memory_mb = 8000, COMMON}},
    {"scene",
     "time per step and stage of any scene, with its contacts, penetration, residual, memory, counters and probes",
     " FILE --set --threads --steps --last --lines",
     bench_scene,
     {.lines = 1, .tolerance = -1, .threads = 1, .last = 50}},
    {"boxes", "detection in a settled heap of cubes", " --boxes --threads", bench_boxes, {.boxes = 20000, COMMON}},
    {"adding",
     "seconds to add and to remove a million bodies in bulk",
     " --spheres --threads",
     bench_adding,
     {.spheres = 1000000, COMMON}},
    {"million",
     "a million spheres: build, step, checkpoint, resume; seconds of each and peak memory",
     " --spheres --threads --steps",
     bench_million,
     {.spheres = 1000000, .tolerance = -1, .steps = 10, .last = 10}},
    {"gas",
     "time per sphere of a gas by fast frictional dynamics, from 1,000 spheres to 1,000,000",
     " --spheres --threads",
     bench_gas,
     {.spheres = 27000, COMMON}},
    {"well",
     "half a million spheres and boxes that fall into a well by fast frictional dynamics",
     " --spheres --threads --steps",
     bench_well,
     {.spheres = 500000, .tolerance = -1, .threads = 2, .steps = 100}},
    {"ellipsoids",
     "detection of random ellipsoids by both methods of the paper, beside that of spheres",
     " --spheres --threads --method --axes --slack --order",
     bench_ellipsoids,
     {.spheres = 131072, .axes = 1, COMMON}},
    {"ellipsoid-counts",
     "contacts of up to 2,097,152 random ellipsoids with equal axes, by every method",
     " --threads --order",
     bench_ellipsoid_counts,
     {.axes = 1, COMMON}},
    {"ellipsoid-cases",
     "gap and normal of pairs of ellipsoids whose contact is known",
     "",
     bench_ellipsoid_cases,
     {COMMON}},
    {"profile",
     "performance profiles of the algorithms of `scree solve` on a folder of contact problems",
     " --folder --chart --seconds",
     bench_profile,
     {.seconds = 2, COMMON}},
    {"render",
     "seconds from the states of a heap of spheres to the pixels of a frame, and to its PNG file",
     " --spheres --width --height --threads",
     bench_render,
     {.spheres = 100000, .width = 1280, .height = 720, .tolerance = -1, .threads = 0}},
    {"window",
     "which part of its steps a simulation spends on being looked at by the idle window of scree view",
     " --spheres --threads --seconds",
     bench_window,
     {.spheres = 16000, .seconds = 10, COMMON}},
};
enum { BENCHMARKS = sizeof benchmarks / sizeof benchmarks[0] };

// What `scree bench all` runs: the quick ones, in a few minutes together.
typedef struct quick_run {
    const char *name;
    size_t bodies;
    int threads;
} quick_run;

static const quick_run quick_set[] = {{"pile", 1000, 1},  {"pile", 4000, 1},  {"pile", 16000, 1},    {"pile", 16000, 0},
                                      {"cubes", 1000, 1}, {"cubes", 3000, 1}, {"adding", 1000000, 0}};

scree_world_def bench_world_def(const bench_options *options)
{
    scree_world_def def = scree_default_world_def();
    def.gravity = (scree_vec3){0, 0, -SCENE_GRAVITY};
    def.step = SCENE_STEP;
    def.threads = options->threads;
    if (options->particles) {
        def.method = SCREE_METHOD_PENALTY;
        def.penalty.terminal_velocity = options->boxes ? PARTICLE_TOP_VELOCITY : 0;
        def.penalty.law = options->boxes ? SCREE_CONTACT_LAW_LINEAR : SCREE_CONTACT_LAW_HERTZ;
        def.step = options->boxes ? SCENE_STEP : PARTICLE_STEP;
    }
    def.solver.algorithm = options->algorithm;
    def.solver.sleep = SCREE_SLEEP_OFF; // what is measured is work
    if (options->iterations > 0)
        def.solver.iterations = options->iterations;
    if (options->tolerance >= 0)
        def.solver.tolerance = options->tolerance;
    return def;
}

static void print_list(void)
{
    printf("usage: scree bench NAME|all [options]\n\nPrints one JSON line per measurement. Benchmarks:\n");
    for (int i = 0; i < BENCHMARKS; i++)
        printf("  %-8s %s\n          options:%s\n", benchmarks[i].name, benchmarks[i].measures, benchmarks[i].options);
    printf("  all      the quick ones\n\n"
           "Options, each followed by a value:\n"
           "  --spheres N, --boxes N   how many bodies\n"
           "  --threads N              0 for all that the machine has\n"
           "  --method 1|2             of ellipsoids: OpM alone, or ChM first; both when not given\n"
           "  --ratio X                of a stack: mass of the topmost cube over that of the others\n"
           "  --axes X                 of ellipsoids: longest over shortest semi-axis, at most\n"
           "  --slack X                of ellipsoids: widens bounds, so that candidates are as sparse in contacts as "
           "bins\n"
           "  --order random|space     of ellipsoids: as they come, or neighbours together, as a world keeps them\n"
           "  --iterations N           most solver sweeps per step\n"
           "  --tolerance X            of the solver\n"
           "  --algorithm NAME         auto, jacobi, gauss-seidel, apgd, apgs or newton\n"
           "  --steps N, --last N      steps in all, and how many of them at the end are timed\n"
           "  --set PATH=VALUE         override a value of a scene, as often as wanted\n"
           "  --lines N                of a scene: how many on the way, evenly spread over the steps\n"
           "  --scene NAME             random, moved, dense, shuffled, ratio or uniform spheres\n"
           "  --stream WHERE           count, checksum, or a file for the contacts\n"
           "  --memory N               megabytes for streaming\n"
           "  --folder DIR             of contact problems (default: SCREE_FCLIB_DIR)\n"
           "  --chart FILE             a picture of the profiles, .png\n"
           "  --seconds X              most per solve; of a window: how long it is open\n"
           "  --width N, --height N    of a picture, in pixels\n");
}

static const benchmark *find_benchmark(const char *name)
{
    for (int i = 0; i < BENCHMARKS; i++)
        if (strcmp(benchmarks[i].name, name) == 0)
            return &benchmarks[i];
    return NULL;
}

static scree_status read_count(const char *option, const char *text, size_t low, size_t high, size_t *value,
                               scree_error *error)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno || *end || end == text || text[0] == '-' || number < low || number > high)
        return fail(error, SCREE_ERROR_INVALID, "--%s takes a whole number from %zu to %zu, not '%s'", option, low,
                    high, text);
    *value = (size_t)number;
    return SCREE_OK;
}

static scree_status read_number(const char *option, const char *text, double low, double high, double *number,
                                scree_error *error)
{
    char *end;
    double value = strtod(text, &end);
    if (*end || end == text || !(value >= low && value <= high))
        return fail(error, SCREE_ERROR_INVALID, "--%s takes a number from %g to %g, not '%s'", option, low, high, text);
    *number = value;
    return SCREE_OK;
}

static scree_status read_algorithm(const char *text, scree_algorithm *algorithm, scree_error *error)
{
    static const char *const names[] = {[SCREE_ALGORITHM_AUTO] = "auto",
                                        [SCREE_ALGORITHM_JACOBI] = "jacobi",
                                        [SCREE_ALGORITHM_GAUSS_SEIDEL] = "gauss-seidel",
                                        [SCREE_ALGORITHM_APGD] = "apgd",
                                        [SCREE_ALGORITHM_APGS] = "apgs",
                                        [SCREE_ALGORITHM_NEWTON] = "newton"};
    for (int i = 0; i < (int)(sizeof names / sizeof names[0]); i++)
        if (strcmp(names[i], text) == 0) {
            *algorithm = (scree_algorithm)i;
            return SCREE_OK;
        }
    return fail(error, SCREE_ERROR_INVALID,
                "--algorithm takes auto, jacobi, gauss-seidel, apgd, apgs or newton, not '%s'", text);
}

static scree_status read_tolerance(const char *text, double *tolerance, scree_error *error)
{
    char *end;
    double value = strtod(text, &end);
    if (*end || end == text || !(value >= 0) || !isfinite(value))
        return fail(error, SCREE_ERROR_INVALID, "--tolerance takes a number that is not negative, not '%s'", text);
    *tolerance = value;
    return SCREE_OK;
}

static scree_status read_scene(const char *text, int *scene, scree_error *error)
{
    for (int i = 0; i < DETECT_SCENES; i++)
        if (strcmp(detect_scene_names[i], text) == 0) {
            *scene = i;
            return SCREE_OK;
        }
    return fail(error, SCREE_ERROR_INVALID, "--scene takes random, moved, dense, shuffled, ratio or uniform, not '%s'",
                text);
}

static scree_status read_order(const char *text, bool *ordered, scree_error *error)
{
    *ordered = strcmp(text, "space") == 0;
    if (*ordered || strcmp(text, "random") == 0)
        return SCREE_OK;
    return fail(error, SCREE_ERROR_INVALID, "--order takes random or space, not '%s'", text);
}

static scree_status read_option(const char *name, const char *text, bench_options *options, scree_error *error)
{
    const size_t most_bodies = 4000000000, most_steps = 1000000000;
    size_t number = 0;
    scree_status status;
    if (strcmp(name, "tolerance") == 0)
        return read_tolerance(text, &options->tolerance, error);
    if (strcmp(name, "algorithm") == 0)
        return read_algorithm(text, &options->algorithm, error);
    if (strcmp(name, "scene") == 0)
        return read_scene(text, &options->scene, error);
    if (strcmp(name, "stream") == 0) {
        options->stream = text;
        return SCREE_OK;
    }
    if (strcmp(name, "folder") == 0 || strcmp(name, "chart") == 0) {
        *(name[0] == 'f' ? &options->folder : &options->chart) = text;
        return SCREE_OK;
    }
    if (strcmp(name, "set") == 0) {
        if (options->set_count == BENCH_MOST_SETS)
            return fail(error, SCREE_ERROR_INVALID, "--set may be given %d times at most", BENCH_MOST_SETS);
        options->sets[options->set_count++] = text;
        return SCREE_OK;
    }
    if (strcmp(name, "order") == 0)
        return read_order(text, &options->ordered, error);
    if (strcmp(name, "lines") == 0)
        return read_count(name, text, 1, most_steps, &options->lines, error);
    if (strcmp(name, "seconds") == 0)
        return read_number(name, text, 1e-3, 1e6, &options->seconds, error);
    if (strcmp(name, "memory") == 0)
        return read_count(name, text, 100, 1000000, &options->memory_mb, error);
    if (strcmp(name, "spheres") == 0)
        return read_count(name, text, 1, most_bodies, &options->spheres, error);
    if (strcmp(name, "boxes") == 0)
        return read_count(name, text, 1, most_bodies, &options->boxes, error);
    if (strcmp(name, "steps") == 0)
        return read_count(name, text, 1, most_steps, &options->steps, error);
    if (strcmp(name, "last") == 0)
        return read_count(name, text, 1, most_steps, &options->last, error);
    if (strcmp(name, "width") == 0)
        return read_count(name, text, 64, 8192, &options->width, error);
    if (strcmp(name, "height") == 0)
        return read_count(name, text, 64, 8192, &options->height, error);
    if (strcmp(name, "ratio") == 0)
        return read_number(name, text, 1e-9, 1e9, &options->ratio, error);
    if (strcmp(name, "axes") == 0)
        return read_number(name, text, 1, 1000, &options->axes, error);
    if (strcmp(name, "slack") == 0)
        return read_number(name, text, 0, 1000, &options->slack, error);
    if (strcmp(name, "method") == 0) {
        status = read_count(name, text, 1, 2, &number, error);
        options->method = (int)number;
        return status;
    }
    if (strcmp(name, "threads") == 0) {
        status = read_count(name, text, 0, 4096, &number, error);
        options->threads = (int)number;
        return status;
    }
    status = read_count(name, text, 1, 1000000, &number, error);
    options->iterations = (int)number;
    return status;
}

static bool takes_option(const benchmark *bench, const char *option)
{
    size_t length = strlen(option);
    for (const char *at = bench->options; (at = strstr(at, option)) != NULL; at++)
        if (length > 2 && at > bench->options && at[-1] == ' ' && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static scree_status read_options(const benchmark *bench, int argc, char **argv, bench_options *options,
                                 scree_error *error)
{
    *options = bench->defaults;
    int first = strncmp(bench->options, " FILE", 5) == 0;
    if (first && (argc == 0 || argv[0][0] == '-'))
        return fail(error, SCREE_ERROR_INVALID, "bench %s needs the file of a scene", bench->name);
    if (first)
        options->file = argv[0];
    for (int i = first; i < argc; i += 2) {
        if (!takes_option(bench, argv[i]))
            return fail(error, SCREE_ERROR_INVALID, "bench %s does not take '%s'; it takes%s", bench->name, argv[i],
                        bench->options);
        if (i + 1 == argc)
            return fail(error, SCREE_ERROR_INVALID, "%s needs a value", argv[i]);
        scree_status status = read_option(argv[i] + 2, argv[i + 1], options, error);
        if (status != SCREE_OK)
            return status;
    }
    if (options->steps > 0 && options->last > options->steps)
        options->last = options->steps;
    if (options->threads == 0)
        options->threads = threads_available();
    return SCREE_OK;
}

static scree_status run_quick_set(scree_error *error)
{
    scree_status status = SCREE_OK;
    for (size_t i = 0; status == SCREE_OK && i < sizeof quick_set / sizeof quick_set[0]; i++) {
        const benchmark *bench = find_benchmark(quick_set[i].name);
        bench_options options;
        status = read_options(bench, 0, NULL, &options, error);
        options.spheres = options.boxes = quick_set[i].bodies;
        options.threads = quick_set[i].threads ? quick_set[i].threads : threads_available();
        if (status == SCREE_OK)
            status = bench->run(&options, error);
    }
    return status;
}

static scree_status run_named(int argc, char **argv, scree_error *error)
{
    if (strcmp(argv[1], "all") == 0)
        return argc == 2 ? run_quick_set(error) : fail(error, SCREE_ERROR_INVALID, "bench all takes no options");
    const benchmark *bench = find_benchmark(argv[1]);
    if (!bench)
        return fail(error, SCREE_ERROR_INVALID, "there is no benchmark '%s'; `scree bench` lists them", argv[1]);
    bench_options options;
    scree_status status = read_options(bench, argc - 2, argv + 2, &options, error);
    return status == SCREE_OK ? bench->run(&options, error) : status;
}

int bench_main(int argc, char **argv)
{
    bool help = argc < 2;
    for (int i = 1; i < argc; i++)
        help = help || strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0;
    if (help) {
        print_list();
        return 0;
    }
    scree_error error = {0};
    scree_status status = run_named(argc, argv, &error);
    if (status == SCREE_OK)
        return 0;
    fprintf(stderr, "scree: %s\n", error.message);
    return status == SCREE_ERROR_INVALID ? 2 : 1;
}
