"""The figures that Scree set out to reach, each with what was measured: reached, or not.

A figure is looked up in the lines, so that it cannot say anything that was not measured. Ratios are formed within one run.
"""
from book.growth import power_law
from book.lines import NO_COMMIT, commits_of
from book.tables import shown, table


class Figure:
    """`find` gives the measured value from a book, and the lines that it comes from."""

    def __init__(self, what, asked, find, at_most=False):
        self.what, self.asked, self.find, self.at_most = what, asked, find, at_most

    def row(self, book):
        asked = f"{'≤' if self.at_most else '≥'} {shown(self.asked)}"
        try:
            value, lines = self.find(book)
        except LookupError:
            return [self.what, asked, "", "not measured", ""]
        reached = value <= self.asked if self.at_most else value >= self.asked
        noisy = ", noisy" if any(line.get("noisy") for line in lines) else ""
        return [self.what, asked, shown(value, 3), ("reached" if reached else "**not reached**") + noisy, commits_of(lines)]


def times_faster(bench, ours, theirs, key="cpu_ms_per_step", peer_bench=None):
    """How often our time fits into a peer's."""

    def find(book):
        our, their = book.one(bench, engine="scree", **ours), book.one(peer_bench or bench, **theirs)
        return their[key] / our[key], [our, their]

    return find


def of_peer(bench, ours, theirs, key):
    """Our value as a part of a peer's."""

    def find(book):
        our, their = book.one(bench, engine="scree", **ours), book.one(bench, **theirs)
        return our[key] / their[key], [our, their]

    return find


def value(bench, key, **wanted):
    def find(book):
        line = book.one(bench, **wanted)
        return line[key], [line]

    return find


def largest(bench, key, **wanted):
    def find(book):
        lines = book.all(bench, **wanted)
        if not lines:
            raise LookupError(bench)
        return max(line[key] for line in lines), lines

    return find


def between(bench, key, over, under):
    """One line's value over another's."""

    def find(book):
        above, below = book.one(bench, **over), book.one(bench, **under)
        return above[key] / below[key], [above, below]

    return find


def cubes_over_thesis(cubes, frames_per_second):
    """Steps per second of the particle cubes over the frames per second of Table 7.2 on a processor."""

    def find(book):
        line = book.one("particle-cubes", engine="scree", bodies=cubes, threads=1)
        return 1000 / line["cpu_ms_per_step"] / frames_per_second, [line]

    return find


def real_time_cubes(book):
    """The most cubes of 27 particles whose steps of 0.01 s take at most 0.01 s."""
    lines = [line for line in book.all("particle-cubes", engine="scree", threads=1) if line["cpu_ms_per_step"] <= 10]
    if not lines:
        raise LookupError("particle-cubes")
    best = max(lines, key=lambda line: line["bodies"])
    return best["bodies"], [best]


def residual_gain(book):
    jacobi, ours = (book.one("residual", algorithm=name) for name in ("jacobi", "apgs"))
    return jacobi["cpu_s"] / ours["cpu_s"], [jacobi, ours]


def exponent(bench, key, **wanted):
    def find(book):
        lines = book.all(bench, **wanted)
        if len({line["bodies"] for line in lines}) < 2:
            raise LookupError(bench)
        return power_law([(line["bodies"], line[key]) for line in lines])[0], lines

    return find


def two_threads(bench, **wanted):
    def find(book):
        one, two = book.one(bench, threads=1, **wanted), book.one(bench, threads=2, **wanted)
        return one["wall_s"] / two["wall_s"], [one, two]

    return find


def sparse_gain(book):
    """OpM alone over ChM first, where bounds are as wide as the paper's bins."""
    lines = book.all("ellipsoids", **ELLIPSOIDS, slack=50)
    methods = {line["method"]: line for line in lines}
    if not {"opm", "chm+opm"} <= set(methods):
        raise LookupError("ellipsoids")
    return methods["opm"]["narrow_s"] / methods["chm+opm"]["narrow_s"], lines


def boxes_gain(book):
    """Our wall time on two cores within that of Bullet, which detects on one."""
    ours, theirs = book.one("boxes", engine="scree", threads=2), book.one("boxes", engine="bullet")
    return theirs["cpu_ms"] / ours["wall_ms"], [ours, theirs]


def all_stand(ratio_at_least):
    """The share of stacks at and above a mass ratio that stood."""

    def find(book):
        lines = [line for line in book.all("stack", engine="scree") if line["ratio"] >= ratio_at_least]
        if not lines:
            raise LookupError("stack")
        return sum(bool(line["stands"]) for line in lines) / len(lines), lines

    return find


def off_brute_force(book):
    """The largest difference of a count of contacts to that of trying all pairs."""
    lines = [line for bench in ("detect", "ellipsoids", "ellipsoid-counts") for line in book.all(bench) if line.get("brute_force") is not None]
    if not lines:
        raise LookupError("brute_force")
    return max(abs(line["contacts"] - line["brute_force"]) for line in lines), lines


