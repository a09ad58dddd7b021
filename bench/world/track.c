// Half a tracked vehicle: a hull of 3.9 t on a plane rail, one track of 63 shoes with single pins, a driven sprocket
// with ten teeth, five wheels on arms with torsion bars, and an idler on a tensioner; sizes and masses are those of an
// M113. It stands on a plane, or drives over a bed of loose grains: a machine of 83 joints inside a heap.
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "base/vec.h"
#include "bench/benchmarks.h"
#include "bench/measure/stepping.h"
#include "bench/scene/joint_watch.h"
#include "model/belt.h"
#include "scree/geometry.h"

enum { SHOES = 63, TEETH = 10, ROAD_WHEELS = 5, IDLER = ROAD_WHEELS + 1, CIRCLES };
enum { GROUP_WHEEL = 2, GROUP_SHOE = 4, GROUP_GROUND = 8 };

static const double pitch = 0.154, pad = 0.03, boss_radius = 0.02, clearance = 5e-4, track_step = 0.005;
static const double road_radius = 0.305, idler_radius = 0.255, arm_back = 0.288, arm_down = 0.134,
                    pivot_height = -0.215;
static const double pivots[ROAD_WHEELS] = {-0.655, -1.322, -1.989, -2.656, -3.322};
static const double hull_mass = 3900, tension = 2e4, drop = 0.01;
static const double grain_radius = 0.03, bed_back = -5.4, bed_front = 1.4, bed_half_width = 0.4, bed_height = 0.3;

typedef struct tracked {
    scree_world *world;
    belt_circle circles[CIRCLES]; // of pins: sprocket, road wheels, idler; about the sprocket's axle
    belt_point pins[SHOES];
    double angle;  // of the first pin
    double height; // of the sprocket's axle
    double speed;  // of the sprocket [rad/s]
    int steel, rubber, soil;
    scree_id hull, shoes[SHOES];
    scree_geometry *teeth[2 * TEETH];
    size_t count; // of bodies that move
} tracked;

static double sprocket_radius(void)
{
    return pitch / (2 * sin(PI / TEETH));
}

// A wheel rolls on shoes of pitch p whose pins stand `pad` above it: they lie on this circle.
static double pin_radius(double wheel_radius)
{
    return hypot(wheel_radius + pad + clearance, 0.5 * pitch);
}

static vec3 at(const tracked *vehicle, double x, double z)
{
    return vec3_make(x, 0, vehicle->height + z);
}

static scree_status add_body(tracked *vehicle, scree_body_def body, const scree_shape_def *shapes, size_t count,
                             scree_id *id, scree_error *error)
{
    body.shapes = shapes;
    body.shape_count = count;
    vehicle->count += !body.fixed;
    return scree_world_add_bodies(vehicle->world, &body, 1, id, error);
}

static scree_status add_joint(tracked *vehicle, scree_joint_type type, scree_id a, scree_id b, vec3 place, vec3 axis,
                              scree_error *error)
{
    scree_joint_def joint = scree_default_joint_def();
    joint.type = type;
    joint.bodies[0] = a;
    joint.bodies[1] = b;
    joint.position = place;
    joint.axis = axis;
    return scree_world_add_joints(vehicle->world, &joint, 1, NULL, error);
}

static scree_status add_hinge(tracked *vehicle, scree_id a, scree_id b, vec3 place, scree_error *error)
{
    return add_joint(vehicle, SCREE_JOINT_REVOLUTE, a, b, place, vec3_make(0, 1, 0), error);
}

static scree_shape_def box(vec3 half, vec3 position, int material)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_BOX;
    shape.half = half;
    shape.position = position;
    shape.material = material;
    return shape;
}

// A cylinder across the vehicle.
static scree_shape_def roller(double radius, double half_length, vec3 position)
{
    scree_shape_def shape = scree_default_shape_def();
    shape.type = SCREE_SHAPE_CYLINDER;
    shape.radius = radius;
    shape.half_length = half_length;
    shape.position = position;
    shape.orientation = quat_from_rotation(vec3_make(-0.5 * PI, 0, 0));
    return shape;
}

static scree_body_def part(vec3 position, double mass, vec3 inertia, int material, uint32_t group, uint32_t mask)
{
    scree_body_def body = scree_default_body_def();
    body.position = position;
    body.mass = mass;
    body.inertia = inertia;
    body.has_center = true;
    body.material = material;
    body.group = group;
    body.mask = mask;
    return body;
}

