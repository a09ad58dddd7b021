// Objects are numbered through spheres, boxes and solids; culling answers by that number, and what is left is packed.
#include "view/gl/batch.h"

#include "view/raster/solid.h"

static float smallest(vec3 v)
{
    return (float)fmin(v.x, fmin(v.y, v.z));
}

// Radius of a ball about its centre that a solid holds.
static float inner_radius(const picture *scene, const picture_solid *solid)
{
    float radius = (float)solid->size.x, half = (float)solid->size.z, least = RASTER_NOTHING;
    switch (solid->type) {
    case PICTURE_ELLIPSOID:
        return smallest(solid->size);
    case PICTURE_CAPSULE:
        return radius;
    case PICTURE_CYLINDER:
        return fminf(radius, half);
    case PICTURE_CONE:
        return 0;
    case PICTURE_HULL:
        for (size_t i = 0; i < solid->face_count; i++)
            least = fminf(least, scene->faces[solid->first_face + i].offset);
        return fmaxf(least, 0);
    }
    return 0;
}

// Cells of which a typical disc covers a few: finer ones find more, and cost more.
static size_t cell_size(const raster_view *view, const extent *span)
{
    const double cells = 3; // in the radius of a grain
    vec3 middle = raster_view_point(view, vec3_scale(vec3_add(span->low, span->high), 0.5));
    double scale = view->perspective ? fmax(fabs(middle.z), 1e-9 * span->grain) : 1;
    double radius = span->grain / (scale * (double)view->step); // in samples
    return radius < 2 * cells ? 1 : radius > 16 * cells ? 16 : (size_t)(radius / cells);
}

static bool find_hidden(gl_batch *batch, const picture *scene, const raster_view *view, size_t cell)
{
    size_t boxes = scene->sphere_count, solids = boxes + scene->box_count, count = solids + scene->solid_count;
    if (!array_resize(&batch->balls, count) || !array_resize(&batch->hidden, count))
        return false;
    for (size_t i = 0; i < scene->sphere_count; i++) {
        const picture_sphere *s = &scene->spheres[i];
        float radius = (float)s->radius;
        batch->balls.data[i] = (cull_ball){vec3f_from(raster_view_point(view, s->center)), radius, radius};
    }
    for (size_t i = 0; i < scene->box_count; i++) {
        const picture_box *b = &scene->boxes[i];
        // Walls may be seen through, so they hide nothing.
        batch->balls.data[boxes + i] = (cull_ball){vec3f_from(raster_view_point(view, b->center)),
                                                   (float)vec3_length(b->half), b->wall ? 0 : smallest(b->half)};
    }
    for (size_t i = 0; i < scene->solid_count; i++) {
        const picture_solid *s = &scene->solids[i];
        batch->balls.data[solids + i] =
            (cull_ball){vec3f_from(raster_view_point(view, s->center)), (float)vec3_length(solid_half_extents(s)),
                        s->wall ? 0 : inner_radius(scene, s)};
    }
    return cull_find_hidden(view, batch->balls.data, count, cell, batch->hidden.data);
}

static color marked(color paint, bool wall)
{
    paint.a = wall ? 0 : 255;
    return paint;
}

static bool push(gl_list *list, const float *texels, size_t count, color paint)
{
    size_t at = list->texels.count;
    if (!array_reserve(&list->texels, at + count) || !array_push(&list->colors, paint))
        return false;
    memcpy(list->texels.data + at, texels, count * sizeof *texels);
    list->texels.count += count;
    list->count++;
    return true;
}

static bool push_solid(gl_list *list, vec3 place, quat q, vec3 size, size_t first, size_t faces, color paint)
{
    const float texels[] = {(float)place.x, (float)place.y, (float)place.z, (float)first,  (float)q.w,    (float)q.x,
                            (float)q.y,     (float)q.z,     (float)size.x,  (float)size.y, (float)size.z, (float)faces};
    return push(list, texels, sizeof texels / sizeof *texels, paint);
}

static bool push_line(gl_list *list, vec3 a, vec3 b, double width, float through, color paint)
{
    const float texels[] = {(float)a.x, (float)a.y, (float)a.z, (float)width,
                            (float)b.x, (float)b.y, (float)b.z, through};
    return push(list, texels, sizeof texels / sizeof *texels, paint);
}

