// Quantities of contacts are gathered over the list of contacts, all others are read from the states.
#include "view/world/body_color.h"

#include <stdlib.h>

#include "base/error.h"
#include "view/chart/axis.h"
#include "view/chart/quantile.h"

static const char *const NAMES[BODY_COLORS] = {"speed", "spin",         "material", "body",
                                               "force", "coordination", "rank",     "height"};

scree_status body_color_parse(const char *name, body_color *value, scree_error *error)
{
    if (strcmp(name, "id") == 0)
        name = NAMES[BODY_COLOR_BODY];
    for (int i = 0; i < BODY_COLORS; i++)
        if (strcmp(name, NAMES[i]) == 0) {
            *value = (body_color)i;
            return SCREE_OK;
        }
    return fail(error, SCREE_ERROR_INVALID,
                "cannot colour by '%s': speed, spin, material, body, force, coordination, rank and height are accepted",
                name);
}

const char *body_color_name(body_color value)
{
    return NAMES[value];
}

bool body_color_is_scale(body_color value)
{
    return value != BODY_COLOR_MATERIAL && value != BODY_COLOR_BODY && value != BODY_COLOR_RANK;
}

// ------------------------------------------------------------------------------------------------------------- values

static void add_forces(const world_bodies *bodies, body_values *values)
{
    for (size_t i = 0; i < bodies->contacts.count; i++) {
        const world_contact *c = &bodies->contacts.data[i];
        if (c->a != WORLD_NO_BODY)
            values->data[c->a] += fmax(c->force, 0);
        if (c->b != WORLD_NO_BODY)
            values->data[c->b] += fmax(c->force, 0);
    }
}

typedef struct touching_pair {
    uint32_t a, b;
} touching_pair;

static int compare_pairs(const void *left, const void *right)
{
    const touching_pair *x = left, *y = right;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

// Walls all count as one, whatever they are made of.
static uint32_t neighbour(const world_bodies *bodies, uint32_t body)
{
    return body == WORLD_NO_BODY || bodies->infos.data[body].fixed ? WORLD_NO_BODY : body;
}

// Two bodies may share several contact points, and count once.
static scree_status count_neighbours(const world_bodies *bodies, body_values *values, scree_error *error)
{
    ARRAY(touching_pair) pairs = {0};
    if (!array_reserve(&pairs, bodies->contacts.count))
        return fail_no_memory(error);
    for (size_t i = 0; i < bodies->contacts.count; i++) {
        const world_contact *c = &bodies->contacts.data[i];
        uint32_t a = neighbour(bodies, c->a), b = neighbour(bodies, c->b);
        if (c->force > 0)
            pairs.data[pairs.count++] = (touching_pair){a < b ? a : b, a < b ? b : a}; // walls are last
    }
    if (pairs.count > 0)
        qsort(pairs.data, pairs.count, sizeof *pairs.data, compare_pairs);
    for (size_t i = 0; i < pairs.count; i++) {
        const touching_pair *p = &pairs.data[i];
        if (i > 0 && compare_pairs(p, p - 1) == 0)
            continue;
        if (p->a != WORLD_NO_BODY)
            values->data[p->a]++;
        if (p->b != WORLD_NO_BODY)
            values->data[p->b]++;
    }
    array_free(&pairs);
    return SCREE_OK;
}

scree_status body_color_values(const world_bodies *bodies, body_color what, scree_vec3 up, body_values *values,
                               scree_error *error)
{
    bool of_contacts = what == BODY_COLOR_FORCE || what == BODY_COLOR_COORDINATION;
    if (!array_resize(values, bodies->ids.count))
        return fail_no_memory(error);
    for (size_t i = 0; i < values->count; i++) {
        const scree_state *state = &bodies->states.data[i];
        values->data[i] = what == BODY_COLOR_SPEED    ? vec3_length(state->velocity)
                          : what == BODY_COLOR_SPIN   ? vec3_length(state->spin)
                          : what == BODY_COLOR_HEIGHT ? vec3_dot(state->position, up)
                                                      : 0;
    }
    if (of_contacts && !bodies->has_contacts)
        return fail(error, SCREE_ERROR_INVALID,
                    "these frames hold no contacts to colour by %s: run the scene with output.contacts true, or draw a "
                    "checkpoint",
                    NAMES[what]);
    if (what == BODY_COLOR_FORCE)
        add_forces(bodies, values);
    return what == BODY_COLOR_COORDINATION ? count_neighbours(bodies, values, error) : SCREE_OK;
}

// -------------------------------------------------------------------------------------------------------------- range

// The noise of bodies at rest shall not fill the scale: it reaches at least a tenth of the speed of a fall by one
// body's radius.
static double least_high(const world_bodies *bodies, body_color what, double radius)
{
    double speed = 0.1 * sqrt(2 * vec3_length(bodies->gravity) * radius);
    return what == BODY_COLOR_SPEED                ? speed
           : what == BODY_COLOR_SPIN && radius > 0 ? speed / radius
           : what == BODY_COLOR_COORDINATION       ? 6
                                                   : 0;
}

scree_status body_color_range(const world_bodies *bodies, body_color what, const body_values *values, double *low,
                              double *high, scree_error *error)
{
    body_values sorted = {0};
    double radii = 0;
    *low = 0;
    *high = 1;
    if (!array_reserve(&sorted, values->count))
        return fail_no_memory(error);
    for (size_t i = 0; i < values->count; i++)
        if (!bodies->infos.data[i].fixed && isfinite(values->data[i])) {
            sorted.data[sorted.count++] = values->data[i];
            radii += bodies->infos.data[i].bounding_radius;
        }
    if (sorted.count > 0 && what == BODY_COLOR_HEIGHT) {
        double most = *low = sorted.data[0];
        for (size_t i = 1; i < sorted.count; i++) {
            *low = fmin(*low, sorted.data[i]);
            most = fmax(most, sorted.data[i]);
        }
        *high = fmax(most, *low + fmax(1e-9, 1e-6 * fabs(*low)));
    } else if (sorted.count > 0) {
        quantile_sort(sorted.data, sorted.count);
        double most = quantile_of(sorted.data, sorted.count, 0.995);
        most = fmax(most, least_high(bodies, what, radii / (double)sorted.count));
        *high = what == BODY_COLOR_COORDINATION ? most : axis_round_up(most);
    }
    array_free(&sorted);
    return SCREE_OK;
}
