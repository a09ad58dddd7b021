// Every key of a scene, table by table. See keys.h for what a row says.
#include <math.h>

#include "scene/keys.h"
#include "scene/scene.h"

_Static_assert(sizeof(scree_algorithm) == sizeof(int) && sizeof(scree_method) == sizeof(int),
               "words are stored as int");
_Static_assert(offsetof(fill_def, high) == offsetof(fill_def, low) + sizeof(scree_vec3), "a box is two vectors");
_Static_assert(offsetof(scree_file_options, depth) == offsetof(scree_file_options, width) + sizeof(double), "a pair");
_Static_assert(offsetof(scene_pair, material_b) == offsetof(scene_pair, material_a) + sizeof(int), "a pair is int[2]");

#define COUNT(rows)       (sizeof(rows) / sizeof *(rows))
#define ANY               .low = -HUGE_VAL, .high = HUGE_VAL
#define ABOVE(x)          .low = (x), .high = HUGE_VAL, .open = true
#define AT_LEAST(x)       .low = (x), .high = HUGE_VAL
#define BETWEEN(x, y)     .low = (x), .high = (y)
#define ABOVE_UP_TO(x, y) .low = (x), .high = (y), .open = true

// --------------------------------------------------------------------------------------------------------- the scene

#define IN(member) offsetof(scree_scene, member)

static const key_word method_words[] = {{"complementarity", SCREE_METHOD_COMPLEMENTARITY},
                                        {"penalty", SCREE_METHOD_PENALTY},
                                        {"ffd", SCREE_METHOD_FFD},
                                        {0}};

static const key_row scene_keys[] = {
    {"scree", KEY_INT, .offset = IN(format), BETWEEN(1, 1), .fallback = {1}, .help = "Version of the scene format."},
    {"gravity", KEY_VEC3, .offset = IN(world.gravity), ANY, .fallback = {0, 0, -9.81},
     .help = "Acceleration of every free body [length/time^2]."},
    {"time", KEY_TABLE, .table = &time_table, .help = "Time step and duration."},
    {"seed", KEY_U64, .offset = IN(seed), AT_LEAST(0), .fallback = {1},
     .help = "Seed of everything drawn at random; the same seed gives the same scene."},
    {"method", KEY_WORD, .offset = IN(world.method), .words = method_words, .fallback = {SCREE_METHOD_COMPLEMENTARITY},
     .help = "How contacts are resolved."},
    {"variants", KEY_LIST, KEY_APPLIED, .table = &variant_table, .note = "none",
     .help = "Other values under a name, for the same scene in another size or form."},
    {"variant", KEY_NAME, KEY_OMITTED | KEY_APPLIED, .offset = IN(variant), .note = "none",
     .help = "Name of the variant to take."},
    {"solver", KEY_TABLE, .table = &solver_table, .help = "How the contact problem of a step is solved."},
    {"penalty", KEY_TABLE, .table = &penalty_table,
     .help = "How the penalty method pushes and moves; others ignore it."},
    {"materials", KEY_MAP, .table = &material_table, .note = "`default` alone",
     .help = "Materials by name. Every other material takes what it does not give from `default`."},
    {"pairs", KEY_LIST, .table = &pair_table, .note = "none",
     .help = "What two materials do in contact, where the combined values are not wanted."},
    {"bodies", KEY_LIST, .table = &body_table, .note = "none", .help = "Single bodies."},
    {"fills", KEY_LIST, .table = &fill_table, .note = "none", .help = "Many bodies of one kind in a box."},
    {"joints", KEY_LIST, .table = &joint_table, .note = "none",
     .help = "Joints, springs and gears between bodies, or a body and the world."},
    {"motions", KEY_LIST, .table = &motion_table, .note = "none", .help = "Prescribed motions of bodies."},
    {"events", KEY_LIST, .table = &event_table, .note = "none", .help = "What happens at given times."},
    {"output", KEY_TABLE, .table = &output_table, .help = "What a run writes, and how often."},
    {"view", KEY_TABLE, .table = &view_table, .help = "How pictures and the window look at it."},
};
const key_table scene_table = {"scene", "a scene", scene_keys, COUNT(scene_keys)};

#undef IN
#define IN(member) offsetof(scene_variant, member)
static const key_row variant_keys[] = {
    {"name", KEY_NAME, KEY_REQUIRED, .offset = IN(name), .help = "Unique name among variants."},
    {"set", KEY_VALUES, KEY_REQUIRED, .help = "Values of the scene by dotted path, as --set takes them."},
};
const key_table variant_table = {"variants[]", "a variant", variant_keys, COUNT(variant_keys)};
#undef IN
#define IN(member) offsetof(scree_scene, member)

