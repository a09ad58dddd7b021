// The shadow map is one more cast of the scene, in parallel rays from the sun. A point is compared with the map at
// several places around it, so that the rim of a shadow is soft and free of steps.
#include "view/raster/light.h"

#include "base/array.h"
#include "base/error.h"

// The map is as fine as the picture: about one probe of the map per sample where the scene fills the picture.
static size_t map_side(const picture *scene)
{
    size_t longer = scene->width > scene->height ? scene->width : scene->height, side = longer + longer / 2;
    return side < 512 ? 512 : side > 4096 ? 4096 : side;
}

static raster_view view_from_light(const picture *scene, vec3 toward, vec3 center, double radius)
{
    size_t side = map_side(scene);
    vec3 forward = vec3_negate(toward), right = vec3_square_to(forward), down = vec3_cross(forward, right);
    raster_view view = {
        .origin = center,
        .axes = {{{right.x, right.y, right.z}, {down.x, down.y, down.z}, {forward.x, forward.y, forward.z}}},
        .width = side,
        .height = side,
        .left = (float)-radius,
        .top = (float)-radius,
        .step = (float)(2 * radius / (double)side),
        .nearest = -RASTER_NOTHING};
    return view;
}

// Camera point p is world point o + C^T p, which the light sees at L (o - l + C^T p).
static void connect(light *sun, const raster_view *camera)
{
    for (int column = 0; column < 3; column++) {
        vec3 world = {camera->axes.m[column][0], camera->axes.m[column][1], camera->axes.m[column][2]};
        vec3 seen = raster_view_direction(&sun->view, world);
        sun->turn[0][column] = (float)seen.x;
        sun->turn[1][column] = (float)seen.y;
        sun->turn[2][column] = (float)seen.z;
    }
    sun->shift = vec3f_from(raster_view_point(&sun->view, camera->origin));
}

// Over the left shoulder of the viewer, and always from above.
static vec3 toward_sun(const raster_view *camera, vec3 up)
{
    const mat3 *axes = &camera->axes;
    vec3 right = {axes->m[0][0], axes->m[0][1], axes->m[0][2]};
    vec3 back = {-axes->m[2][0], -axes->m[2][1], -axes->m[2][2]};
    vec3 level = vec3_normalize(vec3_add_scaled(back, up, -vec3_dot(back, up)));
    vec3 sum = vec3_add_scaled(vec3_add_scaled(up, right, -0.55), level, 0.38);
    return vec3_normalize(sum);
}

light light_place(const picture *scene, const raster_view *camera, vec3 center, double radius)
{
    vec3 toward = toward_sun(camera, vec3_normalize(scene->camera.up));
    light sun = {.toward = vec3f_from(raster_view_direction(camera, toward)),
                 .view = view_from_light(scene, toward, center, radius)};
    sun.bias = 1.5f * sun.view.step;
    connect(&sun, camera);
    for (int i = 0; i < LIGHT_PROBES; i++) {
        // A sunflower: even density over a disc.
        double distance = 3 * sqrt((i + 0.5) / LIGHT_PROBES), angle = 2.399963229728653 * i;
        sun.probes[i][0] = (float)(distance * cos(angle));
        sun.probes[i][1] = (float)(distance * sin(angle));
    }
    return sun;
}

scree_status light_make(light *sun, const picture *scene, const raster_view *camera, vec3 center, double radius,
                        int threads, scree_error *error)
{
    *sun = light_place(scene, camera, center, radius);
    ARRAY(raster_sphere) spheres = {0};
    ARRAY(raster_box) boxes = {0};
    ARRAY(raster_solid) solids = {0};
    scree_status status = SCREE_OK;
    if (!array_resize(&spheres, scene->sphere_count) || !array_resize(&boxes, scene->box_count) ||
        !array_resize(&solids, scene->solid_count))
        status = fail_no_memory(error);
    for (size_t i = 0; status == SCREE_OK && i < scene->sphere_count; i++)
        spheres.data[i] = raster_view_sphere(&sun->view, scene->spheres[i].center, scene->spheres[i].radius);
    for (size_t i = 0; status == SCREE_OK && i < scene->box_count; i++) {
        const picture_box *box = &scene->boxes[i];
        boxes.data[i] = raster_view_box(&sun->view, box->center, box->orientation, box->half);
        boxes.data[i].hidden = box->wall;
    }
    for (size_t i = 0; status == SCREE_OK && i < scene->solid_count; i++)
        solids.data[i] = raster_view_solid(&sun->view, &scene->solids[i], scene->faces);
    // Triangles are walls, which cast no shadow; smooth ones would fall into their own, facet by facet.
    raster_objects objects = {.spheres = spheres.data,
                              .sphere_count = spheres.count,
                              .boxes = boxes.data,
                              .box_count = boxes.count,
                              .solids = solids.data,
                              .solid_count = solids.count};
    if (status == SCREE_OK)
        status = raster_cast(&sun->view, &objects, threads, &sun->map, error);
    array_free(&spheres);
    array_free(&boxes);
    array_free(&solids);
    return status;
}

void light_free(light *sun)
{
    raster_free(&sun->map);
}

// 1 where nothing stands before the point along one parallel ray.
static float probe(const light *sun, float x, float y, float depth)
{
    if (!(x >= 0) || !(y >= 0) || x >= (float)sun->view.width || y >= (float)sun->view.height)
        return 1;
    return sun->map.depth[(size_t)y * sun->view.width + (size_t)x] < depth - sun->bias ? 0.0f : 1.0f;
}

float light_at(const light *sun, vec3f point, vec3f normal, float turn)
{
    // Probing from a little above the surface keeps a sphere from shadowing itself in rings.
    float lift = 2 * sun->view.step;
    float px = point.x + lift * normal.x, py = point.y + lift * normal.y, pz = point.z + lift * normal.z;
    float seen[3];
    const float shift[3] = {sun->shift.x, sun->shift.y, sun->shift.z};
    for (int i = 0; i < 3; i++)
        seen[i] = sun->turn[i][0] * px + sun->turn[i][1] * py + sun->turn[i][2] * pz + shift[i];
    float x = (seen[0] - sun->view.left) / sun->view.step, y = (seen[1] - sun->view.top) / sun->view.step;
    float cosine = cosf(6.2831853f * turn), sine = sinf(6.2831853f * turn), lit = 0;
    for (int i = 0; i < LIGHT_PROBES; i++) {
        float u = sun->probes[i][0], v = sun->probes[i][1];
        lit += probe(sun, x + cosine * u - sine * v, y + sine * u + cosine * v, seen[2]);
    }
    return lit / LIGHT_PROBES;
}
