// Names of files and folders that a test makes and removes again, where the environment wants such things to be.
#ifndef TESTS_TEMPORARY_H
#define TESTS_TEMPORARY_H

#include <stdio.h>
#include <stdlib.h>

// A template for mkstemp and mkdtemp, told apart by `what`.
static inline char *temporary_template(char *path, size_t size, const char *what)
{
    const char *base = getenv("TMPDIR");
    snprintf(path, size, "%s/scree-%s-XXXXXX", base && *base ? base : "/tmp", what);
    return path;
}

#endif
