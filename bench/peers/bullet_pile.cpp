// The pile in Bullet: btDiscreteDynamicsWorld with its default broad phase and sequential impulse solver, one thread,
// nothing asleep, all else as Bullet has it by default. Same spheres in the same order, same line of JSON.
//
//     bullet_pile [--spheres N] [--iterations N] [--steps N] [--last N]
#include <btBulletDynamicsCommon.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "bench/step_result.h"

namespace
{

struct options {
    size_t spheres = 16000, iterations = 10, steps = 300, last = 50;
};

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

// Bullet multiplies the two coefficients of a pair.
const btScalar body_friction = btScalar(std::sqrt(SCENE_FRICTION));

class pile
{
  public:
    explicit pile(const pile_scene &scene)
        : dispatcher(&configuration), world(&dispatcher, &broad, &solver, &configuration)
    {
        world.setGravity(btVector3(0, 0, btScalar(-SCENE_GRAVITY)));
        btScalar wall = btScalar(-0.5 * scene.width);
        add_plane(btVector3(0, 0, 1), 0);
        add_plane(btVector3(1, 0, 0), wall);
        add_plane(btVector3(-1, 0, 0), wall);
        add_plane(btVector3(0, 1, 0), wall);
        add_plane(btVector3(0, -1, 0), wall);
        first_sphere = bodies.size();
        for (size_t i = 0; i < scene.count; i++)
            add_sphere(scene.spheres[i]);
    }

    ~pile()
    {
        for (auto &body : bodies)
            world.removeRigidBody(body.get());
    }

    void read_positions(pile_scene &scene) const
    {
        for (size_t i = 0; i < scene.count; i++) {
            const btVector3 &at = bodies[first_sphere + i]->getWorldTransform().getOrigin();
            scene.spheres[i].x = double(at.x());
            scene.spheres[i].y = double(at.y());
            scene.spheres[i].z = double(at.z());
        }
    }

    size_t contacts()
    {
        size_t count = 0;
        for (int i = 0; i < dispatcher.getNumManifolds(); i++)
            count += size_t(dispatcher.getManifoldByIndexInternal(i)->getNumContacts());
        return count;
    }

  private:
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    size_t first_sphere = 0;

    void add_body(std::unique_ptr<btCollisionShape> shape, btScalar mass, const btVector3 &at)
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
        add_body(std::make_unique<btStaticPlaneShape>(normal, offset), 0, btVector3(0, 0, 0));
    }

    void add_sphere(const scene_sphere &sphere)
    {
        add_body(std::make_unique<btSphereShape>(btScalar(sphere.radius)), btScalar(pile_sphere_mass(sphere.radius)),
                 btVector3(btScalar(sphere.x), btScalar(sphere.y), btScalar(sphere.z)));
    }

  public:
    timed_world world; // after what it is made of
};

bool read_options(int argc, char **argv, options &given)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        size_t *value = !strcmp(argv[i], "--spheres")      ? &given.spheres
                        : !strcmp(argv[i], "--iterations") ? &given.iterations
                        : !strcmp(argv[i], "--steps")      ? &given.steps
                        : !strcmp(argv[i], "--last")       ? &given.last
                                                           : nullptr;
        if (!value || !(*value = strtoull(argv[i + 1], nullptr, 10)))
            return false;
    }
    return argc % 2 == 1 && given.last <= given.steps;
}

void take_steps(pile &bullet, const options &given, step_times &times, step_result &result)
{
    for (size_t step = 0; step < given.steps; step++) {
        bool timed = step + given.last >= given.steps;
        if (step + given.last == given.steps)
            bullet.world.detect_s = bullet.world.solve_s = 0;
        step_times_start(&times);
        bullet.world.stepSimulation(btScalar(SCENE_STEP), 0);
        step_times_stop(&times, timed);
    }
    result.stage_names[0] = "detect";
    result.stage_ms[0] = 1e3 * bullet.world.detect_s / double(given.last);
    result.stage_names[1] = "solve";
    result.stage_ms[1] = 1e3 * bullet.world.solve_s / double(given.last);
}

} // namespace

int main(int argc, char **argv)
{
    options given;
    pile_scene scene;
    step_times times;
    if (!read_options(argc, argv, given)) {
        fputs("usage: bullet_pile [--spheres N] [--iterations N] [--steps N] [--last N]\n", stderr);
        return 2;
    }
    if (!pile_scene_make(&scene, given.spheres) || !step_times_make(&times, given.last))
        return 1;
    double resident_before = memory_resident_bytes();
    pile bullet(scene);
    bullet.world.getSolverInfo().m_numIterations = int(given.iterations);

    step_result result = {};
    result.bodies = given.spheres;
    result.threads = 1;
    result.iterations = double(given.iterations);
    result.residual_max = result.bytes_per_body = std::nan("");
    take_steps(bullet, given, times, result);
    result.time = step_times_timing(&times);
    result.contacts = bullet.contacts();
    result.memory_bytes = memory_peak_bytes();
    result.resident_per_body = (memory_resident_bytes() - resident_before) / double(given.spheres);
    bullet.read_positions(scene);
    if (!overlap_measure(&scene, &result.overlap))
        return 1;
    json_line line = step_result_begin("pile", "bullet", &result);
    json_line_end(&line);
    step_times_free(&times);
    pile_scene_free(&scene);
    return 0;
}
