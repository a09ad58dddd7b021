// Scenes under libFuzzer: any bytes are read or refused with a message; what is read is written back, reads as the same
// scene, and builds a world when it is small. A first line "#set PATH=VALUE" is taken as an override too.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"

enum { MOST_BODIES = 200, LONGEST_OVERRIDE = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

// True when the text begins with an override, which is copied without its line end.
static bool find_override(const char *text, size_t size, char override[LONGEST_OVERRIDE])
{
    static const char mark[] = "#set ";
    size_t skipped = sizeof mark - 1;
    if (size < skipped || memcmp(text, mark, skipped) != 0)
        return false;
    size_t length = 0;
    while (length < LONGEST_OVERRIDE - 1 && skipped + length < size && text[skipped + length] != '\n')
        length++;
    memcpy(override, text + skipped, length);
    override[length] = 0;
    return true;
}

static void check_round_trip(const scree_scene *scene)
{
    char *first, *second;
    scree_scene *again;
    require(scree_scene_text(scene, &first, NULL) == SCREE_OK);
    require(scree_scene_parse(first, strlen(first), "again", NULL, 0, &again, NULL) == SCREE_OK);
    require(scree_scene_text(again, &second, NULL) == SCREE_OK);
    require(strcmp(first, second) == 0);
    scree_text_free(first);
    scree_text_free(second);
    scree_scene_destroy(again);
}

static void build(const scree_scene *scene)
{
    size_t bodies = scene->body_count;
    for (size_t i = 0; i < scene->fill_count && bodies < MOST_BODIES; i++)
        bodies += scene->fills[i].def.count;
    if (bodies >= MOST_BODIES)
        return;
    scree_world *world;
    scree_error error = {0};
    scree_status status = scree_scene_build(scene, 1, &world, &error);
    require(status == SCREE_OK ? scree_world_body_count(world) == bodies : !world && error.message[0] != 0);
    scree_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    char override[LONGEST_OVERRIDE];
    const char *sets[] = {override};
    size_t set_count = find_override(text, size, override) ? 1 : 0;
    scree_scene *scene;
    scree_error error = {0};
    scree_status status = scree_scene_parse(text, size, "scene", sets, set_count, &scene, &error);
    if (status == SCREE_OK) {
        check_round_trip(scene);
        build(scene);
        scree_scene_destroy(scene);
    } else {
        require(!scene && error.status == status && !strchr(error.message, '\n'));
        require(strncmp(error.message, "scene:", 6) == 0 || strncmp(error.message, "--set ", 6) == 0);
    }
    return 0;
}
