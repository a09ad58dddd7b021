// Making the system of an island, and the passes over its constraints that a step of Newton consists of.
#include "solve/newton/newton_system.h"

#include <string.h>

#include "base/error.h"

// Directions that cannot move have no diagonal of their own: a little of the constraint's other directions stands in.
static const double LEAST_DIAGONAL = 1e-12;

static bool is_movable(const problem_body *body)
{
    const mat3 *inertia = &body->inverse_inertia;
    return body->inverse_mass > 0 || inertia->m[0][0] > 0 || inertia->m[1][1] > 0 || inertia->m[2][2] > 0;
}

// What velocities of bodies give at a contact.
static spatial contact_change(const newton_system *system, const problem_row *row)
{
    const spatial *a = &system->velocity[row->a], *b = &system->velocity[row->b];
    vec3 at_a = vec3_add(a->linear, vec3_cross(a->angular, row->arm_a));
    vec3 at_b = vec3_add(b->linear, vec3_cross(b->angular, row->arm_b));
    return (spatial){vec3_sub(at_b, at_a), vec3_sub(b->angular, a->angular)};
}

double joint_row_speed(const joint_row *row, const spatial *velocity)
{
    double speed = 0;
    for (int i = 0; i < JOINT_ROW_BODIES; i++)
        if (row->body[i] != NO_BODY) {
            const spatial *v = &velocity[row->body[i]];
            speed += vec3_dot(row->linear[i], v->linear) + vec3_dot(row->angular[i], v->angular);
        }
    return speed;
}

static spatial contact_speed(const newton_system *system, const contact_state *c)
{
    spatial change = contact_change(system, c->row);
    return (spatial){vec3_add(c->free.linear, change.linear), vec3_add(c->free.angular, change.angular)};
}

// ---- making

static size_t add_row_pairs(const joint_row *row, const uint32_t *number, sparse_pair *pairs)
{
    size_t count = 0;
    for (int i = 0; i < JOINT_ROW_BODIES; i++)
        for (int j = i + 1; j < JOINT_ROW_BODIES; j++)
            if (row->body[i] != NO_BODY && row->body[j] != NO_BODY && number[row->body[i]] != NO_BODY &&
                number[row->body[j]] != NO_BODY)
                pairs[count++] = (sparse_pair){number[row->body[i]], number[row->body[j]]};
    return count;
}

static size_t add_pairs(const island *problem, const uint32_t *number, sparse_pair *pairs)
{
    size_t count = 0;
    for (size_t i = 0; i < problem->contact_count; i++) {
        sparse_pair pair = {number[problem->contacts[i].a], number[problem->contacts[i].b]};
        if (pair.a != NO_BODY && pair.b != NO_BODY)
            pairs[count++] = pair;
    }
    for (size_t i = 0; i < problem->row_count; i++)
        count += add_row_pairs(&problem->rows[i], number, pairs + count);
    return count;
}

// Numbers the movable bodies and takes the arrays that go by place.
static scree_status place_bodies(newton_system *system, arena *scratch, scree_error *error)
{
    const island *problem = system->island;
    system->place = arena_array(scratch, uint32_t, problem->body_count);
    system->velocity = arena_array(scratch, spatial, problem->body_count);
    if (!system->place || !system->velocity)
        return fail_no_memory(error);
    for (size_t i = 0; i < problem->body_count; i++)
        system->place[i] = is_movable(&problem->bodies[i]) ? (uint32_t)system->movable_count++ : NO_BODY;
    system->body = arena_array(scratch, uint32_t, system->movable_count);
    system->root = arena_array(scratch, mass_root, system->movable_count);
    system->momentum = arena_array(scratch, spatial, system->movable_count);
    if (!system->body || !system->root || !system->momentum)
        return fail_no_memory(error);
    for (uint32_t i = 0; i < problem->body_count; i++)
        if (system->place[i] != NO_BODY) {
            system->body[system->place[i]] = i;
            system->root[system->place[i]] = mass_root_make(&problem->bodies[i]);
        }
    return SCREE_OK;
}

