#include "record/frames/frames.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/hash.h"
#include "record/file.h"
#include "record/frames/frame.h"
#include "record/frames/paraview.h"
#include "record/rows.h"
#include "record/state.h"

static const char *const part_names[FRAME_PARTS] = {"bodies", "walls", "boxes", "contacts"};

void frame_file_name(int part, uint64_t number, char name[FRAME_NAME_SIZE])
{
    snprintf(name, FRAME_NAME_SIZE, "%s-%06" PRIu64 ".vtp", part_names[part], number);
}

bool frame_name_number(const char *name, uint64_t *number)
{
    for (int part = 0; part < FRAME_PARTS; part++) {
        size_t length = strlen(part_names[part]);
        if (strncmp(name, part_names[part], length) != 0 || name[length] != '-' ||
            !isdigit((unsigned char)name[length + 1]))
            continue;
        char *end;
        *number = strtoull(name + length + 1, &end, 10);
        return strcmp(end, ".vtp") == 0 || strcmp(end, ".vtp" FILE_DRAFT_ENDING) == 0;
    }
    return false;
}

// The .pvd as the frames are now; none when there are no frames.
static scree_status write_index(const frames *from, scree_error *error)
{
    file_draft draft;
    if (from->times.count == 0)
        return file_remove(from->index, error);
    scree_status status = draft_open(&draft, from->index, error);
    if (status != SCREE_OK)
        return status;
    draft.deferred = true;
    fprintf(draft.stream, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                          "byte_order=\"LittleEndian\">\n<Collection>\n");
    for (size_t i = 0; i < from->times.count; i++) {
        const frame_entry *entry = &from->entries.data[i];
        for (int part = 0; part < FRAME_PARTS; part++) {
            char name[FRAME_NAME_SIZE], time[NUMBER_SIZE];
            if (!(entry->parts >> part & 1))
                continue;
            frame_file_name(part, part == PART_WALLS ? entry->walls : i, name);
            fprintf(draft.stream, "<DataSet timestep=\"%s\" group=\"\" part=\"%d\" name=\"%s\" file=\"%s\"/>\n",
                    number_text(from->times.data[i], time), part, part_names[part], name);
        }
    }
    fprintf(draft.stream, "</Collection>\n</VTKFile>\n");
    return draft_commit(&draft, error);
}

static scree_status remove_later(const frames *from, scree_error *error)
{
    name_array names;
    scree_status status = folder_list(from->folder, &names, error);
    for (size_t i = 0; status == SCREE_OK && i < names.count; i++) {
        uint64_t number;
        if (!frame_name_number(names.data[i], &number) || number < from->times.count)
            continue;
        char *path = path_join(from->folder, names.data[i]);
        status = path ? file_remove(path, error) : fail_no_memory(error);
        free(path);
    }
    names_free(&names);
    return status;
}

static scree_status load(frames *to, const snapshot *state, scree_error *error)
{
    const void *times, *entries;
    const snapshot_field *field = state_find(state, "frame_times");
    size_t count = field ? field->rows : 0;
    scree_status status = state_get(state, "frame_times", SNAPSHOT_F64, count, 1, &times, error);
    if (status == SCREE_OK)
        status = state_get(state, "frame_entries", SNAPSHOT_U64, count, 2, &entries, error);
    if (status == SCREE_OK)
        status = state_get_count(state, "frame_walls_hash", &to->walls_hash, error);
    if (status != SCREE_OK)
        return status;
    if (!array_resize(&to->times, count) || !array_resize(&to->entries, count))
        return fail_no_memory(error);
    if (count) {
        memcpy(to->times.data, times, count * sizeof(double));
        memcpy(to->entries.data, entries, count * sizeof(frame_entry));
    }
    to->synced = count;
    return SCREE_OK;
}

scree_status frames_open(frames *to, const scree_scene *scene, const char *folder, int threads, const snapshot *state,
                         bool keep, scree_error *error)
{
    *to = (frames){.enabled = scene->output.frames, .contacts = scene->output.frame_contacts, .threads = threads};
    to->folder = path_join(folder, "frames");
    size_t length = to->folder ? strlen(to->folder) + strlen(scene->name) + sizeof "/.pvd" : 1;
    to->index = malloc(length);
    if (!to->folder || !to->index)
        return fail_no_memory(error);
    snprintf(to->index, length, "%s/%s.pvd", to->folder, scene->name);
    scree_status status = to->enabled ? folder_make_own(to->folder, error) : SCREE_OK;
    if (status == SCREE_OK && state)
        status = load(to, state, error);
    if (status == SCREE_OK && state && !keep && file_exists(to->folder)) {
        status = remove_later(to, error);
        if (status == SCREE_OK)
            status = write_index(to, error);
    }
    return status;
}