static const key_row time_keys[] = {
    {"step", KEY_REAL, .offset = IN(world.step), ABOVE(0), .fallback = {0.005}, .help = "Time step [time]."},
    {"duration", KEY_REAL, .offset = IN(duration), AT_LEAST(0), .fallback = {10},
     .help = "How much time to simulate [time]."},
};
const key_table time_table = {"time", "time", time_keys, COUNT(time_keys)};

static const key_word algorithm_words[] = {{"auto", SCREE_ALGORITHM_AUTO},
                                           {"jacobi", SCREE_ALGORITHM_JACOBI},
                                           {"gauss-seidel", SCREE_ALGORITHM_GAUSS_SEIDEL},
                                           {"apgd", SCREE_ALGORITHM_APGD},
                                           {"apgs", SCREE_ALGORITHM_APGS},
                                           {"newton", SCREE_ALGORITHM_NEWTON},
                                           {0}};
static const key_word precision_words[] = {{"single", SCREE_PRECISION_SINGLE}, {"double", SCREE_PRECISION_DOUBLE}, {0}};
static const key_word sleep_words[] = {
    {"auto", SCREE_SLEEP_AUTO}, {"true", SCREE_SLEEP_ON}, {"false", SCREE_SLEEP_OFF}, {0}};

static const key_word friction_words[] = {{"convex", SCREE_FRICTION_CONVEX}, {"exact", SCREE_FRICTION_EXACT}, {0}};

static const key_row solver_keys[] = {
    {"algorithm", KEY_WORD, .offset = IN(world.solver.algorithm), .words = algorithm_words,
     .fallback = {SCREE_ALGORITHM_AUTO}, .help = "The iteration; `auto` chooses."},
    {"friction", KEY_WORD, .offset = IN(world.solver.friction), .words = friction_words,
     .fallback = {SCREE_FRICTION_EXACT},
     .help = "The law of friction: `exact` is Coulomb's; `convex` is the papers' relaxation, in which a contact that "
             "slides at speed s parts at mu s, so that bodies set down at a speed hop."},
    {"iterations", KEY_INT, .offset = IN(world.solver.iterations), BETWEEN(1, 1000000), .fallback = {50},
     .help = "Most iterations per step."},
    {"tolerance", KEY_REAL, .offset = IN(world.solver.tolerance), AT_LEAST(0), .fallback = {1e-4},
     .help = "The solver stops when the worst contact's residual is at most this."},
    {"precision", KEY_WORD, .offset = IN(world.solver.precision), .words = precision_words,
     .fallback = {SCREE_PRECISION_SINGLE}, .help = "Precision of the iterations; states are always double."},
    {"warm_start", KEY_TRUTH, .offset = IN(world.solver.warm_start), .fallback = {1},
     .help = "Start from the impulses of the last step."},
    {"sleep", KEY_WORD, .offset = IN(world.solver.sleep), .words = sleep_words, .fallback = {SCREE_SLEEP_AUTO},
     .help = "Islands at rest sleep until something changes; `auto`: with the algorithm `auto`."},
    {"recovery_speed", KEY_REAL, .offset = IN(world.solver.recovery_speed), AT_LEAST(0), .fallback = {0},
     .help = "Fastest push-out of an overlap [length/time]; 0 chooses by the bodies' size and gravity."},
    {"omega", KEY_REAL, .offset = IN(world.solver.omega), ABOVE(0), .fallback = {0.2},
     .help = "Relaxation factor of `jacobi`."},
    {"lambda", KEY_REAL, .offset = IN(world.solver.lambda), ABOVE_UP_TO(0, 1), .fallback = {1},
     .help = "Smoothing factor of `jacobi`."},
    {"cell", KEY_REAL, .offset = IN(world.solver.cell), AT_LEAST(0), .fallback = {0},
     .help = "Edge of the cubes by which sweeps go through contacts [length]; 0: the first step decides by the bodies' "
             "size. Speed depends on it, bits depend on it, correctness never."},
    {"contacts_per_pair", KEY_INT, .offset = IN(world.contacts_per_pair), BETWEEN(1, 1000000), .fallback = {8},
     .help = "Most contact points that two bodies keep when one of them has several shapes."},
};
const key_table solver_table = {"solver", "solver", solver_keys, COUNT(solver_keys)};

static const key_word law_words[] = {{"linear", SCREE_CONTACT_LAW_LINEAR}, {"hertz", SCREE_CONTACT_LAW_HERTZ}, {0}};
static const key_word integrator_words[] = {
    {"symplectic", SCREE_INTEGRATOR_SYMPLECTIC}, {"euler", SCREE_INTEGRATOR_EULER}, {0}};