def problems_solved(tolerance, friction):
    """The share of the published problems that `auto` solves."""

    def find(book):
        lines = book.all("profile", algorithm="auto", tolerance=tolerance, friction=friction)
        if not lines:
            raise LookupError("profile")
        return sum(line["result"] == "solved" for line in lines) / len(lines), lines

    return find


def physics(name):
    """The share of the checked figures of a physics scene that were right."""

    def find(book):
        lines = book.all("physics", scene=name)
        if not lines:
            raise LookupError(name)
        return sum(bool(line["right"]) for line in lines) / len(lines), lines

    return find


BULLET_10 = {"engine": "bullet", "bodies": 16000, "iterations": 10}
ELLIPSOIDS = {"bodies": 131072, "axes": 1, "order": "random"}
PILE = {"bodies": 16000, "threads": 1, "iterations": 50}
QUICK_PILE = {"engine": "scree", "bodies": 16000, "threads": 2, "iterations": 16}


def figures():
    made = [
        Figure("pile of 16,000: times faster than Bullet with 10 iterations, one thread", 4, times_faster("pile", PILE, BULLET_10)),
        Figure("the same: mean penetration, of Bullet's", 0.1, of_peer("pile", PILE, BULLET_10, "penetration_mean"), True),
        Figure("the same: mean penetration (Chrono::Multicore: 0.0007)", 0.0007, value("pile", "penetration_mean", engine="scree", **PILE), True),
        Figure("the same with 16 iterations on two threads: ms per step, a quarter of Box3D's 63 (one thread, penetration 0.015)", 15.75, value("pile", "ms_per_step", **QUICK_PILE), True),
        Figure("and a twentieth of Chrono::Multicore's 547 (one thread)", 27.35, value("pile", "ms_per_step", **QUICK_PILE), True),
        Figure("and mean penetration, no more than Chrono's", 0.0007, value("pile", "penetration_mean", **QUICK_PILE), True),
        Figure("pile of 16,000: bytes per sphere", 600, value("pile", "bytes_per_body", engine="scree", **PILE), True),
        Figure("pile of 16,000 on two threads: times one", 1.85, between("pile", "ms_min", {**PILE, "engine": "scree"}, {**PILE, "engine": "scree", "threads": 2})),
        Figure("pile of 64,000: time per body, of that of 16,000", 1.15, value("growth", "time_ratio", bodies=64000), True),
        Figure("pile of 256,000: time per body, of that of 16,000", 1.15, value("growth", "time_ratio", bodies=256000), True),
        Figure("half a tracked vehicle on 7,000 grains: CPU ms per step", 120, value("track-on-grains", "cpu_ms_per_step", threads=1), True),
        Figure("the same: worst residual", 0.01, value("track-on-grains", "residual_max", threads=1), True),
        Figure("half a tracked vehicle on a plane: CPU ms per step", 10, value("track", "cpu_ms_per_step", threads=1), True),
        Figure("a slab of 10⁶ grains on 10,000: CPU ms per step, a third of 45 s in all", 47, value("scene", "cpu_ms_per_step", scene="slab-on-grains"), True),
        Figure("residual 1e-3 on 150,000 contacts: times faster than Jacobi", 20, residual_gain),
        Figure("bytes per contact and iteration", 150, largest("bandwidth", "bytes_per_contact"), True),
        Figure("copying over sweeping, bytes per second", 2, largest("bandwidth", "copy_over_sweep", threads=1), True),
        Figure("towers of 10, 20 and 50 cubes and mass ratios to 10⁶: share that stands", 1, all_stand(1)),
        Figure("published contact problems: share that `auto` solves to 1e-4, convex law", 1, problems_solved(1e-4, "convex")),
        Figure("the same, exact law", 1, problems_solved(1e-4, "exact")),
        Figure("a million spheres: peak memory, MB", 4000, largest("million", "memory_mb"), True),
    ]
    return made + particle_figures() + detection_figures() + seeing_figures() + physics_figures()


def particle_figures():
    thesis = {100: 153.2, 500: 56.0, 1000: 29.1, 3000: 9.2}  # frames per second on a processor, Table 7.2
    made = []
    for cubes in thesis:
        ours, theirs = {"bodies": cubes, "threads": 1}, {"engine": "bullet", "bodies": cubes}
        made.append(Figure(f"{cubes:,} cubes of particles: times faster than Bullet's boxes", 5, times_faster("particle-cubes", ours, theirs, peer_bench="cubes")))
        made.append(Figure(f"{cubes:,} cubes of particles: steps per second over Table 7.2", 20, cubes_over_thesis(cubes, thesis[cubes])))
    return made + [
        Figure("cubes of particles in real time (the thesis: 300, and 3,300 on a graphics card)", 3300, real_time_cubes),
        Figure("particles: steps per second over those of LAMMPS", 1, times_faster("particles", {"bodies": 16000, "threads": 1}, {"engine": "lammps", "bodies": 16000})),
        Figure("gas of 1,000 to 1,000,000: exponent of time", 1.05, lambda book: (exponent("gas", "cpu_us_per_sphere")(book)[0] + 1, book.all("gas")), True),
        Figure("well of 500,000: bodies lost", 0, largest("well", "lost"), True),
    ]


