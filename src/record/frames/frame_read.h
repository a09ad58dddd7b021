// The frames of a run, read back: which there are, and what the bodies did in each.
//
//     frame_list list;
//     frame_data frame = {0};
//     frame_list_read("out/silo", &list, &error);
//     for (size_t i = 0; i < list.count; i++)
//         frame_read(&list, i, &frame, &error), ... frame.states.data[k] of body frame.ids.data[k]
//     frame_data_free(&frame), frame_list_free(&list);
//
// A frame holds no shapes but sizes; record/replay.h gives the run's world as it stood at a frame, with all of them.
#ifndef RECORD_FRAMES_FRAME_READ_H
#define RECORD_FRAMES_FRAME_READ_H

#include "base/vec.h"
#include "record/file.h"
#include "record/frames/frames.h"
#include "record/frames/vtp_read.h"

typedef struct frame_files {
    double time;
    uint64_t numbers[FRAME_PARTS]; // of the file of each part; NO_FRAME_FILE: none
} frame_files;

#define NO_FRAME_FILE UINT64_MAX

typedef struct frame_list {
    char *folder;        // frames/
    char *name;          // of the scene; NULL without frames
    frame_files *frames; // in the order of time
    size_t count;
} frame_list;

// Reads the .pvd of a run directory. A run without frames gives an empty list. SCREE_ERROR_INVALID: the .pvd is
// damaged.
scree_status frame_list_read(const char *run, frame_list *list, scree_error *error);
void frame_list_free(frame_list *list); // accepts one that failed, or is all zero

typedef struct frame_contact {
    vec3 from, to;      // ends of the line: centres of mass, or the contact point where a body is unbounded
    float normal_force; // [force]
    float gap;
    scree_id a, b;
    vec3f force; // on b
} frame_contact;

typedef struct frame_data {
    double time;
    ARRAY(scree_id) ids;       // bodies that are not fixed, rising; the next four are by body
    ARRAY(scree_state) states; // positions as in the run, all else in single precision
    ARRAY(float) radii;        // of the bounding spheres
    ARRAY(vec3f) sizes;        // half edges of a box, radii of an ellipsoid, else three times the radius
    ARRAY(uint16_t) materials; // indices in the scene
    ARRAY(scree_id) fixed;     // ids of the fixed bodies that are there, rising
    bool has_contacts;         // they were written
    ARRAY(frame_contact) contacts;
} frame_data;

// Fills `frame`, which is all zero or was filled before. SCREE_ERROR_IO or SCREE_ERROR_INVALID when a file is missing
// or damaged.
scree_status frame_read(const frame_list *list, size_t number, frame_data *frame, scree_error *error);
void frame_data_free(frame_data *frame);

// The two halves of frame_read that see a file's contents, for sources other than a run directory.
scree_status frame_read_bodies(const vtp_source *source, frame_data *frame, scree_error *error);
scree_status frame_read_contacts(const vtp_source *source, frame_data *frame, scree_error *error);

// The .pvd from memory; `name` stands for the file in messages.
scree_status frame_list_parse(const char *text, size_t size, const char *name, frame_list *list, scree_error *error);

#endif