static const key_row penalty_keys[] = {
    {"law", KEY_WORD, .offset = IN(world.penalty.law), .words = law_words, .fallback = {SCREE_CONTACT_LAW_LINEAR},
     .help = "`linear`: springs and dampers by `stiffness` and `damping`, or by `contact_time` and `restitution`; "
             "`hertz`: Hertz and Mindlin by `youngs_modulus`, `poisson_ratio` and `restitution`."},
    {"integrator", KEY_WORD, .offset = IN(world.penalty.integrator), .words = integrator_words,
     .fallback = {SCREE_INTEGRATOR_SYMPLECTIC},
     .help = "`symplectic`: forces at mid-step, of second order; `euler`: forces at the beginning, of first order."},
    {"tangential_stiffness", KEY_REAL, .offset = IN(world.penalty.tangential_stiffness), AT_LEAST(0),
     .fallback = {2.0 / 7}, .help = "Linear law: stiffness of the tangential spring as a part of the normal one."},
    {"tangential_damping", KEY_REAL, .offset = IN(world.penalty.tangential_damping), AT_LEAST(0), .fallback = {2.0 / 7},
     .help = "Linear law: the same of the damper."},
    {"terminal_velocity", KEY_REAL, .offset = IN(world.penalty.terminal_velocity), AT_LEAST(0), .fallback = {0},
     .help = "No body gets faster [length/time]; 0: no such limit."},
};
const key_table penalty_table = {"penalty", "penalty", penalty_keys, COUNT(penalty_keys)};

static const key_row output_keys[] = {
    {"every", KEY_REAL, .offset = IN(output.every), ABOVE(0), .fallback = {0.05},
     .help = "Simulated time between rows of the series and between frames [time]."},
    {"frames", KEY_TRUTH, .offset = IN(output.frames), .fallback = {1}, .help = "Write frames for ParaView."},
    {"contacts", KEY_TRUTH, .offset = IN(output.frame_contacts), .fallback = {0},
     .help = "Frames also hold the contacts, as lines."},
    {"checkpoint_every", KEY_REAL, .offset = IN(output.checkpoint_every), AT_LEAST(0), .fallback = {1},
     .help = "Simulated time between checkpoints [time]; 0 writes them only at the end and on a signal."},
    {"problems_every", KEY_REAL, .offset = IN(output.problems_every), AT_LEAST(0), .fallback = {0},
     .help = "Simulated time between contact problems written to `problems/` [time]; 0 writes none."},
    {"probes", KEY_NAMES, .note = "none", .help = "Bodies and joints whose state is written to `probes/NAME.csv`."},
    {"counters", KEY_LIST, .table = &counter_table, .note = "none",
     .help = "Planes that count the bodies that cross them, in `probes/NAME.csv`."},
};
const key_table output_table = {"output", "output", output_keys, COUNT(output_keys)};

static const key_word view_color_words[] = {
    {"speed", VIEW_SPEED}, {"spin", VIEW_SPIN},     {"material", VIEW_MATERIAL},
    {"body", VIEW_BODY},   {"force", VIEW_FORCE},   {"coordination", VIEW_COORDINATION},
    {"rank", VIEW_RANK},   {"height", VIEW_HEIGHT}, {0}};

static const key_row view_keys[] = {
    {"from", KEY_VEC3, KEY_OMITTED, .offset = IN(view.from), .flag = IN(view.has_from), ANY, .note = "by `azimuth`",
     .help = "Where the camera stands [length]."},
    {"look_at", KEY_VEC3, KEY_OMITTED, .offset = IN(view.look_at), .flag = IN(view.has_look_at), ANY,
     .note = "the middle of what moves", .help = "What is in the middle of the picture [length]."},
    {"azimuth", KEY_REAL, .offset = IN(view.azimuth), ANY, .fallback = {0.607},
     .help = "Without `from`: from which side, counted from the front (-y) towards the right [rad]."},
    {"elevation", KEY_REAL, .offset = IN(view.elevation), BETWEEN(-1.57, 1.57), .fallback = {0.37},
     .help = "Without `from`: from how far above [rad]."},
    {"field_of_view", KEY_REAL, .offset = IN(view.field_of_view), BETWEEN(0.01, 3), .fallback = {0.5},
     .help = "Angle that the height of the picture takes in [rad]."},
    {"color", KEY_WORD, .offset = IN(view.color), .words = view_color_words, .fallback = {VIEW_SPEED},
     .help =
         "What the colours of bodies tell; `force` is the sum of normal forces on a body, `coordination` the number "
         "of bodies that push it."},
    {"range", KEY_LIMITS, KEY_OMITTED, .offset = IN(view.range), .flag = IN(view.has_range), ANY,
     .note = "what the bodies span", .help = "Ends of the colour scale, the lower one first."},
};
const key_table view_table = {"view", "view", view_keys, COUNT(view_keys)};
#undef IN

