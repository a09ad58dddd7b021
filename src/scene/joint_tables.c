// The keys of joints and of their motors. See keys.h for what a row says.
#include <math.h>

#include "scene/keys.h"
#include "scene/scene.h"

_Static_assert(sizeof(scree_joint_type) == sizeof(int), "words are stored as int");
_Static_assert(offsetof(scree_joint_def, high) == offsetof(scree_joint_def, low) + sizeof(double), "limits are a pair");
_Static_assert(offsetof(scree_joint_def, second_axis) == offsetof(scree_joint_def, axis) + sizeof(scree_vec3), "axes");

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))
#define ANY         .low = -HUGE_VAL, .high = HUGE_VAL
#define ABOVE(x)    .low = (x), .high = HUGE_VAL, .open = true
#define AT_LEAST(x) .low = (x), .high = HUGE_VAL

static const key_word joint_words[] = {
    {"spherical", SCREE_JOINT_SPHERICAL},
    {"revolute", SCREE_JOINT_REVOLUTE},
    {"prismatic", SCREE_JOINT_PRISMATIC},
    {"cylindrical", SCREE_JOINT_CYLINDRICAL},
    {"planar", SCREE_JOINT_PLANAR},
    {"universal", SCREE_JOINT_UNIVERSAL},
    {"fixed", SCREE_JOINT_FIXED},
    {"distance", SCREE_JOINT_DISTANCE},
    {"point_on_line", SCREE_JOINT_POINT_ON_LINE},
    {"spring", SCREE_JOINT_SPRING},
    {"torsion_spring", SCREE_JOINT_TORSION_SPRING},
    {"gear", SCREE_JOINT_GEAR},
    {"rack", SCREE_JOINT_RACK},
    {0},
};

// Which types a key is for.
enum {
    COUPLING = 1 << SCREE_JOINT_GEAR | 1 << SCREE_JOINT_RACK,
    JOINING = ((1 << SCREE_JOINT_TYPES) - 1) & ~COUPLING,
    LONG = 1 << SCREE_JOINT_DISTANCE | 1 << SCREE_JOINT_SPRING,
    PLACED = JOINING & ~LONG,
    UNIVERSAL = 1 << SCREE_JOINT_UNIVERSAL,
    TORSION = 1 << SCREE_JOINT_TORSION_SPRING,
    SPRINGS = 1 << SCREE_JOINT_SPRING | TORSION,
    HOLDS_ROTATION = 1 << SCREE_JOINT_REVOLUTE | 1 << SCREE_JOINT_PRISMATIC | 1 << SCREE_JOINT_CYLINDRICAL |
                     1 << SCREE_JOINT_PLANAR | UNIVERSAL | 1 << SCREE_JOINT_FIXED,
    WITH_FREE_AXIS = (HOLDS_ROTATION | 1 << SCREE_JOINT_POINT_ON_LINE) & ~(1 << SCREE_JOINT_FIXED),
    LIMITED = JOINING & ~(1 << SCREE_JOINT_FIXED),
    DRIVEN = LIMITED & ~(1 << SCREE_JOINT_SPHERICAL),
};

