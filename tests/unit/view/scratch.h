// A folder for the files of one test program, removed with what is in it at the end. Include physics/check.h before.
#ifndef UNIT_VIEW_SCRATCH_H
#define UNIT_VIEW_SCRATCH_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "temporary.h"

// Fails the running test with a message.
#define give_up(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

typedef struct scratch {
    char folder[512];
    char path[1024]; // the last one asked for
} scratch;

static inline int scratch_make(void **state)
{
    scratch *s = calloc(1, sizeof *s);
    if (!s)
        return -1;
    *state = s;
    return mkdtemp(temporary_template(s->folder, sizeof s->folder, "view")) ? 0 : -1;
}

static inline const char *scratch_path(scratch *s, const char *name)
{
    snprintf(s->path, sizeof s->path, "%s/%s", s->folder, name);
    return s->path;
}

// How many files there are.
static inline int scratch_count(const scratch *s)
{
    int count = 0;
    DIR *folder = opendir(s->folder);
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return count;
}

static inline int scratch_remove(void **state)
{
    scratch *s = *state;
    DIR *folder = opendir(s->folder);
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.')
            unlink(scratch_path(s, entry->d_name));
    if (folder)
        closedir(folder);
    int status = rmdir(s->folder);
    free(s);
    return status;
}

#endif
