// Pictures that tests of both ways of drawing share: every kind of object, and rows of spheres to count.
#ifndef TEST_GALLERY_H
#define TEST_GALLERY_H

#include "base/vec.h"
#include "view/raster/picture.h"

typedef struct gallery {
    picture scene;
    picture_sphere spheres[40];
    picture_box boxes[6];
    picture_solid solids[5];
    picture_face faces[8];
    picture_triangle triangles[2];
    picture_plane plane;
    picture_line lines[2];
} gallery;

static inline void gallery_hull(gallery *g)
{
    for (int i = 0; i < 8; i++) { // an octahedron
        double s = 0.5773502691896258;
        vec3 n = {i & 1 ? s : -s, i & 2 ? s : -s, i & 4 ? s : -s};
        g->faces[i] = (picture_face){vec3f_from(n), (float)(0.5 * s)};
    }
}

// One of each kind on a floor, a wall that is seen through, a ramp of triangles, and two lines.
static inline void gallery_of_kinds(gallery *g)
{
    quat turned = quat_from_rotation(vec3_make(0.4, 0.3, 0.2)), upright = {1, 0, 0, 0};
    *g = (gallery){.scene = picture_default()};
    gallery_hull(g);
    for (int i = 0; i < 5; i++)
        g->solids[i] = (picture_solid){.type = (picture_solid_type)i,
                                       .center = {-2 + i, 0.3, 0.6},
                                       .orientation = turned,
                                       .size = i == PICTURE_ELLIPSOID ? vec3_make(0.25, 0.35, 0.5)
                                               : i == PICTURE_HULL    ? vec3_make(0.5, 0.5, 0.5)
                                                                      : vec3_make(0.25, 0.25, 0.3),
                                       .face_count = i == PICTURE_HULL ? 8 : 0,
                                       .color = color_of_kind((size_t)i)};
    for (int i = 0; i < 5; i++)
        g->spheres[i] = (picture_sphere){{-2 + i, -0.8, 0.3}, 0.3, color_of_kind((size_t)(i + 5))};
    g->boxes[0] = (picture_box){{0, -1.7, 0.3}, turned, {0.4, 0.2, 0.15}, color_of_kind(3), false};
    g->boxes[1] = (picture_box){{0, -2.4, 0.4}, upright, {2.6, 0.05, 0.4}, color_make(0xcdd1d6), true};
    vec3 a = {-2.5, 1.2, 0}, b = {2.5, 1.2, 0}, c = {2.5, 2.6, 0.9}, d = {-2.5, 2.6, 0.9};
    vec3f n = vec3f_from(vec3_normalize(vec3_cross(vec3_sub(b, a), vec3_sub(d, a))));
    g->triangles[0] = (picture_triangle){{a, b, c}, {n, n, n}, color_make(0xb9bec6)};
    g->triangles[1] = (picture_triangle){{a, c, d}, {n, n, n}, color_make(0xb9bec6)};
    g->plane = (picture_plane){{0, 0, 1}, 0};
    g->lines[0] = (picture_line){{{-2, -0.8, 0.3}, {2, -0.8, 0.3}}, 0.08, 0.4f, color_make(0xb01010)};
    g->lines[1] = (picture_line){{{-2, -0.8, 0.9}, {2, -0.8, 0.9}}, 0.02, 0, color_make(0x101010)};
    picture *p = &g->scene;
    p->width = 240;
    p->height = 160;
    p->spheres = g->spheres;
    p->sphere_count = 5;
    p->boxes = g->boxes;
    p->box_count = 2;
    p->solids = g->solids;
    p->solid_count = 5;
    p->faces = g->faces;
    p->face_count = 8;
    p->triangles = g->triangles;
    p->triangle_count = 2;
    p->planes = &g->plane;
    p->plane_count = 1;
    p->lines = g->lines;
    p->line_count = 2;
    p->threads = 2;
    p->camera = picture_frame(vec3_make(-2.6, -2.5, 0), vec3_make(2.6, 2.6, 1), vec3_make(-0.3, 0.8, -0.5),
                              vec3_make(0, 0, 1), 0.5, 1.5);
}

// Red spheres apart from one another, in front of nothing.
static inline void gallery_of_spheres(gallery *g, size_t count)
{
    *g = (gallery){.scene = picture_default()};
    for (size_t i = 0; i < count; i++)
        g->spheres[i] = (picture_sphere){{(double)(i % 8) - 3.5, 0.2 * (double)(i % 3), (double)(i / 8) - 2},
                                         0.2 + 0.02 * (double)(i % 5),
                                         color_make(0xd01818)};
    g->scene.width = 320;
    g->scene.height = 240;
    g->scene.spheres = g->spheres;
    g->scene.sphere_count = count;
    g->scene.threads = 2;
    g->scene.camera.position = vec3_make(0, -12, 0);
    g->scene.camera.look_at = vec3_make(0, 0, 0);
}

// Patches of reddish pixels that hang together by their sides.
static inline size_t count_blobs(const canvas *sheet)
{
    enum { MOST = 320 * 240 };
    static bool red[MOST];
    static size_t stack[MOST];
    size_t count = sheet->width * sheet->height, blobs = 0;
    for (size_t i = 0; i < count; i++)
        red[i] = sheet->pixels[i].r > 2 * sheet->pixels[i].g && sheet->pixels[i].r > 60;
    for (size_t i = 0; i < count; i++) {
        size_t height = 0;
        if (!red[i])
            continue;
        blobs++;
        red[i] = false;
        stack[height++] = i;
        while (height > 0) {
            size_t at = stack[--height], x = at % sheet->width;
            const size_t next[4] = {x > 0 ? at - 1 : at, x + 1 < sheet->width ? at + 1 : at,
                                    at >= sheet->width ? at - sheet->width : at,
                                    at + sheet->width < count ? at + sheet->width : at};
            for (int k = 0; k < 4; k++)
                if (red[next[k]]) {
                    red[next[k]] = false;
                    stack[height++] = next[k];
                }
        }
    }
    return blobs;
}

#endif
