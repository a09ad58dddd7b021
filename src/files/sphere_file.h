// Sphere sets in files: a line `x y z r` for each sphere, # begins a comment.
//
// Three lines may say what the spheres stand for: `volume V`, `centroid x y z` (default 0 0 0), and
// `inertia xx yy zz xy xz yz` about the centroid at density 1. Volume and inertia go together.
#ifndef FILES_SPHERE_FILE_H
#define FILES_SPHERE_FILE_H

#include <stdio.h>

#include "base/array.h"
#include "scree/geometry.h"

typedef struct sphere_list {
    ARRAY(scree_ball) balls;
    scree_solid body;
    bool has_body;
} sphere_list;

// Nothing is left in `list` on failure.
scree_status sphere_file_load(const char *path, sphere_list *list, scree_error *error);
scree_status sphere_file_read(const char *name, const char *bytes, size_t size, sphere_list *list, scree_error *error);

// SCREE_ERROR_INVALID for a name that ends in neither .txt nor .spheres.
scree_status sphere_file_check_ending(const char *path, scree_error *error);

// Whether all was written shows in the stream's error flag.
void sphere_file_write(const sphere_list *list, FILE *stream);

void sphere_list_free(sphere_list *list);

#endif
