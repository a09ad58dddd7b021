// The part of a world that pictures need at one moment: a copy, so that the world may go on while it is drawn.
#ifndef VIEW_WORLD_WORLD_BODIES_H
#define VIEW_WORLD_WORLD_BODIES_H

#include "base/array.h"
#include "record/frames/frame_read.h"
#include "scree/world.h"

#define WORLD_NO_BODY UINT32_MAX

typedef struct world_contact {
    uint32_t a, b;            // places of its bodies in the list; WORLD_NO_BODY: not known
    scree_vec3 ends[2];       // centres of mass; the contact point where a body has no end
    scree_vec3 point, normal; // where it is, and from a towards b
    bool has_normal;          // point and normal are known
    double force;             // along the normal
} world_contact;

typedef struct world_bodies {
    ARRAY(scree_id) ids; // rising; the next four are by body
    ARRAY(scree_state) states;
    ARRAY(scree_body_info) infos;
    ARRAY(uint32_t) first_shapes; // and one more: the number of all shapes
    ARRAY(scree_shape_def) shapes;
    bool has_contacts; // they are known
    ARRAY(world_contact) contacts;
    ARRAY(scree_contact) scratch;
    scree_vec3 gravity;
    double time;
} world_bodies;

// Copies; `to` is all zero or was filled before. Shapes are read again only where bodies came or went; their geometries
// belong to the world, which must outlive the copy.
scree_status world_bodies_read(world_bodies *to, const scree_world *world, scree_error *error);

// The same without contacts, which cost as much as all else.
scree_status world_bodies_read_states(world_bodies *to, const scree_world *world, scree_error *error);

// Takes the contacts of a frame instead of the world's own, which a world that is played back does not have.
scree_status world_bodies_take_contacts(world_bodies *to, const frame_data *frame, scree_error *error);

// Finds contacts anew where the bodies are, without forces, for a moment of which none were kept. Takes the velocities
// of the world's bodies away.
scree_status world_bodies_find_contacts(world_bodies *to, scree_world *world, scree_error *error);

void world_bodies_free(world_bodies *bodies);

// Place of a body in the list; WORLD_NO_BODY when it is not there.
uint32_t world_bodies_find(const world_bodies *bodies, scree_id id);

#endif
