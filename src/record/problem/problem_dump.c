// Reading the rows of a step back from a dump.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "record/problem/problem_layout.h"
#include "record/problem/problem_source.h"

typedef struct dump_rows {
    problem_body *bodies;
    problem_row *rows;
    joint_row *joints;
    size_t body_count, row_count, joint_count;
} dump_rows;

static scree_status read_column(const source *from, const char *group, const dump_column *column, void *items,
                                size_t stride, size_t count, scree_error *error)
{
    char path[128];
    void *data;
    size_t found;
    snprintf(path, sizeof path, "%s/%s", group, column->name);
    scree_status status = source_set(from, path, H5T_FLOAT, &data, &found, error);
    if (status == SCREE_OK && found != count * column->width)
        status =
            fail(error, SCREE_ERROR_INVALID, "%s has %zu values, must have %zu", path, found, count * column->width);
    for (size_t i = 0; status == SCREE_OK && i < found; i++) {
        double value = ((const double *)data)[i];
        if (!(isfinite(value) || (column->may_be_infinite && isinf(value))))
            status = fail(error, SCREE_ERROR_INVALID, "value %zu of %s is not finite", i, path);
        char *item = (char *)items + i / column->width * stride;
        memcpy(item + column->offset + i % column->width * sizeof value, &value, sizeof value);
    }
    free(data);
    return status;
}

static scree_status read_columns(const source *from, const char *group, const dump_column *columns, size_t column_count,
                                 void *items, size_t stride, size_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (size_t c = 0; status == SCREE_OK && c < column_count; c++)
        status = read_column(from, group, &columns[c], items, stride, count, error);
    return status;
}

// The bodies of contacts or joints: `width` places each, which go to `to` of the first item and on by `stride`.
static scree_status read_ends(const source *from, const char *group, size_t width, bool optional, uint32_t *to,
                              size_t stride, size_t count, size_t body_count, scree_error *error)
{
    whole_set set;
    scree_status status = source_whole_set(from, group, "bodies", &set, error);
    if (status == SCREE_OK && set.count != count * width)
        status = fail(error, SCREE_ERROR_INVALID, "%s/bodies has %zu values, must have %zu", group, set.count,
                      count * width);
    for (size_t i = 0; status == SCREE_OK && i < set.count; i++) {
        int64_t body = set.data[i];
        if ((body < 0 && !(optional && body == -1)) || body >= (int64_t)body_count)
            status = fail(error, SCREE_ERROR_INVALID, "value %zu of %s/bodies is %lld, must be less than %zu", i, group,
                          (long long)body, body_count);
        uint32_t *item = (uint32_t *)((char *)to + i / width * stride);
        item[i % width] = body < 0 ? NO_BODY : (uint32_t)body;
    }
    free(set.data);
    return status;
}

static scree_status check_rows(const dump_rows *dump, scree_error *error)
{
    for (size_t i = 0; i < dump->body_count; i++)
        if (dump->bodies[i].inverse_mass < 0)
            return fail(error, SCREE_ERROR_INVALID, "the inverse mass of body %zu is negative", i);
    for (size_t i = 0; i < dump->row_count; i++) {
        const problem_row *row = &dump->rows[i];
        if (fabs(vec3_length(row->normal) - 1) > 1e-3)
            return fail(error, SCREE_ERROR_INVALID, "the normal of contact %zu is not of unit length", i);
        if (row->friction < 0 || row->compliance < 0 || row->rolling < 0 || row->spinning < 0)
            return fail(error, SCREE_ERROR_INVALID,
                        "friction, compliance, rolling or spinning of contact %zu is negative, must be at least 0", i);
    }
    for (size_t i = 0; i < dump->joint_count; i++) {
        const joint_row *row = &dump->joints[i];
        if (row->compliance < 0 || !(row->low <= row->high && row->low < HUGE_VAL && row->high > -HUGE_VAL))
            return fail(error, SCREE_ERROR_INVALID,
                        "row %zu of the joints has a negative compliance, or low above high", i);
    }
    return SCREE_OK;
}