def detection_figures():
    made = []
    for spheres in (131072, 1048576):
        for scene, asked in (("random", 200), ("moved", 100)):
            ours = {"experiment": "negrut-fig-24", "scene": scene, "bodies": spheres, "threads": 1}
            made.append(Figure(f"{spheres:,} random spheres, {scene}: times faster than Bullet", asked, times_faster("detect", ours, {"engine": "bullet", **ours}, "cpu_s")))
    dense = {"scene": "shuffled", "threads": 1, "engine": "scree"}
    return made + [
        Figure("random spheres and ellipsoids: contacts more or less than by brute force", 0, off_brute_force, True),
        Figure("a dense million in random order: contacts per second and core", 25e6, value("detect", "contacts_per_cpu_s", bodies=1000000, **dense)),
        Figure("time per sphere at 10⁷, of that at 10⁴", 1.5, between("detect", "ns_per_sphere", {**dense, "bodies": 10000000}, {**dense, "bodies": 10000}), True),
        Figure("a dense million on two threads: times one", 1.7, two_threads("detect", experiment="detect-dense", scene="dense", bodies=1000000)),
        Figure("1.6 billion contacts: wall seconds", 180, largest("stream", "wall_s", scene="dense", bodies=541343375), True),
        Figure("1.6 billion contacts: peak MB", 16000, largest("stream", "memory_mb", scene="dense", bodies=541343375), True),
        Figure("sizes 1000 : 1: time per sphere, of that of equal ones", 2, between("detect", "ns_per_sphere", {"scene": "ratio"}, {"scene": "uniform"}), True),
        Figure("ellipsoids: time per contact, of that of spheres", 6, value("ellipsoids", "over_spheres_per_contact", method="chm+opm", **ELLIPSOIDS, slack=0), True),
        Figure("ellipsoids, sparse: times faster with ChM first", 1.5, sparse_gain),
        Figure("20,000 cubes: times faster than Bullet, two cores", 5, boxes_gain),
    ]


def seeing_figures():
    return [
        Figure("100,000 spheres at 1280 x 720: wall seconds a frame", 0.5, value("render", "frame_s", bodies=100000), True),
        Figure("1,000,000 spheres at 1920 x 1080: wall seconds a frame", 10, value("render", "frame_s", bodies=1000000), True),
        Figure("web page of 16,000 grains, 200 frames: MB", 40, largest("web", "megabytes"), True),
        Figure("window when idle: its cost, of the simulation's", 0.05, largest("window", "own_share"), True),
    ]


def physics_figures():
    names = {
        "chain": "40 links with a thousandfold end mass, stretched less than 1 %",
        "heavy-on-light": "heavy on light, 10² to 10⁶",
        "towers": "towers of 10, 20 and 50 for 10 s",
        "slab-on-grains": "10,000 grains under a slab of 10⁶ times a grain's mass",
        "arch": "an arch of 15 stones",
        "card-house": "a card house",
        "incline": "a box on an incline at the friction angle ± 0.2°",
        "double-pendulum": "energy of a double pendulum over 30 s",
        "beverloo": "Beverloo's law from four orifices",
        "janssen": "Janssen's saturation",
        "solid-fraction": "solid fraction, falling with friction",
        "haff": "Haff's cooling law",
        "collapse": "run-out of collapsing columns",
        "repose": "angle of repose, rising with friction",
    }
    return [Figure(f"{title}: share of its figures that are right", 1, physics(name)) for name, title in names.items()]


def figures_table(book):
    return table(["figure", "asked", "measured", "", "commit"], [figure.row(book) for figure in figures()])