// ------------------------------------------------------------------------------------------------------------ hull

static scree_status add_hull(tracked *vehicle, scree_error *error)
{
    scree_shape_def shape = box(vec3_make(1.9, 0.6, 0.3), vec3_make(0, 0, 0), SCREE_MATERIAL_OF_BODY);
    vec3 inertia = vec3_scale(vec3_make(1.8, 3.49, 3.68), hull_mass);
    scree_body_def hull = part(at(vehicle, -2, 0.4), hull_mass, inertia, vehicle->steel, 1, 0);
    scree_status status = add_body(vehicle, hull, &shape, 1, &vehicle->hull, error);
    if (status == SCREE_OK) // half a vehicle would fall over
        status =
            add_joint(vehicle, SCREE_JOINT_PLANAR, 0, vehicle->hull, vec3_make(0, 0, 0), vec3_make(0, 1, 0), error);
    return status;
}

// A trapezium between two pins, on one of the sprocket's two discs.
static scree_status make_tooth(tracked *vehicle, int tooth, scree_shape_def *shape, scree_error *error)
{
    const double radii[2] = {0.195, 0.262}, half_widths[2] = {0.066, 0.040}, side = tooth < TEETH ? 0.1125 : -0.1125;
    double angle = vehicle->angle + (tooth % TEETH + 0.5) * 2 * PI / TEETH;
    scree_vec3 corners[8];
    for (int i = 0; i < 8; i++) {
        double along = radii[i / 4], across = i % 2 ? half_widths[i / 4] : -half_widths[i / 4];
        corners[i] = vec3_make(along * cos(angle) - across * sin(angle), i / 2 % 2 ? side - 0.012 : side + 0.012,
                               along * sin(angle) + across * cos(angle));
    }
    *shape = scree_default_shape_def();
    shape->type = SCREE_SHAPE_HULL;
    scree_status status = scree_hull_create(corners, 8, &vehicle->teeth[tooth], error);
    shape->geometry = vehicle->teeth[tooth];
    return status;
}

static scree_status add_sprocket(tracked *vehicle, scree_error *error)
{
    scree_shape_def shapes[2 * TEETH + 2];
    scree_status status = SCREE_OK;
    for (int i = 0; i < 2 * TEETH && status == SCREE_OK; i++)
        status = make_tooth(vehicle, i, &shapes[i], error);
    for (int i = 0; i < 2; i++)
        shapes[2 * TEETH + i] =
            roller(sprocket_radius() - boss_radius - clearance, 0.012, vec3_make(0, i ? 0.1125 : -0.1125, 0));
    scree_id id = 0;
    scree_body_def sprocket =
        part(at(vehicle, 0, 0), 27.68, vec3_make(0.646, 0.883, 0.646), vehicle->steel, GROUP_WHEEL, GROUP_SHOE);
    if (status == SCREE_OK)
        status = add_body(vehicle, sprocket, shapes, 2 * TEETH + 2, &id, error);
    scree_joint_def drive = scree_default_joint_def();
    drive.type = SCREE_JOINT_REVOLUTE;
    drive.bodies[0] = vehicle->hull;
    drive.bodies[1] = id;
    drive.position = at(vehicle, 0, 0);
    drive.axis = vec3_make(0, 1, 0);
    drive.motor.type = SCREE_MOTOR_SPEED;
    drive.motor.target = vehicle->speed;
    return status == SCREE_OK ? scree_world_add_joints(vehicle->world, &drive, 1, NULL, error) : status;
}

static scree_status add_wheel(tracked *vehicle, belt_point center, double radius, double mass, vec3 inertia,
                              scree_id carrier, scree_error *error)
{
    scree_shape_def rims[2] = {roller(radius, 0.0325, vec3_make(0, 0.058, 0)),
                               roller(radius, 0.0325, vec3_make(0, -0.058, 0))};
    scree_body_def wheel =
        part(at(vehicle, center.x, center.z), mass, inertia, vehicle->steel, GROUP_WHEEL, GROUP_SHOE);
    scree_id id = 0;
    scree_status status = add_body(vehicle, wheel, rims, 2, &id, error);
    return status == SCREE_OK ? add_hinge(vehicle, carrier, id, wheel.position, error) : status;
}

