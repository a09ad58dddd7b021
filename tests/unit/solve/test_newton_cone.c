// The projection onto a contact's cone against the inequality that defines it, and its derivative against differences.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "solve/newton/newton_cone.h"

static void is_near(double a, double b, double room)
{
    assert_true(fabs(a - b) <= room);
}

static vec3 any_vec(random_stream *stream)
{
    return vec3_make(random_between(stream, -1, 1), random_between(stream, -1, 1), random_between(stream, -1, 1));
}

static cone any_cone(random_stream *stream, int index)
{
    cone c = {.normal = vec3_normalize(any_vec(stream)), .radius = {random_between(stream, 0, 1.5)}};
    c.has_angular = index % 2;
    if (c.has_angular) {
        c.radius[1] = random_between(stream, 0, 0.5);
        c.radius[2] = random_between(stream, 0, 0.5);
    }
    if (index % 5 == 0)
        c.radius[index % 3] = 0;
    return c;
}

static cone_metric any_metric(random_stream *stream)
{
    return (cone_metric){
        random_between(stream, 0.3, 3),
        {random_between(stream, 0.3, 3), random_between(stream, 0.3, 3), random_between(stream, 0.3, 3)}};
}

static spatial any_spatial(random_stream *stream, bool has_angular)
{
    spatial z = {any_vec(stream), {0, 0, 0}};
    if (has_angular)
        z.angular = any_vec(stream);
    return z;
}

// W times a spatial vector, part by part.
static spatial weigh(const cone *c, const cone_metric *w, spatial a)
{
    double n = vec3_dot(c->normal, a.linear), turn = vec3_dot(c->normal, a.angular);
    vec3 t = vec3_add_scaled(a.linear, c->normal, -n), roll = vec3_add_scaled(a.angular, c->normal, -turn);
    return (spatial){vec3_add(vec3_scale(c->normal, w->normal * n), vec3_scale(t, w->disc[0])),
                     vec3_add(vec3_scale(c->normal, w->disc[1] * turn), vec3_scale(roll, w->disc[2]))};
}

static double inner(spatial a, spatial b)
{
    return vec3_dot(a.linear, b.linear) + vec3_dot(a.angular, b.angular);
}

static spatial minus(spatial a, spatial b)
{
    return (spatial){vec3_sub(a.linear, b.linear), vec3_sub(a.angular, b.angular)};
}

static vec3 within(random_stream *stream, vec3 direction, double radius)
{
    return vec3_scale(vec3_normalize(direction), radius * (random_unit(stream) < 0.5 ? 1 : random_unit(stream)));
}

// Points of the cone, half of them on the rims of its discs.
static spatial point_inside(random_stream *stream, const cone *c)
{
    double n = random_between(stream, 0, 2), side = random_unit(stream) < 0.5 ? 1 : -1;
    vec3 a = any_vec(stream), b = any_vec(stream);
    vec3 t = vec3_add_scaled(a, c->normal, -vec3_dot(a, c->normal));
    vec3 roll = vec3_add_scaled(b, c->normal, -vec3_dot(b, c->normal));
    spatial p = {vec3_add(vec3_scale(c->normal, n), within(stream, t, c->radius[0] * n)), {0, 0, 0}};
    if (c->has_angular)
        p.angular = vec3_add(within(stream, vec3_scale(c->normal, side), c->radius[1] * n),
                             within(stream, roll, c->radius[2] * n));
    return p;
}

static void is_inside(const cone *c, spatial p)
{
    double n = vec3_dot(c->normal, p.linear), turn = vec3_dot(c->normal, p.angular), room = 1e-12;
    assert_true(n >= -room);
    assert_true(vec3_length(vec3_add_scaled(p.linear, c->normal, -n)) <= c->radius[0] * n + room);
    assert_true(fabs(turn) <= c->radius[1] * n + room);
    assert_true(vec3_length(vec3_add_scaled(p.angular, c->normal, -turn)) <= c->radius[2] * n + room);
}