// Bodies change to their places in the order of elimination.
static void move_to_places(newton_system *system)
{
    const island *problem = system->island;
    const sparse_structure *structure = &system->matrix.structure;
    for (uint32_t i = 0; i < problem->body_count; i++) {
        if (system->place[i] == NO_BODY)
            continue;
        uint32_t place = structure->place[system->place[i]];
        system->place[i] = place;
        system->body[place] = i;
        system->root[place] = mass_root_make(&problem->bodies[i]);
    }
}

static size_t find_off_diagonal(newton_system *system, uint32_t a, uint32_t b)
{
    uint32_t x = system->place[a], y = system->place[b];
    if (x == NO_BODY || y == NO_BODY || x == y)
        return SIZE_MAX;
    size_t found = sparse_blocks_find(&system->matrix, x > y ? x : y, x > y ? y : x);
    system->joined[found] = true;
    return found;
}

// Elements of a contact's block: the velocity at the arm that impulses along the normal n and across it, along s and t,
// give.
typedef struct contact_frame {
    vec3 n, s, t;
} contact_frame;

typedef struct block_elements {
    double nn, ss, tt, st;
} block_elements;

static void add_elements(const problem_body *body, vec3 arm, const contact_frame *f, block_elements *to)
{
    if (!is_movable(body))
        return;
    vec3 n = vec3_cross(arm, f->n), s = vec3_cross(arm, f->s), t = vec3_cross(arm, f->t);
    vec3 by_n = mat3_apply(&body->inverse_inertia, n), by_s = mat3_apply(&body->inverse_inertia, s);
    vec3 by_t = mat3_apply(&body->inverse_inertia, t);
    to->nn += body->inverse_mass * vec3_dot(f->n, f->n) + vec3_dot(by_n, n);
    to->ss += body->inverse_mass * vec3_dot(f->s, f->s) + vec3_dot(by_s, s);
    to->tt += body->inverse_mass * vec3_dot(f->t, f->t) + vec3_dot(by_t, t);
    to->st += body->inverse_mass * vec3_dot(f->s, f->t) + vec3_dot(by_s, t);
}

static double largest_eigenvalue(double xx, double yy, double xy)
{
    return 0.5 * (xx + yy) + sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy);
}

static double turn_element(const problem_body *a, const problem_body *b, vec3 p, vec3 q)
{
    return vec3_dot(mat3_apply(&a->inverse_inertia, p), q) + vec3_dot(mat3_apply(&b->inverse_inertia, p), q);
}

static bool turns_with_friction(const problem_row *row)
{
    return row->spinning > 0 || row->rolling > 0;
}

// The discs of spinning and rolling, which few contacts have.
static void set_angular_block(const problem_body *a, const problem_body *b, const contact_frame *f, cone_metric *block)
{
    double spinning = turn_element(a, b, f->n, f->n);
    double rolling = largest_eigenvalue(turn_element(a, b, f->s, f->s), turn_element(a, b, f->t, f->t),
                                        turn_element(a, b, f->s, f->t));
    double most = fmax(spinning, rolling);
    block->disc[1] = fmax(spinning, LEAST_DIAGONAL * most);
    block->disc[2] = fmax(rolling, LEAST_DIAGONAL * most);
}

static cone_metric contact_block(const problem_row *row, const problem_body *a, const problem_body *b)
{
    vec3 n = row->normal, other = fabs(n.x) < 0.57 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
    vec3 s = vec3_normalize(vec3_cross(n, other));
    contact_frame frame = {n, s, vec3_cross(n, s)};
    block_elements own = {0, 0, 0, 0};
    add_elements(a, row->arm_a, &frame, &own);
    add_elements(b, row->arm_b, &frame, &own);
    cone_metric block = {.normal = own.nn, .disc = {largest_eigenvalue(own.ss, own.tt, own.st)}};
    double most = fmax(block.normal, block.disc[0]);
    block.normal = fmax(block.normal, LEAST_DIAGONAL * most);
    block.disc[0] = fmax(block.disc[0], LEAST_DIAGONAL * most);
    if (turns_with_friction(row))
        set_angular_block(a, b, &frame, &block);
    return block;
}

