"""Tables in Markdown."""


def shown(value, digits=4):
    """A value as a reader wants it: thousands separated, no more digits than it has meaning."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(shown(number, 2) for number in value.values())
    if not isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, float) and not value.is_integer() and abs(value) < 10 ** max(digits, 3):
        return f"{value:.{digits}g}"
    return f"{value:,.0f}" if abs(value) < 1e15 else f"{value:.{digits}g}"


def value_at(line, path):
    """The value at a key, or at keys within objects: `stages_ms.solve`."""
    for key in path.split("."):
        line = line.get(key) if isinstance(line, dict) else None
    return line


def table(headings, rows):
    made = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    return "\n".join(made + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def noise(line):
    """How far a measurement can be trusted."""
    rounds = line.get("rounds", 1)
    text = "one run" if rounds == 1 else f"{rounds} rounds, +{100 * line['spread']:.0f} %"
    return text + (", **noisy**" if line.get("noisy") else "")


def measured_table(columns, lines):
    """The columns of the lines, without those that no line fills, and how noisy each was."""
    used = [column for column in columns if any(value_at(line, column["key"]) is not None for line in lines)]
    rows = [[shown(value_at(line, column["key"]), column.get("digits", 4)) for column in used] + [noise(line)] for line in lines]
    return table([column["title"] for column in used] + ["least of"], rows)
