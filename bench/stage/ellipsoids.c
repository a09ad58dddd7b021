// Detection of ellipsoids: the papers' random spheres with three semi-axes each, by OpM alone (Method-1) and by ChM
// first (Method-2), beside the same bodies as spheres. One run measures all, so that ratios mean something on a
// disturbed machine; seconds are minima of repeats.
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "bench/benchmarks.h"
#include "bench/measure/json_line.h"
#include "bench/measure/measure.h"
#include "bench/scene/detect_scenes.h"
#include "collide/broad/broad.h"
#include "collide/narrow/narrow_ellipsoid.h"

enum {
    BRUTE_LIMIT = 32768, // bodies: up to here all pairs are tried as well
    REPEATS = 5,
    SHAPE_SEED = 46,
};

typedef struct oval_world {
    proxy *proxies;
    vec3 *centers;
    quat *orientations;
    float *margins; // none
    float *slack;   // margins for the broad phase
    uint8_t *immovable;
    size_t count;
} oval_world;

static void free_world(oval_world *world)
{
    free(world->proxies);
    free(world->centers);
    free(world->orientations);
    free(world->margins);
    free(world->slack);
    free(world->immovable);
}

static quat draw_orientation(random_stream *stream)
{
    quat q;
    double length;
    do {
        q.w = random_between(stream, -1, 1);
        q.x = random_between(stream, -1, 1);
        q.y = random_between(stream, -1, 1);
        q.z = random_between(stream, -1, 1);
        length = quat_length(q);
    } while (length > 1 || length < 0.1);
    return quat_normalize(q);
}

typedef struct oval { // a body on its way into the world
    double row;       // where it stands in the order
    vec3 center;
    quat orientation;
    float axes[3];
} oval;

static int compare_rows(const void *a, const void *b)
{
    double x = ((const oval *)a)->row, y = ((const oval *)b)->row;
    return (x > y) - (x < y);
}

// The scene's radius is the longest semi-axis; the two others are drawn, in their logarithm, down to 1 / axes of it.
static void draw_ovals(const bench_options *options, oval *ovals)
{
    detect_source source = detect_source_make(DETECT_RANDOM, options->spheres);
    random_stream stream = {SHAPE_SEED};
    const double bar = 200, rows = 1e6; // bars as wide as the largest bodies; more of them than there ever are
    for (size_t i = 0; i < options->spheres; i++) {
        scene_sphere sphere = detect_sphere(&source, i);
        double b = sphere.radius * exp(-log(options->axes) * random_unit(&stream));
        double c = sphere.radius * exp(-log(options->axes) * random_unit(&stream));
        double row = options->ordered ? (floor(sphere.z / bar) * rows + floor(sphere.y / bar)) * rows + sphere.x / bar
                                      : (double)i;
        ovals[i] = (oval){row,
                          vec3_make(sphere.x, sphere.y, sphere.z),
                          draw_orientation(&stream),
                          {(float)sphere.radius, (float)b, (float)c}};
    }
    if (options->ordered)
        qsort(ovals, options->spheres, sizeof *ovals, compare_rows);
}

static bool make_world(oval_world *world, const bench_options *options)
{
    size_t count = options->spheres;
    oval *ovals = malloc(count * sizeof *ovals);
    world->count = count;
    world->proxies = malloc(count * sizeof *world->proxies);
    world->centers = malloc(count * sizeof *world->centers);
    world->orientations = malloc(count * sizeof *world->orientations);
    world->margins = calloc(count, sizeof *world->margins);
    world->slack = malloc(count * sizeof *world->slack);
    world->immovable = calloc(count, sizeof *world->immovable);
    bool room = ovals && world->proxies && world->centers && world->orientations && world->margins && world->slack &&
                world->immovable;
    if (room)
        draw_ovals(options, ovals);
    for (size_t i = 0; room && i < count; i++) {
        const float *axes = ovals[i].axes;
        world->centers[i] = ovals[i].center;
        world->slack[i] = (float)options->slack;
        world->orientations[i] = ovals[i].orientation;
        world->proxies[i] = (proxy){.size = {axes[0], axes[1], axes[2]}, .body = (uint32_t)i};
    }
    free(ovals);
    return room;
}

static void set_type(oval_world *world, scree_shape_type type)
{
    for (size_t i = 0; i < world->count; i++)
        world->proxies[i].type = type;
}

static proxy_view view_of(const oval_world *world)
{
    return (proxy_view){.proxies = world->proxies,
                        .proxy_count = world->count,
                        .centers = world->centers,
                        .orientations = world->orientations,
                        .margins = world->margins,
                        .immovable = world->immovable,
                        .body_count = world->count};
}

// All pairs with overlapping bounding spheres, by OpM.
static size_t count_by_brute_force(const proxy_view *view)
{
    contact_array out = {0};
    proxy_pair pair;
    size_t touching = 0;
    for (pair.a = 0; pair.a < view->proxy_count; pair.a++)
        for (pair.b = pair.a + 1; pair.b < view->proxy_count; pair.b++) {
            vec3 between = vec3_sub(view->centers[pair.b], view->centers[pair.a]);
            double reach = (double)view->proxies[pair.a].size[0] + (double)view->proxies[pair.b].size[0];
            if (vec3_dot(between, between) > reach * reach * (1 + 1e-12))
                continue;
            out.count = 0;
            if (!narrow_ellipsoids(view, &pair, 1, ELLIPSOID_METHOD_1, &out))
                break;
            touching += out.count;
        }
    array_free(&out);
    return touching;
}

typedef struct oval_result {
    samples broad, narrow; // processor time
    size_t pairs, contacts;
} oval_result;

