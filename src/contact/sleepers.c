#include "contact/sleepers.h"

bool sleepers_find(const step_problem *problem, arena *scratch, sleepers *found)
{
    uint8_t *still = arena_array(scratch, uint8_t, problem->body_count);
    *found = (sleepers){.still = still};
    if (!still)
        return false;
    for (size_t i = 0; i < problem->body_count; i++)
        still[i] = !slot_moves(problem, i);
    for (size_t i = 0; i < problem->contact_count; i++)
        found->contact_count += still[problem->contacts[i].a] && still[problem->contacts[i].b];
    found->contacts = arena_array(scratch, contact, found->contact_count);
    if (!found->contacts)
        return false;
    size_t count = 0;
    for (size_t i = 0; i < problem->contact_count; i++) {
        const contact *c = &problem->contacts[i];
        if (still[c->a] && still[c->b])
            found->contacts[count++] = *c;
    }
    return true;
}

// From the back, so that it can be done in place.
bool sleepers_return(const sleepers *found, contact_array *contacts)
{
    size_t old = found->contact_count, fresh = contacts->count;
    if (old == 0)
        return true;
    if (!array_reserve(contacts, old + fresh))
        return false;
    contact *all = contacts->data;
    contacts->count = old + fresh;
    for (size_t to = old + fresh; old > 0;) {
        bool take_old = fresh == 0 || found->contacts[old - 1].a >= all[fresh - 1].a;
        all[--to] = take_old ? found->contacts[--old] : all[--fresh];
    }
    return true;
}
