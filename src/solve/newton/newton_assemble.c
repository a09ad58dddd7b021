// The generalised Hessian of an island, block by block of the bodies that constraints join.
//
// A contact's velocity is J v with J = [1, -[arm]x] for its second body and minus that for its first, so with the slope
// A of its impulse the block between bodies x and y is, up to sign,
//     [ 1 ; [arm_x]x ] A [ 1, -[arm_y]x ] = [ A,  A_y ; [arm_x]x A, .. ]:
// rows of A crossed with arm_y, columns with arm_x.
#include "solve/newton/newton_system.h"

#include <string.h>

enum { N = SPARSE_BLOCK };

// Columns crossed with an arm from the left: [arm]x A.
static mat3 cross_columns(vec3 arm, const mat3 *a)
{
    mat3 result;
    for (int j = 0; j < 3; j++) {
        vec3 c = vec3_cross(arm, mat3_column(a, j));
        result.m[0][j] = c.x;
        result.m[1][j] = c.y;
        result.m[2][j] = c.z;
    }
    return result;
}

// Rows crossed with an arm: -A [arm]x.
static mat3 cross_rows(vec3 arm, const mat3 *a)
{
    mat3 result;
    for (int i = 0; i < 3; i++) {
        vec3 c = vec3_cross(arm, vec3_make(a->m[i][0], a->m[i][1], a->m[i][2]));
        result.m[i][0] = c.x;
        result.m[i][1] = c.y;
        result.m[i][2] = c.z;
    }
    return result;
}

static void add_mat3(double *block, int row, int column, const mat3 *a, double sign)
{
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            block[(column + j) * N + row + i] += sign * a->m[i][j];
}

static void add_contact_block(double *block, const cone_slope *slope, bool has_angular, vec3 arm_x, vec3 arm_y,
                              double sign)
{
    mat3 turned = cross_columns(arm_x, &slope->linear);
    mat3 right = cross_rows(arm_y, &slope->linear), corner = cross_rows(arm_y, &turned);
    add_mat3(block, 0, 0, &slope->linear, sign);
    add_mat3(block, 3, 0, &turned, sign);
    add_mat3(block, 0, 3, &right, sign);
    add_mat3(block, 3, 3, &corner, sign);
    if (!has_angular)
        return;
    mat3 mixed = cross_columns(arm_x, &slope->mixed), by_turn = cross_rows(arm_y, &slope->turned);
    add_mat3(block, 0, 3, &slope->mixed, sign);
    add_mat3(block, 3, 3, &mixed, sign);
    add_mat3(block, 3, 0, &slope->turned, sign);
    add_mat3(block, 3, 3, &by_turn, sign);
    add_mat3(block, 3, 3, &slope->angular, sign);
}

enum { OPEN, HOLDS, SLIDES = 2 }; // and one bit more for each disc that sticks

static unsigned contact_case(const contact_state *c)
{
    if (c->idle || c->at.normal == 0)
        return OPEN;
    unsigned result = HOLDS;
    for (int j = 0; j < (c->cone.has_angular ? CONE_DISCS : 1); j++)
        if (c->cone.radius[j] > 0)
            result |= c->at.slides[j] ? (unsigned)SLIDES : 4u << j;
    return result;
}

static unsigned row_case(const row_state *r)
{
    return r->idle || !(r->trial > r->row->low && r->trial < r->row->high) ? OPEN : HOLDS;
}

static void assemble_contact(newton_system *system, contact_state *c)
{
    const problem_row *row = c->row;
    if (c->factored_as == OPEN)
        return;
    double *diagonal = system->matrix.diagonal, *below = system->matrix.below;
    double *above = system->symmetric ? NULL : system->matrix.above;
    cone_slope slope;
    cone_differentiate(&c->cone, &c->weight, &c->at, !system->convex, &slope);
    uint32_t a = system->place[row->a], b = system->place[row->b];
    bool has_angular = c->cone.has_angular;
    if (a != NO_BODY)
        add_contact_block(diagonal + SPARSE_BLOCK_REALS * a, &slope, has_angular, row->arm_a, row->arm_a, 1);
    if (b != NO_BODY)
        add_contact_block(diagonal + SPARSE_BLOCK_REALS * b, &slope, has_angular, row->arm_b, row->arm_b, 1);
    if (a == NO_BODY || b == NO_BODY)
        return;
    vec3 later = a > b ? row->arm_a : row->arm_b, earlier = a > b ? row->arm_b : row->arm_a;
    add_contact_block(below + SPARSE_BLOCK_REALS * c->off_diagonal, &slope, has_angular, later, earlier, -1);
    if (above)
        add_contact_block(above + SPARSE_BLOCK_REALS * c->off_diagonal, &slope, has_angular, earlier, later, -1);
}

static void add_row_block(double *block, const joint_row *row, int x, int y, double stiffness)
{
    const double left[N] = {row->linear[x].x,  row->linear[x].y,  row->linear[x].z,
                            row->angular[x].x, row->angular[x].y, row->angular[x].z};
    const double right[N] = {row->linear[y].x,  row->linear[y].y,  row->linear[y].z,
                             row->angular[y].x, row->angular[y].y, row->angular[y].z};
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            block[j * N + i] += stiffness * left[i] * right[j];
}

