// Belts against what can be said of them without their code: equal links, pins on circles or outside all of them, a
// closed form for two equal wheels.
#include "../../physics/check.h"

#include "base/vec.h"
#include "model/belt.h"

enum { LINKS = 63 };

static double link_length(const belt_point *pins, size_t count, size_t i)
{
    belt_point a = pins[i], b = pins[(i + 1) % count];
    return hypot(b.x - a.x, b.z - a.z);
}

// How far a pin stands outside the nearest circle.
static double outside(belt_point pin, const belt_circle *circles, size_t count)
{
    double least = 1e9;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, hypot(pin.x - circles[i].center.x, pin.z - circles[i].center.z) - circles[i].radius);
    return least;
}

static void test_links_are_equal_and_closed(void **state)
{
    (void)state;
    belt_circle circles[4] = {{{0, 0}, 0.25}, {{-1, -0.35}, 0.34}, {{-3, -0.35}, 0.34}, {{-3.95, -0.12}, 0.29}};
    belt_point pins[LINKS];
    double angle;
    assert_true(belt_wind(circles, 4, 0.154, pins, LINKS, &angle));
    for (size_t i = 0; i < LINKS; i++) {
        assert_near(link_length(pins, LINKS, i), 0.154, 1e-6);
        assert_true(outside(pins[i], circles, 4) > -1e-9);
    }
    assert_near(pins[0].x, 0.25 * cos(angle), 1e-12);
    assert_near(pins[0].z, 0.25 * sin(angle), 1e-12);
}

// Two wheels on which a link spans an eighth of a turn: four on each, and straight strands of six between them.
static void test_two_equal_wheels(void **state)
{
    (void)state;
    const double pitch = 0.154, radius = pitch / (2 * sin(PI / 8));
    belt_circle circles[2] = {{{0, 0}, radius}, {{-0.9, 0}, radius}};
    belt_point pins[20];
    double angle;
    assert_true(belt_wind(circles, 2, pitch, pins, 20, &angle));
    assert_near(angle, 0, 1e-9);
    assert_near(circles[1].center.x, -6 * pitch, 1e-6);
}

static void test_refuses_what_cannot_close(void **state)
{
    (void)state;
    belt_circle circles[2] = {{{0, 0}, 1}, {{-3, 0}, 1}};
    belt_point pins[4];
    double angle;
    assert_false(belt_wind(circles, 2, 0.1, pins, 4, &angle)); // too short to go round one of them
    assert_false(belt_wind(circles, 1, 0.1, pins, 4, &angle));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links_are_equal_and_closed),
        cmocka_unit_test(test_two_equal_wheels),
        cmocka_unit_test(test_refuses_what_cannot_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
