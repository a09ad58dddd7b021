#include "rigid/island_run.h"

#include "base/search.h"
#include "rigid/direct.h"
#include "rigid/impacts/reflect.h"
#include "rigid/stale.h"
#include "rigid/swept.h"

// --------------------------------------------------------------------------------------------------------------- order

static contact_key key_of_contact(const void *context, uint32_t index)
{
    const island_run *run = context;
    const step_problem *problem = run->problem;
    const contact *c = &problem->contacts[index];
    bool a_moves = !problem->immovable[c->a], b_moves = !problem->immovable[c->b];
    bool a_owns = a_moves && (!b_moves || problem->id[c->a] < problem->id[c->b]);
    return (contact_key){.owner = run_place(run, a_owns ? c->a : c->b),
                         .feature = c->feature,
                         .other = problem->id[a_owns ? c->b : c->a]};
}

bool run_order(island_run *run, double edge)
{
    const step_problem *problem = run->problem;
    const island_entry *entry = run->island;
    uint32_t *bodies = run->set->bodies + entry->first_body, *contacts = run->set->contacts + entry->first_contact;
    cell_bodies ordered;
    if (!cells_order_bodies(bodies, entry->body_count, problem->position, problem->id, edge, run->threads, run->scratch,
                            &ordered))
        return false;
    for (uint32_t i = 0; i < entry->body_count; i++)
        run->set->place_of_slot[bodies[i]] = entry->first_body + i;
    if (!cells_order_contacts(&ordered, contacts, entry->contact_count, key_of_contact, run, run->threads, run->scratch,
                              &run->cells))
        return false;
    for (size_t i = 0; problem->loads && i < entry->contact_count; i++)
        add_cohesion(problem, &problem->contacts[contacts[i]]);
    return forget_stale_impulses(run) && reflect_impacts(run);
}

// ---------------------------------------------------------------------------------------------------------- velocities

bool run_is_slow(const island_run *run)
{
    double most = 3 * run->problem->step * run->problem->gravity_length;
    for (size_t i = 0; i < run->island->body_count; i++)
        if (!(vec3_length(free_velocity_of(run->problem, run_bodies(run)[i]).velocity) <= most))
            return false;
    return true;
}

// A double rounded to float. gcc 12 drops the conversion there and back where it vectorises two of them side by side;
// the volatile keeps it.
static double through_single(double value)
{
    volatile float single = (float)value;
    return (double)single;
}

// What contacts changed, at the precision of the solver, on top of the free velocity in double: a body without
// contacts keeps all its digits.
static vec3 swept_velocity(vec3 free, vec3 solved, scree_precision precision)
{
    if (precision == SCREE_PRECISION_DOUBLE)
        return solved;
    vec3 single = {through_single(free.x), through_single(free.y), through_single(free.z)};
    return vec3_add(free, vec3_sub(solved, single));
}

static heavy_body *find_heavy(const island_run *run, size_t place)
{
    size_t at =
        lower_bound_u32(run->heavy, run->heavy_count, sizeof *run->heavy, offsetof(heavy_body, place), (uint32_t)place);
    return at < run->heavy_count && run->heavy[at].place == place ? &run->heavy[at] : NULL;
}

static body_velocity swept_end(const island_run *run, const void *velocities, size_t place)
{
    scree_precision precision = run->swept.precision;
    body_velocity free = free_velocity_of(run->problem, run_bodies(run)[place]);
    vec3 v, w;
    velocities_get(precision, velocities, place, &v, &w);
    return (body_velocity){swept_velocity(free.velocity, v, precision), swept_velocity(free.spin, w, precision)};
}

body_velocity run_velocity(const island_run *run, size_t place)
{
    if (run->is_direct)
        return (body_velocity){run->direct.bodies[place].velocity, run->direct.bodies[place].spin};
    const heavy_body *heavy = find_heavy(run, place);
    return heavy ? heavy->end : swept_end(run, run->swept.velocities, place);
}

body_velocity run_position_velocity(const island_run *run, size_t place)
{
    if (run->position_velocity)
        return run->position_velocity[place];
    if (!run->position_velocities)
        return run_velocity(run, place);
    const heavy_body *heavy = find_heavy(run, place);
    return heavy ? heavy->position : swept_end(run, run->position_velocities, place);
}

void run_set_velocity(island_run *run, size_t place, body_velocity velocity)
{
    if (!run->is_direct) {
        heavy_body *heavy = find_heavy(run, place);
        if (heavy)
            heavy->end = velocity;
        problem_set_velocity(&run->swept, place, velocity.velocity, velocity.spin);
        return;
    }
    run->direct.bodies[place].velocity = velocity.velocity;
    run->direct.bodies[place].spin = velocity.spin;
}

scree_status run_solve_again(island_run *run, row_bias *bias, int iterations, scree_error *error)
{
    return run->is_direct ? direct_solve(run, bias, error) : swept_solve_again(run, bias, iterations, error);
}
