// The pile in Yade, one thread: its Mindlin contacts between spheres and with walls, driven by a script as its users
// write them.
#include "outside.hpp"

#include <cstdio>

namespace
{

// After the lines that set half_width, young, poisson, restitution, friction, gravity, step, warm_up and last.
const char script[] = R"(
import math, os, time
from yade import *
from yade import utils

grain = O.materials.append(FrictMat(young=young, poisson=poisson, frictionAngle=math.atan(friction), density=1))
for text in open('data'):
    x, y, z, radius, mass = map(float, text.split())
    body = utils.sphere((x, y, z), radius, material=grain)
    body.state.mass = mass
    body.state.inertia = Vector3(1, 1, 1) * 0.4 * mass * radius ** 2
    O.bodies.append(body)
count = len(O.bodies)
for axis, place, sense in ((2, 0, 1), (0, -half_width, 1), (0, half_width, -1), (1, -half_width, 1), (1, half_width, -1)):
    O.bodies.append(utils.wall(place, axis, sense=sense, material=grain))
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()]),
    InteractionLoop(
        [Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()],
        [Ip2_FrictMat_FrictMat_MindlinPhys(en=restitution, es=restitution)],
        [Law2_ScGeom_MindlinPhys_Mindlin()]),
    NewtonIntegrator(damping=0, gravity=(0, 0, -gravity))]
O.dt = step
if warm_up:
    O.run(warm_up, True)
wall, cpu = time.time(), time.process_time()
O.run(last, True)
print('timed', time.time() - wall, time.process_time() - cpu, flush=True)
with open('places', 'w') as out:
    for i in range(count):
        out.write('%d %.17g %.17g %.17g\n' % (i + 1, *O.bodies[i].state.pos))
os._exit(0)
)";

class yade : public outside_engine
{
  public:
    bool write(const pile_scene &scene, const outside_options &given, const std::string &folder) override
    {
        FILE *data = fopen((folder + "/data").c_str(), "w"), *input = fopen((folder + "/pile.py").c_str(), "w");
        if (!data || !input)
            return false;
        for (size_t i = 0; i < scene.count; i++) {
            const scene_sphere &s = scene.spheres[i];
            fprintf(data, "%.17g %.17g %.17g %.17g %.17g\n", s.x, s.y, s.z, s.radius, pile_sphere_mass(s.radius));
        }
        fprintf(input, "half_width = %.17g\nyoung = %.17g\npoisson = %.17g\nrestitution = %.17g\nfriction = %.17g\n",
                0.5 * scene.width, given.youngs_modulus(), PARTICLE_POISSON_RATIO, PARTICLE_RESTITUTION,
                SCENE_FRICTION);
        fprintf(input, "gravity = %.17g\nstep = %.17g\nwarm_up = %zu\nlast = %zu\n%s", SCENE_GRAVITY, given.step(),
                given.steps - given.last, given.last, script);
        bool written = fclose(data) == 0;
        return fclose(input) == 0 && written;
    }

    std::string arguments() override
    {
        return "-n -x -j1 pile.py";
    }

    bool read_time(const char *line, double &wall, double &cpu) override
    {
        return sscanf(line, "timed %lf %lf", &wall, &cpu) == 2;
    }
};

} // namespace

int main(int argc, char **argv)
{
    yade engine;
    return outside_main(argc, argv, "yade", "yade", engine);
}
