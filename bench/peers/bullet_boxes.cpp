// Detection in a settled heap of cubes by Bullet: btCollisionWorld with its dynamic tree and persistent manifolds, one
// thread, everything else as it is by default. The poses are those of `scree bench boxes`.
//
//     bullet_boxes [--boxes N]
#include <btBulletCollisionCommon.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "bench/measure/json_line.h"
#include "bench/measure/measure.h"
#include "bench/scene/heap.h"

namespace
{

const int repeats = 200;

struct bullet_cubes {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broad;
    btCollisionWorld world;
    btBoxShape cube;
    std::vector<std::unique_ptr<btStaticPlaneShape>> planes;
    std::vector<std::unique_ptr<btCollisionObject>> objects;

    bullet_cubes()
        : dispatcher(&configuration), world(&dispatcher, &broad, &configuration), cube(btVector3(0.5, 0.5, 0.5))
    {
    }

    void add(btCollisionShape *shape, const btTransform &pose, bool fixed)
    {
        objects.push_back(std::make_unique<btCollisionObject>());
        objects.back()->setCollisionShape(shape);
        objects.back()->setWorldTransform(pose);
        if (fixed)
            objects.back()->setCollisionFlags(btCollisionObject::CF_STATIC_OBJECT);
        world.addCollisionObject(objects.back().get());
    }

    void fill(const cube_heap &heap)
    {
        const btVector3 normals[5] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
        for (int i = 0; i < 5; i++) {
            planes.push_back(std::make_unique<btStaticPlaneShape>(normals[i], i ? btScalar(-0.5 * heap.width) : 0));
            add(planes.back().get(), btTransform::getIdentity(), true);
        }
        for (size_t i = 0; i < heap.count; i++) {
            const scree_state &s = heap.states[i];
            btQuaternion turn(btScalar(s.orientation.x), btScalar(s.orientation.y), btScalar(s.orientation.z),
                              btScalar(s.orientation.w));
            btVector3 at(btScalar(s.position.x), btScalar(s.position.y), btScalar(s.position.z));
            add(&cube, btTransform(turn, at), false);
        }
    }

    size_t points(bool touching)
    {
        size_t count = 0;
        for (int i = 0; i < dispatcher.getNumManifolds(); i++) {
            const btPersistentManifold *manifold = dispatcher.getManifoldByIndexInternal(i);
            for (int k = 0; k < manifold->getNumContacts(); k++)
                count += !touching || manifold->getContactPoint(k).getDistance() <= 0;
        }
        return count;
    }
};

} // namespace

int main(int count, char **words)
{
    size_t boxes = count == 3 && !std::strcmp(words[1], "--boxes") ? std::strtoull(words[2], nullptr, 10) : 20000;
    cube_heap heap;
    scree_error error;
    if (cube_heap_make(&heap, boxes, 1, &error) != SCREE_OK) {
        std::fprintf(stderr, "bullet_boxes: %s\n", error.message);
        return 1;
    }
    bullet_cubes bullet;
    bullet.fill(heap);
    samples times = {};
    for (int i = 0; i < repeats; i++) {
        double start = cpu_seconds();
        bullet.world.performDiscreteCollisionDetection();
        samples_add(&times, cpu_seconds() - start);
    }
    json_line line = json_line_begin("boxes", "bullet");
    json_line_count(&line, "bodies", boxes);
    json_line_count(&line, "threads", 1);
    json_line_number(&line, "cpu_ms", 1e3 * samples_least(&times));
    json_line_repeats(&line, 0, repeats, samples_median(&times) / samples_least(&times));
    json_line_count(&line, "contacts", bullet.points(false));
    json_line_count(&line, "touching", bullet.points(true));
    json_line_end(&line);
    cube_heap_free(&heap);
    return 0;
}