static bool push_pane(gl_batch *batch, const picture_box *box, vec3 reference)
{
    const color tint = {225, 238, 249, 10}, ink = {93, 107, 123, 204};
    vec3 center = vec3_sub(box->center, reference), corners[8];
    bool made = push_solid(&batch->panes, center, box->orientation, box->half, 0, 0, tint);
    for (int i = 0; i < 8; i++) {
        vec3 local = {i & 1 ? box->half.x : -box->half.x, i & 2 ? box->half.y : -box->half.y,
                      i & 4 ? box->half.z : -box->half.z};
        corners[i] = vec3_add(center, quat_rotate(box->orientation, local));
    }
    for (int i = 0; i < 8; i++)
        for (int axis = 1; axis < 8; axis <<= 1)
            if (!(i & axis))
                made = made && push_line(&batch->edges, corners[i], corners[i | axis], 0, 0, ink);
    return made;
}

static void list_clear(gl_list *list)
{
    list->texels.count = list->colors.count = list->count = 0;
}

bool gl_batch_add_lines(gl_batch *batch, const picture *scene, scree_vec3 reference)
{
    bool made = true;
    list_clear(&batch->lines);
    for (size_t i = 0; made && i < scene->line_count; i++) {
        const picture_line *l = &scene->lines[i];
        made = push_line(&batch->lines, vec3_sub(l->ends[0], reference), vec3_sub(l->ends[1], reference), l->width,
                         l->through, l->color);
    }
    return made;
}

static bool push_box(gl_batch *batch, const picture_box *box, gl_batch_use use, bool behind, vec3 reference)
{
    if (box->wall && use == GL_FOR_SHADOW)
        return true;
    if (behind)
        return push_pane(batch, box, reference);
    return push_solid(&batch->lists[GL_BOXES], vec3_sub(box->center, reference), box->orientation, box->half, 0, 0,
                      marked(box->color, box->wall));
}

bool gl_batch_fill(gl_batch *batch, const picture *scene, const raster_view *view, const extent *span, gl_batch_use use,
                   scree_vec3 reference)
{
    size_t boxes = scene->sphere_count, solids = boxes + scene->box_count;
    for (int i = 0; i < GL_KINDS; i++)
        list_clear(&batch->lists[i]);
    if (use == GL_FOR_PICTURE) {
        list_clear(&batch->panes);
        list_clear(&batch->edges);
    }
    bool made = find_hidden(batch, scene, view, cell_size(view, span));
    for (size_t i = 0; made && i < scene->sphere_count; i++) {
        const picture_sphere *s = &scene->spheres[i];
        vec3 place = vec3_sub(s->center, reference);
        const float texel[] = {(float)place.x, (float)place.y, (float)place.z, (float)s->radius};
        made = batch->hidden.data[i] || push(&batch->lists[GL_SPHERES], texel, 4, marked(s->color, false));
    }
    for (size_t i = 0; made && i < scene->box_count; i++) {
        const picture_box *b = &scene->boxes[i];
        bool behind = b->wall && extent_is_behind(span, b, view->origin);
        made = batch->hidden.data[boxes + i] || push_box(batch, b, use, behind, reference);
    }
    for (size_t i = 0; made && i < scene->solid_count; i++) {
        const picture_solid *s = &scene->solids[i];
        gl_list *list = &batch->lists[GL_ELLIPSOIDS + (int)s->type];
        made =
            batch->hidden.data[solids + i] || push_solid(list, vec3_sub(s->center, reference), s->orientation, s->size,
                                                         s->first_face, s->face_count, marked(s->color, s->wall));
    }
    return made;
}

static void list_free(gl_list *list)
{
    array_free(&list->texels);
    array_free(&list->colors);
}

void gl_batch_free(gl_batch *batch)
{
    for (int i = 0; i < GL_KINDS; i++)
        list_free(&batch->lists[i]);
    list_free(&batch->panes);
    list_free(&batch->edges);
    list_free(&batch->lines);
    array_free(&batch->balls);
    array_free(&batch->hidden);
}
