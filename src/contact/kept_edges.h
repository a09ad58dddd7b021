// Edges that keep touching. A box that comes down on a parallel edge of another touches it along the direction in which
// both are nearest. At rest they overlap by a thousandth of a radius, and then the shallowest way out is along a face,
// at an angle to that direction: taken as the normal, it would throw the box aside in the step after the impact. So a
// pair of boxes that touched along two edges goes on to do so while the overlap is shallow, along the direction in
// which they would be nearest if they were smaller by twice that. What touched in another way, such as a plank of which
// a millimetre lies on its support, is left alone.
#ifndef CONTACT_KEPT_EDGES_H
#define CONTACT_KEPT_EDGES_H

#include "contact/memory.h"

// Contacts as the narrow phase gave them, pair by pair; those of such pairs are replaced. Returns how many there are.
size_t keep_edges(const contact_memory *memory, const proxy_view *view, contact *contacts, size_t count);

#endif
