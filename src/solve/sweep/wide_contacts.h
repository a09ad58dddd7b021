// The contacts of a wide body (wide_body.h), four at a time, and the kernels that answer a change of its velocity; for
// wide_body.c and kernels/wide_contacts.c.
//
// Everything is seen from the wide body: normals point towards it, impulses act on it. In double, whatever the sweeps
// are in: thousands of impulses nearly cancel on it.
#ifndef SOLVE_SWEEP_WIDE_CONTACTS_H
#define SOLVE_SWEEP_WIDE_CONTACTS_H

#include <stddef.h>

enum { WIDE_LANES = 4 };

typedef struct wide_contacts {
    double normal[3][WIDE_LANES], arm[3][WIDE_LANES];
    double bias[WIDE_LANES], friction[WIDE_LANES];
    double inverse_normal[WIDE_LANES], inverse_tangent[WIDE_LANES]; // 1 / B of the other bodies alone
    double compliance[WIDE_LANES], rolling[WIDE_LANES], spinning[WIDE_LANES];
    double inverse_rolling[WIDE_LANES], inverse_spinning[WIDE_LANES];
    double impulse[6][WIDE_LANES], before[6][WIDE_LANES]; // linear, then angular: x_k and x_{k-1}; y and x_k in a step
    double trial[6][WIDE_LANES]; // before the projection, when the wide body keeps its velocity
    double other[6][WIDE_LANES]; // before a step: velocity and spin of the other body at the contact; after it: the
                                 // change of the impulse
} wide_contacts;

typedef struct wide_answer { // of contacts to a velocity of the wide body
    double wrench[6];        // on it, less that of y
    double slope[6][6];      // -d wrench / d velocity
} wide_answer;

typedef struct wide_step {      // that was taken
    double wrench[6], whole[6]; // of x_{k+1} - y, of x_{k+1} - x_k
    double moved, reversal;     // of contacts in the metric of their other bodies
    double change;              // largest squared one of an impulse
} wide_step;

typedef struct wide_kernels {
    // Goes to y = x_k + beta (x_k - x_{k-1}) and finds the trial points, at the velocity and spin of the wide body.
    void (*begin)(wide_contacts *groups, size_t count, const double velocity[6], double beta);
    // Impulses for a change of that velocity.
    wide_answer (*answer)(const wide_contacts *groups, size_t count, const double change[6], double friction_dilation);
    // The same, and stays there.
    wide_step (*finish)(wide_contacts *groups, size_t count, const double change[6], double friction_dilation);
} wide_kernels;

// Plain ones leave compliance and angular impulses alone.
extern const wide_kernels wide_kernels_f64_baseline, wide_kernels_f64_baseline_extended;
extern const wide_kernels wide_kernels_f64_avx2, wide_kernels_f64_avx2_extended;

#endif
