// From the rows of a step to matrices. A movable body has three freedoms of velocity and three of spin; a contact has a
// column of D along its normal, two across it, and with rolling or spinning friction turning about those.
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "reference/matrix_dense.h"
#include "reference/matrix_problem.h"

typedef struct freedom { // of a body: its first freedom each, NO_BODY where it has none
    uint32_t linear, angular;
} freedom;

typedef struct builder {
    const problem_body *bodies;
    freedom *freedoms;
    size_t body_count, freedom_count;
    entry_array mass, directions;
    matrix_global *global;
    uint32_t column; // the next
} builder;

static bool can_turn(const problem_body *body)
{
    for (int i = 0; i < 9; i++)
        if (body->inverse_inertia.m[i / 3][i % 3] != 0)
            return true;
    return false;
}

static bool number_freedoms(builder *b)
{
    b->freedoms = calloc(b->body_count + 1, sizeof *b->freedoms);
    if (!b->freedoms)
        return false;
    uint32_t next = 0;
    for (size_t i = 0; i < b->body_count; i++) {
        b->freedoms[i] = (freedom){NO_BODY, NO_BODY};
        if (b->bodies[i].inverse_mass > 0) {
            b->freedoms[i].linear = next;
            next += 3;
        }
        if (can_turn(&b->bodies[i])) {
            b->freedoms[i].angular = next;
            next += 3;
        }
    }
    b->freedom_count = next;
    return true;
}

// The inverse of an inverse inertia by its Cholesky factor, column by column. False when it has none.
static bool invert(const mat3 *inverse, double inertia[9])
{
    double factor[9], lower[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int i = 0; i < 9; i++)
        factor[i] = inverse->m[i / 3][i % 3];
    if (!dense_cholesky(factor, 3))
        return false;
    dense_forward(factor, 3, lower, 3);
    for (int i = 0; i < 9; i++)
        inertia[i] =
            lower[i / 3] * lower[i % 3] + lower[3 + i / 3] * lower[3 + i % 3] + lower[6 + i / 3] * lower[6 + i % 3];
    return true;
}

static scree_status add_body(builder *b, size_t index, scree_error *error)
{
    const problem_body *body = &b->bodies[index];
    freedom at = b->freedoms[index];
    if (!array_reserve(&b->mass, b->mass.count + 12))
        return fail_no_memory(error);
    for (uint32_t i = 0; at.linear != NO_BODY && i < 3; i++) {
        double mass = 1 / body->inverse_mass;
        b->mass.data[b->mass.count++] = (sparse_entry){at.linear + i, at.linear + i, mass};
        b->global->force[at.linear + i] = mass * vec3_get(body->velocity, (int)i);
    }
    double inertia[9];
    if (at.angular == NO_BODY)
        return SCREE_OK;
    if (!invert(&body->inverse_inertia, inertia))
        return fail(error, SCREE_ERROR_INVALID, "the inverse inertia of body %zu is not positive definite", index);
    for (uint32_t i = 0; i < 9; i++) {
        uint32_t row = at.angular + i / 3;
        b->mass.data[b->mass.count++] = (sparse_entry){row, at.angular + i % 3, inertia[i]};
        b->global->force[row] += inertia[i] * vec3_get(body->spin, (int)(i % 3));
    }
    return SCREE_OK;
}

// The part of one body in a column: freedoms get entries, prescribed velocities go to the bias.
static bool add_side(builder *b, uint32_t column, uint32_t body, vec3 linear, vec3 angular)
{
    freedom at = b->freedoms[body];
    double *bias = &b->global->bias[column];
    if (!array_reserve(&b->directions, b->directions.count + 6))
        return false;
    for (uint32_t i = 0; at.linear != NO_BODY && i < 3; i++)
        b->directions.data[b->directions.count++] = (sparse_entry){at.linear + i, column, vec3_get(linear, (int)i)};
    for (uint32_t i = 0; at.angular != NO_BODY && i < 3; i++)
        b->directions.data[b->directions.count++] = (sparse_entry){at.angular + i, column, vec3_get(angular, (int)i)};
    if (at.linear == NO_BODY)
        *bias += vec3_dot(linear, b->bodies[body].velocity);
    if (at.angular == NO_BODY)
        *bias += vec3_dot(angular, b->bodies[body].spin);
    return true;
}

// Relative velocity along `direction` at the contact point.
static bool add_along(builder *b, const problem_row *row, vec3 direction, vec3 impulse)
{
    uint32_t column = b->column++;
    b->global->start[column] = vec3_dot(direction, impulse);
    return add_side(b, column, row->b, direction, vec3_cross(row->arm_b, direction)) &&
           add_side(b, column, row->a, vec3_negate(direction), vec3_negate(vec3_cross(row->arm_a, direction)));
}

