// The rows of a step: what a body and a contact say to whoever solves it, equations (4)-(7) and (9)-(10) of Negrut et
// al. 2010.
#ifndef CONTACT_ROW_H
#define CONTACT_ROW_H

#include "contact/step_problem.h"
#include "solve/rows.h"

// The normal velocity u_n that a contact asks for: u_n >= -approach + push_out + rebound. At most one of them is not
// zero. Where bodies meet in the midst of the step, that is the velocity that they keep, and they move by one that is
// less by `flight`: to the impact, and on from there.
typedef struct contact_speeds {
    double approach; // by which its gap may close
    double push_out; // by which its overlap is to open
    double rebound;  // by which it is to come back from a collision
    double flight;
    double lift; // twice the work of gravity on the way to and from the impact, by impulse: it is not the rebound's
} contact_speeds;

typedef struct contact_row {
    problem_row row; // without bias
    contact_speeds speeds;
    bool pushed; // see contact_is_pushed
} contact_row;

// The row of a contact of the step, both ends by slots, with the impulses that it has and without bias; returns what it
// asks for. And both of them together.
contact_speeds contact_row_make(const step_problem *problem, size_t index, problem_row *row);
contact_row contact_row_of(const step_problem *problem, size_t index);

// The bias of a row by which bodies move; by which they keep velocities, without push-out that would be felt as a
// rebound; and without rebounds as well.
typedef double row_bias(const contact_speeds *speeds, bool pushed);
row_bias whole_bias, bias_without_push_out, bias_without_rebound;

static inline problem_row biased_row(const contact_row *from, row_bias *bias)
{
    problem_row row = from->row;
    row.bias = bias(&from->speeds, from->pushed);
    return row;
}

// Is an overlap pushed out fast, or do bodies fly to where they meet? Either moves the bodies, but does not stay in
// their velocities (push_out.h).
bool contact_is_pushed(const step_problem *problem, const contact *c);

// What lies less deep than this is never pushed.
double least_pushed_depth(const step_problem *problem);

// Does a collision rebound in this step?
bool contact_rebounds(const step_problem *problem, const contact *c);

// Is it of bodies that pass each other without touching? Such a contact acts only on what something else turns aside.
bool contact_passes(const step_problem *problem, const contact *c);

// Speeds that gravity gives within two steps are those of rest, not of an impact or of sliding.
static inline double resting_speed(const step_problem *problem)
{
    return 2 * problem->step * problem->gravity_length;
}

// The force by which a contact pulls its bodies together.
double cohesive_pull(const step_problem *problem, const contact *c);

// Adds the pull of a contact to the loads of its bodies.
void add_cohesion(const step_problem *problem, const contact *c);

// Does a force act on the body besides gravity?
bool is_loaded(const step_problem *problem, size_t slot);

// A body before impulses.
body_velocity free_velocity_of(const step_problem *problem, size_t slot);
problem_body free_body(const step_problem *problem, size_t slot);

#endif
