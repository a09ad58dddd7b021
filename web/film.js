// The run's data: lines of base64 of zlib, a frame in each but the last, which is a JSON object with all else.
// view/web_frame.h says how a frame is written.

async function inflate(line) {
  const packed = Uint8Array.from(atob(line), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// What 1 is in orientations: differences of two that are less than half a turn apart then fit into 16 bits.
const UNIT_TURN = 23169;

const unfold = (value) => (value & 1 ? -((value + 1) / 2) : value / 2);

// Value i of a block of `count` values whose bytes are apart, lowest first.
function valueAt(bytes, start, count, i, width) {
  let value = 0;
  for (let k = width - 1; k >= 0; k--) value = value * 256 + bytes[start + k * count + i];
  return unfold(value);
}

// Frames become arrays by body, one after the other, since each builds on the two before.
class FrameReader {
  constructor(scene) {
    this.scene = scene;
    this.count = scene.streamed;
    this.turned = [...Array(this.count).keys()].filter((i) => scene.turned[i]);
    this.last = new Int32Array(3 * this.count);
    this.before = new Int32Array(3 * this.count);
    this.turns = new Int16Array(4 * this.count);
    this.frames = 0;
  }

  readPlaces(bytes, places) {
    const { count, last, before } = this;
    for (let at = 0; at < 3 * count; at++) {
      const expected = this.frames < 2 ? last[at] : 2 * last[at] - before[at];
      const place = expected + valueAt(bytes, 0, 3 * count, at, 4);
      before[at] = last[at];
      last[at] = place;
      places[3 * (at % count) + Math.floor(at / count)] = place * this.scene.quantum;
    }
  }

  readTurns(bytes, turns) {
    const size = this.turned.length;
    this.turned.forEach((body, index) => {
      for (let k = 0; k < 4; k++) {
        this.turns[4 * body + k] += valueAt(bytes, 12 * this.count, 4 * size, k * size + index, 2);
        turns[4 * index + k] = this.turns[4 * body + k] / UNIT_TURN;
      }
    });
  }

  // Places are relative to scene.origin; turns are w, x, y, z of the bodies listed in `turned`; speeds and spins are
  // parts of 255 of the tops of their scales.
  read(bytes) {
    const frame = { places: new Float32Array(3 * this.count), turns: new Float32Array(4 * this.turned.length) };
    this.readPlaces(bytes, frame.places);
    this.readTurns(bytes, frame.turns);
    const start = 12 * this.count + 8 * this.turned.length;
    frame.speeds = bytes.slice(start, start + this.count);
    frame.spins = bytes.slice(start + this.count, start + 2 * this.count);
    this.frames++;
    return frame;
  }
}

// Calls `onScene` once and `onFrame` after each frame, so that the page can show what is there while the rest is read.
export async function readFilm(text, onScene, onFrame) {
  const lines = text.trim().split("\n");
  const scene = JSON.parse(new TextDecoder().decode(await inflate(lines.pop())));
  const reader = new FrameReader(scene);
  const frames = [];
  onScene(scene, reader.turned);
  for (const line of lines) {
    frames.push(reader.read(await inflate(line)));
    onFrame(frames);
  }
  return frames;
}
