// What joints say about poses: gradients against finite differences, and finite motions of each type that must, and
// must not, be free.
#include "unit/rigid/joint_lab.h"

#include "../geometry/random_pose.h"

static scree_pose random_pose(random_stream *stream)
{
    return (scree_pose){random_vec(stream, 2), quat_from_rotation(random_vec(stream, 2))};
}

static joint random_joint(random_stream *stream, scree_joint_type type)
{
    joint made = {.def = scree_default_joint_def()};
    made.def.type = type;
    for (int i = 0; i < 2; i++) {
        made.anchor[i] = random_vec(stream, 1);
        made.frame[i] = quat_from_rotation(random_vec(stream, 1.5));
    }
    return made;
}

static scree_pose moved(scree_pose pose, vec3 velocity, vec3 spin, double time)
{
    return (scree_pose){vec3_add_scaled(pose.position, velocity, time),
                        quat_multiply(quat_from_rotation(vec3_scale(spin, time)), pose.orientation)};
}

static double gradient_speed(const joint_equation *equation, const vec3 velocity[2], const vec3 spin[2])
{
    double speed = 0;
    for (int i = 0; i < 2; i++)
        speed += vec3_dot(equation->linear[i], velocity[i]) + vec3_dot(equation->angular[i], spin[i]);
    return speed;
}

static void move_both(const scree_pose pose[2], const vec3 velocity[2], const vec3 spin[2], double time,
                      scree_pose to[2])
{
    for (int i = 0; i < 2; i++)
        to[i] = moved(pose[i], velocity[i], spin[i], time);
}

static void test_gradients(void **state)
{
    (void)state;
    random_stream stream = {7};
    const double dt = 1e-6;
    for (int round = 0; round < 40 * SCREE_JOINT_TYPES; round++) {
        joint made = random_joint(&stream, (scree_joint_type)(round % SCREE_JOINT_TYPES));
        scree_pose pose[2] = {random_pose(&stream), random_pose(&stream)}, before[2], after[2];
        const vec3 velocity[2] = {random_vec(&stream, 1), random_vec(&stream, 1)};
        const vec3 spin[2] = {random_vec(&stream, 1), random_vec(&stream, 1)};
        move_both(pose, velocity, spin, -dt, before);
        move_both(pose, velocity, spin, dt, after);
        joint_equation at[6], low[6], high[6];
        int count = joint_equations(&made, pose, at);
        joint_equations(&made, before, low);
        joint_equations(&made, after, high);
        for (int i = 0; i < count; i++)
            assert_near(gradient_speed(&at[i], velocity, spin), (high[i].value - low[i].value) / (2 * dt), 1e-7);
        joint_equation c = joint_coordinate(&made, pose);
        double ahead = joint_coordinate(&made, after).value, behind = joint_coordinate(&made, before).value;
        double change = angle_near(ahead, behind) - behind;
        if (!measure_is_angle(joint_kind_of(made.def.type)->measure))
            change = ahead - behind;
        // Near the pole of an angle its gradient is large, and so is the error of the difference.
        double size = vec3_length(c.angular[0]);
        assert_near(gradient_speed(&c, velocity, spin), change / (2 * dt), 1e-6 * (1 + size * size * size));
    }
}

// An impulse along an equation changes neither momentum nor angular momentum of the two bodies together.
static void test_balance(void **state)
{
    (void)state;
    random_stream stream = {8};
    for (int round = 0; round < 20 * SCREE_JOINT_TYPES; round++) {
        joint made = random_joint(&stream, (scree_joint_type)(round % SCREE_JOINT_TYPES));
        scree_pose pose[2] = {random_pose(&stream), random_pose(&stream)};
        joint_equation all[7];
        int count = joint_equations(&made, pose, all);
        all[count++] = joint_coordinate(&made, pose);
        for (int i = 0; i < count; i++) {
            vec3 momentum = vec3_add(all[i].linear[0], all[i].linear[1]);
            vec3 angular = vec3_add(all[i].angular[0], all[i].angular[1]);
            for (int k = 0; k < 2; k++)
                angular = vec3_add(angular, vec3_cross(pose[k].position, all[i].linear[k]));
            assert_near(vec3_length(momentum), 0, 1e-14);
            assert_near(vec3_length(angular), 0, 1e-13);
        }
    }
}

// ---------------------------------------------------------------------------------------------------- finite motions

// The pose of the second body when its frame stands at a pose in the frame of the first.
static scree_pose pose_in_first(const joint *of, const scree_pose *first, vec3 shift, quat turn)
{
    quat frame = quat_multiply(first->orientation, of->frame[0]);
    vec3 point = vec3_add(joint_end(of, 0, first), quat_rotate(frame, shift));
    scree_pose second = {.orientation = quat_multiply(quat_multiply(frame, turn), quat_conjugate(of->frame[1]))};
    second.position = vec3_sub(point, quat_rotate(second.orientation, of->anchor[1]));
    return second;
}

