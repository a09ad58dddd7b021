"""What is measured of a run beyond single numbers of its files: periods, slopes, heaps. Formulas in expectations call these."""
import math
import random


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def slope(x, y):
    """Of the straight line of least squares."""
    x, y = list(x), list(y)
    x0, y0 = mean(x), mean(y)
    return sum((a - x0) * (b - y0) for a, b in zip(x, y)) / sum((a - x0) ** 2 for a in x)


def upward_crossings(time, values):
    """Times at which values pass zero from below, between samples by straight lines."""
    points = list(zip(time, values))
    return [t0 - v0 * (t1 - t0) / (v1 - v0) for (t0, v0), (t1, v1) in zip(points, points[1:]) if v0 < 0 <= v1]


def period(time, values):
    """Mean time between upward passes through zero."""
    times = upward_crossings(time, values)
    return (times[-1] - times[0]) / (len(times) - 1)


def elliptic_k(k):
    """Complete elliptic integral of the first kind with the modulus k, by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1 - k * k)
    while abs(a - b) > 1e-15 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def tilt(row):
    """Angle between a body's z axis and the vertical."""
    return math.acos(max(-1.0, min(1.0, 1 - 2 * (row.qx**2 + row.qy**2))))


def power(x, y):
    """Exponent n of the least-squares fit of y = c x^n, in logarithms."""
    return slope([math.log(a) for a in x], [math.log(b) for b in y])


def prefactor(x, y, exponent):
    """c of y = c x^exponent, in logarithms."""
    return math.exp(mean(math.log(b) - exponent * math.log(a) for a, b in zip(x, y)))


def haff_exponent(time, energy, low, middle, high):
    """Exponent of energy over t + tau between low and high, where tau is that of Haff's law fitted between low and middle.

    Haff's law makes energy^(-1/2) a straight line, whose intercept over its slope is tau.
    """
    early = [(t, e**-0.5) for t, e in zip(time, energy) if low <= t <= middle]
    rise = slope(*zip(*early))
    tau = mean(y for _, y in early) / rise - mean(t for t, _ in early)
    return power(*zip(*((t + tau, e) for t, e in zip(time, energy) if low <= t <= high)))


def saturation(filling, carried):
    """M_sat of the least-squares fit of Janssen's law, carried = M_sat (1 - exp(-filling / M_sat)), by bisection of an interval."""

    def error(mass):
        return sum((c / (mass * (1 - math.exp(-f / mass))) - 1) ** 2 for f, c in zip(filling, carried))

    low, high = 0.01 * max(filling), 10 * max(filling)
    while high > low * (1 + 1e-6):
        a, b = low ** (2 / 3) * high ** (1 / 3), low ** (1 / 3) * high ** (2 / 3)
        low, high = (low, b) if error(a) < error(b) else (a, high)
    return math.sqrt(low * high)


def floor_force(contacts, times, height, margin):
    """Mean over times of the normal forces of all contacts that end within margin of the floor's height(time)."""

    def sum_at(time):
        found = contacts(time)
        return sum(force for force, z in zip(found.normal_force, found.z) if z < height(time) + margin)

    return mean(sum_at(time) for time in times)


def solid_fraction(grains, low, high, samples=40000):
    """Part of a box that lies inside of spheres, by sampling points (standard error 0.0025 with 40,000)."""
    size = 2 * max(grains.radius)
    cells = {}
    for grain in grains.rows():
        cells.setdefault(cell_of((grain.x, grain.y, grain.z), size), []).append(grain)
    chance, inside = random.Random(1), 0
    for _ in range(samples):
        point = [chance.uniform(a, b) for a, b in zip(low, high)]
        inside += any(
            (g.x - point[0]) ** 2 + (g.y - point[1]) ** 2 + (g.z - point[2]) ** 2 < g.radius**2
            for cell in neighbours(cell_of(point, size))
            for g in cells.get(cell, ())
        )
    return inside / samples


def cell_of(point, size):
    return tuple(math.floor(value / size) for value in point)


def neighbours(cell):
    steps = (-1, 0, 1)
    return ((cell[0] + i, cell[1] + j, cell[2] + k) for i in steps for j in steps for k in steps)


def front(grains, start, bin_width, fewest):
    """How far along x a heap reaches without a gap: bins from start on must hold so many grains."""
    counts = {}
    for x in grains.x:
        counts[math.floor((x - start) / bin_width)] = counts.get(math.floor((x - start) / bin_width), 0) + 1
    last = 0
    while counts.get(last, 0) >= fewest:
        last += 1
    return last * bin_width


def surface_angle(grains, low, high, bin_width):
    """Slope in degrees of the straight line through the highest grains of bins along x, and of three lanes across."""
    side = min(grains.y)
    lane, tops = (max(grains.y) - side) / 3, {}
    for grain in grains.rows():
        if low <= grain.x < high:
            key = (math.floor((grain.x - low) / bin_width), math.floor((grain.y - side) / lane))
            if grain.z > tops.get(key, (0, -math.inf))[1]:
                tops[key] = (grain.x, grain.z)
    return math.degrees(math.atan(slope(*zip(*tops.values()))))


def unwrapped(angles):
    """Angles without their jumps of a full turn."""
    turned, last = [], 0.0
    for angle in angles:
        last += math.remainder(angle - last, 2 * math.pi)
        turned.append(last)
    return turned


def four_bar(crank, coupler, rocker, ground, angle):
    """Angle of the rocker about its pivot at (ground, 0), where the circles about the crank's pin and the pivot meet above."""
    x, y = crank * math.cos(angle), crank * math.sin(angle)
    across = math.hypot(ground - x, y)
    along = (coupler**2 - rocker**2 + across**2) / (2 * across)
    height = math.sqrt(coupler**2 - along**2)
    to_pivot = ((ground - x) / across, -y / across)
    pin = (x + along * to_pivot[0] - height * to_pivot[1], y + along * to_pivot[1] + height * to_pivot[0])
    return math.atan2(pin[1], pin[0] - ground)