// p is the projection of z if and only if (z - p) W (q - p) <= 0 for all q of the cone.
static void projects_to_nearest(void **state)
{
    (void)state;
    random_stream stream = {11};
    for (int i = 0; i < 2000; i++) {
        cone c = any_cone(&stream, i);
        cone_metric w = any_metric(&stream);
        spatial z = any_spatial(&stream, c.has_angular);
        cone_point at;
        spatial p = cone_project(&c, &w, z, &at);
        is_inside(&c, p);
        spatial away = weigh(&c, &w, minus(z, p));
        for (int k = 0; k < 50; k++)
            assert_true(inner(away, minus(point_inside(&stream, &c), p)) <= 1e-12);
    }
}

// The exact law: z_n alone decides on p_n, and each part is the nearest of its disc.
static void projects_exactly(void **state)
{
    (void)state;
    random_stream stream = {12};
    for (int i = 0; i < 2000; i++) {
        cone c = any_cone(&stream, i);
        spatial z = any_spatial(&stream, c.has_angular);
        cone_point at;
        spatial p = cone_project_exact(&c, z, &at);
        double z_n = vec3_dot(c.normal, z.linear);
        is_inside(&c, p);
        is_near(vec3_dot(c.normal, p.linear), fmax(0, z_n), 1e-14);
        vec3 t = vec3_add_scaled(z.linear, c.normal, -z_n);
        double rim = c.radius[0] * fmax(0, z_n), length = vec3_length(t);
        vec3 wanted = length <= rim ? t : vec3_scale(t, rim / length);
        vec3 got = vec3_add_scaled(p.linear, c.normal, -vec3_dot(c.normal, p.linear));
        assert_true(vec3_length(vec3_sub(got, wanted)) <= 1e-12);
    }
}

static bool same_case(const cone *c, const cone_point *a, const cone_point *b)
{
    bool same = (a->normal == 0) == (b->normal == 0);
    for (int j = 0; same && a->normal > 0 && j < (c->has_angular ? CONE_DISCS : 1); j++)
        same = a->slides[j] == b->slides[j];
    return same;
}

static spatial project(const cone *c, const cone_metric *w, spatial z, bool exact, cone_point *at)
{
    return exact ? cone_project_exact(c, z, at) : cone_project(c, w, z, at);
}

static void check_derivative(const cone *c, const cone_metric *w, spatial z, bool exact, random_stream *stream)
{
    const double step = 1e-6;
    spatial u = any_spatial(stream, c->has_angular);
    // z moves by -W^-1 u, and with it the projection by minus the slope times u
    cone_metric inverse = {1 / w->normal, {1 / w->disc[0], 1 / w->disc[1], 1 / w->disc[2]}};
    spatial change = weigh(c, &inverse, u);
    spatial ahead = {vec3_add_scaled(z.linear, change.linear, -step),
                     vec3_add_scaled(z.angular, change.angular, -step)};
    spatial behind = {vec3_add_scaled(z.linear, change.linear, step), vec3_add_scaled(z.angular, change.angular, step)};
    cone_point at, at_ahead, at_behind;
    project(c, w, z, exact, &at);
    spatial p = project(c, w, ahead, exact, &at_ahead), q = project(c, w, behind, exact, &at_behind);
    if (!same_case(c, &at, &at_ahead) || !same_case(c, &at, &at_behind))
        return;
    cone_slope slope;
    cone_differentiate(c, w, &at, exact, &slope);
    vec3 linear = mat3_apply(&slope.linear, u.linear), angular = {0, 0, 0};
    if (c->has_angular) {
        linear = vec3_add(linear, mat3_apply(&slope.mixed, u.angular));
        angular = vec3_add(mat3_apply(&slope.turned, u.linear), mat3_apply(&slope.angular, u.angular));
    }
    spatial difference = minus(q, p);
    assert_true(vec3_length(vec3_sub(vec3_scale(difference.linear, 0.5 / step), linear)) < 1e-5);
    assert_true(vec3_length(vec3_sub(vec3_scale(difference.angular, 0.5 / step), angular)) < 1e-5);
}

static void differentiates(void **state)
{
    (void)state;
    random_stream stream = {13};
    for (int i = 0; i < 4000; i++) {
        cone c = any_cone(&stream, i);
        cone_metric w = any_metric(&stream);
        check_derivative(&c, &w, any_spatial(&stream, c.has_angular), i / 2 % 2, &stream);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projects_to_nearest),
        cmocka_unit_test(projects_exactly),
        cmocka_unit_test(differentiates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
