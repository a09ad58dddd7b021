"""The JSON lines of measurements: reading, writing, and choosing among rounds.

A folder holds EXPERIMENT.jsonl files. To what a benchmark printed, bench/run adds `experiment`, `command`, `round` and
`part` (which line of that command's output it is), so that the rounds of one measurement are known to be the same.
`commit` is that of the build: a short hash, with "+" where the source differed from it. Lines that were measured before
builds knew their commit have none.
"""
import json
import pathlib
import re

NOISY_SPREAD = 0.2  # of the least time, between the rounds of one measurement, or from the least to the median of its repeats
NOISY_WAIT = 0.1  # of processor time, for which a single thread was kept waiting

COMMIT = re.compile(r"[0-9a-f]{7,40}\+?")
NO_COMMIT = "-"  # how tables show that a line has none

TIME_KEYS = ("cpu_ms_per_step", "cpu_s", "cpu_ms", "cpu_us_per_sphere", "wall_s", "wall_ms", "ns_per_contact")


class BadLines(Exception):
    """A file that holds something else than lines of measurements."""


def read_lines(folder):
    """All lines of a folder, in the order of the files' names and of the lines in them."""
    lines = []
    for path in sorted(pathlib.Path(folder).glob("*.jsonl")):
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                line = json.loads(text)
                line["bench"]
                check_commit(line)
            except (ValueError, TypeError, KeyError) as error:
                raise BadLines(f"{path}:{number}: not a line of a benchmark: {error}") from error
            line.setdefault("experiment", path.stem)
            lines.append(line)
    return lines


def check_commit(line):
    if "commit" in line and not COMMIT.fullmatch(line["commit"]):
        raise ValueError(f"commit {line['commit']!r} is no hash of git, with or without a +")


def commits_of(lines):
    """The commits of some lines, each once, for a cell of a table."""
    return ", ".join(dict.fromkeys(line.get("commit", NO_COMMIT) for line in lines))


def keep_lines(folder, kept, as_rounds):
    """The experiments of a folder take the place of those that are kept, or join them as further rounds."""
    kept.mkdir(exist_ok=True)
    for path in sorted(folder.glob("*.jsonl")):
        place = kept / path.name
        joined = as_rounds and place.exists() and path.stem != "machine"
        before = place.read_text(encoding="utf-8") if joined else ""
        place.write_text(before + path.read_text(encoding="utf-8"), encoding="utf-8")


def time_of(line):
    """Processor time where the benchmark says it, else wall time; None where it measures no time."""
    return next((line[key] for key in TIME_KEYS if isinstance(line.get(key), (int, float))), None)


def is_disturbed(line):
    """Whether a measurement on one thread waited for others who wanted the processor."""
    wall, cpu = line.get("ms_per_step"), line.get("cpu_ms_per_step")
    return line.get("threads") == 1 and bool(wall and cpu) and wall > (1 + NOISY_WAIT) * cpu


def is_uneven(line):
    """Whether repeats of one and the same thing lay far apart. Steps are not the same thing."""
    return "ms_per_step" not in line and (line.get("median_over_least") or 1) > 1 + NOISY_SPREAD


def best_of_rounds(lines, same=()):
    """One line per measurement: the round with the least time, since disturbances only ever add. It gets `rounds`,
    `spread` (of the largest time above the least, as a part of it), `noisy` and `commits` (of all rounds, its own first). Rounds of one measurement are lines of the same
    command and place in its output; where keys are given, lines with the same values of these, in the order of the first."""
    groups = {}
    for number, line in enumerate(lines):
        identity = tuple(line.get(key) for key in same) if same else (line.get("command", number), line.get("part", 0))
        groups.setdefault((line["experiment"], *identity), []).append(line)
    chosen = []
    for rounds in groups.values():
        timed = [line for line in rounds if time_of(line)]
        best = min(timed, key=time_of) if timed else rounds[0]
        spread = max(max(map(time_of, timed)) / time_of(best) - 1 if timed else 0.0, best.get("turns_spread", 0.0))
        noisy = spread > NOISY_SPREAD or is_disturbed(best) or is_uneven(best)
        chosen.append({**best, "rounds": len(rounds) * best.get("turns", 1), "spread": spread, "noisy": noisy, "commits": commits_of([best, *rounds])})
    return sorted(chosen, key=lambda line: line[same[0]]) if same else chosen


class Book:
    """What figures and tables ask for: the best rounds of all measurements."""

    def __init__(self, lines):
        self.machine = next((line for line in lines if line["bench"] == "machine"), {})
        self.rounds = [line for line in lines if line["bench"] != "machine"]
        self.lines = best_of_rounds(self.rounds)

    def of(self, experiment):
        """The lines of an experiment's table."""
        mine = (line for line in self.rounds if line["experiment"] == experiment["from"])
        return best_of_rounds([line for line in mine if all(line.get(key) == value for key, value in experiment["where"].items())], experiment["same"])

    def all(self, bench, **wanted):
        return [line for line in self.lines if line["bench"] == bench and all(line.get(key) == value for key, value in wanted.items())]

    def one(self, bench, **wanted):
        """The line with the least time among those that match; LookupError when there is none."""
        found = self.all(bench, **wanted)
        if not found:
            raise LookupError(f"{bench} with {wanted} was not measured")
        return min(found, key=lambda line: time_of(line) or 0)
