// summary.json: valid JSON with exactly the contract's keys, and means that are means.
#include <math.h>
#include <yaml.h>

#include "record/state.h"
#include "record/summary.h"
#include "world_support.h"

static run_statistics sample_statistics(scree_world *world, int steps)
{
    run_statistics statistics = {0};
    for (int i = 0; i < steps; i++) {
        take_steps(world, 1);
        scree_step_figures figures = scree_world_step_figures(world);
        statistics_add(&statistics, &figures, 0, 0.5);
    }
    return statistics;
}

static void means_and_extremes(void **unused)
{
    (void)unused;
    run_statistics statistics = {0};
    scree_step_figures figures = {.contacts = 10, .iterations = 4, .residual_mean = 0.5, .residual_max = 0.75};
    figures.stages.solve = 2;
    statistics_add(&statistics, &figures, 0.125, 3);
    figures.contacts = 4;
    figures.iterations = 8;
    figures.residual_max = 0.25;
    figures.stages.broad = 1;
    statistics_add(&statistics, &figures, 0.0625, 5);
    assert_true(statistics.contacts_sum == 14 && statistics.contacts_max == 10);
    assert_true(statistics.iterations_sum == 12 && statistics.deepest == 0.125);
    assert_true(statistics.residual_sum == 1 && statistics.residual_max == 0.75);
    assert_true(statistics.solve_s == 4 && statistics.broad_s == 1);
    assert_true(statistics.step_s == 8 && statistics.row_step_s == 8 && statistics.row_steps == 2);
}

static void state_carries_on(void **unused)
{
    (void)unused;
    scree_error error;
    snapshot state = {0};
    scree_world *world = column_world(3, 1);
    run_statistics before = sample_statistics(world, 3), after;
    check_ok(statistics_save(&before, &state, &error), error);
    check_ok(statistics_load(&after, &state, &error), error);
    assert_memory_equal(&before, &after, sizeof before);
    state_release(&state);
    assert_int_equal(statistics_load(&after, &state, &error), SCREE_ERROR_INVALID);
    scree_world_destroy(world);
}

static yaml_node_t *member(yaml_document_t *document, yaml_node_t *mapping, const char *key)
{
    assert_int_equal(mapping->type, YAML_MAPPING_NODE);
    for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start; pair < mapping->data.mapping.pairs.top; pair++)
        if (strcmp((char *)yaml_document_get_node(document, pair->key)->data.scalar.value, key) == 0)
            return yaml_document_get_node(document, pair->value);
    fail_msg("no key %s", key);
    return NULL;
}

static double number_at(yaml_document_t *document, yaml_node_t *mapping, const char *key)
{
    yaml_node_t *node = member(document, mapping, key);
    char *end;
    assert_int_equal(node->type, YAML_SCALAR_NODE);
    double value = strtod((char *)node->data.scalar.value, &end);
    assert_int_equal(*end, '\0');
    return value;
}

static void assert_keys(yaml_document_t *document, yaml_node_t *mapping, const char *const *keys)
{
    size_t count = 0;
    for (; keys[count]; count++)
        member(document, mapping, keys[count]);
    assert_int_equal(mapping->data.mapping.pairs.top - mapping->data.mapping.pairs.start, count);
}

static void load_json(const char *path, yaml_document_t *document)
{
    yaml_parser_t parser;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_true(yaml_parser_initialize(&parser));
    yaml_parser_set_input_file(&parser, file);
    assert_true(yaml_parser_load(&parser, document));
    yaml_parser_delete(&parser);
    fclose(file);
}

static void has_the_contracts_keys(void **unused)
{
    (void)unused;
    scree_error error;
    yaml_document_t json;
    scree_world *world = column_world(6, 2);
    run_statistics statistics = sample_statistics(world, 40);
    statistics.output_s = 4;
    const run_summary summary = {"a \"name\"\n", world, &statistics, 12.5};
    check_ok(summary_write(&summary, in_scratch("summary.json"), &error), error);
    load_json(in_scratch("summary.json"), &json);
    yaml_node_t *root = yaml_document_get_root_node(&json);
    static const char *const keys[] = {"scree",
                                       "scene",
                                       "method",
                                       "steps",
                                       "time",
                                       "bodies",
                                       "wall_s",
                                       "ms_per_step",
                                       "stages_ms",
                                       "contacts",
                                       "touching",
                                       "penetration",
                                       "energy",
                                       "momentum",
                                       "solver",
                                       "threads",
                                       "ranks",
                                       "backend",
                                       "memory_mb",
                                       "state_hash",
                                       "stable_step",
                                       "tolerance_missed",
                                       "penetration_worst",
                                       NULL};
    static const char *const stages[] = {"broad", "narrow", "prepare", "solve", "integrate", "output", NULL};
    assert_keys(&json, root, keys);
    assert_keys(&json, member(&json, root, "stages_ms"), stages);
    assert_keys(&json, member(&json, root, "contacts"), (const char *const[]){"final", "mean", "max", NULL});
    assert_keys(&json, member(&json, root, "penetration"), (const char *const[]){"mean", "max", NULL});
    assert_keys(&json, member(&json, root, "energy"), (const char *const[]){"kinetic", "potential", NULL});
    assert_keys(
        &json, member(&json, root, "solver"),
        (const char *const[]){"algorithm", "iterations_mean", "residual_mean", "residual_max", "stopped", NULL});
    assert_string_equal((char *)member(&json, root, "scene")->data.scalar.value, "a \"name\"\n");
    assert_string_equal((char *)member(&json, root, "scree")->data.scalar.value, scree_version());
    assert_true(number_at(&json, root, "steps") == 40 && number_at(&json, root, "bodies") == 8);
    assert_true(number_at(&json, root, "threads") == 2 && number_at(&json, root, "wall_s") == 12.5);
    assert_true(number_at(&json, root, "ms_per_step") == 500);
    assert_true(number_at(&json, member(&json, root, "stages_ms"), "output") == 100);
    assert_true(number_at(&json, root, "memory_mb") > 1);
    scree_figures figures = scree_world_figures(world);
    assert_true(number_at(&json, member(&json, root, "energy"), "kinetic") == figures.kinetic);
    assert_true(number_at(&json, root, "touching") == (double)figures.touching);
    assert_true(number_at(&json, member(&json, root, "contacts"), "mean") == statistics.contacts_sum / 40);
    char hash[32];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)scree_world_hash(world));
    assert_string_equal((char *)member(&json, root, "state_hash")->data.scalar.value, hash);
    assert_string_equal((char *)member(&json, member(&json, root, "solver"), "algorithm")->data.scalar.value, "apgs");
    yaml_document_delete(&json);
    scree_world_destroy(world);
}

static void without_steps_it_is_still_valid(void **unused)
{
    (void)unused;
    scree_error error;
    yaml_document_t json;
    scree_world *world = column_world(1, 1);
    run_statistics statistics = {.residual_max = (double)INFINITY};
    const run_summary summary = {"none", world, &statistics, 0};
    check_ok(summary_write(&summary, in_scratch("summary.json"), &error), error);
    load_json(in_scratch("summary.json"), &json);
    yaml_node_t *root = yaml_document_get_root_node(&json);
    assert_true(number_at(&json, root, "ms_per_step") == 0);
    assert_string_equal((char *)member(&json, member(&json, root, "solver"), "residual_max")->data.scalar.value,
                        "null");
    yaml_document_delete(&json);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(means_and_extremes),
        test(state_carries_on),
        test(has_the_contracts_keys),
        test(without_steps_it_is_still_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
