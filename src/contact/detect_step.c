#include "contact/detect_step.h"

#include "base/error.h"
#include "contact/detect.h"
#include "contact/filter.h"
#include "contact/meet.h"
#include "contact/moved.h"
#include "contact/start.h"
#include "world/joints/joints.h"
#include "world/materials.h"
#include "world/method.h"
#include "world/view.h"
#include "world/wake.h"

// ------------------------------------------------------------------------------------------------------ what is lost

static scree_status report_fast_body(scree_world *world, size_t slot, scree_error *error)
{
    world->diverged = true;
    world->lost = world->bodies.id.data[slot];
    return fail(error, SCREE_ERROR_DIVERGED, "body %llu has exploded: its speed is %g and its spin %g before step %llu",
                (unsigned long long)world->lost, vec3_length(world->bodies.velocity.data[slot]),
                vec3_length(world->bodies.spin.data[slot]), (unsigned long long)world->steps + 1);
}

// The broad phase knows slots only; users know ids.
scree_status report_far_body(scree_world *world, scree_error *error)
{
    const body_store *store = &world->bodies;
    size_t farthest = 0;
    double most = -1;
    for (size_t i = 0; i < store->count; i++) {
        vec3 p = store->position.data[i];
        double distance = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
        if (distance > most) {
            most = distance;
            farthest = i;
        }
    }
    world->diverged = true;
    world->lost = store->id.data[farthest];
    return fail(error, SCREE_ERROR_DIVERGED,
                "body %llu has left the representable world before step %llu (distance %g)",
                (unsigned long long)world->lost, (unsigned long long)world->steps + 1, most);
}

static scree_status report_pairs(scree_world *world, scree_status status, size_t slot, scree_error *error)
{
    if (status == SCREE_ERROR_INVALID) {
        world->lost = world->bodies.id.data[slot];
        return report_crowd(world, slot, error);
    }
    return status == SCREE_ERROR_DIVERGED ? report_far_body(world, error) : status;
}

// ------------------------------------------------------------------------------------------------------------ sleepers

bool mark_disturbed(scree_world *world, uint8_t *marked)
{
    step_problem problem = step_problem_of(world);
    uint32_t *slots = arena_array(&world->scratch, uint32_t, world->motions.count);
    if (!slots)
        return false;
    for (size_t i = 0; i < world->motions.count; i++)
        slots[i] = body_slot(&world->bodies, world->motions.data[i].id);
    if (!mark_near_moved(&problem, slots, world->motions.count, &world->scratch, marked))
        return false;
    joints_mark_driven(world, marked);
    return true;
}

// Wakes islands that a moved body comes near, then sets the contacts of the rest aside.
static bool find_sleepers(scree_world *world, const step_problem *problem, sleepers *asleep)
{
    *asleep = (sleepers){.still = problem->immovable};
    if (world->sleeping == 0)
        return true;
    if (world->motions.count > 0) {
        uint8_t *marked = arena_array(&world->scratch, uint8_t, world->bodies.count);
        uint32_t *parent = arena_array(&world->scratch, uint32_t, world->bodies.count);
        if (!marked || !parent)
            return false;
        memset(marked, 0, world->bodies.count);
        if (!mark_disturbed(world, marked))
            return false;
        wake_marked(world, marked, parent);
    }
    return sleepers_find(problem, &world->scratch, asleep);
}

// ----------------------------------------------------------------------------------------------------------- detection

// Detection as far as it is the same for all of a world's arrays.
static detection detection_of(scree_world *world, const step_problem *problem, const body_velocity *reached)
{
    return (detection){.problem = problem,
                       .view = store_view(&world->bodies),
                       .most_per_pair = (size_t)world->def.contacts_per_pair,
                       .reached = reached,
                       .last = &world->contacts,
                       .last_angular = &world->angular_impulses,
                       .contacts = &world->contacts,
                       .angular = world->extended ? &world->angular_impulses : NULL,
                       .scratch = &world->scratch};
}

