// What compliant contacts hold.
#ifndef CONTACT_ENERGY_H
#define CONTACT_ENERGY_H

#include "world/world.h"

// Adds the energies of all contacts that are springs.
void add_spring_energies(const scree_world *world, double *sum);

#endif
