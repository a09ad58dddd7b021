// The keys of a scene as tables: one row per key with its kind, its place in a struct, its default, what is accepted
// and what it means. A name may have several rows, each for variants of its own, where the kind of its value differs.
// Reading, writing back, suggestions and messages follow the tables; a test holds docs/scene.md and
// docs/scene.schema.json against them. To add a key, add a row to tables.c and describe it in those two files.
#ifndef SCENE_KEYS_H
#define SCENE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum key_kind { // what the value is, and the C type at the row's offset
    KEY_REAL,           // double
    KEY_INT,            // int
    KEY_SIZE,           // size_t
    KEY_U64,            // uint64_t
    KEY_GROUP,          // uint32_t: the bit of a group from 0 to 31
    KEY_GROUPS,         // uint32_t: a list of groups as bits
    KEY_TRUTH,          // bool
    KEY_WORD,           // int or enum: one of `words`
    KEY_VEC2,           // double[2]
    KEY_VEC3,           // scree_vec3
    KEY_DIRECTION,      // scree_vec3 that is not zero
    KEY_QUAT,           // scree_quat that is not zero
    KEY_ROTATION,       // scree_quat, or the word random, which sets the row's flag
    KEY_BOX,            // two scree_vec3: corners
    KEY_ENDS,           // two scree_vec3: points
    KEY_LIMITS,         // double[2]: the lower one first; infinite where there are none
    KEY_RANGE,          // fill_range: a number, or [low, high]
    KEY_RANGE3,         // fill_range[3]
    KEY_NAME,           // char *
    KEY_PATH,           // char *: a file, from the folder of the scene
    KEY_POINTS,         // scene_points
    KEY_SHIFTS,         // fill_shifts
    KEY_BALLS,          // scene_balls
    KEY_MATERIAL,       // int: index of a named material
    KEY_MATERIALS,      // int[2]: two of them
    KEY_BODY,           // size_t: index of a named body
    KEY_VALUES,         // nothing: a mapping from dotted paths to any values
    KEY_TABLE,          // a mapping with the keys of `table`, whose offsets count from the same struct
    KEY_NAMES,          // a list of names; read by the code that knows what they name
    KEY_LIST,           // a list of mappings with the keys of `table`; read by code of its own
    KEY_MAP,            // a mapping from names to mappings with the keys of `table`; read by code of its own
} key_kind;

enum key_flags {
    KEY_REQUIRED = 1,
    KEY_OMITTED = 2, // written back only when it differs from the default, which `note` describes
    KEY_VARIANT = 4, // the word that decides which other keys the mapping has
    KEY_APPLIED = 8, // has done its work when the scene is read, and is not written back
};

typedef struct key_word {
    const char *name;
    int value;
} key_word;

typedef struct key_table key_table;

typedef struct key_row {
    const char *name;
    key_kind kind;
    unsigned flags;
    unsigned only; // for which words of the variant key, one bit each (1 << value); 0: for all
    size_t offset;
    size_t flag;      // offset of a bool: set when the key is given, or when a KEY_ROTATION is random; 0: none
    double low, high; // of a number, or of each number
    bool open;        // low itself is not accepted
    double fallback[4];
    const char *note; // the default in words, where the fallback does not say it
    const key_word *words;
    const key_table *table;
    const char *help;
} key_row;

struct key_table {
    const char *path;  // as the reference is headed: "bodies[].shapes[]"
    const char *title; // in messages: "a shape"
    const key_row *keys;
    size_t count;
};

extern const key_table scene_table, time_table, solver_table, material_table, pair_table, body_table, shape_table,
    fill_table, fill_shape_table, joint_table, motor_table, motion_table, event_table, output_table, counter_table,
    plane_table, variant_table, penalty_table, view_table;

// The first row of that name; NULL when there is none.
const key_row *table_find(const key_table *table, const char *name);

// The row of that name in a variant; NULL when the variant has none.
const key_row *table_find_in(const key_table *table, const char *name, int variant);

// The row that decides the variant; NULL when the table has none.
const key_row *table_variant_key(const key_table *table);

// Whether the row belongs to the variant with this value; any row does when the table has no variants.
bool key_in_variant(const key_row *row, int variant);

// Puts the default of every row that has a place in the struct, also of nested tables.
void table_set_defaults(const key_table *table, void *target);

const key_word *word_find(const key_word *words, const char *name);
const key_word *word_of_value(const key_word *words, int value);

enum { DESCRIPTION_SIZE = 256, NAME_LIST_SIZE = 192 };

// The values that the row accepts, in words that follow "must be": "a number greater than 0".
void key_describe(const key_row *row, char text[DESCRIPTION_SIZE]);

// Adds a word to a list "a, b", or "..." when there is no room left; false from then on.
bool name_list_append(char text[NAME_LIST_SIZE], const char *word);

// "name, position, ..." of the rows in that variant (-1: of all), shortened with "..." when there is no room.
void table_list_keys(const key_table *table, int variant, char text[NAME_LIST_SIZE]);

// "auto, jacobi".
void words_list(const key_word *words, char text[NAME_LIST_SIZE]);

#endif
