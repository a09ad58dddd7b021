// A run as one HTML file that plays in a browser, opened from the disk: what happened, its plots and its closing table.
//
// The page is a script (web/, bundled at build time) and lines of text for it: each the base64 of zlib data, a frame
// (web_frame.h) in each but the last, which is a JSON object that says all else (web_scene.h).
#ifndef VIEW_EXPORT_WEB_PAGE_H
#define VIEW_EXPORT_WEB_PAGE_H

#include "view/world/film.h"

typedef struct web_script { // the bundle, as the build made it
    const unsigned char *text;
    size_t size;
} web_script;

// Writes the page whole, or leaves what was there.
scree_status web_page_write(film *shown, const web_script *script, const char *path, scree_error *error);

#endif