// --------------------------------------------------------------------------------------------------------- materials

#define IN(member) offsetof(scene_material, def.member)
static const key_row material_keys[] = {
    {"density", KEY_REAL, .offset = IN(density), ABOVE(0), .fallback = {2500}, .help = "Density [mass/length^3]."},
    {"friction", KEY_REAL, .offset = IN(friction), AT_LEAST(0), .fallback = {0.5},
     .help = "Coulomb friction coefficient; two materials combine by the geometric mean."},
    {"restitution", KEY_REAL, .offset = IN(restitution), BETWEEN(0, 1), .fallback = {0},
     .help = "Normal speed after over before a collision; of two materials the larger holds."},
    {"rolling_friction", KEY_REAL, .offset = IN(rolling_friction), AT_LEAST(0), .fallback = {0},
     .help = "Arm of the rolling resistance: its torque over the normal force [length]; of two materials the larger "
             "holds."},
    {"spinning_friction", KEY_REAL, .offset = IN(spinning_friction), AT_LEAST(0), .fallback = {0},
     .help = "The same for spinning about the normal [length]; of two materials the larger holds."},
    {"cohesion", KEY_REAL, .offset = IN(cohesion), AT_LEAST(0), .fallback = {0},
     .help = "Pull-off force of a contact point [force]; two materials combine by the geometric mean."},
    {"stiffness", KEY_REAL, .offset = IN(stiffness), AT_LEAST(0), .fallback = {0},
     .help = "Of a contact point along its normal [force/length]; 0 is rigid; two materials are springs in series."},
    {"damping", KEY_REAL, .offset = IN(damping), AT_LEAST(0), .fallback = {0},
     .help = "Beside the stiffness [force time/length], which then takes the place of restitution."},
    {"contact_time", KEY_REAL, .offset = IN(contact_time), AT_LEAST(0), .fallback = {0},
     .help = "Of `penalty` with the linear law, where there is no stiffness: how long a collision lasts [time]; of two "
             "materials the larger holds."},
    {"youngs_modulus", KEY_REAL, .offset = IN(youngs_modulus), AT_LEAST(0), .fallback = {0},
     .help = "Of `penalty` with Hertz's law [force/length^2]; 0 is rigid."},
    {"poisson_ratio", KEY_REAL, .offset = IN(poisson_ratio), BETWEEN(0, 0.5), .fallback = {0.3},
     .help = "Beside Young's modulus."},
};
#undef IN
const key_table material_table = {"materials.NAME", "a material", material_keys, COUNT(material_keys)};

#define IN(member) offsetof(scene_pair, member)
static const key_row pair_keys[] = {
    {"materials", KEY_MATERIALS, KEY_REQUIRED, .offset = IN(material_a), .help = "Names of the two materials."},
    {"friction", KEY_REAL, .offset = IN(def.friction), AT_LEAST(0), .note = "geometric mean of the two",
     .help = "Coulomb friction coefficient."},
    {"restitution", KEY_REAL, .offset = IN(def.restitution), BETWEEN(0, 1), .note = "larger of the two",
     .help = "Normal speed after over before a collision."},
    {"rolling_friction", KEY_REAL, .offset = IN(def.rolling_friction), AT_LEAST(0), .note = "larger of the two",
     .help = "Arm of the rolling resistance [length]."},
    {"spinning_friction", KEY_REAL, .offset = IN(def.spinning_friction), AT_LEAST(0), .note = "larger of the two",
     .help = "The same for spinning about the normal [length]."},
    {"cohesion", KEY_REAL, .offset = IN(def.cohesion), AT_LEAST(0), .note = "geometric mean of the two",
     .help = "Pull-off force of a contact point [force]."},
    {"stiffness", KEY_REAL, .offset = IN(def.stiffness), AT_LEAST(0), .note = "both in series",
     .help = "Of a contact point along its normal [force/length]; 0 is rigid."},
    {"damping", KEY_REAL, .offset = IN(def.damping), AT_LEAST(0), .note = "both in series",
     .help = "Beside the stiffness [force time/length]."},
    {"contact_time", KEY_REAL, .offset = IN(def.contact_time), AT_LEAST(0), .note = "larger of the two",
     .help = "How long a collision lasts [time]."},
    {"contact_modulus", KEY_REAL, .offset = IN(def.contact_modulus), AT_LEAST(0), .note = "of both",
     .help = "Hertz's E* [force/length^2]: 1/E* is the sum of (1 - nu^2)/E over the two."},
    {"shear_modulus", KEY_REAL, .offset = IN(def.shear_modulus), AT_LEAST(0), .note = "of both",
     .help = "Mindlin's G* [force/length^2]: 1/G* is the sum of 2 (2 - nu) (1 + nu)/E over the two."},
};
#undef IN
const key_table pair_table = {"pairs[]", "a pair", pair_keys, COUNT(pair_keys)};

