// A formation is a scene like any other: its text is written and read.
#include "main/formation.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

typedef struct formation {
    const char *name;
    int wide, high; // of a tower: cubes; a column is 0 wide
} formation;

static const formation formations[FORMATIONS] = {
    {"column", 0, 100}, {"tower-2", 2, 8}, {"tower-4", 4, 8}, {"tower-6", 6, 10}, {"tower-8", 8, 12}};

static void write_cube(FILE *to, double x, double y, double z)
{
    fprintf(to, "  - { position: [%g, %g, %g], shapes: [ { type: box, half: [0.5, 0.5, 0.5] } ] }\n", x, y, z);
}

// Cubes above each other between four places, so near that sides and corners still overlap.
static void write_column(FILE *to, const formation *f)
{
    static const double places[4][2] = {{-0.4, -0.4}, {0.4, -0.4}, {0.4, 0.4}, {-0.4, 0.4}};
    for (int i = 0; i < f->high; i++)
        write_cube(to, places[i % 4][0], places[i % 4][1], 0.5 + 1.05 * i);
}

static void write_tower(FILE *to, const formation *f)
{
    for (int k = 0; k < f->high; k++)
        for (int j = 0; j < f->wide; j++)
            for (int i = 0; i < f->wide; i++)
                write_cube(to, 1.02 * (i - 0.5 * (f->wide - 1)), 1.02 * (j - 0.5 * (f->wide - 1)), 0.5 + 1.001 * k);
}

scree_status formation_make(size_t number, const char *const *sets, size_t set_count, scree_scene **scene,
                            scree_error *error)
{
    const formation *f = &formations[number];
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    *scene = NULL;
    if (!to)
        return fail_no_memory(error);
    fprintf(to, "time: { step: 0.01, duration: 60 }\n"
                "view: { color: body }\n"
                "bodies:\n"
                "  - { name: floor, fixed: true, shapes: [ { type: plane, normal: [0, 0, 1], offset: 0 } ] }\n");
    if (f->wide == 0)
        write_column(to, f);
    else
        write_tower(to, f);
    bool written = fclose(to) == 0;
    scree_status status =
        written ? scree_scene_parse(text, size, f->name, sets, set_count, scene, error) : fail_no_memory(error);
    free(text);
    return status;
}
