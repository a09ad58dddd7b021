// Files and folders of a run: paths, listings, and whole files that appear complete or not at all.
//
// A whole file is written under a temporary name beside its place, flushed to the disk, and renamed. Whatever stops
// the process, a full disk included, the name holds either the old contents or the new. Messages name the path and
// what the system said.
#ifndef RECORD_FILE_H
#define RECORD_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/array.h"
#include "scree/status.h"

// SCREE_ERROR_IO with "cannot `verb` `path`: " and the system's text for `code`, an errno.
scree_status fail_io(scree_error *error, const char *verb, const char *path, int code);

// "folder/name" as a new string; NULL when out of memory. Free with free().
char *path_join(const char *folder, const char *name);

// The ending of a path's name, behind its last dot; "" when there is none.
const char *path_ending(const char *path);

// Makes the folder and those above it where they are missing.
scree_status folder_make(const char *path, scree_error *error);

// The same for a folder inside a run's directory: a symbolic link of that name is refused, since it would lead the
// writing elsewhere.
scree_status folder_make_own(const char *path, scree_error *error);

// SCREE_ERROR_IO about a folder that is a symbolic link.
scree_status fail_link(scree_error *error, const char *path);

bool path_is_link(const char *path);

typedef ARRAY(char *) name_array;

// The names in a folder in rising order, without "." and ".."; none when the folder is not there.
scree_status folder_list(const char *path, name_array *names, scree_error *error);
void names_free(name_array *names);

bool file_exists(const char *path);

// A file that is not there is removed already.
scree_status file_remove(const char *path, scree_error *error);

typedef ARRAY(char) file_text;

// Reads a whole file into an empty array, with a zero behind the last character that does not count. The caller frees
// the array, also on failure.
scree_status file_read(const char *path, file_text *text, scree_error *error);

// A new file for reading and writing in place of whatever has the name; a symbolic link is removed, not followed. -1 or
// NULL with errno on failure.
int file_create(const char *path);
FILE *file_create_stream(const char *path);

// The ending of the temporary name.
#define FILE_DRAFT_ENDING ".part"

typedef struct file_draft {
    FILE *stream; // write here; errors may be left for the commit to find
    char *path, *part;
    bool deferred; // set it to commit without flushing to the disk; the caller does that later with file_sync
} file_draft;

scree_status draft_open(file_draft *draft, const char *path, scree_error *error);

// The file `name` in a folder.
scree_status draft_open_in(file_draft *draft, const char *folder, const char *name, scree_error *error);

// Puts the draft in its place, or removes it and says why. The draft is closed either way.
scree_status draft_commit(file_draft *draft, scree_error *error);
void draft_discard(file_draft *draft);

// Commits when `status`, what writing gave, is SCREE_OK; else discards and hands it on.
scree_status draft_finish(file_draft *draft, scree_status status, scree_error *error);

// A whole file in one go.
scree_status file_write(const char *path, const void *data, size_t size, scree_error *error);

// Flushes to the disk a file, or a folder with the names in it.
scree_status file_sync(const char *path, scree_error *error);

// The last move of a commit for files that were not written through a draft's stream: makes `part`, open as
// `descriptor`, durable and renames it. Closes the descriptor.
scree_status file_publish(int descriptor, const char *part, const char *path, scree_error *error);

#endif
