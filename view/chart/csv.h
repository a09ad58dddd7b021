// Tables of numbers from CSV files with a header line, such as a run's series.csv and probes/NAME.csv.
#ifndef VIEW_CHART_CSV_H
#define VIEW_CHART_CSV_H

#include <stddef.h>

#include "scree/status.h"

typedef struct csv {
    size_t column_count, row_count;
    char **names;   // of the columns
    double *values; // column after column
    char *text;     // private: holds the names
} csv;

// Reads a whole file. Messages of a bad file begin with FILE:LINE. SCREE_ERROR_IO: it cannot be read;
// SCREE_ERROR_INVALID: no header, two columns of one name, a row of another length, a field that is no number. Blank
// lines are skipped; a last line that lacks its newline and is too short is left out, since a running simulation is
// still writing it.
scree_status csv_read(const char *path, csv *table, scree_error *error);
void csv_free(csv *table);

// The values of a column, or NULL when there is none of that name.
const double *csv_column(const csv *table, const char *name);

// The same, with a message that lists the columns there are.
scree_status csv_require(const csv *table, const char *path, const char *name, const double **column,
                         scree_error *error);

#endif
