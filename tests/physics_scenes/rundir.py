"""A run directory as numbers: tables of the series and the probes, bodies and contacts of the last frame.

    run = Run("out/ball")
    run.probe("ball").vz.last      the last vz of a probed body
    run.bodies().z                 heights of all moving bodies in the last frame
    run.bodies(0.4).z              in the frame nearest to 0.4 s

Columns add, subtract and multiply element by element, so that a formula over time reads as on paper.
"""
import array
import base64
import csv
import json
import pathlib
import re
import zlib


class Column:
    """Numbers that are computed with as one: column * 2 + other."""

    def __init__(self, values):
        self.values = list(values)

    def __iter__(self):
        return iter(self.values)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return self.values[index]

    @property
    def first(self):
        return self.values[0]

    @property
    def last(self):
        return self.values[-1]

    def each(self, function):
        return Column(function(value) for value in self)

    def with_other(self, other, function):
        if isinstance(other, Column):
            return Column(function(a, b) for a, b in zip(self, other, strict=True))
        return Column(function(a, other) for a in self)

    def __add__(self, other):
        return self.with_other(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self.with_other(other, lambda a, b: a - b)

    def __mul__(self, other):
        return self.with_other(other, lambda a, b: a * b)

    def __truediv__(self, other):
        return self.with_other(other, lambda a, b: a / b)

    def __pow__(self, power):
        return self.each(lambda a: a**power)

    def __neg__(self):
        return self.each(lambda a: -a)

    def __abs__(self):
        return self.each(abs)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other):
        return -self + other


class Table:
    """Columns of one length, by name."""

    def __init__(self, columns):
        self.__dict__.update({name: Column(values) for name, values in columns.items()})

    def __len__(self):
        return max((len(column) for column in vars(self).values()), default=0)

    def where(self, keep):
        """The rows that keep(row) chooses; a row has the columns as attributes."""
        rows = [row for row in self.rows() if keep(row)]
        return Table({name: [getattr(row, name) for row in rows] for name in vars(self)})

    def rows(self):
        names = list(vars(self))
        for values in zip(*vars(self).values()):
            yield Row(names, values)

    def after(self, time):
        return self.where(lambda row: row.time >= time)

    def before(self, time):
        return self.where(lambda row: row.time <= time)

    def at(self, time):
        """The row nearest to a time."""
        return min(self.rows(), key=lambda row: abs(row.time - time))


class Row:
    def __init__(self, names, values):
        self.__dict__.update(zip(names, values))


class Run:
    """What one run left behind."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.summary = json.loads((self.folder / "summary.json").read_text(encoding="utf-8"))

    def series(self):
        return self.table(self.folder / "series.csv")

    def probe(self, name):
        return self.table(self.folder / "probes" / f"{name}.csv")

    def probes(self):
        return {path.stem: self.table(path) for path in sorted(self.folder.glob("probes/*.csv"))}

    def bodies(self, time=None):
        """Moving bodies of the frame nearest to a time, or of the last one: id, radius, x, y, z, vx, vy, vz."""
        arrays = self.frame("bodies", time)
        x, y, z = spread(arrays["Points"], 3)
        vx, vy, vz = spread(arrays["velocity"], 3)
        return Table({"id": arrays["id"], "radius": arrays["radius"], "x": x, "y": y, "z": z, "vx": vx, "vy": vy, "vz": vz})

    def contacts(self, time=None):
        """Contacts of a frame, as lines: normal_force, gap, and the height z of the lower end."""
        arrays = self.frame("contacts", time)
        heights = spread(arrays["Points"], 3)[2]
        low = [min(pair) for pair in zip(heights[0::2], heights[1::2])]
        return Table({"normal_force": arrays["normal_force"], "gap": arrays["gap"], "z": low})

    def frame(self, part, time):
        """The arrays of one part of the frame nearest to a time."""
        (index,) = self.folder.glob("frames/*.pvd")
        found = re.findall(rf'timestep="([^"]*)"[^>]*file="({part}-\d+\.vtp)"', index.read_text(encoding="ascii"))
        when = float(found[-1][0]) if time is None else time
        return vtp_arrays(index.parent / min(found, key=lambda item: abs(float(item[0]) - when))[1])

    @staticmethod
    def table(path):
        with open(path, encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        # Texts (why a solve stopped) stay as they are.
        return Table({name: [number(row[i]) for row in rows] for i, name in enumerate(header)})


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def spread(values, count):
    return [values[i::count] for i in range(count)]


TYPES = {"Float32": "f", "Float64": "d", "UInt8": "B", "UInt16": "H", "Int32": "i", "UInt64": "Q"}


def vtp_arrays(path):
    """All arrays of a VTK XML file with inline zlib blocks, by name (see "frames/" in docs/files.md)."""
    text = path.read_text(encoding="ascii")
    pattern = r'<DataArray type="(\w+)" Name="(\w+)"[^>]*>\s*([A-Za-z0-9+/=]*)\s*</DataArray>'
    return {name: unpacked(TYPES[kind], data) for kind, name, data in re.findall(pattern, text)}


def unpacked(code, text):
    """A head of 64-bit numbers (blocks, size, last size, packed size of each block), then the blocks."""
    values = array.array(code)
    blocks = int.from_bytes(base64.b64decode(text[:12])[:8], "little") if text else 0
    if not blocks:
        return values
    head = 4 * -(-8 * (3 + blocks) // 3)  # characters of the head, which is padded on its own
    sizes = array.array("Q", base64.b64decode(text[:head]))[3:]
    packed, at = base64.b64decode(text[head:]), 0
    for size in sizes:
        values.frombytes(zlib.decompress(packed[at : at + size]))
        at += size
    return values
