// Triangle meshes from files: Wavefront OBJ, STL (text and binary), PLY (text and binary), Abaqus INP.
//
// Polygons are cut into fans of triangles; triangles with a corner twice are left out. Everything that is no geometry
// is ignored. Errors are "FILE:LINE: ..." with what is accepted; binary files have bytes instead of lines.
#ifndef FILES_MESH_FILE_H
#define FILES_MESH_FILE_H

#include "base/array.h"
#include "base/vec.h"
#include "scree/status.h"

typedef struct triangle_mesh {
    ARRAY(vec3) vertices;
    ARRAY(uint32_t) corners; // three for each triangle
} triangle_mesh;

typedef enum mesh_format { MESH_OBJ, MESH_STL, MESH_PLY, MESH_INP, MESH_FORMATS } mesh_format;

// Reads a mesh in the format that the ending of the name tells. Nothing is left in `mesh` on failure. A file may hold
// points alone.
scree_status mesh_file_load(const char *path, triangle_mesh *mesh, scree_error *error);

// The same from memory; `name` is for messages.
scree_status mesh_file_read(mesh_format format, const char *name, const char *bytes, size_t size, triangle_mesh *mesh,
                            scree_error *error);

void triangle_mesh_free(triangle_mesh *mesh);

// For the readers of the formats: these fill a mesh, which is freed for them on failure.
scree_status obj_read(const char *name, const char *bytes, size_t size, triangle_mesh *mesh, scree_error *error);
scree_status stl_read(const char *name, const char *bytes, size_t size, triangle_mesh *mesh, scree_error *error);
scree_status ply_read(const char *name, const char *bytes, size_t size, triangle_mesh *mesh, scree_error *error);
scree_status inp_read(const char *name, const char *bytes, size_t size, triangle_mesh *mesh, scree_error *error);

// Whether a coordinate can be used.
bool mesh_coordinates_valid(vec3 vertex);

// Appends the triangles of a polygon, a fan about its first corner. False when out of memory.
bool mesh_push_fan(triangle_mesh *mesh, const uint32_t *corners, size_t count);

#endif
