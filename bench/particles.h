// The pile as particles with springs: what the contacts are made of, for Scree and its peers alike.
#ifndef BENCH_PARTICLES_H
#define BENCH_PARTICLES_H

#define PARTICLE_YOUNGS_MODULUS 8e5 // the deepest layers overlap by about a hundredth of a radius
#define PARTICLE_POISSON_RATIO  0.25
#define PARTICLE_RESTITUTION    0.3
#define PARTICLE_STEP           6e-4 // about a fifteenth of the time that a contact lasts

#endif