// A trailing arm on a torsion bar that carries a fifth of the hull, and its wheel.
static scree_status add_suspension(tracked *vehicle, belt_point center, scree_error *error)
{
    vec3 pivot = at(vehicle, center.x + arm_back, center.z + arm_down);
    vec3 middle = vec3_sub(pivot, vec3_make(0.5 * arm_back, 0, 0.5 * arm_down));
    scree_shape_def beam = box(vec3_make(0.14, 0.02, 0.02), vec3_make(0, 0, 0), SCREE_MATERIAL_OF_BODY);
    scree_body_def arm = part(middle, 75.26, vec3_make(0.37, 0.77, 0.77), vehicle->steel, 1, 0);
    scree_id id = 0;
    scree_status status = add_body(vehicle, arm, &beam, 1, &id, error);
    if (status == SCREE_OK)
        status = add_hinge(vehicle, vehicle->hull, id, pivot, error);
    scree_joint_def bar = scree_default_joint_def();
    bar.type = SCREE_JOINT_TORSION_SPRING;
    bar.bodies[0] = vehicle->hull;
    bar.bodies[1] = id;
    bar.position = pivot;
    bar.axis = vec3_make(0, 1, 0);
    bar.stiffness = 2.5e4;
    bar.damping = 1.5e3;
    bar.preload = hull_mass * SCENE_GRAVITY / ROAD_WHEELS * arm_back;
    if (status == SCREE_OK)
        status = scree_world_add_joints(vehicle->world, &bar, 1, NULL, error);
    if (status == SCREE_OK)
        status = add_wheel(vehicle, center, road_radius, 35.56, vec3_make(1.14, 2.16, 1.14), id, error);
    return status;
}

static scree_status add_idler(tracked *vehicle, scree_error *error)
{
    belt_point center = vehicle->circles[IDLER].center;
    vec3 place = at(vehicle, center.x, center.z);
    scree_shape_def block = box(vec3_make(0.05, 0.01, 0.05), vec3_make(0, 0, 0), SCREE_MATERIAL_OF_BODY);
    scree_body_def carrier = part(place, 10, vec3_make(0.04, 0.04, 0.04), vehicle->steel, 1, 0);
    scree_id id = 0;
    scree_status status = add_body(vehicle, carrier, &block, 1, &id, error);
    scree_joint_def slide = scree_default_joint_def();
    slide.type = SCREE_JOINT_PRISMATIC;
    slide.bodies[0] = vehicle->hull;
    slide.bodies[1] = id;
    slide.position = place;
    slide.axis = vec3_make(-1, 0, 0);
    slide.axis_stiffness = 1e6;
    slide.axis_damping = 1.4e4;
    slide.rest = tension / slide.axis_stiffness;
    if (status == SCREE_OK)
        status = scree_world_add_joints(vehicle->world, &slide, 1, NULL, error);
    if (status == SCREE_OK)
        status = add_wheel(vehicle, center, idler_radius, 25.76, vec3_make(0.618, 1.12, 0.618), id, error);
    return status;
}

// ----------------------------------------------------------------------------------------------------------- track

// Rubber pads outside, the steel body and its horn inside, and the bosses of one pin, which the teeth push.
static scree_status add_shoe(tracked *vehicle, int i, scree_error *error)
{
    belt_point a = vehicle->pins[i], b = vehicle->pins[(i + 1) % SHOES];
    const scree_shape_def shapes[] = {
        box(vec3_make(0.055, 0.095, 0.015), vec3_make(0, 0, -0.015), vehicle->rubber),
        box(vec3_make(0.06, 0.09, 0.015), vec3_make(0, 0, 0.015), vehicle->steel),
        box(vec3_make(0.06575, 0.0271, 0.01), vec3_make(0, 0.16245, -0.015), vehicle->rubber),
        box(vec3_make(0.06575, 0.0271, 0.01), vec3_make(0, -0.16245, -0.015), vehicle->rubber),
        roller(boss_radius, 0.017, vec3_make(0.5 * pitch, 0.115, 0)),
        roller(boss_radius, 0.017, vec3_make(0.5 * pitch, -0.115, 0)),
        box(vec3_make(0.0142, 0.0057, 0.0225), vec3_make(0, 0, 0.0525), vehicle->steel),
    };
    scree_body_def shoe = part(at(vehicle, 0.5 * (a.x + b.x), 0.5 * (a.z + b.z)), 18.02, vec3_make(0.22, 0.04, 0.25),
                               vehicle->steel, GROUP_SHOE, 1 | GROUP_WHEEL | GROUP_GROUND);
    shoe.orientation = quat_from_rotation(vec3_make(0, -atan2(b.z - a.z, b.x - a.x), 0));
    return add_body(vehicle, shoe, shapes, sizeof shapes / sizeof shapes[0], &vehicle->shoes[i], error);
}