static void assemble_row(const newton_system *system, row_state *r, const sparse_blocks *into)
{
    const joint_row *row = r->row;
    r->factored_as = row_case(r);
    if (r->factored_as == OPEN)
        return;
    double *diagonal = into->diagonal, *below = into->below, *above = into->above;
    uint32_t place[JOINT_ROW_BODIES];
    for (int i = 0; i < JOINT_ROW_BODIES; i++)
        place[i] = row->body[i] == NO_BODY ? NO_BODY : system->place[row->body[i]];
    for (int i = 0, pair = 0; i < JOINT_ROW_BODIES; i++) {
        if (place[i] != NO_BODY)
            add_row_block(diagonal + SPARSE_BLOCK_REALS * place[i], row, i, i, 1 / r->weight);
        for (int j = i + 1; j < JOINT_ROW_BODIES; j++, pair++) {
            if (place[i] == NO_BODY || place[j] == NO_BODY)
                continue;
            if (place[i] == place[j]) { // one body twice
                add_row_block(diagonal + SPARSE_BLOCK_REALS * place[i], row, i, j, 1 / r->weight);
                add_row_block(diagonal + SPARSE_BLOCK_REALS * place[i], row, j, i, 1 / r->weight);
                continue;
            }
            int later = place[i] > place[j] ? i : j, earlier = i + j - later;
            add_row_block(below + SPARSE_BLOCK_REALS * r->off_diagonal[pair], row, later, earlier, 1 / r->weight);
            if (above)
                add_row_block(above + SPARSE_BLOCK_REALS * r->off_diagonal[pair], row, earlier, later, 1 / r->weight);
        }
    }
}

// block <- L_x^T block L_y
static void scale_by_roots(double *block, const mass_root *x, const mass_root *y)
{
    double half[N * N];
    for (int j = 0; j < N; j++) { // rows
        const double *from = block + j * N;
        double *to = half + j * N;
        for (int i = 0; i < 3; i++) {
            to[i] = x->linear * from[i];
            to[3 + i] = 0;
            for (int k = i; k < 3; k++)
                to[3 + i] += x->angular[k][i] * from[3 + k];
        }
    }
    memset(block, 0, SPARSE_BLOCK_REALS * sizeof *block);
    for (int j = 0; j < 3; j++) // columns
        for (int i = 0; i < N; i++) {
            block[j * N + i] = y->linear * half[j * N + i];
            for (int k = j; k < 3; k++)
                block[(3 + j) * N + i] += y->angular[k][j] * half[(3 + k) * N + i];
        }
}

// Slopes of contacts that stick are symmetric by either law.
static void find_cases(newton_system *system)
{
    unsigned all = 0;
    for (size_t i = 0; i < system->island->contact_count; i++) {
        contact_state *c = &system->contacts[i];
        c->factored_as = contact_case(c);
        all |= c->factored_as;
    }
    system->symmetric = system->convex || !(all & SLIDES);
}

// The part of the rows that hold both ways changes with their stiffness alone.
static void assemble_held(newton_system *system)
{
    if (system->held_stiffness == system->joint_stiffness)
        return;
    system->held_stiffness = system->joint_stiffness;
    sparse_blocks_clear(&system->held, !system->held.above);
    for (size_t i = 0; i < system->island->row_count; i++)
        if (row_holds_both_ways(&system->rows[i]))
            assemble_row(system, &system->rows[i], &system->held);
}

void newton_system_assemble(newton_system *system)
{
    sparse_blocks *matrix = &system->matrix;
    const sparse_structure *s = &matrix->structure;
    system->factored = true;
    find_cases(system);
    if (system->island->row_count > 0) {
        assemble_held(system);
        sparse_blocks_copy(matrix, &system->held, system->symmetric);
    } else {
        sparse_blocks_clear(matrix, system->symmetric);
    }
    for (size_t i = 0; i < system->island->contact_count; i++)
        assemble_contact(system, &system->contacts[i]);
    const sparse_blocks wanted = {matrix->structure, matrix->diagonal, matrix->below,
                                  system->symmetric ? NULL : matrix->above};
    for (size_t i = 0; i < system->island->row_count; i++)
        if (!row_holds_both_ways(&system->rows[i]))
            assemble_row(system, &system->rows[i], &wanted);
    for (size_t column = 0; column < s->count; column++) {
        double *diagonal = matrix->diagonal + SPARSE_BLOCK_REALS * column;
        scale_by_roots(diagonal, &system->root[column], &system->root[column]);
        for (int k = 0; k < N; k++)
            diagonal[k * N + k] += 1;
        for (size_t r = s->column_start[column]; r < s->column_start[column + 1]; r++) {
            if (!system->joined[r])
                continue;
            const mass_root *later = &system->root[s->rows[r]], *earlier = &system->root[column];
            scale_by_roots(matrix->below + SPARSE_BLOCK_REALS * r, later, earlier);
            if (!system->symmetric)
                scale_by_roots(matrix->above + SPARSE_BLOCK_REALS * r, earlier, later);
        }
    }
}

bool newton_system_is_factored(const newton_system *system)
{
    if (!system->factored)
        return false;
    for (size_t i = 0; i < system->island->contact_count; i++) {
        const contact_state *c = &system->contacts[i];
        if (c->factored_as != contact_case(c) || c->factored_as & SLIDES)
            return false;
    }
    for (size_t i = 0; i < system->island->row_count; i++)
        if (system->rows[i].factored_as != row_case(&system->rows[i]))
            return false;
    return true;
}
