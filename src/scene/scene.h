// A scene as understood: the plain struct behind the public scree_scene, read by the runner and the commands.
//
// Ids follow from the order in the scene: body i (from 0) has id i + 1, then come the fills' bodies in order. So names
// can be resolved to ids when the scene is read.
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include "base/arena.h"
#include "base/array.h"
#include "model/fill.h"
#include "scene/names.h"
#include "scree/joint.h"
#include "scree/scene.h"

typedef struct scene_ids { // a run of consecutive ids: one body, or all bodies of a fill
    scree_id first;
    size_t count;
} scene_ids;

typedef struct scene_place { // where it was written, for messages; line 0: by an override
    uint32_t line, column;
} scene_place;

typedef struct scene_material {
    char *name;
    scree_material_def def; // material index = index in the scene; 0 is "default"
    scene_place place;
} scene_material;

typedef struct scene_variant {
    char *name;
} scene_variant;

typedef struct scene_pair {
    int material_a, material_b;
    scree_pair_def def;
    scene_place place;
} scene_pair;

typedef struct scene_points {
    scree_vec3 *data;
    size_t count;
} scene_points;

typedef struct scene_balls {
    scree_ball *data;
    size_t count;
} scene_balls;

typedef struct scene_source { // what a geometry is made of, to write it back
    char *file;               // absolute, so that the scene can be written anywhere; "" when there is none
    scene_points points;      // as given, before they are scaled
    scene_balls balls;        // of a sphere set, as given, before they are scaled
    scree_file_options options;
} scene_source;

typedef struct scene_shape { // what the keys of a shape are read into
    scree_shape_def def;
    scene_source source;
} scene_shape;

typedef struct scene_fill_shape {
    fill_shape def;
    scene_source source;
} scene_fill_shape;

typedef struct scene_file { // a geometry that a file gave, for all shapes that name it in the same way
    scree_shape_type type;
    const char *path; // absolute
    scree_file_options options;
    const scree_geometry *geometry;
} scene_file;

typedef struct scene_body {
    char *name;         // "" when it has none
    scree_body_def def; // def.shapes is owned by the scene; def.mass follows from density when only that is given
    const scene_source *sources; // by shape; NULL when no shape has a geometry
    double density;              // as given, 0 when the materials' densities hold
    scene_place place;
} scene_body;

typedef struct scene_fill {
    char *name; // "" when it has none
    fill_def def;
    const scene_source *sources; // as of a body
    scene_ids ids;
    scene_place place;
} scene_fill;

typedef struct scene_motion {
    size_t body; // index into bodies; that body is fixed
    scree_motion_def def;
    scene_place place;
} scene_motion;

typedef struct scene_joint { // joint i (from 0) has id i + 1
    char *name;              // "" when it has none
    scree_joint_def def;
    bool has_axis, has_axes, has_motor, has_speed, has_position; // given
    double speed, position;                                      // of the motor
    bool couples;                                                // other joints, not bodies
    char *ends[2]; // names of its bodies, or of the joints that it couples
    scene_place place;
} scene_joint;

typedef struct scene_event {
    double time;
    scene_ids *remove;       // bodies, in the order given
    scree_id *remove_joints; // by place in `remove`: a joint, whose place there is empty; 0: none
    char **remove_names;
    size_t remove_count;
} scene_event;

typedef struct scene_probe {
    char *name;    // of the body or joint; gives probes/NAME.csv
    scree_id body; // 0: it is a joint
    scree_id joint;
} scene_probe;

typedef enum scene_counter_of { COUNT_BODIES, COUNT_MASS } scene_counter_of;

typedef struct scene_counter { // counts bodies whose centre crosses the plane against its normal
    char *name;
    scree_vec3 normal; // unit
    double offset;
    scene_counter_of of;
} scene_counter;

typedef struct scene_output {
    double every; // seconds between rows and frames
    bool frames;
    bool frame_contacts;     // also write contacts as lines
    double checkpoint_every; // seconds; 0: only at the end and on signals
    double problems_every;   // seconds between dumps of the contact problem; 0: none
    scene_probe *probes;
    size_t probe_count;
    scene_counter *counters;
    size_t counter_count;
} scene_output;

typedef enum scene_view_color { // what the colours of bodies tell
    VIEW_SPEED,
    VIEW_SPIN,
    VIEW_MATERIAL,
    VIEW_BODY,
    VIEW_FORCE,
    VIEW_COORDINATION,
    VIEW_RANK,
    VIEW_HEIGHT,
} scene_view_color;

typedef struct scene_view { // how pictures and the window look at it
    bool has_from, has_look_at, has_range;
    scree_vec3 from, look_at;
    double azimuth, elevation, field_of_view;
    scene_view_color color;
    double range[2];
} scene_view;

struct scree_scene {
    char *path;            // as given
    char *name;            // file name without folders and ending
    int format;            // version of the scene format
    scree_world_def world; // method, gravity, step, solver; threads is not a scene's business
    char *variant;         // the one that was taken; "": none
    scene_variant *variants;
    size_t variant_count;
    scene_place method_place; // of the key `method`, or of the scene
    double duration;
    uint64_t seed;
    scene_material *materials;
    size_t material_count;
    scene_pair *pairs;
    size_t pair_count;
    scene_body *bodies;
    size_t body_count;
    scene_fill *fills;
    size_t fill_count;
    scene_joint *joints;
    size_t joint_count;
    scene_motion *motions;
    size_t motion_count;
    scene_event *events; // in order of time
    size_t event_count;
    scene_output output;
    scene_view view;
    ARRAY(const scree_geometry *) geometries; // one reference to each that a shape has
    ARRAY(scene_file) files;
    name_index body_names, fill_names, joint_names; // to indices into bodies, fills and joints
    arena memory;                                   // holds all of the above but the arrays and geometries
};

// Puts the place and the name of a body, or of its fill, before the message that the engine gave; returns `status`.
scree_status scene_blame_body(const scree_scene *scene, scree_id id, scree_status status, scree_error *error);

#endif
