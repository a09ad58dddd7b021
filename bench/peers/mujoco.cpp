// MuJoCo: its Newton solver with the elliptic friction cone, all else as it is by default. Contacts are soft there;
// hard ones have the shortest time constant that its manual allows, two steps, and an impedance next to one. The model
// is written as XML, since that is how its users write it.
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

#include "peer.hpp"

namespace
{

class mujoco : public peer_engine
{
  public:
    explicit mujoco(const peer_settings &settings)
    {
        put("<option timestep=\"%g\" gravity=\"0 0 %g\" solver=\"Newton\" cone=\"elliptic\" iterations=\"%d\"/>",
            SCENE_STEP, -SCENE_GRAVITY, settings.iterations);
        put("<default><geom friction=\"%g 0 0\" condim=\"3\"", SCENE_FRICTION);
        if (settings.hard)
            put(" solref=\"%g 1\" solimp=\"0.999 0.9999 0.001\"", 2 * SCENE_STEP);
        scene += "/></default><worldbody>";
    }

    ~mujoco() override
    {
        mj_deleteData(data);
        mj_deleteModel(model);
    }

    void add_plane(double x, double y, double z, double offset) override
    {
        put("<geom type=\"plane\" size=\"0 0 1\" pos=\"%.17g %.17g %.17g\" zaxis=\"%g %g %g\"/>", offset * x,
            offset * y, offset * z, x, y, z);
    }

    void add_sphere(const scene_sphere &at, double mass) override
    {
        bodies++;
        put("<body pos=\"%.17g %.17g %.17g\"><freejoint/><geom type=\"sphere\" size=\"%.17g\" mass=\"%.17g\"/></body>",
            at.x, at.y, at.z, at.radius, mass);
    }

    void add_cube(const scene_sphere &at, double mass) override
    {
        bodies++;
        put("<body pos=\"%.17g %.17g %.17g\"><freejoint/><geom type=\"box\" size=\"%g %g %g\" mass=\"%.17g\"/></body>",
            at.x, at.y, at.z, at.radius, at.radius, at.radius, mass);
    }

    void start() override
    {
        char path[] = "/tmp/mujoco-XXXXXX", error[1000] = "";
        int file = mkstemp(path);
        // Room that it does not find by itself, for three contacts a body; it allocates the square of their rows.
        char size[200];
        snprintf(size, sizeof size, "<mujoco><size nconmax=\"%zu\" njmax=\"%zu\"/>", 4 * bodies + 100,
                 9 * bodies + 600);
        scene = size + scene + "</worldbody></mujoco>";
        FILE *stream = file >= 0 ? fdopen(file, "w") : nullptr;
        if (stream && fwrite(scene.data(), 1, scene.size(), stream) == scene.size() && fclose(stream) == 0)
            model = mj_loadXML(path, nullptr, error, sizeof error);
        unlink(path);
        if (!model) {
            fprintf(stderr, "mujoco: %s\n", error);
            exit(1);
        }
        data = mj_makeData(model);
    }

    void step() override
    {
        mj_step(model, data);
    }

    scene_sphere place(size_t body) override
    {
        const mjtNum *at = data->xpos + 3 * (body + 1); // body 0 is the world
        return {at[0], at[1], at[2], 0};
    }

    size_t contacts(overlap_figures &depths) override
    {
        for (int i = 0; i < data->ncon; i++)
            note_depth(depths, -data->contact[i].dist);
        return size_t(data->ncon);
    }

  private:
    std::string scene;
    size_t bodies = 0;
    mjModel *model = nullptr;
    mjData *data = nullptr;

    template <typename... numbers> void put(const char *format, numbers... values)
    {
        char text[400];
        snprintf(text, sizeof text, format, values...);
        scene += text;
    }
};

} // namespace

int main(int argc, char **argv)
{
    return peer_main(argc, argv, "mujoco", 100, [](const peer_settings &settings) -> std::unique_ptr<peer_engine> {
        return std::make_unique<mujoco>(settings);
    });
}
