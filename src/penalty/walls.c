// Forces of planes on spheres. Planes belong to bodies that no force moves, so only the spheres feel them; overlaps are
// taken in double, since a plane has no place that is near.
#include "base/threads.h"
#include "penalty/penalty.h"

// A plane in the world, and as a body sees it.
typedef struct wall {
    vec3 outward, on;
    uint32_t slot; // of the body
    double height; // of the body's centre
    vec3 local;    // the normal in the body's axes
} wall;

typedef struct wall_batch {
    point_lanes lanes;
    size_t entry[POINT_LANES];
    int count;
} wall_batch;

typedef struct wall_job {
    scree_world *world;
    law_table laws;
    const penalty_kernels *kernels;
    proxy_view view;
} wall_job;

static wall wall_of(const proxy_view *view, const proxy *plane)
{
    const plane_geometry *geometry = &view->planes[plane->geometry];
    vec3 outward = quat_rotate(proxy_orientation(view, plane), geometry->normal);
    return (wall){outward, vec3_add_scaled(proxy_center(view, plane), outward, geometry->offset), .slot = NO_SLOT};
}

static void see_from(wall *seen, const penalty *of, uint32_t slot)
{
    seen->slot = slot;
    seen->height = vec3_dot(seen->outward, vec3_sub(of->position.data[slot], seen->on));
    seen->local = vec3_make(0, 0, 0); // a centered sphere has no arm
    if (!of->centered_sphere.data[slot])
        seen->local = quat_rotate_back(of->orientation.data[slot], seen->outward);
}

static void put(float to[3][POINT_LANES], int lane, vec3 v)
{
    to[0][lane] = (float)v.x;
    to[1][lane] = (float)v.y;
    to[2][lane] = (float)v.z;
}

static void fill_lane(const wall_job *job, size_t entry, const wall *on, double depth, wall_batch *batch)
{
    const scree_world *world = job->world;
    const penalty *of = penalty_of(world);
    uint32_t index = of->walls.a.data[entry], plane = of->walls.b.data[entry];
    const particle *at = &of->particles.data[index];
    const proxy *proxies = world->bodies.proxies.data;
    uint32_t body = proxies[index].body, other = proxies[plane].body;
    int lane = batch->count++;
    point_lanes *lanes = &batch->lanes;
    batch->entry[lane] = entry;
    vec3 normal = vec3_negate(on->outward), spin = of->spin.data[body], moved = of->spin.data[other];
    vec3 velocity = vec3_make((double)at->velocity[0], (double)at->velocity[1], (double)at->velocity[2]);
    velocity = vec3_add(velocity, vec3_cross(spin, vec3_scale(normal, at->radius - 0.5 * depth)));
    vec3 arm = vec3_sub(of->position.data[body], of->position.data[other]);
    arm = vec3_add(arm, particle_arm(of, body, index));
    vec3 of_wall = vec3_add(world->bodies.velocity.data[other], vec3_cross(moved, arm));
    put(lanes->normal, lane, normal);
    put(lanes->velocity, lane, vec3_sub(of_wall, velocity));
    put(lanes->spin, lane, vec3_sub(moved, spin));
    lanes->depth[lane] = (float)depth;
    lanes->inverse_mass[lane] = at->inverse_mass;
    lanes->radius[lane] = (float)at->radius;
    lanes->law[lane] = (uint32_t)pair_index(world, (int)at->material, proxies[plane].material);
    for (int i = 0; i < 3; i++) {
        lanes->spring[i][lane] = of->walls.spring.data[entry][i];
        lanes->rolled[i][lane] = of->resists_rolling ? of->walls.rolled.data[entry][i] : 0;
    }
    lanes->history_stiffness[lane] = of->walls.spring.data[entry][3];
    lanes->spun[lane] = of->resists_rolling ? of->walls.rolled.data[entry][3] : 0;
}

static void take_lane(const wall_job *job, const wall_batch *batch, int lane)
{
    penalty *of = penalty_of(job->world);
    const point_lanes *lanes = &batch->lanes;
    size_t entry = batch->entry[lane];
    uint32_t index = of->walls.a.data[entry];
    float arm = (float)of->particles.data[index].radius - 0.5f * lanes->depth[lane];
    contact_load *load = &of->loads.data[index];
    float n[3], f[3];
    for (int i = 0; i < 3; i++) {
        n[i] = lanes->normal[i][lane];
        f[i] = -lanes->force[i][lane];
        load->force[i] += f[i];
        of->wall_force.data[entry][i] = f[i];
        of->walls.spring.data[entry][i] = lanes->spring[i][lane];
    }
    of->walls.spring.data[entry][3] = lanes->history_stiffness[lane];
    load->torque[0] += arm * (n[1] * f[2] - n[2] * f[1]);
    load->torque[1] += arm * (n[2] * f[0] - n[0] * f[2]);
    load->torque[2] += arm * (n[0] * f[1] - n[1] * f[0]);
    load->stiffness += lanes->stiffness[lane];
    load->damping += lanes->damping[lane];
    for (int i = 0; of->resists_rolling && i < 3; i++) {
        load->torque[i] -= lanes->torque[i][lane];
        of->walls.rolled.data[entry][i] = lanes->rolled[i][lane];
    }
    if (of->resists_rolling)
        of->walls.rolled.data[entry][3] = lanes->spun[lane];
}

static void push_batch(const wall_job *job, wall_batch *batch)
{
    int count = batch->count;
    if (count == 0)
        return;
    point_lanes *lanes = &batch->lanes;
    for (int i = count; i < POINT_LANES; i++) { // idle lanes get a mass and a law
        lanes->inverse_mass[i] = lanes->radius[i] = 1;
        lanes->law[i] = lanes->law[0];
    }
    job->kernels->points(&job->laws, lanes);
    for (int i = 0; i < count; i++)
        take_lane(job, batch, i);
    batch->count = 0;
}

static void forget(penalty *of, size_t entry)
{
    of->walls.touches.data[entry] = 0;
    memset(of->walls.spring.data[entry], 0, sizeof(float_quad));
    if (of->resists_rolling)
        memset(of->walls.rolled.data[entry], 0, sizeof(float_quad));
}

static void push_block(void *context, size_t block)
{
    const wall_job *job = context;
    penalty *of = penalty_of(job->world);
    const proxy *proxies = job->world->bodies.proxies.data;
    wall_batch batch = {.count = 0};
    uint32_t last = UINT32_MAX;
    wall now = {0};
    for (size_t i = of->wall_first.data[block]; i < of->wall_first.data[block + 1]; i++) {
        const proxy *p = &proxies[of->walls.a.data[i]];
        if (of->walls.b.data[i] != last) {
            last = of->walls.b.data[i];
            now = wall_of(&job->view, &proxies[last]);
        }
        if (p->body != now.slot)
            see_from(&now, of, p->body);
        vec3 place = job->world->bodies.locals.data[p->local].position;
        double depth = (double)p->size[0] - now.height - vec3_dot(now.local, place);
        if (depth > 0) {
            of->walls.touches.data[i] = -1;
            fill_lane(job, i, &now, depth, &batch);
        } else if (of->walls.touches.data[i]) {
            forget(of, i);
        }
        if (batch.count == POINT_LANES)
            push_batch(job, &batch);
    }
    push_batch(job, &batch);
}

void push_walls(scree_world *world)
{
    penalty *of = penalty_of(world);
    wall_job job = {world, penalty_laws(world), penalty_kernels_here(), penalty_view(world, NULL, NULL)};
    if (of->walls.a.count == 0)
        return;
    for_blocks(world->threads, of->block_end.count, push_block, &job);
}
