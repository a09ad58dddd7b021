"""Tables of the published contact problems: how many each algorithm solves, and in how many iterations and milliseconds."""
from book.lines import commits_of
from book.tables import shown, table

SHOWN_TOLERANCE = 1e-8  # to which the tables by problem go


def power(tolerance):
    return f"{tolerance:.0e}".replace("e-0", "e-")


def names_of(lines, key):
    return list(dict.fromkeys(line[key] for line in lines))


def is_solved(line):
    return line["result"] == "solved"


def solved_table(lines):
    algorithms = names_of(lines, "algorithm")
    rows = []
    for friction, tolerance in dict.fromkeys((line["friction"], line["tolerance"]) for line in lines):
        mine = [line for line in lines if (line["friction"], line["tolerance"]) == (friction, tolerance)]
        counts = [sum(is_solved(line) for line in mine if line["algorithm"] == name) for name in algorithms]
        rows.append([f"{friction}, {power(tolerance)}", *map(str, counts)])
    return table(["law, to", *algorithms], rows)


def cell(line):
    if is_solved(line):
        return f"{line['iterations']}, {shown(line['cpu_ms'], 2 if line['cpu_ms'] < 10 else 3)}"
    return f"- ({max(line['residual'], line['fclib_error']):.0e})"


def problem_table(lines):
    algorithms = names_of(lines, "algorithm")
    rows = []
    for problem in names_of(lines, "problem"):
        cells = {line["algorithm"]: cell(line) for line in lines if line["problem"] == problem}
        rows.append([problem.rsplit(".", 1)[0], *(cells.get(name, "") for name in algorithms)])
    return table(["problem", *algorithms], rows)


def problems_tables(lines):
    """All of it, in Markdown."""
    parts = [f"Solved of {len(names_of(lines, 'problem'))}:\n", solved_table(lines)]
    parts.append(f"Iterations and processor milliseconds to {power(SHOWN_TOLERANCE)}; where it was not reached, the larger error that was left:\n")
    for friction in names_of(lines, "friction"):
        mine = [line for line in lines if line["friction"] == friction and line["tolerance"] == SHOWN_TOLERANCE]
        parts += [f"{friction.capitalize()} law\n", problem_table(mine)]
    parts.append(f"Measured at commit: {commits_of(lines)}\n")
    return "\n".join(parts)
