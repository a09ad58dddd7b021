// A run as scenes for POV-Ray 3.7, the ray tracer that draws what it is told to take its time for:
//
//     NAME.pov             camera, light, ground, and which frame to show
//     NAME.ini             all frames as an animation
//     shapes.inc           polyhedra, meshes and height fields, each once
//     frame-000000.inc     the bodies of each frame
#ifndef VIEW_EXPORT_POVRAY_H
#define VIEW_EXPORT_POVRAY_H

#include "view/world/film.h"

// Writes into the folder, which is made where it is missing.
scree_status povray_write(film *shown, const char *folder, scree_error *error);

#endif