// A ring of hinges has three equations too many: the last pin is held along its two other directions only.
static scree_status add_track(tracked *vehicle, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int i = 0; i < SHOES && status == SCREE_OK; i++)
        status = add_shoe(vehicle, i, error);
    for (int i = 0; i < SHOES && status == SCREE_OK; i++) {
        int next = (i + 1) % SHOES;
        scree_joint_type type = i + 1 < SHOES ? SCREE_JOINT_REVOLUTE : SCREE_JOINT_POINT_ON_LINE;
        status = add_joint(vehicle, type, vehicle->shoes[i], vehicle->shoes[next],
                           at(vehicle, vehicle->pins[next].x, vehicle->pins[next].z), vec3_make(0, 1, 0), error);
    }
    return status;
}

static bool wind_track(tracked *vehicle)
{
    vehicle->circles[0] = (belt_circle){{0, 0}, sprocket_radius()};
    for (int i = 0; i < ROAD_WHEELS; i++)
        vehicle->circles[1 + i] =
            (belt_circle){{pivots[i] - arm_back, pivot_height - arm_down}, pin_radius(road_radius)};
    vehicle->circles[IDLER] = (belt_circle){{-3.95, -0.12}, pin_radius(idler_radius)};
    return belt_wind(vehicle->circles, CIRCLES, pitch, vehicle->pins, SHOES, &vehicle->angle);
}

// ---------------------------------------------------------------------------------------------------------- ground

static scree_status add_plane(tracked *vehicle, vec3 normal, double offset, scree_error *error)
{
    scree_shape_def plane = scree_default_shape_def();
    plane.type = SCREE_SHAPE_PLANE;
    plane.normal = normal;
    plane.offset = offset;
    scree_body_def body = scree_default_body_def();
    body.fixed = true;
    body.group = GROUP_GROUND;
    return add_body(vehicle, body, &plane, 1, NULL, error);
}

// Grains on a jittered lattice between walls, `count` of them or as many as the bed holds.
static scree_status add_bed(tracked *vehicle, size_t count, scree_error *error)
{
    scree_status status = add_plane(vehicle, vec3_make(1, 0, 0), bed_back, error);
    if (status == SCREE_OK)
        status = add_plane(vehicle, vec3_make(-1, 0, 0), -bed_front, error);
    for (int side = -1; side <= 1 && status == SCREE_OK; side += 2)
        status = add_plane(vehicle, vec3_make(0, side, 0), -bed_half_width, error);
    size_t across = (size_t)(bed_half_width / grain_radius), high = (size_t)(bed_height / (2 * grain_radius));
    size_t along = (count + across * high - 1) / (across * high);
    double spacing = (bed_front - bed_back) / (double)along;
    if (status == SCREE_OK && spacing < 2 * grain_radius)
        return fail(error, SCREE_ERROR_INVALID, "the bed has no room for %zu grains of radius %g", count, grain_radius);
    random_stream random = {1};
    scree_shape_def grain = scree_default_shape_def();
    for (size_t i = 0; i < count && status == SCREE_OK; i++) {
        scree_body_def body = scree_default_body_def();
        size_t x = i / (across * high), y = i / high % across, z = i % high;
        grain.radius = grain_radius * random_between(&random, 0.9, 1);
        double play = grain_radius - grain.radius;
        body.position = vec3_make(bed_back + spacing * ((double)x + 0.5) + random_between(&random, -play, play),
                                  bed_half_width * ((2 * (double)y + 1) / (double)across - 1),
                                  grain_radius * (2 * (double)z + 1) + random_between(&random, -play, play));
        body.material = vehicle->soil;
        body.group = GROUP_GROUND;
        status = add_body(vehicle, body, &grain, 1, NULL, error);
    }
    return status;
}

