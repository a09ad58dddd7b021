// Fills of the public interface alone: definitions are made, placed and tested one after the other, then added at once.
//
// A body's shapes need not be known here: its extent along an axis is its distance from planes across that axis
// (scree_shape_gap), and whether it overlaps another is the same function's sign; of meshes and height fields the world
// says what is near them.
//
// Numbers are drawn from one stream that starts at the seed, so that a fill can be made again in any language. For each
// body: its sizes in the order of the shapes (half or radii x, y, z; or radius, then half), those only that are a
// range; then for each place that it is tried at: three for the orientation if that is random (Shoemake 1992), then
// three for x, y, z (a lattice without jitter draws none). Speeds come from a stream of their own, which starts at the
// complement of the seed: for each body the height z of the direction on the unit sphere in [-1, 1), its angle about z,
// and the speed if that is a range; none where the speed is 0.
#include "model/fill.h"

#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/pages.h"
#include "base/random.h"
#include "base/vec.h"
#include "model/fill_space.h"
#include "scree/query.h"

enum {
    BYTES_IN_WORLD = 400,         // of a sphere that no step has been taken with
    MAX_TRIES = 10000,            // places of one body before a random fill gives up
    MAX_BLOCKED_CELLS = 10000000, // lattice cells in a row that something stands in, before it gives up
};

typedef struct extent { // of a body along the world axes, from its frame's origin
    vec3 low, high;
} extent;

typedef struct filler {
    const fill_def *def;
    scree_world *world;
    scree_error *error;
    random_stream random, speeds;
    ARRAY(scree_body_def) obstacles; // what stands in and around the box
    ARRAY(scree_shape_def) obstacle_shapes;
    ARRAY(scree_id) grounds;       // bodies with a mesh or height field there, rising: the world is asked about them
    ARRAY(scree_id) near;          // room for its answers
    ARRAY(scree_body_def) bodies;  // placed so far; neither array moves once placing begins
    ARRAY(scree_shape_def) shapes; // of each body, or of all of them where no size is drawn
    bool shapes_shared;
    fill_space space;
} filler;

// -------------------------------------------------------------------------------------------------- one body's sizes

static bool is_range(fill_range range)
{
    return range.low < range.high;
}

enum { MOST_SIZES = 3 };

typedef struct drawn_size {
    fill_range range;
    double *place; // in the shape that is made
} drawn_size;

// The sizes of a shape of this type in the order in which they are drawn; returns how many there are.
static size_t sizes_of(const fill_shape *from, scree_shape_def *shape, drawn_size sizes[MOST_SIZES])
{
    const fill_range *triple = shape->type == SCREE_SHAPE_BOX ? from->half : from->radii;
    scree_vec3 *vector = shape->type == SCREE_SHAPE_BOX ? &shape->half : &shape->radii;
    switch (shape->type) {
    case SCREE_SHAPE_BOX:
    case SCREE_SHAPE_ELLIPSOID:
        sizes[0] = (drawn_size){triple[0], &vector->x};
        sizes[1] = (drawn_size){triple[1], &vector->y};
        sizes[2] = (drawn_size){triple[2], &vector->z};
        return 3;
    case SCREE_SHAPE_SPHERE:
    case SCREE_SHAPE_CAPSULE:
    case SCREE_SHAPE_CYLINDER:
    case SCREE_SHAPE_CONE:
        sizes[0] = (drawn_size){from->radius, &shape->radius};
        sizes[1] = (drawn_size){from->half_length, &shape->half_length};
        return shape->type == SCREE_SHAPE_SPHERE ? 1 : 2;
    default:
        return 0;
    }
}

static bool has_ranges(const fill_shape *from)
{
    scree_shape_def shape = from->shape;
    drawn_size sizes[MOST_SIZES];
    bool ranges = false;
    for (size_t i = sizes_of(from, &shape, sizes); i-- > 0;)
        ranges = ranges || is_range(sizes[i].range);
    return ranges;
}

typedef double size_picker(random_stream *random, fill_range range);

static double pick_drawn(random_stream *random, fill_range range)
{
    return is_range(range) ? random_between(random, range.low, range.high) : range.low;
}

