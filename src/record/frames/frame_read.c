#include "record/frames/frame_read.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "record/frames/xml_scan.h"

// ------------------------------------------------------------------------------------------------------------ the list

typedef ARRAY(frame_files) files_array;

static bool read_number(const xml_tag *tag, const char *attribute, double *number)
{
    char value[64], *end;
    if (!xml_attribute(tag, attribute, value, sizeof value))
        return false;
    *number = strtod(value, &end);
    return end != value && *end == '\0' && isfinite(*number);
}

// One <DataSet>: parts of one time follow each other, times rise.
static bool add_file(files_array *files, const xml_tag *tag)
{
    char name[64];
    double time, part;
    uint64_t number;
    if (!read_number(tag, "timestep", &time) || !read_number(tag, "part", &part) ||
        !(part >= 0 && part < FRAME_PARTS) || !xml_attribute(tag, "file", name, sizeof name) ||
        !frame_name_number(name, &number))
        return false;
    bool begins = files->count == 0 || time > files->data[files->count - 1].time;
    if (begins) {
        frame_files next = {.time = time};
        for (int i = 0; i < FRAME_PARTS; i++)
            next.numbers[i] = NO_FRAME_FILE;
        if (!array_push(files, next))
            return false;
    }
    frame_files *at = &files->data[files->count - 1];
    if (time < at->time || at->numbers[(int)part] != NO_FRAME_FILE)
        return false;
    at->numbers[(int)part] = number;
    return true;
}

scree_status frame_list_parse(const char *text, size_t size, const char *name, frame_list *list, scree_error *error)
{
    *list = (frame_list){0};
    files_array files = {0};
    xml_scan scan = {text, text + size};
    xml_tag tag;
    bool good = true, whole = false;
    while (good && xml_next(&scan, &tag)) {
        if (xml_is(&tag, "DataSet"))
            good = add_file(&files, &tag);
        whole = xml_is(&tag, "/VTKFile");
    }
    for (size_t i = 0; good && i < files.count; i++)
        good = files.data[i].numbers[PART_BODIES] != NO_FRAME_FILE;
    list->frames = files.data;
    list->count = files.count;
    if (good && whole)
        return SCREE_OK;
    frame_list_free(list);
    return fail(error, SCREE_ERROR_INVALID, "%s: not a list of frames as scree writes it", name);
}

// The .pvd in the folder: its scene's name as a new string, NULL when there is none.
static scree_status find_index(const char *folder, char **name, scree_error *error)
{
    name_array names;
    *name = NULL;
    scree_status status = folder_list(folder, &names, error);
    for (size_t i = 0; status == SCREE_OK && i < names.count && !*name; i++) {
        size_t length = strlen(names.data[i]);
        if (length <= 4 || strcmp(names.data[i] + length - 4, ".pvd") != 0)
            continue;
        *name = strndup(names.data[i], length - 4);
        status = *name ? SCREE_OK : fail_no_memory(error);
    }
    names_free(&names);
    return status;
}

static scree_status read_index(frame_list *list, scree_error *error)
{
    size_t length = strlen(list->folder) + strlen(list->name) + sizeof "/.pvd";
    char *path = malloc(length);
    file_text text = {0};
    frame_list found = {0};
    if (!path)
        return fail_no_memory(error);
    snprintf(path, length, "%s/%s.pvd", list->folder, list->name);
    scree_status status = file_read(path, &text, error);
    if (status == SCREE_OK)
        status = frame_list_parse(text.data, text.count, path, &found, error);
    list->frames = found.frames;
    list->count = found.count;
    array_free(&text);
    free(path);
    return status;
}

scree_status frame_list_read(const char *run, frame_list *list, scree_error *error)
{
    *list = (frame_list){.folder = path_join(run, "frames")};
    scree_status status = list->folder ? find_index(list->folder, &list->name, error) : fail_no_memory(error);
    if (status == SCREE_OK && list->name)
        status = read_index(list, error);
    if (status != SCREE_OK)
        frame_list_free(list);
    return status;
}

void frame_list_free(frame_list *list)
{
    free(list->folder);
    free(list->name);
    array_free_bytes(list->frames);
    *list = (frame_list){0};
}

// -------------------------------------------------------------------------------------------------------------- frames

typedef ARRAY(float) float_array;

static vec3 widen(const float *from)
{
    return vec3_make((double)from[0], (double)from[1], (double)from[2]);
}

// One column of single precision numbers, into the scratch array.
static scree_status read_column(const vtp_source *source, const char *name, size_t components, float_array *scratch,
                                scree_error *error)
{
    if (!array_resize(scratch, source->counts.points * components))
        return fail_no_memory(error);
    return vtp_read(source, "PointData", name, VTP_F32, components, source->counts.points, scratch->data, error);
}