static contact_state make_contact(const newton_system *system, const problem_row *row)
{
    const problem_body *a = &system->island->bodies[row->a], *b = &system->island->bodies[row->b];
    contact_state c = {.row = row,
                       .cone = {row->normal, {row->friction, row->spinning, row->rolling}, false},
                       .block = contact_block(row, a, b)};
    double inverse_mass = a->inverse_mass + b->inverse_mass, angular = fmax(c.block.disc[1], c.block.disc[2]);
    c.idle = !(c.block.normal > 0);
    c.cone.has_angular = angular > 0;
    c.lever = inverse_mass > 0 ? sqrt(angular / inverse_mass) : 1;
    return c;
}

void joint_row_scale(const island *problem, const joint_row *row, double *block, double *lever)
{
    double inverse_mass = 0;
    *block = 0;
    for (int i = 0; i < JOINT_ROW_BODIES; i++) {
        if (row->body[i] == NO_BODY)
            continue;
        const problem_body *body = &problem->bodies[row->body[i]];
        *block += body->inverse_mass * vec3_dot(row->linear[i], row->linear[i]) +
                  vec3_dot(row->angular[i], mat3_apply(&body->inverse_inertia, row->angular[i]));
        inverse_mass += body->inverse_mass;
    }
    *lever = inverse_mass > 0 ? sqrt(*block / inverse_mass) : 1;
}

static row_state make_row(const newton_system *system, const joint_row *row)
{
    row_state r = {.row = row};
    joint_row_scale(system->island, row, &r.block, &r.lever);
    r.idle = !(r.block > 0);
    return r;
}

// The speeds of constraints in free motion are taken once: what impulses change is small beside the velocities of
// bodies that move together, and would drown in their rounding errors.
static void take_free_speeds(newton_system *system)
{
    const island *problem = system->island;
    for (size_t i = 0; i < problem->body_count; i++)
        system->velocity[i] = (spatial){problem->bodies[i].velocity, problem->bodies[i].spin};
    for (size_t i = 0; i < problem->contact_count; i++)
        system->contacts[i].free = contact_change(system, &problem->contacts[i]);
    for (size_t i = 0; i < problem->row_count; i++)
        system->rows[i].free = joint_row_speed(&problem->rows[i], system->velocity);
    memset(system->velocity, 0, problem->body_count * sizeof *system->velocity);
}

scree_status newton_system_make(newton_system *system, const island *problem, arena *scratch, scree_error *error)
{
    *system = (newton_system){.island = problem, .convex = problem->convex};
    system->contacts = arena_array(scratch, contact_state, problem->contact_count);
    system->rows = arena_array(scratch, row_state, problem->row_count);
    if (!system->contacts || !system->rows)
        return fail_no_memory(error);
    scree_status status = place_bodies(system, scratch, error);
    if (status)
        return status;
    for (size_t i = 0; i < problem->contact_count; i++)
        system->contacts[i] = make_contact(system, &problem->contacts[i]);
    for (size_t i = 0; i < problem->row_count; i++)
        system->rows[i] = make_row(system, &problem->rows[i]);
    take_free_speeds(system);
    return SCREE_OK;
}

static void find_blocks(newton_system *system)
{
    const island *problem = system->island;
    for (size_t i = 0; i < problem->contact_count; i++)
        system->contacts[i].off_diagonal = find_off_diagonal(system, problem->contacts[i].a, problem->contacts[i].b);
    for (size_t k = 0; k < problem->row_count; k++) {
        const uint32_t *body = problem->rows[k].body;
        for (int i = 0, pair = 0; i < JOINT_ROW_BODIES; i++)
            for (int j = i + 1; j < JOINT_ROW_BODIES; j++, pair++)
                system->rows[k].off_diagonal[pair] =
                    body[i] == NO_BODY || body[j] == NO_BODY ? SIZE_MAX : find_off_diagonal(system, body[i], body[j]);
    }
}

