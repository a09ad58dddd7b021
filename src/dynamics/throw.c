#include "dynamics/throw.h"

#include <string.h>

#include "dynamics/sleep.h"

// Parts of a radius: path beyond what was expected that counts as thrown, overlap that counts as a collision.
static const double unexpected_path = 0.05, unexpected_overlap = 0.025;

static bool is_thrown(const scree_world *world, size_t slot, vec3 reached)
{
    const body_store *store = &world->bodies;
    double h = world->def.step, fall = h * vec3_length(world->def.gravity);
    double expected = vec3_length(store->velocity.data[slot]) + fall;
    return h * (vec3_length(reached) - expected) > unexpected_path * (double)store->radius.data[slot];
}

bool thrown_find(scree_world *world, const step_solution *solution, thrown_bodies *thrown)
{
    const body_store *store = &world->bodies;
    *thrown = (thrown_bodies){.is_thrown = arena_array(&world->scratch, uint8_t, store->count),
                              .reached = arena_array(&world->scratch, body_velocity, store->count)};
    if (!thrown->is_thrown || !thrown->reached)
        return false;
    int any = 0;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(| : any)
    for (size_t i = 0; i < store->count; i++) {
        bool moves = !store->immovable.data[i] && !body_sleeps(store, i);
        thrown->reached[i] = !moves             ? (body_velocity){store->velocity.data[i], store->spin.data[i]}
                             : solution->moving ? solution->moving[i]
                                                : solution_velocity(world, solution, i);
        thrown->is_thrown[i] = moves && is_thrown(world, i, thrown->reached[i].velocity);
        any |= thrown->is_thrown[i];
    }
    thrown->any = any;
    return true;
}

static vec3 velocity_at(const body_velocity *body, vec3 arm)
{
    return vec3_add(body->velocity, vec3_cross(body->spin, arm));
}

// The gap at the end of the step against the one at its beginning, where that was an overlap already.
static bool collides(const scree_world *world, const thrown_bodies *thrown, const contact *c)
{
    const body_store *store = &world->bodies;
    vec3 arm = vec3_from_f(c->arm);
    vec3 arm_b = vec3_add(arm, vec3_sub(store->position.data[c->a], store->position.data[c->b]));
    vec3 relative = vec3_sub(velocity_at(&thrown->reached[c->b], arm_b), velocity_at(&thrown->reached[c->a], arm));
    double end = (double)c->gap + world->def.step * vec3_dot(vec3_from_f(c->normal), relative);
    double radius = (double)fminf(store->radius.data[c->a], store->radius.data[c->b]);
    return end < fmin(0, (double)c->gap) - unexpected_overlap * radius;
}

bool thrown_collide(const scree_world *world, const thrown_bodies *thrown)
{
    for (size_t i = 0; i < world->contacts.count; i++) {
        const contact *c = &world->contacts.data[i];
        if ((thrown->is_thrown[c->a] || thrown->is_thrown[c->b]) && collides(world, thrown, c))
            return true;
    }
    return false;
}
