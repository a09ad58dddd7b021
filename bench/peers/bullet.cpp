// Bullet: btDiscreteDynamicsWorld with its default broad phase and sequential impulse solver, one thread, nothing
// asleep, all else as it is by default.
#include <btBulletDynamicsCommon.h>

#include <chrono>
#include <cmath>
#include <vector>

#include "peer.hpp"

namespace
{

double seconds()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// Times the two halves of a step where Bullet lets us in.
class timed_world : public btDiscreteDynamicsWorld
{
  public:
    using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;
    double detect_s = 0, solve_s = 0;

    void performDiscreteCollisionDetection() override
    {
        double start = seconds();
        btDiscreteDynamicsWorld::performDiscreteCollisionDetection();
        detect_s += seconds() - start;
    }

  protected:
    void solveConstraints(btContactSolverInfo &info) override
    {
        double start = seconds();
        btDiscreteDynamicsWorld::solveConstraints(info);
        solve_s += seconds() - start;
    }
};

class bullet : public peer_engine
{
  public:
    explicit bullet(int iterations) : dispatcher(&configuration), world(&dispatcher, &broad, &solver, &configuration)
    {
        world.setGravity(btVector3(0, 0, btScalar(-SCENE_GRAVITY)));
        world.getSolverInfo().m_numIterations = iterations;
    }

    ~bullet() override
    {
        for (auto &body : fixed)
            world.removeRigidBody(body.get());
        for (auto &body : bodies)
            world.removeRigidBody(body.get());
    }

    void add_plane(double x, double y, double z, double offset) override
    {
        btVector3 normal{btScalar(x), btScalar(y), btScalar(z)};
        add(fixed, std::make_unique<btStaticPlaneShape>(normal, btScalar(offset)), 0, {});
    }

    void add_sphere(const scene_sphere &at, double mass) override
    {
        add(bodies, std::make_unique<btSphereShape>(btScalar(at.radius)), mass, at);
    }

    void add_cube(const scene_sphere &at, double mass) override
    {
        btScalar half = btScalar(at.radius);
        add(bodies, std::make_unique<btBoxShape>(btVector3(half, half, half)), mass, at);
    }

    void step() override
    {
        world.stepSimulation(btScalar(SCENE_STEP), 0);
    }

    scene_sphere place(size_t body) override
    {
        const btVector3 &at = bodies[body]->getWorldTransform().getOrigin();
        return {double(at.x()), double(at.y()), double(at.z()), 0};
    }

    size_t contacts(overlap_figures &depths) override
    {
        size_t count = 0;
        for (int i = 0; i < dispatcher.getNumManifolds(); i++) {
            const btPersistentManifold *manifold = dispatcher.getManifoldByIndexInternal(i);
            for (int k = 0; k < manifold->getNumContacts(); k++, count++)
                note_depth(depths, -double(manifold->getContactPoint(k).getDistance()));
        }
        return count;
    }

    void stages(step_result &result, double steps) override
    {
        result.stage_names[0] = "detect";
        result.stage_ms[0] = 1e3 * world.detect_s / steps;
        result.stage_names[1] = "solve";
        result.stage_ms[1] = 1e3 * world.solve_s / steps;
        world.detect_s = world.solve_s = 0;
    }

  private:
    typedef std::vector<std::unique_ptr<btRigidBody>> body_list;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    body_list fixed, bodies;
    timed_world world; // after what it is made of

    void add(body_list &to, std::unique_ptr<btCollisionShape> shape, double mass, const scene_sphere &at)
    {
        btVector3 inertia(0, 0, 0);
        if (mass > 0)
            shape->calculateLocalInertia(btScalar(mass), inertia);
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape.get(), inertia);
        info.m_startWorldTransform.setIdentity();
        info.m_startWorldTransform.setOrigin(btVector3(btScalar(at.x), btScalar(at.y), btScalar(at.z)));
        info.m_friction = btScalar(std::sqrt(SCENE_FRICTION)); // Bullet multiplies the two of a pair
        auto body = std::make_unique<btRigidBody>(info);
        if (mass > 0)
            body->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(body.get());
        shapes.push_back(std::move(shape));
        to.push_back(std::move(body));
    }
};

} // namespace

int main(int argc, char **argv)
{
    return peer_main(argc, argv, "bullet", 10, [](const peer_settings &settings) -> std::unique_ptr<peer_engine> {
        return settings.hard ? nullptr : std::make_unique<bullet>(settings.iterations);
    });
}