scree_status newton_system_order(newton_system *system, arena *scratch, scree_error *error)
{
    const island *problem = system->island;
    sparse_pair *pairs = arena_array(scratch, sparse_pair, problem->contact_count + 3 * problem->row_count);
    if (!pairs)
        return fail_no_memory(error);
    sparse_structure *structure = &system->matrix.structure;
    scree_status status =
        sparse_order(structure, system->movable_count, pairs, add_pairs(problem, system->place, pairs), scratch, error);
    if (!status)
        status = sparse_blocks_prepare(&system->matrix, problem->convex, scratch, error);
    if (status)
        return status;
    system->held.structure = *structure;
    if (problem->row_count > 0)
        status = sparse_blocks_prepare(&system->held, problem->convex, scratch, error);
    if (status)
        return status;
    size_t blocks = structure->column_start[system->movable_count];
    system->joined = arena_array(scratch, uint8_t, blocks);
    if (!system->joined)
        return fail_no_memory(error);
    memset(system->joined, 0, blocks);
    move_to_places(system);
    find_blocks(system);
    return SCREE_OK;
}

void newton_system_load(newton_system *system)
{
    for (size_t i = 0; i < system->island->contact_count; i++) {
        contact_state *c = &system->contacts[i];
        if (!c->idle)
            c->impulse.linear = c->row->impulse;
        if (!c->idle && c->cone.has_angular)
            c->impulse.angular = c->row->angular_impulse;
    }
    for (size_t i = 0; i < system->island->row_count; i++)
        if (!system->rows[i].idle)
            system->rows[i].impulse = system->rows[i].row->impulse;
}

bool newton_system_is_linear(const newton_system *system)
{
    for (size_t i = 0; i < system->island->contact_count; i++)
        if (!system->contacts[i].idle)
            return false;
    for (size_t i = 0; i < system->island->row_count; i++)
        if (!system->rows[i].idle && !row_holds_both_ways(&system->rows[i]))
            return false;
    return true;
}

void newton_system_forget_joints(newton_system *system)
{
    for (size_t i = 0; i < system->island->row_count; i++)
        if (row_holds_both_ways(&system->rows[i]))
            system->rows[i].impulse = 0;
}

void newton_system_stiffen(newton_system *system, double stiffness, double joint_stiffness)
{
    if (stiffness == system->stiffness && joint_stiffness == system->joint_stiffness)
        return;
    system->stiffness = stiffness;
    system->joint_stiffness = joint_stiffness;
    system->factored = false;
    for (size_t i = 0; i < system->island->contact_count; i++) {
        contact_state *c = &system->contacts[i];
        c->weight.normal = c->block.normal / stiffness + c->row->compliance;
        for (int j = 0; j < CONE_DISCS; j++)
            c->weight.disc[j] = c->block.disc[j] / stiffness;
    }
    for (size_t i = 0; i < system->island->row_count; i++) {
        row_state *r = &system->rows[i];
        r->softness = r->block / (row_holds_both_ways(r) ? joint_stiffness : stiffness);
        r->weight = r->softness + r->row->compliance;
    }
}

void newton_system_relax(newton_system *system, bool convex)
{
    system->convex = convex;
    system->factored = false;
    for (size_t i = 0; i < system->island->contact_count; i++) {
        contact_state *c = &system->contacts[i];
        c->lift = convex && !system->island->convex ? cone_lift(&c->cone, contact_speed(system, c)) : 0;
    }
}

void newton_system_set_anchors(newton_system *system, spatial *base)
{
    newton_system_push(system, base);
    newton_system_move(system, base);
    for (size_t i = 0; i < system->island->contact_count; i++) {
        contact_state *c = &system->contacts[i];
        c->anchor = c->impulse;
        c->base = contact_speed(system, c);
    }
    for (size_t i = 0; i < system->island->row_count; i++) {
        row_state *r = &system->rows[i];
        r->anchor = r->impulse;
        r->base = r->free + joint_row_speed(r->row, system->velocity);
    }
}

void newton_system_return_to_anchors(newton_system *system)
{
    for (size_t i = 0; i < system->island->contact_count; i++)
        system->contacts[i].impulse = system->contacts[i].anchor;
    for (size_t i = 0; i < system->island->row_count; i++)
        system->rows[i].impulse = system->rows[i].anchor;
}

