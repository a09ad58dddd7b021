// The simulation keeps step with real time times the speed that is wanted; when it cannot, it runs as fast as it can
// and does not try to catch up.
#include "view/world/live.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "scene/event.h"

static const double COPY_SHARE = 0.04, LONGEST = 0.2; // of the time of steps; between two copies [s]

typedef struct wishes { // what the window wants; under the lock
    bool quit, paused, reset, contacts;
    int singles; // steps to take in any case
    size_t variant;
    double speed;
    scree_id pulled;
    vec3 pull_point, pull_target;
    bool changed;
} wishes;

struct live {
    live_def def;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t change;
    wishes wanted;
    live_moment moments[3];
    int filling, finished, drawn; // which moment is where; `finished` and `fresh` under the lock
    bool fresh;                   // the finished one has not been looked at
    bool any;                     // there was one

    // Members of the simulation's thread alone
    wishes now;
    scree_world *world;
    uint64_t generation, event;
    size_t frame;
    bool shown;   // the world as it is has been copied
    bool awaited; // somebody waits for the next copy: it is made in any case
    bool failed;
    scree_error error;
    double world_time;             // simulated
    double wall_start, time_start; // where the two clocks were last set equal
    double copied;                 // when
    double count_start, steps_counted, steps_per_second, step_seconds, copy_seconds;
};

static void set_clocks_equal(live *l)
{
    l->wall_start = clock_seconds();
    l->time_start = l->world_time;
}

static void give_up(live *l, scree_error error)
{
    l->failed = true;
    l->error = error;
    l->shown = false;
}

// -------------------------------------------------------------------------------------------------------- the world

static void build_world(live *l)
{
    scree_error error = {0};
    l->failed = false;
    l->generation++;
    l->event = 0;
    l->frame = 0;
    l->shown = false;
    scree_status status;
    if (l->def.run) {
        status = replay_show(l->def.run, 0, &error);
        l->world_time = replay_time(l->def.run, 0);
    } else {
        scree_world_destroy(l->world);
        status = scree_scene_build(l->def.scenes[l->now.variant], l->def.threads, &l->world, &error);
        l->world_time = 0;
    }
    if (status != SCREE_OK)
        give_up(l, error);
    set_clocks_equal(l);
}

// A critically damped spring of two swings a second, as heavy as the body.
static void pull(live *l)
{
    scree_state state;
    scree_body_info info;
    const double rate = 12;
    if (l->now.pulled == 0 || scree_world_get_states(l->world, &l->now.pulled, 1, &state, NULL) != SCREE_OK ||
        scree_world_get_body(l->world, l->now.pulled, &info, NULL) != SCREE_OK || info.fixed)
        return;
    vec3 arm = quat_rotate(state.orientation, l->now.pull_point);
    vec3 velocity = vec3_add(state.velocity, vec3_cross(state.spin, arm));
    vec3 away = vec3_sub(l->now.pull_target, vec3_add(state.position, arm));
    vec3 force = vec3_scale(vec3_add_scaled(vec3_scale(away, rate), velocity, -2), info.mass * rate);
    vec3 torque = vec3_cross(arm, force);
    scree_world_apply_forces(l->world, &l->now.pulled, &force, &torque, 1, NULL);
}

static void take_step(live *l)
{
    scree_error error = {0};
    double start = clock_seconds();
    pull(l);
    scree_status status = scene_apply_events(l->def.scenes[l->now.variant], l->world, l->world_time, &l->event, &error);
    if (status == SCREE_OK)
        status = scree_world_step(l->world, 1, &error);
    l->world_time = scree_world_step_figures(l->world).time;
    if (status != SCREE_OK)
        give_up(l, error);
    l->step_seconds += clock_seconds() - start;
}

static void next_frame(live *l)
{
    scree_error error = {0};
    double start = clock_seconds();
    l->frame++;
    if (replay_show(l->def.run, l->frame, &error) != SCREE_OK)
        give_up(l, error);
    l->world_time = replay_time(l->def.run, l->frame);
    l->step_seconds += clock_seconds() - start;
}

static bool is_over(const live *l)
{
    return l->failed || (l->def.run && l->frame + 1 >= replay_count(l->def.run));
}

