// Springs and dampers between overlapping spheres, eight pairs at a time, and at points of contact; and the table of
// all wide loops.
//
// Pairs of the list are first compared by distance alone; those that touch, about half of them, are gathered so that
// all lanes have work. Overlaps are small differences of large numbers, so they are taken in double.
#include "penalty/kernels/lanes.h"

enum { CHUNK = 256 };

// Rows i and i + 4 of four numbers each share a register: turns four such into columns, or columns into such.
static inline void turn_rows(wide r[4])
{
    wide a = __builtin_shufflevector(r[0], r[1], 0, 8, 1, 9, 4, 12, 5, 13);
    wide b = __builtin_shufflevector(r[0], r[1], 2, 10, 3, 11, 6, 14, 7, 15);
    wide c = __builtin_shufflevector(r[2], r[3], 0, 8, 1, 9, 4, 12, 5, 13);
    wide d = __builtin_shufflevector(r[2], r[3], 2, 10, 3, 11, 6, 14, 7, 15);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    r[1] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    r[2] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

static inline wide join_halves(four_floats low, four_floats high)
{
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

// ------------------------------------------------------------------------------------------------------------ the law

typedef struct law_lanes {
    wide stiffness[2], damping[3], tangential[2], friction, cohesion, rolling, spinning;
} law_lanes;

typedef struct touch {
    wide3 normal; // from a to b
    wide depth;
    wide3 velocity, spin; // of b against a
    wide inverse_mass, radius;
    wide3 spring, rolled;
    wide loaded, spun;
    wide3 force, torque; // on b
    wide stiffness, damping;
} touch;

static inline law_lanes law_of_all(const law_row *row)
{
    return (law_lanes){{wide_set(row->stiffness[0]), wide_set(row->stiffness[1])},
                       {wide_set(row->damping[0]), wide_set(row->damping[1]), wide_set(row->damping[2])},
                       {wide_set(row->tangential[0]), wide_set(row->tangential[1])},
                       wide_set(row->friction),
                       wide_set(row->cohesion),
                       wide_set(row->rolling),
                       wide_set(row->spinning)};
}

static inline law_lanes law_of_each(const law_row *rows, wide_mask index)
{
    wide r[2][LANES];
    for (int i = 0; i < LANES; i++) {
        const float *from = (const float *)&rows[index[i]];
        r[0][i] = wide_load(from);
        r[1][i] = wide_load(from + LANES);
    }
    wide_transpose(r[0]);
    wide_transpose(r[1]);
    return (law_lanes){
        {r[0][0], r[0][1]}, {r[0][2], r[0][3], r[0][4]}, {r[0][5], r[0][6]}, r[0][7], r[1][0], r[1][1], r[1][2]};
}

static inline law_lanes find_laws(const law_row *rows, wide_mask index)
{
    wide_mask first = {index[0], index[0], index[0], index[0], index[0], index[0], index[0], index[0]};
    return wide_all(index == first) ? law_of_all(&rows[index[0]]) : law_of_each(rows, index);
}

static inline wide3 across(wide3 v, wide3 normal)
{
    return wide3_sub(v, wide3_scale(normal, wide3_dot(v, normal)));
}

static inline wide length(wide3 v)
{
    return wide_sqrt(wide3_dot(v, v));
}

// A spring and a damper side by side whose force is at most `most`: beyond that they slip, and the spring keeps what it
// can bear.
static inline wide3 pull(wide3 *spring, wide3 velocity, wide stiffness, wide damping, wide most)
{
    wide tiny = wide_set(REAL_TINY);
    wide stretched = stiffness * length(*spring);
    *spring = wide3_scale(*spring, wide_select(stretched > most, most / wide_max(stretched, tiny), wide_set(1)));
    wide3 force = wide3_add(wide3_scale(*spring, -stiffness), wide3_scale(velocity, -damping));
    wide size = length(force);
    return wide3_scale(force, wide_select(size > most, most / wide_max(size, tiny), wide_set(1)));
}

// The spring of the last step, turned into the plane of contact without losing length.
static inline wide3 turn_spring(wide3 spring, wide3 normal)
{
    wide3 turned = across(spring, normal);
    wide ratio = wide3_dot(spring, spring) / wide_max(wide3_dot(turned, turned), wide_set(REAL_TINY));
    return wide3_scale(turned, wide_sqrt(ratio));
}

static inline void resist_rolling(touch *t, const law_lanes *law, wide stiffness, wide damping, wide push, real step)
{
    wide square = t->radius * t->radius, angular = stiffness * square, damped = damping * square;
    wide turning = wide3_dot(t->spin, t->normal);
    wide3 rolling = wide3_sub(t->spin, wide3_scale(t->normal, turning));
    t->rolled = wide3_add(turn_spring(t->rolled, t->normal), wide3_scale(rolling, wide_set(step)));
    wide3 torque = pull(&t->rolled, rolling, angular, damped, law->rolling * push);
    wide3 spun = {t->spun + step * turning, wide_set(0), wide_set(0)}, about = {turning, wide_set(0), wide_set(0)};
    wide3 twist = pull(&spun, about, angular, damped, law->spinning * push);
    t->spun = spun.x;
    t->torque = wide3_add(torque, wide3_scale(t->normal, twist.x));
}

// Equations (5.15), (5.16) along the normal, or Hertz (1882) with the damper of Tsuji et al. (1992); Cundall and Strack
// (1979) or Mindlin (1949) across it. A growing load leaves the tangential force as it is, a falling one lets go of its
// part (Thornton et al. 2013): otherwise cycles of load would create energy.
static inline void contact_law(touch *t, const law_lanes *law, bool hertz, bool resists_rolling, real step)
{
    wide zero = wide_set(0), mass = 1 / t->inverse_mass, elastic, tangential, damped;
    if (hertz) {
        t->stiffness = law->stiffness[0] * wide_sqrt(t->radius * t->depth);
        elastic = wide_set((real)(2.0 / 3.0)) * t->stiffness * t->depth;
        t->damping = law->damping[2] * wide_sqrt(t->stiffness * mass);
        tangential = law->tangential[0] * t->stiffness;
        damped = law->damping[2] * wide_sqrt(tangential * mass);
    } else {
        t->stiffness = law->stiffness[0] + law->stiffness[1] * mass;
        elastic = t->stiffness * t->depth;
        t->damping = law->damping[0] + law->damping[1] * mass + law->damping[2] * wide_sqrt(mass);
        tangential = law->tangential[0] * t->stiffness;
        damped = law->tangential[1] * t->damping;
    }
    wide parting = wide3_dot(t->velocity, t->normal);
    wide along = elastic - t->damping * parting;
    wide push = wide_max(along, zero);
    wide3 sliding = wide3_sub(t->velocity, wide3_scale(t->normal, parting));
    wide3 spring = turn_spring(t->spring, t->normal);
    if (hertz)
        spring = wide3_scale(spring, wide_select(t->stiffness > t->loaded, t->loaded / t->stiffness, wide_set(1)));
    t->spring = wide3_add(spring, wide3_scale(sliding, wide_set(step)));
    t->loaded = t->stiffness;
    wide3 friction = pull(&t->spring, sliding, tangential, damped, law->friction * push);
    t->force = wide3_add(wide3_scale(t->normal, along - law->cohesion), friction);
    if (resists_rolling)
        resist_rolling(t, law, tangential, damped, push, step);
}

static void points(const law_table *laws, point_lanes *lanes)
{
    wide_mask index;
    memcpy(&index, lanes->law, sizeof index);
    law_lanes law = find_laws(laws->rows, index);
    touch t = {.normal = wide3_load(lanes->normal),
               .depth = wide_load(lanes->depth),
               .velocity = wide3_load(lanes->velocity),
               .spin = wide3_load(lanes->spin),
               .inverse_mass = wide_load(lanes->inverse_mass),
               .radius = wide_load(lanes->radius),
               .spring = wide3_load(lanes->spring),
               .rolled = wide3_load(lanes->rolled),
               .loaded = wide_load(lanes->history_stiffness),
               .spun = wide_load(lanes->spun)};
    contact_law(&t, &law, laws->hertz, laws->resists_rolling, laws->step);
    wide3_store(lanes->spring, t.spring);
    wide3_store(lanes->rolled, t.rolled);
    wide_store(lanes->history_stiffness, t.loaded);
    wide_store(lanes->spun, t.spun);
    wide3_store(lanes->force, t.force);
    wide3_store(lanes->torque, t.torque);
    wide_store(lanes->stiffness, t.stiffness);
    wide_store(lanes->damping, t.damping);
}

// -------------------------------------------------------------------------------------------------- pairs of spheres

static inline four_doubles four_doubles_load(const double *from)
{
    four_doubles result;
    memcpy(&result, from, sizeof result);
    return result;
}

// Four particles in the order of components.
typedef struct centers {
    four_doubles x, y, z, radius;
} centers;

static inline centers load_centers(const particle *particles, const uint32_t *index)
{
    four_doubles r[4];
    for (int i = 0; i < 4; i++)
        r[i] = four_doubles_load(particles[index[i]].center);
    four_doubles a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6);
    four_doubles b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    four_doubles c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6);
    four_doubles d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    return (centers){__builtin_shufflevector(a, c, 0, 1, 4, 5), __builtin_shufflevector(b, d, 0, 1, 4, 5),
                     __builtin_shufflevector(a, c, 2, 3, 6, 7), __builtin_shufflevector(b, d, 2, 3, 6, 7)};
}

