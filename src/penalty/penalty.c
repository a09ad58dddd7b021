// One step of the penalty method: Harada's rigid bodies made of particles (GPU Gems 3, 2007), as in chapter 5 of the
// thesis that docs/penalty.md names, and the discrete element method of Cundall and Strack (1979).
//
//     bodies -> poses at mid-step -> near pairs -> forces of overlaps -> momenta -> bodies
#include "penalty/penalty.h"

#include <stdlib.h>

#include "base/error.h"
#include "world/motion.h"
#include "world/order.h"

_Static_assert(sizeof(touch_record) == sizeof(method_record), "a record has room for what a contact remembers");

scree_status penalty_begin(scree_world *world, scree_error *error)
{
    if (world->joints.list.count > 0)
        return fail(error, SCREE_ERROR_INVALID,
                    "the penalty method knows no joints; joints need method complementarity");
    if (!penalty_of(world)) {
        penalty *made = world->method_state = calloc(1, sizeof *made);
        if (!made)
            return fail_no_memory(error);
        made->stale = made->moved_slots = true;
        made->stable_step = HUGE_VAL;
    }
    return penalty_make_laws(world, error);
}

static scree_status step_penalty(scree_world *world, scree_error *error)
{
    const contact_load *point_loads;
    const body_load *loads;
    scree_status status = penalty_begin(world, error);
    if (status)
        return status;
    order_bodies(world);
    arena_reset(&world->scratch);
    if (!penalty_reserve(world) || !gather_forces(world, &loads))
        return fail_no_memory(error);
    motions_set_velocities(world);
    move_to_forces(world);

    stage_ends(world, &world->last.prepare);
    status = renew_list(world, error);
    if (status)
        return status;
    stage_ends(world, &world->last.broad);
    place_particles(world);
    push_pairs(world);
    push_walls(world);
    status = push_points(world, &point_loads, error);
    if (status)
        return status;
    stage_ends(world, &world->last.solve);
    status = reserve_contacts(world, error);
    return status ? status : move_by_forces(world, loads, point_loads, error);
}

static void free_list(near_list *list)
{
    array_free(&list->a);
    array_free(&list->b);
    array_free(&list->touches);
    array_free(&list->spring);
    array_free(&list->rolled);
}

static size_t list_bytes(const near_list *list)
{
    return array_bytes(&list->a) + array_bytes(&list->b) + array_bytes(&list->touches) + array_bytes(&list->spring) +
           array_bytes(&list->rolled);
}

// Plain arrays of the method, for those who free or count them all.
// clang-format off
#define EACH_ARRAY(X) \
    X(laws) X(position) X(spin) X(orientation) X(centered_sphere) X(far.position) X(far.step) X(far.orientation) \
    X(far.margin) X(far.swing) X(far.born) X(planes) X(stray_pairs) X(next_pairs) X(next_states) X(last) \
    X(turned) X(turning) X(grain) X(group_pairs[SPHERES]) X(group_pairs[WALLS]) X(group_pairs[OTHERS]) \
    X(states[SPHERES]) X(states[WALLS]) X(states[OTHERS]) X(loose) X(particles) X(loads) X(local) X(active) \
    X(active_body) X(first_active) X(block_end) X(block_first) X(wall_first) X(arms) \
    X(row_end) X(row_of) X(rows) X(wall_force) X(points) X(pair_of_point) X(point_memory) \
    X(next_contact)
// clang-format on

static void free_state(scree_world *world)
{
    penalty *of = penalty_of(world);
    if (!of)
        return;
    free_list(&of->pairs);
    free_list(&of->walls);
    free_list(&of->others);
    for (int k = 0; k < PAIR_KINDS; k++)
        free_list(&of->spare[k]);
    groups_free(&of->groups);
#define FREE(name) array_free(&of->name);
    EACH_ARRAY(FREE)
#undef FREE
    free(of);
    world->method_state = NULL;
}