static double pick_low(random_stream *random, fill_range range)
{
    (void)random;
    return range.low;
}

static double pick_high(random_stream *random, fill_range range)
{
    (void)random;
    return range.high;
}

static scree_shape_def sized_shape(const fill_shape *from, size_picker *pick, random_stream *random)
{
    scree_shape_def shape = from->shape;
    drawn_size sizes[MOST_SIZES];
    size_t count = sizes_of(from, &shape, sizes);
    for (size_t i = 0; i < count; i++)
        *sizes[i].place = pick(random, sizes[i].range);
    return shape;
}

// Uniform over all rotations (Shoemake 1992).
static quat draw_orientation(random_stream *random)
{
    double u = random_unit(random), v = 2 * PI * random_unit(random), w = 2 * PI * random_unit(random);
    vec3 a = vec3_on_circle(sqrt(u), w, 0), b = vec3_on_circle(sqrt(1 - u), v, 0);
    return (quat){a.x, b.y, b.x, a.y};
}

// Least n . x over the shape turned with its body: its distance from a plane across n.
static scree_status support(const scree_shape_def *shape, quat orientation, vec3 normal, double *least,
                            scree_error *error)
{
    scree_shape_def plane = scree_default_shape_def();
    plane.type = SCREE_SHAPE_PLANE;
    plane.normal = normal;
    const scree_pose origin = {{0, 0, 0}, {1, 0, 0, 0}}, turned = {{0, 0, 0}, orientation};
    return scree_shape_gap(shape, &turned, &plane, &origin, least, error);
}

static scree_status extent_of(const scree_shape_def *shapes, size_t count, quat orientation, extent *e,
                              scree_error *error)
{
    static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = (double)INFINITY;
        high[axis] = (double)-INFINITY;
        for (size_t i = 0; i < count; i++) {
            double least, most;
            scree_status status = support(&shapes[i], orientation, axes[axis], &least, error);
            if (status == SCREE_OK)
                status = support(&shapes[i], orientation, vec3_negate(axes[axis]), &most, error);
            if (status != SCREE_OK)
                return status;
            low[axis] = fmin(low[axis], least);
            high[axis] = fmax(high[axis], -most);
        }
    }
    *e = (extent){vec3_make(low[0], low[1], low[2]), vec3_make(high[0], high[1], high[2])};
    return SCREE_OK;
}

// ----------------------------------------------------------------------------------------------------- what is asked

static scree_status check_shape(const fill_def *def, size_t index, scree_error *error)
{
    const fill_shape *shape = &def->shapes[index];
    scree_shape_def made = shape->shape;
    if (made.type == SCREE_SHAPE_PLANE || made.type == SCREE_SHAPE_MESH || made.type == SCREE_SHAPE_HEIGHTFIELD)
        return fail(error, SCREE_ERROR_INVALID,
                    "fill, shape %zu: a fill cannot be made of planes, meshes or height fields", index);
    drawn_size sizes[MOST_SIZES];
    size_t count = sizes_of(shape, &made, sizes);
    for (size_t i = 0; i < count; i++)
        if (!(sizes[i].range.low <= sizes[i].range.high))
            return fail(error, SCREE_ERROR_INVALID, "fill, shape %zu: the size range [%g, %g] must run upwards", index,
                        sizes[i].range.low, sizes[i].range.high);
    size_picker *const ends[2] = {pick_low, pick_high};
    for (int i = 0; i < 2; i++) {
        scree_shape_def sized = sized_shape(shape, ends[i], NULL);
        scree_error problem;
        double unused;
        if (support(&sized, quat_identity(), vec3_make(0, 0, 1), &unused, &problem) == SCREE_OK)
            continue;
        const char *what = strstr(problem.message, ": ");
        return fail(error, SCREE_ERROR_INVALID, "fill, shape %zu%s", index, what ? what : "");
    }
    return SCREE_OK;
}

