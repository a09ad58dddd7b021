// The option reader. Every type of value has one function that reads a text into its place; the rest is finding the
// row.
#include "main/options.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "scene/document/scalar.h"
#include "scene/document/suggest.h"

typedef scree_status value_reader(const option *row, const char *text, void *place, scree_error *error);

static value_reader read_text, read_list, read_choice, read_count, read_number, read_size, read_point;

static value_reader *const readers[] = {
    [OPTION_TEXT] = read_text,   [OPTION_LIST] = read_list,     [OPTION_CHOICE] = read_choice,
    [OPTION_COUNT] = read_count, [OPTION_NUMBER] = read_number, [OPTION_SIZE] = read_size,
    [OPTION_POINT] = read_point,
};

static const option *find_by_name(const option *options, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(options[i].name) == length && strncmp(options[i].name, name, length) == 0)
            return &options[i];
    return NULL;
}

static const option *find_by_letter(const option *options, size_t count, char letter)
{
    for (size_t i = 0; i < count; i++)
        if (options[i].letter != 0 && options[i].letter == letter)
            return &options[i];
    return NULL;
}

static scree_status fail_unknown(const option *options, size_t count, const char *argument, scree_error *error)
{
    if (argument[1] != '-')
        return fail(error, SCREE_ERROR_INVALID, "unknown option '%.2s'; --help lists what is accepted", argument);
    int length = (int)strcspn(argument + 2, "=");
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", length, argument + 2);
    suggestion search = suggest_for(typed);
    suggest_offer(&search, "help");
    for (size_t i = 0; i < count; i++)
        suggest_offer(&search, options[i].name);
    if (search.best)
        return fail(error, SCREE_ERROR_INVALID, "unknown option '--%s'; did you mean --%s?", typed, search.best);
    return fail(error, SCREE_ERROR_INVALID, "unknown option '--%s'; --help lists what is accepted", typed);
}

// Splits one argument into its row and the value attached to it, if any.
static scree_status find_option(const option *options, size_t count, const char *argument, const option **row,
                                const char **attached, scree_error *error)
{
    *attached = NULL;
    if (argument[1] == '-') {
        size_t length = strcspn(argument + 2, "=");
        *row = find_by_name(options, count, argument + 2, length);
        if (argument[2 + length] == '=')
            *attached = argument + 2 + length + 1;
    } else {
        *row = find_by_letter(options, count, argument[1]);
        if (argument[2] != '\0')
            *attached = argument + 2;
    }
    return *row ? SCREE_OK : fail_unknown(options, count, argument, error);
}