// Relative spin about `axis`.
static bool add_about(builder *b, const problem_row *row, vec3 axis)
{
    static const vec3 none = {0, 0, 0};
    uint32_t column = b->column++;
    b->global->start[column] = vec3_dot(axis, row->angular_impulse);
    return add_side(b, column, row->b, none, axis) && add_side(b, column, row->a, none, vec3_negate(axis));
}

static void tangents(vec3 normal, vec3 *first, vec3 *second)
{
    vec3 axis = fabs(normal.x) < 0.6 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
    *first = vec3_normalize(vec3_cross(normal, axis));
    *second = vec3_cross(normal, *first);
}

static bool add_contact(builder *b, const problem_row *row, bool fclib_only, matrix_block *block)
{
    vec3 first, second;
    tangents(row->normal, &first, &second);
    *block = (matrix_block){.first = b->column, .cap_count = 1, .cap = {{2, row->friction}}, .high = HUGE_VAL};
    b->global->bias[b->column] = row->bias;
    b->global->compliance[b->column] = fclib_only ? 0 : row->compliance;
    bool good = add_along(b, row, row->normal, row->impulse) && add_along(b, row, first, row->impulse) &&
                add_along(b, row, second, row->impulse);
    if (good && !fclib_only && row->rolling > 0) {
        block->cap[block->cap_count++] = (block_cap){2, row->rolling};
        good = add_about(b, row, first) && add_about(b, row, second);
    }
    if (good && !fclib_only && row->spinning > 0) {
        block->cap[block->cap_count++] = (block_cap){1, row->spinning};
        good = add_about(b, row, row->normal);
    }
    block->size = b->column - block->first;
    return good;
}

static bool add_joint(builder *b, const joint_row *row, bool fclib_only, matrix_block *block)
{
    uint32_t column = b->column++;
    *block = (matrix_block){.first = column, .size = 1, .low = -HUGE_VAL, .high = HUGE_VAL};
    b->global->bias[column] = row->bias;
    b->global->start[column] = row->impulse;
    if (!fclib_only) {
        block->low = row->low;
        block->high = row->high;
        b->global->compliance[column] = row->compliance;
    }
    for (int k = 0; k < JOINT_ROW_BODIES; k++)
        if (row->body[k] != NO_BODY && !add_side(b, column, row->body[k], row->linear[k], row->angular[k]))
            return false;
    return true;
}

static size_t contact_size(const problem_row *row, bool fclib_only)
{
    return fclib_only ? 3 : 3u + (row->rolling > 0 ? 2u : 0u) + (row->spinning > 0);
}

static scree_status build(builder *b, const problem_row *rows, size_t row_count, const joint_row *joints,
                          size_t joint_count, bool fclib_only, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (size_t i = 0; status == SCREE_OK && i < b->body_count; i++)
        status = add_body(b, i, error);
    bool good = status == SCREE_OK;
    for (size_t i = 0; good && i < row_count; i++)
        good = add_contact(b, &rows[i], fclib_only, &b->global->blocks[i]);
    for (size_t i = 0; good && i < joint_count; i++)
        good = add_joint(b, &joints[i], fclib_only, &b->global->blocks[row_count + i]);
    if (!good)
        return status != SCREE_OK ? status : fail_no_memory(error);
    status =
        sparse_from_entries(&b->global->mass, b->freedom_count, b->freedom_count, b->mass.data, b->mass.count, error);
    if (status == SCREE_OK)
        status = sparse_from_entries(&b->global->directions, b->freedom_count, b->global->size, b->directions.data,
                                     b->directions.count, error);
    return status;
}

scree_status matrix_from_rows(const problem_body *bodies, size_t body_count, const problem_row *rows, size_t row_count,
                              const joint_row *joints, size_t joint_count, bool fclib_only, matrix_global *global,
                              scree_error *error)
{
    builder b = {.bodies = bodies, .body_count = body_count, .global = global};
    size_t size = joint_count;
    for (size_t i = 0; i < row_count; i++)
        size += contact_size(&rows[i], fclib_only);
    *global = (matrix_global){0};
    if (!number_freedoms(&b))
        return fail_no_memory(error);
    scree_status status = matrix_global_allocate(global, size, row_count + joint_count, b.freedom_count, error);
    if (status == SCREE_OK)
        status = build(&b, rows, row_count, joints, joint_count, fclib_only, error);
    free(b.freedoms);
    array_free(&b.mass);
    array_free(&b.directions);
    if (status != SCREE_OK)
        matrix_global_free(global);
    return status;
}