// ------------------------------------------------------------------------------------------------------------ bodies

#define IN(member) offsetof(scene_body, member)
static const key_row body_keys[] = {
    {"name", KEY_NAME, KEY_OMITTED, .offset = IN(name), .note = "none",
     .help = "Unique name, by which joints, motions, events and probes speak of the body; `world` is reserved."},
    {"position", KEY_VEC3, .offset = IN(def.position), ANY, .help = "Where the body's frame stands [length]."},
    {"orientation", KEY_QUAT, .offset = IN(def.orientation), ANY, .fallback = {1},
     .help = "Rotation of the body's frame; normalised."},
    {"velocity", KEY_VEC3, .offset = IN(def.velocity), ANY, .help = "Velocity of the centre of mass [length/time]."},
    {"spin", KEY_VEC3, .offset = IN(def.spin), ANY, .help = "Angular velocity in world axes [rad/time]."},
    {"mass", KEY_REAL, KEY_OMITTED, .offset = IN(def.mass), ABOVE(0), .note = "from density",
     .help = "Mass; wins over density. A fixed body has none, so there it is ignored."},
    {"density", KEY_REAL, KEY_OMITTED, .offset = IN(density), ABOVE(0), .note = "of the materials",
     .help = "Density of all shapes of this body [mass/length^3]; gives the mass."},
    {"inertia", KEY_VEC3, KEY_OMITTED, .offset = IN(def.inertia), ABOVE(0), .note = "from the shapes",
     .help = "Principal moments along the axes of the body's frame [mass length^2]."},
    {"center", KEY_VEC3, KEY_OMITTED, .offset = IN(def.center), .flag = IN(def.has_center), ANY,
     .note = "from the shapes", .help = "Centre of mass in the body's frame [length]."},
    {"material", KEY_MATERIAL, .offset = IN(def.material), .help = "Material of all shapes that name none."},
    {"fixed", KEY_TRUTH, .offset = IN(def.fixed),
     .help = "Never moved by forces or contacts. A body with a motion is fixed in this sense."},
    {"group", KEY_GROUP, .offset = IN(def.group), .fallback = {1}, .help = "Group that the body belongs to."},
    {"mask", KEY_GROUPS, KEY_OMITTED, .offset = IN(def.mask), .fallback = {UINT32_MAX}, .note = "all",
     .help = "Groups that the body touches; two bodies touch when each one's mask has the other's group."},
    {"shapes", KEY_LIST, KEY_REQUIRED, .table = &shape_table, .help = "What the body is made of, one shape at least."},
};
#undef IN
const key_table body_table = {"bodies[]", "a body", body_keys, COUNT(body_keys)};

// Shapes that any body may have, and those of fixed bodies.
// clang-format off
#define MOVABLE_SHAPES                                                                                                 \
    {"sphere", SCREE_SHAPE_SPHERE}, {"box", SCREE_SHAPE_BOX}, {"ellipsoid", SCREE_SHAPE_ELLIPSOID},                 \
    {"capsule", SCREE_SHAPE_CAPSULE}, {"cylinder", SCREE_SHAPE_CYLINDER}, {"cone", SCREE_SHAPE_CONE},               \
    {"hull", SCREE_SHAPE_HULL}, {"spheres", SCREE_SHAPE_SPHERES}
#define FIXED_SHAPES                                                                                                   \
    {"plane", SCREE_SHAPE_PLANE}, {"mesh", SCREE_SHAPE_MESH}, {"heightfield", SCREE_SHAPE_HEIGHTFIELD}
// clang-format on
static const key_word shape_words[] = {MOVABLE_SHAPES, FIXED_SHAPES, {0}};
static const key_word fill_shape_words[] = {MOVABLE_SHAPES, {0}};

enum {
    BOX = 1 << SCREE_SHAPE_BOX,
    ELLIPSOID = 1 << SCREE_SHAPE_ELLIPSOID,
    LONG = 1 << SCREE_SHAPE_CAPSULE | 1 << SCREE_SHAPE_CYLINDER | 1 << SCREE_SHAPE_CONE,
    ROUND = 1 << SCREE_SHAPE_SPHERE | LONG,
    HULL = 1 << SCREE_SHAPE_HULL,
    PLANE = 1 << SCREE_SHAPE_PLANE,
    SPHERES = 1 << SCREE_SHAPE_SPHERES,
    HEIGHTFIELD = 1 << SCREE_SHAPE_HEIGHTFIELD,
    FROM_FILE = HULL | SPHERES | HEIGHTFIELD | 1 << SCREE_SHAPE_MESH,
};