typedef struct side {
    centers half[2];
    wide radius;
    wide3 velocity;
    wide inverse_mass;
    wide3 spin;
    wide_mask material;
} side;

static inline side load_side(const particle *particles, const uint32_t *index)
{
    wide r[LANES];
    side to;
    for (int i = 0; i < LANES; i++)
        r[i] = wide_load(particles[index[i]].velocity);
    wide_transpose(r);
    to.half[0] = load_centers(particles, index);
    to.half[1] = load_centers(particles, index + LANES / 2);
    to.radius = join_halves(floats_of_doubles(to.half[0].radius), floats_of_doubles(to.half[1].radius));
    to.velocity = (wide3){r[0], r[1], r[2]};
    to.inverse_mass = r[3];
    to.spin = (wide3){r[4], r[5], r[6]};
    to.material = (wide_mask)r[7];
    return to;
}

// Normal and overlap from differences of centres.
static inline void measure(touch *t, const side *a, const side *b)
{
    four_floats distance[2], depth[2], x[2], y[2], z[2];
    for (int h = 0; h < 2; h++) {
        const centers *of_a = &a->half[h], *of_b = &b->half[h];
        four_doubles dx = of_b->x - of_a->x, dy = of_b->y - of_a->y, dz = of_b->z - of_a->z, far;
        four_doubles reach = of_a->radius + of_b->radius, square = dx * dx + dy * dy + dz * dz;
        for (int i = 0; i < LANES / 2; i++)
            far[i] = sqrt(square[i]);
        depth[h] = floats_of_doubles((reach * reach - square) / (reach + far));
        distance[h] = floats_of_doubles(far);
        x[h] = floats_of_doubles(dx);
        y[h] = floats_of_doubles(dy);
        z[h] = floats_of_doubles(dz);
    }
    wide far = join_halves(distance[0], distance[1]), away = wide_max(far, wide_set(REAL_TINY));
    t->depth = join_halves(depth[0], depth[1]);
    t->normal.x = join_halves(x[0], x[1]) / away;
    t->normal.y = join_halves(y[0], y[1]) / away;
    t->normal.z = wide_select(far > 0, join_halves(z[0], z[1]) / away, wide_set(1));
}

