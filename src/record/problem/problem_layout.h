// The arrays of a dump's own group: one list for writing and reading. Each column is one array of `width` numbers per
// item, named by its field in rows.h.
#ifndef RECORD_PROBLEM_PROBLEM_LAYOUT_H
#define RECORD_PROBLEM_PROBLEM_LAYOUT_H

#include <stddef.h>

#include "solve/rows.h"

#define DUMP_GROUP "/scree"

enum { DUMP_VERSION = 1 };

typedef struct dump_column {
    const char *name;
    size_t offset, width;
    bool may_be_infinite;
} dump_column;

#define DUMP_COLUMN(T, field)                                                                                          \
    {                                                                                                                  \
#field, offsetof(T, field), sizeof(((T *)0)->field) / (sizeof(double)), false                                  \
    }

static const dump_column body_columns[] = {
    DUMP_COLUMN(problem_body, velocity),
    DUMP_COLUMN(problem_body, spin),
    DUMP_COLUMN(problem_body, inverse_mass),
    DUMP_COLUMN(problem_body, inverse_inertia),
};

static const dump_column contact_columns[] = {
    DUMP_COLUMN(problem_row, normal),   DUMP_COLUMN(problem_row, arm_a),
    DUMP_COLUMN(problem_row, arm_b),    DUMP_COLUMN(problem_row, bias),
    DUMP_COLUMN(problem_row, friction), DUMP_COLUMN(problem_row, compliance),
    DUMP_COLUMN(problem_row, rolling),  DUMP_COLUMN(problem_row, spinning),
    DUMP_COLUMN(problem_row, impulse),  DUMP_COLUMN(problem_row, angular_impulse),
};

static const dump_column joint_columns[] = {
    DUMP_COLUMN(joint_row, linear),
    DUMP_COLUMN(joint_row, angular),
    DUMP_COLUMN(joint_row, bias),
    DUMP_COLUMN(joint_row, compliance),
    {"low", offsetof(joint_row, low), 1, true},
    {"high", offsetof(joint_row, high), 1, true},
    DUMP_COLUMN(joint_row, impulse),
};

#define DUMP_COLUMNS(table) (sizeof(table) / sizeof *(table))

// Groups below DUMP_GROUP. Contacts and joints have an array `bodies` of places in /scree/bodies beside their columns,
// 2 and 3 each, -1 where there is none; bodies have their `id`.
#define DUMP_BODIES   DUMP_GROUP "/bodies"
#define DUMP_CONTACTS DUMP_GROUP "/contacts"
#define DUMP_JOINTS   DUMP_GROUP "/joints"

#endif
