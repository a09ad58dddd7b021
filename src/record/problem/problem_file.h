// Contact problems as HDF5 files: FCLIB's local and global problems, and our own dumps of a step.
//
// A dump is an FCLIB global problem (/fclib_global) for everyone's tools, with a group /scree beside it that holds the
// rows of the step in full. Reading prefers that group, since FCLIB cannot say compliance, bounds of joints, rolling or
// spinning. docs/problems.md describes both.
#ifndef RECORD_PROBLEM_PROBLEM_FILE_H
#define RECORD_PROBLEM_PROBLEM_FILE_H

#include "reference/matrix_problem.h"
#include "scree/types.h"

typedef enum problem_form {
    PROBLEM_LOCAL,  // W, q
    PROBLEM_GLOBAL, // M, H, f, w
    PROBLEM_DUMP,   // rows of a step
} problem_form;

extern const char *const problem_form_names[];

typedef struct problem_file {
    problem_form form;
    matrix_problem problem; // starts from the file's guess, or from zero
    size_t contacts, joints;
    bool rolling;          // contacts have rolling or spinning friction
    double *solution;      // [problem.size] impulses of the file's own solution; NULL when there is none
    bool law_known, exact; // of dumps: what the step was to solve
} problem_file;

// With `plain` only FCLIB's part is read, of dumps as well. A file that is no problem, or a wrong one, is
// SCREE_ERROR_INVALID, with a message that begins with the path.
scree_status problem_file_read(const char *path, bool fclib_only, problem_file *file, scree_error *error);
void problem_file_free(problem_file *file);

// A step as it went to the solver. Rows name bodies by their places.
typedef struct problem_dump {
    const problem_body *bodies;
    const scree_id *ids; // of the bodies
    size_t body_count;
    const problem_row *rows;
    const double *gaps; // of the contacts; may be NULL
    size_t row_count;
    const joint_row *joints;
    size_t joint_count;
    uint64_t step;
    double time, step_s;
    bool exact, single_precision;
} problem_dump;

// problems/problem-STEP.h5 in a run directory, twelve digits; NULL when out of memory. Free with free().
char *problem_file_path(const char *folder, uint64_t step);
bool problem_name_step(const char *name, uint64_t *step);

// Whole or not at all, as all files here; makes the folder where it is missing.
scree_status problem_file_write(const char *path, const problem_dump *dump, scree_error *error);

#endif
