#include "view/film.h"

#include "base/array.h"
#include "base/error.h"
#include "view/axis.h"
#include "view/body_walk.h"
#include "view/quantile.h"
#include "view/vec3f.h"

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
    return (film_def){.last = SIZE_MAX, .stride = 1, .width = 1280, .height = 720, .field_of_view = 0.5};
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
    return replay_show(shown->run, film_number(shown, i), error);
}

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

static scree_status look(survey *found, const scree_world *world, bool fixed, scree_error *error)
{
    body_walk walk;
    scree_status status = body_walk_begin(&walk, world, error);
    while (body_walk_next(&walk, &status, error))
        if (walk.info.fixed == fixed && !note_body(found, &walk.info, &walk.state))
            status = fail_no_memory(error);
    body_walk_end(&walk);
    return status;
}

static scree_status look_through(film *shown, survey *found, scree_error *error)
{
    size_t looks = shown->count < LOOKS ? shown->count : LOOKS;
    scree_status status = SCREE_OK;
    for (size_t i = 0; status == SCREE_OK && i < looks; i++) {
        status = film_show(shown, looks > 1 ? i * (shown->count - 1) / (looks - 1) : 0, error);
        if (status == SCREE_OK)
            status = look(found, shown->run->world, false, error);
    }
    if (status == SCREE_OK && found->speeds.count == 0) // nothing moves: the bounded walls are what there is to see
        status = look(found, shown->run->world, true, error);
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

// From the front, a little from the right and from above.
static void place_camera(film *shown)
{
    const film_def *def = &shown->def;
    vec3 right = vec3_square_to(shown->up), back = vec3_cross(shown->up, right);
    vec3 direction = vec3_add_scaled(vec3_add_scaled(vec3_scale(right, -0.5), back, 0.72), shown->up, -0.34);
    shown->camera = picture_frame(shown->low, shown->high, vec3_normalize(direction), shown->up, def->field_of_view,
                                  (double)def->width / (double)def->height);
    vec3 offset = vec3_sub(shown->camera.position, shown->camera.look_at);
    if (def->has_look_at)
        shown->camera.look_at = def->look_at;
    shown->camera.position = def->has_from ? def->from : vec3_add(shown->camera.look_at, offset);
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

scree_status film_make(film *shown, replay *run, const film_def *def, scree_error *error)
{
    size_t there = replay_count(run);
    *shown = (film){.run = run, .def = *def};
    if (def->first >= there || def->last < def->first)
        return fail(error, SCREE_INVALID, "no such frames: %s has frames 0 to %zu", run->run, there - 1);
    size_t last = def->last < there ? def->last : there - 1;
    shown->count = (last - def->first) / def->stride + 1;
    vec3 gravity = run->scene->world.gravity;
    shown->up = vec3_length(gravity) > 0 ? vec3_normalize(vec3_negate(gravity)) : vec3_make(0, 0, 1);
    survey found = {0};
    scree_status status = look_through(shown, &found, error);
    if (status == SCREE_OK) {
        conclude(shown, &found);
        place_camera(shown);
    }
    survey_free(&found);
    return status;
}

color film_color_of(const film *shown, scree_id id, const scree_body_info *info, const scree_state *state)
{
    if (info->fixed)
        return color_make(info->moved ? MOVED_COLOR : WALL_COLOR);
    double low = vec3_dot(shown->low, shown->up), high = vec3_dot(shown->high, shown->up);
    switch (shown->def.color) {
    case FILM_MATERIAL:
        return color_of_kind((size_t)info->material);
    case FILM_BODY:
        return color_of_id(id);
    case FILM_HEIGHT:
        return color_of_scale((vec3_dot(state->position, shown->up) - fmin(low, high)) / fabs(high - low));
    default:
        return color_of_scale(vec3_length(state->velocity) / shown->speed);
    }
}
