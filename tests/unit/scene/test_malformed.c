// Every scene in tests/data/malformed is refused with exactly the message that its first line holds:
//
//     # expect: LINE:COLUMN: what is wrong, and what is accepted
//
// where {version} stands for the version of the library.
#include "parse.h"

#include <dirent.h>
#include <stdio.h>

#include "scree/version.h"

static const char folder[] = SCREE_SOURCE_DIR "/tests/data/malformed";

static size_t read_all(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t got = fread(text, 1, size - 1, file);
    assert_true(got < size - 1);
    fclose(file);
    text[got] = 0;
    return got;
}

// The message that the first line of the text holds, with the name of the file before it.
static void expected_message(const char *name, const char *text, char message[SCREE_MESSAGE_SIZE])
{
    static const char prefix[] = "# expect: ", version[] = "{version}";
    if (strncmp(text, prefix, strlen(prefix)) != 0)
        fail_msg("%s: the first line must be '%s...'", name, prefix);
    const char *line = text + strlen(prefix), *mark = strstr(line, version);
    int length = (int)strcspn(line, "\n"), before = mark ? (int)(mark - line) : length;
    if (before >= length)
        snprintf(message, SCREE_MESSAGE_SIZE, "%s:%.*s", name, length, line);
    else
        snprintf(message, SCREE_MESSAGE_SIZE, "%s:%.*s%s%.*s", name, before, line, scree_version(),
                 length - before - (int)strlen(version), mark + strlen(version));
}

static void check(const char *name, const char *path)
{
    static char text[1 << 16];
    size_t size = read_all(path, text, sizeof text);
    char expected[SCREE_MESSAGE_SIZE];
    expected_message(name, text, expected);
    scree_scene *scene = NULL;
    scree_error error = {0};
    scree_status status = scree_scene_parse(text, size, name, NULL, 0, &scene, &error);
    if (status != SCREE_ERROR_INVALID)
        fail_msg("%s: status %d instead of a refusal", path, (int)status);
    assert_null(scene);
    assert_string_equal(error.message, expected);
}

static void test_all(void **state)
{
    (void)state;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.')
            continue;
        char path[2048];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        check(entry->d_name, path);
        count++;
    }
    closedir(directory);
    assert_true(count >= 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