// The keys that a shape of a body and a shape of a fill have in common: `at` leads to the scree_shape_def in the
// struct.
// clang-format off
#define PLACEMENT_KEYS(type, at)                                                                                       \
    {"position", KEY_VEC3, .offset = offsetof(type, at.position), ANY,                                                 \
     .help = "Where the shape's origin is in the body's frame [length]."},                                             \
    {"orientation", KEY_QUAT, .offset = offsetof(type, at.orientation), ANY, .fallback = {1},                          \
     .help = "Rotation of the shape in the body's frame; normalised."},                                                \
    {"material", KEY_MATERIAL, KEY_OMITTED, .offset = offsetof(type, at.material),                                     \
     .fallback = {SCREE_MATERIAL_OF_BODY}, .note = "the body's", .help = "Name of the material."}

#define SOURCE_KEYS(type)                                                                                              \
    {"points", KEY_POINTS, KEY_OMITTED, .only = HULL, .offset = offsetof(type, source.points), ANY, .note = "in `file`",    \
     .help = "Points whose convex hull is the shape [length]."},                                                       \
    {"list", KEY_BALLS, KEY_OMITTED, .only = SPHERES, .offset = offsetof(type, source.balls), ANY, .note = "in `file`",     \
     .help = "Spheres that together stand for one shape [length]."}
// clang-format on

#define IN(member) offsetof(scene_shape, member)
static const key_row shape_keys[] = {
    {"type", KEY_WORD, KEY_REQUIRED | KEY_VARIANT, .offset = IN(def.type), .words = shape_words,
     .help = "Kind of shape."},
    {"radius", KEY_REAL, .only = ROUND, .offset = IN(def.radius), ABOVE(0), .fallback = {0.5},
     .help = "Radius of a sphere, capsule or cylinder, or of the base of a cone [length]."},
    {"half", KEY_VEC3, .only = BOX, .offset = IN(def.half), ABOVE(0), .fallback = {0.5, 0.5, 0.5},
     .help = "Half edge lengths of a box [length]."},
    {"half", KEY_REAL, .only = LONG, .offset = IN(def.half_length), ABOVE(0), .fallback = {0.5},
     .help = "Half the length along z of a capsule without its caps, a cylinder or a cone [length]."},
    {"radii", KEY_VEC3, .only = ELLIPSOID, .offset = IN(def.radii), ABOVE(0), .fallback = {0.5, 0.5, 0.5},
     .help = "Semi-axes of an ellipsoid [length]."},
    SOURCE_KEYS(scene_shape),
    {"file", KEY_PATH, KEY_OMITTED, .only = FROM_FILE, .offset = IN(source.file), .note = "none",
     .help = "File of points, triangles, heights or spheres."},
    {"scale", KEY_REAL, .only = FROM_FILE, .offset = IN(source.options.scale), ABOVE(0), .fallback = {1},
     .help = "Factor on all lengths of a hull, mesh or sphere set, or on the heights of a height field."},
    {"size", KEY_VEC2, KEY_OMITTED, .only = HEIGHTFIELD, .offset = IN(source.options.width), ABOVE(0),
     .note = "one unit from sample to sample", .help = "Extent of a height field along x and y [length]."},
    {"offset", KEY_REAL, .only = HEIGHTFIELD, .offset = IN(source.options.offset), ANY,
     .help = "Height of a height field where the file has 0 [length]."},
    {"normal", KEY_DIRECTION, .only = PLANE, .offset = IN(def.normal), ANY, .fallback = {0, 0, 1},
     .help = "Outward normal of a plane; normalised."},
    {"offset", KEY_REAL, .only = PLANE, .offset = IN(def.offset), ANY,
     .help = "The solid side of a plane is normal . x < offset [length]."},
    PLACEMENT_KEYS(scene_shape, def),
};
#undef IN
const key_table shape_table = {"bodies[].shapes[]", "a shape", shape_keys, COUNT(shape_keys)};

// ------------------------------------------------------------------------------------------------------------- fills

static const key_word pattern_words[] = {{"lattice", FILL_LATTICE}, {"random", FILL_RANDOM}, {0}};