static scree_status check_def(const scree_world *world, const fill_def *def, scree_error *error)
{
    double norm = quat_length(def->orientation);
    if (def->pattern != FILL_LATTICE && def->pattern != FILL_RANDOM)
        return fail(error, SCREE_ERROR_INVALID, "fill: the pattern must be lattice or random");
    if (!vec3_finite(def->low) || !vec3_finite(def->high) || !(def->low.x < def->high.x) ||
        !(def->low.y < def->high.y) || !(def->low.z < def->high.z))
        return fail(error, SCREE_ERROR_INVALID, "fill: the box must be finite, its first corner below its second");
    vec3 spacing = def->spacing;
    if (!vec3_finite(spacing) || !(spacing.x >= 0 && spacing.y >= 0 && spacing.z >= 0))
        return fail(error, SCREE_ERROR_INVALID, "fill: the spacing is (%g, %g, %g), each must be at least 0", spacing.x,
                    spacing.y, spacing.z);
    for (size_t i = 0; i < def->shifts.count; i++)
        if (!isfinite(def->shifts.data[i][0]) || !isfinite(def->shifts.data[i][1]))
            return fail(error, SCREE_ERROR_INVALID, "fill: shift %zu must be finite", i);
    if (!(def->jitter >= 0 && def->jitter <= 1))
        return fail(error, SCREE_ERROR_INVALID, "fill: the jitter must be from 0 to 1, not %g", def->jitter);
    if (!def->random_orientation && !(norm > 1e-100 && norm < 1e100))
        return fail(error, SCREE_ERROR_INVALID, "fill: the orientation must be finite and not zero");
    if (!(def->mass >= 0 && isfinite(def->mass)))
        return fail(error, SCREE_ERROR_INVALID,
                    "fill: the mass must be above 0, or 0 to take it from the density, not %g", def->mass);
    if (!vec3_finite(def->velocity) || !vec3_finite(def->spin))
        return fail(error, SCREE_ERROR_INVALID, "fill: velocity and spin must be finite");
    if (!(def->speed.low >= 0 && def->speed.low <= def->speed.high && isfinite(def->speed.high)))
        return fail(error, SCREE_ERROR_INVALID,
                    "fill: the speed must be finite and at least 0, and its range run upwards");
    if (def->fixed && (vec3_length(def->velocity) + vec3_length(def->spin) + def->speed.high) > 0)
        return fail(error, SCREE_ERROR_INVALID, "fill: fixed bodies must be at rest");
    if (def->material < 0 || (size_t)def->material >= scree_world_material_count(world))
        return fail(error, SCREE_ERROR_INVALID, "fill: there is no material %d", def->material);
    if (def->shape_count == 0 || !def->shapes)
        return fail(error, SCREE_ERROR_INVALID, "fill: there must be at least one shape");
    if (def->count > UINT32_MAX / def->shape_count)
        return fail(error, SCREE_ERROR_INVALID, "fill: %zu bodies are too many, at most %zu can be filled in at once",
                    def->count, UINT32_MAX / def->shape_count);
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < def->shape_count && status == SCREE_OK; i++)
        status = check_shape(def, i, error);
    return status;
}

// -------------------------------------------------------------------------------------------------------- obstacles

// Distance of a point from the box to be filled.
static double distance_from_box(const fill_def *def, vec3 point)
{
    vec3 out = {fmax(fmax(def->low.x - point.x, point.x - def->high.x), 0),
                fmax(fmax(def->low.y - point.y, point.y - def->high.y), 0),
                fmax(fmax(def->low.z - point.z, point.z - def->high.z), 0)};
    return vec3_length(out);
}

// Meshes and height fields have no distance from other shapes, but the world knows what is near them.
static bool is_ground(const scree_shape_def *shape)
{
    return shape->type == SCREE_SHAPE_MESH || shape->type == SCREE_SHAPE_HEIGHTFIELD;
}

static scree_status take_shapes(filler *f, scree_id id, scree_body_def body)
{
    size_t first = f->obstacle_shapes.count;
    scree_status status = SCREE_OK;
    bool ground = false;
    if (!array_reserve(&f->obstacle_shapes, first + body.shape_count))
        return fail_no_memory(f->error);
    for (size_t i = 0; i < body.shape_count && status == SCREE_OK; i++) {
        scree_shape_def *shape = &f->obstacle_shapes.data[first + i];
        status = scree_world_get_shape(f->world, id, i, shape, f->error);
        ground = ground || (status == SCREE_OK && is_ground(shape));
    }
    if (status != SCREE_OK)
        return status;
    if (!ground)
        f->obstacle_shapes.count += body.shape_count;
    bool kept = ground ? array_push(&f->grounds, id) : array_push(&f->obstacles, body);
    return kept ? SCREE_OK : fail_no_memory(f->error);
}

