// A run as tables of numbers: one CSV file per frame with the state of every body, and a list of the frames.
//
//     frames.csv           frame,time,bodies
//     states-000000.csv    id,fixed,material,radius,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz
#ifndef VIEW_EXPORT_STATE_TABLE_H
#define VIEW_EXPORT_STATE_TABLE_H

#include "view/world/film.h"

// Writes into the folder, which is made where it is missing. The files are numbered as the run's frames. Positions and
// velocities are of the centres of mass; `radius` is that of the bounding sphere, inf for unbounded bodies.
scree_status state_table_write(film *shown, const char *folder, scree_error *error);

#endif
