#include "view/export/state_table.h"

#include <inttypes.h>

#include "base/error.h"
#include "record/rows.h"

// Positions as exact as the run has them; the rest is in single precision there.
static void put_row(FILE *to, const world_bodies *bodies, size_t body)
{
    const scree_state *at = &bodies->states.data[body];
    const scree_body_info *info = &bodies->infos.data[body];
    char x[NUMBER_SIZE], y[NUMBER_SIZE], z[NUMBER_SIZE];
    fprintf(to, "%" PRIu64 ",%d,%d,%.9g,%s,%s,%s", bodies->ids.data[body], info->fixed, info->material,
            info->bounding_radius, number_text(at->position.x, x), number_text(at->position.y, y),
            number_text(at->position.z, z));
    const double rest[] = {at->orientation.w, at->orientation.x, at->orientation.y, at->orientation.z, at->velocity.x,
                           at->velocity.y,    at->velocity.z,    at->spin.x,        at->spin.y,        at->spin.z};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        fprintf(to, ",%.9g", rest[i]);
    fputc('\n', to);
}

static scree_status write_states(film *shown, size_t i, const char *folder, scree_error *error)
{
    file_draft draft;
    char name[64];
    scree_status status = film_show(shown, i, error);
    snprintf(name, sizeof name, "states-%06zu.csv", film_number(shown, i));
    if (status == SCREE_OK)
        status = draft_open_in(&draft, folder, name, error);
    if (status != SCREE_OK)
        return status;
    draft.deferred = true;
    fputs("id,fixed,material,radius,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n", draft.stream);
    for (size_t k = 0; k < shown->bodies.ids.count; k++)
        put_row(draft.stream, &shown->bodies, k);
    return draft_finish(&draft, status, error);
}

scree_status state_table_write(film *shown, const char *folder, scree_error *error)
{
    file_draft list;
    scree_status status = folder_make(folder, error);
    if (status == SCREE_OK)
        status = draft_open_in(&list, folder, "frames.csv", error);
    if (status != SCREE_OK)
        return status;
    fputs("frame,time,bodies\n", list.stream);
    for (size_t i = 0; status == SCREE_OK && i < shown->count; i++) {
        char time[NUMBER_SIZE];
        status = write_states(shown, i, folder, error);
        if (status == SCREE_OK)
            fprintf(list.stream, "%zu,%s,%zu\n", film_number(shown, i), number_text(film_time(shown, i), time),
                    shown->bodies.ids.count);
    }
    return draft_finish(&list, status, error);
}