typedef struct oval_detection { // what is kept from one repeat to the next
    arena scratch;
    contact_array contacts;
    proxy_pair *pairs;
    size_t pair_count;
} oval_detection;

// Method 0: whatever the table of the narrow phase says for the type, which is spheres here.
static scree_status detect(oval_world *world, int method, int threads, oval_detection *detection, oval_result *result,
                           scree_error *error)
{
    set_type(world, method == 0 ? SCREE_SHAPE_SPHERE : SCREE_SHAPE_ELLIPSOID);
    proxy_view view = view_of(world), widened = view;
    widened.margins = world->slack;
    *result = (oval_result){.pairs = 0};
    for (int i = 0; i < REPEATS; i++) {
        arena_reset(&detection->scratch);
        detection->contacts.count = 0;
        double start = cpu_seconds();
        scree_status status =
            broad_phase(&widened, threads, &detection->scratch, &detection->pairs, &detection->pair_count, error);
        if (status != SCREE_OK)
            return status;
        double middle = cpu_seconds();
        const proxy_pair *pairs = detection->pairs;
        size_t count = detection->pair_count;
        if (!(method == 0 ? narrow_phase(&view, pairs, count, &detection->contacts)
                          : narrow_ellipsoids(&view, pairs, count, (ellipsoid_method)method, &detection->contacts)))
            return fail_no_memory(error);
        samples_add(&result->broad, middle - start);
        samples_add(&result->narrow, cpu_seconds() - middle);
        result->pairs = count;
        result->contacts = detection->contacts.count;
    }
    return SCREE_OK;
}

static void print_result(const char *bench, const bench_options *options, const char *method, const oval_result *found,
                         const oval_result *spheres, size_t brute)
{
    double broad_s = samples_least(&found->broad), narrow_s = samples_least(&found->narrow),
           seconds = broad_s + narrow_s;
    double of_spheres = samples_least(&spheres->broad) + samples_least(&spheres->narrow);
    json_line line = json_line_begin(bench, "scree");
    json_line_text(&line, "method", method);
    json_line_count(&line, "bodies", options->spheres);
    json_line_number(&line, "axes", options->axes);
    json_line_number(&line, "slack", options->slack);
    json_line_text(&line, "order", options->ordered ? "space" : "random");
    json_line_count(&line, "pairs", found->pairs);
    json_line_count(&line, "contacts", found->contacts);
    if (found != spheres && options->spheres <= BRUTE_LIMIT)
        json_line_count(&line, "brute_force", brute);
    json_line_number(&line, "cpu_s", seconds);
    json_line_repeats(&line, 0, found->narrow.count,
                      (samples_median(&found->broad) + samples_median(&found->narrow)) / seconds);
    json_line_number(&line, "broad_s", broad_s);
    json_line_number(&line, "narrow_s", narrow_s);
    json_line_number(&line, "narrow_ns_per_pair", 1e9 * narrow_s / (double)found->pairs);
    json_line_number(&line, "ns_per_contact", 1e9 * seconds / (double)found->contacts);
    json_line_number(&line, "over_spheres_per_contact",
                     seconds / of_spheres * (double)spheres->contacts / (double)found->contacts);
    json_line_end(&line);
}

// Spheres, then each method asked for, then the count of ChM alone.
static scree_status measure(const char *bench, const bench_options *options, scree_error *error)
{
    oval_world world = {0};
    oval_detection detection = {0};
    oval_result spheres, found;
    size_t brute = 0;
    scree_status status = make_world(&world, options) ? SCREE_OK : fail_no_memory(error);
    if (status == SCREE_OK)
        status = detect(&world, 0, options->threads, &detection, &spheres, error);
    if (status == SCREE_OK)
        print_result(bench, options, "spheres", &spheres, &spheres, 0);
    if (status == SCREE_OK && options->spheres <= BRUTE_LIMIT) {
        set_type(&world, SCREE_SHAPE_ELLIPSOID);
        proxy_view view = view_of(&world);
        brute = count_by_brute_force(&view);
    }
    for (int method = 1; status == SCREE_OK && method <= 2; method++) {
        if (options->method != 0 && options->method != method)
            continue;
        status = detect(&world, method, options->threads, &detection, &found, error);
        if (status == SCREE_OK)
            print_result(bench, options, method == 1 ? "opm" : "chm+opm", &found, &spheres, brute);
    }
    if (status == SCREE_OK) {
        proxy_view view = view_of(&world);
        found.narrow.count = 0;
        for (int i = 0; i < REPEATS; i++) {
            double start = cpu_seconds();
            found.contacts = narrow_ellipsoids_count(&view, detection.pairs, detection.pair_count);
            samples_add(&found.narrow, cpu_seconds() - start);
        }
        print_result(bench, options, "chm", &found, &spheres, brute);
    }
    arena_free(&detection.scratch);
    array_free(&detection.contacts);
    free_world(&world);
    return status;
}

scree_status bench_ellipsoids(const bench_options *options, scree_error *error)
{
    return measure("ellipsoids", options, error);
}

// Table 2 of Pazouki, Mazhar and Negrut 2012, with our own seeds.
scree_status bench_ellipsoid_counts(const bench_options *options, scree_error *error)
{
    static const size_t counts[] = {128, 1024, 8192, 32768, 131072, 262144, 524288, 1048576, 1677696, 2097152};
    scree_status status = SCREE_OK;
    for (size_t i = 0; status == SCREE_OK && i < sizeof counts / sizeof counts[0]; i++) {
        bench_options one = *options;
        one.spheres = counts[i];
        status = measure("ellipsoid-counts", &one, error);
    }
    return status;
}
