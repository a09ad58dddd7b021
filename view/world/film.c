#include "view/world/film.h"

#include "base/error.h"
#include "view/chart/axis.h"
#include "view/chart/quantile.h"
#include "view/world/world_scene.h"

// Frames that are looked at to find bounds and scales, and the share of bodies that counts as strays at each end.
enum { LOOKS = 12, FEW_BODIES = 100 };
static const double STRAYS = 0.004;

static const unsigned WALL_COLOR = 0xcdd1d6, MOVED_COLOR = 0x9aa3ad;

typedef ARRAY(double) number_list;

typedef struct survey { // of moving bodies, over the frames looked at
    number_list low[3], high[3], speeds, spins;
    double radii;
} survey;

film_def film_default(void)
{
    return (film_def){.last = SIZE_MAX, .stride = 1, .look = world_picture_default()};
}

size_t film_number(const film *shown, size_t i)
{
    return shown->def.first + i * shown->def.stride;
}

double film_time(const film *shown, size_t i)
{
    return replay_time(shown->run, film_number(shown, i));
}

scree_status film_show(film *shown, size_t i, scree_error *error)
{
    replay *run = shown->run;
    if (run->frames.count == 0) // every checkpoint is another world, with geometries of its own
        world_bodies_free(&shown->bodies);
    scree_status status = replay_show(run, film_number(shown, i), error);
    if (status == SCREE_OK)
        status = world_bodies_read(&shown->bodies, run->world, error);
    if (status == SCREE_OK && run->frames.count > 0)
        status = world_bodies_take_contacts(&shown->bodies, &run->frame, error);
    if (status == SCREE_OK)
        status = body_color_values(&shown->bodies, shown->def.look.color, shown->up, &shown->values, error);
    return status;
}

scree_pose film_shape_pose(const film *shown, size_t body, const scree_shape_def *shape)
{
    quat turn = shown->bodies.states.data[body].orientation;
    return (scree_pose){vec3_add(shown->bodies.infos.data[body].frame, quat_rotate(turn, shape->position)),
                        quat_normalize(quat_multiply(turn, quat_normalize(shape->orientation)))};
}

color film_color_of(const film *shown, size_t body)
{
    const scree_body_info *info = &shown->bodies.infos.data[body];
    if (info->fixed)
        return color_make(info->moved ? MOVED_COLOR : WALL_COLOR);
    if (shown->def.look.color == BODY_COLOR_MATERIAL)
        return color_of_kind((size_t)info->material);
    if (shown->def.look.color == BODY_COLOR_BODY)
        return color_of_id(shown->bodies.ids.data[body]);
    return color_of_scale((shown->values.data[body] - shown->scale_low) / (shown->scale_high - shown->scale_low));
}

// ---------------------------------------------------------------------------------------------------------- surveying

static bool note_body(survey *found, const scree_body_info *info, const scree_state *state)
{
    const double at[3] = {state->position.x, state->position.y, state->position.z};
    double radius = info->bounding_radius;
    if (!isfinite(radius) || !vec3_finite(state->position))
        return true;
    found->radii += radius;
    bool good =
        array_push(&found->speeds, vec3_length(state->velocity)) && array_push(&found->spins, vec3_length(state->spin));
    for (int k = 0; k < 3; k++)
        good = good && array_push(&found->low[k], at[k] - radius) && array_push(&found->high[k], at[k] + radius);
    return good;
}

static scree_status note_bodies(survey *found, const world_bodies *bodies, bool fixed, scree_error *error)
{
    for (size_t i = 0; i < bodies->ids.count; i++)
        if (bodies->infos.data[i].fixed == fixed && !note_body(found, &bodies->infos.data[i], &bodies->states.data[i]))
            return fail_no_memory(error);
    return SCREE_OK;
}

static scree_status widen_scale(film *shown, scree_error *error)
{
    const world_picture_def *look = &shown->def.look;
    double low, high;
    if (look->has_range || !body_color_is_scale(look->color))
        return SCREE_OK;
    scree_status status = body_color_range(&shown->bodies, look->color, &shown->values, &low, &high, error);
    if (status == SCREE_OK) {
        shown->scale_low = fmin(shown->scale_low, low);
        shown->scale_high = fmax(shown->scale_high, high);
    }
    return status;
}

