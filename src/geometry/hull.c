#include "geometry/geometry.h"

#include <stdlib.h>

#include "base/error.h"

void hull_free(struct hull_geometry *hull)
{
    free(hull);
}

bool hull_pack(const scree_geometry *geometry, geometry_parts *to)
{
    (void)geometry, (void)to;
    return true;
}

scree_status hull_unpack(const packed_geometry *from, scree_geometry **geometry, scree_error *error)
{
    (void)from, (void)geometry;
    return fail(error, SCREE_INVALID, "not here yet");
}
