// The objects of a picture as OpenGL takes them: buffers by kind, without those that a view cannot show.
#ifndef VIEW_GL_BATCH_H
#define VIEW_GL_BATCH_H

#include <epoxy/gl.h>

#include "base/array.h"
#include "view/raster/cull.h"
#include "view/raster/picture.h"
#include "view/world/extent.h"

typedef enum gl_kind {
    GL_SPHERES,
    GL_BOXES,
    GL_ELLIPSOIDS,
    GL_CAPSULES,
    GL_CYLINDERS,
    GL_CONES,
    GL_HULLS,
    GL_KINDS
} gl_kind;

// Texels of four floats per object: spheres one (place, radius); others three (place and first face; orientation; size
// and number of faces). Places count from the reference point of the batch.
typedef struct gl_list {
    ARRAY(float) texels;
    ARRAY(color) colors; // alpha 255: a grain; 0: a wall; of panes and lines, as it is
    size_t count;
} gl_list;

typedef struct gl_batch {
    gl_list lists[GL_KINDS];
    gl_list panes;          // boxes that are walls and stand before the grains: to be seen through
    gl_list edges;          // lines: theirs
    gl_list lines;          // lines: of the picture
    ARRAY(cull_ball) balls; // working memory
    ARRAY(uint8_t) hidden;
} gl_batch;

typedef enum gl_batch_use { GL_FOR_PICTURE, GL_FOR_SHADOW } gl_batch_use; // walls cast no shadows

// Lists the lines of the picture, two texels each (end and width, end and how much shows through). False when out of
// memory.
bool gl_batch_add_lines(gl_batch *batch, const picture *scene, scree_vec3 reference);

// Lists what `view` shows of the picture. False when out of memory.
bool gl_batch_fill(gl_batch *batch, const picture *scene, const raster_view *view, const extent *span, gl_batch_use use,
                   scree_vec3 reference);
void gl_batch_free(gl_batch *batch);

#endif
