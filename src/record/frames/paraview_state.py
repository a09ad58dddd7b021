# How ParaView shows this run: File > Load State, or
#
#     paraview --script=FILE         in the window
#     pvpython FILE PICTURE.png      without one: a picture of the last frame
#
# Spheres are spheres, other bodies polygons; walls are seen through; colours tell the speed.
import os
import sys

from paraview.simple import *

paraview.simple._DisableFirstRenderCameraReset()

NAME = @NAME@
FOLDER = @FOLDER@


def index():
    """The list of frames beside this file, or where the run wrote it."""
    folders = [os.path.dirname(os.path.abspath(__file__))] if "__file__" in globals() else []
    for folder in folders + [FOLDER]:
        path = os.path.join(folder, NAME + ".pvd")
        if os.path.exists(path):
            return path
    raise RuntimeError(NAME + ".pvd is not beside this file")


frames = PVDReader(registrationName=NAME, FileName=index())
times = list(frames.TimestepValues) or [0.0]
frames.UpdatePipeline(times[-1])
composite = frames.GetDataInformation().GetCompositeDataSetType() >= 0
hierarchy = frames.GetDataInformation().GetHierarchy()


def part(name):
    """One part of the frames; None where the run has none of that name."""
    if not composite:
        return frames if name == "bodies" else None
    if not hierarchy.SelectNodes(["/Root/" + name]):
        return None
    return ExtractBlock(registrationName=name, Input=frames, Selectors=["/Root/" + name])


view = GetActiveViewOrCreate("RenderView")
if len(sys.argv) == 2:
    view.ViewSize = [1280, 720]
view.UseColorPaletteForBackground = 0
view.BackgroundColorMode = "Gradient"
view.Background = [0.95, 0.96, 0.97]
view.Background2 = [0.70, 0.79, 0.89]
view.OrientationAxesVisibility = 1

bodies, walls, solids, contacts = part("bodies"), part("walls"), part("boxes"), part("contacts")

# The scale of speeds ends where those of the middle frame do, since often all rests at both ends.
bodies.UpdatePipeline(times[len(times) // 2])
array = bodies.GetDataInformation().GetPointDataInformation().GetArrayInformation("velocity")
top = array.GetComponentRange(-1)[1] if array else 1.0
top = top if top > 0 else 1.0
bodies.UpdatePipeline(times[-1])


# Scree's own scale, from slow to fast: lightness rises evenly, and what rests is not black.
COLORS = [
    (0.325, 0.192, 0.569), (0.333, 0.290, 0.682), (0.298, 0.408, 0.749),
    (0.231, 0.533, 0.765), (0.220, 0.647, 0.725), (0.227, 0.761, 0.663),
    (0.396, 0.855, 0.545), (0.690, 0.910, 0.353), (0.980, 0.933, 0.290)]


def color_by_speed(representation, association, name, *component):
    """The same scale for points, which have velocities, and polygons, which have speeds."""
    ColorBy(representation, (association, name, *component))
    scale = GetColorTransferFunction(name)
    scale.AutomaticRescaleRangeMode = "Never"
    scale.ColorSpace = "RGB"
    scale.RGBPoints = [number for i, color in enumerate(COLORS) for number in (top * i / (len(COLORS) - 1), *color)]
    return scale


spheres = bodies
if solids is not None:
    spheres = Threshold(registrationName="spheres", Input=bodies)
    spheres.Scalars = ["POINTS", "shape"]
    spheres.ThresholdMethod = "Between"
    spheres.LowerThreshold, spheres.UpperThreshold = 0.0, 0.5
view.ViewTime = times[-1]
spheres.UpdatePipeline(times[-1])
shown = Show(spheres, view)
shown.SetRepresentationType("Point Gaussian")
shown.ShaderPreset = "Sphere"
shown.GaussianRadius = 1.0
shown.ScaleByArray = 1
shown.SetScaleArray = ["POINTS", "radius"]
shown.UseScaleFunction = 0
scale = color_by_speed(shown, "POINTS", "velocity", "Magnitude")
shown.SetScalarBarVisibility(view, True)
bar = GetScalarBar(scale, view)
bar.Title, bar.ComponentTitle = "speed", ""
bar.WindowLocation = "Upper Right Corner"
bar.TitleColor = bar.LabelColor = [0.1, 0.12, 0.15]

if solids is not None:
    polygons = Show(solids, view)
    polygons.SetRepresentationType("Surface")
    color_by_speed(polygons, "CELLS", "speed")
    polygons.SetScalarBarVisibility(view, False)

if walls is not None:
    glass = Show(walls, view)
    glass.SetRepresentationType("Surface")
    glass.ColorArrayName = [None, ""]
    glass.DiffuseColor = glass.AmbientColor = [0.62, 0.66, 0.70]
    glass.Opacity = 0.25

if contacts is not None:
    lines = Show(contacts, view)
    ColorBy(lines, ("CELLS", "normal_force"))
    lines.LineWidth = 2.0
    lines.SetScalarBarVisibility(view, False)
    Hide(contacts, view)  # force chains: click on its eye

clock = AnnotateTimeFilter(registrationName="time", Input=frames, Format="t = {time:.4g}")
words = Show(clock, view)
words.Color = [0.1, 0.12, 0.15]
words.WindowLocation = "Lower Left Corner"

# From the front, a little from the right and from above, as far as the bodies ask for.
GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
GetAnimationScene().PlayMode = "Snap To TimeSteps"
GetAnimationScene().AnimationTime = times[-1]
low_x, high_x, low_y, high_y, low_z, high_z = bodies.GetDataInformation().GetBounds()
middle = [(low_x + high_x) / 2, (low_y + high_y) / 2, (low_z + high_z) / 2]
view.CameraFocalPoint = middle
view.CameraPosition = [middle[0] + 0.5, middle[1] - 0.72, middle[2] + 0.34]
view.CameraViewUp = [0.0, 0.0, 1.0]
view.ResetCamera(low_x, high_x, low_y, high_y, low_z, high_z)
view.GetActiveCamera().Zoom(1.4)
Render(view)

if len(sys.argv) == 2 and sys.argv[1].endswith(".png"):
    SaveScreenshot(sys.argv[1], view, ImageResolution=[1280, 720])
