// What the tests of this folder share: a scratch folder, files as text, small scenes and runs of them.
#ifndef TEST_RECORD_SUPPORT_H
#define TEST_RECORD_SUPPORT_H

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/file.h"
#include "scree/scree.h"
#include "temporary.h"

#define check_ok(status, error)                                                                                        \
    do {                                                                                                               \
        if ((status) != SCREE_OK)                                                                                      \
            fail_msg("%s", (error).message);                                                                           \
    } while (0)

static char scratch[512]; // folder of the running test

static inline int make_scratch(void **state)
{
    (void)state;
    return mkdtemp(temporary_template(scratch, sizeof scratch, "record")) ? 0 : -1;
}

static inline void remove_tree(const char *path)
{
    name_array names;
    if (folder_list(path, &names, NULL) == SCREE_OK) {
        for (size_t i = 0; i < names.count; i++) {
            char *inner = path_join(path, names.data[i]);
            struct stat info;
            if (lstat(inner, &info) == 0 && S_ISDIR(info.st_mode))
                remove_tree(inner);
            else
                unlink(inner);
            free(inner);
        }
        names_free(&names);
    }
    rmdir(path);
}

static inline int drop_scratch(void **state)
{
    (void)state;
    remove_tree(scratch);
    return 0;
}

// A test in a scratch folder of its own.
#define test(function) cmocka_unit_test_setup_teardown(function, make_scratch, drop_scratch)

// Path in the scratch folder; the four latest results stay valid.
static inline const char *in_scratch(const char *name)
{
    static char paths[4][1024];
    static int next;
    next = (next + 1) % 4;
    snprintf(paths[next], sizeof paths[next], "%s/%s", scratch, name);
    return paths[next];
}

// Contents with a terminating zero; NULL when there is no such file. The caller frees it.
static inline char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    char *text = malloc((size_t)length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)length, file), length);
    text[length] = '\0';
    fclose(file);
    if (size)
        *size = (size_t)length;
    return text;
}

static inline void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static inline void assert_file_text(const char *path, const char *expected)
{
    char *text = read_file(path, NULL);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static inline size_t count_lines(const char *path)
{
    char *text = read_file(path, NULL);
    assert_non_null(text);
    size_t lines = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    free(text);
    return lines;
}

// From here on no file may grow beyond `room` bytes: a full disk, for this process. RLIM_INFINITY ends it.
static inline void set_disk_room(rlim_t room)
{
    struct rlimit limits;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limits), 0);
    limits.rlim_cur = room < limits.rlim_max ? room : limits.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limits), 0);
}

// Runs `work` in a child in which no file may grow beyond `limit` bytes: what a full disk does, for one process. The
// result of `work` (0 to 100) comes back.
static inline int with_file_limit(size_t limit, int (*work)(void))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit room = {limit, limit};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &room);
        _exit(work());
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

#endif