static scree_status set_friction(tracked *vehicle, int a, int b, double friction, scree_error *error)
{
    scree_pair_def pair;
    scree_status status = scree_world_get_pair(vehicle->world, a, b, &pair, error);
    pair.friction = friction;
    return status == SCREE_OK ? scree_world_set_pair(vehicle->world, a, b, &pair, error) : status;
}

static scree_status add_materials(tracked *vehicle, scree_error *error)
{
    const double densities[3] = {7800, 1500, 2600}, frictions[3] = {0.3, 0.7, 0.6};
    int *const materials[3] = {&vehicle->steel, &vehicle->rubber, &vehicle->soil};
    scree_status status = SCREE_OK;
    for (int i = 0; i < 3 && status == SCREE_OK; i++) {
        scree_material_def material = scree_default_material_def();
        material.density = densities[i];
        material.friction = frictions[i];
        status = scree_world_add_material(vehicle->world, &material, materials[i], error);
    }
    if (status == SCREE_OK)
        status = set_friction(vehicle, vehicle->steel, vehicle->rubber, 0.5, error);
    if (status == SCREE_OK)
        status = set_friction(vehicle, vehicle->rubber, vehicle->soil, 0.7, error);
    return status == SCREE_OK ? set_friction(vehicle, vehicle->rubber, 0, 0.7, error) : status;
}

// ------------------------------------------------------------------------------------------------------- the whole

static scree_status make_vehicle(const bench_options *options, tracked *vehicle, scree_error *error)
{
    scree_world_def def = bench_world_def(options);
    def.step = track_step;
    vehicle->speed = options->spheres ? 2 : 5;
    if (!wind_track(vehicle))
        return fail(error, SCREE_ERROR_INVALID, "%d shoes do not close round the wheels", SHOES);
    double lowest = 0;
    for (int i = 0; i < SHOES; i++)
        lowest = fmin(lowest, vehicle->pins[i].z);
    vehicle->height = pad - lowest + drop + (options->spheres ? bed_height : 0);
    scree_status status = scree_world_create(&def, &vehicle->world, error);
    if (status == SCREE_OK)
        status = add_materials(vehicle, error);
    if (status == SCREE_OK)
        status = add_hull(vehicle, error);
    if (status == SCREE_OK)
        status = add_sprocket(vehicle, error);
    for (int i = 0; i < ROAD_WHEELS && status == SCREE_OK; i++)
        status = add_suspension(vehicle, vehicle->circles[1 + i].center, error);
    if (status == SCREE_OK)
        status = add_idler(vehicle, error);
    if (status == SCREE_OK)
        status = add_track(vehicle, error);
    if (status == SCREE_OK)
        status = add_plane(vehicle, vec3_make(0, 0, 1), 0, error);
    if (status == SCREE_OK && options->spheres)
        status = add_bed(vehicle, options->spheres, error);
    return status;
}

scree_status bench_track(const bench_options *options, scree_error *error)
{
    tracked vehicle = {0};
    joint_watch watch = {0};
    step_result result;
    double resident_before = memory_resident_bytes();
    scree_status status = make_vehicle(options, &vehicle, error);
    if (status == SCREE_OK)
        status = joint_watch_begin(&watch, vehicle.world, vec3_make(0, 1, 0), error);
    if (status == SCREE_OK)
        status = step_world_after(vehicle.world, options, vehicle.count, resident_before, joint_watch_note, &watch,
                                  &result, error);
    scree_state hull;
    if (status == SCREE_OK)
        status = scree_world_get_states(vehicle.world, &vehicle.hull, 1, &hull, error);
    if (status == SCREE_OK) {
        scree_figures figures = scree_world_figures(vehicle.world);
        result.overlap.touching = figures.touching;
        result.overlap.mean = figures.penetration_mean;
        result.overlap.maximum = figures.penetration_max;
        json_line line = step_result_begin(options->spheres ? "track-on-grains" : "track", "scree", &result);
        json_line_number(&line, "residual_mean", figures.residual_mean);
        json_line_number(&line, "hull_speed", hull.velocity.x);
        json_line_number(&line, "gap_max", watch.gap);
        json_line_number(&line, "force_max", watch.force);
        json_line_end(&line);
    }
    joint_watch_end(&watch);
    scree_world_destroy(vehicle.world);
    for (int i = 0; i < 2 * TEETH; i++)
        scree_geometry_release(vehicle.teeth[i]);
    return status;
}