#define IN(member) offsetof(scene_fill, member)
static const key_row fill_keys[] = {
    {"name", KEY_NAME, KEY_OMITTED, .offset = IN(name), .note = "none",
     .help = "Unique name among bodies and fills, by which events speak of all its bodies."},
    {"count", KEY_SIZE, KEY_REQUIRED, .offset = IN(def.count), BETWEEN(1, 1e9), .help = "Number of bodies."},
    {"pattern", KEY_WORD, .offset = IN(def.pattern), .words = pattern_words, .fallback = {FILL_LATTICE},
     .help = "How they are placed; never with overlaps."},
    {"box", KEY_BOX, KEY_REQUIRED, .offset = IN(def.low), ANY,
     .help = "Two opposite corners of the box that holds every body wholly [length]."},
    {"spacing", KEY_VEC3, KEY_OMITTED, .offset = IN(def.spacing), AT_LEAST(0), .note = "[0, 0, 0]",
     .help = "Size of the cells of a lattice, from body to body [length]; 0 is as small as the largest body, stretched "
             "to fill the box along x and y."},
    {"shifts", KEY_SHIFTS, KEY_OMITTED, .offset = IN(def.shifts), ANY, .note = "none",
     .help = "How far the layers of a lattice are shifted [length]: the first by the first entry, and so on, over and "
             "over."},
    {"jitter", KEY_REAL, .offset = IN(def.jitter), BETWEEN(0, 1), .fallback = {0},
     .help = "Shift from the places of a lattice, as a part of the free room round each body."},
    {"material", KEY_MATERIAL, .offset = IN(def.material), .help = "Material of all shapes that name none."},
    {"fixed", KEY_TRUTH, .offset = IN(def.fixed), .help = "Never moved by forces or contacts, and at rest."},
    {"mass", KEY_REAL, KEY_OMITTED, .offset = IN(def.mass), ABOVE(0), .note = "from density",
     .help = "Mass of each body; wins over density."},
    {"velocity", KEY_VEC3, .offset = IN(def.velocity), ANY,
     .help = "Velocity of each body's centre of mass [length/time]."},
    {"speed", KEY_RANGE, .offset = IN(def.speed), AT_LEAST(0), .fallback = {0},
     .help = "Speed in a random direction, on top of `velocity` [length/time]; `[low, high]` is drawn uniformly for "
             "each body."},
    {"spin", KEY_VEC3, .offset = IN(def.spin), ANY, .help = "Angular velocity of each body in world axes [rad/time]."},
    {"orientation", KEY_ROTATION, .offset = IN(def.orientation), .flag = IN(def.random_orientation), ANY,
     .fallback = {1}, .help = "Rotation of each body; `random` is uniform over all rotations."},
    {"group", KEY_GROUP, .offset = IN(def.group), .fallback = {1}, .help = "Group that the bodies belong to."},
    {"mask", KEY_GROUPS, KEY_OMITTED, .offset = IN(def.mask), .fallback = {UINT32_MAX}, .note = "all",
     .help = "Groups that the bodies touch; two bodies touch when each one's mask has the other's group."},
    {"shapes", KEY_LIST, KEY_REQUIRED, .table = &fill_shape_table,
     .help = "What each body is made of, one shape at least."},
};
#undef IN
const key_table fill_table = {"fills[]", "a fill", fill_keys, COUNT(fill_keys)};

#define IN(member) offsetof(scene_fill_shape, member)
static const key_row fill_shape_keys[] = {
    {"type", KEY_WORD, KEY_REQUIRED | KEY_VARIANT, .offset = IN(def.shape.type), .words = fill_shape_words,
     .help = "Kind of shape."},
    {"radius", KEY_RANGE, .only = ROUND, .offset = IN(def.radius), ABOVE(0), .fallback = {0.5},
     .help = "Radius of a sphere, capsule or cylinder, or of the base of a cone [length]; `[low, high]` is drawn "
             "uniformly for each body."},
    {"half", KEY_RANGE3, .only = BOX, .offset = IN(def.half), ABOVE(0), .fallback = {0.5, 0.5, 0.5},
     .help = "Half edge lengths of a box [length]; each may be `[low, high]`, drawn uniformly for each body."},
    {"half", KEY_RANGE, .only = LONG, .offset = IN(def.half_length), ABOVE(0), .fallback = {0.5},
     .help = "Half the length along z of a capsule without its caps, a cylinder or a cone [length]; `[low, high]` is "
             "drawn uniformly for each body."},
    {"radii", KEY_RANGE3, .only = ELLIPSOID, .offset = IN(def.radii), ABOVE(0), .fallback = {0.5, 0.5, 0.5},
     .help = "Semi-axes of an ellipsoid [length]; each may be `[low, high]`, drawn uniformly for each body."},
    SOURCE_KEYS(scene_fill_shape),
    {"file", KEY_PATH, KEY_OMITTED, .only = HULL | SPHERES, .offset = IN(source.file), .note = "none",
     .help = "File of points, triangles or spheres."},
    {"scale", KEY_REAL, .only = HULL | SPHERES, .offset = IN(source.options.scale), ABOVE(0), .fallback = {1},
     .help = "Factor on all lengths of a hull or sphere set, the same for every body."},
    PLACEMENT_KEYS(scene_fill_shape, def.shape),
};
#undef IN
const key_table fill_shape_table = {"fills[].shapes[]", "a shape", fill_shape_keys, COUNT(fill_shape_keys)};

