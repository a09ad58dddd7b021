// A simulation in a thread of its own: its moments are whole, wishes are granted, and both threads may do as they like.
#include "physics/check.h"

#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/vec.h"
#include "unit/view/scratch.h"
#include "view/world/live.h"

static const char SCENE[] = "time: { step: 0.01, duration: 100 }\n"
                            "bodies:\n"
                            "  - { name: floor, fixed: true, shapes: [ { type: plane } ] }\n"
                            "  - { name: ball, position: [0, 0, 0.5], shapes: [ { type: sphere } ] }\n"
                            "  - { name: other, position: [3, 0, 0.5], shapes: [ { type: sphere } ] }\n"
                            "events: [ { time: 0.1, remove: [other] } ]\n";
static const char SECOND[] = "bodies: [ { position: [7, 0, 0], shapes: [ { type: sphere } ] } ]\n";

typedef struct stage {
    scree_scene *scenes[2];
    live *source;
} stage;

static int set_up(void **state)
{
    static stage s;
    assert_int_equal(scree_scene_parse(SCENE, strlen(SCENE), "first", NULL, 0, &s.scenes[0], NULL), SCREE_OK);
    assert_int_equal(scree_scene_parse(SECOND, strlen(SECOND), "second", NULL, 0, &s.scenes[1], NULL), SCREE_OK);
    live_def def = {.scenes = s.scenes, .scene_count = 2, .threads = 2, .paused = true};
    assert_int_equal(live_open(&s.source, &def, NULL), SCREE_OK);
    *state = &s;
    return 0;
}

static int tear_down(void **state)
{
    stage *s = *state;
    live_close(s->source);
    scree_scene_destroy(s->scenes[0]);
    scree_scene_destroy(s->scenes[1]);
    return 0;
}

static void rest(void)
{
    nanosleep(&(struct timespec){0, 2000000}, NULL);
}

// Looks until the moment is as it should be; gives up after a minute.
static const live_moment *await(live *source, bool (*good)(const live_moment *m))
{
    double until = clock_seconds() + 60;
    while (clock_seconds() < until) {
        bool is_new;
        const live_moment *m = live_look(source, &is_new);
        if (m && good(m))
            return m;
        rest();
    }
    give_up("no such moment within a minute\n");
    return NULL;
}

static bool is_start(const live_moment *m)
{
    return m->steps == 0 && m->variant == 0 && m->bodies.ids.count == 3;
}

static bool is_third_step(const live_moment *m)
{
    return m->steps == 3;
}

static bool is_later(const live_moment *m)
{
    return m->steps > 30;
}

static bool is_second_scene(const live_moment *m)
{
    return m->variant == 1 && m->bodies.ids.count == 1;
}

static bool is_lifted(const live_moment *m)
{
    uint32_t ball = world_bodies_find(&m->bodies, 2);
    return ball != WORLD_NO_BODY && m->bodies.states.data[ball].position.z > 1.5;
}

static void steps_are_taken_one_by_one(void **state)
{
    stage *s = *state;
    const live_moment *m = await(s->source, is_start);
    assert_true(m->paused);
    for (int i = 0; i < 3; i++)
        live_step(s->source);
    m = await(s->source, is_third_step);
    assert_true(m->paused);
    assert_near(m->bodies.time, 0.03, 1e-12);
}

static void events_happen_and_resets_undo_them(void **state)
{
    stage *s = *state;
    live_set_speed(s->source, 1000);
    live_pause(s->source, false);
    const live_moment *m = await(s->source, is_later);
    assert_int_equal(m->bodies.ids.count, 2);
    assert_int_equal(m->bodies.first_shapes.data[2], m->bodies.shapes.count);
    live_pause(s->source, true);
    live_reset(s->source, 0);
    uint64_t before = m->generation;
    m = await(s->source, is_start);
    assert_true(m->generation > before);
    live_reset(s->source, 1);
    m = await(s->source, is_second_scene);
    assert_near(m->bodies.states.data[0].position.x, 7, 1e-6);
    live_reset(s->source, 17); // there is none: the first
    await(s->source, is_start);
}

static void bodies_are_pulled(void **state)
{
    stage *s = *state;
    live_set_speed(s->source, 100);
    live_pause(s->source, false);
    live_pull(s->source, 2, vec3_make(0, 0, 0.5), vec3_make(0, 0, 3));
    const live_moment *m = await(s->source, is_lifted);
    assert_true(m->pulling);
    assert_near(m->pull[1].z, 3, 0);
}

// Moments that are looked at all the time are whole: no body is half of one step and half of another.
static void moments_are_whole(void **state)
{
    stage *s = *state;
    live_set_speed(s->source, 1000);
    live_pause(s->source, false);
    uint64_t last = 0;
    for (int i = 0; i < 300; i++) {
        bool is_new;
        const live_moment *m = live_look(s->source, &is_new);
        if (m) {
            assert_true(m->steps >= last);
            last = m->steps;
            assert_near(m->bodies.time, 0.01 * (double)m->steps, 1e-9 * (double)(m->steps + 1));
            assert_int_equal(m->bodies.ids.count, m->steps > 10 ? 2 : 3);
        }
        rest();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(steps_are_taken_one_by_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(events_happen_and_resets_undo_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bodies_are_pulled, set_up, tear_down),
        cmocka_unit_test_setup_teardown(moments_are_whole, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