static scree_status read_states(const vtp_source *source, frame_data *frame, float_array *scratch, scree_error *error)
{
    scree_state *states = frame->states.data;
    size_t count = frame->states.count;
    ARRAY(vec3) positions = {0};
    scree_status status = array_resize(&positions, count) ? SCREE_OK : fail_no_memory(error);
    if (status == SCREE_OK)
        status = vtp_read(source, "Points", "Points", VTP_F64, 3, count, positions.data, error);
    for (size_t i = 0; status == SCREE_OK && i < count; i++)
        states[i] = (scree_state){.position = positions.data[i]};
    array_free(&positions);
    if (status == SCREE_OK)
        status = read_column(source, "orientation", 4, scratch, error);
    for (size_t i = 0; status == SCREE_OK && i < count; i++) {
        const float *q = scratch->data + 4 * i;
        states[i].orientation = (quat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
    }
    if (status == SCREE_OK)
        status = read_column(source, "velocity", 3, scratch, error);
    for (size_t i = 0; status == SCREE_OK && i < count; i++)
        states[i].velocity = widen(scratch->data + 3 * i);
    if (status == SCREE_OK)
        status = read_column(source, "spin", 3, scratch, error);
    for (size_t i = 0; status == SCREE_OK && i < count; i++)
        states[i].spin = widen(scratch->data + 3 * i);
    return status;
}

static scree_status check_bodies(const vtp_source *source, const frame_data *frame, scree_error *error)
{
    for (size_t i = 0; i < frame->ids.count; i++) {
        const scree_state *at = &frame->states.data[i];
        double norm = quat_length(at->orientation);
        if ((i > 0 && frame->ids.data[i] <= frame->ids.data[i - 1]) || frame->ids.data[i] == 0)
            return fail(error, SCREE_ERROR_INVALID, "%s: the ids of bodies do not rise", source->name);
        if (!vec3_finite(at->position) || !vec3_finite(at->velocity) || !vec3_finite(at->spin) ||
            !(norm > 0 && isfinite(norm)))
            return fail(error, SCREE_ERROR_INVALID, "%s: the state of body %llu is not finite", source->name,
                        (unsigned long long)frame->ids.data[i]);
    }
    return SCREE_OK;
}

scree_status frame_read_bodies(const vtp_source *source, frame_data *frame, scree_error *error)
{
    size_t count = source->counts.points;
    float_array scratch = {0};
    if (!array_resize(&frame->ids, count) || !array_resize(&frame->states, count) ||
        !array_resize(&frame->radii, count) || !array_resize(&frame->sizes, count) ||
        !array_resize(&frame->materials, count))
        return fail_no_memory(error);
    scree_status status = vtp_read(source, "PointData", "id", VTP_U64, 1, count, frame->ids.data, error);
    if (status == SCREE_OK)
        status = vtp_read(source, "PointData", "radius", VTP_F32, 1, count, frame->radii.data, error);
    if (status == SCREE_OK)
        status = vtp_read(source, "PointData", "size", VTP_F32, 3, count, frame->sizes.data, error);
    if (status == SCREE_OK)
        status = vtp_read(source, "PointData", "material", VTP_U16, 1, count, frame->materials.data, error);
    if (status == SCREE_OK)
        status = read_states(source, frame, &scratch, error);
    if (status == SCREE_OK)
        status = check_bodies(source, frame, error);
    array_free(&scratch);
    return status;
}

// The arrays of contacts as they are in a file.
typedef struct contact_columns {
    ARRAY(vec3) ends; // two by two
    float_array normal_forces, gaps;
    ARRAY(scree_id) a, b;
    ARRAY(vec3f) forces;
} contact_columns;

static scree_status read_contact_columns(const vtp_source *source, contact_columns *to, scree_error *error)
{
    size_t count = source->counts.lines;
    if (!array_resize(&to->ends, 2 * count) || !array_resize(&to->normal_forces, count) ||
        !array_resize(&to->gaps, count) || !array_resize(&to->a, count) || !array_resize(&to->b, count) ||
        !array_resize(&to->forces, count))
        return fail_no_memory(error);
    scree_status status = vtp_read(source, "Points", "Points", VTP_F64, 3, 2 * count, to->ends.data, error);
    if (status == SCREE_OK)
        status = vtp_read(source, "CellData", "normal_force", VTP_F32, 1, count, to->normal_forces.data, error);
    if (status == SCREE_OK)
        status = vtp_read(source, "CellData", "gap", VTP_F32, 1, count, to->gaps.data, error);
    if (status == SCREE_OK)
        status = vtp_read(source, "CellData", "a", VTP_U64, 1, count, to->a.data, error);
    if (status == SCREE_OK)
        status = vtp_read(source, "CellData", "b", VTP_U64, 1, count, to->b.data, error);
    if (status == SCREE_OK)
        status = vtp_read(source, "CellData", "force", VTP_F32, 3, count, to->forces.data, error);
    return status;
}

static void free_contact_columns(contact_columns *columns)
{
    array_free(&columns->ends);
    array_free(&columns->normal_forces);
    array_free(&columns->gaps);
    array_free(&columns->a);
    array_free(&columns->b);
    array_free(&columns->forces);
}

scree_status frame_read_contacts(const vtp_source *source, frame_data *frame, scree_error *error)
{
    size_t count = source->counts.lines;
    contact_columns c = {0};
    scree_status status = SCREE_OK;
    if (source->counts.points != 2 * count)
        status = fail(error, SCREE_ERROR_INVALID, "%s: contacts are lines of two points", source->name);
    else if (!array_resize(&frame->contacts, count))
        status = fail_no_memory(error);
    if (status == SCREE_OK)
        status = read_contact_columns(source, &c, error);
    for (size_t i = 0; status == SCREE_OK && i < count; i++)
        frame->contacts.data[i] = (frame_contact){.from = c.ends.data[2 * i],
                                                  .to = c.ends.data[2 * i + 1],
                                                  .normal_force = c.normal_forces.data[i],
                                                  .gap = c.gaps.data[i],
                                                  .a = c.a.data[i],
                                                  .b = c.b.data[i],
                                                  .force = c.forces.data[i]};
    free_contact_columns(&c);
    return status;
}

// Polygons of one body follow each other, bodies in the order of their ids.
static scree_status read_fixed(const vtp_source *source, frame_data *frame, scree_error *error)
{
    size_t polygons = source->counts.polys, kept = 0;
    if (!array_resize(&frame->fixed, polygons))
        return fail_no_memory(error);
    scree_status status = vtp_read(source, "CellData", "id", VTP_U64, 1, polygons, frame->fixed.data, error);
    scree_id *ids = frame->fixed.data;
    for (size_t i = 0; status == SCREE_OK && i < polygons; i++) {
        if (kept > 0 && ids[i] < ids[kept - 1])
            status = fail(error, SCREE_ERROR_INVALID, "%s: the ids of bodies do not rise", source->name);
        else if (kept == 0 || ids[i] > ids[kept - 1])
            ids[kept++] = ids[i];
    }
    frame->fixed.count = kept;
    return status;
}

typedef scree_status part_reader(const vtp_source *source, frame_data *frame, scree_error *error);

static scree_status read_part(const frame_list *list, size_t number, int part, part_reader *read, frame_data *frame,
                              scree_error *error)
{
    char name[FRAME_NAME_SIZE];
    frame_file_name(part, list->frames[number].numbers[part], name);
    char *path = path_join(list->folder, name);
    if (!path)
        return fail_no_memory(error);
    vtp_source source;
    scree_status status = vtp_open(path, &source, error);
    if (status == SCREE_OK)
        status = read(&source, frame, error);
    vtp_close(&source);
    free(path);
    return status;
}

scree_status frame_read(const frame_list *list, size_t number, frame_data *frame, scree_error *error)
{
    if (number >= list->count)
        return fail(error, SCREE_ERROR_INVALID, "there is no frame %zu: the run has %zu", number, list->count);
    const frame_files *files = &list->frames[number];
    frame->time = files->time;
    frame->fixed.count = frame->contacts.count = 0;
    frame->has_contacts = files->numbers[PART_CONTACTS] != NO_FRAME_FILE;
    scree_status status = read_part(list, number, PART_BODIES, frame_read_bodies, frame, error);
    if (status == SCREE_OK && files->numbers[PART_WALLS] != NO_FRAME_FILE)
        status = read_part(list, number, PART_WALLS, read_fixed, frame, error);
    if (status == SCREE_OK && frame->has_contacts)
        status = read_part(list, number, PART_CONTACTS, frame_read_contacts, frame, error);
    return status;
}

void frame_data_free(frame_data *frame)
{
    array_free(&frame->ids);
    array_free(&frame->states);
    array_free(&frame->radii);
    array_free(&frame->sizes);
    array_free(&frame->materials);
    array_free(&frame->fixed);
    array_free(&frame->contacts);
    *frame = (frame_data){0};
}
