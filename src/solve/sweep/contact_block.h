// A contact's own block of N = D^T M^-1 D, added up body by body, and a diagonal that bounds it.
#ifndef SOLVE_SWEEP_CONTACT_BLOCK_H
#define SOLVE_SWEEP_CONTACT_BLOCK_H

#include <math.h>

#include "solve/rows.h"

typedef struct contact_block { // n along the normal, u and w across
    vec3 n, u, w;
    double nn, uu, ww, nu, nw, uw;
    double turned_nn, turned_uu, turned_ww, turned_uw; // the same for angular impulses
} contact_block;

typedef struct contact_diagonal { // the block is at most this, in every direction
    double normal, tangent, rolling, spinning;
} contact_diagonal;

static inline contact_block contact_block_begin(vec3 normal)
{
    vec3 other = fabs(normal.x) < 0.57 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
    vec3 u = vec3_normalize(vec3_cross(normal, other));
    return (contact_block){.n = normal, .u = u, .w = vec3_cross(normal, u)};
}

// What an impulse p at the arm does to the velocity there.
static inline vec3 contact_response(const problem_body *body, vec3 arm, vec3 p)
{
    vec3 angular = mat3_apply(&body->inverse_inertia, vec3_cross(arm, p));
    return vec3_add_scaled(vec3_cross(angular, arm), p, body->inverse_mass);
}

static inline void contact_block_add(contact_block *block, const problem_body *body, vec3 arm)
{
    vec3 by_n = contact_response(body, arm, block->n), by_u = contact_response(body, arm, block->u);
    vec3 by_w = contact_response(body, arm, block->w);
    block->nn += vec3_dot(by_n, block->n);
    block->uu += vec3_dot(by_u, block->u);
    block->ww += vec3_dot(by_w, block->w);
    block->nu += vec3_dot(by_n, block->u);
    block->nw += vec3_dot(by_n, block->w);
    block->uw += vec3_dot(by_u, block->w);
    vec3 turned_u = mat3_apply(&body->inverse_inertia, block->u);
    block->turned_nn += vec3_dot(mat3_apply(&body->inverse_inertia, block->n), block->n);
    block->turned_uu += vec3_dot(turned_u, block->u);
    block->turned_ww += vec3_dot(mat3_apply(&body->inverse_inertia, block->w), block->w);
    block->turned_uw += vec3_dot(turned_u, block->w);
}

static inline double larger_eigenvalue(double uu, double ww, double uw)
{
    return 0.5 * (uu + ww) + sqrt(0.25 * (uu - ww) * (uu - ww) + uw * uw);
}

// Normal and tangential parts are enlarged by how strongly they are coupled; where the contact resists rolling, sliding
// and rolling are twice what they are alone, since those two are strongly coupled. All 0 for a block of nothing.
static inline contact_diagonal contact_block_bound(const contact_block *block, const problem_row *row)
{
    contact_diagonal found = {block->nn, larger_eigenvalue(block->uu, block->ww, block->uw),
                              larger_eigenvalue(block->turned_uu, block->turned_ww, block->turned_uw),
                              block->turned_nn};
    double coupled = block->nu * block->nu + block->nw * block->nw;
    double enlarged = coupled > 0 ? 1 + sqrt(coupled / (found.normal * found.tangent)) : 1;
    found.normal *= enlarged;
    found.tangent *= enlarged;
    if (row->rolling > 0) {
        found.tangent *= 2;
        found.rolling *= 2;
    }
    return found;
}

#endif