static size_t state_bytes(const scree_world *world)
{
    const penalty *of = penalty_of(world);
    if (!of)
        return 0;
    size_t bytes = sizeof *of + list_bytes(&of->pairs) + list_bytes(&of->walls) + list_bytes(&of->others) +
                   groups_bytes(&of->groups);
    for (int k = 0; k < PAIR_KINDS; k++)
        bytes += list_bytes(&of->spare[k]);
#define ADD(name) bytes += array_bytes(&of->name);
    EACH_ARRAY(ADD)
#undef ADD
    return bytes;
}

static double stable_step(const scree_world *world)
{
    const penalty *of = penalty_of(world);
    return of && isfinite(of->stable_step) ? of->stable_step : 0;
}

static scree_status check(scree_world *world, double *longest_step, scree_error *error)
{
    scree_status status = penalty_begin(world, error);
    *longest_step = penalty_of(world) ? penalty_of(world)->longest_step : HUGE_VAL;
    return status;
}

static bool detects_midway(const scree_world *world)
{
    return world->def.penalty.integrator == SCREE_INTEGRATOR_SYMPLECTIC;
}

// For those who only read a world: its contacts are what they would find had they been written at the end of the step.
static void show_contacts(const scree_world *world)
{
    penalty_materialise_contacts((scree_world *)(uintptr_t)world);
}

static void add_energy(const scree_world *world, double *sum)
{
    *sum += penalty_energy(world);
}

// ---------------------------------------------------------------------------------------------------------- snapshots

static bool pack(const scree_world *world, method_record_array *records)
{
    touch_record_array taken = {0};
    bool done = penalty_remember(world, &taken) && array_resize(records, taken.count);
    if (done && taken.count > 0)
        memcpy(records->data, taken.data, taken.count * sizeof *taken.data);
    array_free(&taken);
    return done;
}

static bool is_valid(const touch_record *touch)
{
    const contact_history *h = &touch->history;
    bool finite = isfinite(h->stiffness) && isfinite(h->spun);
    for (int i = 0; i < 3; i++)
        finite = finite && isfinite(h->spring[i]) && isfinite(h->rolled[i]);
    return finite && touch->a < touch->b;
}

static scree_status unpack(scree_world *world, const method_record *records, size_t count, double least_step,
                           scree_error *error)
{
    touch_record_array touches = {0};
    if (!array_resize(&touches, count))
        return fail_no_memory(error);
    if (count > 0)
        memcpy(touches.data, records, count * sizeof *records);
    scree_status status = SCREE_OK;
    for (size_t i = 0; !status && i < count; i++)
        if (!is_valid(&touches.data[i]))
            status = fail(error, SCREE_ERROR_INVALID, "field 'touches' has an impossible value in row %zu", i);
    if (!status && !penalty_recall(world, touches.data, count, least_step))
        status = fail_no_memory(error);
    array_free(&touches);
    return status;
}

_Static_assert(sizeof(scree_contact_law) == sizeof(unsigned) && sizeof(scree_integrator) == sizeof(unsigned),
               "settings read enumerations as unsigned");

static const method_setting settings[] = {
    {"contact law", offsetof(scree_world_def, penalty.law), SCREE_CONTACT_LAW_HERTZ + 1, SCREE_CONTACT_LAW_LINEAR},
    {"integrator", offsetof(scree_world_def, penalty.integrator), SCREE_INTEGRATOR_EULER + 1,
     SCREE_INTEGRATOR_SYMPLECTIC},
    {"penalty tangential stiffness", offsetof(scree_world_def, penalty.tangential_stiffness), 0, 2.0 / 7},
    {"penalty tangential damping", offsetof(scree_world_def, penalty.tangential_damping), 0, 2.0 / 7},
    {"penalty terminal velocity", offsetof(scree_world_def, penalty.terminal_velocity), 0, 0},
};

const method penalty_method = {.name = "penalty",
                               .settings = settings,
                               .setting_count = sizeof settings / sizeof settings[0],
                               .step = step_penalty,
                               .check = check,
                               .slots_will_move = penalty_save_histories_by_id,
                               .contacts_wanted = show_contacts,
                               .detects_midway = detects_midway,
                               .add_energy = add_energy,
                               .stable_step = stable_step,
                               .bytes = state_bytes,
                               .pack = pack,
                               .unpack = unpack,
                               .free = free_state};
