"""Charts as SVG: points and lines over linear or logarithmic axes, one colour per series."""
import html
import math

WIDTH, HEIGHT = 560, 360
LEFT, RIGHT, TOP, BOTTOM = 70, 150, 34, 48
COLOURS = ("#1f6fb4", "#d9652b", "#2e8b57", "#8855aa", "#777777", "#b8860b", "#c03060", "#208080")


class Axis:
    """One direction: from values to places on the picture."""

    def __init__(self, values, logarithmic, start, end):
        self.logarithmic, self.start, self.end = logarithmic, start, end
        low, high = min(values), max(values)
        if logarithmic:
            self.low, self.high = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
            if self.low == self.high:
                self.high += 1
            self.ticks = [10.0**power for power in range(self.low, self.high + 1)]
        else:
            step = nice_step(max(high, 0) - min(low, 0))
            self.low, self.high = step * math.floor(min(low, 0) / step), step * math.ceil(max(high, 0) / step)
            self.ticks = [self.low + step * i for i in range(round((self.high - self.low) / step) + 1)]

    def place(self, value):
        at = math.log10(value) if self.logarithmic else value
        return self.start + (self.end - self.start) * (at - self.low) / (self.high - self.low)


def nice_step(span):
    """1, 2 or 5 times a power of ten, for four to ten steps over the span."""
    if span <= 0:
        return 1.0
    power = 10 ** math.floor(math.log10(span))
    return next(power * part for part in (0.1, 0.2, 0.5, 1) if span / (power * part) <= 10)


def number(value):
    if value == 0:
        return "0"
    power = math.log10(abs(value))
    if 4 <= power < 15 or power < -3:
        exponent = math.floor(power + 1e-9)
        factor = value / 10**exponent
        return (f"{factor:.3g}·" if abs(factor - 1) > 1e-6 else "") + f"10{superscript(exponent)}"
    return f"{value:,.6g}"


def superscript(exponent):
    return str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def text(x, y, words, anchor="middle", turn=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{turn}>{html.escape(words)}</text>'


def chart(title, x_title, y_title, series, log_x=False, log_y=False):
    """series: {name: [(x, y), ...]}; points that a logarithmic axis cannot show are left out."""
    kept = {name: sorted(p for p in points if (p[0] > 0 or not log_x) and (p[1] > 0 or not log_y)) for name, points in series.items()}
    kept = {name: points for name, points in kept.items() if points}
    if not kept:
        raise ValueError(f"{title}: nothing to draw")
    across = Axis([x for points in kept.values() for x, _ in points], log_x, LEFT, WIDTH - RIGHT)
    up = Axis([y for points in kept.values() for _, y in points], log_y, HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        text((LEFT + WIDTH - RIGHT) / 2, 20, title),
        text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_title),
        text(16, (TOP + HEIGHT - BOTTOM) / 2, y_title, turn=f' transform="rotate(-90 16 {(TOP + HEIGHT - BOTTOM) / 2:.1f})"'),
    ]
    for tick in across.ticks:
        x = across.place(tick)
        parts.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#e4e4e4"/>')
        parts.append(text(x, HEIGHT - BOTTOM + 16, number(tick)))
    for tick in up.ticks:
        y = up.place(tick)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#e4e4e4"/>')
        parts.append(text(LEFT - 6, y + 4, number(tick), "end"))
    for i, (name, points) in enumerate(kept.items()):
        colour = COLOURS[i % len(COLOURS)]
        places = [(across.place(x), up.place(y)) for x, y in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        y = TOP + 10 + 18 * i
        parts.append(f'<circle cx="{WIDTH - RIGHT + 14}" cy="{y - 4}" r="4" fill="{colour}"/>')
        parts.append(text(WIDTH - RIGHT + 24, y, name, "start"))
    return "\n".join(parts + ["</svg>"]) + "\n"
