// One frame: the world at one time as .vtp files.
#ifndef RECORD_FRAMES_FRAME_H
#define RECORD_FRAMES_FRAME_H

#include "record/roster.h"
#include "scree/world.h"

// One point per moving body at its centre of mass, with id, radius (of the sphere that bounds it), size (half extents),
// orientation (w, x, y, z), velocity, spin, material and shape.
scree_status frame_write_bodies(const char *path, const scree_world *world, const body_roster *roster, int threads,
                                scree_error *error);

// Fixed bodies as polygons with the id of the body.
scree_status frame_write_walls(const char *path, const scree_world *world, const body_roster *roster, int threads,
                               scree_error *error);

// Moving bodies that are not a single sphere as polygons with id and speed. When there are none no file is written and
// `some` is false.
scree_status frame_write_boxes(const char *path, const scree_world *world, const body_roster *roster, int threads,
                               bool *some, scree_error *error);

// Contacts of the last step as lines between the centres of mass (or from one to the contact point, where the other
// body is fixed), with normal_force, gap, the ids a and b of the two bodies, and the force on b.
scree_status frame_write_contacts(const char *path, const scree_world *world, int threads, scree_error *error);

#endif
