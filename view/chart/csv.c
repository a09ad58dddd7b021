// The file is read whole and cut in place: names point into its text, numbers go row by row into one array that is
// turned into columns at the end.
#include "view/chart/csv.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "record/file.h"

typedef ARRAY(double) number_array;
typedef ARRAY(char *) name_list;

// A file being cut into lines and fields.
typedef struct reader {
    const char *path;
    size_t line; // from 1
    char *at, *end;
    bool whole; // the line at hand ended in a newline
} reader;

// The next line that is not blank, ended by a zero; NULL at the end of the file.
static char *next_line(reader *r)
{
    while (r->at < r->end) {
        char *line = r->at, *stop = memchr(line, '\n', (size_t)(r->end - line));
        r->whole = stop != NULL;
        r->at = stop ? stop + 1 : r->end;
        r->line++;
        if (!stop)
            stop = r->end;
        if (stop > line && stop[-1] == '\r')
            stop--;
        *stop = '\0';
        if (line[strspn(line, " \t")] != '\0')
            return line;
    }
    return NULL;
}

// The next field of a line without blanks around it; moves `line` behind it, to NULL after the last.
static char *next_field(char **line)
{
    char *field = *line + strspn(*line, " \t"), *stop = field + strcspn(field, ",");
    *line = *stop == ',' ? stop + 1 : NULL;
    while (stop > field && (stop[-1] == ' ' || stop[-1] == '\t'))
        stop--;
    *stop = '\0';
    return field;
}

static scree_status read_header(reader *r, name_list *names, scree_error *error)
{
    char *line = next_line(r);
    if (!line)
        return fail(error, SCREE_ERROR_INVALID,
                    "%s:1: the file is empty; a line with the names of the columns is expected", r->path);
    while (line) {
        char *name = next_field(&line);
        if (*name == '\0')
            return fail(error, SCREE_ERROR_INVALID, "%s:%zu: column %zu has no name", r->path, r->line,
                        names->count + 1);
        for (size_t i = 0; i < names->count; i++)
            if (strcmp(names->data[i], name) == 0)
                return fail(error, SCREE_ERROR_INVALID, "%s:%zu: two columns are named '%s'", r->path, r->line, name);
        if (!array_push(names, name))
            return fail_no_memory(error);
    }
    return SCREE_OK;
}

static size_t count_fields(const char *line)
{
    size_t fields = 1;
    for (; *line; line++)
        fields += *line == ',';
    return fields;
}

static scree_status read_row(const reader *r, char *line, const name_list *names, number_array *values,
                             scree_error *error)
{
    size_t fields = count_fields(line);
    if (fields != names->count)
        return fail(error, SCREE_ERROR_INVALID, "%s:%zu: %zu fields, but the header names %zu columns", r->path,
                    r->line, fields, names->count);
    for (size_t i = 0; i < fields; i++) {
        char *field = next_field(&line), *stop;
        double value = strtod(field, &stop);
        if (*field == '\0' || *stop != '\0')
            return fail(error, SCREE_ERROR_INVALID, "%s:%zu: '%.40s' in column '%.40s' is not a number", r->path,
                        r->line, field, names->data[i]);
        if (!array_push(values, value))
            return fail_no_memory(error);
    }
    return SCREE_OK;
}

// Takes over the text and turns rows into columns.
static scree_status build(csv *table, file_text *text, name_list *names, const number_array *rows, scree_error *error)
{
    size_t columns = names->count, count = rows->count / columns;
    double *values = malloc((rows->count > 0 ? rows->count : 1) * sizeof *values);
    if (!values)
        return fail_no_memory(error);
    for (size_t row = 0; row < count; row++)
        for (size_t column = 0; column < columns; column++)
            values[column * count + row] = rows->data[row * columns + column];
    *table = (csv){columns, count, names->data, values, text->data};
    *text = (file_text){0};
    *names = (name_list){0};
    return SCREE_OK;
}

scree_status csv_read(const char *path, csv *table, scree_error *error)
{
    *table = (csv){0};
    file_text text = {0};
    name_list names = {0};
    number_array rows = {0};
    reader r = {.path = path};
    scree_status status = file_read(path, &text, error);
    if (status == SCREE_OK) {
        r.at = text.data;
        r.end = text.data + text.count;
        status = read_header(&r, &names, error);
    }
    for (char *line; status == SCREE_OK && (line = next_line(&r)) != NULL;)
        if (r.whole || count_fields(line) >= names.count)
            status = read_row(&r, line, &names, &rows, error);
    if (status == SCREE_OK)
        status = build(table, &text, &names, &rows, error);
    array_free(&text);
    array_free(&names);
    array_free(&rows);
    return status;
}

void csv_free(csv *table)
{
    array_free_bytes(table->names);
    array_free_bytes(table->text);
    free(table->values);
    *table = (csv){0};
}

const double *csv_column(const csv *table, const char *name)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (strcmp(table->names[i], name) == 0)
            return table->values + i * table->row_count;
    return NULL;
}

scree_status csv_require(const csv *table, const char *path, const char *name, const double **column,
                         scree_error *error)
{
    *column = csv_column(table, name);
    if (*column)
        return SCREE_OK;
    char list[SCREE_MESSAGE_SIZE] = "";
    size_t used = 0;
    for (size_t i = 0; i < table->column_count && used < sizeof list - 1; i++) {
        int wrote = snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", table->names[i]);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return fail(error, SCREE_ERROR_INVALID, "%s: no column '%s'; there are %s", path, name, list);
}
