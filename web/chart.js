// A plot of one column over time, with a mark at the time that is shown; a click goes there.

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 330, HEIGHT = 150, LEFT = 46, RIGHT = 8, TOP = 8, BOTTOM = 20;

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// Round numbers in a range, about `wanted` of them.
function ticks(low, high, wanted) {
  const rough = (high - low) / wanted, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough * 0.999);
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) found.push(i * step);
  return found;
}

const short = (value) => {
  const size = Math.abs(value);
  return size !== 0 && (size >= 1e5 || size < 1e-3) ? value.toExponential(1) : String(Number(value.toPrecision(4)));
};

export class Chart {
  constructor(holder, tables, onSeek) {
    this.tables = tables;
    this.svg = element("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart" });
    holder.append(this.svg);
    this.svg.addEventListener("pointerdown", (event) => {
      const box = this.svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * WIDTH;
      onSeek(this.low + ((x - LEFT) / (WIDTH - LEFT - RIGHT)) * (this.high - this.low));
    });
  }

  // All that can be plotted, as "table.column", or "column" of the series.
  static quantities(tables) {
    return tables.flatMap(({ name, columns }) =>
      Object.keys(columns).filter((column) => column !== "time" && column !== "step")
        .map((column) => ({ name: name === "series" ? column : `${name}.${column}`, table: name, column })));
  }

  x(time) {
    return LEFT + ((time - this.low) / (this.high - this.low)) * (WIDTH - LEFT - RIGHT);
  }

  plot({ table, column }) {
    const { columns } = this.tables.find(({ name }) => name === table), times = columns.time, values = columns[column];
    const finite = values.filter((value) => value !== null);
    let bottom = Math.min(...finite), top = Math.max(...finite);
    if (!(top > bottom)) [bottom, top] = [bottom - 1, bottom + 1];
    this.low = times[0];
    this.high = times.length > 1 ? times[times.length - 1] : times[0] + 1;
    const y = (value) => HEIGHT - BOTTOM - ((value - bottom) / (top - bottom)) * (HEIGHT - TOP - BOTTOM);
    this.svg.replaceChildren();
    for (const value of ticks(bottom, top, 4)) {
      this.svg.append(element("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: "grid" }));
      this.svg.append(element("text", { x: LEFT - 5, y: y(value) + 3, "text-anchor": "end" }, short(value)));
    }
    for (const time of ticks(this.low, this.high, 5))
      this.svg.append(element("text", { x: this.x(time), y: HEIGHT - 6, "text-anchor": "middle" }, short(time)));
    let path = "", pen = "M";
    values.forEach((value, i) => {
      if (value === null) { pen = "M"; return; }
      path += `${pen}${this.x(times[i]).toFixed(1)} ${y(value).toFixed(1)}`;
      pen = "L";
    });
    this.svg.append(element("path", { d: path, class: "line" }));
    this.mark = element("line", { y1: TOP, y2: HEIGHT - BOTTOM, class: "mark" });
    this.svg.append(this.mark);
  }

  show(time) {
    const x = this.x(Math.min(Math.max(time, this.low), this.high));
    this.mark?.setAttribute("x1", x);
    this.mark?.setAttribute("x2", x);
  }
}