// ----------------------------------------------------------------------------------------- motions, events, counters

static const key_word motion_words[] = {
    {"sine", SCREE_MOTION_SINE}, {"velocity", SCREE_MOTION_VELOCITY}, {"rotation", SCREE_MOTION_ROTATION}, {0}};
enum { SINE = 1 << SCREE_MOTION_SINE, VELOCITY = 1 << SCREE_MOTION_VELOCITY, ROTATION = 1 << SCREE_MOTION_ROTATION };

#define IN(member) offsetof(scene_motion, member)
static const key_row motion_keys[] = {
    {"body", KEY_BODY, KEY_REQUIRED, .offset = IN(body), .help = "Name of the body; one motion per body."},
    {"type", KEY_WORD, KEY_REQUIRED | KEY_VARIANT, .offset = IN(def.type), .words = motion_words,
     .help = "Kind of motion."},
    {"axis", KEY_DIRECTION, .only = SINE | ROTATION, .offset = IN(def.axis), ANY, .fallback = {0, 0, 1},
     .help = "Direction of a sine, or axis of a rotation; normalised."},
    {"amplitude", KEY_REAL, .only = SINE, .offset = IN(def.amplitude), ANY, .help = "Amplitude of a sine [length]."},
    {"frequency", KEY_REAL, .only = SINE, .offset = IN(def.frequency), AT_LEAST(0), .fallback = {1},
     .help = "Frequency of a sine [1/time]."},
    {"phase", KEY_REAL, .only = SINE, .offset = IN(def.phase), ANY, .help = "Phase of a sine at time zero [rad]."},
    {"linear", KEY_VEC3, .only = VELOCITY, .offset = IN(def.linear), ANY,
     .help = "Linear velocity of a `velocity` [length/time]."},
    {"angular", KEY_VEC3, .only = VELOCITY, .offset = IN(def.angular), ANY,
     .help = "Angular velocity of a `velocity`, about the origin of the body's frame [rad/time]."},
    {"centre", KEY_VEC3, .only = ROTATION, .offset = IN(def.center), ANY,
     .help = "A point of the axis of a rotation, in the world [length]."},
    {"speed", KEY_REAL, .only = ROTATION, .offset = IN(def.speed), ANY, .help = "Speed of a rotation [rad/time]."},
};
#undef IN
const key_table motion_table = {"motions[]", "a motion", motion_keys, COUNT(motion_keys)};

static const key_row event_keys[] = {
    {"time", KEY_REAL, KEY_REQUIRED, .offset = offsetof(scene_event, time), AT_LEAST(0),
     .help = "When it happens [time]."},
    {"remove", KEY_NAMES, KEY_REQUIRED,
     .help = "Names of bodies, fills and joints that are taken out, each once only."},
};
const key_table event_table = {"events[]", "an event", event_keys, COUNT(event_keys)};

static const key_word counter_words[] = {{"bodies", COUNT_BODIES}, {"mass", COUNT_MASS}, {0}};

static const key_row counter_keys[] = {
    {"name", KEY_NAME, KEY_REQUIRED, .offset = offsetof(scene_counter, name),
     .help = "Unique name among counters and probes."},
    {"plane", KEY_TABLE, .table = &plane_table, .help = "What is crossed, by a body's centre and against the normal."},
    {"of", KEY_WORD, .offset = offsetof(scene_counter, of), .words = counter_words, .fallback = {COUNT_BODIES},
     .help = "What is counted: the number of bodies, or their mass."},
};
const key_table counter_table = {"output.counters[]", "a counter", counter_keys, COUNT(counter_keys)};

static const key_row plane_keys[] = {
    {"normal", KEY_DIRECTION, .offset = offsetof(scene_counter, normal), ANY, .fallback = {0, 0, 1},
     .help = "Normal of the plane; normalised."},
    {"offset", KEY_REAL, .offset = offsetof(scene_counter, offset), ANY,
     .help = "The plane is normal . x = offset [length]."},
};
const key_table plane_table = {"output.counters[].plane", "a plane", plane_keys, COUNT(plane_keys)};
