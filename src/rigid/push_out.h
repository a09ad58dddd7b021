// Split impulse: push-out of overlaps is for positions alone.
//
// An overlap that is opened within a step leaves the speed of opening in the bodies' velocities, and what overlapped
// flies apart. So where overlaps are pushed out fast, the first solution moves the bodies, and a second one without
// push-out, from the impulses found, is what they keep as velocities (in the spirit of the pseudo velocities of
// Guendelman, Bridson & Fedkiw, Nonconvex rigid bodies with stacking, 2003).
#ifndef RIGID_PUSH_OUT_H
#define RIGID_PUSH_OUT_H

#include "rigid/island_run.h"

scree_status split_push_out(island_run *run, scree_error *error);

#endif
