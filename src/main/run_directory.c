// Looking at paths and folders; everything about reading them is in src/record.
#include "main/run_directory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "record/checkpoint.h"
#include "record/file.h"

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), ending_length = strlen(ending);
    return length >= ending_length && strcmp(text + length - ending_length, ending) == 0;
}

scree_status path_kind_of(const char *path, path_kind *kind, scree_error *error)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return fail(error, SCREE_ERROR_INVALID, "cannot read %s: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        *kind = PATH_RUN;
    else if (checkpoint_recognize(path) || ends_with(path, ".h5"))
        *kind = PATH_CHECKPOINT;
    else
        *kind = PATH_SCENE;
    return SCREE_OK;
}

// Calls `visit` for every name in directory/folder.
static void visit_names(const char *directory, const char *folder, void (*visit)(const char *name, run_files *files),
                        run_files *files)
{
    char *path = path_join(directory, folder);
    name_array names = {0};
    if (path && folder_list(path, &names, NULL) == SCREE_OK)
        for (size_t i = 0; i < names.count; i++)
            visit(names.data[i], files);
    names_free(&names);
    free(path);
}

static void visit_file(const char *name, run_files *files)
{
    uint64_t step;
    if (checkpoint_name_step(name, &step)) // names rise, so the last one is the newest
        snprintf(files->checkpoint, sizeof files->checkpoint, "%s", name);
}

static void visit_probe(const char *name, run_files *files)
{
    files->probes += ends_with(name, ".csv");
}

static void visit_frame(const char *name, run_files *files)
{
    if (ends_with(name, ".pvd"))
        snprintf(files->frame_entry, sizeof files->frame_entry, "%s", name);
    files->frames += strncmp(name, "bodies-", 7) == 0 && ends_with(name, ".vtp");
}

run_files run_directory_list(const char *directory)
{
    run_files files = {0};
    visit_names(directory, ".", visit_file, &files);
    visit_names(directory, "probes", visit_probe, &files);
    visit_names(directory, "frames", visit_frame, &files);
    return files;
}