static double largest_equation(const joint *of, const scree_pose *first, vec3 shift, quat turn)
{
    joint_equation equations[6];
    const scree_pose pose[2] = {*first, pose_in_first(of, first, shift, turn)};
    int count = joint_equations(of, pose, equations);
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(equations[i].value));
    return largest;
}

static double coordinate_at(const joint *of, const scree_pose *first, vec3 shift, quat turn)
{
    const scree_pose pose[2] = {*first, pose_in_first(of, first, shift, turn)};
    return joint_coordinate(of, pose).value;
}

// For each type the motions that it leaves: shifts and turns along x, y, z of its frame, one letter each.
typedef struct freedom {
    scree_joint_type type;
    const char *shifts, *turns;
} freedom;

static const freedom freedoms[] = {
    {SCREE_JOINT_SPHERICAL, "", "xyz"}, {SCREE_JOINT_REVOLUTE, "", "z"},
    {SCREE_JOINT_PRISMATIC, "z", ""},   {SCREE_JOINT_CYLINDRICAL, "z", "z"},
    {SCREE_JOINT_PLANAR, "xy", "z"},    {SCREE_JOINT_UNIVERSAL, "", "xz"},
    {SCREE_JOINT_FIXED, "", ""},        {SCREE_JOINT_POINT_ON_LINE, "z", "xyz"},
    {SCREE_JOINT_SPRING, "xyz", "xyz"}, {SCREE_JOINT_TORSION_SPRING, "xyz", "xyz"},
};

static vec3 letter_axis(char letter)
{
    return vec3_make(letter == 'x', letter == 'y', letter == 'z');
}

static void test_freedoms(void **state)
{
    (void)state;
    random_stream stream = {9};
    for (size_t k = 0; k < sizeof freedoms / sizeof *freedoms; k++) {
        const freedom *of = &freedoms[k];
        joint made = random_joint(&stream, of->type);
        scree_pose first = random_pose(&stream);
        const quat none = quat_identity();
        const vec3 nowhere = {0, 0, 0};
        joint_equation equations[6];
        const scree_pose pose[2] = {first, pose_in_first(&made, &first, nowhere, none)};
        assert_int_equal(joint_equations(&made, pose, equations), 6 - strlen(of->shifts) - strlen(of->turns));
        for (const char *letter = "xyz"; *letter; letter++) {
            for (double size = -1.5; size < 2; size += 0.5) {
                if (size == 0)
                    continue;
                vec3 step = vec3_scale(letter_axis(*letter), size);
                double shifted = largest_equation(&made, &first, step, none);
                double turned = largest_equation(&made, &first, nowhere, quat_from_rotation(step));
                if (strchr(of->shifts, *letter))
                    assert_near(shifted, 0, 1e-14);
                else
                    assert_near(shifted, fabs(size), 1e-14);
                if (strchr(of->turns, *letter))
                    assert_near(turned, 0, 1e-14);
                else
                    assert_true(turned > 0.4); // 2 sin(a / 2) or sin(a)
            }
        }
    }
}

// Free motions one after the other: z about the first body's axis, then the second's own.
static void test_coordinates(void **state)
{
    (void)state;
    random_stream stream = {10};
    const quat none = quat_identity();
    const vec3 nowhere = {0, 0, 0};
    for (double x = -3; x <= 3; x += 0.37) {
        scree_pose first = random_pose(&stream);
        vec3 across = vec3_make(random_unit(&stream), random_unit(&stream), 0);
        quat about_z = quat_from_rotation(vec3_make(0, 0, x));
        joint made = random_joint(&stream, SCREE_JOINT_CYLINDRICAL);
        assert_near(coordinate_at(&made, &first, vec3_make(0, 0, x), about_z), x, 1e-13);
        made.def.type = SCREE_JOINT_REVOLUTE;
        assert_near(coordinate_at(&made, &first, nowhere, about_z), x, 1e-13);
        made.def.type = SCREE_JOINT_PLANAR;
        assert_near(coordinate_at(&made, &first, across, about_z), x, 1e-13);
        made.def.type = SCREE_JOINT_SPRING;
        assert_near(coordinate_at(&made, &first, vec3_make(0.6 * x, 0, 0.8 * x), none), fabs(x), 1e-13);
        made.def.type = SCREE_JOINT_UNIVERSAL;
        quat both = quat_multiply(about_z, quat_from_rotation(vec3_make(0.4, 0, 0)));
        assert_near(coordinate_at(&made, &first, nowhere, both), x, 1e-13);
        assert_near(largest_equation(&made, &first, nowhere, both), 0, 1e-14);
        made.def.type = SCREE_JOINT_SPHERICAL;
        both = quat_multiply(quat_from_rotation(vec3_make(fabs(x) * 0.6, fabs(x) * 0.8, 0)), about_z);
        assert_near(coordinate_at(&made, &first, nowhere, both), fabs(x), 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradients),
        cmocka_unit_test(test_balance),
        cmocka_unit_test(test_freedoms),
        cmocka_unit_test(test_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
