// A Python state for ParaView beside the frames of a run: spheres as spheres, walls that one looks through, colours by
// speed, the time in a corner. The script itself is paraview_state.py.
#ifndef RECORD_FRAMES_PARAVIEW_H
#define RECORD_FRAMES_PARAVIEW_H

#include <stddef.h>

#include "scree/status.h"

// Writes folder/NAME.py for folder/NAME.pvd; `length` is that of the name.
scree_status paraview_write_state(const char *folder, const char *name, size_t length, scree_error *error);

#endif
