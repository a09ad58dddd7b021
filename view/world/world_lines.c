// Lines that are drawn over the bodies: contacts as force chains or normals, bounds as boxes.
//
// Force chains are the strong network: contacts that push by more than the mean carry nearly all of the load (F. Radjai
// et al., Bimodal character of stress transmission in granular packings, 1998).
#include "base/error.h"
#include "view/chart/quantile.h"
#include "view/world/extent.h"
#include "view/world/world_scene.h"

static const color NORMAL_COLOR = {0x1d, 0x4e, 0x89, 255}, BOX_COLOR = {0x24, 0x6b, 0x4f, 200},
                   BOUNDS_COLOR = {0x46, 0x50, 0x5c, 220};

static bool shows(const world_picture_def *def, const world_contact *contact)
{
    for (size_t i = 0; i < def->section_count; i++)
        for (int k = 0; k < 2; k++)
            if (vec3_dot(def->sections[i].normal, contact->ends[k]) > def->sections[i].offset)
                return false;
    return vec3_finite(contact->ends[0]) && vec3_finite(contact->ends[1]) && isfinite(contact->force);
}

// From amber at the mean to dark red at the strongest.
static color force_color(double share)
{
    double t = sqrt(fmin(fmax(share, 0), 1));
    return (color){(uint8_t)(236 - 90 * t), (uint8_t)(150 - 140 * t), (uint8_t)(40 - 20 * t), 255};
}

// Typical radius of what moves.
static double grain_radius(const world_bodies *bodies)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < bodies->ids.count; i++)
        if (!bodies->infos.data[i].fixed && isfinite(bodies->infos.data[i].bounding_radius)) {
            sum += bodies->infos.data[i].bounding_radius;
            count++;
        }
    return count > 0 ? sum / count : 1;
}

// Forces that push, sorted; false when out of memory.
static bool sort_forces(world_scene *scene, const world_bodies *bodies)
{
    scene->forces.count = 0;
    if (!array_reserve(&scene->forces, bodies->contacts.count))
        return false;
    for (size_t i = 0; i < bodies->contacts.count; i++) {
        double force = bodies->contacts.data[i].force;
        if (force > 0 && isfinite(force))
            scene->forces.data[scene->forces.count++] = force;
    }
    quantile_sort(scene->forces.data, scene->forces.count);
    return true;
}

static bool add_chains(world_scene *scene, const world_bodies *bodies, const world_picture_def *def)
{
    if (!sort_forces(scene, bodies))
        return false;
    size_t count = scene->forces.count;
    if (count == 0)
        return true;
    double mean = 0, width = 0.5 * grain_radius(bodies);
    for (size_t i = 0; i < count; i++)
        mean += scene->forces.data[i] / (double)count;
    double most = fmax(quantile_of(scene->forces.data, count, 0.99), mean * (1 + 1e-9));
    bool added = true;
    for (size_t i = 0; added && i < bodies->contacts.count; i++) {
        const world_contact *c = &bodies->contacts.data[i];
        if (!(c->force >= mean) || !shows(def, c))
            continue;
        double thick = width * sqrt(fmin(c->force / most, 1.5));
        added = array_push(
            &scene->lines,
            ((picture_line){{c->ends[0], c->ends[1]}, thick, 0.75f, force_color((c->force - mean) / (most - mean))}));
    }
    return added;
}

static bool add_normals(world_scene *scene, const world_bodies *bodies, const world_picture_def *def)
{
    double length = 0.45 * grain_radius(bodies);
    bool added = true;
    for (size_t i = 0; added && i < bodies->contacts.count; i++) {
        const world_contact *c = &bodies->contacts.data[i];
        if (!shows(def, c))
            continue;
        picture_line line = {
            {vec3_add_scaled(c->point, c->normal, -length), vec3_add_scaled(c->point, c->normal, length)},
            0.08 * length,
            0.35f,
            NORMAL_COLOR};
        added = array_push(&scene->lines, line);
    }
    return added;
}

static bool add_box(world_scene *scene, vec3 low, vec3 high, color paint, float through)
{
    bool added = true;
    for (int corner = 0; corner < 8; corner++)
        for (int axis = 1; axis < 8; axis <<= 1) {
            int other = corner | axis;
            vec3 a = {corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z};
            vec3 b = {other & 1 ? high.x : low.x, other & 2 ? high.y : low.y, other & 4 ? high.z : low.z};
            if (other != corner)
                added = added && array_push(&scene->lines, ((picture_line){{a, b}, 0, through, paint}));
        }
    return added;
}

// The boxes of all shapes that move, and of all that moves.
static bool add_boxes(world_scene *scene, const world_picture_def *def)
{
    vec3 low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, center, half;
    bool added = true;
    for (size_t i = 0; added && i < extent_object_count(&scene->picture); i++) {
        if (!extent_object_bounds(&scene->picture, i, &center, &half))
            continue;
        vec3 a = vec3_sub(center, half), b = vec3_add(center, half);
        low = vec3_make(fmin(low.x, a.x), fmin(low.y, a.y), fmin(low.z, a.z));
        high = vec3_make(fmax(high.x, b.x), fmax(high.y, b.y), fmax(high.z, b.z));
        added = !def->proxies || add_box(scene, a, b, BOX_COLOR, 0.1f);
    }
    return added && (!def->bounds || !(low.x <= high.x) || add_box(scene, low, high, BOUNDS_COLOR, 0.4f));
}

scree_status world_scene_add_lines(world_scene *scene, const world_bodies *bodies, const world_picture_def *def,
                                   scree_error *error)
{
    scene->lines.count = 0;
    if ((def->force_chains || def->normals) && !bodies->has_contacts)
        return fail(error, SCREE_ERROR_INVALID,
                    "these frames hold no contacts: run the scene with output.contacts true, or draw a checkpoint");
    if (def->normals && bodies->contacts.count > 0 && !bodies->contacts.data[0].has_normal)
        return fail(error, SCREE_ERROR_INVALID, "these contacts have no normals: draw a checkpoint instead");
    bool added = (!def->force_chains || add_chains(scene, bodies, def)) &&
                 (!def->normals || add_normals(scene, bodies, def)) &&
                 (!(def->proxies || def->bounds) || add_boxes(scene, def));
    return added ? SCREE_OK : fail_no_memory(error);
}
