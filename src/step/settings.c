#include "step/settings.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "step/methods.h"

// The setting of this number among those of all methods; NULL after the last.
static const method_setting *setting_numbered(size_t number)
{
    const method *of;
    for (uint64_t i = 0; (of = method_numbered(i)); i++) {
        if (number < of->setting_count)
            return &of->settings[number];
        number -= of->setting_count;
    }
    return NULL;
}

static double get(const scree_world_def *def, const method_setting *of)
{
    const char *place = (const char *)def + of->offset;
    unsigned choice;
    double real;
    if (of->choices) {
        memcpy(&choice, place, sizeof choice);
        return choice;
    }
    memcpy(&real, place, sizeof real);
    return real;
}

static void set(scree_world_def *def, const method_setting *of, double value)
{
    char *place = (char *)def + of->offset;
    unsigned choice = of->choices ? (unsigned)value : 0;
    if (of->choices)
        memcpy(place, &choice, sizeof choice);
    else
        memcpy(place, &value, sizeof value);
}

void settings_set_defaults(scree_world_def *def)
{
    const method_setting *of;
    for (size_t i = 0; (of = setting_numbered(i)); i++)
        set(def, of, of->normal);
}

scree_status settings_check(const scree_world_def *def, scree_error *error)
{
    const method_setting *of;
    for (size_t i = 0; (of = setting_numbered(i)); i++) {
        double value = get(def, of);
        if (of->choices && value >= of->choices)
            return fail(error, SCREE_ERROR_INVALID, "%s %d is unknown", of->name, (int)(unsigned)value);
        if (!(value >= 0 && isfinite(value)))
            return fail(error, SCREE_ERROR_INVALID, "%s is %g, must be at least 0", of->name, value);
    }
    return SCREE_OK;
}

void settings_put(const scree_world_def *def, double *reals, uint64_t *choices)
{
    const method_setting *of;
    for (size_t i = 0; (of = setting_numbered(i)); i++) {
        if (of->choices)
            *choices++ = (uint64_t)get(def, of);
        else
            *reals++ = get(def, of);
    }
}

bool settings_get(scree_world_def *def, const double *reals, const uint64_t *choices)
{
    const method_setting *of;
    for (size_t i = 0; (of = setting_numbered(i)); i++) {
        if (of->choices && *choices >= (uint64_t)of->choices)
            return false;
        set(def, of, of->choices ? (double)*choices++ : *reals++);
    }
    return true;
}
