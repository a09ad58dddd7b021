#include "rigid/capture.h"

void world_capture(scree_world *world, step_capture *capture)
{
    world->capture = capture;
}

void capture_free(step_capture *capture)
{
    array_free(&capture->bodies);
    array_free(&capture->ids);
    array_free(&capture->rows);
    array_free(&capture->gaps);
    array_free(&capture->joints);
}

bool capture_rows(const step_problem *problem, const joint_row *joints, size_t joint_count, step_capture *into)
{
    size_t bodies = problem->body_count, contacts = problem->contact_count;
    if (!array_resize(&into->bodies, bodies) || !array_resize(&into->ids, bodies) ||
        !array_resize(&into->rows, contacts) || !array_resize(&into->gaps, contacts) ||
        !array_resize(&into->joints, joint_count))
        return false;
    for (size_t i = 0; problem->loads && i < contacts; i++)
        add_cohesion(problem, &problem->contacts[i]);
    for (size_t i = 0; i < bodies; i++) {
        into->bodies.data[i] = free_body(problem, i);
        into->ids.data[i] = problem->id[i];
    }
    for (size_t i = 0; i < contacts; i++) {
        contact_row made = contact_row_of(problem, i);
        into->rows.data[i] = biased_row(&made, whole_bias);
        into->gaps.data[i] = (double)problem->contacts[i].gap;
    }
    if (joint_count)
        memcpy(into->joints.data, joints, joint_count * sizeof *joints);
    return true;
}
