#include "contact/moved.h"

// Boxes of spheres are a little larger than the spheres, so that rounding loses no pair that the spheres have.
static const double sphere_slack = 1.01, box_slack = 1.02;

// Boxes are in single precision, which ends at 3e38.
static const double farthest_box = 1e30;

static bool is_moving(const body_store *store, uint32_t slot)
{
    return vec3_length(store->velocity.data[slot]) > 0 || vec3_length(store->spin.data[slot]) > 0;
}

// How far a moved body may be from where it stands, within the step.
static double moved_reach(const scree_world *world, uint32_t slot)
{
    const body_store *store = &world->bodies;
    return (double)store->radius.data[slot] + vec3_length(store->velocity.data[slot]) * world->def.step;
}

static bool has_box(const scree_world *world, uint32_t slot)
{
    return vec3_length(world->bodies.position.data[slot]) + moved_reach(world, slot) < farthest_box;
}

static bvh_box box_of_sphere(vec3 center, double radius)
{
    vec3 half = {radius, radius, radius};
    return bvh_box_around(vec3_sub(center, half), vec3_add(center, half));
}

bool moved_bodies_find(scree_world *world, moved_bodies *moved)
{
    const body_store *store = &world->bodies;
    size_t most = world->motions.count;
    *moved = (moved_bodies){.slots = arena_array(&world->scratch, uint32_t, most)};
    bvh_box *boxes = arena_array(&world->scratch, bvh_box, most);
    if (!moved->slots || !boxes)
        return false;
    for (size_t i = 0; i < most; i++) {
        uint32_t slot = body_slot(store, world->motions.data[i].id);
        if (!is_moving(store, slot))
            continue;
        if (has_box(world, slot)) {
            boxes[moved->count] = box_of_sphere(store->position.data[slot], box_slack * moved_reach(world, slot));
            moved->slots[moved->count++] = slot;
        } else {
            moved->slots[most - ++moved->boundless] = slot;
        }
    }
    memmove(moved->slots + moved->count, moved->slots + most - moved->boundless,
            moved->boundless * sizeof *moved->slots);
    return bvh_build_in(&moved->tree, boxes, moved->count, &world->scratch);
}

static bool are_near(const scree_world *world, moved_bodies *moved, uint32_t slot, uint32_t other)
{
    const body_store *store = &world->bodies;
    moved->compared++;
    double reach = (double)store->radius.data[slot] * sphere_slack + moved_reach(world, other);
    return !(vec3_length(vec3_sub(store->position.data[slot], store->position.data[other])) > reach);
}

bool is_near_moved(const scree_world *world, moved_bodies *moved, uint32_t slot)
{
    const body_store *store = &world->bodies;
    for (size_t i = 0; i < moved->boundless; i++)
        if (are_near(world, moved, slot, moved->slots[moved->count + i]))
            return true;
    bvh_box box = box_of_sphere(store->position.data[slot], box_slack * (double)store->radius.data[slot]);
    bvh_walk walk = bvh_walk_box(&moved->tree, &box);
    uint32_t item;
    while (bvh_next_in_box(&walk, &item))
        if (are_near(world, moved, slot, moved->slots[item]))
            return true;
    return false;
}