static scree_status read_counts(const source *from, dump_rows *dump, scree_error *error)
{
    static const char *const names[] = {"body_count", "contact_count", "joint_count", "version"};
    int64_t counts[4] = {0};
    scree_status status = SCREE_OK;
    for (int i = 0; status == SCREE_OK && i < 4; i++)
        status = source_whole(from, DUMP_GROUP, names[i], &counts[i], error);
    for (int i = 0; status == SCREE_OK && i < 3; i++)
        if (counts[i] < 0 || (uint64_t)counts[i] > from->bytes)
            status = fail(error, SCREE_ERROR_INVALID, DUMP_GROUP "/%s is %lld, which the file cannot hold", names[i],
                          (long long)counts[i]);
    if (status == SCREE_OK && counts[3] != DUMP_VERSION)
        status = fail(error, SCREE_ERROR_INVALID, DUMP_GROUP "/version is %lld; this version of Scree reads %d",
                      (long long)counts[3], DUMP_VERSION);
    if (status == SCREE_OK && counts[1] + counts[2] == 0)
        status = fail(error, SCREE_ERROR_INVALID, "the step has neither contacts nor joints");
    if (status != SCREE_OK)
        return status;
    *dump =
        (dump_rows){.body_count = (size_t)counts[0], .row_count = (size_t)counts[1], .joint_count = (size_t)counts[2]};
    dump->bodies = calloc(dump->body_count + 1, sizeof *dump->bodies);
    dump->rows = calloc(dump->row_count + 1, sizeof *dump->rows);
    dump->joints = calloc(dump->joint_count + 1, sizeof *dump->joints);
    return dump->bodies && dump->rows && dump->joints ? SCREE_OK : fail_no_memory(error);
}

static scree_status read_rows(const source *from, dump_rows *dump, scree_error *error)
{
    scree_status status = read_columns(from, DUMP_BODIES, body_columns, DUMP_COLUMNS(body_columns), dump->bodies,
                                       sizeof *dump->bodies, dump->body_count, error);
    if (status == SCREE_OK)
        status = read_columns(from, DUMP_CONTACTS, contact_columns, DUMP_COLUMNS(contact_columns), dump->rows,
                              sizeof *dump->rows, dump->row_count, error);
    if (status == SCREE_OK)
        status = read_ends(from, DUMP_CONTACTS, 2, false, &dump->rows[0].a, sizeof *dump->rows, dump->row_count,
                           dump->body_count, error);
    if (status == SCREE_OK && dump->joint_count)
        status = read_columns(from, DUMP_JOINTS, joint_columns, DUMP_COLUMNS(joint_columns), dump->joints,
                              sizeof *dump->joints, dump->joint_count, error);
    if (status == SCREE_OK && dump->joint_count)
        status = read_ends(from, DUMP_JOINTS, JOINT_ROW_BODIES, true, dump->joints[0].body, sizeof *dump->joints,
                           dump->joint_count, dump->body_count, error);
    return status == SCREE_OK ? check_rows(dump, error) : status;
}

scree_status read_dump(const source *from, problem_file *file, scree_error *error)
{
    dump_rows dump = {0};
    matrix_global global = {0};
    int64_t exact = 0;
    file->form = PROBLEM_DUMP;
    scree_status status = read_counts(from, &dump, error);
    if (status == SCREE_OK)
        status = read_rows(from, &dump, error);
    if (status == SCREE_OK)
        status = source_whole(from, DUMP_GROUP, "exact", &exact, error);
    if (status == SCREE_OK)
        status = matrix_from_rows(dump.bodies, dump.body_count, dump.rows, dump.row_count, dump.joints,
                                  dump.joint_count, false, &global, error);
    if (status == SCREE_OK)
        status = matrix_reduce(&global, &file->problem, error);
    file->contacts = dump.row_count;
    file->joints = dump.joint_count;
    for (size_t i = 0; i < dump.row_count && dump.rows; i++)
        file->rolling = file->rolling || dump.rows[i].rolling > 0 || dump.rows[i].spinning > 0;
    file->law_known = true;
    file->exact = exact != 0;
    matrix_global_free(&global);
    free(dump.bodies);
    free(dump.rows);
    free(dump.joints);
    return status;
}