// Contacts of fast pairs become those of the moment of impact. Meetings `before` are those of an earlier search in this
// step, or NULL.
static bool meet(const scree_world *world, const detection *of, const pair_meetings *before, pair_meetings *meetings)
{
    meetings_clear(meetings);
    if (!world->method->follows_paths)
        return true;
    return meet_pairs(&(meeting_search){.problem = of->problem,
                                        .view = &of->view,
                                        .reached = of->reached,
                                        .most_per_pair = of->most_per_pair,
                                        .contacts = of->contacts,
                                        .angular = of->angular,
                                        .before = before,
                                        .meetings = meetings,
                                        .scratch = of->scratch});
}

static scree_status detect(scree_world *world, detection *of, scree_error *error)
{
    size_t lost;
    sleepers asleep;
    pushes_clear(&world->pushes);
    if (!detection_find_margins(of, &lost))
        return fail_no_memory(error);
    if (lost != SIZE_MAX)
        return report_fast_body(world, lost, error);
    if (!detection_remember(of) || !find_filter(world, &of->view.filter) || !find_sleepers(world, of->problem, &asleep))
        return fail_no_memory(error);
    of->view.immovable = asleep.still;
    scree_status status = detection_find_pairs(of, &lost, error);
    if (status)
        return report_pairs(world, status, lost, error);
    stage_ends(world, &world->last.broad);
    if (!of->angular)
        world->angular_impulses.count = 0;
    if (!detection_find_contacts(of, &asleep) || !meet(world, of, NULL, &world->meetings))
        return fail_no_memory(error);
    stage_ends(world, &world->last.narrow);
    return SCREE_OK;
}

scree_status detect_contacts(scree_world *world, const body_velocity *reached, scree_error *error)
{
    note_pairs(world);
    step_problem problem = step_problem_of(world);
    detection of = detection_of(world, &problem, reached);
    return detect(world, &of, error);
}

// The contacts between bodies that are near, of all that there are.
static bool take_near(const scree_world *world, const uint8_t *near, arena *scratch, contact_array *contacts,
                      vec3f_array *angular)
{
    const contact_array *all = &world->contacts;
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++)
        count += near[all->data[i].a] && near[all->data[i].b];
    *contacts = (contact_array){.data = arena_array(scratch, contact, count)};
    *angular = (vec3f_array){.data = arena_array(scratch, vec3f, count)};
    if (!contacts->data || !angular->data)
        return false;
    for (size_t i = 0; i < all->count; i++) {
        if (!near[all->data[i].a] || !near[all->data[i].b])
            continue;
        if (world->angular_impulses.count == all->count)
            angular->data[angular->count++] = world->angular_impulses.data[i];
        contacts->data[contacts->count++] = all->data[i];
    }
    return true;
}

scree_status detect_strikes(scree_world *world, const strike_search *search, contact_array *found, vec3f_array *angular,
                            scree_error *error)
{
    step_problem problem = step_problem_of(world);
    detection of = detection_of(world, &problem, search->reached);
    size_t lost;
    const sleepers none = {0};
    contact_array last;
    vec3f_array last_angular;
    of.searched = search->fast;
    of.near = search->near;
    of.last = &last;
    of.last_angular = &last_angular;
    of.contacts = found;
    of.angular = world->extended ? angular : NULL;
    if (!take_near(world, search->near, &world->scratch, &last, &last_angular) || !detection_narrow_down(&of) ||
        !detection_find_margins(&of, &lost))
        return fail_no_memory(error);
    if (lost != SIZE_MAX)
        return report_fast_body(world, lost, error);
    if (!detection_remember(&of) || !find_filter(world, &of.view.filter))
        return fail_no_memory(error);
    scree_status status = detection_find_pairs(&of, &lost, error);
    if (status)
        return report_pairs(world, status, lost, error);
    bool done = detection_find_contacts(&of, &none) && meet(world, &of, &world->meetings, search->meetings);
    return done ? SCREE_OK : fail_no_memory(error);
}
