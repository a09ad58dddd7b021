"""Tables in Markdown."""
from book.lines import NO_COMMIT, time_of

SAME_SIZE = 0.05  # by how much a paper's size may differ from ours to stand in the same row


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


def taken(line):
    """How a measurement was taken, and how far it can be trusted: rounds and how far they lay apart; what was repeated
    within one, after how much that was not timed, and by how much the median exceeds the least."""
    parts = []
    if line.get("rounds", 1) > 1:
        parts.append(f"{line['rounds']} rounds +{100 * line['spread']:.0f} %")
    if line.get("repeats", 1) > 1:
        text = f"{line['repeats']:,} {'steps' if 'ms_per_step' in line else 'times'}"
        text += f" after {line['warm_up']:,}" if line.get("warm_up") else ""
        parts.append(text + (f", median +{100 * (line['median_over_least'] - 1):.0f} %" if line.get("median_over_least") else ""))
    return ("; ".join(parts) or "once") + (", **noisy**" if line.get("noisy") else "")


def comparable_time(line):
    """Per simulated time where the line says it: particles take shorter steps."""
    return line.get("cpu_ms_per_10ms") or time_of(line)


def beside_ours(line, lines, keys):
    """What a peer's time and accuracy are, of ours for the same values of the keys; bold where it is better."""
    ours = [other for other in lines if other.get("engine") == "scree" and all(other.get(key) == line.get(key) for key in keys)]
    if line.get("engine") == "scree" or not ours:
        return ""
    words = []
    time, best = comparable_time(line), min(ours, key=comparable_time)
    if time and comparable_time(best):
        ratio = time / comparable_time(best)
        words.append(f"{shown(ratio, 3)} times slower" if ratio >= 1 else f"**{shown(1 / ratio, 3)} times faster**")
    if line.get("penetration_mean") and best.get("penetration_mean"):
        ratio = line["penetration_mean"] / best["penetration_mean"]
        words.append(f"{shown(ratio, 3)} times the penetration" if ratio >= 1 else f"**{shown(ratio, 2)} of the penetration**")
    return ", ".join(words)


def paper_rows_of(lines, key, rows):
    """For each of our lines the paper's row with nearly the same value of the key, and those rows that belong to none."""
    found = [next((row for row in rows if abs(line[key] - row[key]) <= SAME_SIZE * row[key]), {}) for line in lines]
    return found, [row for row in rows if row not in found]


def measured_table(columns, lines, beside=(), paper=None):
    """The columns of the lines, without those that no line fills; how each was measured and at which commit; where asked for, peers beside Scree,
    and the paper's columns beside ours (paper: its key and its rows)."""
    used = [column for column in columns if any(value_at(line, column["key"]) is not None for line in lines)]
    headings = [column["title"] for column in used]
    rows = [[shown(value_at(line, column["key"]), column.get("digits", 4)) for column in used] for line in lines]
    if beside:
        headings.append("beside Scree")
        rows = [row + [beside_ours(line, lines, beside)] for row, line in zip(rows, lines)]
    headings += ["measured", "commit"]
    rows = [row + [taken(line), line.get("commits", NO_COMMIT)] for row, line in zip(rows, lines)]
    if paper:
        key, given = paper
        found, others = paper_rows_of(lines, key, given)
        titles = list(dict.fromkeys(title for row in given for title in row if title != key))
        placed = [(line[key], row + [shown(theirs.get(title)) for title in titles]) for line, row, theirs in zip(lines, rows, found)]
        for theirs in others:
            ours = [shown(theirs[key]) if place < len(used) and used[place]["key"] == key else "" for place in range(len(headings))]
            placed.append((theirs[key], ours + [shown(theirs.get(title)) for title in titles]))
        rows = [row for _, row in sorted(placed, key=lambda pair: pair[0])]
        headings += [f"paper: {title}" for title in titles]
    return table(headings, rows)
