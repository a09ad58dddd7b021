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

// The message in the first line of the file, after FILE:.
static void read_expectation(const char *path, char *message, size_t size)
{
    static const char prefix[] = "# expect: ", version[] = "{version}";
    char line[SCREE_MESSAGE_SIZE];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    if (!fgets(line, sizeof line, file) || strncmp(line, prefix, strlen(prefix)) != 0)
        fail_msg("%s: the first line must be '%s...'", path, prefix);
    fclose(file);
    line[strcspn(line, "\n")] = 0;
    char *expected = line + strlen(prefix), *mark = strstr(expected, version);
    if (mark)
        snprintf(message, size, "%.*s%s%s", (int)(mark - expected), expected, scree_version(), mark + strlen(version));
    else
        snprintf(message, size, "%s", expected);
}

static void check(const char *path)
{
    char expected[SCREE_MESSAGE_SIZE], whole[2 * SCREE_MESSAGE_SIZE];
    read_expectation(path, expected, sizeof expected);
    snprintf(whole, sizeof whole, "%s:%s", path, expected);
    scree_scene *scene = NULL;
    scree_error error = {0};
    scree_status status = scree_scene_load(path, NULL, 0, &scene, &error);
    if (status != SCREE_INVALID)
        fail_msg("%s: status %d instead of a refusal", path, (int)status);
    assert_null(scene);
    assert_string_equal(error.message, whole);
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
        check(path);
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
