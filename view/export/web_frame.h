// Frames of a web page as bytes. Values are whole numbers, and what is written is how far they are from what the two
// frames before let one expect, so that most of it is near zero and packs well:
//
//     places         3 x streamed    32 bits    multiples of a quantum from an origin; expected: on along a line
//     orientations   4 x turned      16 bits    w, x, y, z times 23169, the sign nearer the last; expected: as before
//     speeds         1 x streamed     8 bits    parts of 255 of the film's top speed, as they are
//     spins          1 x streamed     8 bits    likewise
//
// All x come first, then all y, and so on. Differences d are folded to 2 |d| - (d < 0), and of a block first all lowest
// bytes are written, then all second ones, and so on.
#ifndef VIEW_EXPORT_WEB_FRAME_H
#define VIEW_EXPORT_WEB_FRAME_H

#include "view/export/web_bodies.h"

typedef ARRAY(uint8_t) web_bytes;

typedef struct web_stream {
    const web_bodies *bodies;
    vec3 origin;
    double quantum;
    double speed, spin;       // tops of the scales
    ARRAY(int32_t) places[2]; // of the last two frames
    ARRAY(int16_t) turns;     // of the last frame
    ARRAY(uint32_t) turned;   // numbers of the bodies whose orientations are told
    ARRAY(uint8_t) speeds, spins;
    size_t frames; // told so far
} web_stream;

scree_status web_stream_begin(web_stream *stream, const web_bodies *bodies, const film *shown, scree_error *error);

// The next frame; bodies that it lacks are told to stay as they were. `bytes` is replaced.
scree_status web_stream_frame(web_stream *stream, const world_bodies *from, web_bytes *bytes, scree_error *error);

void web_stream_end(web_stream *stream);

#endif
