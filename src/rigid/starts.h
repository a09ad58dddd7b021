// Bodies that begin, and the instants of velocities after a step (world/instant.h).
#ifndef RIGID_STARTS_H
#define RIGID_STARTS_H

#include "rigid/solution.h"

// Bodies whose velocities were given, that touch nothing and bear no applied force, and neither does anything that
// joints tie to them: they take half a kick. NULL in problem->starting when there are none. Contacts, joints and loads
// are in the problem. False when out of memory.
bool find_starts(step_problem *problem, arena *scratch);

// Marks all joints that hang together with a torn one as torn. False when out of memory.
bool spread_tears(const step_problem *problem, const joint_rows *joints, arena *scratch);

// From what contacts and rows carry after the solve: at which velocity_instant each island is. NULL when out of memory.
uint8_t *judge_islands(const step_problem *problem, const joint_rows *joints, const island_set *set, arena *scratch);

// Notes at which instant the solved velocities of bodies are, but for those that are marked by slot (NULL: none), and
// appends half of their kicks where gravity is not all. Before bodies are moved. False when out of memory.
bool note_instants(const step_problem *problem, const step_solution *solution, const uint8_t *judged,
                   const uint8_t *left_out, uint8_t *instant, half_kicks *kicks);

#endif
