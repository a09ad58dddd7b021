// A step's problem made of plain arrays, without any world: balls, what they touch, and the values of two materials.
#ifndef TESTS_UNIT_RIGID_PLAIN_STEP_H
#define TESTS_UNIT_RIGID_PLAIN_STEP_H

#include "../../physics/check.h"

#include <stdlib.h>
#include <string.h>

#include "contact/row.h"
#include "rigid/joints/joint_rows.h"
#include "rigid/solution.h"
#include "solve/rows.h"

enum { PLAIN_BODIES = 6000, PLAIN_CONTACTS = 24000, PLAIN_ROWS = 64, PLAIN_JOINTS = 16 };

typedef struct plain_step {
    step_problem problem;
    scree_id id[PLAIN_BODIES];
    vec3 position[PLAIN_BODIES], velocity[PLAIN_BODIES], spin[PLAIN_BODIES];
    quat orientation[PLAIN_BODIES];
    double mass[PLAIN_BODIES];
    vec3f inertia[PLAIN_BODIES];
    float radius[PLAIN_BODIES], rest[PLAIN_BODIES];
    uint8_t immovable[PLAIN_BODIES], solved_by[PLAIN_BODIES], instant[PLAIN_BODIES];
    body_load loads[PLAIN_BODIES];
    proxy proxies[PLAIN_BODIES]; // by slot
    uint32_t first_proxy[PLAIN_BODIES + 1];
    plane_geometry plane; // that bodies may be instead of balls
    contact contacts[PLAIN_CONTACTS];
    pair_properties pairs[4]; // of materials 0 and 1
    joint_rows joints;
    joint_row rows[PLAIN_ROWS];
    uint32_t first[PLAIN_JOINTS + 1];
    uint8_t place[PLAIN_ROWS], uses_end_gradient[PLAIN_JOINTS], torn[PLAIN_JOINTS];
    arena scratch, workers[4];
} plain_step;

// h = 0.01, gravity of 10 downwards, friction 0.5 between all.
static inline plain_step *plain_make(void)
{
    plain_step *of = calloc(1, sizeof *of);
    of->problem = (step_problem){.step = 0.01,
                                 .gravity = {0, 0, -10},
                                 .gravity_length = 10,
                                 .solver = scree_default_world_def().solver,
                                 .cell = 4,
                                 .threads = 1,
                                 .id = of->id,
                                 .position = of->position,
                                 .velocity = of->velocity,
                                 .spin = of->spin,
                                 .orientation = of->orientation,
                                 .mass = of->mass,
                                 .inertia = of->inertia,
                                 .radius = of->radius,
                                 .rest = of->rest,
                                 .immovable = of->immovable,
                                 .solved_by = of->solved_by,
                                 .instant = of->instant,
                                 .contacts = of->contacts,
                                 .pairs = of->pairs,
                                 .material_count = 2};
    for (int i = 0; i < 4; i++)
        of->pairs[i].friction = 0.5f;
    of->joints = (joint_rows){.rows = of->rows,
                              .first = of->first,
                              .place = of->place,
                              .uses_end_gradient = of->uses_end_gradient,
                              .torn = of->torn};
    return of;
}

static inline void plain_free(plain_step *of)
{
    arena_free(&of->scratch);
    for (int i = 0; i < 4; i++)
        arena_free(&of->workers[i]);
    free(of);
}

// Its bodies as a step writes them.
static inline step_bodies plain_bodies(plain_step *of)
{
    return (step_bodies){.position = of->position,
                         .velocity = of->velocity,
                         .spin = of->spin,
                         .orientation = of->orientation,
                         .rest = of->rest,
                         .solved_by = of->solved_by,
                         .instant = of->instant};
}

// A ball; one without mass is immovable.
static inline uint32_t plain_add(plain_step *of, vec3 position, double radius, double mass)
{
    uint32_t slot = (uint32_t)of->problem.body_count++;
    assert_true(slot < PLAIN_BODIES);
    float moment = (float)(0.4 * mass * radius * radius);
    of->id[slot] = slot + 1;
    of->position[slot] = position;
    of->orientation[slot] = (quat){1, 0, 0, 0};
    of->mass[slot] = mass;
    of->inertia[slot] = (vec3f){moment, moment, moment};
    of->radius[slot] = (float)radius;
    of->immovable[slot] = mass == 0;
    of->proxies[slot] = (proxy){.size = {(float)radius}, .body = slot, .type = SCREE_SHAPE_SPHERE};
    of->first_proxy[slot + 1] = slot + 1;
    return slot;
}

