#include "rigid/capture.h"

#include "base/error.h"
#include "contact/row.h"

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

scree_status capture_rows(scree_world *world, const joint_row *joints, size_t joint_count, scree_error *error)
{
    step_capture *into = world->capture;
    step_problem problem = step_problem_of(world);
    size_t bodies = world->bodies.count, contacts = world->contacts.count;
    if (!gather_loads(world, &problem.loads) || !array_resize(&into->bodies, bodies) ||
        !array_resize(&into->ids, bodies) || !array_resize(&into->rows, contacts) ||
        !array_resize(&into->gaps, contacts) || !array_resize(&into->joints, joint_count))
        return fail_no_memory(error);
    for (size_t i = 0; problem.loads && i < contacts; i++)
        add_cohesion(&problem, &world->contacts.data[i]);
    for (size_t i = 0; i < bodies; i++) {
        into->bodies.data[i] = free_body(&problem, i);
        into->ids.data[i] = world->bodies.id.data[i];
    }
    for (size_t i = 0; i < contacts; i++) {
        contact_row made = contact_row_of(&problem, i);
        into->rows.data[i] = biased_row(&made, whole_bias);
        into->gaps.data[i] = (double)world->contacts.data[i].gap;
    }
    if (joint_count)
        memcpy(into->joints.data, joints, joint_count * sizeof *joints);
    return SCREE_OK;
}
