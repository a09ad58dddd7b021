#include "record/counter.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/threads.h"
#include "base/vec.h"
#include "record/state.h"

enum { BLOCK = 256, PLACE_VALUES = 5, TOTAL_VALUES = 3 };

static const char header[] = "time,count,rate";

static bool is_above(const scene_counter *def, vec3 position)
{
    return vec3_dot(def->normal, position) >= def->offset;
}

// The values that make two counters the same, so that one may go on where the other was.
static void get_place(const scene_counter *def, double place[PLACE_VALUES])
{
    place[0] = def->normal.x;
    place[1] = def->normal.y;
    place[2] = def->normal.z;
    place[3] = def->offset;
    place[4] = (double)def->of;
}

static double mass_of(const scree_world *world, scree_id id)
{
    scree_body_info info;
    return scree_world_get_body(world, id, &info, NULL) == SCREE_OK ? info.mass : 0;
}

// Brings the sides of one block of bodies up to date and notes what crossed.
static bool check_block(counter_set *set, const scree_world *world, const body_roster *roster, size_t block)
{
    scree_state states[BLOCK];
    size_t bodies = roster->moving.count, from = block * BLOCK, count = block_end(block, BLOCK, bodies) - from;
    const scree_id *ids = roster->moving.data + from;
    if (scree_world_get_states(world, ids, count, states, NULL) != SCREE_OK)
        return false;
    for (size_t c = 0; c < set->files.count; c++) {
        const scene_counter *def = set->counters[c].def;
        uint8_t *above = set->above.data + c * bodies + from;
        double crossed = 0;
        for (size_t i = 0; i < count; i++) {
            bool now = is_above(def, states[i].position);
            if (above[i] && !now)
                crossed += def->of == COUNT_MASS ? mass_of(world, ids[i]) : 1;
            above[i] = now;
        }
        set->crossed.data[block * set->files.count + c] = crossed;
    }
    return true;
}

static bool check_blocks(counter_set *set, const scree_world *world, const body_roster *roster)
{
    size_t blocks = block_count(roster->moving.count, BLOCK);
    bool good = true;
#pragma omp parallel for if (blocks > 1) num_threads(set->threads) schedule(static) reduction(&& : good)
    for (size_t block = 0; block < blocks; block++)
        good = check_block(set, world, roster, block) && good;
    return good;
}

scree_status counters_check(counter_set *set, const scree_world *world, const body_roster *roster, scree_error *error)
{
    if (set->files.count == 0)
        return SCREE_OK;
    if (!check_blocks(set, world, roster))
        return fail(error, SCREE_ERROR_INVALID, "a counter lost a body");
    size_t blocks = block_count(roster->moving.count, BLOCK);
    for (size_t block = 0; block < blocks; block++)
        for (size_t c = 0; c < set->files.count; c++)
            set->counters[c].count += set->crossed.data[block * set->files.count + c];
    return SCREE_OK;
}

void counters_forget(counter_set *set, const scree_world *world, const body_roster *before)
{
    size_t bodies = before->moving.count, kept = 0;
    for (size_t c = 0; c < set->files.count; c++)
        for (size_t i = 0; i < bodies; i++)
            if (scree_world_has_body(world, before->moving.data[i]))
                set->above.data[kept++] = set->above.data[c * bodies + i];
    set->above.count = kept;
}

// Takes over the totals and sides of a counter that the state knows by name; one that it does not know counts from now.
static scree_status restore_one(counter_set *set, size_t c, size_t bodies, const snapshot *state, scree_error *error)
{
    const void *places, *totals, *above;
    double place[PLACE_VALUES];
    counter *to = &set->counters[c];
    size_t index = state_name_index(state, "counter_names", to->def->name);
    if (index == SIZE_MAX)
        return SCREE_OK;
    const snapshot_field *field = state_find(state, "counter_places");
    size_t count = field && index < field->rows ? field->rows : index + 1;
    scree_status status = state_get(state, "counter_places", SNAPSHOT_F64, count, PLACE_VALUES, &places, error);
    if (status == SCREE_OK)
        status = state_get(state, "counter_totals", SNAPSHOT_F64, count, TOTAL_VALUES, &totals, error);
    if (status == SCREE_OK)
        status = state_get(state, "counter_above", SNAPSHOT_U8, count * bodies, 1, &above, error);
    if (status != SCREE_OK)
        return status;
    get_place(to->def, place);
    if (memcmp(place, (const double *)places + index * PLACE_VALUES, sizeof place) != 0)
        return fail(error, SCREE_ERROR_INVALID,
                    "counter \"%s\" counted something else before; give the new one another name", to->def->name);
    const double *total = (const double *)totals + index * TOTAL_VALUES;
    to->count = total[0];
    to->row_count = total[1];
    to->row_time = total[2];
    if (bodies)
        memcpy(set->above.data + c * bodies, (const uint8_t *)above + index * bodies, bodies);
    return SCREE_OK;
}

