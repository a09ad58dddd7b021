// All shapes are POV-Ray's own where it has them, and `mesh2` of their surfaces where it has not. Bodies stand where
// the frame says by a matrix: its rows are the images of the axes and of the origin.
//
// POV-Ray's axes are left-handed; the camera's `right` vector mirrors the picture back.
#include "view/export/povray.h"

#include <limits.h>

#include "base/error.h"
#include "geometry/surface.h"

enum { SECTORS = 32 };

// ----------------------------------------------------------------------------------------------------------- geometry

// The geometries that shapes.inc declares, in the order of their addresses.
typedef struct declared_shape {
    const scree_geometry *geometry;
    size_t number;
} declared_shape;

typedef ARRAY(declared_shape) shape_table;

static size_t place_of(const shape_table *table, const scree_geometry *geometry)
{
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if ((uintptr_t)table->data[middle].geometry < (uintptr_t)geometry)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_declared(const shape_table *table, const scree_geometry *geometry)
{
    size_t place = place_of(table, geometry);
    return place < table->count && table->data[place].geometry == geometry;
}

static bool declare(shape_table *table, const scree_geometry *geometry)
{
    size_t place = place_of(table, geometry), number = table->count;
    if (!array_push(table, ((declared_shape){0})))
        return false;
    memmove(&table->data[place + 1], &table->data[place], (table->count - 1 - place) * sizeof *table->data);
    table->data[place] = (declared_shape){geometry, number};
    return true;
}

static size_t triangle_count(const shape_surface *surface)
{
    return surface->corners.count - 2 * surface->ends.count;
}

static void put_mesh(FILE *to, size_t number, const shape_surface *surface)
{
    fprintf(to, "#declare Shape%zu = mesh2 {\n  vertex_vectors { %zu", number, surface->points.count);
    for (size_t i = 0; i < surface->points.count; i++) {
        vec3 p = surface->points.data[i];
        fprintf(to, ",\n    <%.7g, %.7g, %.7g>", p.x, p.y, p.z);
    }
    fprintf(to, "\n  }\n  face_indices { %zu", triangle_count(surface));
    for (size_t i = 0, from = 0; i < surface->ends.count; from = surface->ends.data[i++])
        for (size_t k = from + 1; k + 1 < surface->ends.data[i]; k++)
            fprintf(to, ",\n    <%u, %u, %u>", surface->corners.data[from], surface->corners.data[k],
                    surface->corners.data[k + 1]);
    fprintf(to, "\n  }\n  inside_vector <0.2, 0.1, 1>\n}\n\n");
}

static scree_status put_shapes(FILE *to, const film *shown, shape_table *table, scree_error *error)
{
    for (size_t k = 0; k < shown->bodies.shapes.count; k++) {
        const scree_shape_def *shape = &shown->bodies.shapes.data[k];
        if (!shape->geometry || is_declared(table, shape->geometry))
            continue;
        shape_surface surface = {0};
        bool good = shape_surface_add(&surface, shape, SECTORS) && declare(table, shape->geometry);
        if (good)
            put_mesh(to, table->count - 1, &surface);
        shape_surface_free(&surface);
        if (!good)
            return fail_no_memory(error);
    }
    return SCREE_OK;
}

// -------------------------------------------------------------------------------------------------------------- bodies

// Opens a shape in its own frame; put_pose, a texture and a brace follow.
static void put_shape(FILE *to, const scree_shape_def *shape, const shape_table *table)
{
    double r = shape->radius, h = shape->half_length;
    switch (shape->type) {
    case SCREE_SHAPE_BOX:
        fprintf(to, "box { <%.7g, %.7g, %.7g>, <%.7g, %.7g, %.7g>", -shape->half.x, -shape->half.y, -shape->half.z,
                shape->half.x, shape->half.y, shape->half.z);
        break;
    case SCREE_SHAPE_ELLIPSOID:
        fprintf(to, "sphere { 0, 1 scale <%.7g, %.7g, %.7g>", shape->radii.x, shape->radii.y, shape->radii.z);
        break;
    case SCREE_SHAPE_CAPSULE:
        fprintf(to, "merge { cylinder { -z*%.7g, z*%.7g, %.7g } sphere { -z*%.7g, %.7g } sphere { z*%.7g, %.7g }", h, h,
                r, h, r, h, r);
        break;
    case SCREE_SHAPE_CYLINDER:
        fprintf(to, "cylinder { -z*%.7g, z*%.7g, %.7g", h, h, r);
        break;
    case SCREE_SHAPE_CONE: // about its centroid, a quarter of its height above the base
        fprintf(to, "cone { -z*%.7g, %.7g, z*%.7g, 0", 0.5 * h, r, 1.5 * h);
        break;
    default:
        fprintf(to, "object { Shape%zu", table->data[place_of(table, shape->geometry)].number);
    }
}

static void put_pose(FILE *to, const scree_pose *pose)
{
    const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    fputs(" matrix <", to);
    for (int k = 0; k < 3; k++) {
        vec3 image = quat_rotate(pose->orientation, axes[k]);
        fprintf(to, "%.6g, %.6g, %.6g, ", image.x, image.y, image.z);
    }
    fprintf(to, "%.9g, %.9g, %.9g>", pose->position.x, pose->position.y, pose->position.z);
}

// Boxes that stand still are mostly containers: one looks through them. So it is with planes that are not ground.
static void put_texture(FILE *to, const scree_body_info *info, bool hides, color paint)
{
    if (info->fixed && !info->moved)
        fprintf(to, " texture { %s }%s }\n", hides ? "Glass" : "Wall", hides ? " no_shadow" : "");
    else
        fprintf(to, " pigment { srgb <%.3g, %.3g, %.3g> } }\n", paint.r / 255.0, paint.g / 255.0, paint.b / 255.0);
}

static void put_plane(FILE *to, const film *shown, const scree_shape_def *shape, const scree_pose *pose)
{
    vec3 normal = quat_rotate(pose->orientation, vec3_normalize(shape->normal));
    double offset = shape->offset + vec3_dot(normal, pose->position);
    bool ground = vec3_dot(normal, shown->up) > 0.7;
    fprintf(to, "plane { <%.7g, %.7g, %.7g>, %.9g texture { %s }%s }\n", normal.x, normal.y, normal.z, offset,
            ground ? "Ground" : "Glass", ground ? "" : " no_shadow");
}

static void put_body_shape(FILE *to, const film *shown, size_t body, const scree_shape_def *shape,
                           const shape_table *table)
{
    const scree_pose pose = film_shape_pose(shown, body, shape);
    if (!vec3_finite(pose.position)) // a diverged body has no place in a picture
        return;
    if (shape->type == SCREE_SHAPE_PLANE) {
        put_plane(to, shown, shape, &pose);
        return;
    }
    if (shape->type == SCREE_SHAPE_SPHERE) {
        fprintf(to, "sphere { <%.9g, %.9g, %.9g>, %.7g", pose.position.x, pose.position.y, pose.position.z,
                shape->radius);
    } else {
        put_shape(to, shape, table);
        put_pose(to, &pose);
    }
    put_texture(to, &shown->bodies.infos.data[body], shape->type == SCREE_SHAPE_BOX, film_color_of(shown, body));
}

static void put_bodies(FILE *to, const film *shown, const shape_table *table)
{
    const world_bodies *bodies = &shown->bodies;
    for (size_t i = 0; i < bodies->ids.count; i++)
        for (size_t k = bodies->first_shapes.data[i]; k < bodies->first_shapes.data[i + 1]; k++)
            put_body_shape(to, shown, i, &bodies->shapes.data[k], table);
}

// --------------------------------------------------------------------------------------------------------------- files

// The file NAME.ENDING, which nobody waits for on the disk.
static scree_status open_file(file_draft *draft, const char *folder, const char *name, const char *ending,
                              scree_error *error)
{
    char file[NAME_MAX + 1];
    snprintf(file, sizeof file, "%s.%s", name, ending);
    scree_status status = draft_open_in(draft, folder, file, error);
    draft->deferred = true;
    return status;
}

static void put_camera(FILE *to, const film *shown)
{
    const picture_camera *camera = &shown->camera;
    double aspect = (double)shown->def.look.width / (double)shown->def.look.height;
    double angle = 2 * atan(aspect * tan(0.5 * camera->field_of_view)) * 180 / PI; // of the width
    fprintf(to,
            "camera {\n  location <%.9g, %.9g, %.9g>\n  sky <%.7g, %.7g, %.7g>\n"
            "  right -x * image_width / image_height // the world is right-handed\n  up y\n  angle %.5g\n"
            "  look_at <%.9g, %.9g, %.9g>\n}\n\n",
            camera->position.x, camera->position.y, camera->position.z, camera->up.x, camera->up.y, camera->up.z, angle,
            camera->look_at.x, camera->look_at.y, camera->look_at.z);
}

// The sun stands behind the viewer's left shoulder, far above; its size makes soft shadows.
static void put_light(FILE *to, const film *shown)
{
    vec3 up = shown->up, view = vec3_sub(shown->camera.position, shown->camera.look_at);
    vec3 side = vec3_normalize(vec3_cross(up, view)), other;
    double size = vec3_length(vec3_sub(shown->high, shown->low));
    vec3 sun = vec3_add_scaled(vec3_add_scaled(vec3_scale(vec3_normalize(view), 1.2), up, 2.2), side, -1.1);
    sun = vec3_add_scaled(shown->camera.look_at, sun, 3 * size);
    other = vec3_cross(up, side);
    fprintf(
        to,
        "light_source {\n  <%.7g, %.7g, %.7g>\n  rgb 1.15\n  area_light <%.7g, %.7g, %.7g>, <%.7g, %.7g, %.7g>, 5, 5 "
        "adaptive 1 jitter\n}\n"
        "light_source { <%.9g, %.9g, %.9g> rgb 0.28 shadowless }\n\n",
        sun.x, sun.y, sun.z, 0.6 * size * side.x, 0.6 * size * side.y, 0.6 * size * side.z, 0.6 * size * other.x,
        0.6 * size * other.y, 0.6 * size * other.z, shown->camera.position.x, shown->camera.position.y,
        shown->camera.position.z);
    fprintf(to,
            "sky_sphere { pigment { gradient <%.7g, %.7g, %.7g> color_map { [0 srgb <0.93, 0.95, 0.97>] "
            "[0.6 srgb <0.62, 0.74, 0.88>] } } }\n\n",
            up.x, up.y, up.z);
}

static void put_main(FILE *to, const film *shown, const char *name)
{
    fprintf(to,
            "// %s: %zu frames of a run of Scree, for POV-Ray 3.7.\n//\n"
            "//     povray %s.ini                                          all frames, as %s-000000.png and so on\n"
            "//     povray %s.pov +W%zu +H%zu +A0.2 Declare=Frame=%zu      one frame\n\n"
            "#version 3.7;\nglobal_settings { assumed_gamma 1 max_trace_level 12 ambient_light rgb 1 }\n"
            "#ifndef (Frame) #declare Frame = frame_number; #end\n\n",
            name, shown->count, name, name, name, shown->def.look.width, shown->def.look.height, shown->count - 1);
    put_camera(to, shown);
    put_light(to, shown);
    fputs(
        "#default { finish { ambient 0.12 diffuse 0.75 specular 0.2 roughness 0.02 } }\n"
        "#declare Wall = texture { pigment { srgb <0.78, 0.8, 0.82> } }\n"
        "#declare Ground = texture { pigment { srgb <0.86, 0.86, 0.84> } finish { specular 0 } }\n"
        "#declare Glass = texture { pigment { srgbt <0.8, 0.86, 0.92, 0.86> } finish { ambient 0 diffuse 0.3 specular "
        "0.1 } }\n\n"
        "#include \"shapes.inc\"\n#include concat(\"frame-\", str(Frame, -6, 0), \".inc\")\n",
        to);
}

static scree_status write_main(const film *shown, const char *folder, scree_error *error)
{
    file_draft draft;
    const char *name = shown->run->name;
    scree_status status = open_file(&draft, folder, name, "pov", error);
    if (status != SCREE_OK)
        return status;
    put_main(draft.stream, shown, name);
    status = draft_finish(&draft, SCREE_OK, error);
    if (status == SCREE_OK)
        status = open_file(&draft, folder, name, "ini", error);
    if (status != SCREE_OK)
        return status;
    fprintf(draft.stream,
            "Input_File_Name=%s.pov\nOutput_File_Name=%s-\nWidth=%zu\nHeight=%zu\nAntialias=on\n"
            "Antialias_Threshold=0.2\nInitial_Frame=0\nFinal_Frame=%zu\nInitial_Clock=%.9g\nFinal_Clock=%.9g\n"
            "Display=off\n",
            name, name, shown->def.look.width, shown->def.look.height, shown->count - 1, film_time(shown, 0),
            film_time(shown, shown->count - 1));
    return draft_finish(&draft, SCREE_OK, error);
}

// Frames share one world and so its geometries; checkpoints bring their own.
static bool shares_shapes(const film *shown)
{
    return shown->run->frames.count > 0;
}

static scree_status write_frame(film *shown, size_t i, const char *folder, shape_table *table, scree_error *error)
{
    file_draft draft;
    char name[32];
    snprintf(name, sizeof name, "frame-%06zu", i);
    scree_status status = film_show(shown, i, error);
    if (status == SCREE_OK)
        status = open_file(&draft, folder, name, "inc", error);
    if (status != SCREE_OK)
        return status;
    fprintf(draft.stream, "// frame %zu of the run, time %.9g\n", film_number(shown, i), film_time(shown, i));
    if (!shares_shapes(shown)) {
        table->count = 0;
        status = put_shapes(draft.stream, shown, table, error);
    }
    put_bodies(draft.stream, shown, table);
    return draft_finish(&draft, status, error);
}

static scree_status write_shapes(film *shown, const char *folder, shape_table *table, scree_error *error)
{
    file_draft draft;
    scree_status status = film_show(shown, 0, error); // all that is ever shown is there at the first frame
    if (status == SCREE_OK)
        status = open_file(&draft, folder, "shapes", "inc", error);
    if (status != SCREE_OK)
        return status;
    if (shares_shapes(shown))
        status = put_shapes(draft.stream, shown, table, error);
    return draft_finish(&draft, status, error);
}

scree_status povray_write(film *shown, const char *folder, scree_error *error)
{
    shape_table table = {0};
    scree_status status = folder_make(folder, error);
    if (status == SCREE_OK)
        status = write_shapes(shown, folder, &table, error);
    for (size_t i = 0; status == SCREE_OK && i < shown->count; i++)
        status = write_frame(shown, i, folder, &table, error);
    if (status == SCREE_OK)
        status = write_main(shown, folder, error);
    array_free(&table);
    return status;
}
