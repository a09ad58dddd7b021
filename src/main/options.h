// Options of a command line, by table: --name value, --name=value, -n value, -nvalue, flags, and `--`.
//
// A row names the option and says where in the command's settings its value goes, so that a command reads its options
// with one call and help is printed from the same rows.
#ifndef MAIN_OPTIONS_H
#define MAIN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "scree/status.h"
#include "scree/types.h"

typedef enum option_type {
    OPTION_FLAG,   // bool
    OPTION_TEXT,   // const char *
    OPTION_LIST,   // option_list; may be given several times
    OPTION_CHOICE, // int: index of the word among the row's `argument`, "one|two|three"
    OPTION_COUNT,  // uint64_t within [low, high]
    OPTION_NUMBER, // option_number within [low, high]
    OPTION_SIZE,   // option_size: WxH, each within [low, high]
    OPTION_POINT,  // option_point: X,Y,Z
} option_type;

typedef ARRAY(const char *) option_list;

typedef struct option_number {
    double value;
    const char *text; // as typed; NULL when not given
} option_number;

typedef struct option_size {
    size_t width, height;
} option_size;

typedef struct option_point {
    scree_vec3 value;
    bool given;
} option_point;

typedef struct option {
    char letter;      // 0 for none
    const char *name; // without the dashes
    option_type type;
    size_t offset;        // of the value in the settings
    const char *argument; // what help calls the value; NULL for a flag
    const char *help;
    double low, high; // COUNT, NUMBER, SIZE: what is accepted
} option;

// Reads arguments[0..count) and moves the positional ones to the front; their number goes to `positional`. `help` is
// set when -h or --help was given; reading stops there.
scree_status options_parse(const option *options, size_t option_count, char **arguments, size_t count, void *settings,
                           size_t *positional, bool *help, scree_error *error);

#endif
