// The page: puts the parts together, runs the clock, and answers to keys and clicks.
import { Chart } from "./chart.js";
import { closingRows } from "./closing.js";
import { readFilm } from "./film.js";
import { Stage } from "./stage.js";
import style from "./style.css";

const COLORS = ["speed", "spin", "material", "body", "height"];

const icon = (path) => `<svg viewBox="0 0 16 16" width="14" height="14" fill="currentColor" aria-hidden="true"><path d="${path}"/></svg>`;
const ICONS = {
  play: icon("M3 1.5 14 8 3 14.5z"),
  pause: icon("M3 2h3.6v12H3zM9.4 2H13v12H9.4z"),
  home: icon("M8 1.5 1.5 7.4l1 1.1L3 8.1V14h3.7v-3.6h2.6V14H13V8.1l.5.4 1-1.1z"),
};

document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
document.body.insertAdjacentHTML("beforeend", `
<canvas id="stage" tabindex="0"></canvas>
<div id="note">reading the run ...</div>
<div id="title" class="panel" hidden><b></b><br><span></span></div>
<div id="side" class="panel" hidden>
  <label>colour <select id="color"></select></label>
  <div id="legend"></div>
  <div id="plots"><label>plot <select id="quantity"></select></label></div>
  <details id="closing" hidden><summary>closing table</summary><table></table></details>
</div>
<div id="bar" class="panel" hidden>
  <button id="play" title="play or pause: space" aria-label="play">${ICONS.play}</button>
  <input id="scrub" type="range" min="0" step="any" value="0">
  <span id="time"></span>
  <select id="rate" title="speed of play"></select>
  <button id="home" title="back to the first view" aria-label="first view">${ICONS.home}</button>
</div>`);

const find = (id) => document.getElementById(id);
const note = (text) => { find("note").textContent = text; };

class Page {
  constructor(scene, turned) {
    this.scene = scene;
    this.frames = [];
    this.at = 0; // in frames
    this.playing = false;
    this.stale = true; // the picture is
    this.stage = new Stage(find("stage"), scene, turned);
    this.chart = new Chart(find("plots"), scene.tables, (time) => this.seek(this.frameAt(time)));
    this.fillPanels();
    this.listen();
    this.recolor(COLORS.includes(scene.color) ? scene.color : "speed");
    for (const id of ["title", "side", "bar"]) find(id).hidden = false;
  }

  // ------------------------------------------------------------------------------------------------------ panels

  fillPanels() {
    const { scene } = this, moving = scene.ids.filter((_, i) => !scene.fixed[i]).length;
    document.querySelector("#title b").textContent = scene.name;
    document.querySelector("#title span").textContent = `${moving.toLocaleString("en")} bodies, ${scene.times.length.toLocaleString("en")} frames`;
    find("color").append(...COLORS.map((name) => new Option(name, name)));
    find("rate").append(...[0.1, 0.25, 0.5, 1, 2, 5].map((rate) => new Option(`${rate} x`, rate, false, rate === 1)));
    find("scrub").max = Math.max(scene.times.length - 1, 0);
    this.quantities = Chart.quantities(scene.tables);
    find("quantity").append(...this.quantities.map(({ name }, i) => new Option(name, i)));
    const first = Math.max(this.quantities.findIndex(({ name }) => name === "kinetic"), 0);
    find("plots").hidden = this.quantities.length === 0;
    if (this.quantities.length > 0) {
      find("quantity").value = first;
      this.chart.plot(this.quantities[first]);
    }
    if (scene.summary) {
      find("closing").hidden = false;
      for (const [key, value] of closingRows(scene.summary)) {
        const row = document.querySelector("#closing table").insertRow();
        row.insertCell().textContent = key;
        row.insertCell().textContent = value;
      }
    }
  }

  listen() {
    this.stage.controls.addEventListener("change", () => { this.stale = true; });
    window.addEventListener("resize", () => { this.stale = true; });
    find("play").onclick = () => this.play(!this.playing);
    find("home").onclick = () => this.stage.home();
    find("scrub").oninput = () => { this.play(false); this.seek(Number(find("scrub").value)); };
    find("color").onchange = () => this.recolor(find("color").value);
    find("quantity").onchange = () => {
      this.chart.plot(this.quantities[find("quantity").value]);
      this.stale = true;
    };
    window.addEventListener("keydown", (event) => {
      if (event.target.tagName === "SELECT") return;
      const moves = { ArrowRight: Math.floor(this.at + 1.0001), ArrowLeft: Math.ceil(this.at - 1.0001), Home: 0, End: this.frames.length - 1 };
      if (event.key === " ") this.play(!this.playing);
      else if (event.key in moves) { this.play(false); this.seek(moves[event.key]); }
      else return;
      event.preventDefault();
    });
  }

  // ------------------------------------------------------------------------------------------------------ colours

