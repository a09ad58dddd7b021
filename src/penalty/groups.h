// Groups: spheres of one body that stand side by side among its shapes, up to GROUP_MOST together. Everything that is
// not such a run is a group of its own. The broad phase meets groups; only where two come near are their spheres
// compared.
#ifndef PENALTY_GROUPS_H
#define PENALTY_GROUPS_H

#include "base/arena.h"
#include "world/body_store.h"

enum { GROUP_MOST = 32 };

typedef struct sphere_group {
    uint32_t first, count; // proxies
    uint32_t body;         // slot
    bool particles;        // spheres; otherwise one shape of any other kind
    vec3f center, half;    // box around the spheres' centres, in the body's internal frame
    float radius;          // of the largest sphere
    float reach;           // of the spheres from that centre
} sphere_group;

typedef struct group_set {
    ARRAY(sphere_group) groups;
    ARRAY(uint32_t) group_of; // by proxy
    ARRAY(uint32_t) by_id;    // groups in the order of the bodies' ids
    ARRAY(uint32_t) rank;     // by group: its place in that order
    bool single_proxies;      // every group is one proxy, and has its number
    ARRAY(float) x, y, z,
        radius;           // by proxy, and eight more: places in the body's internal frame, unless proxies are single
    ARRAY(proxy) proxies; // groups as the broad phase meets them, unless proxies are single
    ARRAY(local_pose) locals; // theirs
} group_set;

bool groups_make(group_set *set, const body_store *store, arena *scratch);
void groups_free(group_set *set);
size_t groups_bytes(const group_set *set);

#endif