double newton_system_anchor_distance(const newton_system *system)
{
    double sum = 0;
    for (size_t i = 0; i < system->island->contact_count; i++) {
        const contact_state *c = &system->contacts[i];
        vec3 linear = vec3_sub(c->impulse.linear, c->anchor.linear);
        vec3 angular = vec3_sub(c->impulse.angular, c->anchor.angular);
        sum += (c->block.normal * vec3_dot(linear, linear) + c->block.disc[2] * vec3_dot(angular, angular)) /
               system->stiffness;
    }
    for (size_t i = 0; i < system->island->row_count; i++) {
        const row_state *r = &system->rows[i];
        sum += r->softness * (r->impulse - r->anchor) * (r->impulse - r->anchor);
    }
    return sum;
}

double newton_system_impulse_sum(const newton_system *system)
{
    double sum = 0;
    for (size_t i = 0; i < system->island->contact_count; i++) {
        const contact_state *c = &system->contacts[i];
        sum += c->block.normal * vec3_dot(c->impulse.linear, c->impulse.linear);
    }
    for (size_t i = 0; i < system->island->row_count; i++) {
        const row_state *r = &system->rows[i];
        sum += r->block * r->impulse * r->impulse;
    }
    return sum;
}

double newton_system_impulse_speed(const newton_system *system)
{
    double most = 0;
    for (size_t i = 0; i < system->island->contact_count; i++) {
        const contact_state *c = &system->contacts[i];
        most = fmax(most, vec3_length(c->impulse.linear) * c->block.normal);
    }
    for (size_t i = 0; i < system->island->row_count; i++) {
        const row_state *r = &system->rows[i];
        if (!r->idle)
            most = fmax(most, fabs(r->impulse) * r->block / r->lever);
    }
    return most;
}

// ---- passes

void newton_system_move(newton_system *system, const spatial *y)
{
    for (size_t i = 0; i < system->movable_count; i++)
        system->velocity[system->body[i]] = mass_root_apply(&system->root[i], &y[i]);
}

void newton_system_move_from(newton_system *system, const spatial *base, const spatial *y)
{
    for (size_t i = 0; i < system->movable_count; i++) {
        spatial sum = {vec3_add(base[i].linear, y[i].linear), vec3_add(base[i].angular, y[i].angular)};
        system->velocity[system->body[i]] = mass_root_apply(&system->root[i], &sum);
    }
}

static double row_speed(const newton_system *system, const row_state *r)
{
    return r->free + joint_row_speed(r->row, system->velocity);
}

// from - W^-1 u, part by part; `normal` is what stands there for u_n.
static spatial step_back(const cone *c, const cone_metric *weight, spatial from, spatial u, double normal)
{
    double u_n = vec3_dot(c->normal, u.linear);
    vec3 across = vec3_add_scaled(u.linear, c->normal, -u_n);
    spatial z = from;
    z.linear = vec3_add_scaled(z.linear, across, -1 / weight->disc[0]);
    z.linear = vec3_add_scaled(z.linear, c->normal, -normal / weight->normal);
    if (c->has_angular) {
        double angular = vec3_dot(c->normal, u.angular);
        vec3 roll = vec3_add_scaled(u.angular, c->normal, -angular);
        z.angular = vec3_add_scaled(z.angular, c->normal, -angular / weight->disc[1]);
        z.angular = vec3_add_scaled(z.angular, roll, -1 / weight->disc[2]);
    }
    return z;
}

static void push_contact(newton_system *system, const problem_row *row, const spatial *p)
{
    uint32_t a = system->place[row->a], b = system->place[row->b];
    if (a != NO_BODY) {
        spatial *q = &system->momentum[a];
        q->linear = vec3_sub(q->linear, p->linear);
        q->angular = vec3_sub(q->angular, vec3_add(vec3_cross(row->arm_a, p->linear), p->angular));
    }
    if (b != NO_BODY) {
        spatial *q = &system->momentum[b];
        q->linear = vec3_add(q->linear, p->linear);
        q->angular = vec3_add(q->angular, vec3_add(vec3_cross(row->arm_b, p->linear), p->angular));
    }
}

void newton_system_push_row(newton_system *system, const joint_row *row, double impulse)
{
    for (int i = 0; i < JOINT_ROW_BODIES; i++) {
        uint32_t place = row->body[i] == NO_BODY ? NO_BODY : system->place[row->body[i]];
        if (place == NO_BODY)
            continue;
        spatial *q = &system->momentum[place];
        q->linear = vec3_add_scaled(q->linear, row->linear[i], impulse);
        q->angular = vec3_add_scaled(q->angular, row->angular[i], impulse);
    }
}

