// Contacts stand in the order of their other bodies, so that threads that share them out by other bodies write each
// once. Sums over contacts are taken chunk by chunk, in order: they have the same bits for any number of threads.
#include "solve/sweep/wide_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/isa.h"
#include "base/search.h"
#include "base/sort.h"
#include "base/threads.h"
#include "solve/newton/newton_system.h"
#include "solve/sweep/contact_block.h"
#include "solve/sweep/wide_contacts.h"

enum { CHUNK = 64, OTHERS = 256, MOST_ROUNDS = 30, MOST_TRIES = 6 }; // groups of a chunk, bodies of a task

// The imbalance that is left, as a part of the one before the step.
static const double ENOUGH = 1e-8;

// Contacts with what nothing moves have no diagonal of their own: a part of the wide body's stands in for it.
static const double LEAST = 0.01;

typedef struct other_body {
    uint32_t body, first, count; // its contacts
    wide_body *wide;             // itself a wide body; or NULL
    problem_body values;
} other_body;

typedef struct wide_row {
    uint32_t row;    // as given
    bool is_b;       // the wide body is its b
    vec3 arm;        // of the other body
    cone_metric own; // diagonal of both bodies, as tiles have it
} wide_row;

struct wide_body {
    uint32_t body;
    problem_body values;
    mass_root root;
    const wide_kernels *kernels;
    size_t contact_count, group_count, other_count;
    wide_contacts *groups;
    wide_row *rows; // by place
    other_body *others;
    wide_answer *answers; // by chunk
    wide_step *steps;     // by chunk
    // What its velocity is more than the problem stores, for both points: in single precision a body of 10^6 grain
    // masses would lose what grains do to it.
    spatial rest, rest_before;
    spatial whole, whole_before; // both velocities with that, as they were noted
    bool extended;
};

// ---- making

typedef struct sorted_row {
    uint32_t owner, other, row; // bodies; as given
} sorted_row;