  recolor(mode) {
    const { scene } = this, up = scene.up, axis = (v) => v[0] * up[0] + v[1] * up[1] + v[2] * up[2];
    const low = Math.min(axis(scene.low), axis(scene.high)), high = Math.max(axis(scene.low), axis(scene.high)), base = axis(scene.origin);
    const tellers = {
      speed: (frame, i) => frame.speeds[i] / 255,
      spin: (frame, i) => frame.spins[i] / 255,
      height: (frame, i) => Math.max(0, (base + axis(frame.places.subarray(3 * i, 3 * i + 3)) - low) / (high - low)),
    };
    const paints = {
      material: (i) => scene.kinds[scene.material[i] % scene.kinds.length],
      body: (i) => `hsl(${Math.round((scene.ids[i] * 222.49) % 360)}, 62%, ${48 + ((scene.ids[i] * 7) % 5) * 4}%)`,
    };
    find("color").value = this.color = mode;
    this.tell = tellers[mode] ?? (() => 0);
    this.stage.paint(mode in tellers, paints[mode]);
    this.stale = true;
    this.showLegend(mode, mode === "height" ? [low, high] : [0, scene[mode]]);
  }

  showLegend(mode, [low, high]) {
    const legend = find("legend"), { scene } = this;
    legend.replaceChildren();
    if (mode === "material") {
      const used = new Set(scene.material.filter((_, i) => !scene.fixed[i]));
      for (const kind of used) {
        const key = document.createElement("span");
        key.innerHTML = `<i style="background: ${scene.kinds[kind % scene.kinds.length]}"></i>`;
        key.append(scene.materials[kind] ?? `material ${kind}`);
        legend.append(key);
      }
    } else if (mode !== "body") {
      const scale = document.createElement("span");
      scale.className = "scale";
      scale.style.background = `linear-gradient(to right, ${scene.scale.join(",")})`;
      legend.append(String(Number(low.toPrecision(3))), scale, String(Number(high.toPrecision(3))));
    }
  }

  // ------------------------------------------------------------------------------------------------------ time

  // The place among the frames, with its fraction, of a time; and back.
  frameAt(time) {
    const { times } = this.scene;
    let i = times.findIndex((next) => next > time);
    i = i < 0 ? times.length - 1 : Math.max(i - 1, 0);
    const span = i + 1 < times.length ? times[i + 1] - times[i] : 1;
    return i + Math.min(Math.max((time - times[i]) / span, 0), 1);
  }

  timeAt(at) {
    const { times } = this.scene, i = Math.min(Math.floor(at), times.length - 1), next = Math.min(i + 1, times.length - 1);
    return times[i] + (at - i) * (times[next] - times[i]);
  }

  seek(at) {
    this.at = Math.min(Math.max(at, 0), this.frames.length - 1);
    this.stale = true;
  }

  play(on) {
    if (on && this.at >= this.frames.length - 1) this.at = 0;
    this.playing = on && this.frames.length > 1;
    find("play").innerHTML = this.playing ? ICONS.pause : ICONS.play;
    find("play").setAttribute("aria-label", this.playing ? "pause" : "play");
  }

  // Simulated time runs as the clock does, times the chosen rate. What has not changed is not drawn again.
  tick(now) {
    const passed = Math.min((now - (this.last ?? now)) / 1000, 0.1);
    this.last = now;
    if (this.playing) {
      const { times } = this.scene;
      this.seek(this.frameAt(this.timeAt(this.at) + passed * Number(find("rate").value)));
      if (this.at >= times.length - 1) this.play(false);
    }
    if (this.stale) this.show();
    requestAnimationFrame((next) => this.tick(next));
  }

  show() {
    this.stale = false;
    const canvas = find("stage"), { clientWidth: width, clientHeight: height } = canvas;
    if (width !== this.width || height !== this.height) this.stage.fit(width, height);
    [this.width, this.height] = [width, height];
    this.stage.show(this.frames, this.at, this.tell);
    this.stage.draw();
    const time = this.timeAt(this.at);
    find("scrub").value = this.at;
    find("time").textContent = `t = ${time.toFixed(3)}`;
    this.chart.show(time);
    canvas.dataset.frame = this.at.toFixed(3);
  }
}

async function open() {
  if (typeof DecompressionStream === "undefined") throw new Error("this browser is too old to unpack the run");
  const film = find("film");
  let page;
  const onScene = (scene, turned) => { page = new Page(scene, turned); };
  const onFrame = (frames) => {
    page.frames = frames;
    page.stale = page.stale || page.at > frames.length - 2; // the frame to move towards may be new
    if (frames.length === 1) requestAnimationFrame((now) => page.tick(now));
    note(frames.length < page.scene.times.length ? `frame ${frames.length} of ${page.scene.times.length}` : "");
  };
  await readFilm(film.textContent, onScene, onFrame);
  film.remove(); // the text is not needed any more
  document.body.dataset.ready = "true";
  if (page.frames.length > 1) page.play(true);
}

open().catch((error) => note(`The run cannot be shown: ${error.message}. A browser with WebGL 2 is needed.`));
