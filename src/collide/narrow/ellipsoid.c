// Which build of the wide functions runs, and what is done about pairs that one iteration leaves in doubt.
//
// Nothing is missed: a pair is only called apart on the strength of a plane between the two (a direction with a
// positive gap, evaluated to rounding). What may be in doubt is which of several normals gives the least depth, in
// overlaps deeper than the ellipsoids' sharpest curvature. There the search starts anew from the axes of both
// ellipsoids as well: the least depth is found near one of them, since that is where an ellipsoid is thinnest.
#include "collide/narrow/ellipsoid.h"

#include "base/isa.h"

enum { STARTS = 8 }; // and as many on the opposite side

const ellipsoid_kernels *ellipsoid_kernels_here(void)
{
#ifdef SCREE_HAVE_AVX2
    if (isa_has_avx2())
        return &ellipsoid_kernels_avx2;
#endif
    return &ellipsoid_kernels_baseline;
}

void ellipsoid_pairs_copy_lane(ellipsoid_pairs *target, int to, const ellipsoid_pairs *source, int from)
{
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 6; k++)
            target->matrices[i][k][to] = source->matrices[i][k][from];
        target->least_squares[i][to] = source->least_squares[i][from];
    }
    for (int k = 0; k < 3; k++) {
        target->between[k][to] = source->between[k][from];
        target->direction[k][to] = source->direction[k][from];
    }
    target->margin[to] = source->margin[from];
}

// A direction slightly off `axis`: at an axis itself the slope may vanish without being at the least depth.
static vec3 start_near(vec3 axis)
{
    const vec3 off = {0.0131, 0.0173, 0.0107};
    return vec3_normalize(vec3_add(axis, off));
}

static int longest(const double radii[3][ELLIPSOID_LANES], int lane)
{
    int axis = radii[1][lane] > radii[0][lane] ? 1 : 0;
    return radii[2][lane] > radii[axis][lane] ? 2 : axis;
}

// Six axes, the direction that crosses both longest axes, and that in which OpM ended before.
static void starts_of(const ellipsoid_poses *poses, int lane, vec3 last, vec3 starts[STARTS])
{
    vec3 longs[2];
    for (int i = 0; i < 2; i++) {
        const double(*q)[ELLIPSOID_LANES] = poses->orientations[i];
        mat3 axes = mat3_from_quat((quat){q[0][lane], q[1][lane], q[2][lane], q[3][lane]});
        longs[i] = mat3_column(&axes, longest(poses->radii[i], lane));
        for (int k = 0; k < 3; k++)
            starts[3 * i + k] = start_near(mat3_column(&axes, k));
    }
    starts[6] = start_near(vec3_normalize(vec3_cross(longs[0], longs[1])));
    starts[7] = last;
}

static void take_lane(ellipsoid_contacts *target, int to, const ellipsoid_contacts *source, int from)
{
    for (int k = 0; k < 3; k++) {
        target->normal[k][to] = source->normal[k][from];
        target->point[k][to] = source->point[k][from];
    }
    target->gap[to] = source->gap[from];
    target->near = (target->near & ~(1u << to)) | (source->near >> from & 1u) << to;
}

// OpM from as many directions as there are lanes, times `sign`; takes what is better than what is there.
static void search_again(const ellipsoid_kernels *kernels, const ellipsoid_pairs *pairs, int lane, const vec3 *starts,
                         double sign, ellipsoid_contacts *contacts)
{
    ellipsoid_pairs again;
    for (int i = 0; i < ELLIPSOID_LANES; i++) {
        ellipsoid_pairs_copy_lane(&again, i, pairs, lane);
        again.direction[0][i] = sign * starts[i].x;
        again.direction[1][i] = sign * starts[i].y;
        again.direction[2][i] = sign * starts[i].z;
    }
    ellipsoid_contacts found;
    kernels->contact(&again, contacts->gap[lane], &found);
    for (int i = 0; i < ELLIPSOID_LANES; i++)
        if (found.gap[i] > contacts->gap[lane])
            take_lane(contacts, lane, &found, i);
}

void ellipsoid_contacts_settle(const ellipsoid_kernels *kernels, const ellipsoid_poses *poses,
                               const ellipsoid_pairs *pairs, unsigned wanted, ellipsoid_contacts *contacts)
{
    for (int lane = 0; lane < ELLIPSOID_LANES; lane++) {
        if (!((wanted & ~contacts->certain) >> lane & 1))
            continue;
        vec3 starts[STARTS];
        vec3 last = {contacts->normal[0][lane], contacts->normal[1][lane], contacts->normal[2][lane]};
        starts_of(poses, lane, last, starts);
        for (int first = 0; first < STARTS; first += ELLIPSOID_LANES) {
            search_again(kernels, pairs, lane, starts + first, 1, contacts);
            search_again(kernels, pairs, lane, starts + first, -1, contacts);
        }
    }
}