static int compare_rows(const void *a, const void *b)
{
    const sorted_row *x = a, *y = b;
    if (x->owner != y->owner)
        return x->owner < y->owner ? -1 : 1;
    if (x->other != y->other)
        return x->other < y->other ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static sorted_row *sort_rows(const uint8_t *is_wide, const problem_row *rows, size_t row_count, arena *scratch)
{
    sorted_row *sorted = arena_array(scratch, sorted_row, row_count);
    for (uint32_t i = 0; sorted && i < row_count; i++)
        sorted[i] = is_wide[rows[i].a] ? (sorted_row){rows[i].a, rows[i].b, i} : (sorted_row){rows[i].b, rows[i].a, i};
    if (sorted)
        sort_items(sorted, row_count, sizeof *sorted, compare_rows);
    return sorted;
}

static bool is_extended(const problem_row *row)
{
    return row->rolling > 0 || row->spinning > 0 || row->compliance > 0;
}

static const wide_kernels *kernels_for(bool extended)
{
#ifdef SCREE_HAVE_AVX2
    if (isa_has_avx2())
        return extended ? &wide_kernels_f64_avx2_extended : &wide_kernels_f64_avx2;
#endif
    return extended ? &wide_kernels_f64_baseline_extended : &wide_kernels_f64_baseline;
}

static void put_vec(double to[3][WIDE_LANES], size_t lane, vec3 v)
{
    to[0][lane] = v.x;
    to[1][lane] = v.y;
    to[2][lane] = v.z;
}

static vec3 get_vec(const double from[3][WIDE_LANES], size_t lane)
{
    return vec3_make(from[0][lane], from[1][lane], from[2][lane]);
}

// An empty lane has nothing to do; its diagonal is one so that nobody divides by zero.
static void clear_groups(wide_body *wide)
{
    memset(wide->groups, 0, wide->group_count * sizeof *wide->groups);
    for (size_t i = 0; i < wide->group_count; i++)
        for (size_t lane = 0; lane < WIDE_LANES; lane++)
            wide->groups[i].inverse_normal[lane] = wide->groups[i].inverse_tangent[lane] =
                wide->groups[i].inverse_rolling[lane] = wide->groups[i].inverse_spinning[lane] = 1;
}

static double inverse_weight(double of_other, double of_wide)
{
    double weight = fmax(of_other, LEAST * of_wide);
    return weight > 0 ? 1 / weight : 1;
}

static void set_contact(wide_body *wide, size_t place, const problem_row *row, const other_body *other)
{
    wide_row *kept = &wide->rows[place];
    wide_contacts *g = &wide->groups[place / WIDE_LANES];
    size_t lane = place % WIDE_LANES;
    double sign = kept->is_b ? 1 : -1, times = other->count;
    vec3 arm = kept->is_b ? row->arm_b : row->arm_a;
    contact_block of_other = contact_block_begin(row->normal), of_wide = of_other;
    contact_block_add(&of_other, &other->values, kept->arm);
    contact_block_add(&of_wide, &wide->values, arm);
    contact_diagonal theirs = contact_block_bound(&of_other, row), ours = contact_block_bound(&of_wide, row);
    contact_block_add(&of_wide, &other->values, kept->arm);
    contact_diagonal both = contact_block_bound(&of_wide, row);
    kept->own = (cone_metric){both.normal + row->compliance, {both.tangent, both.spinning, both.rolling}};
    put_vec(g->normal, lane, vec3_scale(row->normal, sign));
    put_vec(g->arm, lane, arm);
    g->bias[lane] = row->bias;
    g->friction[lane] = row->friction;
    g->compliance[lane] = row->compliance;
    g->rolling[lane] = row->rolling;
    g->spinning[lane] = row->spinning;
    g->inverse_normal[lane] = inverse_weight(times * theirs.normal + row->compliance, ours.normal);
    g->inverse_tangent[lane] = inverse_weight(times * theirs.tangent, ours.tangent);
    g->inverse_rolling[lane] = inverse_weight(times * theirs.rolling, ours.rolling);
    g->inverse_spinning[lane] = inverse_weight(times * theirs.spinning, ours.spinning);
    put_vec(g->impulse, lane, vec3_scale(row->impulse, sign));
    put_vec(g->impulse + 3, lane, vec3_scale(row->angular_impulse, sign));
    memcpy(g->before, g->impulse, sizeof g->before);
}

static bool take_arrays(wide_body *wide, arena *scratch)
{
    size_t chunks = block_count(wide->group_count, CHUNK);
    wide->groups = arena_array(scratch, wide_contacts, wide->group_count);
    wide->rows = arena_array(scratch, wide_row, wide->contact_count);
    wide->others = arena_array(scratch, other_body, wide->contact_count);
    wide->answers = arena_array(scratch, wide_answer, chunks);
    wide->steps = arena_array(scratch, wide_step, chunks);
    return wide->groups && wide->rows && wide->others && wide->answers && wide->steps;
}

static bool make_body(wide_body *wide, const problem_body *bodies, const problem_row *rows, const sorted_row *sorted,
                      size_t count, arena *scratch)
{
    *wide = (wide_body){.body = sorted[0].owner, .values = bodies[sorted[0].owner], .contact_count = count};
    wide->group_count = block_count(count, WIDE_LANES);
    wide->root = mass_root_make(&wide->values);
    if (!take_arrays(wide, scratch))
        return false;
    clear_groups(wide);
    for (uint32_t i = 0; i < count; i++) {
        const problem_row *row = &rows[sorted[i].row];
        bool is_b = row->b == wide->body;
        wide->rows[i] = (wide_row){.row = sorted[i].row, .is_b = is_b, .arm = is_b ? row->arm_a : row->arm_b};
        wide->extended |= is_extended(row);
        if (i == 0 || sorted[i].other != sorted[i - 1].other)
            wide->others[wide->other_count++] =
                (other_body){.body = sorted[i].other, .first = i, .values = bodies[sorted[i].other]};
        wide->others[wide->other_count - 1].count++;
    }
    wide->kernels = kernels_for(wide->extended);
    for (size_t o = 0; o < wide->other_count; o++)
        for (size_t i = 0; i < wide->others[o].count; i++) {
            size_t place = wide->others[o].first + i;
            set_contact(wide, place, &rows[wide->rows[place].row], &wide->others[o]);
        }
    return true;
}

static wide_body *find_in_list(const wide_bodies *all, uint32_t body)
{
    size_t at = lower_bound_u32(all->list, all->count, sizeof *all->list, offsetof(wide_body, body), body);
    return at < all->count && all->list[at].body == body ? &all->list[at] : NULL;
}

// A wide body all of whose contacts belong to other ones is not in the list.
static void find_wide_others(wide_bodies *made, const uint8_t *is_wide)
{
    for (wide_body *wide = made->list; wide < made->list + made->count; wide++)
        for (other_body *other = wide->others; other < wide->others + wide->other_count; other++)
            other->wide = is_wide[other->body] ? find_in_list(made, other->body) : NULL;
}

scree_status wide_bodies_make(wide_bodies *made, const problem_body *bodies, size_t body_count, const uint8_t *is_wide,
                              const problem_row *rows, size_t row_count, arena *scratch, scree_error *error)
{
    size_t most = 0;
    for (size_t i = 0; i < body_count; i++)
        most += is_wide[i];
    *made = (wide_bodies){.contact_count = row_count};
    sorted_row *sorted = sort_rows(is_wide, rows, row_count, scratch);
    made->list = arena_array(scratch, wide_body, most);
    made->place = arena_array(scratch, uint32_t, row_count);
    made->owner = arena_array(scratch, uint32_t, row_count);
    if (!sorted || !made->list || !made->place || !made->owner)
        return fail_no_memory(error);
    for (size_t first = 0, end; first < row_count; first = end) {
        for (end = first; end < row_count && sorted[end].owner == sorted[first].owner; end++) {
            made->place[sorted[end].row] = (uint32_t)(end - first);
            made->owner[sorted[end].row] = (uint32_t)made->count;
        }
        if (!make_body(&made->list[made->count++], bodies, rows, sorted + first, end - first, scratch))
            return fail_no_memory(error);
    }
    find_wide_others(made, is_wide);
    return SCREE_OK;
}

// ---- velocities

static bool is_movable(const problem_body *body)
{
    return body->inverse_mass > 0;
}

static void push_velocity(const problem_body *body, spatial wrench, double sign, spatial *velocity)
{
    velocity->linear = vec3_add_scaled(velocity->linear, wrench.linear, sign * body->inverse_mass);
    velocity->angular = vec3_add_scaled(velocity->angular, mat3_apply(&body->inverse_inertia, wrench.angular), sign);
}

static spatial spatial_add(spatial a, spatial b)
{
    return (spatial){vec3_add(a.linear, b.linear), vec3_add(a.angular, b.angular)};
}

static spatial spatial_sub(spatial a, spatial b)
{
    return (spatial){vec3_sub(a.linear, b.linear), vec3_sub(a.angular, b.angular)};
}

static spatial stored_velocity(const contact_problem *problem, uint32_t body)
{
    spatial v;
    problem_get_velocity(problem, body, &v.linear, &v.angular);
    return v;
}

// The velocity of a body, with what the problem does not store of a wide one.
static spatial velocity_of(const contact_problem *problem, uint32_t body, const wide_body *wide)
{
    spatial v = stored_velocity(problem, body);
    return wide ? spatial_add(v, wide->rest) : v;
}

static void push_body(contact_problem *problem, uint32_t body, wide_body *wide, const problem_body *values,
                      spatial wrench, double sign)
{
    spatial v = velocity_of(problem, body, wide);
    push_velocity(values, wrench, sign, &v);
    problem_set_velocity(problem, body, v.linear, v.angular);
    if (wide)
        wide->rest = spatial_sub(v, stored_velocity(problem, body));
}

static void add_wrench(spatial *sum, vec3 arm, vec3 linear, vec3 angular)
{
    sum->linear = vec3_add(sum->linear, linear);
    sum->angular = vec3_add(sum->angular, vec3_add(vec3_cross(arm, linear), angular));
}

typedef double impulse_lanes[6][WIDE_LANES];

// An array of six lanes of every group: the impulses of a point, or their changes.
static const impulse_lanes *lanes_at(const wide_contacts *group, size_t offset)
{
    return (const impulse_lanes *)((const char *)group + offset);
}

// What impulses on the wide body do to one of the others: the opposite.
static void push_other(const wide_body *wide, const other_body *other, size_t offset, contact_problem *problem)
{
    spatial sum = {{0, 0, 0}, {0, 0, 0}};
    if (!is_movable(&other->values))
        return;
    for (size_t place = other->first; place < other->first + other->count; place++) {
        const impulse_lanes *p = lanes_at(&wide->groups[place / WIDE_LANES], offset);
        add_wrench(&sum, wide->rows[place].arm, get_vec(*p, place % WIDE_LANES), get_vec(*p + 3, place % WIDE_LANES));
    }
    push_body(problem, other->body, other->wide, &other->values, sum, -1);
}

void wide_bodies_velocity(const wide_bodies *wide, const contact_problem *problem, uint32_t body, vec3 *velocity,
                          vec3 *spin)
{
    spatial v = velocity_of(problem, body, find_in_list(wide, body));
    *velocity = v.linear;
    *spin = v.angular;
}

// The effect of the contacts with a body on the wide one.
static void add_wrenches(const wide_body *wide, const other_body *other, size_t offset, spatial *sum)
{
    for (size_t place = other->first; place < other->first + other->count; place++) {
        const wide_contacts *g = &wide->groups[place / WIDE_LANES];
        const impulse_lanes *p = lanes_at(g, offset);
        size_t lane = place % WIDE_LANES;
        add_wrench(sum, get_vec(g->arm, lane), get_vec(*p, lane), get_vec(*p + 3, lane));
    }
}

static void apply(wide_body *wide, contact_problem *problem, size_t offset)
{
    spatial sum = {{0, 0, 0}, {0, 0, 0}};
    for (size_t i = 0; i < wide->other_count; i++)
        add_wrenches(wide, &wide->others[i], offset, &sum);
    push_body(problem, wide->body, wide, &wide->values, sum, 1);
    for (size_t i = 0; i < wide->other_count; i++)
        push_other(wide, &wide->others[i], offset, problem);
}

static double rounding_of(const contact_problem *problem, double value)
{
    return problem->precision == SCREE_PRECISION_SINGLE ? value - (double)(float)value : 0;
}

static vec3 roundings_of(const contact_problem *problem, vec3 v)
{
    return vec3_make(rounding_of(problem, v.x), rounding_of(problem, v.y), rounding_of(problem, v.z));
}

// The problem stores the velocities without the blocks' impulses.
static void apply_all(wide_bodies *all, contact_problem *problem, size_t offset)
{
    for (wide_body *wide = all->list; wide < all->list + all->count; wide++)
        wide->rest = (spatial){roundings_of(problem, wide->values.velocity), roundings_of(problem, wide->values.spin)};
    for (wide_body *wide = all->list; wide < all->list + all->count; wide++)
        apply(wide, problem, offset);
}

void wide_bodies_mark_bodies(const wide_bodies *wide, uint8_t *marks)
{
    for (size_t i = 0; i < wide->count; i++) {
        const wide_body *body = &wide->list[i];
        marks[body->body] = 1;
        for (size_t k = 0; k < body->other_count; k++)
            marks[body->others[k].body] = 1;
    }
}

void wide_bodies_apply(wide_bodies *wide, contact_problem *problem)
{
    apply_all(wide, problem, offsetof(wide_contacts, impulse));
}

void wide_bodies_apply_before(wide_bodies *all, contact_problem *problem)
{
    apply_all(all, problem, offsetof(wide_contacts, before));
    for (wide_body *wide = all->list; wide < all->list + all->count; wide++)
        wide->rest_before = wide->rest;
}

static spatial stored_in(const contact_problem *problem, const void *velocities, uint32_t body)
{
    spatial v;
    velocities_get(problem->precision, velocities, body, &v.linear, &v.angular);
    return v;
}

// a + factor (b - a)
static spatial between(spatial a, spatial b, double factor)
{
    return (spatial){vec3_add_scaled(a.linear, vec3_sub(b.linear, a.linear), factor),
                     vec3_add_scaled(a.angular, vec3_sub(b.angular, a.angular), factor)};
}

void wide_bodies_note(wide_bodies *all, const contact_problem *problem, const void *now, const void *before)
{
    for (wide_body *wide = all->list; wide < all->list + all->count; wide++) {
        wide->whole = spatial_add(stored_in(problem, now, wide->body), wide->rest);
        wide->whole_before = spatial_add(stored_in(problem, before, wide->body), wide->rest_before);
    }
}

void wide_bodies_extrapolate(wide_bodies *all, contact_problem *problem, double beta)
{
    for (wide_body *wide = all->list; wide < all->list + all->count; wide++) {
        spatial v = between(wide->whole_before, wide->whole, 1 + beta);
        problem_set_velocity(problem, wide->body, v.linear, v.angular);
        wide->rest_before = wide->rest;
        wide->rest = spatial_sub(v, stored_velocity(problem, wide->body));
    }
}

// The block holds a wide body on what nothing moves, exactly and whatever else there is: those impulses are not scaled.
// Its velocity with them alone.
static spatial held_velocity(const wide_body *wide, size_t offset)
{
    spatial sum = {{0, 0, 0}, {0, 0, 0}}, v = {wide->values.velocity, wide->values.spin};
    for (const other_body *other = wide->others; other < wide->others + wide->other_count; other++)
        if (!is_movable(&other->values))
            add_wrenches(wide, other, offset, &sum);
    push_velocity(&wide->values, sum, 1, &v);
    return v;
}

static void scale_impulses(wide_body *wide, const other_body *other, double factor)
{
    for (size_t place = other->first; place < other->first + other->count; place++)
        for (size_t k = 0; k < 6; k++) {
            wide_contacts *g = &wide->groups[place / WIDE_LANES];
            g->impulse[k][place % WIDE_LANES] *= factor;
            g->before[k][place % WIDE_LANES] *= factor;
        }
}

void wide_bodies_scale(wide_bodies *all, const contact_problem *problem, const void *now, const void *before,
                       double factor)
{
    for (wide_body *wide = all->list; wide < all->list + all->count; wide++) {
        spatial held = held_velocity(wide, offsetof(wide_contacts, impulse));
        spatial held_before = held_velocity(wide, offsetof(wide_contacts, before));
        wide->rest = spatial_sub(between(held, wide->whole, factor), stored_in(problem, now, wide->body));
        wide->rest_before =
            spatial_sub(between(held_before, wide->whole_before, factor), stored_in(problem, before, wide->body));
        for (const other_body *other = wide->others; other < wide->others + wide->other_count; other++)
            if (is_movable(&other->values))
                scale_impulses(wide, other, factor);
    }
}

// ---- the work of impulses

static double work_at(const wide_body *wide, size_t place, spatial ours, spatial theirs)
{
    const wide_contacts *g = &wide->groups[place / WIDE_LANES];
    size_t lane = place % WIDE_LANES;
    vec3 p = get_vec(g->impulse, lane), t = get_vec(g->impulse + 3, lane);
    vec3 u = vec3_sub(vec3_add(ours.linear, vec3_cross(ours.angular, get_vec(g->arm, lane))),
                      vec3_add(theirs.linear, vec3_cross(theirs.angular, wide->rows[place].arm)));
    return vec3_dot(u, p) + g->bias[lane] * vec3_dot(get_vec(g->normal, lane), p) +
           vec3_dot(vec3_sub(ours.angular, theirs.angular), t);
}

void wide_bodies_add_work(const wide_bodies *all, const contact_problem *problem, impulse_work *sum)
{
    for (const wide_body *wide = all->list; wide < all->list + all->count; wide++) {
        spatial ours = velocity_of(problem, wide->body, wide);
        spatial held = held_velocity(wide, offsetof(wide_contacts, impulse));
        for (const other_body *other = wide->others; other < wide->others + wide->other_count; other++) {
            if (!is_movable(&other->values))
                continue;
            spatial theirs = velocity_of(problem, other->body, other->wide);
            spatial unpushed = {other->values.velocity, other->values.spin};
            for (size_t place = other->first; place < other->first + other->count; place++) {
                const wide_contacts *g = &wide->groups[place / WIDE_LANES];
                size_t lane = place % WIDE_LANES;
                double along = vec3_dot(get_vec(g->normal, lane), get_vec(g->impulse, lane));
                sum->now += work_at(wide, place, ours, theirs) + g->compliance[lane] * along * along;
                sum->unpushed += work_at(wide, place, held, unpushed);
            }
        }
    }
}

// ---- the block step

typedef struct block_step {
    wide_body *wide;
    contact_problem *problem;
    double velocity[6], change[6]; // of the wide body
    double beta;
    int threads;
} block_step;

static void flatten(spatial a, double to[6])
{
    memcpy(to, (const double[6]){a.linear.x, a.linear.y, a.linear.z, a.angular.x, a.angular.y, a.angular.z},
           6 * sizeof *to);
}

static spatial spatial_of(const double a[6])
{
    return (spatial){{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
}

static void read_others(void *context, size_t block)
{
    const block_step *step = context;
    wide_body *wide = step->wide;
    size_t end = block_end(block, OTHERS, wide->other_count);
    for (const other_body *other = wide->others + block * OTHERS; other < wide->others + end; other++) {
        spatial v = velocity_of(step->problem, other->body, other->wide);
        for (size_t place = other->first; place < other->first + other->count; place++) {
            wide_contacts *g = &wide->groups[place / WIDE_LANES];
            put_vec(g->other, place % WIDE_LANES, vec3_add(v.linear, vec3_cross(v.angular, wide->rows[place].arm)));
            if (wide->extended) // else it stays zero, as the change of an impulse has it
                put_vec(g->other + 3, place % WIDE_LANES, v.angular);
        }
    }
}

static void push_others(void *context, size_t block)
{
    const block_step *step = context;
    size_t end = block_end(block, OTHERS, step->wide->other_count);
    for (size_t i = block * OTHERS; i < end; i++)
        push_other(step->wide, &step->wide->others[i], offsetof(wide_contacts, other), step->problem);
}

static size_t chunk_size(const wide_body *wide, size_t chunk)
{
    return block_end(chunk, CHUNK, wide->group_count) - chunk * CHUNK;
}

static void begin_chunk(void *context, size_t chunk)
{
    const block_step *step = context;
    wide_body *wide = step->wide;
    wide->kernels->begin(wide->groups + chunk * CHUNK, chunk_size(wide, chunk), step->velocity, step->beta);
}

static void answer_chunk(void *context, size_t chunk)
{
    const block_step *step = context;
    wide_body *wide = step->wide;
    wide->answers[chunk] = wide->kernels->answer(wide->groups + chunk * CHUNK, chunk_size(wide, chunk), step->change,
                                                 step->problem->friction_dilation);
}

static void finish_chunk(void *context, size_t chunk)
{
    const block_step *step = context;
    wide_body *wide = step->wide;
    wide->steps[chunk] = wide->kernels->finish(wide->groups + chunk * CHUNK, chunk_size(wide, chunk), step->change,
                                               step->problem->friction_dilation);
}

static void for_chunks(block_step *step, block_task *task)
{
    for_blocks(step->threads, block_count(step->wide->group_count, CHUNK), task, step);
}

static void for_others(block_step *step, block_task *task)
{
    for_blocks(step->threads, block_count(step->wide->other_count, OTHERS), task, step);
}

// The balance in mass-scaled unknowns y, d = L y with L L^T = M^-1:  F = y - L^T wrench,  J = 1 + L^T slope L.
typedef struct balance {
    double y[6], error[6], matrix[6][6];
} balance;

static void apply_root(const mass_root *root, const double y[6], double to[6])
{
    spatial of = spatial_of(y);
    flatten(mass_root_apply(root, &of), to);
}

static void apply_transposed(const mass_root *root, const double q[6], double to[6])
{
    spatial of = spatial_of(q);
    flatten(mass_root_apply_transposed(root, &of), to);
}

static void find_balance(block_step *step, balance *b)
{
    const wide_body *wide = step->wide;
    wide_answer sum = {{0}, {{0}}};
    apply_root(&wide->root, b->y, step->change);
    for_chunks(step, answer_chunk);
    for (size_t chunk = 0; chunk < block_count(wide->group_count, CHUNK); chunk++)
        for (int i = 0; i < 6; i++) {
            sum.wrench[i] += wide->answers[chunk].wrench[i];
            for (int j = 0; j < 6; j++)
                sum.slope[i][j] += wide->answers[chunk].slope[i][j];
        }
    double half[6][6]; // by columns of L^T slope^T: rows of slope L
    apply_transposed(&wide->root, sum.wrench, b->error);
    for (int i = 0; i < 6; i++) {
        b->error[i] = b->y[i] - b->error[i];
        apply_transposed(&wide->root, sum.slope[i], half[i]);
    }
    for (int j = 0; j < 6; j++) {
        const double column[6] = {half[0][j], half[1][j], half[2][j], half[3][j], half[4][j], half[5][j]};
        double scaled[6];
        apply_transposed(&wide->root, column, scaled);
        for (int i = 0; i < 6; i++)
            b->matrix[i][j] = scaled[i] + (i == j);
    }
}

static double dot6(const double a[6], const double b[6])
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += a[i] * b[i];
    return sum;
}

// Gauss with pivoting: -J^-1 F.
static void find_direction(const balance *b, double direction[6])
{
    double m[6][7];
    for (int i = 0; i < 6; i++) {
        memcpy(m[i], b->matrix[i], sizeof b->matrix[i]);
        m[i][6] = -b->error[i];
    }
    for (int k = 0; k < 6; k++) {
        int pivot = k;
        for (int i = k + 1; i < 6; i++)
            pivot = fabs(m[i][k]) > fabs(m[pivot][k]) ? i : pivot;
        for (int j = k; j < 7; j++) {
            double kept = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = kept;
        }
        for (int i = k + 1; i < 6; i++)
            for (int j = 6; j >= k; j--)
                m[i][j] -= m[k][j] * (m[i][k] / m[k][k]);
    }
    for (int k = 5; k >= 0; k--) {
        direction[k] = m[k][6];
        for (int j = k + 1; j < 6; j++)
            direction[k] -= m[k][j] * direction[j];
        direction[k] /= m[k][k];
    }
}

// Goes along the direction until the convex function has nearly stopped falling: its slope there is the product with
// the error. Coulomb's law has no such function; then the error itself has to fall. False: it would not.
static bool go_along(block_step *step, balance *b, const double direction[6])
{
    const balance from = *b;
    bool convex = step->problem->friction_dilation > 0;
    double length = 1, slope = dot6(direction, from.error), error = dot6(from.error, from.error);
    for (int i = 0; i < MOST_TRIES; i++) {
        for (int k = 0; k < 6; k++)
            b->y[k] = from.y[k] + length * direction[k];
        find_balance(step, b);
        double now = dot6(direction, b->error);
        if (dot6(b->error, b->error) < error || (convex && fabs(now) < 0.5 * fabs(slope)))
            return true;
        length *= convex && slope < 0 && now > 0 ? fmax(slope / (slope - now), 0.1) : 0.5;
    }
    *b = from;
    return false;
}

// The change of velocity that balances the contacts' answer to it.
static void find_change(block_step *step)
{
    balance b = {{0}, {0}, {{0}}};
    double direction[6];
    find_balance(step, &b);
    double enough = ENOUGH * ENOUGH * dot6(b.error, b.error);
    for (int round = 0; round < MOST_ROUNDS && dot6(b.error, b.error) > enough; round++) {
        find_direction(&b, direction);
        if (!go_along(step, &b, direction))
            break;
    }
    apply_root(&step->wide->root, b.y, step->change);
}

static double mass_product(const problem_body *body, const double wrench[6], const double other[6])
{
    spatial velocity = {{0, 0, 0}, {0, 0, 0}};
    double flat[6];
    push_velocity(body, spatial_of(wrench), 1, &velocity);
    flatten(velocity, flat);
    return dot6(flat, other);
}

static double relax(block_step *step, step_sums *sums)
{
    wide_body *wide = step->wide;
    flatten(velocity_of(step->problem, wide->body, wide), step->velocity);
    for_others(step, read_others);
    for_chunks(step, begin_chunk);
    find_change(step);
    for_chunks(step, finish_chunk);
    for_others(step, push_others);
    wide_step sum = {.change = 0};
    for (size_t chunk = 0; chunk < block_count(wide->group_count, CHUNK); chunk++) {
        const wide_step *part = &wide->steps[chunk];
        for (int i = 0; i < 6; i++) {
            sum.wrench[i] += part->wrench[i];
            sum.whole[i] += part->whole[i];
        }
        sum.moved += part->moved;
        sum.reversal += part->reversal;
        sum.change = fmax(sum.change, part->change);
    }
    push_body(step->problem, wide->body, wide, &wide->values, spatial_of(sum.wrench), 1);
    sums->moved += sum.moved + mass_product(&wide->values, sum.wrench, sum.wrench);
    sums->reversal += sum.reversal - mass_product(&wide->values, sum.wrench, sum.whole);
    return sum.change;
}

double wide_bodies_relax(wide_bodies *wide, contact_problem *problem, double beta, step_sums *sums, int threads)
{
    double change = 0;
    for (size_t i = 0; i < wide->count; i++) {
        block_step step = {.wide = &wide->list[i], .problem = problem, .beta = beta, .threads = threads};
        change = fmax(change, relax(&step, sums));
    }
    return change;
}

// ---- residual and impulses

static double error_of(const wide_body *wide, const contact_problem *problem, const other_body *other, size_t place,
                       double *load)
{
    const wide_contacts *g = &wide->groups[place / WIDE_LANES];
    const wide_row *row = &wide->rows[place];
    size_t lane = place % WIDE_LANES;
    spatial p = {get_vec(g->impulse, lane), get_vec(g->impulse + 3, lane)};
    spatial ours = velocity_of(problem, wide->body, wide), theirs = velocity_of(problem, other->body, other->wide);
    vec3 u = vec3_sub(vec3_add(ours.linear, vec3_cross(ours.angular, get_vec(g->arm, lane))),
                      vec3_add(theirs.linear, vec3_cross(theirs.angular, row->arm)));
    vec3 w = vec3_sub(ours.angular, theirs.angular);
    cone c = {get_vec(g->normal, lane), {g->friction[lane], g->spinning[lane], g->rolling[lane]}, wide->extended};
    double u_n = vec3_dot(c.normal, u), w_n = vec3_dot(c.normal, w);
    double missing = u_n + g->bias[lane] + g->compliance[lane] * vec3_dot(c.normal, p.linear);
    spatial z = p;
    z.linear = vec3_add_scaled(z.linear, vec3_add_scaled(u, c.normal, -u_n), -1 / row->own.disc[0]);
    z.linear = vec3_add_scaled(z.linear, c.normal, -missing / row->own.normal);
    if (wide->extended) {
        z.angular = vec3_add_scaled(z.angular, vec3_add_scaled(w, c.normal, -w_n), -1 / row->own.disc[2]);
        z.angular = vec3_add_scaled(z.angular, c.normal, -w_n / row->own.disc[1]);
    }
    cone_point at;
    spatial next =
        problem->friction_dilation > 0 ? cone_project(&c, &row->own, z, &at) : cone_project_exact(&c, z, &at);
    vec3 off = vec3_sub(next.linear, p.linear), turned = vec3_sub(next.angular, p.angular);
    double error = vec3_dot(off, off), along = vec3_dot(c.normal, turned);
    if (wide->extended)
        error += (row->own.disc[2] * (vec3_dot(turned, turned) - along * along) + row->own.disc[1] * along * along) /
                 row->own.normal;
    *load = vec3_length(p.linear);
    return sqrt(error);
}

size_t wide_bodies_residual(const wide_bodies *all, const contact_problem *problem, tile_residual *sums)
{
    for (const wide_body *wide = all->list; wide < all->list + all->count; wide++)
        for (const other_body *other = wide->others; other < wide->others + wide->other_count; other++)
            for (size_t i = 0; i < other->count; i++) {
                double load, error = error_of(wide, problem, other, other->first + i, &load);
                sums->error_sum += error;
                sums->error_max = fmax(sums->error_max, error);
                sums->impulse_sum += load;
                sums->loaded += load > 0;
            }
    return all->contact_count;
}

static vec3 impulse_of(const wide_bodies *all, size_t row, size_t first)
{
    const wide_body *wide = &all->list[all->owner[row]];
    uint32_t place = all->place[row];
    vec3 on_wide = get_vec(wide->groups[place / WIDE_LANES].impulse + first, place % WIDE_LANES);
    return wide->rows[place].is_b ? on_wide : vec3_negate(on_wide);
}

vec3 wide_bodies_impulse(const wide_bodies *wide, size_t row)
{
    return impulse_of(wide, row, 0);
}

vec3 wide_bodies_angular_impulse(const wide_bodies *wide, size_t row)
{
    return impulse_of(wide, row, 3);
}
