// The parts of a step of fast frictional dynamics: the constraints of contacts, and how one body responds to all of its
// own.
#ifndef FFD_FFD_H
#define FFD_FFD_H

#include "contact/row.h"
#include "contact/velocity.h"
#include "world/method.h"

extern const method ffd_method;

// What a contact asks of its two bodies: at the moment of maximum compression a's side of it moves along the normal no
// faster than `velocity`, b's side no slower (by more than the gap allows), and both try to slide along with it.
typedef struct contact_constraint {
    vec3 velocity;
    vec3 remembered;               // impulse of the last step on b
    vec3 impulse, angular_impulse; // on b, as its pair finds
    double mass_split_a,
        mass_split_b;      // at the first contact of a pair: mass of each body over the part that it may use
    double gain_a, gain_b; // at the first contact of a pair: energy that it may give to each body
    bool closing;          // its pair violates a constraint
} contact_constraint;

typedef struct ffd_step {
    step_problem problem;
    arena *workers;                  // scratch of each thread
    body_velocity *before, *after;   // by slot: with forces, without and with contacts
    body_velocity *warm_started;     // by slot: with the contact impulses of the last step, as far as they are taken
    double *warm_part;               // by slot: how far, from 0 to 1
    body_velocity *pushed;           // by slot: by which overlaps are pushed out, in this step only
    contact_constraint *constraints; // by contact
    uint32_t *first, *touching;      // by slot, one more: the contacts of a movable body, by ids, in `touching`
    int *most_steps;                 // by thread: of a projection; -1: out of memory
} ffd_step;

// A contact as ffd uses it.
typedef struct ffd_contact {
    problem_row row;
    double slowest; // least normal speed of b's side against a's, <= 0: what the gap allows
    double push;    // speed at which an overlap is pushed out, >= 0
    double rebound; // part of the compression that is given back
    vec3 approach;  // velocity of b's side against a's, with forces
} ffd_contact;

ffd_contact ffd_contact_of(const ffd_step *step, size_t index);
void note_steps(ffd_step *step, int steps); // of a projection; less than 0: it was out of memory

// ---- constraints.c: lines 10 to 19, by pairs of bodies

// Sets constraints, warm_started and warm_part.
void calculate_constraints(ffd_step *step);

// Does a body with contacts touch one other only?
bool has_one_pair(const ffd_step *step, size_t slot);

// ---- respond.c: lines 22 to 31, by bodies

// Finds after[slot] and pushed[slot] from before[slot].
void respond(ffd_step *step, size_t slot);

// ---- local.c: the constraints of one velocity in six dimensions, of a body or of one against another

typedef struct local_contact {
    vec3 normal, arm; // direction of its push; from the point that the velocity is measured at
    double least;     // change of the normal speed that it asks for at least
    vec3 slide, roll; // changes of velocity and spin that friction tries for
    double friction, rolling, spinning, rebound;
    double softness;
    double strength;               // out: multiplier of the first projection
    vec3 impulse, angular_impulse; // out
} local_contact;

typedef struct local_problem {
    double whitened[6][6]; // times a row gives it in coordinates in which energy is half the square of the length
    local_contact *contacts;
    size_t count;
} local_problem;

// The change of velocity: the closest feasible one, and with `friction` what rebound and friction add. Returns the most
// steps that a projection took, or -1 when out of memory.
int local_respond(local_problem *problem, bool friction, arena *scratch, body_velocity *change);

#endif
