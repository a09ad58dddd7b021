// The velocity of one body against another where they touch.
#ifndef CONTACT_VELOCITY_H
#define CONTACT_VELOCITY_H

#include "world/kinematics.h"

// Where body b's end of a contact is, seen from its centre of mass; positions by slot.
static inline vec3 second_arm(const vec3 *position, const contact *c)
{
    vec3 apart = vec3_sub(position[c->a], position[c->b]);
    return vec3_add(vec3_from_f(c->arm), vec3_add(apart, vec3_from_f(c->shift)));
}

static inline vec3 arm_of_b(const scree_world *world, const contact *c)
{
    return second_arm(world->bodies.position.data, c);
}

static inline body_velocity world_velocity(const scree_world *world, size_t slot)
{
    return (body_velocity){world->bodies.velocity.data[slot], world->bodies.spin.data[slot]};
}

static inline vec3 point_velocity(body_velocity of, vec3 arm)
{
    return vec3_add(of.velocity, vec3_cross(of.spin, arm));
}

// b against a, at the ends of their arms.
static inline vec3 relative_velocity(body_velocity a, vec3 arm_a, body_velocity b, vec3 arm_b)
{
    return vec3_sub(point_velocity(b, arm_b), point_velocity(a, arm_a));
}

#endif
