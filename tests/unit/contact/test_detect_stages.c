// The stages of detection on arrays made by hand, without any world: against the distances of all pairs of balls.
#include "../rigid/plain_step.h"

#include "base/random.h"
#include "contact/detect.h"

enum { BALLS = 300 };

typedef struct lab {
    plain_step *step;
    contact_array contacts;
    vec3f_array angular;
} lab;

// A floor, and balls of all sizes above it, touching, overlapping and apart; every tenth is immovable.
static lab make_lab(void)
{
    lab made = {.step = plain_make()};
    random_stream random = {23};
    uint32_t floor = plain_add(made.step, vec3_make(0, 0, 0), 1, 0);
    plain_make_floor(made.step, floor);
    for (int i = 0; i < BALLS; i++) {
        vec3 at = {random_between(&random, 0, 3), random_between(&random, 0, 3), random_between(&random, 0.05, 1)};
        plain_add(made.step, at, random_between(&random, 0.1, 0.25), i % 10 == 0 ? 0 : 1);
    }
    made.step->problem.threads = 2;
    return made;
}

static void free_lab(lab *of)
{
    array_free(&of->contacts);
    array_free(&of->angular);
    plain_free(of->step);
}

static detection make_detection(lab *of)
{
    return (detection){.problem = &of->step->problem,
                       .view = plain_view(of->step),
                       .most_per_pair = 4,
                       .last = &of->contacts,
                       .contacts = &of->contacts,
                       .last_angular = &of->angular,
                       .angular = &of->angular,
                       .scratch = &of->step->scratch};
}

// All stages one after the other; `asleep` may be NULL.
static void detect(lab *of, const sleepers *asleep)
{
    size_t lost;
    const sleepers none = {0};
    arena_mark mark = arena_get_mark(&of->step->scratch);
    detection made = make_detection(of);
    if (asleep)
        made.view.immovable = asleep->still;
    assert_true(detection_find_margins(&made, &lost));
    assert_int_equal(lost, SIZE_MAX);
    assert_true(detection_remember(&made));
    assert_int_equal(detection_find_pairs(&made, &lost, NULL), SCREE_OK);
    assert_true(detection_find_contacts(&made, asleep ? asleep : &none));
    arena_release(&of->step->scratch, mark);
}

static double gap_of(const plain_step *step, uint32_t a, uint32_t b)
{
    if (a == 0)
        return step->position[b].z - (double)step->radius[b];
    return vec3_length(vec3_sub(step->position[b], step->position[a])) - (double)step->radius[a] -
           (double)step->radius[b];
}

// At rest, and without gravity, contacts are those within 0.002 of the smaller radius for each body that can move.
static void test_contacts_are_those_of_all_pairs(void **state)
{
    (void)state;
    lab of = make_lab();
    plain_step *step = of.step;
    step->problem.gravity_length = 0;
    detect(&of, NULL);
    size_t expected = 0;
    for (uint32_t a = 0; a <= BALLS; a++)
        for (uint32_t b = a + 1; b <= BALLS; b++) {
            int movable = !step->immovable[a] + !step->immovable[b];
            double smaller = (double)fminf(step->radius[a], step->radius[b]);
            expected += movable > 0 && gap_of(step, a, b) <= 0.002 * smaller * movable;
        }
    assert_true(expected > BALLS);
    assert_int_equal(of.contacts.count, expected);
    for (size_t i = 0; i < of.contacts.count; i++) {
        const contact *c = &of.contacts.data[i];
        assert_near((double)c->gap, gap_of(step, c->a < c->b ? c->a : c->b, c->a < c->b ? c->b : c->a), 1e-6);
        assert_true(i == 0 || of.contacts.data[i - 1].a <= c->a);
    }
    free_lab(&of);
}

// Who falls, or flies, may come further: a ball above the floor has a contact when its own velocity takes it there.
static void test_what_closes_has_a_contact(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        lab of = {.step = plain_make()};
        plain_make_floor(of.step, plain_add(of.step, vec3_make(0, 0, 0), 1, 0));
        plain_add(of.step, vec3_make(0, 0, 0.1 + 0.05), 0.1, 1); // h = 0.01
        of.step->velocity[1] = vec3_make(0, 0, i == 0 ? -4.8 : -5);
        detect(&of, NULL);
        assert_int_equal(of.contacts.count, i);
        free_lab(&of);
    }
}

// Impulses, linear and angular, find their contacts again when nothing has moved.
static void test_impulses_are_recalled(void **state)
{
    (void)state;
    lab of = make_lab();
    detect(&of, NULL);
    assert_int_equal(of.angular.count, of.contacts.count);
    size_t count = of.contacts.count;
    for (size_t i = 0; i < count; i++) {
        assert_near((double)of.angular.data[i].x, 0, 0);
        of.contacts.data[i].impulse = (vec3f){(float)i, 1, 2};
        of.angular.data[i] = (vec3f){3, (float)i, 4};
    }
    detect(&of, NULL);
    assert_int_equal(of.contacts.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_near((double)of.contacts.data[i].impulse.x, (double)i, 0);
        assert_near((double)of.angular.data[i].y, (double)i, 0);
    }
    free_lab(&of);
}

// Contacts between sleeping bodies wait with their impulses, and come back at their places.
static void test_sleeping_contacts_wait(void **state)
{
    (void)state;
    lab of = make_lab();
    plain_step *step = of.step;
    detect(&of, NULL);
    size_t count = of.contacts.count;
    contact *before = test_calloc(count, sizeof *before);
    for (size_t i = 0; i < count; i++)
        of.contacts.data[i].impulse = (vec3f){(float)i, 0, 0};
    memcpy(before, of.contacts.data, count * sizeof *before);
    for (uint32_t i = 1; i <= BALLS; i += 2)
        step->rest[i] = step->immovable[i] ? 0 : -1;
    sleepers asleep;
    step->problem.contacts = of.contacts.data;
    step->problem.contact_count = count;
    assert_true(sleepers_find(&step->problem, &step->scratch, &asleep));
    size_t waiting = 0;
    for (size_t i = 0; i < count; i++)
        waiting += !slot_moves(&step->problem, before[i].a) && !slot_moves(&step->problem, before[i].b);
    assert_int_equal(asleep.contact_count, waiting);
    assert_in_range(waiting, 10, count - 10);
    detect(&of, &asleep);
    assert_int_equal(of.contacts.count, count);
    float sum[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(of.contacts.data[i].a, before[i].a); // the order within one a may be another
        sum[0] += before[i].impulse.x;
        sum[1] += of.contacts.data[i].impulse.x;
    }
    assert_near((double)sum[0], (double)sum[1], 0);
    test_free(before);
    free_lab(&of);
}

// A body that would move by 1e5 of its radii in a step is named, the first of them.
static void test_exploded_bodies_are_named(void **state)
{
    (void)state;
    lab of = make_lab();
    size_t lost;
    of.step->velocity[7].x = 1.01e5 * (double)of.step->radius[7] / 0.01;
    of.step->velocity[9].x = CHECK_NAN;
    detection made = make_detection(&of);
    assert_true(detection_find_margins(&made, &lost));
    assert_int_equal(lost, 7);
    free_lab(&of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contacts_are_those_of_all_pairs), cmocka_unit_test(test_what_closes_has_a_contact),
        cmocka_unit_test(test_impulses_are_recalled),           cmocka_unit_test(test_sleeping_contacts_wait),
        cmocka_unit_test(test_exploded_bodies_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
