// The rows of a step, kept for whoever wants to look at the problem itself: to write it to a file, or to solve it by
// another algorithm.
#ifndef RIGID_CAPTURE_H
#define RIGID_CAPTURE_H

#include "contact/row.h"

// Bodies before impulses in the world's own order, contacts with the impulses that they start from, and rows of joints.
// Rows name bodies by their places here.
typedef struct step_capture {
    ARRAY(problem_body) bodies;
    ARRAY(scree_id) ids;
    ARRAY(problem_row) rows;
    ARRAY(double) gaps; // of the contacts
    ARRAY(joint_row) joints;
} step_capture;

// Steps from now on fill `capture`, which must outlive them, until NULL is given.
void world_capture(scree_world *world, step_capture *capture);
void capture_free(step_capture *capture);

// Fills a capture with the rows of a step, whose loads get the pull of cohesive contacts. False when out of memory.
bool capture_rows(const step_problem *problem, const joint_row *joints, size_t joint_count, step_capture *into);

#endif
