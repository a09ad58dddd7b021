// Reading .vtp files back, in the form that vtp.h writes: arrays by section and name, checked against the counts that
// the file states. Damage of any kind is refused with a message.
#ifndef RECORD_FRAMES_VTP_READ_H
#define RECORD_FRAMES_VTP_READ_H

#include "record/frames/vtp.h"

typedef struct vtp_source {
    char name[256]; // for messages, cut where it is longer
    vtp_counts counts;
    const char *text; // from the head on
    size_t size;
    file_text owned;
} vtp_source;

// SCREE_ERROR_IO: it cannot be read; SCREE_ERROR_INVALID: it is no such file.
scree_status vtp_open(const char *path, vtp_source *source, scree_error *error);

// The same from memory, which must outlive the source.
scree_status vtp_open_text(const char *text, size_t size, const char *name, vtp_source *source, scree_error *error);

// Copies an array of `count` tuples into `data`. SCREE_ERROR_INVALID when there is none of that name, type and size.
scree_status vtp_read(const vtp_source *source, const char *section, const char *name, vtp_type type, size_t components,
                      size_t count, void *data, scree_error *error);

void vtp_close(vtp_source *source); // accepts one that failed to open, or is all zero

#endif