static double clamp_to(const joint_row *row, double p)
{
    return fmin(fmax(p, row->low), row->high);
}

static void take_momentum(const newton_system *system, spatial *pushed)
{
    for (size_t i = 0; i < system->movable_count; i++)
        pushed[i] = mass_root_apply_transposed(&system->root[i], &system->momentum[i]);
}

void newton_system_push(newton_system *system, spatial *pushed)
{
    memset(system->momentum, 0, system->movable_count * sizeof *system->momentum);
    for (size_t i = 0; i < system->island->contact_count; i++)
        push_contact(system, system->contacts[i].row, &system->contacts[i].impulse);
    for (size_t i = 0; i < system->island->row_count; i++)
        newton_system_push_row(system, system->rows[i].row, system->rows[i].impulse);
    take_momentum(system, pushed);
}

// y(p - p_k)
static void push_differences(newton_system *system, spatial *pushed)
{
    memset(system->momentum, 0, system->movable_count * sizeof *system->momentum);
    for (size_t i = 0; i < system->island->contact_count; i++) {
        const contact_state *c = &system->contacts[i];
        spatial difference = {vec3_sub(c->impulse.linear, c->anchor.linear),
                              vec3_sub(c->impulse.angular, c->anchor.angular)};
        push_contact(system, c->row, &difference);
    }
    for (size_t i = 0; i < system->island->row_count; i++) {
        const row_state *r = &system->rows[i];
        newton_system_push_row(system, r->row, r->impulse - r->anchor);
    }
    take_momentum(system, pushed);
}

// What a contact or a row has to bring to zero, counted from the anchors; the bias is not in the contact's.
static spatial speed_from_anchors(const newton_system *system, const contact_state *c)
{
    spatial change = contact_change(system, c->row);
    return (spatial){vec3_add(c->base.linear, change.linear), vec3_add(c->base.angular, change.angular)};
}

static double miss_from_anchors(const newton_system *system, const row_state *r)
{
    return r->base + r->row->bias + r->row->compliance * r->anchor + joint_row_speed(r->row, system->velocity);
}

void newton_system_project(newton_system *system, spatial *pushed)
{
    for (size_t i = 0; i < system->island->contact_count; i++) {
        contact_state *c = &system->contacts[i];
        if (c->idle)
            continue;
        spatial u = speed_from_anchors(system, c);
        // The anchor is weighted by W_0 and not by W: W^-1 (W_0 p_k - u) = p_k - W^-1 (u + compliance p_k).
        double normal = vec3_dot(c->cone.normal, u.linear) + c->row->bias + c->lift +
                        c->row->compliance * vec3_dot(c->cone.normal, c->anchor.linear);
        c->trial = step_back(&c->cone, &c->weight, c->anchor, u, normal);
        c->impulse = system->convex ? cone_project(&c->cone, &c->weight, c->trial, &c->at)
                                    : cone_project_exact(&c->cone, c->trial, &c->at);
    }
    for (size_t i = 0; i < system->island->row_count; i++) {
        row_state *r = &system->rows[i];
        if (r->idle)
            continue;
        r->trial = r->anchor - miss_from_anchors(system, r) / r->weight;
        r->impulse = clamp_to(r->row, r->trial);
    }
    system->trial_stiffness = system->stiffness;
    push_differences(system, pushed);
}

// The point of the old stiffness as it would be with the new: what a disc slides beyond its rim is stiffness times
// speed.
static void stretch_point(const cone *c, cone_point *at, double ratio)
{
    for (int j = 0; at->normal > 0 && j < (c->has_angular ? CONE_DISCS : 1); j++) {
        double rim = c->radius[j] * at->normal;
        if (at->slides[j])
            at->length[j] = rim + ratio * (at->length[j] - rim);
    }
}