// Up to eight pairs, `last` of which are real.
typedef struct lane_pairs {
    size_t pair[LANES];
    uint32_t a[LANES], b[LANES];
    int count;
} lane_pairs;

static inline void load_history(const float (*rows)[4], const lane_pairs *of, wide columns[4])
{
    for (int i = 0; i < 4; i++)
        columns[i] = join_halves(four_floats_load(rows[of->pair[i]]), four_floats_load(rows[of->pair[i + 4]]));
    turn_rows(columns);
}

static inline void store_history(float (*rows)[4], const lane_pairs *of, const wide columns[4])
{
    wide r[4] = {columns[0], columns[1], columns[2], columns[3]};
    turn_rows(r);
    for (int i = 0; i < of->count; i++)
        memcpy(rows[of->pair[i]], (const float *)&r[i % 4] + i / 4 * 4, sizeof *rows);
}

static inline void add_load(contact_load *to, wide row)
{
    wide_store((float *)to, wide_load((const float *)to) + row);
}

static inline void spread_loads(const pair_job *job, const lane_pairs *of, wide on_a[LANES], wide on_b[LANES])
{
    wide_transpose(on_a);
    wide_transpose(on_b);
    for (int i = 0; i < of->count; i++) {
        add_load(&job->loads[of->a[i]], on_a[i]);
        wide_store((float *)&job->rows[job->row_of[of->pair[i]]], on_b[i]);
    }
}

