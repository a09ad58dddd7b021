"""Proves that the driver finds wrong figures, and that what it measures is right where a closed form is known."""
import base64
import math
import pathlib
import struct
import tempfile
import zlib

import measures
from rundir import Run, Table, vtp_arrays

# Expectations that hold, miss, or cannot be computed, on the run directory that hand_made() writes.
EXPECTATIONS = [
    ({"quantity": "ball.z.last", "expected": "1 + 2", "tolerance": 0.1}, True),
    ({"quantity": "ball.z.last", "expected": 3.2, "tolerance": 0.1}, False),
    ({"quantity": "ball.z.last", "expected": 3.2, "relative": 0.1}, True),
    ({"quantity": "max(ball.z - ball.time)", "at_most": 1.9}, False),
    ({"quantity": "ball.at(0.9).z", "at_least": 2.9, "at_most": 3.1}, True),
    ({"quantity": "ball.z.last", "at_least": 3.1}, False),
    ({"quantity": "1e400 - 1e400", "expected": 0, "tolerance": 1}, False),
    ({"quantity": "stone.z.last", "expected": 3, "tolerance": 1}, False),
    ({"quantity": "ball.z.last"}, False),
]


def run(outcome, formula_names, names_of):
    """Gives the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        names = {**formula_names, **names_of(hand_made(pathlib.Path(folder)))}
        results = [(str(check), outcome({**check, "name": "", "source": ""}, names).good == good) for check, good in EXPECTATIONS]
        results += [("a VTK file is read back", reads_back(pathlib.Path(folder)))]
    results += [(what, abs(got - expected) <= tolerance) for what, got, expected, tolerance in closed_forms()]
    for what, good in results:
        if not good:
            print(f"WRONG: self-test: {what}")
    wrong = sum(not good for _, good in results)
    print(f"{len(results) - wrong} right, {wrong} wrong")
    return 1 if wrong else 0


def hand_made(folder):
    (folder / "probes").mkdir()
    (folder / "summary.json").write_text("{}", encoding="utf-8")
    (folder / "series.csv").write_text("step,time,stop\n0,0,tolerance\n1,1,iterations\n", encoding="utf-8")
    (folder / "probes" / "ball.csv").write_text("time,z\n0,2\n1,3\n", encoding="utf-8")
    return Run(folder)


def reads_back(folder):
    """An array of two blocks, the way frames are packed."""
    values = [0.5 * i for i in range(10)]
    blocks = [zlib.compress(struct.pack("<6d", *values[:6])), zlib.compress(struct.pack("<4d", *values[6:]))]
    head = struct.pack("<5Q", 2, 48, 32, *map(len, blocks))
    text = (base64.b64encode(head) + base64.b64encode(b"".join(blocks))).decode()
    path = folder / "test.vtp"
    path.write_text(f'<DataArray type="Float64" Name="a" format="binary">\n{text}\n</DataArray>', encoding="ascii")
    return list(vtp_arrays(path)["a"]) == values


def closed_forms():
    """(what, measured, expected, tolerance)"""
    times = [0.01 * i for i in range(300)]
    yield "slope", measures.slope([1, 2, 4], [5, 7, 11]), 2, 1e-12
    yield "period", measures.period(times, [math.sin(7 * t + 1) for t in times]), 2 * math.pi / 7, 1e-4
    yield "elliptic integral", measures.elliptic_k(math.sin(math.radians(45))), 1.8540746773, 1e-9
    yield "power", measures.power([1, 2, 5], [3 * x**1.7 for x in (1, 2, 5)]), 1.7, 1e-12
    yield "prefactor", measures.prefactor([1, 2, 5], [3 * x**1.7 for x in (1, 2, 5)], 1.7), 3, 1e-12
    yield "angle without jumps", measures.unwrapped(math.remainder(9 * t, 2 * math.pi) for t in times)[-1], 9 * times[-1], 1e-9
    yield "Haff's law", measures.haff_exponent(times, [5 * (1 + t / 0.3) ** -2 for t in times], 0.1, 1, 3), -2, 1e-6
    filling = [1, 2, 4, 8]
    yield "Janssen's law", measures.saturation(filling, [1.5 * (1 - math.exp(-m / 1.5)) for m in filling]), 1.5, 1e-4
    lattice = [(i + 0.5, j + 0.5, k + 0.5) for i in range(6) for j in range(6) for k in range(6)]
    yield "solid fraction of a lattice", measures.solid_fraction(grains(lattice, 0.5), (1, 1, 1), (5, 5, 5)), math.pi / 6, 0.008
    wedge = [(0.1 * i, 0.1 * j, 0.05 * i - 0.1 * k) for i in range(40) for j in range(6) for k in range(3)]
    yield "slope of a wedge", measures.surface_angle(grains(wedge, 0.05), 0.5, 3.5, 0.2), math.degrees(math.atan(0.5)), 0.5
    strewn = [(0.1 * i + 0.05, 0, 0) for i in range(20)] + [(2.55, 0, 0)]
    yield "front of a heap", measures.front(grains(strewn, 0.05), 1, 0.1, 1), 1.0, 1e-9
    yield "four-bar: a parallelogram", measures.four_bar(1, 2, 1, 2, 1.1), 1.1, 1e-12
    yield "tilt", measures.tilt(next(Table({"qx": [math.sin(0.2)], "qy": [0]}).rows())), 0.4, 1e-9


def grains(places, radius):
    x, y, z = zip(*places)
    return Table({"x": x, "y": y, "z": z, "radius": [radius] * len(places)})
