// Detection as a whole against all pairs one by one: random worlds of every shape, near the origin and far from it.
// The contacts that a step finds are those of the pairs whose signed distance (scree_shape_gap, which knows no grid, no
// batches and no world) says so, with that gap. On meshes and height fields that function asks the same contacts, so
// there the depth is compared with what does not.
#include "../../physics/lab.h"

static const vec3 AT_REST = {0, 0, 0};

#ifndef SEEDS // more of them by hand: -DSEEDS=300
#define SEEDS (CHECK_SANITIZED ? 6 : 12)
#endif

enum { BODIES = 450, TENT = 2, FIELD = 3 };

static const scree_vec3 tent[] = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}, {0, 0, 2}};

typedef struct zoo {
    scree_world *world;
    scree_shape_def shapes[BODIES + 1]; // by id
    scree_pose poses[BODIES + 1];
    size_t count;
    scree_geometry *hull, *mesh, *mesh_hull, *height;
} zoo;

static scree_shape_def random_shape(const zoo *z, random_stream *random)
{
    static const scree_shape_type types[] = {SCREE_SHAPE_SPHERE,  SCREE_SHAPE_BOX,      SCREE_SHAPE_ELLIPSOID,
                                             SCREE_SHAPE_CAPSULE, SCREE_SHAPE_CYLINDER, SCREE_SHAPE_CONE,
                                             SCREE_SHAPE_HULL};
    scree_shape_def shape = scree_default_shape_def();
    shape.type = types[random_bits(random) % (z->hull ? 7 : 6)];
    double size = random_unit(random) < 0.1 ? 1.2 : 0.45; // two sizes: several levels of the grid
    shape.radius = size * random_between(random, 0.4, 1);
    shape.half_length = size * random_between(random, 0.4, 1);
    shape.half = shape.radii = vec3_make(size * random_between(random, 0.4, 1), size * random_between(random, 0.4, 1),
                                         size * random_between(random, 0.4, 1));
    if (shape.type == SCREE_SHAPE_HULL)
        shape.geometry = z->hull;
    return shape;
}

static void make_geometries(zoo *z)
{
    static const scree_vec3 wedge[] = {{-0.3, -0.2, -0.3}, {0.3, -0.2, -0.3}, {0.3, 0.2, -0.3},
                                       {-0.3, 0.2, -0.3},  {-0.3, 0, 0.4},    {0.3, 0, 0.4}};
    static const uint32_t faces[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4, 0, 2, 1, 0, 3, 2};
    float heights[64];
    random_stream random = {31};
    for (int i = 0; i < 64; i++)
        heights[i] = (float)random_unit(&random);
    z->hull = z->mesh_hull = NULL;
    scree_hull_create(wedge, 6, &z->hull, NULL); // absent from a build without qhull
    scree_hull_create(tent, 5, &z->mesh_hull, NULL);
    lab_ok(scree_mesh_create(tent, 5, faces, 6, &z->mesh, error));
    scree_heightfield_def field = {.columns = 8, .rows = 8, .width = 8, .depth = 8, .heights = heights};
    lab_ok(scree_heightfield_create(&field, &z->height, error));
}

static void add(zoo *z, scree_shape_def shape, vec3 position, quat orientation, bool fixed)
{
    scree_body_def body = lab_body(position, AT_REST);
    body.orientation = orientation;
    body.fixed = fixed;
    scree_id id = lab_add(z->world, body, shape);
    scree_shape_def kept;
    lab_ok(scree_world_get_shape(z->world, id, 0, &kept, error)); // sizes as the engine has them, in single precision
    z->shapes[id] = kept;
    z->count = (size_t)id;
}

static void make_zoo(zoo *z, vec3 origin, uint64_t seed)
{
    scree_world_def def = lab_def(&LAB_GS_SINGLE, 1e-6);
    def.gravity = AT_REST;
    def.threads = 3;
    def.solver.iterations = 1;
    z->world = lab_create(&def);
    make_geometries(z);
    random_stream random = {seed};
    scree_shape_def ground = scree_default_shape_def();
    ground.type = SCREE_SHAPE_MESH;
    ground.geometry = z->mesh;
    add(z, lab_plane(vec3_make(0, 0, 1), origin.z - 3.5), AT_REST, quat_identity(), true);
    add(z, ground, origin, quat_identity(), true);
    ground.type = SCREE_SHAPE_HEIGHTFIELD;
    ground.geometry = z->height;
    add(z, ground, vec3_add(origin, vec3_make(0, 0, -2.5)), quat_from_rotation(vec3_make(0.1, 0, 0)), true);
    while (z->count < BODIES) {
        vec3 place =
            vec3_make(random_between(&random, -4, 4), random_between(&random, -4, 4), random_between(&random, -3, 4));
        quat turn = quat_normalize((quat){random_unit(&random), random_unit(&random), random_unit(&random), 0.1});
        // Some stand exactly where another does.
        if (z->count > 10 && random_unit(&random) < 0.03)
            place = vec3_sub(lab_state(z->world, z->count).position, origin);
        add(z, random_shape(z, &random), vec3_add(origin, place), turn, false);
    }
    for (scree_id id = 1; id <= z->count; id++)
        z->poses[id] = (scree_pose){lab_info(z->world, id).frame, lab_state(z->world, id).orientation};
}