static void advance(live *l)
{
    if (is_over(l))
        return;
    if (l->def.run)
        next_frame(l);
    else
        take_step(l);
    l->steps_counted++;
    l->shown = false;
}

// ------------------------------------------------------------------------------------------------------- the moments

static void count_steps(live *l)
{
    double now = clock_seconds(), passed = now - l->count_start;
    if (passed < 0.5)
        return;
    l->steps_per_second = l->steps_counted / passed;
    l->count_start = now;
    l->steps_counted = 0;
}

static void fill_pull(const live *l, live_moment *m)
{
    uint32_t body = world_bodies_find(&m->bodies, l->now.pulled);
    m->pulling = l->now.pulled != 0 && body != WORLD_NO_BODY;
    if (!m->pulling)
        return;
    const scree_state *state = &m->bodies.states.data[body];
    m->pull[0] = vec3_add(state->position, quat_rotate(state->orientation, l->now.pull_point));
    m->pull[1] = l->now.pull_target;
}

static void fill_moment(live *l, live_moment *m)
{
    scree_world *world = l->def.run ? l->def.run->world : l->world;
    scree_error error = {0};
    if (m->generation != l->generation)
        world_bodies_free(&m->bodies);
    m->generation = l->generation;
    scree_status status = !world            ? SCREE_OK
                          : l->now.contacts ? world_bodies_read(&m->bodies, world, &error)
                                            : world_bodies_read_states(&m->bodies, world, &error);
    bool has_frames = l->def.run && l->def.run->frames.count > 0;
    if (status == SCREE_OK && world && has_frames && l->now.contacts)
        status = world_bodies_take_contacts(&m->bodies, &l->def.run->frame, &error);
    if (status != SCREE_OK)
        give_up(l, error);
    scree_step_figures figures = world ? scree_world_step_figures(world) : (scree_step_figures){0};
    m->variant = l->now.variant;
    m->paused = l->now.paused;
    m->speed = l->now.speed;
    m->steps = figures.steps;
    m->stages = figures.stages;
    m->contacts = has_frames ? l->def.run->frame.contacts.count : figures.contacts;
    m->may_have_contacts = !has_frames || l->def.run->frame.has_contacts;
    m->steps_per_second = l->now.paused ? 0 : l->steps_per_second;
    m->own_share = l->step_seconds > 0 ? l->copy_seconds / l->step_seconds : 0;
    m->frame = l->frame;
    m->frame_count = l->def.run ? replay_count(l->def.run) : 0;
    m->failed = l->failed;
    m->error = l->error;
    fill_pull(l, m);
}

// Copies the world when the window has looked at the last copy, or waits for the answer to a wish.
static void show(live *l)
{
    double start = clock_seconds();
    pthread_mutex_lock(&l->lock);
    bool wanted = !l->fresh && (l->copy_seconds < COPY_SHARE * l->step_seconds || start - l->copied > LONGEST);
    pthread_mutex_unlock(&l->lock);
    if (l->shown || (!wanted && !l->awaited && !is_over(l)))
        return;
    fill_moment(l, &l->moments[l->filling]);
    pthread_mutex_lock(&l->lock);
    int other = l->finished;
    l->finished = l->filling;
    l->filling = other;
    l->fresh = l->any = true;
    pthread_mutex_unlock(&l->lock);
    l->shown = true;
    l->awaited = false;
    l->copied = start;
    l->copy_seconds += clock_seconds() - start;
    if (l->def.wake)
        l->def.wake();
}

const live_moment *live_look(live *from, bool *is_new)
{
    pthread_mutex_lock(&from->lock);
    *is_new = from->fresh;
    if (from->fresh) {
        int other = from->finished;
        from->finished = from->drawn;
        from->drawn = other;
        from->fresh = false;
    }
    bool any = from->any;
    pthread_mutex_unlock(&from->lock);
    return any ? &from->moments[from->drawn] : NULL;
}

// -------------------------------------------------------------------------------------------------------- the thread

