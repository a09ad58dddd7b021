// The pile as particles with springs: what the contacts are made of, for Scree and its peers alike.
#ifndef BENCH_SCENE_PARTICLES_H
#define BENCH_SCENE_PARTICLES_H

// The pile: Hertz and Mindlin.
#define PARTICLE_YOUNGS_MODULUS 8e5 // the deepest layers overlap by about a hundredth of a radius
#define PARTICLE_POISSON_RATIO  0.25
#define PARTICLE_RESTITUTION    0.3
#define PARTICLE_STEP           6e-4 // about a fifteenth of the time that a contact lasts

// Cubes of 27 particles, three in a row, with the parameters of a thesis of 2011 (docs/penalty.md): radius 0.2, so that
// a cube is 1.2 wide; between two particles a spring of 100 and a damper of 0.5, half of each material's.
#define PARTICLE_RADIUS       0.2
#define PARTICLE_CUBE_EDGE    1.2
#define PARTICLE_CUBE_MASS    0.27
#define PARTICLE_STIFFNESS    200
#define PARTICLE_DAMPING      1
#define PARTICLE_TOP_VELOCITY 20

#endif