# A settled pile of 16,000 spheres: what was measured once elsewhere, as Debian has none of these engines or not with this
# setting: CPU ms per 0.01 s, mean penetration.
ELSEWHERE = [
    ("LAMMPS, Hertz, step 2e-4", 140, 0.0010),
    ("Box3D, 4 substeps", 63, 0.015),
    ("Jolt, 10 + 2 iterations", 94, 0.035),
    ("Chrono::Multicore, BB, 50 iterations", 547, 0.0007),
    ("Chrono, PSOR, 50 iterations", 952, 0.0025),
]
MEASURED_HERE = [
    ("Scree, default (50 iterations)", "pile", {"engine": "scree", **PILE}),
    ("Scree, 16 iterations", "pile", {"engine": "scree", **PILE, "iterations": 16}),
    ("Scree, `penalty`, Hertz, step 6e-4", "particles", {"engine": "scree", "bodies": 16000, "threads": 1}),
    ("Bullet, 10 iterations", "pile", BULLET_10),
    ("Bullet, 50 iterations", "pile", {**BULLET_10, "iterations": 50}),
    ("ODE, quickstep 20", "pile", {"engine": "ode", "bodies": 16000, "iterations": 20}),
    ("LAMMPS, Hertz, step 6e-4", "particles", {"engine": "lammps", "bodies": 16000}),
    ("Yade, Mindlin, step 6e-4", "particles", {"engine": "yade", "bodies": 16000}),
]


def engines_table(book):
    """What docs/compare.md shows of the pile, the fastest first."""
    rows = [(name, cpu, penetration, "once, on such a machine", "") for name, cpu, penetration in ELSEWHERE]
    for name, bench, where in MEASURED_HERE:
        found = book.all(bench, **where)
        if found:
            line = min(found, key=lambda each: each["cpu_ms_per_10ms"])
            rows.append((name, line["cpu_ms_per_10ms"], line["penetration_mean"], "here, [results.md](results.md)", line.get("commit", NO_COMMIT)))
    rows.sort(key=lambda row: row[1])
    return table(["engine and setting", "CPU ms", "mean penetration, of a radius", "measured", "commit"], [[name, shown(cpu, 3), shown(penetration, 2), *where] for name, cpu, penetration, *where in rows])


SUMMARY = [
    # what, ours, theirs, command: keys of the lines and the words around them
    ("pile of 16,000 spheres, one thread: CPU time per step", ("pile", {"engine": "scree", **PILE}, "{cpu_ms_per_step} ms"), ("pile", BULLET_10, "Bullet, 10 iterations: {cpu_ms_per_step} ms"), "scree bench pile"),
    ("the same pile: mean penetration, parts of a radius", ("pile", {"engine": "scree", **PILE}, "{penetration_mean}"), ("pile", BULLET_10, "{penetration_mean}"), "scree bench pile"),
    ("the same on two threads: time per step", ("pile", {"engine": "scree", "bodies": 16000, "threads": 2, "iterations": 50}, "{ms_per_step} ms"), None, "scree bench pile --threads 2"),
    ("time per body and step, 256,000 spheres against 16,000", ("growth", {"bodies": 256000}, "{time_ratio} times"), None, "scree bench growth --steps 120 --last 20"),
    ("memory per sphere in the settled pile", ("pile", {"engine": "scree", **PILE}, "{bytes_per_body} bytes"), None, "scree bench pile"),
    ("16,000 spheres with springs (Hertz, history): CPU time per step", ("particles", {"engine": "scree", "bodies": 16000}, "{cpu_ms_per_step} ms"), ("particles", {"engine": "lammps", "bodies": 16000}, "LAMMPS: {cpu_ms_per_step} ms"), "scree bench particles"),
    ("detection of 1,048,576 random spheres, one thread", ("detect", {"engine": "scree", "scene": "random", "bodies": 1048576, "threads": 1}, "{cpu_s} s"), ("detect", {"engine": "bullet", "scene": "random", "bodies": 1048576}, "Bullet: {cpu_s} s"), "scree bench detect"),
    ("detection in a heap of 20,000 cubes, one thread", ("boxes", {"engine": "scree", "threads": 1}, "{cpu_ms} ms"), ("boxes", {"engine": "bullet"}, "Bullet: {cpu_ms} ms"), "scree bench boxes"),
    ("1.62 billion contacts of 541 million spheres, streamed, two cores", ("stream", {"bodies": 541343375}, "{wall_s} s, {memory_mb} MB"), None, "scree bench detect --stream checksum"),
    ("a million spheres: peak memory, checkpoint and resume included", ("million", {}, "{memory_mb} MB"), None, "scree bench million"),
]


def cell(book, wanted):
    if wanted is None:
        return ""
    bench, where, words = wanted
    try:
        line = book.one(bench, **where)
    except LookupError:
        return ""
    return words.format(**{key: shown(value, 3) for key, value in line.items()})


def cell_commits(book, *wanted):
    """The commits of the lines that the cells of a row come from."""
    return commits_of([book.one(bench, **where) for bench, where, _ in filter(None, wanted) if book.all(bench, **where)])


def summary_table(book):
    """What the README shows: those of the rows that were measured."""
    rows = [[what, cell(book, ours), cell(book, theirs), f"`{command}`", cell_commits(book, ours, theirs)] for what, ours, theirs, command in SUMMARY]
    return table(["", "Scree", "other", "measured with", "commit"], [row for row in rows if row[1]])
