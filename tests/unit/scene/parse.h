// What the tests of scenes share: parsing a text, and failing with the message when it does not parse.
#ifndef TESTS_SCENE_PARSE_H
#define TESTS_SCENE_PARSE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "scene/scene.h"

static inline scree_scene *parse_with(const char *text, const char *const *sets, size_t set_count)
{
    scree_scene *scene = NULL;
    scree_error error = {0};
    if (scree_scene_parse(text, strlen(text), "scene.yaml", sets, set_count, &scene, &error) != SCREE_OK)
        fail_msg("%s", error.message);
    assert_non_null(scene);
    return scene;
}

static inline scree_scene *parse(const char *text)
{
    return parse_with(text, NULL, 0);
}

static inline void assert_refused_with(const char *text, const char *const *sets, size_t set_count, const char *message)
{
    scree_scene *scene = NULL;
    scree_error error = {0};
    assert_int_equal(scree_scene_parse(text, strlen(text), "scene.yaml", sets, set_count, &scene, &error),
                     SCREE_ERROR_INVALID);
    assert_null(scene);
    assert_int_equal(error.status, SCREE_ERROR_INVALID);
    assert_string_equal(error.message, message);
}

static inline void assert_refused(const char *text, const char *message)
{
    assert_refused_with(text, NULL, 0, message);
}

// A build without qhull has no hulls.
static inline bool has_hulls(void)
{
    const scree_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    scree_geometry *hull = NULL;
    bool made = scree_hull_create(points, 4, &hull, NULL) == SCREE_OK;
    scree_geometry_release(hull);
    return made;
}

#endif
