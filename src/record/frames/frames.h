// The frames of a run: numbered .vtp files and the .pvd that lists them, in frames/.
//
//     <scene>.pvd           what ParaView opens; rewritten whole with every frame, so it is valid at all times
//     <scene>.py            a state for ParaView that shows them well
//     bodies-000123.vtp     the moving bodies as points (part 0)
//     walls-000123.vtp      the fixed bodies as polygons (part 1); only when they differ from the last such file
//     boxes-000123.vtp      moving bodies that are not a sphere as polygons (part 2)
//     contacts-000123.vtp   contacts as lines (part 3), when the scene asks for them
#ifndef RECORD_FRAMES_FRAMES_H
#define RECORD_FRAMES_FRAMES_H

#include "record/roster.h"
#include "scene/scene.h"
#include "step/snapshot.h"

typedef struct frame_entry {
    uint64_t walls; // number of the walls file that shows the walls at this time
    uint64_t parts; // bits by part number: which files belong to the frame
} frame_entry;

typedef struct frames {
    bool enabled, contacts;
    char *folder; // frames/
    char *index;  // path of the .pvd
    int threads;
    ARRAY(double)
    times; // by frame
    ARRAY(frame_entry)
    entries;
    uint64_t walls_hash; // of the walls as last written
    size_t synced;       // frames whose files are known to be on the disk
} frames;

// Starts with no frames or, with a `state` that frames_save made, with those it lists; files of later frames are
// removed then, unless `keep` says to leave everything as it is.
scree_status frames_open(frames *frames, const scree_scene *scene, const char *folder, int threads,
                         const snapshot *state, bool keep, scree_error *error);

// Adds the world as it is, when frames are wanted.
scree_status frames_add(frames *frames, const scree_world *world, const body_roster *roster, scree_error *error);

// Flushes the frames of since the last time to the disk; without it they outlive the process, but not the machine.
scree_status frames_sync(frames *frames, scree_error *error);

scree_status frames_save(const frames *frames, snapshot *state, scree_error *error);
void frames_close(frames *frames);

enum { PART_BODIES, PART_WALLS, PART_BOXES, PART_CONTACTS, FRAME_PARTS, FRAME_NAME_SIZE = 48 };

// The name of a part's file.
void frame_file_name(int part, uint64_t number, char name[FRAME_NAME_SIZE]);

// The number in a file name that frames_add makes, such as "walls-000012.vtp"; false for any other name.
bool frame_name_number(const char *name, uint64_t *number);

#endif
