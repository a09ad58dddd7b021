// Every frame of a run as pictures in a folder, or as a film that ffmpeg makes of them.
#ifndef MAIN_FILM_H
#define MAIN_FILM_H

#include "main/subject.h"
#include "view/world/world_picture.h"

typedef struct film_settings {
    const char *path; // of the film, or of the folder
    bool folder;
    uint64_t stride; // every so many frames, >= 1
    int rate;        // frames per second
    double turn;     // how far the camera goes round over the film [rad]
} film_settings;

bool film_is_name(const char *path); // ends as films do; accepts NULL

// One camera and one colour scale serve all frames, where none are given. SCREE_ERROR_IO when ffmpeg is not there or
// fails.
scree_status film_draw(subject *drawn, const world_picture_def *def, const film_settings *settings, scree_error *error);

#endif