static inline wide3 where(wide_mask mask, wide3 v)
{
    return wide3_select(mask, v, (wide3){wide_set(0), wide_set(0), wide_set(0)});
}

// Pairs that seemed to touch by their distance alone.
static void part(const pair_job *job, const lane_pairs *of, uint32_t bits)
{
    for (int i = 0; i < of->count; i++)
        if (bits >> i & 1)
            job->touches[of->pair[i]] = 0;
}

static inline __attribute__((always_inline)) void push_pairs(const pair_job *job, const lane_pairs *of, bool hertz,
                                                             bool resists_rolling)
{
    side a = load_side(job->particles, of->a), b = load_side(job->particles, of->b);
    touch t;
    measure(&t, &a, &b);
    wide_mask touches = t.depth > 0;
    t.depth = wide_max(t.depth, wide_set(0));
    wide arm_a = a.radius - wide_set(0.5f) * t.depth, arm_b = b.radius - wide_set(0.5f) * t.depth;
    wide3 surface = wide3_cross(wide3_add(wide3_scale(a.spin, arm_a), wide3_scale(b.spin, arm_b)), t.normal);
    t.velocity = wide3_sub(wide3_sub(b.velocity, a.velocity), surface);
    t.inverse_mass = a.inverse_mass + b.inverse_mass;
    t.radius = a.radius * b.radius / (a.radius + b.radius);
    wide history[4], angles[4];
    load_history((const float(*)[4])job->spring, of, history);
    t.spring = (wide3){history[0], history[1], history[2]};
    t.loaded = history[3];
    if (resists_rolling) {
        t.spin = wide3_sub(b.spin, a.spin);
        load_history((const float(*)[4])job->rolled, of, angles);
        t.rolled = (wide3){angles[0], angles[1], angles[2]};
        t.spun = angles[3];
    }
    law_lanes law = find_laws(job->laws.rows, a.material * (int32_t)job->laws.materials + b.material);
    contact_law(&t, &law, hertz, resists_rolling, job->laws.step);
    wide3 force = where(touches, t.force), twist = wide3_cross(t.normal, force);
    wide3 torque_a = wide3_scale(twist, -arm_a), torque_b = wide3_scale(twist, -arm_b);
    if (resists_rolling) {
        wide3 rolling = where(touches, t.torque);
        torque_a = wide3_sub(torque_a, rolling);
        torque_b = wide3_add(torque_b, rolling);
        t.rolled = where(touches, t.rolled);
        t.spun = wide_select(touches, t.spun, wide_set(0));
        store_history(job->rolled, of, (wide[4]){t.rolled.x, t.rolled.y, t.rolled.z, t.spun});
    }
    t.spring = where(touches, t.spring);
    t.loaded = wide_select(touches, t.loaded, wide_set(0));
    store_history(job->spring, of, (wide[4]){t.spring.x, t.spring.y, t.spring.z, t.loaded});
    if (!wide_all(touches))
        part(job, of, ~wide_bits(touches));
    t.stiffness = wide_select(touches, t.stiffness, wide_set(0));
    t.damping = wide_select(touches, t.damping, wide_set(0));
    wide on_a[LANES] = {-force.x, -force.y, -force.z, t.stiffness, torque_a.x, torque_a.y, torque_a.z, t.damping};
    wide on_b[LANES] = {force.x, force.y, force.z, t.stiffness, torque_b.x, torque_b.y, torque_b.z, t.damping};
    spread_loads(job, of, on_a, on_b);
}

// Which of four pairs touch.
static inline four_floats compare_four(const pair_job *job, size_t first)
{
    centers a = load_centers(job->particles, job->a + first), b = load_centers(job->particles, job->b + first);
    four_doubles x = b.x - a.x, y = b.y - a.y, z = b.z - a.z, reach = a.radius + b.radius;
    wide touching = (wide)(x * x + y * y + z * z < reach * reach);
    return __builtin_shufflevector(touching, touching, 0, 2, 4, 6);
}

