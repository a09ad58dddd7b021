// Detection of spheres in Bullet: btCollisionWorld with its dynamic tree, one thread, all else as Bullet has it by
// default. The papers' random spheres: first detection, adding them included, and detection after all have moved. With
// --compare FILE the contacts are compared with those that `scree bench detect --stream FILE` wrote.
//
//     bullet_detect [--spheres N] [--compare FILE]
#include <btBulletCollisionCommon.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

#include "bench/measure/json_line.h"
#include "bench/measure/measure.h"
#include "bench/scene/detect_scenes.h"

extern "C" {
#include "collide/contact.h"
}

namespace
{

struct bullet_spheres {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broad;
    btCollisionWorld world;
    std::vector<std::unique_ptr<btSphereShape>> shapes;
    std::vector<std::unique_ptr<btCollisionObject>> objects;

    bullet_spheres() : dispatcher(&configuration), world(&dispatcher, &broad, &configuration)
    {
    }

    void place(const detect_source &source)
    {
        for (size_t i = 0; i < source.count; i++) {
            scene_sphere sphere = detect_sphere(&source, i);
            btVector3 at(btScalar(sphere.x), btScalar(sphere.y), btScalar(sphere.z));
            if (i == objects.size()) {
                shapes.push_back(std::make_unique<btSphereShape>(btScalar(sphere.radius)));
                objects.push_back(std::make_unique<btCollisionObject>());
                objects[i]->setCollisionShape(shapes[i].get());
                objects[i]->setUserIndex(int(i));
            }
            objects[i]->getWorldTransform().setIdentity();
            objects[i]->getWorldTransform().setOrigin(at);
        }
    }

    size_t touching()
    {
        size_t count = 0;
        for (int i = 0; i < dispatcher.getNumManifolds(); i++) {
            const btPersistentManifold *manifold = dispatcher.getManifoldByIndexInternal(i);
            for (int k = 0; k < manifold->getNumContacts(); k++)
                count += manifold->getContactPoint(k).getDistance() <= 0;
        }
        return count;
    }
};

void print_line(const char *scene, const bullet_spheres &bullet, double cpu_s, size_t contacts)
{
    json_line line = json_line_begin("detect", "bullet");
    json_line_text(&line, "scene", scene);
    json_line_count(&line, "bodies", bullet.objects.size());
    json_line_count(&line, "threads", 1);
    json_line_number(&line, "cpu_s", cpu_s);
    json_line_number(&line, "ns_per_sphere", 1e9 * cpu_s / double(bullet.objects.size()));
    json_line_count(&line, "contacts", contacts);
    json_line_number(&line, "memory_mb", memory_peak_bytes() / 1e6);
    json_line_end(&line);
}

// -------------------------------------------------------------------------------------------------- errors of contacts

struct error_sum { // mean and standard deviation
    double sum = 0, squares = 0, most = 0;
    size_t count = 0;

    void add(double error)
    {
        sum += error;
        squares += error * error;
        most = std::fmax(most, error);
        count++;
    }
    void print(json_line &line, const char *key) const
    {
        double mean = sum / double(count);
        json_line_open(&line, key);
        json_line_number(&line, "mean", mean);
        json_line_number(&line, "deviation", std::sqrt(std::fmax(0, squares / double(count) - mean * mean)));
        json_line_number(&line, "max", most);
        json_line_close(&line);
    }
};

struct point_data { // from the sphere with the smaller number: double throughout
    double gap, normal[3], point[3];
};

// The pair itself, by the formulas in double, of radii as both engines have them.
point_data exact_point(const scene_sphere &a, const scene_sphere &b)
{
    double between[3] = {b.x - a.x, b.y - a.y, b.z - a.z};
    double distance = std::sqrt(between[0] * between[0] + between[1] * between[1] + between[2] * between[2]);
    double radius_a = double(float(a.radius)), radius_b = double(float(b.radius));
    point_data p;
    p.gap = distance - radius_a - radius_b;
    const double center[3] = {a.x, a.y, a.z};
    for (int k = 0; k < 3; k++) {
        p.normal[k] = between[k] / distance;
        p.point[k] = center[k] + p.normal[k] * (radius_a + 0.5 * p.gap);
    }
    return p;
}

struct comparison {
    error_sum gap, normal, point;

