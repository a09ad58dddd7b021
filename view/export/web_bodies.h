// The bodies of a web page in the order of their numbers there: those whose places frames tell, then those that stand
// still all the time.
#ifndef VIEW_EXPORT_WEB_BODIES_H
#define VIEW_EXPORT_WEB_BODIES_H

#include "view/world/film.h"

#define WEB_NO_BODY UINT32_MAX

typedef struct web_body {
    scree_id id;
    bool fixed;  // never moved by forces
    bool turned; // its orientation is seen: it is more than a sphere about its centre of mass
    int material;
    uint32_t gone;   // first frame shown that lacks it; UINT32_MAX: none
    scree_pose pose; // at the first frame: centre of mass, orientation of its frame
    vec3 frame;      // origin of its frame from the centre of mass, in its own axes
} web_body;

typedef struct web_bodies {
    ARRAY(web_body) list;
    size_t streamed;              // how many of them frames tell of
    ARRAY(uint32_t) number_of_id; // by id; WEB_NO_BODY
} web_bodies;

// From the first frame shown, in which all are that are ever seen.
scree_status web_bodies_read(web_bodies *bodies, film *shown, scree_error *error);
void web_bodies_free(web_bodies *bodies);

static inline uint32_t web_body_number(const web_bodies *bodies, scree_id id)
{
    return id < bodies->number_of_id.count ? bodies->number_of_id.data[id] : WEB_NO_BODY;
}

#endif