static inline wide_mask compare(const pair_job *job, size_t first)
{
    return (wide_mask)join_halves(compare_four(job, first), compare_four(job, first + LANES / 2));
}

// Contacts that ended forget what they remembered, and push no more.
static inline void forget(const pair_job *job, size_t first, uint32_t bits)
{
    for (; bits; bits &= bits - 1) {
        size_t pair = first + (size_t)__builtin_ctz(bits);
        memset(job->spring[pair], 0, sizeof *job->spring);
        memset(&job->rows[job->row_of[pair]], 0, sizeof *job->rows);
        if (job->rolled)
            memset(job->rolled[pair], 0, sizeof *job->rolled);
    }
}

// Appends the pairs of a chunk that touch.
static inline size_t find_touching(const pair_job *job, size_t begin, size_t end, uint32_t *found, size_t count)
{
    static const wide_mask steps = {0, 1, 2, 3, 4, 5, 6, 7};
    for (size_t i = begin; i < end; i += LANES) {
        wide_mask real_lanes = steps < (int32_t)(end - i < LANES ? end - i : LANES);
        wide_mask touching = compare(job, i) & real_lanes, before;
        memcpy(&before, job->touches + i, sizeof before);
        forget(job, i, wide_bits(before & ~touching & real_lanes));
        // The lanes beyond belong to another block, and perhaps to another thread.
        memcpy(job->touches + i, &touching, (end - i < LANES ? end - i : LANES) * sizeof *job->touches);
        uint32_t bits = wide_bits(touching);
        for (uint32_t k = 0; k < LANES; k++) {
            found[count] = (uint32_t)(i - begin) + k;
            count += bits >> k & 1;
        }
    }
    return count;
}

static inline __attribute__((always_inline)) void push_block(const pair_job *job, size_t block, bool hertz,
                                                             bool resists_rolling)
{
    size_t end = job->block_first[block + 1];
    lane_pairs now = {.count = 0};
    for (size_t begin = job->block_first[block]; begin < end; begin += CHUNK) {
        uint32_t found[CHUNK + LANES];
        size_t count = find_touching(job, begin, begin + CHUNK < end ? begin + CHUNK : end, found, 0);
        for (size_t i = 0; i < count; i++) {
            size_t pair = begin + found[i];
            now.pair[now.count] = pair;
            now.a[now.count] = job->a[pair];
            now.b[now.count] = job->b[pair];
            if (++now.count == LANES) {
                push_pairs(job, &now, hertz, resists_rolling);
                now.count = 0;
            }
        }
    }
    if (now.count == 0)
        return;
    for (int i = now.count; i < LANES; i++) { // idle lanes repeat the first
        now.pair[i] = now.pair[0];
        now.a[i] = now.a[0];
        now.b[i] = now.b[0];
    }
    push_pairs(job, &now, hertz, resists_rolling);
}

static void pairs(const pair_job *job, size_t block)
{
    if (job->laws.hertz && job->laws.resists_rolling)
        push_block(job, block, true, true);
    else if (job->laws.hertz)
        push_block(job, block, true, false);
    else if (job->laws.resists_rolling)
        push_block(job, block, false, true);
    else
        push_block(job, block, false, false);
}

static void gather(const gather_job *job, size_t first, size_t end)
{
    uint32_t row = first > 0 ? job->row_end[job->active[first - 1]] : 0;
    for (size_t i = first; i < end; i++) {
        uint32_t index = job->active[i], last = job->row_end[index];
        if (row == last)
            continue;
        wide sum = wide_load((const float *)&job->loads[index]);
        for (; row < last; row++)
            sum += wide_load((const float *)&job->rows[row]);
        wide_store((float *)&job->loads[index], sum);
    }
}

const penalty_kernels JOIN(penalty_kernels_, SCREE_KERNEL_SUFFIX) = {pairs,
                                                                     gather,
                                                                     points,
                                                                     PENALTY_KERNEL(groups),
                                                                     PENALTY_KERNEL(paths),
                                                                     PENALTY_KERNEL(boxes),
                                                                     PENALTY_KERNEL(place),
                                                                     PENALTY_KERNEL(sum)};
