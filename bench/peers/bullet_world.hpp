// A world of Bullet with a container, for the comparison scenes: btDiscreteDynamicsWorld with its default broad phase
// and sequential impulse solver, one thread, nothing asleep, all else as Bullet has it by default.
#ifndef PEERS_BULLET_WORLD_HPP
#define PEERS_BULLET_WORLD_HPP

#include <btBulletDynamicsCommon.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "bench/scenes.h"
#include "bench/step_result.h"

struct bullet_options {
    size_t bodies, iterations = 10, steps = 300, last = 50;
};

inline double seconds()
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

// Bullet multiplies the two coefficients of a pair.
inline const btScalar body_friction = btScalar(std::sqrt(SCENE_FRICTION));

class bullet_world
{
  public:
    explicit bullet_world(double width)
        : dispatcher(&configuration), world(&dispatcher, &broad, &solver, &configuration)
    {
        world.setGravity(btVector3(0, 0, btScalar(-SCENE_GRAVITY)));
        btScalar wall = btScalar(-0.5 * width);
        add_plane(btVector3(0, 0, 1), 0);
        add_plane(btVector3(1, 0, 0), wall);
        add_plane(btVector3(-1, 0, 0), wall);
        add_plane(btVector3(0, 1, 0), wall);
        add_plane(btVector3(0, -1, 0), wall);
        first_movable = bodies.size();
    }

    ~bullet_world()
    {
        for (auto &body : bodies)
            world.removeRigidBody(body.get());
    }

    void add_body(std::unique_ptr<btCollisionShape> shape, double mass, const scene_sphere &at)
    {
        add(std::move(shape), btScalar(mass), btVector3(btScalar(at.x), btScalar(at.y), btScalar(at.z)));
    }

    void read_position(size_t index, scene_sphere &into) const
    {
        const btVector3 &at = bodies[first_movable + index]->getWorldTransform().getOrigin();
        into.x = double(at.x());
        into.y = double(at.y());
        into.z = double(at.z());
    }

    // Takes the steps and leaves times, stages and contacts in the result.
    void run(const bullet_options &given, step_times &times, step_result &result)
    {
        world.getSolverInfo().m_numIterations = int(given.iterations);
        for (size_t step = 0; step < given.steps; step++) {
            bool timed = step + given.last >= given.steps;
            if (step + given.last == given.steps)
                world.detect_s = world.solve_s = 0;
            step_times_start(&times);
            world.stepSimulation(btScalar(SCENE_STEP), 0);
            step_times_stop(&times, timed);
        }
        result.bodies = given.bodies;
        result.threads = 1;
        result.iterations = double(given.iterations);
        result.residual_max = result.bytes_per_body = std::nan("");
        result.stage_names[0] = "detect";
        result.stage_ms[0] = 1e3 * world.detect_s / double(given.last);
        result.stage_names[1] = "solve";
        result.stage_ms[1] = 1e3 * world.solve_s / double(given.last);
        result.time = step_times_timing(&times);
        result.contacts = contacts();
        result.memory_bytes = memory_peak_bytes();
    }

    template <typename visitor> void each_contact(visitor visit)
    {
        for (int i = 0; i < dispatcher.getNumManifolds(); i++) {
            const btPersistentManifold *manifold = dispatcher.getManifoldByIndexInternal(i);
            for (int k = 0; k < manifold->getNumContacts(); k++)
                visit(double(manifold->getContactPoint(k).getDistance()));
        }
    }

  private:
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    size_t first_movable = 0;
    timed_world world; // after what it is made of

    size_t contacts()
    {
        size_t count = 0;
        each_contact([&](double) { count++; });
        return count;
    }

    void add(std::unique_ptr<btCollisionShape> shape, btScalar mass, const btVector3 &at)
    {
        btVector3 inertia(0, 0, 0);
        if (mass > 0)
            shape->calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape.get(), inertia);
        info.m_startWorldTransform.setIdentity();
        info.m_startWorldTransform.setOrigin(at);
        info.m_friction = body_friction;
        auto body = std::make_unique<btRigidBody>(info);
        if (mass > 0)
            body->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(body.get());
        shapes.push_back(std::move(shape));
        bodies.push_back(std::move(body));
    }

    void add_plane(const btVector3 &normal, btScalar offset)
    {
        add(std::make_unique<btStaticPlaneShape>(normal, offset), 0, btVector3(0, 0, 0));
    }
};

// `count_option` is the name of the one that says how many bodies.
inline bool read_bullet_options(int argc, char **argv, const char *count_option, bullet_options &given)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        size_t *value = !strcmp(argv[i], count_option)     ? &given.bodies
                        : !strcmp(argv[i], "--iterations") ? &given.iterations
                        : !strcmp(argv[i], "--steps")      ? &given.steps
                        : !strcmp(argv[i], "--last")       ? &given.last
                                                           : nullptr;
        if (!value || !(*value = strtoull(argv[i + 1], nullptr, 10)))
            return false;
    }
    return argc % 2 == 1 && given.last <= given.steps;
}

#endif
