// Frames as files: whatever bytes a .vtp or .pvd holds, reading it ends in a message or in numbers that can be used.
#include <stdint.h>
#include <stdlib.h>

#include "record/frames/frame_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_as_vtp(const char *text, size_t size)
{
    vtp_source source;
    frame_data frame = {0};
    scree_error error;
    if (vtp_open_text(text, size, "input", &source, &error) == SCREE_OK) {
        if (frame_read_bodies(&source, &frame, &error) == SCREE_OK && frame.ids.count != source.counts.points)
            abort();
        if (frame_read_contacts(&source, &frame, &error) == SCREE_OK && frame.contacts.count != source.counts.lines)
            abort();
    }
    vtp_close(&source);
    frame_data_free(&frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const char *text = (const char *)data + 1;
    frame_list list;
    if (data[0] == 'v')
        read_as_vtp(text, size - 1);
    else if (frame_list_parse(text, size - 1, "input", &list, NULL) == SCREE_OK)
        frame_list_free(&list);
    return 0;
}
