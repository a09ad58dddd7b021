// A small silo as a scene, and runs of it: grains and bricks on a plug that an event removes, a blade that turns,
// probes and counters. Busy enough that any state that a checkpoint forgets changes the bits.
#ifndef TEST_RECORD_RUN_SUPPORT_H
#define TEST_RECORD_RUN_SUPPORT_H

#include "support.h"

enum { SILO_STEPS = 240 }; // 1.2 s of 0.005 s

static inline void put_grains(FILE *to)
{
    for (int i = 0; i < 60; i++)
        fprintf(to, "  - {name: g%d, position: [%g, %g, %g], shapes: [{type: %s}]}\n", i, -0.2 + 0.13 * (i % 4),
                -0.2 + 0.13 * (i / 4 % 4) + 0.01 * (i % 3), 0.3 + 0.13 * (i / 16),
                i % 7 == 3 ? "box, half: [0.05, 0.04, 0.05]" : "sphere, radius: 0.05");
}

// The scene's text with `more` after it; the caller frees it.
static inline char *silo_text(const char *more)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    fputs("time: {step: 0.005, duration: 1.2}\n"
          "bodies:\n"
          "  - {name: floor, fixed: true, shapes: [{type: plane, normal: [0, 0, 1], offset: -1}]}\n"
          "  - {name: plug, fixed: true, position: [0, 0, 0.1], shapes: [{type: box, half: [0.5, 0.5, 0.05]}]}\n"
          "  - {name: east, fixed: true, position: [0.4, 0, 0.5], shapes: [{type: box, half: [0.1, 0.5, 0.6]}]}\n"
          "  - {name: west, fixed: true, position: [-0.4, 0, 0.5], shapes: [{type: box, half: [0.1, 0.5, 0.6]}]}\n"
          "  - {name: blade, fixed: true, position: [0, 0, -0.7], shapes: [{type: box, half: [0.4, 0.05, 0.05]}]}\n",
          to);
    put_grains(to);
    fputs("motions:\n"
          "  - {body: blade, type: rotation, axis: [0, 0, 1], centre: [0, 0, 0], speed: 3}\n"
          "events:\n"
          "  - {time: 0.3, remove: [plug, g0]}\n"
          "  - {time: 0.7, remove: [g1, g5]}\n",
          to);
    fputs(more, to);
    fclose(to);
    return text;
}

static const char silo_output[] = "output:\n"
                                  "  every: 0.05\n"
                                  "  frames: true\n"
                                  "  checkpoint_every: 0.2\n"
                                  "  probes: [g1, g17, blade]\n"
                                  "  counters:\n"
                                  "    - {name: outflow, plane: {normal: [0, 0, 1], offset: 0}}\n"
                                  "    - {name: side, plane: {normal: [1, 0, 0], offset: 0.01}, of: mass}\n";

static inline scree_scene *parse_scene(const char *text, const char *const *sets, size_t set_count)
{
    scree_error error = {0};
    scree_scene *scene = NULL;
    check_ok(scree_scene_parse(text, strlen(text), "silo.yaml", sets, set_count, &scene, &error), error);
    return scene;
}

// With the usual output; `set` is one override or NULL.
static inline scree_scene *silo_scene(const char *set)
{
    char *text = silo_text(silo_output);
    scree_scene *scene = parse_scene(text, &set, set != NULL);
    free(text);
    return scene;
}

typedef enum run_mode { RUN_NEW, RUN_RESUME, RUN_FORCE } run_mode;

static inline scree_run_def run_def(const char *folder, run_mode mode, int threads)
{
    scree_run_def def = scree_default_run_def();
    def.directory = folder;
    def.resume = mode == RUN_RESUME;
    def.force = mode == RUN_FORCE;
    def.threads = threads;
    return def;
}

static inline void step_until(scree_run *run, uint64_t step)
{
    scree_error error;
    while (scree_run_progress(run).step < step)
        check_ok(scree_run_step(run, &error), error);
}