static spatial predict_contact(const newton_system *system, contact_state *c)
{
    spatial p = {{0, 0, 0}, {0, 0, 0}};
    stretch_point(&c->cone, &c->at, system->stiffness / system->trial_stiffness);
    if (c->idle || c->at.normal == 0)
        return p;
    cone_slope slope;
    cone_differentiate(&c->cone, &c->weight, &c->at, !system->convex, &slope);
    spatial u = speed_from_anchors(system, c);
    double load = vec3_dot(c->cone.normal, c->anchor.linear);
    u.linear = vec3_add_scaled(u.linear, c->cone.normal, c->row->bias + c->lift + c->row->compliance * load);
    p.linear = vec3_sub(c->anchor.linear, mat3_apply(&slope.linear, u.linear));
    if (c->cone.has_angular) {
        p.linear = vec3_sub(p.linear, mat3_apply(&slope.mixed, u.angular));
        p.angular = vec3_sub(c->anchor.angular, mat3_apply(&slope.turned, u.linear));
        p.angular = vec3_sub(p.angular, mat3_apply(&slope.angular, u.angular));
    }
    return p;
}

void newton_system_predict(newton_system *system, spatial *pushed)
{
    for (size_t i = 0; i < system->island->contact_count; i++)
        system->contacts[i].impulse = predict_contact(system, &system->contacts[i]);
    for (size_t i = 0; i < system->island->row_count; i++) {
        row_state *r = &system->rows[i];
        if (r->idle || !(r->trial > r->row->low && r->trial < r->row->high))
            continue;
        r->impulse = r->anchor - miss_from_anchors(system, r) / r->weight;
    }
    system->trial_stiffness = system->stiffness;
    push_differences(system, pushed);
}

void newton_system_set_speeds(newton_system *system)
{
    for (size_t i = 0; i < system->island->contact_count; i++)
        system->contacts[i].speed = contact_change(system, system->contacts[i].row);
    for (size_t i = 0; i < system->island->row_count; i++)
        system->rows[i].speed = joint_row_speed(system->rows[i].row, system->velocity);
}

double newton_system_slope(const newton_system *system, double length)
{
    double sum = 0;
    for (size_t i = 0; i < system->island->contact_count; i++) {
        const contact_state *c = &system->contacts[i];
        if (c->idle)
            continue;
        cone_point at;
        spatial u = {vec3_scale(c->speed.linear, length), vec3_scale(c->speed.angular, length)};
        spatial z = step_back(&c->cone, &c->weight, c->trial, u, vec3_dot(c->cone.normal, u.linear));
        spatial p = cone_project(&c->cone, &c->weight, z, &at);
        sum -= vec3_dot(vec3_sub(p.linear, c->anchor.linear), c->speed.linear) +
               vec3_dot(vec3_sub(p.angular, c->anchor.angular), c->speed.angular);
    }
    for (size_t i = 0; i < system->island->row_count; i++) {
        const row_state *r = &system->rows[i];
        if (!r->idle)
            sum -= (clamp_to(r->row, r->trial - length * r->speed / r->weight) - r->anchor) * r->speed;
    }
    return sum;
}

// ---- residual

// The natural map: the impulse after one local step at the relative velocity u, in the metric of the own block. For the
// exact law it is that of Alart and Curnier, as in the sweeps: in de Saxce's the lift mu |u_t| is added and taken off
// again, and its rounding would be the whole residual of an island in which contacts touch and carry nothing.
static spatial contact_step(const newton_system *system, const contact_state *c, spatial u)
{
    const problem_row *row = c->row;
    cone_metric weight = c->block;
    weight.normal += row->compliance;
    double normal =
        vec3_dot(c->cone.normal, u.linear) + row->bias + row->compliance * vec3_dot(c->cone.normal, c->impulse.linear);
    spatial z = step_back(&c->cone, &weight, c->impulse, u, normal);
    cone_point at;
    return system->island->convex ? cone_project(&c->cone, &weight, z, &at) : cone_project_exact(&c->cone, z, &at);
}

double newton_system_step_row(const newton_system *system, const row_state *r)
{
    const joint_row *row = r->row;
    double speed = row_speed(system, r) + row->bias + row->compliance * r->impulse;
    return clamp_to(row, r->impulse - speed / (r->block + row->compliance));
}