    void add(const point_data &p, const point_data &exact)
    {
        double n = 0, x = 0;
        for (int k = 0; k < 3; k++) {
            n += (p.normal[k] - exact.normal[k]) * (p.normal[k] - exact.normal[k]);
            x += (p.point[k] - exact.point[k]) * (p.point[k] - exact.point[k]);
        }
        gap.add(std::fabs(p.gap - exact.gap));
        normal.add(std::sqrt(n));
        point.add(std::sqrt(x));
    }
};

void print_comparison(const char *engine, const char *against, size_t bodies, const comparison &c, size_t missing)
{
    json_line line = json_line_begin("accuracy", engine);
    json_line_text(&line, "against", against);
    json_line_count(&line, "bodies", bodies);
    json_line_count(&line, "contacts", c.gap.count);
    json_line_count(&line, "missing", missing);
    c.gap.print(line, "gap");
    c.normal.print(line, "normal");
    c.point.print(line, "point");
    json_line_end(&line);
}

using point_map = std::unordered_map<uint64_t, point_data>;

uint64_t pair_key(uint64_t a, uint64_t b)
{
    return a < b ? a << 32 | b : b << 32 | a;
}

point_map bullet_points(bullet_spheres &bullet)
{
    point_map points;
    for (int i = 0; i < bullet.dispatcher.getNumManifolds(); i++) {
        const btPersistentManifold *manifold = bullet.dispatcher.getManifoldByIndexInternal(i);
        if (manifold->getNumContacts() == 0 || manifold->getContactPoint(0).getDistance() > 0)
            continue;
        const btManifoldPoint &p = manifold->getContactPoint(0);
        uint64_t a = uint64_t(manifold->getBody0()->getUserIndex()), b = uint64_t(manifold->getBody1()->getUserIndex());
        double sign = a < b ? -1 : 1; // Bullet's normal points from b to a
        point_data data;
        data.gap = double(p.getDistance());
        for (int k = 0; k < 3; k++) {
            data.normal[k] = sign * double(p.m_normalWorldOnB[k]);
            data.point[k] = 0.5 * (double(p.getPositionWorldOnA()[k]) + double(p.getPositionWorldOnB()[k]));
        }
        points[pair_key(a, b)] = data;
    }
    return points;
}

point_data scree_point(const contact &c, const scene_sphere &of_a)
{
    double sign = c.a < c.b ? 1 : -1;
    return {double(c.gap),
            {sign * double(c.normal.x), sign * double(c.normal.y), sign * double(c.normal.z)},
            {of_a.x + double(c.arm.x), of_a.y + double(c.arm.y), of_a.z + double(c.arm.z)}};
}

bool compare(bullet_spheres &bullet, const detect_source &source, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    point_map theirs = bullet_points(bullet);
    comparison ours_exact, theirs_exact, ours_theirs;
    size_t only_ours = 0;
    contact c;
    while (fread(&c, sizeof c, 1, file) == 1) {
        scene_sphere low = detect_sphere(&source, c.a < c.b ? c.a : c.b);
        scene_sphere high = detect_sphere(&source, c.a < c.b ? c.b : c.a);
        point_data exact = exact_point(low, high), ours = scree_point(c, c.a < c.b ? low : high);
        ours_exact.add(ours, exact);
        auto found = theirs.find(pair_key(c.a, c.b));
        if (found == theirs.end()) {
            only_ours++;
            continue;
        }
        theirs_exact.add(found->second, exact);
        ours_theirs.add(ours, found->second);
    }
    fclose(file);
    print_comparison("scree", "double", source.count, ours_exact, 0);
    print_comparison("bullet", "double", source.count, theirs_exact, only_ours);
    print_comparison("scree", "bullet", source.count, ours_theirs, theirs.size() - ours_theirs.gap.count);
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    size_t spheres = 131072;
    const char *path = nullptr;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--spheres"))
            spheres = strtoull(argv[i + 1], nullptr, 10);
        else if (!strcmp(argv[i], "--compare"))
            path = argv[i + 1];
        else
            spheres = 0;
    }
    if (argc % 2 == 0 || spheres == 0) {
        fputs("usage: bullet_detect [--spheres N] [--compare FILE]\n", stderr);
        return 2;
    }
    bullet_spheres bullet;
    detect_source source = detect_source_make(DETECT_RANDOM, spheres);
    bullet.place(source);
    double start = cpu_seconds();
    for (auto &object : bullet.objects)
        bullet.world.addCollisionObject(object.get());
    bullet.world.performDiscreteCollisionDetection();
    print_line("random", bullet, cpu_seconds() - start, bullet.touching());
    if (path && !compare(bullet, source, path)) {
        fprintf(stderr, "bullet_detect: cannot read %s\n", path);
        return 1;
    }
    detect_source moved = detect_source_make(DETECT_MOVED, spheres);
    bullet.place(moved);
    start = cpu_seconds();
    bullet.world.performDiscreteCollisionDetection();
    print_line("moved", bullet, cpu_seconds() - start, bullet.touching());
    fflush(stdout);
    _Exit(0); // taking a million objects out of Bullet one by one would take longer than the measurement
}
