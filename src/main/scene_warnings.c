#include "main/scene_warnings.h"

#include <math.h>
#include <stdio.h>

#include "base/array.h"
#include "base/vec.h"
#include "main/console.h"
#include "scene/scene.h"
#include "scree/detect.h"

// Radii that a body may move in a step, and steps that it should take to fall by its own radius, before it is worth a
// word: contacts are found a step ahead, and push-out is measured in steps.
static const double most_radii = 1, least_steps = 4;

// Overlaps up to this part of the smaller radius are as good as touching.
static const double most_overlap = 0.001;

typedef struct place_text {
    char text[320];
} place_text;

// "FILE:LINE:COLUMN: body 'ball'".
static place_text place_of_id(const scree_scene *scene, scree_id id)
{
    place_text where;
    scene_place place = {0};
    const char *kind = "body", *name = "";
    if (id >= 1 && id <= scene->body_count) {
        place = scene->bodies[id - 1].place;
        name = scene->bodies[id - 1].name;
    }
    for (size_t i = 0; i < scene->fill_count; i++) {
        const scene_fill *fill = &scene->fills[i];
        if (id < fill->ids.first || id - fill->ids.first >= fill->ids.count)
            continue;
        place = fill->place;
        name = fill->name;
        kind = "a body of the fill";
    }
    char at[32] = "";
    if (place.line)
        snprintf(at, sizeof at, ":%u:%u", place.line, place.column);
    snprintf(where.text, sizeof where.text, "%.180s%s: %s%s%.64s%s", scene->path, at, kind, *name ? " '" : "", name,
             *name ? "'" : "");
    return where;
}

// ------------------------------------------------------------------------------------------------------------- steps

typedef struct worst_steps {
    scree_id fastest, quickest_fall;
    double radii, steps, radius;
} worst_steps;

static void look_at_body(const scree_scene *scene, const scree_world *world, scree_id id, worst_steps *worst)
{
    scree_body_info info;
    scree_state state;
    if (scree_world_get_body(world, id, &info, NULL) != SCREE_OK || info.fixed ||
        scree_world_get_states(world, &id, 1, &state, NULL) != SCREE_OK || !(info.bounding_radius > 0))
        return;
    double step = scene->world.step, gravity = vec3_length(scene->world.gravity), radius = info.bounding_radius;
    double radii = step * vec3_length(state.velocity) / radius;
    double steps = gravity > 0 ? sqrt(2 * radius / gravity) / step : HUGE_VAL;
    if (radii > worst->radii) {
        worst->radii = radii;
        worst->fastest = id;
    }
    if (steps < worst->steps) {
        worst->steps = steps;
        worst->radius = radius;
        worst->quickest_fall = id;
    }
}

static void warn_of_steps(const scree_scene *scene, const scree_world *world)
{
    worst_steps worst = {.steps = HUGE_VAL};
    ARRAY(scree_id) ids = {0};
    if (!array_resize(&ids, scree_world_body_count(world)))
        return;
    scree_world_body_ids(world, ids.data);
    for (size_t i = 0; i < ids.count; i++)
        look_at_body(scene, world, ids.data[i], &worst);
    array_free(&ids);
    if (worst.radii > most_radii)
        warn("%s moves by %.3g of its radii in a step; a step of %.2g s or less would follow it",
             place_of_id(scene, worst.fastest).text, worst.radii, scene->world.step * most_radii / worst.radii);
    if (worst.steps < least_steps)
        warn("%s of radius %.3g falls by its radius in %.2g steps; a step of %.2g s or less would suit its size",
             place_of_id(scene, worst.quickest_fall).text, worst.radius, worst.steps,
             scene->world.step * worst.steps / least_steps);
}

// ---------------------------------------------------------------------------------------------------------- overlaps

typedef struct overlaps {
    const scree_world *world;
    size_t count;
    double deepest; // of the smaller radius
    scree_id a, b;
} overlaps;

static double radius_of(const scree_world *world, scree_id id)
{
    scree_body_info info;
    return scree_world_get_body(world, id, &info, NULL) == SCREE_OK ? info.bounding_radius : HUGE_VAL;
}

static bool count_overlaps(void *user, int thread, const scree_detect_contact *contacts, size_t count)
{
    (void)thread;
    overlaps *found = user;
    for (size_t i = 0; i < count; i++) {
        const scree_detect_contact *c = &contacts[i];
        if (c->gap >= 0)
            continue;
        double depth = -c->gap / fmin(radius_of(found->world, c->a), radius_of(found->world, c->b));
        found->count += depth > most_overlap;
        if (depth > found->deepest) {
            found->deepest = depth;
            found->a = c->a;
            found->b = c->b;
        }
    }
    return true;
}

static void warn_of_overlaps(const scree_scene *scene, scree_world *world)
{
    overlaps found = {.world = world};
    scree_detect_result result;
    scree_error error;
    if (scree_world_detect(world, NULL, count_overlaps, &found, &result, &error) != SCREE_OK) {
        warn("overlaps at the start were not looked for: %s", error.message);
    } else if (found.count > 0) {
        place_text other = place_of_id(scene, found.b);
        warn("%s overlaps %s at the start, by %.3g of the smaller radius (%s in all)", place_of_id(scene, found.a).text,
             other.text, found.deepest, format_plural(found.count, "contact point", "contact points").text);
    }
}

// ----------------------------------------------------------------------------------------------------------- inertia

// A moment is a sum of squares of two coordinates over the mass, so that none exceeds the sum of the other two.
static void warn_of_inertia(const scree_scene *scene)
{
    for (size_t i = 0; i < scene->body_count; i++) {
        scree_vec3 of = scene->bodies[i].def.inertia;
        double most = fmax(of.x, fmax(of.y, of.z)), sum = of.x + of.y + of.z;
        if (scene->bodies[i].def.fixed || most <= 0.5 * sum * (1 + 1e-9))
            continue;
        warn("%s has moments of inertia [%g, %g, %g], which no body has: none may exceed the sum of the others",
             place_of_id(scene, i + 1).text, of.x, of.y, of.z);
        return;
    }
}

void warn_of_scene(const scree_scene *scene, scree_world *world)
{
    warn_of_steps(scene, world);
    warn_of_overlaps(scene, world);
    warn_of_inertia(scene);
}

void announce_fills(const scree_scene *scene)
{
    static const uint64_t SECONDS_LONG = 1000000; // bodies: a microsecond or more each
    uint64_t bodies = 0;
    for (size_t i = 0; i < scene->fill_count; i++)
        bodies += scene->fills[i].def.count;
    if (bodies > SECONDS_LONG)
        complain(EXIT_DONE, "placing %s bodies, which takes a while", format_count(bodies).text);
}