scree_status counters_open(counter_set *set, const scene_output *output, const char *folder, const scree_world *world,
                           const body_roster *roster, const snapshot *state, bool keep, scree_error *error)
{
    size_t count = output->counter_count, bodies = roster->moving.count;
    int threads = scree_world_get_def(world).threads;
    set->threads = threads > 0 ? threads : threads_available();
    scree_status status = row_set_make(&set->files, "counter", count, error);
    if (status != SCREE_OK || count == 0)
        return status;
    set->counters = calloc(count, sizeof *set->counters);
    if (!set->counters || !array_resize(&set->above, count * bodies) ||
        !array_resize(&set->crossed, count * block_count(bodies, BLOCK)))
        return fail_no_memory(error);
    double time = scree_world_step_figures(world).time;
    for (size_t c = 0; c < count; c++) {
        set->files.names[c] = output->counters[c].name;
        set->files.headers[c] = header;
        set->counters[c] = (counter){.def = &output->counters[c], .row_time = time};
    }
    // Nothing can cross while nothing is above; this finds the sides at the start.
    if (bodies)
        memset(set->above.data, 0, set->above.count);
    status = counters_check(set, world, roster, error);
    for (size_t c = 0; status == SCREE_OK && state && c < count; c++)
        status = restore_one(set, c, bodies, state, error);
    return status == SCREE_OK ? row_set_open(&set->files, folder, state, keep, error) : status;
}

scree_status counters_row(counter_set *set, double time, scree_error *error)
{
    for (size_t c = 0; c < set->files.count; c++) {
        counter *from = &set->counters[c];
        double passed = time - from->row_time;
        const double values[] = {time, from->count, passed > 0 ? (from->count - from->row_count) / passed : 0};
        scree_status status = rows_append(&set->files.files[c], values, sizeof values / sizeof *values, error);
        if (status != SCREE_OK)
            return status;
        from->row_count = from->count;
        from->row_time = time;
    }
    return row_set_flush(&set->files, error);
}

scree_status counters_save(const counter_set *set, snapshot *state, scree_error *error)
{
    size_t count = set->files.count;
    if (count == 0)
        return SCREE_OK;
    double *places = malloc(count * PLACE_VALUES * sizeof *places);
    double *totals = malloc(count * TOTAL_VALUES * sizeof *totals);
    scree_status status = places && totals ? row_set_save(&set->files, state, error) : fail_no_memory(error);
    for (size_t c = 0; status == SCREE_OK && c < count; c++) {
        const counter *from = &set->counters[c];
        get_place(from->def, places + c * PLACE_VALUES);
        memcpy(totals + c * TOTAL_VALUES, (const double[]){from->count, from->row_count, from->row_time},
               TOTAL_VALUES * sizeof *totals);
    }
    if (status == SCREE_OK)
        status = state_put(state, "counter_places", SNAPSHOT_F64, count, PLACE_VALUES, places, error);
    if (status == SCREE_OK)
        status = state_put(state, "counter_totals", SNAPSHOT_F64, count, TOTAL_VALUES, totals, error);
    if (status == SCREE_OK)
        status = state_put(state, "counter_above", SNAPSHOT_U8, set->above.count, 1, set->above.data, error);
    free(places);
    free(totals);
    return status;
}

void counters_close(counter_set *set)
{
    row_set_close(&set->files);
    free(set->counters);
    array_free(&set->above);
    array_free(&set->crossed);
    set->counters = NULL;
}
