// The options by which pictures and the window look at bodies, over what the scene's `view` says.
#ifndef MAIN_PICTURE_OPTIONS_H
#define MAIN_PICTURE_OPTIONS_H

#include "main/options.h"
#include "main/subject.h"
#include "view/world/world_picture.h"

typedef struct picture_options {
    option_size size;
    const char *color, *range, *orbit;
    option_point from, look_at;
    bool forces, normals, plain;
    option_list sections;
} picture_options;

// Rows of an option table, for settings that hold them as `member`.
// clang-format off
#define PICTURE_OPTIONS(settings, member) \
    {0, "size", OPTION_SIZE, offsetof(settings, member.size), "WxH", "in pixels (default 1280x720)", 64, 8192}, \
    {0, "color", OPTION_TEXT, offsetof(settings, member.color), "WHAT", \
     "speed, spin, material, body, force, coordination, rank or height", 0, 0}, \
    {0, "range", OPTION_TEXT, offsetof(settings, member.range), "LOW,HIGH", "ends of the colour scale", 0, 0}, \
    {0, "from", OPTION_POINT, offsetof(settings, member.from), "X,Y,Z", "where the camera stands", 0, 0}, \
    {0, "look-at", OPTION_POINT, offsetof(settings, member.look_at), "X,Y,Z", "the middle of the picture", 0, 0}, \
    {0, "orbit", OPTION_TEXT, offsetof(settings, member.orbit), "AZIMUTH[,ELEVATION]", \
     "from which side, in degrees (default 35,21)", 0, 0}, \
    {0, "forces", OPTION_FLAG, offsetof(settings, member.forces), NULL, \
     "draw force chains: contacts that push more than the mean", 0, 0}, \
    {0, "normals", OPTION_FLAG, offsetof(settings, member.normals), NULL, "draw the normals of contacts", 0, 0}, \
    {0, "section", OPTION_LIST, offsetof(settings, member.sections), "NX,NY,NZ,OFFSET", \
     "leave out bodies with N . centre > OFFSET; may be repeated", 0, 0}, \
    {0, "plain", OPTION_FLAG, offsetof(settings, member.plain), NULL, "without legend and caption", 0, 0}
// clang-format on

typedef ARRAY(picture_plane) picture_sections;

// The picture that the options and the scene of the subject ask for. `sections` belongs to the caller and must outlive
// `def`, as the subject must.
scree_status picture_options_read(const picture_options *options, const subject *drawn, world_picture_def *def,
                                  picture_sections *sections, scree_error *error);

#endif
