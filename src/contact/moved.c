#include "contact/moved.h"

// Boxes of spheres are a little larger than the spheres, so that rounding loses no pair that the spheres have.
static const double sphere_slack = 1.01, box_slack = 1.02;

// Boxes are in single precision, which ends at 3e38.
static const double farthest_box = 1e30;

static bool is_moving(const step_problem *problem, uint32_t slot)
{
    return vec3_length(problem->velocity[slot]) > 0 || vec3_length(problem->spin[slot]) > 0;
}

// How far a moved body may be from where it stands, within the step.
static double moved_reach(const step_problem *problem, uint32_t slot)
{
    return (double)problem->radius[slot] + vec3_length(problem->velocity[slot]) * problem->step;
}

static bool has_box(const step_problem *problem, uint32_t slot)
{
    return vec3_length(problem->position[slot]) + moved_reach(problem, slot) < farthest_box;
}

static bvh_box box_of_sphere(vec3 center, double radius)
{
    vec3 half = {radius, radius, radius};
    return bvh_box_around(vec3_sub(center, half), vec3_add(center, half));
}

bool moved_bodies_find(const step_problem *problem, const uint32_t *slots, size_t most, arena *scratch,
                       moved_bodies *moved)
{
    *moved = (moved_bodies){.slots = arena_array(scratch, uint32_t, most)};
    bvh_box *boxes = arena_array(scratch, bvh_box, most);
    if (!moved->slots || !boxes)
        return false;
    for (size_t i = 0; i < most; i++) {
        uint32_t slot = slots[i];
        if (!is_moving(problem, slot))
            continue;
        if (has_box(problem, slot)) {
            boxes[moved->count] = box_of_sphere(problem->position[slot], box_slack * moved_reach(problem, slot));
            moved->slots[moved->count++] = slot;
        } else {
            moved->slots[most - ++moved->boundless] = slot;
        }
    }
    memmove(moved->slots + moved->count, moved->slots + most - moved->boundless,
            moved->boundless * sizeof *moved->slots);
    return bvh_build_in(&moved->tree, boxes, moved->count, scratch);
}

static bool are_near(const step_problem *problem, moved_bodies *moved, uint32_t slot, uint32_t other)
{
    moved->compared++;
    double reach = (double)problem->radius[slot] * sphere_slack + moved_reach(problem, other);
    return !(vec3_length(vec3_sub(problem->position[slot], problem->position[other])) > reach);
}

bool is_near_moved(const step_problem *problem, moved_bodies *moved, uint32_t slot)
{
    for (size_t i = 0; i < moved->boundless; i++)
        if (are_near(problem, moved, slot, moved->slots[moved->count + i]))
            return true;
    bvh_box box = box_of_sphere(problem->position[slot], box_slack * (double)problem->radius[slot]);
    bvh_walk walk = bvh_walk_box(&moved->tree, &box);
    uint32_t item;
    while (bvh_next_in_box(&walk, &item))
        if (are_near(problem, moved, slot, moved->slots[item]))
            return true;
    return false;
}

bool mark_near_moved(const step_problem *problem, const uint32_t *slots, size_t count, arena *scratch, uint8_t *marked)
{
    moved_bodies moved;
    if (!moved_bodies_find(problem, slots, count, scratch, &moved))
        return false;
    bool any = moved.count + moved.boundless > 0;
    for (uint32_t i = 0; any && i < problem->body_count; i++)
        marked[i] = marked[i] || (!problem->immovable[i] && is_near_moved(problem, &moved, i));
    return true;
}
