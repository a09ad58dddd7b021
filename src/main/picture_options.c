// An option wins over the scene, and the scene over what is chosen without either.
#include "main/picture_options.h"

#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "scene/document/scalar.h"

static const double DEGREE = 0.017453292519943295;

// Reads up to `most` numbers with commas between them; how many, or 0 when it is anything else.
static size_t read_numbers(const char *text, size_t most, double *numbers)
{
    char copy[160];
    size_t count = 0;
    if (strlen(text) >= sizeof copy)
        return 0;
    strcpy(copy, text);
    for (char *part = copy; part; count++) {
        char *comma = strchr(part, ',');
        if (comma)
            *comma = '\0';
        if (count == most || !scalar_real(part, &numbers[count]) || !isfinite(numbers[count]))
            return 0;
        part = comma ? comma + 1 : NULL;
    }
    return count;
}

static scree_status read_sections(const option_list *list, picture_sections *sections, scree_error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        double n[4];
        if (read_numbers(list->data[i], 4, n) != 4 || !(vec3_length(vec3_make(n[0], n[1], n[2])) > 0))
            return fail(error, SCREE_ERROR_INVALID,
                        "--section: '%s' is not accepted; NX,NY,NZ,OFFSET without blanks is, with a normal that is not "
                        "zero",
                        list->data[i]);
        double length = vec3_length(vec3_make(n[0], n[1], n[2]));
        picture_plane plane = {vec3_make(n[0] / length, n[1] / length, n[2] / length), n[3] / length};
        if (!array_push(sections, plane))
            return fail_no_memory(error);
    }
    return SCREE_OK;
}

static scree_status read_texts(const picture_options *options, world_picture_def *def, scree_error *error)
{
    double numbers[2] = {0, 0};
    size_t count = 0;
    if (options->color && body_color_parse(options->color, &def->color, error) != SCREE_OK)
        return SCREE_ERROR_INVALID;
    if (options->range) {
        if (read_numbers(options->range, 2, numbers) != 2 || !(numbers[0] < numbers[1]))
            return fail(error, SCREE_ERROR_INVALID, "--range: '%s' is not accepted; LOW,HIGH with LOW < HIGH is",
                        options->range);
        def->has_range = true;
        def->low = numbers[0];
        def->high = numbers[1];
    }
    if (options->orbit) {
        count = read_numbers(options->orbit, 2, numbers);
        if (count == 0 || (count == 2 && fabs(numbers[1]) > 90))
            return fail(
                error, SCREE_ERROR_INVALID,
                "--orbit: '%s' is not accepted; AZIMUTH or AZIMUTH,ELEVATION in degrees is, the latter from -90 "
                "to 90",
                options->orbit);
        def->azimuth = numbers[0] * DEGREE;
        def->elevation = count == 2 ? numbers[1] * DEGREE : def->elevation;
        def->has_from = false;
    }
    return SCREE_OK;
}

static void take_scene(const scree_scene *scene, world_picture_def *def)
{
    const scene_view *view = &scene->view;
    def->color = (body_color)view->color;
    def->has_from = view->has_from;
    def->from = view->from;
    def->has_look_at = view->has_look_at;
    def->look_at = view->look_at;
    def->azimuth = view->azimuth;
    def->elevation = view->elevation;
    def->field_of_view = view->field_of_view;
    def->has_range = view->has_range;
    def->low = view->range[0];
    def->high = view->range[1];
}

scree_status picture_options_read(const picture_options *options, const subject *drawn, world_picture_def *def,
                                  picture_sections *sections, scree_error *error)
{
    *def = world_picture_default();
    if (drawn->scene)
        take_scene(drawn->scene, def);
    if (options->color && !options->range)
        def->has_range = false; // the scene's range is of the scene's colour
    if (options->size.width > 0) {
        def->width = options->size.width;
        def->height = options->size.height;
    }
    scree_status status = read_texts(options, def, error);
    if (status == SCREE_OK)
        status = read_sections(&options->sections, sections, error);
    if (options->from.given) {
        def->has_from = true;
        def->from = options->from.value;
    }
    if (options->look_at.given) {
        def->has_look_at = true;
        def->look_at = options->look_at.value;
    }
    def->material_names = drawn->material_names.data;
    def->material_name_count = drawn->material_names.count;
    def->sections = sections->data;
    def->section_count = sections->count;
    def->force_chains = options->forces;
    def->normals = options->normals;
    def->legend = !options->plain;
    def->caption = options->plain ? "" : NULL;
    return status;
}