// To the end or to `stop`, where it takes a checkpoint as a signal would make it; the hash at that point.
static inline uint64_t run_to(const scree_scene *scene, const char *folder, run_mode mode, int threads, uint64_t stop)
{
    scree_error error = {0};
    scree_run *run;
    scree_run_def def = run_def(folder, mode, threads);
    check_ok(scree_run_open(scene, &def, &run, &error), error);
    uint64_t steps = scree_run_progress(run).steps;
    step_until(run, stop < steps ? stop : steps);
    if (stop < steps)
        check_ok(scree_run_checkpoint(run, &error), error);
    uint64_t hash = scree_world_hash(scree_run_world(run));
    check_ok(scree_run_close(run, &error), error);
    return hash;
}

static inline uint64_t run_whole(const scree_scene *scene, const char *folder, run_mode mode, int threads)
{
    return run_to(scene, folder, mode, threads, UINT64_MAX);
}

// Where the field of that number ends in a row.
static inline size_t field_end(const char *row, int field)
{
    size_t end = strcspn(row, ",\n");
    for (; field > 0 && row[end] == ','; field--)
        end += 1 + strcspn(row + end + 1, ",\n");
    return end;
}

// Files that end in .csv, .vtp or .pvd are equal in two folders, and the same ones are there; step_ms is left out.
static inline void assert_same_rows(const char *a, const char *b)
{
    enum { STEP_MS = 9, FIELDS = 64 };
    bool series = !strncmp(a, "step,time,", 10);
    for (; *a && *b; a += strcspn(a, "\n") + 1, b += strcspn(b, "\n") + 1) {
        size_t a_end = field_end(a, FIELDS), b_end = field_end(b, FIELDS);
        if (series) {
            size_t before = field_end(a, STEP_MS - 1);
            assert_int_equal(before, field_end(b, STEP_MS - 1));
            assert_memory_equal(a, b, before);
            size_t a_after = field_end(a, STEP_MS), b_after = field_end(b, STEP_MS);
            assert_int_equal(a_end - a_after, b_end - b_after);
            assert_memory_equal(a + a_after, b + b_after, a_end - a_after);
        } else {
            assert_int_equal(a_end, b_end);
            assert_memory_equal(a, b, a_end);
        }
    }
    assert_int_equal(*a, *b);
}

static inline bool is_compared(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && (strcmp(name + length - 4, ".csv") == 0 || strcmp(name + length - 4, ".vtp") == 0 ||
                          strcmp(name + length - 4, ".pvd") == 0);
}

static inline void assert_same_file(const char *a, const char *b, bool series)
{
    size_t a_size = 0, b_size = 0;
    char *a_text = read_file(a, &a_size), *b_text = read_file(b, &b_size);
    if (!a_text || !b_text)
        fail_msg("%s and %s are not both there", a, b);
    if (series)
        assert_same_rows(a_text, b_text);
    else if (a_size != b_size || memcmp(a_text, b_text, a_size) != 0)
        fail_msg("%s and %s differ", a, b);
    free(a_text);
    free(b_text);
}

static inline void assert_same_folder(const char *a, const char *b, const char *inner, size_t least)
{
    name_array names[2];
    size_t compared[2] = {0, 0};
    char *folders[2] = {path_join(a, inner), path_join(b, inner)};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(folder_list(folders[k], &names[k], NULL), SCREE_OK);
        for (size_t i = 0; i < names[k].count; i++)
            compared[k] += is_compared(names[k].data[i]);
    }
    assert_int_equal(compared[0], compared[1]);
    assert_true(compared[0] >= least);
    for (size_t i = 0; i < names[0].count; i++) {
        char *x = path_join(folders[0], names[0].data[i]), *y = path_join(folders[1], names[0].data[i]);
        if (is_compared(x))
            assert_same_file(x, y, strcmp(names[0].data[i], "series.csv") == 0);
        free(x);
        free(y);
    }
    for (int k = 0; k < 2; k++) {
        names_free(&names[k]);
        free(folders[k]);
    }
}

static inline void assert_same_run(const char *a, const char *b, bool with_frames)
{
    assert_same_folder(a, b, ".", 1);
    assert_same_folder(a, b, "probes", 5);
    if (with_frames)
        assert_same_folder(a, b, "frames", 10);
}

#endif
