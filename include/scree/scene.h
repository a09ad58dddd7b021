// Scenes: a YAML (or JSON) file that describes a world, what moves in it and what to write. docs/scene.md has every
// key.
#ifndef SCREE_SCENE_H
#define SCREE_SCENE_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_scene scree_scene;

// Reads and validates a scene. `sets` are overrides of the form "dotted.path=value", applied in order before
// validation, as if the file said so. Messages of a bad file begin with FILE:LINE:COLUMN.
SCREE_API scree_status scree_scene_load(const char *path, const char *const *sets, size_t set_count,
                                        scree_scene **scene, scree_error *error);

// The same from memory; `name` stands for the file in messages and gives the scene its name.
SCREE_API scree_status scree_scene_parse(const char *text, size_t size, const char *name, const char *const *sets,
                                         size_t set_count, scree_scene **scene, scree_error *error);

SCREE_API void scree_scene_destroy(scree_scene *scene); // accepts NULL

// The scene as understood, with every default and override written out, as YAML into a new string that the caller
// frees with scree_text_free.
SCREE_API scree_status scree_scene_text(const scree_scene *scene, char **text, scree_error *error);
SCREE_API void scree_text_free(char *text);

// A new world at time zero. `threads` as in scree_world_def.
SCREE_API scree_status scree_scene_build(const scree_scene *scene, int threads, scree_world **world,
                                         scree_error *error);

// The id that the named body has in every world built from this scene; 0 when there is none of that name.
SCREE_API scree_id scree_scene_body(const scree_scene *scene, const char *name);

// Names of the variants that the scene has, in their order; the override "variant=NAME" picks one. NULL beyond the
// last.
SCREE_API size_t scree_scene_variant_count(const scree_scene *scene);
SCREE_API const char *scree_scene_variant(const scree_scene *scene, size_t index);

// The id that the named joint has in every world built from this scene; 0 when there is none of that name.
SCREE_API scree_id scree_scene_joint(const scree_scene *scene, const char *name);

#ifdef __cplusplus
}
#endif

#endif
