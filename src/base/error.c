#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

scree_status fail(scree_error *error, scree_status status, const char *format, ...)
{
    if (error) {
        error->status = status;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}

scree_status fail_no_memory(scree_error *error)
{
    return fail(error, SCREE_ERROR_NO_MEMORY, "out of memory");
}

scree_status fail_null(scree_error *error, const char *function)
{
    return fail(error, SCREE_ERROR_INVALID, "%s: an argument that is needed is NULL", function);
}
