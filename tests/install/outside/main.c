// A first program of somebody else's: drops a ball for a tenth of a second.
#include <scree/scree.h>
#include <stdio.h>
#include <string.h>

// A name that the library uses inside, too: it must not matter.
int fail(const char *what);
int fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    return 1;
}

int main(void)
{
    scree_error error;
    scree_world *world;
    scree_world_def world_def = scree_default_world_def();
    if (scree_world_create(&world_def, &world, &error) != SCREE_OK)
        return fail(error.message);

    scree_shape_def shape = scree_default_shape_def();
    scree_body_def ball = scree_default_body_def();
    ball.position.z = 10;
    ball.shapes = &shape;
    ball.shape_count = 1;
    scree_id id;
    if (scree_world_add_bodies(world, &ball, 1, &id, &error) != SCREE_OK)
        return fail(error.message);
    if (scree_world_step(world, 20, &error) != SCREE_OK)
        return fail(error.message);

    scree_detect_result found;
    if (scree_world_detect(world, NULL, NULL, NULL, &found, &error) != SCREE_OK || found.bodies != 1)
        return fail("one ball alone is not detected");

    scree_state state;
    if (scree_world_get_states(world, &id, 1, &state, &error) != SCREE_OK)
        return fail(error.message);
    scree_world_destroy(world);
    printf("%s: fallen to %.4f\n", scree_version(), state.position.z);
    return state.position.z < 9.96 && state.position.z > 9.94 && strcmp(scree_version(), SCREE_VERSION) == 0 ? 0 : 2;
}