static scree_status take_obstacle(filler *f, scree_id id)
{
    const scree_world *world = f->world;
    scree_state state;
    scree_body_info info;
    scree_status status = scree_world_get_states(world, &id, 1, &state, f->error);
    if (status == SCREE_OK)
        status = scree_world_get_body(world, id, &info, f->error);
    if (status != SCREE_OK)
        return status;
    if (distance_from_box(f->def, state.position) > 1.001 * info.bounding_radius)
        return SCREE_OK;
    scree_body_def body = {.position = info.frame, .orientation = state.orientation, .shape_count = info.shape_count};
    return take_shapes(f, id, body);
}

static scree_status take_obstacles(filler *f)
{
    const scree_world *world = f->world;
    ARRAY(scree_id) ids = {0};
    scree_status status = SCREE_OK;
    if (!array_reserve_exact(&ids, scree_world_body_count(world)))
        return fail_no_memory(f->error);
    ids.count = scree_world_body_count(world);
    scree_world_body_ids(world, ids.data);
    for (size_t i = 0; i < ids.count && status == SCREE_OK; i++)
        status = take_obstacle(f, ids.data[i]);
    array_free(&ids);
    // Only now that the arrays have stopped growing can anything point into them.
    const scree_shape_def *shapes = f->obstacle_shapes.data;
    for (size_t i = 0; i < f->obstacles.count && status == SCREE_OK; i++) {
        f->obstacles.data[i].shapes = shapes;
        shapes += f->obstacles.data[i].shape_count;
        status = space_add(&f->space, &f->obstacles.data[i], f->error);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------- placing

// Whether none of the bodies near a shape is a ground. Both lists rise.
static scree_status shape_is_off_grounds(filler *f, const scree_shape_def *shape, const scree_pose *pose, bool *clear)
{
    size_t count = 0;
    scree_status status =
        scree_world_find_near(f->world, shape, pose, 0, UINT32_MAX, f->near.data, f->near.capacity, &count, f->error);
    if (status != SCREE_OK)
        return status;
    if (count > f->near.capacity) {
        if (!array_reserve(&f->near, count))
            return fail_no_memory(f->error);
        return shape_is_off_grounds(f, shape, pose, clear);
    }
    for (size_t i = 0, k = 0; i < count && k < f->grounds.count;) {
        scree_id near = f->near.data[i], ground = f->grounds.data[k];
        *clear = *clear && near != ground;
        i += near <= ground;
        k += ground <= near;
    }
    return SCREE_OK;
}

// Whether a body that has a place overlaps nothing.
static scree_status find_whether_clear(filler *f, const scree_body_def *body, bool *clear)
{
    scree_status status = space_is_clear(&f->space, body, clear, f->error);
    const scree_pose pose = {body->position, body->orientation};
    for (size_t i = 0; i < body->shape_count && f->grounds.count > 0 && *clear && status == SCREE_OK; i++)
        status = shape_is_off_grounds(f, &body->shapes[i], &pose, clear);
    return status;
}

static scree_status refuse_count(const filler *f, size_t fitting)
{
    const fill_def *def = f->def;
    return fail(f->error, SCREE_ERROR_INVALID,
                "fill: only %zu of %zu bodies fit into the box from (%g, %g, %g) to (%g, %g, %g); accepted are a "
                "larger box, a smaller count or smaller sizes",
                fitting, def->count, def->low.x, def->low.y, def->low.z, def->high.x, def->high.y, def->high.z);
}

// Refuses what the machine cannot hold before it is asked for: memory that is not there may be granted all the same.
static scree_status check_memory(filler *f, size_t bodies, size_t shapes)
{
    double items = f->def->pattern == FILL_RANDOM ? (double)bodies * (double)f->def->shape_count : 0;
    double bytes = (double)bodies * (sizeof(scree_body_def) + BYTES_IN_WORLD) +
                   (double)shapes * sizeof(scree_shape_def) + items * sizeof(space_item);
    double there = pages_of_machine();
    if (bytes <= there)
        return SCREE_OK;
    return fail(f->error, SCREE_ERROR_NO_MEMORY,
                "fill: %zu bodies need %.3g GB of memory while they are placed, more than the %.3g GB of this machine",
                bodies, 1e-9 * bytes, 1e-9 * there);
}

// Room for `most` bodies, so that placing moves none.
static scree_status prepare(filler *f, double most)
{
    size_t bodies = most < (double)f->def->count ? (size_t)most : f->def->count;
    f->shapes_shared = true;
    for (size_t i = 0; i < f->def->shape_count; i++)
        f->shapes_shared = f->shapes_shared && !has_ranges(&f->def->shapes[i]);
    size_t shapes = (f->shapes_shared ? 1 : bodies) * f->def->shape_count;
    if (check_memory(f, bodies, shapes) != SCREE_OK)
        return SCREE_ERROR_NO_MEMORY;
    if (!array_reserve_exact(&f->bodies, bodies) || !array_reserve_exact(&f->shapes, shapes))
        return fail_no_memory(f->error);
    return SCREE_OK;
}

static vec3 draw_velocity(filler *f)
{
    const fill_def *def = f->def;
    if (def->speed.high == 0)
        return def->velocity;
    double z = random_between(&f->speeds, -1, 1), angle = 2 * PI * random_unit(&f->speeds), across = sqrt(1 - z * z);
    double speed = pick_drawn(&f->speeds, def->speed);
    return vec3_add_scaled(def->velocity, vec3_on_circle(across, angle, z), speed);
}

// The next body, without a place yet; it counts once it has one.
static scree_body_def *next_body(filler *f)
{
    const fill_def *def = f->def;
    scree_shape_def *shapes = f->shapes.data + (f->shapes_shared ? 0 : f->bodies.count * def->shape_count);
    for (size_t i = 0; i < def->shape_count; i++)
        shapes[i] = sized_shape(&def->shapes[i], pick_drawn, &f->random);
    scree_body_def *body = &f->bodies.data[f->bodies.count];
    *body = scree_default_body_def();
    body->orientation = def->random_orientation ? quat_identity() : def->orientation;
    body->velocity = draw_velocity(f);
    body->spin = def->spin;
    body->fixed = def->fixed;
    body->mass = def->mass;
    body->material = def->material;
    body->group = def->group;
    body->mask = def->mask;
    body->shapes = shapes;
    body->shape_count = def->shape_count;
    return body;
}

// A new orientation if that is random, and the extent that goes with it.
static scree_status turn_body(filler *f, scree_body_def *body, extent *e)
{
    if (f->def->random_orientation)
        body->orientation = draw_orientation(&f->random);
    return extent_of(body->shapes, body->shape_count, body->orientation, e, f->error);
}

// -------------------------------------------------------------------------------------------------------- lattice

typedef struct lattice {
    double low[3];     // corner of the first cell of a layer that is not shifted
    uint64_t cells[3]; // along each axis
    double size[3];    // of a cell
    uint64_t next[3];  // x fastest, then y, then z upwards
} lattice;

// Room that the largest of the bodies may need along each axis.
static scree_status largest_extent(filler *f, double size[3])
{
    ARRAY(scree_shape_def) largest = {0};
    extent e = {{0, 0, 0}, {0, 0, 0}};
    scree_status status = SCREE_OK;
    double reach = 0;
    for (size_t i = 0; i < f->def->shape_count && status == SCREE_OK; i++) {
        if (!array_push(&largest, sized_shape(&f->def->shapes[i], pick_high, NULL)))
            status = fail_no_memory(f->error);
        else
            reach = fmax(reach, scree_shape_reach(&largest.data[i]));
    }
    if (status == SCREE_OK && !f->def->random_orientation)
        status = extent_of(largest.data, largest.count, f->def->orientation, &e, f->error);
    array_free(&largest);
    for (int k = 0; k < 3; k++)
        size[k] = f->def->random_orientation ? 2 * reach : vec3_get(e.high, k) - vec3_get(e.low, k);
    return status;
}

// How far layers are shifted down and up along an axis; z is not shifted.
static void shift_range(const fill_shifts *shifts, int axis, double *low, double *high)
{
    *low = *high = 0;
    for (size_t i = 0; i < shifts->count && axis < 2; i++) {
        *low = fmin(*low, shifts->data[i][axis]);
        *high = fmax(*high, shifts->data[i][axis]);
    }
}

// Cells along one axis in what shifts leave of the box, so that it holds the shifted layers too.
static void divide_axis(const fill_def *def, lattice *grid, int axis)
{
    double down, up, low = vec3_get(def->low, axis), spacing = vec3_get(def->spacing, axis);
    shift_range(&def->shifts, axis, &down, &up);
    double width = vec3_get(def->high, axis) - low + down - up;
    grid->low[axis] = low - down;
    grid->size[axis] = spacing > 0 ? spacing : grid->size[axis];
    double cells = floor(width / grid->size[axis] * (1 + 1e-12)); // what fits exactly must not be lost to rounding
    grid->cells[axis] = (uint64_t)fmin(fmax(cells, 0), 1e15);
    if (spacing == 0 && axis < 2 && cells > 0)
        grid->size[axis] = width / cells;
}

static scree_status lattice_make(filler *f, lattice *grid)
{
    *grid = (lattice){.cells = {0}};
    scree_status status = largest_extent(f, grid->size);
    if (status != SCREE_OK)
        return status;
    for (int k = 0; k < 3; k++) {
        double spacing = vec3_get(f->def->spacing, k);
        if (spacing > 0 && spacing < grid->size[k] * (1 - 1e-12))
            return fail(f->error, SCREE_ERROR_INVALID,
                        "fill: the spacing along %c is %g, must be 0 or at least the largest body's %g", 'x' + k,
                        spacing, grid->size[k]);
        divide_axis(f->def, grid, k);
    }
    return SCREE_OK;
}

static bool lattice_ended(const lattice *grid)
{
    return grid->cells[0] == 0 || grid->cells[1] == 0 || grid->next[2] >= grid->cells[2];
}

static void lattice_advance(lattice *grid)
{
    for (int k = 0; k < 2; k++) {
        if (++grid->next[k] < grid->cells[k])
            return;
        grid->next[k] = 0;
    }
    grid->next[2]++;
}

// In the middle of its cell, or moved from there into the free room.
static scree_status place_in_cell(filler *f, const lattice *grid, scree_body_def *body)
{
    extent e;
    scree_status status = turn_body(f, body, &e);
    if (status != SCREE_OK)
        return status;
    const fill_shifts *shifts = &f->def->shifts;
    const double *shifted = shifts->count > 0 ? shifts->data[grid->next[2] % shifts->count] : (const double[2]){0};
    double at[3];
    for (int k = 0; k < 3; k++) {
        double room = fmax(0.5 * (grid->size[k] - (vec3_get(e.high, k) - vec3_get(e.low, k))), 0);
        double shift = f->def->jitter > 0 ? f->def->jitter * random_between(&f->random, -1, 1) : 0;
        at[k] = grid->low[k] + (double)grid->next[k] * grid->size[k] + room * (1 + shift) - vec3_get(e.low, k) +
                (k < 2 ? shifted[k] : 0);
    }
    body->position = vec3_make(at[0], at[1], at[2]);
    return SCREE_OK;
}

static scree_status place_on_lattice(filler *f)
{
    lattice grid;
    scree_status status = lattice_make(f, &grid);
    double cells = (double)grid.cells[0] * (double)grid.cells[1] * (double)grid.cells[2];
    if (status == SCREE_OK && cells < (double)f->def->count && f->obstacles.count + f->grounds.count == 0)
        return refuse_count(f, (size_t)cells); // without placing them first
    if (status == SCREE_OK)
        status = prepare(f, cells);
    size_t blocked = 0;
    while (status == SCREE_OK && f->bodies.count < f->def->count && !lattice_ended(&grid)) {
        scree_body_def *body = next_body(f);
        bool clear = false;
        for (; status == SCREE_OK && !clear && !lattice_ended(&grid); lattice_advance(&grid)) {
            status = place_in_cell(f, &grid, body);
            if (status == SCREE_OK)
                status = find_whether_clear(f, body, &clear);
            blocked = clear ? 0 : blocked + 1;
            if (blocked > MAX_BLOCKED_CELLS)
                return status;
        }
        f->bodies.count += clear;
    }
    return status;
}

// --------------------------------------------------------------------------------------------------------- random

// No more bodies fit than have their smallest shape's volume each. Of a sphere set that is not known: its spheres
// may overlap.
static double most_by_volume(const fill_def *def)
{
    double volume = 0;
    for (size_t i = 0; i < def->shape_count; i++) {
        scree_shape_def smallest = sized_shape(&def->shapes[i], pick_low, NULL);
        if (smallest.type != SCREE_SHAPE_SPHERES)
            volume = fmax(volume, scree_shape_volume(&smallest));
    }
    vec3 size = vec3_sub(def->high, def->low);
    return size.x * size.y * size.z / volume + 1;
}

// Anywhere in the box; false when the body is too large for it.
static bool draw_position(filler *f, const extent *e, vec3 *position)
{
    bool fits = true;
    double at[3];
    for (int k = 0; k < 3; k++) {
        double low = vec3_get(f->def->low, k), width = vec3_get(f->def->high, k) - low;
        double room = width - (vec3_get(e->high, k) - vec3_get(e->low, k));
        fits = fits && room >= -1e-12 * width;
        at[k] = low - vec3_get(e->low, k) + fmax(room, 0) * random_unit(&f->random);
    }
    *position = vec3_make(at[0], at[1], at[2]);
    return fits;
}

static scree_status find_place(filler *f, scree_body_def *body, bool *clear)
{
    extent e;
    scree_status status = SCREE_OK;
    *clear = false;
    for (int tries = 0; tries < MAX_TRIES && status == SCREE_OK && !*clear; tries++) {
        if (tries == 0 || f->def->random_orientation)
            status = turn_body(f, body, &e);
        if (status == SCREE_OK && draw_position(f, &e, &body->position))
            status = find_whether_clear(f, body, clear);
    }
    return status;
}

static scree_status place_at_random(filler *f)
{
    double most = most_by_volume(f->def);
    if ((double)f->def->count > most)
        return fail(
            f->error, SCREE_ERROR_INVALID,
            "fill: %zu bodies cannot fit into the box from (%g, %g, %g) to (%g, %g, %g), which has no more volume "
            "than %.0f of them; accepted are a larger box, a smaller count or smaller sizes",
            f->def->count, f->def->low.x, f->def->low.y, f->def->low.z, f->def->high.x, f->def->high.y, f->def->high.z,
            floor(most - 1));
    scree_status status = prepare(f, most);
    if (status == SCREE_OK &&
        !array_reserve_exact(&f->space.items, f->space.items.count + f->bodies.capacity * f->def->shape_count))
        return fail_no_memory(f->error);
    bool clear = true;
    while (status == SCREE_OK && clear && f->bodies.count < f->def->count && f->bodies.count < f->bodies.capacity) {
        scree_body_def *body = next_body(f);
        status = find_place(f, body, &clear);
        if (status == SCREE_OK && clear)
            status = space_add(&f->space, body, f->error);
        f->bodies.count += clear;
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------- filling

static scree_status add_all(filler *f, scree_world *world)
{
    if (f->bodies.count < f->def->count)
        return refuse_count(f, f->bodies.count);
    return scree_world_add_bodies(world, f->bodies.data, f->bodies.count, NULL, f->error);
}

scree_status fill_world(scree_world *world, const fill_def *def, scree_error *error)
{
    scree_status status = check_def(world, def, error);
    if (status != SCREE_OK || def->count == 0)
        return status;
    filler f = {.def = def, .world = world, .error = error, .random = {def->seed}, .speeds = {~def->seed}};
    status = take_obstacles(&f);
    if (status == SCREE_OK)
        status = def->pattern == FILL_LATTICE ? place_on_lattice(&f) : place_at_random(&f);
    space_free(&f.space);
    array_free(&f.obstacles);
    array_free(&f.obstacle_shapes);
    array_free(&f.grounds);
    array_free(&f.near);
    if (status == SCREE_OK)
        status = add_all(&f, world);
    array_free(&f.bodies);
    array_free(&f.shapes);
    return status;
}