// Fixed bodies look the same as long as they are the same and stand where they stood.
static scree_status hash_walls(const scree_world *world, const body_roster *roster, uint64_t *hash, scree_error *error)
{
    *hash = 1;
    for (size_t i = 0; i < roster->fixed.count; i++) {
        scree_state at;
        scree_status status = scree_world_get_states(world, &roster->fixed.data[i], 1, &at, error);
        if (status != SCREE_OK)
            return status;
        const double values[] = {at.position.x,    at.position.y,    at.position.z,   at.orientation.w,
                                 at.orientation.x, at.orientation.y, at.orientation.z};
        *hash = hash_word(*hash, roster->fixed.data[i]);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            *hash = hash_double(*hash, values[k]);
    }
    return SCREE_OK;
}

static scree_status write_walls(frames *to, const char *path, const scree_world *world, const body_roster *roster,
                                frame_entry *entry, scree_error *error)
{
    uint64_t hash, number = to->times.count;
    scree_status status = hash_walls(world, roster, &hash, error);
    if (status != SCREE_OK)
        return status;
    if (hash == to->walls_hash && number > 0) {
        entry->walls = to->entries.data[number - 1].walls;
        return SCREE_OK;
    }
    entry->walls = number;
    to->walls_hash = hash;
    return frame_write_walls(path, world, roster, to->threads, error);
}

static scree_status write_part(frames *to, int part, const scree_world *world, const body_roster *roster,
                               frame_entry *entry, scree_error *error)
{
    char name[FRAME_NAME_SIZE];
    bool written = true;
    frame_file_name(part, to->times.count, name);
    char *path = path_join(to->folder, name);
    if (!path)
        return fail_no_memory(error);
    scree_status status = SCREE_OK;
    if (part == PART_BODIES)
        status = frame_write_bodies(path, world, roster, to->threads, error);
    else if (part == PART_WALLS && roster->fixed.count > 0)
        status = write_walls(to, path, world, roster, entry, error);
    else if (part == PART_BOXES)
        status = frame_write_boxes(path, world, roster, to->threads, &written, error);
    else if (part == PART_CONTACTS && to->contacts)
        status = frame_write_contacts(path, world, to->threads, error);
    else
        written = false;
    entry->parts |= (uint64_t)written << part;
    free(path);
    return status;
}

// The state that ParaView shows at first sight, beside the .pvd and under its name.
static scree_status write_state(const frames *to, scree_error *error)
{
    const char *name = to->index + strlen(to->folder) + 1;
    return paraview_write_state(to->folder, name, strlen(name) - strlen(".pvd"), error);
}

scree_status frames_add(frames *to, const scree_world *world, const body_roster *roster, scree_error *error)
{
    if (!to->enabled)
        return SCREE_OK;
    frame_entry entry = {0};
    scree_status status = SCREE_OK;
    for (int part = 0; status == SCREE_OK && part < FRAME_PARTS; part++)
        status = write_part(to, part, world, roster, &entry, error);
    if (status != SCREE_OK)
        return status;
    if (!array_push(&to->times, scree_world_step_figures(world).time))
        return fail_no_memory(error);
    if (!array_push(&to->entries, entry)) {
        to->times.count--;
        return fail_no_memory(error);
    }
    status = write_index(to, error);
    return status == SCREE_OK && to->times.count == 1 ? write_state(to, error) : status;
}

static scree_status sync_frame(const frames *from, size_t number, scree_error *error)
{
    const frame_entry *entry = &from->entries.data[number];
    scree_status status = SCREE_OK;
    for (int part = 0; status == SCREE_OK && part < FRAME_PARTS; part++) {
        char name[FRAME_NAME_SIZE];
        if (!(entry->parts >> part & 1) || (part == PART_WALLS && entry->walls != number))
            continue;
        frame_file_name(part, number, name);
        char *path = path_join(from->folder, name);
        status = path ? file_sync(path, error) : fail_no_memory(error);
        free(path);
    }
    return status;
}

scree_status frames_sync(frames *from, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (from->synced == from->times.count)
        return status;
    for (; status == SCREE_OK && from->synced < from->times.count; from->synced++)
        status = sync_frame(from, from->synced, error);
    if (status == SCREE_OK)
        status = file_sync(from->index, error);
    return status == SCREE_OK ? file_sync(from->folder, error) : status;
}

scree_status frames_save(const frames *from, snapshot *state, scree_error *error)
{
    size_t count = from->times.count;
    scree_status status = state_put(state, "frame_times", SNAPSHOT_F64, count, 1, from->times.data, error);
    if (status == SCREE_OK)
        status = state_put(state, "frame_entries", SNAPSHOT_U64, count, 2, from->entries.data, error);
    if (status == SCREE_OK)
        status = state_put_count(state, "frame_walls_hash", from->walls_hash, error);
    return status;
}

void frames_close(frames *from)
{
    free(from->folder);
    free(from->index);
    array_free(&from->times);
    array_free(&from->entries);
    *from = (frames){0};
}
