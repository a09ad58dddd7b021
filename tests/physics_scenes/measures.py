"""What is measured of a run beyond single numbers of its files: periods, slopes, heaps. Formulas in expectations call these."""
import math


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