// Makes a body the half-space below its centre.
static inline void plain_make_floor(plain_step *of, uint32_t slot)
{
    of->plane = (plane_geometry){.normal = {0, 0, 1}};
    of->radius[slot] = HUGE_VALF;
    of->proxies[slot] = (proxy){.geometry = 0, .body = slot, .type = SCREE_SHAPE_PLANE};
}

// Its shapes as detection reads them.
static inline proxy_view plain_view(const plain_step *of)
{
    static const local_pose identity = {.orientation = {1, 0, 0, 0}};
    return (proxy_view){.proxies = of->proxies,
                        .proxy_count = of->problem.body_count,
                        .first_proxy = of->first_proxy,
                        .locals = &identity,
                        .planes = &of->plane,
                        .centers = of->position,
                        .orientations = of->orientation,
                        .immovable = of->immovable,
                        .ids = of->id,
                        .body_count = of->problem.body_count};
}

// A contact of materials 0 whose point is `arm` from the centre of a.
static inline contact *plain_touch(plain_step *of, uint32_t a, uint32_t b, vec3 arm, vec3 normal, double gap)
{
    contact *c = &of->contacts[of->problem.contact_count++];
    assert_true(of->problem.contact_count <= PLAIN_CONTACTS);
    *c = (contact){.a = a, .b = b, .arm = vec3f_from(arm), .normal = vec3f_from(normal), .gap = (float)gap};
    return c;
}

// The contact of two balls, with the gap that they have.
static inline contact *plain_touch_balls(plain_step *of, uint32_t a, uint32_t b)
{
    vec3 between = vec3_sub(of->position[b], of->position[a]);
    double distance = vec3_length(between), gap = distance - (double)of->radius[a] - (double)of->radius[b];
    vec3 normal = vec3_scale(between, 1 / distance);
    return plain_touch(of, a, b, vec3_scale(normal, (double)of->radius[a] + gap / 2), normal, gap);
}

// A ball on the level z of an immovable body whose surface goes through its own centre there.
static inline contact *plain_touch_floor(plain_step *of, uint32_t floor, uint32_t ball)
{
    vec3 at = of->position[ball];
    double gap = at.z - (double)of->radius[ball] - of->position[floor].z;
    vec3 point = {at.x, at.y, at.z - (double)of->radius[ball] - gap / 2};
    return plain_touch(of, floor, ball, vec3_sub(point, of->position[floor]), vec3_make(0, 0, 1), gap);
}

// The contacts of ball i of a cube of side^3 balls, in the order of their slots, with those before it and the floor.
static inline void plain_touch_before(plain_step *of, uint32_t floor, uint32_t slot, int i, int side)
{
    if (i % side > 0)
        plain_touch_balls(of, slot - 1, slot);
    if (i / side % side > 0)
        plain_touch_balls(of, slot - (uint32_t)side, slot);
    if (i / side / side > 0)
        plain_touch_balls(of, slot - (uint32_t)(side * side), slot);
    else
        plain_touch_floor(of, floor, slot);
}

// A joint of one row between two bodies, along an axis; NO_BODY stands for the world.
static inline joint_row *plain_join(plain_step *of, uint32_t a, uint32_t b, vec3 axis)
{
    joint_rows *joints = &of->joints;
    joint_row *row = &of->rows[joints->count];
    assert_true(joints->count < PLAIN_ROWS && joints->joint_count < PLAIN_JOINTS);
    *row =
        (joint_row){.body = {a, b, NO_BODY}, .linear = {vec3_negate(axis), axis}, .low = -HUGE_VAL, .high = HUGE_VAL};
    joints->first[joints->joint_count++] = (uint32_t)joints->count++;
    joints->first[joints->joint_count] = (uint32_t)joints->count;
    return row;
}

// ------------------------------------------------------------------------------------------------------------- solving

// Finds islands and solves them.
static inline step_solution plain_solve(plain_step *of)
{
    step_solution solution = {0};
    arena_reset(&of->scratch);
    assert_true(islands_find(&of->problem, &of->joints, &of->scratch, &solution.islands));
    assert_int_equal(solve_islands(&of->problem, &of->joints, &of->scratch, of->workers, &solution, NULL), SCREE_OK);
    return solution;
}

// Rows without joints that a world could follow: they are solved as they are.
static inline void plain_follow_no_joints(plain_step *of)
{
    of->joints.joint_count = 0;
}

static inline void plain_set_pairs(plain_step *of, pair_properties values)
{
    for (int i = 0; i < 4; i++)
        of->pairs[i] = values;
}

#endif