static double contact_error(const contact_state *c, spatial next)
{
    vec3 linear = vec3_sub(next.linear, c->impulse.linear);
    vec3 angular = vec3_scale(vec3_sub(next.angular, c->impulse.angular), c->lever);
    return sqrt(vec3_dot(linear, linear) + vec3_dot(angular, angular));
}

typedef struct error_sums {
    double error, largest, load, speed;
    size_t count, loaded;
} error_sums;

static void add_error(error_sums *sums, double error, double load, double speed)
{
    sums->error += error;
    sums->largest = error > sums->largest || isnan(error) ? error : sums->largest;
    sums->speed = fmax(sums->speed, speed);
    sums->load += load;
    sums->loaded += load > 0;
    sums->count++;
}

residual newton_system_residual(const newton_system *system, double *speed)
{
    error_sums sums = {0};
    for (size_t i = 0; i < system->island->contact_count; i++) {
        const contact_state *c = &system->contacts[i];
        spatial u = contact_speed(system, c);
        if (c->idle)
            continue;
        double error = contact_error(c, contact_step(system, c, u));
        add_error(&sums, error, vec3_length(c->impulse.linear), error * (c->block.normal + c->row->compliance));
    }
    for (size_t i = 0; i < system->island->row_count; i++) {
        const row_state *r = &system->rows[i];
        if (r->idle)
            continue;
        double error = fabs(newton_system_step_row(system, r) - r->impulse);
        add_error(&sums, r->lever * error, r->lever * fabs(r->impulse),
                  error * (r->block + r->row->compliance) / r->lever);
    }
    *speed = sums.speed;
    if (sums.error == 0)
        return (residual){0, 0};
    // Without any load yet, the step that a first sweep would take is the only scale there is.
    double scale = sums.loaded ? sums.load / (double)sums.loaded : sums.largest;
    return (residual){sums.error / (double)sums.count / scale, sums.largest / scale};
}

double newton_system_joint_speed(const newton_system *system)
{
    double most = 0;
    for (size_t i = 0; i < system->island->row_count; i++) {
        const row_state *r = &system->rows[i];
        if (row_holds_both_ways(r))
            most = fmax(most, fabs(row_speed(system, r) + r->row->bias + r->row->compliance * r->impulse) / r->lever);
    }
    return most;
}

// ---- sweeps

static void add_impulse(newton_system *system, uint32_t body, vec3 linear, vec3 angular)
{
    const problem_body *b = &system->island->bodies[body];
    spatial *v = &system->velocity[body];
    v->linear = vec3_add_scaled(v->linear, linear, b->inverse_mass);
    v->angular = vec3_add(v->angular, mat3_apply(&b->inverse_inertia, angular));
}

static void sweep_contact(newton_system *system, contact_state *c)
{
    const problem_row *row = c->row;
    spatial next = contact_step(system, c, contact_speed(system, c));
    vec3 linear = vec3_sub(next.linear, c->impulse.linear), angular = vec3_sub(next.angular, c->impulse.angular);
    c->impulse = next;
    add_impulse(system, row->a, vec3_negate(linear), vec3_negate(vec3_add(vec3_cross(row->arm_a, linear), angular)));
    add_impulse(system, row->b, linear, vec3_add(vec3_cross(row->arm_b, linear), angular));
}

void newton_system_add_to_row(newton_system *system, row_state *r, double change)
{
    const joint_row *row = r->row;
    r->impulse += change;
    for (int i = 0; i < JOINT_ROW_BODIES; i++)
        if (row->body[i] != NO_BODY)
            add_impulse(system, row->body[i], vec3_scale(row->linear[i], change), vec3_scale(row->angular[i], change));
}

double newton_system_sweep_row(newton_system *system, row_state *r)
{
    double change = newton_system_step_row(system, r) - r->impulse;
    newton_system_add_to_row(system, r, change);
    return change;
}

void newton_system_sweep(newton_system *system, int sweeps)
{
    for (int sweep = 0; sweep < sweeps; sweep++) {
        for (size_t i = 0; i < system->island->row_count; i++)
            if (!system->rows[i].idle)
                newton_system_sweep_row(system, &system->rows[i]);
        for (size_t i = 0; i < system->island->contact_count; i++)
            if (!system->contacts[i].idle)
                sweep_contact(system, &system->contacts[i]);
    }
}
