// All light is computed in linear units and only the finished pixel is turned into sRGB bytes.
#include "view/raster/shade.h"

#include <stdlib.h>

#include "base/error.h"
#include "view/raster/occlusion.h"

scree_status shade_make(shade *s, const surfaces *all, float samples_per_pixel, int threads, scree_error *error)
{
    *s = (shade){.all = all, .pixel = samples_per_pixel};
    for (int i = 0; i < 256; i++)
        s->linear[i] = color_to_linear((uint8_t)i);
    scree_status status = light_make(&s->sun, all->scene, &all->view, all->middle, 1.05 * all->radius, threads, error);
    if (status != SCREE_OK)
        return status;
    s->openness = occlusion_make(all, threads);
    return s->openness ? SCREE_OK : fail_no_memory(error);
}

void shade_free(shade *s)
{
    light_free(&s->sun);
    free(s->openness);
}

static vec3f linear_color(const shade *s, color c)
{
    return (vec3f){s->linear[c.r], s->linear[c.g], s->linear[c.b]};
}

static vec3f mix(vec3f a, vec3f b, float t)
{
    return vec3f_add_scaled(vec3f_scale(a, 1 - t), b, t);
}

// A pale sky, a little darker towards the lower edge.
static vec3f backdrop(const shade *s, size_t y)
{
    float t = (float)y / (float)s->all->view.height;
    return mix((vec3f){0.93f, 0.95f, 0.98f}, (vec3f){0.76f, 0.79f, 0.83f}, t * t);
}

// A number in [0, 1) that differs between neighbouring samples (interleaved gradient noise, Jimenez 2014).
static float grain_noise(size_t x, size_t y)
{
    float inner = 0.06711056f * (float)x + 0.00583715f * (float)y;
    float outer = 52.9829189f * (inner - floorf(inner));
    return outer - floorf(outer);
}

// Bright light is held back softly, so that a lit thing keeps the colour that the legend shows.
static float held_back(float received)
{
    const float start = 0.75f, most = 1.1f, room = most - start;
    return received < start ? received : most - room * expf((start - received) / room);
}

// Edges are drawn a little darker: a tower of equal boxes shall not look like one.
static float edge_light(const shade *s, const surface_sample *hit)
{
    float pixel = s->pixel * s->all->view.step * hit->point.z;
    float strength = (hit->kind == SURFACE_WALL ? 0.22f : 0.38f) * clamp_unit(hit->size / (6 * pixel));
    return 1 - strength * clamp_unit(1.3f - hit->edge / pixel);
}

static vec3f lit_color(const shade *s, const surface_sample *hit, vec3f base, size_t x, size_t y)
{
    float open = occlusion_at(s->all, s->openness, x, y);
    float facing = fmaxf(0, vec3f_dot(hit->normal, s->sun.toward));
    float sun = facing > 0 ? light_at(&s->sun, hit->point, hit->normal, grain_noise(x, y)) : 0;
    float height = 0.5f + 0.5f * vec3f_dot(hit->normal, s->all->up_seen);
    // Sky from above, and what the ground sends back from below.
    vec3f sky = mix((vec3f){0.46f, 0.44f, 0.42f}, (vec3f){0.64f, 0.66f, 0.69f}, height);
    float direct = 0.88f * facing * sun * (0.55f + 0.45f * open);
    vec3f received = vec3f_add_scaled(vec3f_scale(sky, open), (vec3f){1.0f, 0.97f, 0.92f}, direct);
    float edge = edge_light(s, hit);
    vec3f result = {base.x * held_back(received.x) * edge, base.y * held_back(received.y) * edge,
                    base.z * held_back(received.z) * edge};
    if (hit->kind != SURFACE_GRAIN)
        return result;
    vec3f toward_eye = vec3f_normalize(vec3f_scale(hit->ray.direction, -1));
    vec3f half = vec3f_normalize(vec3f_add_scaled(s->sun.toward, toward_eye, 1));
    float gloss = powf(fmaxf(0, vec3f_dot(half, hit->normal)), 40) * 0.10f * sun * open;
    return vec3f_add_scaled(result, (vec3f){1, 1, 1}, gloss);
}

// Walls fade with the distance from the middle as planes do: a floor slab of any size ends softly.
static float wall_presence(const surfaces *all, const surface_sample *hit)
{
    vec3f away = vec3f_sub(hit->point, vec3f_from(raster_view_point(&all->view, all->middle)));
    float t = clamp_unit((3.2f * (float)all->radius - sqrtf(vec3f_dot(away, away))) / (2.0f * (float)all->radius));
    return t * t * (3 - 2 * t);
}

static vec3f plane_color(const shade *s, const surface_sample *hit, vec3f base)
{
    float slant = fabsf(vec3f_dot(hit->normal, vec3f_normalize(hit->ray.direction)));
    float footprint = s->pixel * s->all->view.step * hit->point.z / sqrtf(fmaxf(slant, 0.05f));
    float line = ground_line(&s->all->planes, hit->index, hit->point, footprint);
    return vec3f_scale(base, 1 - 0.16f * line);
}

void shade_row(const shade *s, size_t y, vec3f *row)
{
    vec3f behind = backdrop(s, y);
    for (size_t x = 0; x < s->all->view.width; x++) {
        surface_sample hit = surface_at(s->all, x, y);
        vec3f base = linear_color(s, hit.color);
        float presence = 1;
        if (hit.kind == SURFACE_PLANE) {
            base = plane_color(s, &hit, base);
            presence = ground_presence(&s->all->planes, hit.index, hit.point);
        } else if (hit.kind == SURFACE_WALL) {
            presence = wall_presence(s->all, &hit);
        } else if (hit.kind == SURFACE_NONE) {
            presence = 0;
        }
        row[x] = presence > 0 ? mix(behind, lit_color(s, &hit, base, x, y), presence) : behind;
    }
}
