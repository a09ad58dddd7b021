"""The experiments of the book, chapter by chapter, as bench/book/chapters/*.json tells them.

A chapter is { "title": ..., "experiments": [...] }, an experiment:

    id            its name: of its file of lines, and of its table in docs/results.md
    title         a sentence
    quick, full   commands: what `make bench` runs, and what `make bench-full` runs besides. The first word is `scree` or a
                  peer of bench/peers; {cores} stands for the number of cores, {file} for a temporary file that the
                  commands of one experiment share, {problems} for the folder that SCREE_FCLIB_DIR names, {chart} for the
                  picture ID.png
    from, where   instead of commands: of the lines of that experiment, those with these values; `where` alone: of its own
    rounds        how often the quick commands are run, in turns (default 1)
    same          keys that tell measurements apart where several commands make the same one (default: command and line); the
                  table is sorted by the first
    beside        keys in which a peer's line must agree with ours to be compared with it in a column of its own
    columns       of its table: keys of the lines, or { "key", "title", "digits" }
    paper         where the experiment comes from, if it does; paper_machine: on what
    paper_rows    what it says there: rows of { key or title of a column: value }
    paper_key     the heading of paper_rows, and key of our lines, whose values tell which row is whose: the paper's columns
                  then stand beside ours, otherwise below them
    plot          { "title", "x", "y", "x_title", "y_title", "by", "log_x", "log_y" }: keys of the lines (`y` may be several), `by` naming
                  the series; what the paper says under the same titles is drawn beside it
    growth        keys to which an exponent over `bodies` is fitted, e.g. ["cpu_ms_per_step", "stages_ms.solve"]
    note          what a reader should know
    layout        "problems": the tables of bench/book/problems.py in place of a table of columns
"""
import json
import pathlib

CHAPTERS = pathlib.Path(__file__).parent / "chapters"

KEYS = {"id", "title", "quick", "full", "rounds", "same", "beside", "from", "where", "columns", "paper", "paper_machine", "paper_rows", "paper_key", "plot", "growth", "note", "layout"}

TITLES = {
    "engine": "engine",
    "bodies": "bodies",
    "threads": "threads",
    "ms_per_step": "ms/step",
    "ms_min": "least",
    "ms_median": "median",
    "cpu_ms_per_step": "CPU ms/step",
    "cpu_us_per_body": "CPU µs/body/step",
    "penetration_mean": "mean penetration",
    "penetration_max": "max",
    "contacts": "contacts",
    "iterations": "iterations",
    "residual_max": "residual",
    "bytes_per_body": "bytes/body",
    "memory_mb": "peak MB",
    "particle_steps_per_s": "particle steps per CPU s",
    "cpu_s": "CPU s",
    "wall_s": "wall s",
    "scene": "scene",
    "time_ratio": "to the smallest",
}


class BadChapter(Exception):
    """A chapter that says something the book does not understand."""


def column_of(given):
    """A column is a key that has a title here, or says its own."""
    return {"key": given, "title": TITLES.get(given, given.replace("_", " "))} if isinstance(given, str) else given


def read_experiment(given, path):
    unknown = set(given) - KEYS
    if unknown or "id" not in given or "title" not in given:
        raise BadChapter(f"{path}: {given.get('id', 'an experiment without id')}: keys {sorted(unknown) or 'id and title are needed'}; known are {sorted(KEYS)}")
    made = {"quick": [], "full": [], "rounds": 1, "from": given["id"], "where": {}, "same": [], "beside": [], "columns": [], "paper_rows": [], "paper_key": None, "plot": None, "layout": "", **given}
    made["columns"] = [column_of(column) for column in made["columns"]]
    return made


def read_chapters(folder=CHAPTERS):
    """[(title, [experiment, ...]), ...] in the order of the files' names."""
    chapters, seen = [], set()
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        chapter = json.loads(path.read_text(encoding="utf-8"))
        experiments = [read_experiment(given, path) for given in chapter["experiments"]]
        for experiment in experiments:
            if experiment["id"] in seen:
                raise BadChapter(f"{path}: {experiment['id']} is there twice")
            seen.add(experiment["id"])
        chapters.append((chapter["title"], experiments))
    return chapters
