// The parts of a scene in the order in which they are read: each may name what the parts before it made.
#ifndef SCENE_READ_H
#define SCENE_READ_H

#include "scene/reader.h"

scree_status scene_read_variants(const scene_reader *reader, const node *root);
scree_status scene_read_materials(scene_reader *reader, const node *root);
scree_status scene_read_pairs(const scene_reader *reader, const node *root);
// Makes or finds the geometry of a shape that needs one and has been read from `mapping`; NULL for other shapes.
scree_status scene_read_geometry(const scene_reader *reader, const node *mapping, scree_shape_type type,
                                 scene_source *source, const scree_geometry **geometry);

scree_status scene_read_bodies(const scene_reader *reader, const node *root);
scree_status scene_read_fills(const scene_reader *reader, const node *root);

// Also marks every body that has a motion as fixed.
scree_status scene_read_motions(const scene_reader *reader, const node *root);

// Checks of bodies that need to know which of them are fixed: planes, velocities, mass from density.
scree_status scene_check_bodies(const scene_reader *reader, const node *root);

// Joints name bodies, and joints before them.
scree_status scene_read_joints(const scene_reader *reader, const node *root);

scree_status scene_read_events(const scene_reader *reader, const node *root);
scree_status scene_read_output(const scene_reader *reader, const node *root);

#endif
