// Filling the public error: one call that formats the message and hands back the status.
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "scree/status.h"

// `error` may be NULL. Returns `status`, so that a failing function ends in `return fail(...)`.
__attribute__((format(printf, 3, 4))) scree_status fail(scree_error *error, scree_status status, const char *format,
                                                        ...);

scree_status fail_no_memory(scree_error *error);

// SCREE_ERROR_INVALID for a public function that was given NULL where something must be.
scree_status fail_null(scree_error *error, const char *function);

#endif