static bool is_help(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

// Reads the option at arguments[*index]; moves the index on when the value is the next argument.
static scree_status take_option(const option *options, size_t option_count, char **arguments, size_t count,
                                size_t *index, void *settings, scree_error *error)
{
    const option *row;
    const char *value;
    scree_status status = find_option(options, option_count, arguments[*index], &row, &value, error);
    if (status != SCREE_OK)
        return status;
    char *place = (char *)settings + row->offset;
    if (row->type == OPTION_FLAG) {
        char *argument = arguments[*index];
        if (value && argument[1] == '-')
            return fail(error, SCREE_ERROR_INVALID, "option --%s takes no value", row->name);
        *(bool *)place = true;
        if (!value)
            return SCREE_OK;
        argument[1] = '-'; // -qo DIR is -q -o DIR: go on with the rest of the letters
        arguments[*index] = argument + 1;
        return take_option(options, option_count, arguments, count, index, settings, error);
    }
    // A negative number may follow an option, another long option may not.
    if (!value && *index + 1 < count && strncmp(arguments[*index + 1], "--", 2) != 0)
        value = arguments[++*index];
    if (!value)
        return fail(error, SCREE_ERROR_INVALID, "option --%s needs a value: --%s %s", row->name, row->name,
                    row->argument);
    return readers[row->type](row, value, place, error);
}

scree_status options_parse(const option *options, size_t option_count, char **arguments, size_t count, void *settings,
                           size_t *positional, bool *help, scree_error *error)
{
    *positional = 0;
    *help = false;
    bool options_ended = false;
    for (size_t i = 0; i < count; i++) {
        char *argument = arguments[i];
        if (options_ended || argument[0] != '-' || argument[1] == '\0') {
            arguments[(*positional)++] = argument;
        } else if (strcmp(argument, "--") == 0) {
            options_ended = true;
        } else if (is_help(argument)) {
            *help = true;
            return SCREE_OK;
        } else {
            scree_status status = take_option(options, option_count, arguments, count, &i, settings, error);
            if (status != SCREE_OK)
                return status;
        }
    }
    return SCREE_OK;
}

static scree_status read_text(const option *row, const char *text, void *place, scree_error *error)
{
    if (text[0] == '\0')
        return fail(error, SCREE_ERROR_INVALID, "--%s: the value is empty; %s is accepted", row->name, row->argument);
    *(const char **)place = text;
    return SCREE_OK;
}

static scree_status read_list(const option *row, const char *text, void *place, scree_error *error)
{
    (void)row;
    option_list *list = place;
    return array_push(list, text) ? SCREE_OK : fail_no_memory(error);
}

static scree_status read_choice(const option *row, const char *text, void *place, scree_error *error)
{
    size_t length = strlen(text);
    int index = 0;
    for (const char *word = row->argument;; index++) {
        size_t word_length = strcspn(word, "|");
        if (word_length == length && strncmp(word, text, length) == 0) {
            *(int *)place = index;
            return SCREE_OK;
        }
        if (word[word_length] == '\0')
            return fail(error, SCREE_ERROR_INVALID, "--%s: '%s' is unknown; %s is accepted", row->name, text,
                        row->argument);
        word += word_length + 1;
    }
}

static scree_status read_count(const option *row, const char *text, void *place, scree_error *error)
{
    uint64_t number;
    if (!scalar_whole(text, &number) || (double)number < row->low || (double)number > row->high)
        return fail(error, SCREE_ERROR_INVALID, "--%s: '%s' is not accepted; a whole number from %.0f to %.0f is",
                    row->name, text, row->low, row->high);
    *(uint64_t *)place = number;
    return SCREE_OK;
}

static scree_status read_number(const option *row, const char *text, void *place, scree_error *error)
{
    double number;
    if (!scalar_real(text, &number) || number < row->low || number > row->high)
        return fail(error, SCREE_ERROR_INVALID, "--%s: '%s' is not accepted; a number from %g to %g is", row->name,
                    text, row->low, row->high);
    *(option_number *)place = (option_number){number, text};
    return SCREE_OK;
}

// Splits a text at `separator` into exactly `count` parts; `copy` has room for `size` and holds them.
static bool split(const char *text, char separator, size_t count, char *copy, size_t size, char **parts)
{
    if (strlen(text) >= size)
        return false;
    strcpy(copy, text);
    for (size_t i = 0; i < count; i++) {
        parts[i] = copy;
        char *end = strchr(copy, separator);
        if ((end == NULL) != (i + 1 == count))
            return false;
        if (end) {
            *end = '\0';
            copy = end + 1;
        }
    }
    return true;
}

static scree_status read_size(const option *row, const char *text, void *place, scree_error *error)
{
    char copy[64], *parts[2];
    uint64_t width = 0, height = 0, low = (uint64_t)row->low, high = (uint64_t)row->high;
    bool good = split(text, 'x', 2, copy, sizeof copy, parts) && scalar_whole(parts[0], &width) &&
                scalar_whole(parts[1], &height);
    if (!good || width < low || height < low || width > high || height > high)
        return fail(error, SCREE_ERROR_INVALID, "--%s: '%s' is not accepted; WxH with numbers from %llu to %llu is",
                    row->name, text, (unsigned long long)low, (unsigned long long)high);
    *(option_size *)place = (option_size){(size_t)width, (size_t)height};
    return SCREE_OK;
}

static scree_status read_point(const option *row, const char *text, void *place, scree_error *error)
{
    char copy[128], *parts[3];
    scree_vec3 at = {0, 0, 0};
    bool good = split(text, ',', 3, copy, sizeof copy, parts) && scalar_real(parts[0], &at.x) &&
                scalar_real(parts[1], &at.y) && scalar_real(parts[2], &at.z) && vec3_finite(at);
    if (!good)
        return fail(error, SCREE_ERROR_INVALID, "--%s: '%s' is not accepted; three numbers X,Y,Z without blanks are",
                    row->name, text);
    *(option_point *)place = (option_point){at, true};
    return SCREE_OK;
}