static scree_status look_through(film *shown, survey *found, scree_error *error)
{
    size_t looks = shown->count < LOOKS ? shown->count : LOOKS;
    scree_status status = SCREE_OK;
    for (size_t i = 0; status == SCREE_OK && i < looks; i++) {
        status = film_show(shown, looks > 1 ? i * (shown->count - 1) / (looks - 1) : 0, error);
        if (status == SCREE_OK)
            status = note_bodies(found, &shown->bodies, false, error);
        if (status == SCREE_OK)
            status = widen_scale(shown, error);
    }
    if (status == SCREE_OK && found->speeds.count == 0) // nothing moves: the bounded walls are what there is to see
        status = note_bodies(found, &shown->bodies, true, error);
    return status;
}

static double end_of(number_list *values, double share)
{
    quantile_sort(values->data, values->count);
    if (values->count < FEW_BODIES)
        share = share < 0.5 ? 0 : 1;
    return quantile_of(values->data, values->count, share);
}

static void conclude(film *shown, survey *found)
{
    shown->low = vec3_make(-1, -1, -1);
    shown->high = vec3_make(1, 1, 1);
    shown->radius = shown->speed = shown->spin = 1;
    if (found->speeds.count == 0)
        return;
    double ends[6];
    for (int k = 0; k < 3; k++) {
        ends[k] = end_of(&found->low[k], STRAYS);
        ends[3 + k] = end_of(&found->high[k], 1 - STRAYS);
    }
    shown->low = vec3_make(ends[0], ends[1], ends[2]);
    shown->high = vec3_make(ends[3], ends[4], ends[5]);
    shown->radius = found->radii / (double)found->speeds.count;
    shown->speed = axis_round_up(end_of(&found->speeds, 1 - STRAYS));
    shown->spin = axis_round_up(end_of(&found->spins, 1 - STRAYS));
}

static void survey_free(survey *found)
{
    for (int k = 0; k < 3; k++) {
        array_free(&found->low[k]);
        array_free(&found->high[k]);
    }
    array_free(&found->speeds);
    array_free(&found->spins);
}

// -------------------------------------------------------------------------------------------------------------- making

static scree_status place_camera(film *shown, scree_error *error)
{
    world_scene aimed = {.picture = picture_default()};
    world_picture_def look = shown->def.look;
    aimed.picture.camera.up = shown->up;
    look.has_span = true;
    look.span.low = shown->low;
    look.span.high = shown->high;
    scree_status status = world_scene_aim(&aimed, &look, error);
    shown->camera = aimed.picture.camera;
    return status;
}

static scree_status choose_frames(film *shown, scree_error *error)
{
    const film_def *def = &shown->def;
    size_t there = replay_count(shown->run);
    if (def->first >= there || def->last < def->first)
        return fail(error, SCREE_ERROR_INVALID, "no such frames: %s has frames 0 to %zu", shown->run->run, there - 1);
    size_t last = def->last < there ? def->last : there - 1;
    shown->count = (last - def->first) / def->stride + 1;
    return SCREE_OK;
}

scree_status film_make(film *shown, replay *run, const film_def *def, scree_error *error)
{
    *shown = (film){.run = run, .def = *def, .scale_low = HUGE_VAL, .scale_high = -HUGE_VAL};
    vec3 gravity = run->scene->world.gravity;
    shown->up = vec3_length(gravity) > 0 ? vec3_normalize(vec3_negate(gravity)) : vec3_make(0, 0, 1);
    survey found = {0};
    scree_status status = choose_frames(shown, error);
    if (status == SCREE_OK)
        status = look_through(shown, &found, error);
    if (status == SCREE_OK)
        conclude(shown, &found);
    survey_free(&found);
    if (def->look.has_range || !(shown->scale_low < shown->scale_high)) {
        shown->scale_low = def->look.has_range ? def->look.low : 0;
        shown->scale_high = def->look.has_range ? def->look.high : 1;
    }
    return status == SCREE_OK ? place_camera(shown, error) : status;
}

void film_free(film *shown)
{
    world_bodies_free(&shown->bodies);
    array_free(&shown->values);
}
