// A picture is filled from the bodies, aimed, and given to the painter.
#include "view/world/world_picture.h"

#include "view/world/world_scene.h"

world_picture_def world_picture_default(void)
{
    // From the front, a little from the right and from above.
    return (world_picture_def){
        .width = 1280, .height = 720, .azimuth = 0.607, .elevation = 0.370, .field_of_view = 0.5, .legend = true};
}

scree_status world_picture_draw(const world_bodies *bodies, const world_picture_def *def, canvas *sheet,
                                scree_error *error)
{
    world_scene scene = {0};
    *sheet = (canvas){0};
    scree_status status = world_scene_fill(&scene, bodies, def, error);
    if (status == SCREE_OK)
        status = world_scene_aim(&scene, def, error);
    if (status == SCREE_OK)
        status = painter_draw(def->painter, &scene.picture, sheet, error);
    world_scene_free(&scene);
    return status;
}

scree_status world_picture_save(const scree_world *world, const world_picture_def *def, const char *path,
                                scree_error *error)
{
    canvas sheet = {0};
    world_bodies bodies = {0};
    scree_status status = world_bodies_read(&bodies, world, error);
    if (status == SCREE_OK)
        status = world_picture_draw(&bodies, def, &sheet, error);
    if (status == SCREE_OK)
        status = canvas_save(&sheet, path, error);
    canvas_free(&sheet);
    world_bodies_free(&bodies);
    return status;
}
