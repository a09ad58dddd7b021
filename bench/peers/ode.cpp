// Open Dynamics Engine: hash space, quickstep with the iterations that it has by default (20), contacts as its manual
// recommends: Coulomb friction by the friction pyramid, error reduction 0.2, no softness; nothing is disabled.
#include <ode/ode.h>

#include <vector>

#include "peer.hpp"

namespace
{

class ode : public peer_engine
{
  public:
    explicit ode(int iterations)
    {
        dInitODE2(0);
        world = dWorldCreate();
        space = dHashSpaceCreate(nullptr);
        group = dJointGroupCreate(0);
        dWorldSetGravity(world, 0, 0, dReal(-SCENE_GRAVITY));
        dWorldSetQuickStepNumIterations(world, iterations);
        dWorldSetAutoDisableFlag(world, 0);
    }

    ~ode() override
    {
        dJointGroupDestroy(group);
        dSpaceDestroy(space);
        dWorldDestroy(world);
        dCloseODE();
    }

    void add_plane(double x, double y, double z, double offset) override
    {
        dCreatePlane(space, dReal(x), dReal(y), dReal(z), dReal(offset));
    }

    void add_sphere(const scene_sphere &at, double mass) override
    {
        dMass properties;
        dMassSetSphereTotal(&properties, dReal(mass), dReal(at.radius));
        add(dCreateSphere(space, dReal(at.radius)), properties, at);
    }

    void add_cube(const scene_sphere &at, double mass) override
    {
        dMass properties;
        dReal edge = dReal(2 * at.radius);
        dMassSetBoxTotal(&properties, dReal(mass), edge, edge, edge);
        add(dCreateBox(space, edge, edge, edge), properties, at);
    }

    void step() override
    {
        found = {};
        points = 0;
        dSpaceCollide(space, this, meet);
        dWorldQuickStep(world, dReal(SCENE_STEP));
        dJointGroupEmpty(group);
    }

    scene_sphere place(size_t body) override
    {
        const dReal *at = dBodyGetPosition(bodies[body]);
        return {double(at[0]), double(at[1]), double(at[2]), 0};
    }

    size_t contacts(overlap_figures &depths) override
    {
        depths = found;
        return points;
    }

  private:
    dWorldID world;
    dSpaceID space;
    dJointGroupID group;
    std::vector<dBodyID> bodies;
    overlap_figures found = {}; // of the last step
    size_t points = 0;

    void add(dGeomID shape, const dMass &properties, const scene_sphere &at)
    {
        dBodyID body = dBodyCreate(world);
        dBodySetMass(body, &properties);
        dBodySetPosition(body, dReal(at.x), dReal(at.y), dReal(at.z));
        dGeomSetBody(shape, body);
        bodies.push_back(body);
    }

    static void meet(void *data, dGeomID a, dGeomID b)
    {
        enum { MOST = 8 };
        ode *self = static_cast<ode *>(data);
        dContact contacts[MOST] = {};
        int count = dCollide(a, b, MOST, &contacts[0].geom, sizeof(dContact));
        for (int i = 0; i < count; i++) {
            contacts[i].surface.mode = dContactApprox1;
            contacts[i].surface.mu = dReal(SCENE_FRICTION);
            dJointID joint = dJointCreateContact(self->world, self->group, &contacts[i]);
            dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
            note_depth(self->found, double(contacts[i].geom.depth));
            self->points++;
        }
    }
};

} // namespace

int main(int argc, char **argv)
{
    return peer_main(argc, argv, "ode", 20, [](const peer_settings &settings) -> std::unique_ptr<peer_engine> {
        return settings.hard ? nullptr : std::make_unique<ode>(settings.iterations);
    });
}