static void free_zoo(zoo *z)
{
    scree_world_destroy(z->world);
    scree_geometry_release(z->hull);
    scree_geometry_release(z->mesh);
    scree_geometry_release(z->mesh_hull);
    scree_geometry_release(z->height);
}

static double found[BODIES + 1][BODIES + 1];

static void gather_contacts(const zoo *z)
{
    for (size_t i = 0; i <= z->count; i++)
        for (size_t k = 0; k <= z->count; k++)
            found[i][k] = HUGE_VAL;
    size_t count;
    scree_contact *contacts = lab_contacts(z->world, &count);
    for (size_t i = 0; i < count; i++) {
        const scree_contact *c = &contacts[i];
        assert_near(vec3_length(c->normal), 1, 1e-5);
        double least = fmin(found[c->a][c->b], c->gap);
        found[c->a][c->b] = found[c->b][c->a] = least;
    }
    free(contacts);
}

static double gap_of(const zoo *z, const scree_shape_def *ground, scree_id a, scree_id b, scree_pose pose)
{
    double gap;
    lab_ok(scree_shape_gap(ground, &z->poses[a], &z->shapes[b], &pose, &gap, error));
    return gap;
}

static double size_of(const scree_shape_def *shape)
{
    if (shape->type == SCREE_SHAPE_BOX)
        return vec3_length(shape->half);
    if (shape->type == SCREE_SHAPE_ELLIPSOID)
        return fmax(shape->radii.x, fmax(shape->radii.y, shape->radii.z));
    if (shape->type == SCREE_SHAPE_HULL)
        return 0.5;
    return shape->type == SCREE_SHAPE_SPHERE ? shape->radius : hypot(shape->radius, shape->half_length);
}

// Triangles push one by one, each by its own way out, so two at a ridge may differ. But where the overlap is shallow,
// up to a fifth of the body's size, the deepest contact is no more than twice as deep. The tent is convex: its hull
// gives the true overlap.
static bool fits_tent(const zoo *z, scree_id b, double contact, double tolerance)
{
    if (!z->mesh_hull)
        return true;
    scree_shape_def hull = scree_default_shape_def();
    hull.type = SCREE_SHAPE_HULL;
    hull.geometry = z->mesh_hull;
    double gap = gap_of(z, &hull, TENT, b, z->poses[b]);
    if (gap < -0.2 * size_of(&z->shapes[b]))
        return true;
    if (gap > 0)
        return contact > -tolerance;
    return contact >= 2 * gap - tolerance && contact <= 0.7 * gap + tolerance;
}

// Out of a height field a body gets by being lifted: by no less than half the depth of its deepest contact.
static bool fits_field(const zoo *z, scree_id b, double contact, double tolerance)
{
    for (double part = 0.2; part > 0.02; part *= 0.5) {
        double lift = part * size_of(&z->shapes[b]);
        scree_pose lifted = z->poses[b];
        vec3 up = quat_rotate(z->poses[FIELD].orientation, vec3_make(0, 0, 1));
        lifted.position = vec3_add_scaled(lifted.position, up, lift);
        if (contact < -2 * lift - tolerance && gap_of(z, &z->shapes[FIELD], FIELD, b, lifted) > tolerance)
            return false;
    }
    return true;
}

static void check_zoo(vec3 origin, uint64_t seed, double tolerance)
{
    zoo z;
    make_zoo(&z, origin, seed);
    lab_step(z.world, 1);
    gather_contacts(&z);
    int touching = 0;
    for (scree_id a = 1; a <= z.count; a++)
        for (scree_id b = a + 1; b <= z.count; b++) {
            if (b <= 3)
                continue; // fixed bodies do not meet
            double gap;
            lab_ok(scree_shape_gap(&z.shapes[a], &z.poses[a], &z.shapes[b], &z.poses[b], &gap, error));
            bool missed = gap < -tolerance && found[a][b] == HUGE_VAL;
            bool invented = gap > tolerance && found[a][b] <= 0;
            // Two boxes keep to a face unless an edge is better by 2 % and a thousandth of their size.
            bool boxes = z.shapes[a].type == SCREE_SHAPE_BOX && z.shapes[b].type == SCREE_SHAPE_BOX;
            double slack = boxes ? 1e-3 + 0.025 * fabs(gap) : 1e-4 * fabs(gap);
            bool differs = gap < 0 && fabs(gap - found[a][b]) > tolerance + slack;
            if (a == TENT)
                differs = !fits_tent(&z, b, found[a][b], tolerance);
            if (a == FIELD)
                differs = !fits_field(&z, b, found[a][b], tolerance);
            if (missed || invented || differs) {
                print_error("seed %d: %d (type %d) and %d (type %d): gap %.9g, contact %.9g\n", (int)seed, (int)a,
                            (int)z.shapes[a].type, (int)b, (int)z.shapes[b].type, gap, found[a][b]);
                _fail(__FILE__, __LINE__);
            }
            touching += gap < 0;
        }
    assert_true(touching > 300);
    free_zoo(&z);
}

static void test_near_the_origin(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        check_zoo(AT_REST, seed, 2e-6);
}

static void test_far_from_the_origin(void **state)
{
    (void)state;
    check_zoo(vec3_make(1e5, -2e5, 3e4), 7, 2e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_near_the_origin),
        cmocka_unit_test(test_far_from_the_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