// How long until the next step is due [s]; at most 0 when it is.
static double time_left(live *l)
{
    if (l->now.paused || is_over(l))
        return 3600;
    double next = l->def.run ? replay_time(l->def.run, l->frame + 1) : l->world_time;
    double left = (next - l->time_start) / l->now.speed - (clock_seconds() - l->wall_start);
    if (left < -0.1)
        set_clocks_equal(l);
    return left;
}

// Takes the wishes; waits for one when nothing is due. False at the end.
static bool listen(live *l, double seconds)
{
    pthread_mutex_lock(&l->lock);
    if (!l->wanted.changed && seconds > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        double end = (double)until.tv_nsec * 1e-9 + (seconds < 3600 ? seconds : 3600);
        until.tv_sec += (time_t)end;
        until.tv_nsec = (long)((end - (double)(time_t)end) * 1e9);
        pthread_cond_timedwait(&l->change, &l->lock, &until);
    }
    bool changed = l->wanted.changed,
         clocks = changed && (l->wanted.paused != l->now.paused || l->wanted.speed != l->now.speed);
    l->now = l->wanted;
    l->wanted.reset = l->wanted.changed = false;
    l->wanted.singles = 0;
    pthread_mutex_unlock(&l->lock);
    if (clocks)
        set_clocks_equal(l);
    if (changed) {
        l->shown = false;
        l->awaited = true;
    }
    return !l->now.quit;
}

static void *simulate(void *argument)
{
    live *l = argument;
    build_world(l);
    l->awaited = true;
    l->count_start = clock_seconds();
    while (listen(l, !l->awaited ? time_left(l) : 0)) {
        if (l->now.reset)
            build_world(l);
        for (; l->now.singles > 0; l->now.singles--)
            advance(l);
        if (time_left(l) <= 0)
            advance(l);
        count_steps(l);
        show(l);
    }
    return NULL;
}

scree_status live_open(live **made, const live_def *def, scree_error *error)
{
    live *l = calloc(1, sizeof *l);
    *made = NULL;
    if (!l)
        return fail_no_memory(error);
    l->def = *def;
    l->wanted = (wishes){.paused = def->paused, .speed = 1};
    l->now = l->wanted;
    l->filling = 0;
    l->finished = 1;
    l->drawn = 2;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->change, NULL);
    if (pthread_create(&l->thread, NULL, simulate, l) != 0) {
        free(l);
        return fail(error, SCREE_ERROR_IO, "cannot start a thread for the simulation");
    }
    *made = l;
    return SCREE_OK;
}

void live_close(live *from)
{
    if (!from)
        return;
    pthread_mutex_lock(&from->lock);
    from->wanted.quit = from->wanted.changed = true;
    pthread_cond_signal(&from->change);
    pthread_mutex_unlock(&from->lock);
    pthread_join(from->thread, NULL);
    pthread_mutex_destroy(&from->lock);
    pthread_cond_destroy(&from->change);
    for (int i = 0; i < 3; i++)
        world_bodies_free(&from->moments[i].bodies);
    scree_world_destroy(from->world);
    free(from);
}

// ------------------------------------------------------------------------------------------------------------ wishes

static wishes *begin(live *to)
{
    pthread_mutex_lock(&to->lock);
    return &to->wanted;
}

static void end(live *to)
{
    to->wanted.changed = true;
    pthread_cond_signal(&to->change);
    pthread_mutex_unlock(&to->lock);
}

void live_pause(live *to, bool paused)
{
    begin(to)->paused = paused;
    end(to);
}

void live_step(live *to)
{
    wishes *w = begin(to);
    w->paused = true;
    w->singles++;
    end(to);
}

void live_reset(live *to, size_t variant)
{
    wishes *w = begin(to);
    w->reset = true;
    w->variant = variant < to->def.scene_count ? variant : 0;
    w->pulled = 0;
    end(to);
}

void live_set_speed(live *to, double speed)
{
    begin(to)->speed = speed;
    end(to);
}

void live_want_contacts(live *to, bool wanted)
{
    begin(to)->contacts = wanted;
    end(to);
}

void live_pull(live *to, scree_id body, scree_vec3 point, scree_vec3 target)
{
    wishes *w = begin(to);
    w->pulled = body;
    w->pull_point = point;
    w->pull_target = target;
    end(to);
}