#define IN(member) offsetof(scene_joint, member)
static const key_row joint_keys[] = {
    {"name", KEY_NAME, KEY_OMITTED, .offset = IN(name), .note = "none",
     .help = "Unique name among joints, bodies and fills, by which gears and probes speak of the joint."},
    {"type", KEY_WORD, KEY_REQUIRED | KEY_VARIANT, .offset = IN(def.type), .words = joint_words,
     .help = "Kind of joint."},
    {"bodies", KEY_NAMES, .only = JOINING, .note = "required, but for a gear or rack",
     .help = "Names of the two bodies that it joins; `world` is the fixed world."},
    {"joints", KEY_NAMES, .only = COUPLING, .note = "required for a gear or rack",
     .help = "Names of the two joints that it couples, listed before it; they have a body in common, or the world."},
    {"position", KEY_VEC3, .only = PLACED, .offset = IN(def.position), ANY,
     .help = "Where the joint is, in the world at time zero [length]."},
    {"positions", KEY_ENDS, .only = LONG, .offset = IN(def.positions), ANY, .note = "required for its types",
     .help = "The two ends, one on each body, in the world at time zero [length]."},
    {"axes", KEY_ENDS, KEY_OMITTED, .only = UNIVERSAL, .offset = IN(def.axis), .flag = IN(has_axes), ANY,
     .note = "`axis` and any across it",
     .help = "Both axes of a universal joint, on the first and on the second body, perpendicular to each other."},
    {"axis", KEY_DIRECTION, KEY_OMITTED, .only = PLACED, .offset = IN(def.axis), .flag = IN(has_axis), ANY,
     .fallback = {0, 0, 1}, .help = "Axis, normal or first axis, in the world at time zero; normalised."},
    {"stiffness", KEY_REAL, .only = JOINING, .offset = IN(def.stiffness), AT_LEAST(0),
     .help = "Of a spring [force/length] or torsion spring [torque/rad]; of others, of what they hold: 0 is rigid."},
    {"damping", KEY_REAL, .only = JOINING, .offset = IN(def.damping), AT_LEAST(0),
     .help = "Damping beside `stiffness` [force time/length, torque time/rad]."},
    {"angular_stiffness", KEY_REAL, .only = HOLDS_ROTATION, .offset = IN(def.angular_stiffness), AT_LEAST(0),
     .help = "Stiffness of the rotations that are held [torque/rad]; 0 is rigid."},
    {"angular_damping", KEY_REAL, .only = HOLDS_ROTATION, .offset = IN(def.angular_damping), AT_LEAST(0),
     .help = "Damping beside `angular_stiffness` [torque time/rad]."},
    {"axis_stiffness", KEY_REAL, .only = WITH_FREE_AXIS, .offset = IN(def.axis_stiffness), AT_LEAST(0),
     .help = "Of a spring along or about the axis that the joint leaves free [force/length, torque/rad]."},
    {"axis_damping", KEY_REAL, .only = WITH_FREE_AXIS, .offset = IN(def.axis_damping), AT_LEAST(0),
     .help = "Damping along or about that axis [force time/length, torque time/rad]."},
    {"rest", KEY_REAL, .only = WITH_FREE_AXIS, .offset = IN(def.rest), ANY,
     .help = "Position at which the spring of `axis_stiffness` has no force [length, rad]."},
    {"length", KEY_REAL, KEY_OMITTED, .only = LONG, .offset = IN(def.length), AT_LEAST(0), .fallback = {-1},
     .note = "as the ends stand", .help = "The distance that is held, or the free length of a spring [length]."},
    {"angle", KEY_REAL, .only = TORSION, .offset = IN(def.angle), ANY,
     .help = "Free angle of a torsion spring, from where it stands at time zero [rad]."},
    {"preload", KEY_REAL, .only = SPRINGS, .offset = IN(def.preload), ANY,
     .help = "Force at the free length, pulling the ends together, or torque at the free angle."},
    {"limits", KEY_LIMITS, KEY_OMITTED, .only = LIMITED, .offset = IN(def.low), ANY, .note = "none",
     .help = "Least and largest position [length, rad]."},
    {"friction", KEY_REAL, .only = LIMITED, .offset = IN(def.friction), AT_LEAST(0),
     .help = "Most force, or torque for a rotation, against motion."},
    {"motor", KEY_TABLE, KEY_OMITTED, .only = DRIVEN, .flag = IN(has_motor), .table = &motor_table, .note = "none",
     .help = "What drives the position."},
    {"ratio", KEY_REAL, .only = COUPLING, .offset = IN(def.ratio), ANY, .fallback = {1},
     .help = "Speed of the second joint over that of the first: [1], or [length/rad] for a rack; not 0."},
    {"break_force", KEY_REAL, KEY_OMITTED, .offset = IN(def.break_force), ABOVE(0), .fallback = {HUGE_VAL},
     .note = "never", .help = "The joint breaks when its reaction force exceeds this."},
    {"break_torque", KEY_REAL, KEY_OMITTED, .offset = IN(def.break_torque), ABOVE(0), .fallback = {HUGE_VAL},
     .note = "never", .help = "The joint breaks when its reaction torque exceeds this."},
    {"collide", KEY_TRUTH, .offset = IN(def.collide), .help = "The joined bodies may touch each other."},
};
const key_table joint_table = {"joints[]", "a joint", joint_keys, COUNT(joint_keys)};

static const key_row motor_keys[] = {
    {"speed", KEY_REAL, KEY_OMITTED, .offset = IN(speed), .flag = IN(has_speed), ANY, .note = "none",
     .help = "Drives the speed of the position to this [length/time, rad/time]."},
    {"position", KEY_REAL, KEY_OMITTED, .offset = IN(position), .flag = IN(has_position), ANY, .note = "none",
     .help = "Drives the position to this [length, rad]."},
    {"max_force", KEY_REAL, KEY_OMITTED, .offset = IN(def.motor.max_force), ABOVE(0), .fallback = {HUGE_VAL},
     .note = "none: the motion is prescribed", .help = "Most force, or torque for a rotation."},
    {"amplitude", KEY_REAL, .offset = IN(def.motor.amplitude), ANY,
     .help = "Of a sine that is added to `speed` or `position`, beginning with 0."},
    {"frequency", KEY_REAL, .offset = IN(def.motor.frequency), AT_LEAST(0), .fallback = {1},
     .help = "Frequency of the sine [1/time]."},
    {"phase", KEY_REAL, .offset = IN(def.motor.phase), ANY, .help = "Phase of the sine at time zero [rad]."},
    {"response", KEY_REAL, .offset = IN(def.motor.response), AT_LEAST(0),
     .help = "Time constant in which `position` is reached [time]; 0 is ten steps, or at once without `max_force`."},
};
#undef IN
const key_table motor_table = {"joints[].motor", "a motor", motor_keys, COUNT(motor_keys)};
