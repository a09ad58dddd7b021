// A look at what fast exits may run into, at far less cost than detection.
#ifndef RIGID_EXITS_EXIT_LOOK_H
#define RIGID_EXITS_EXIT_LOOK_H

#include "rigid/exits/fast_exits.h"

typedef struct exit_look {
    size_t count;  // bodies that are near
    uint8_t *near; // by slot: fast exits that may run into something, and what they may run into; NULL when none does
} exit_look;

// Nobody else collides; of balls and planes nearly all that are near do. Memory comes from `scratch`; false when there
// is none.
bool exits_look(const step_problem *problem, const proxy_view *view, const fast_exits *exits, arena *scratch,
                exit_look *look);

// May one of two bodies, a fast exit, run into the other? Bodies are near for the sake of others as well, and all are
// where the look would take too long: so that nothing depends on that, contacts count of pairs that are near
// themselves.
bool exits_pair_is_near(const step_problem *problem, const proxy_view *view, const fast_exits *exits, size_t a,
                        size_t b);

#endif
