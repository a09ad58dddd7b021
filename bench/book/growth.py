"""Growth laws: exponents fitted to time and memory over the number of bodies."""
import math


def power_law(points):
    """The least-squares exponent p and factor c of y = c x^p over points (x, y) in logarithms, and the largest factor by
    which a point lies off the line."""
    logs = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    if len({x for x, _ in logs}) < 2:
        raise ValueError("an exponent needs two sizes at least")
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    exponent = sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)
    off = max(abs(y - mean_y - exponent * (x - mean_x)) for x, y in logs)
    return exponent, math.exp(mean_y - exponent * mean_x), math.exp(off)
