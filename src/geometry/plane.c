// The plane: a half space, solid where normal . x < offset.
#include "base/error.h"
#include "geometry/kind.h"

static scree_status plane_validate(const scree_shape_def *shape, const char *where, scree_error *error)
{
    double length = vec3_length(shape->normal);
    if (!(length > 1e-100 && length < 1e100))
        return fail(error, SCREE_ERROR_INVALID,
                    "%s: the normal of a plane must be finite and not zero, not (%g, %g, %g)", where, shape->normal.x,
                    shape->normal.y, shape->normal.z);
    if (!isfinite(shape->offset))
        return fail(error, SCREE_ERROR_INVALID, "%s: the offset of a plane must be finite, not %g", where,
                    shape->offset);
    return SCREE_OK;
}

const shape_kind plane_kind = {.unbounded = true, .validate = plane_validate};
