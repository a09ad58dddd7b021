// The pile in LAMMPS, one process: `gran/hertz/history` between spheres and with the container, the fastest that it has
// of this kind.
#include "outside.hpp"

#include <cstdio>
#include <cstring>

namespace
{

class lammps : public outside_engine
{
  public:
    bool write(const pile_scene &scene, const outside_options &given, const std::string &folder) override
    {
        return write_data(scene, folder + "/data") && write_input(scene, given, folder + "/input");
    }

    std::string arguments() override
    {
        return "-in input -log none";
    }

    bool read_time(const char *line, double &wall, double &cpu) override
    {
        double share;
        if (sscanf(line, "%lf%% CPU use", &share) == 1)
            cpu = 0.01 * share * wall;
        return sscanf(line, "Loop time of %lf", &wall) == 1;
    }

  private:
    static bool write_data(const pile_scene &scene, const std::string &path)
    {
        FILE *file = fopen(path.c_str(), "w");
        if (!file)
            return false;
        double half = 0.5 * scene.width, top = scene.spheres[scene.count - 1].z + 2;
        fprintf(file, "the pile\n\n%zu atoms\n1 atom types\n\n", scene.count);
        fprintf(file, "%.17g %.17g xlo xhi\n%.17g %.17g ylo yhi\n-1 %.17g zlo zhi\n\n", -half, half, -half, half, top);
        fputs("Atoms # sphere\n\n", file);
        const double pi = 3.14159265358979323846;
        for (size_t i = 0; i < scene.count; i++) {
            const scene_sphere &s = scene.spheres[i];
            double density = pile_sphere_mass(s.radius) / (4.0 / 3.0 * pi * std::pow(s.radius, 3));
            fprintf(file, "%zu 1 %.17g %.17g %.17g %.17g %.17g\n", i + 1, 2 * s.radius, density, s.x, s.y, s.z);
        }
        return fclose(file) == 0;
    }

    // Normal and tangential stiffness, normal and tangential damping, friction, and 1 for damping along the contact.
    // Its damping follows from no restitution; this one takes about as much.
    static std::string law(const outside_options &given)
    {
        const double nu = PARTICLE_POISSON_RATIO, shear = given.youngs_modulus() / (2 * (1 + nu));
        char text[200];
        snprintf(text, sizeof text, "%.17g %.17g %.17g NULL %.17g 1", 4 * shear / (3 * (1 - nu)), 4 * shear / (2 - nu),
                 3000 * std::sqrt(double(given.stiffer)), SCENE_FRICTION);
        return text;
    }

    static bool write_input(const pile_scene &scene, const outside_options &given, const std::string &path)
    {
        FILE *file = fopen(path.c_str(), "w");
        if (!file)
            return false;
        double half = 0.5 * scene.width;
        std::string contact = law(given);
        fputs("units si\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\nread_data data\n", file);
        fprintf(file, "pair_style gran/hertz/history %s\npair_coeff * *\n", contact.c_str());
        fputs("neighbor 0.1 bin\nneigh_modify delay 0 every 1 check yes\n", file);
        fprintf(file, "fix gravity all gravity %g vector 0 0 -1\nfix move all nve/sphere\n", SCENE_GRAVITY);
        fprintf(file, "fix floor all wall/gran hertz/history %s zplane 0 NULL\n", contact.c_str());
        fprintf(file, "fix x all wall/gran hertz/history %s xplane %.17g %.17g\n", contact.c_str(), -half, half);
        fprintf(file, "fix y all wall/gran hertz/history %s yplane %.17g %.17g\n", contact.c_str(), -half, half);
        fprintf(file, "timestep %.17g\nthermo 1000\n", given.step());
        if (given.steps > given.last)
            fprintf(file, "run %zu\n", given.steps - given.last);
        fprintf(file, "run %zu\nwrite_dump all custom places id x y z modify sort id format float %%.17g\n",
                given.last);
        return fclose(file) == 0;
    }
};

} // namespace

int main(int argc, char **argv)
{
    lammps engine;
    return outside_main(argc, argv, "lammps", "lmp", engine);
}
