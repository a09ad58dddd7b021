// Rows about a scene. Long lists of names are cut, since a scene may name thousands of bodies.
#include "main/scene_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "main/console.h"
#include "scene/plan.h"

enum { NAMES_SHOWN = 12, LIST_SIZE = 1024 };

// A text that grows by ", name" and says how many names did not fit.
typedef struct name_list {
    char text[LIST_SIZE];
    size_t length, shown, left_out;
} name_list;

static void name_list_add(name_list *list, const char *name)
{
    size_t need = strlen(name) + 2;
    if (*name == '\0')
        return;
    if (list->shown >= NAMES_SHOWN || list->length + need + 1 > sizeof list->text) {
        list->left_out++;
        return;
    }
    list->length += (size_t)snprintf(list->text + list->length, sizeof list->text - list->length, "%s%s",
                                     list->shown > 0 ? ", " : "", name);
    list->shown++;
}

static void name_list_print(const char *label, const name_list *list)
{
    if (list->left_out > 0)
        print_row(label, "%s and %s more", list->text, format_count(list->left_out).text);
    else if (list->shown > 0)
        print_row(label, "%s", list->text);
}

const char *scene_word(const key_table *table, const char *name, int value)
{
    const key_row *row = table_find(table, name);
    const key_word *word = row && row->words ? word_of_value(row->words, value) : NULL;
    return word ? word->name : "?";
}

size_t scene_body_total(const scree_scene *scene)
{
    size_t total = scene->body_count;
    for (size_t i = 0; i < scene->fill_count; i++)
        total += scene->fills[i].def.count;
    return total;
}

static void print_names(const scree_scene *scene)
{
    name_list variants = {"", 0, 0, 0}, bodies = {"", 0, 0, 0}, materials = {"", 0, 0, 0};
    for (size_t i = 0; i < scene->body_count; i++)
        name_list_add(&bodies, scene->bodies[i].name);
    for (size_t i = 0; i < scene->material_count; i++)
        name_list_add(&materials, scene->materials[i].name);
    for (size_t i = 0; i < scene->variant_count; i++)
        name_list_add(&variants, scene->variants[i].name);
    name_list_print("variants", &variants);
    name_list_print("named bodies", &bodies);
    name_list_print("materials", &materials);
    if (scene->pair_count > 0)
        print_row("pairs", "%s", format_plural(scene->pair_count, "pair of materials", "pairs of materials").text);
}

static void print_fills(const scree_scene *scene)
{
    for (size_t i = 0; i < scene->fill_count; i++) {
        const scene_fill *fill = &scene->fills[i];
        print_row(i == 0 ? "fills" : "", "%s%s%s, %s", fill->name, *fill->name ? ": " : "",
                  format_plural(fill->def.count, "body", "bodies").text,
                  scene_word(&fill_table, "pattern", (int)fill->def.pattern));
    }
}

static void print_joints(const scree_scene *scene)
{
    for (size_t i = 0; i < scene->joint_count && i < NAMES_SHOWN; i++) {
        const scene_joint *joint = &scene->joints[i];
        print_row(i == 0 ? "joints" : "", "%s%s%s of %s and %s", joint->name, *joint->name ? ": " : "",
                  scene_word(&joint_table, "type", (int)joint->def.type), joint->ends[0], joint->ends[1]);
    }
    if (scene->joint_count > NAMES_SHOWN)
        print_row("", "and %s more", format_count(scene->joint_count - NAMES_SHOWN).text);
}

static void print_changes(const scree_scene *scene)
{
    for (size_t i = 0; i < scene->motion_count && i < NAMES_SHOWN; i++) {
        const scene_motion *motion = &scene->motions[i];
        const char *name = scene->bodies[motion->body].name;
        print_row(i == 0 ? "motions" : "", "%s: %s", name, scene_word(&motion_table, "type", (int)motion->def.type));
    }
    for (size_t i = 0; i < scene->event_count && i < NAMES_SHOWN; i++) {
        const scene_event *event = &scene->events[i];
        name_list removed = {"", 0, 0, 0};
        for (size_t j = 0; j < event->remove_count; j++)
            name_list_add(&removed, event->remove_names[j]);
        print_row(i == 0 ? "events" : "", "at %g s remove %s%s", event->time, removed.text,
                  removed.left_out > 0 ? ", ..." : "");
    }
}

static void print_output(const scree_scene *scene)
{
    const scene_output *output = &scene->output;
    run_plan plan = scene_plan(scene, 0);
    double step = scene->world.step;
    print_row("output", "every %.6g s (%s)%s%s", (double)plan.every * step,
              format_plural(plan.every, "step", "steps").text, output->frames ? ", with frames" : ", without frames",
              output->frames && output->frame_contacts ? " and contacts" : "");
    if (plan.checkpoint_every > 0)
        print_row("", "a checkpoint every %.6g s (%s)", (double)plan.checkpoint_every * step,
                  format_plural(plan.checkpoint_every, "step", "steps").text);
    name_list probes = {"", 0, 0, 0}, counters = {"", 0, 0, 0};
    for (size_t i = 0; i < output->probe_count; i++)
        name_list_add(&probes, output->probes[i].name);
    for (size_t i = 0; i < output->counter_count; i++)
        name_list_add(&counters, output->counters[i].name);
    name_list_print("probes", &probes);
    name_list_print("counters", &counters);
}

void scene_table_print(const scree_scene *scene)
{
    const scree_solver_def *solver = &scene->world.solver;
    printf("%s\n", scene->name);
    run_plan plan = scene_plan(scene, 0);
    double end = (double)plan.steps * scene->world.step;
    bool exact = fabs(end - scene->duration) <= 1e-9 * scene->duration;
    print_row("duration", "%g s, %s of %g s%s", scene->duration, format_plural(plan.steps, "step", "steps").text,
              scene->world.step, exact ? "" : format_text(", to %g s", end).text);
    print_row("gravity", "%g, %g, %g", scene->world.gravity.x, scene->world.gravity.y, scene->world.gravity.z);
    print_row("solver", "%s, %s at most, tolerance %g, %s precision",
              scene_word(&solver_table, "algorithm", (int)solver->algorithm),
              format_plural((uint64_t)solver->iterations, "iteration", "iterations").text, solver->tolerance,
              scene_word(&solver_table, "precision", (int)solver->precision));
    print_row("bodies", "%s, of them %s from fills", format_count(scene_body_total(scene)).text,
              format_count(scene_body_total(scene) - scene->body_count).text);
    print_names(scene);
    print_fills(scene);
    print_joints(scene);
    print_changes(scene);
    print_output(scene);
}
