// Who takes half a kick, and at which instant velocities are, on arrays alone.
#include "plain_step.h"

#include "rigid/starts.h"

static void give(plain_step *of, uint32_t slot)
{
    of->instant[slot] = VELOCITY_GIVEN;
}

// Alone, touching, loaded, known from before.
static void test_free_bodies_start(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    for (int i = 0; i < 6; i++)
        plain_add(of, vec3_make(3 * i, 0, 0), 1, i == 5 ? 0 : 2);
    for (uint32_t i = 0; i < 4; i++)
        give(of, i);
    plain_touch_balls(of, 1, 5);
    of->problem.loads = of->loads;
    of->loads[2].force = vec3_make(1, 0, 0);
    assert_true(find_starts(&of->problem, &of->scratch));
    const uint8_t expected[6] = {1, 0, 0, 1, 0, 0};
    assert_memory_equal(of->problem.starting, expected, 6);
    vec3 fallen = free_velocity_of(&of->problem, 0).velocity, behind = free_velocity_of(&of->problem, 4).velocity;
    assert_vec3_near(fallen, vec3_make(0, 0, -0.05), 1e-15);
    assert_vec3_near(behind, vec3_make(0, 0, -0.1), 1e-15);
    of->instant[0] = of->instant[3] = VELOCITY_BEHIND;
    assert_true(find_starts(&of->problem, &of->scratch));
    assert_int_equal(of->problem.starting ? of->problem.starting[0] : 0, 0);
    plain_free(of);
}

// Three balls in a row are tied, and the last of them touches something: none starts.
static void test_mechanisms_start_together(void **state)
{
    (void)state;
    plain_step *of = plain_make();
    joint joints[2] = {{.id = 1}, {.id = 2}};
    joint_ends ends[2] = {{{0, 1}, {NO_SLOT, NO_SLOT}}, {{1, 2}, {NO_SLOT, NO_SLOT}}};
    for (int i = 0; i < 5; i++)
        plain_add(of, vec3_make(3 * i, 0, 0), 1, i == 4 ? 0 : 2);
    for (uint32_t i = 0; i < 4; i++)
        give(of, i);
    of->problem.joints = joints;
    of->problem.joint_ends = ends;
    of->problem.joint_count = 2;
    assert_true(find_starts(&of->problem, &of->scratch));
    const uint8_t all[5] = {1, 1, 1, 1, 0}, one[5] = {0, 0, 0, 1, 0}, two[5] = {1, 1, 0, 1, 0};
    assert_memory_equal(of->problem.starting, all, 5);
    plain_touch_balls(of, 2, 4);
    assert_true(find_starts(&of->problem, &of->scratch));
    assert_memory_equal(of->problem.starting, one, 5);
    joints[1].broken = true;
    assert_true(find_starts(&of->problem, &of->scratch));
    assert_memory_equal(of->problem.starting, two, 5);
    plain_free(of);
}

// After the solve: a free ball is behind, one on the floor is as it was solved, one under a force is of its pose, and
// one that is tied is behind, with half of what it gained, or with all of it where that was half a kick.
static void test_instants(void **state)
{
    (void)state;
    for (int start = 0; start < 2; start++) {
        plain_step *of = plain_make();
        half_kicks kicks = {0};
        uint8_t starting[5] = {0};
        uint32_t floor = plain_add(of, vec3_make(0, 0, 0), 1, 0);
        for (int i = 1; i < 5; i++)
            plain_add(of, vec3_make(10 * i, 0, 1), 1, 2);
        plain_touch_floor(of, floor, 2);
        of->problem.loads = of->loads;
        of->loads[3].force = vec3_make(1, 0, 0);
        plain_join(of, NO_BODY, 4, vec3_make(0, 0, 1));
        of->place[0] = ROW_LINEAR;
        plain_follow_no_joints(of);
        starting[4] = (uint8_t)start;
        of->problem.starting = starting;
        step_solution solution = plain_solve(of);
        of->joints.joint_count = 1;
        uint8_t *judged = judge_islands(&of->problem, &of->joints, &solution.islands, &of->scratch);
        solution.end[4] = (body_velocity){vec3_make(1, 0, 0), vec3_make(0, 2, 0)};
        assert_true(note_instants(&of->problem, &solution, judged, NULL, of->instant, &kicks));
        const uint8_t expected[4] = {VELOCITY_BEHIND, VELOCITY_SOLVED, VELOCITY_GIVEN, VELOCITY_BEHIND};
        assert_memory_equal(of->instant + 1, expected, 4);
        assert_int_equal(kicks.count, 1);
        assert_int_equal(kicks.data[0].slot, 4);
        double part = start ? 1 : 0.5, moment = (double)of->inertia[4].y;
        assert_vec3_near(kicks.data[0].velocity, vec3_make(part, 0, 0), 1e-15);
        assert_vec3_near(kicks.data[0].momentum, vec3_make(0, 2 * part * moment, 0), 1e-15);
        of->place[0] = ROW_LIMIT; // a stop that carries something
        of->rows[0].impulse = 1;
        judged = judge_islands(&of->problem, &of->joints, &solution.islands, &of->scratch);
        assert_true(note_instants(&of->problem, &solution, judged, NULL, of->instant, &kicks));
        assert_int_equal(of->instant[4], VELOCITY_SOLVED);
        array_free(&kicks);
        plain_free(of);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_bodies_start),
        cmocka_unit_test(test_mechanisms_start_together),
        cmocka_unit_test(test_instants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
