// The stage: bodies in three dimensions, at any time between two frames.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, Color, ConeGeometry, CustomBlending, CylinderGeometry, DataTexture, DepthTexture, DoubleSide,
  FloatType, GLSL3, InstancedBufferAttribute, InstancedBufferGeometry, LessEqualCompare, LinearFilter, Matrix4, Mesh,
  NearestFilter, OneFactor, OrthographicCamera, PerspectiveCamera, Plane, PlaneGeometry, Quaternion, RawShaderMaterial, RGBAFormat, Scene,
  SphereGeometry, UnsignedByteType, Vector3, WebGLRenderer, WebGLRenderTarget, ZeroFactor,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import * as shaders from "./shaders.js";

const TABLE_WIDTH = 512;
const SHADOW_SIZE = 2048;
const WALL = "#c2c8cf";
const MOVED = "#8f99a5";

// A material whose alpha says how many samples of a pixel it takes; the canvas itself stays opaque.
const COVERED = {
  alphaToCoverage: true, blending: CustomBlending, blendSrc: OneFactor, blendDst: ZeroFactor, blendSrcAlpha: ZeroFactor, blendDstAlpha: OneFactor,
};

// A texture with one texel per body.
function makeTable(bodies, type, Values) {
  const height = Math.max(1, Math.ceil(bodies / TABLE_WIDTH));
  const table = new DataTexture(new Values(4 * TABLE_WIDTH * height), TABLE_WIDTH, height, RGBAFormat, type);
  table.minFilter = table.magFilter = NearestFilter;
  table.needsUpdate = true;
  return table;
}

function instanced(geometry, count, attributes) {
  const made = new InstancedBufferGeometry();
  made.index = geometry.index;
  for (const name of Object.keys(geometry.attributes)) made.setAttribute(name, geometry.attributes[name]);
  for (const [name, size, values] of attributes)
    made.setAttribute(name, new InstancedBufferAttribute(new Float32Array(values), size));
  made.instanceCount = count;
  return made;
}

// Shapes of unit size; those about an axis have it along z.
const UNIT_SHAPES = {
  box: () => new BoxGeometry(2, 2, 2),
  ellipsoid: () => new SphereGeometry(1, 32, 20),
  capsule: () => new SphereGeometry(1, 28, 17).rotateX(Math.PI / 2), // an odd number of bands: the middle one is stretched
  cylinder: () => new CylinderGeometry(1, 1, 2, 32).rotateX(Math.PI / 2),
  cone: () => new ConeGeometry(1, 2, 32).rotateX(Math.PI / 2).translate(0, 0, 0.5), // about its centroid
};

function meshGeometry({ points, triangles, smooth }) {
  let geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  geometry.setIndex(triangles);
  if (!smooth) geometry = geometry.toNonIndexed();
  geometry.computeVertexNormals();
  return geometry;
}

export class Stage {
  constructor(canvas, scene, turned) {
    this.info = scene;
    this.turned = turned;
    this.count = scene.ids.length;
    this.origin = new Vector3(...scene.origin);
    this.low = new Vector3(...scene.low).sub(this.origin);
    this.high = new Vector3(...scene.high).sub(this.origin);
    this.up = new Vector3(...scene.up);
    this.size = this.high.distanceTo(this.low);
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.autoClear = false;
    this.renderer.setClearColor(new Color("#dfe7ef"));
    this.makeTables();
    this.makeLight();
    this.solids = new Scene();
    this.glass = new Scene();
    this.makeSpheres();
    this.makeParts();
    this.makePlanes();
    this.makeCamera(canvas);
    this.shown = [-1, -1];
  }

  // ---------------------------------------------------------------------------------------------------------- making

  makeTables() {
    const floats = () => makeTable(this.count, FloatType, Float32Array);
    const scale = new Uint8Array(this.info.scale.flatMap((hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)).concat(255)));
    const scaleTable = new DataTexture(scale, this.info.scale.length, 1, RGBAFormat, UnsignedByteType);
    scaleTable.minFilter = scaleTable.magFilter = LinearFilter;
    scaleTable.needsUpdate = true;
    this.uniforms = {
      placesA: { value: floats() }, placesB: { value: floats() }, turnsA: { value: floats() }, turnsB: { value: floats() },
      paints: { value: makeTable(this.count, UnsignedByteType, Uint8Array) },
      scale: { value: scaleTable }, between: { value: 0 }, scaled: { value: true },
      sun: { value: new Vector3() }, sky: { value: new Vector3() },
      shadowFromView: { value: new Matrix4() }, shadow: { value: null }, shadowTexel: { value: 1 / SHADOW_SIZE },
      grain: { value: this.info.radius },
    };
    const { streamed, poses } = this.info;
    for (const table of [this.uniforms.placesA.value, this.uniforms.placesB.value])
      for (let i = streamed; i < this.count; i++)
        for (let k = 0; k < 3; k++) table.image.data[4 * i + k] = poses[7 * (i - streamed) + k] - this.info.origin[k];
    for (const table of [this.uniforms.turnsA.value, this.uniforms.turnsB.value])
      for (let i = 0; i < this.count; i++) {
        const turn = i < streamed ? [1, 0, 0, 0] : poses.slice(7 * (i - streamed) + 3, 7 * (i - streamed) + 7);
        table.image.data.set([turn[1], turn[2], turn[3], turn[0]], 4 * i);
      }
  }

  // The sun stands over the left shoulder of the first camera; its map of depths covers all bodies.
  makeLight() {
    const back = new Vector3(...this.info.from).sub(new Vector3(...this.info.lookAt)).normalize();
    const side = new Vector3().crossVectors(this.up, back).normalize();
    this.sun = back.clone().multiplyScalar(0.7).addScaledVector(this.up, 1.4).addScaledVector(side, -0.8).normalize();
    const reach = 0.75 * this.size, middle = this.low.clone().add(this.high).multiplyScalar(0.5);
    this.sunCamera = new OrthographicCamera(-reach, reach, reach, -reach, 0.1 * reach, 6 * reach);
    this.sunCamera.up.copy(this.up);
    this.sunCamera.position.copy(middle).addScaledVector(this.sun, 3 * reach);
    this.sunCamera.lookAt(middle);
    this.sunCamera.updateMatrixWorld();
    const depth = new DepthTexture(SHADOW_SIZE, SHADOW_SIZE);
    depth.type = FloatType;
    depth.compareFunction = LessEqualCompare;
    depth.minFilter = depth.magFilter = LinearFilter;
    this.shadowTarget = new WebGLRenderTarget(SHADOW_SIZE, SHADOW_SIZE, { depthTexture: depth });
    this.uniforms.shadow.value = depth;
  }

  // A pair of materials: what the eye sees, and what the sun does, which only asks how far things are.
  add(geometry, vertex, fragment, depthFragment, more = {}) {
    const uniforms = { ...this.uniforms, parallel: { value: false }, opacity: { value: 1 } };
    const material = new RawShaderMaterial({ glslVersion: GLSL3, vertexShader: vertex, fragmentShader: fragment, uniforms, ...more });
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    mesh.userData.seen = material;
    mesh.userData.lit = new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader: vertex, fragmentShader: depthFragment, side: DoubleSide,
      uniforms: { ...uniforms, parallel: { value: true }, shadow: { value: null } },
    });
    this.solids.add(mesh);
    return mesh;
  }

  makeSpheres() {
    const { spheres } = this.info, count = spheres.length / 5;
    if (count === 0) return;
    const quad = new BufferGeometry();
    quad.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
    quad.setIndex([0, 1, 2, 0, 2, 3]);
    const body = [], ball = [];
    for (let i = 0; i < spheres.length; i += 5) {
      body.push(spheres[i]);
      ball.push(...spheres.slice(i + 1, i + 5));
    }
    this.add(instanced(quad, count, [["body", 1, body], ["ball", 4, ball]]),
      shaders.sphereVertex, shaders.sphereFragment, shaders.sphereDepth, { side: DoubleSide, ...COVERED });
  }

  // Boxes that never move are mostly containers: one looks through them.
  makeParts() {
    const groups = new Map();
    for (const part of this.info.parts) {
      const still = part[0] >= this.info.streamed && part[1] === "box";
      const key = `${part[1]} ${still}`;
      if (!groups.has(key)) groups.set(key, { kind: part[1], still, parts: [] });
      groups.get(key).parts.push(part);
    }
    for (const { kind, still, parts } of groups.values()) {
      const shape = typeof kind === "number" ? meshGeometry(this.info.meshes[kind]) : UNIT_SHAPES[kind]();
      const pick = (...which) => parts.flatMap((part) => which.map((i) => part[i]));
      const geometry = instanced(shape, parts.length, [
        ["body", 1, pick(0)], ["place", 3, pick(2, 3, 4)], ["turned", 4, pick(6, 7, 8, 5)], ["size", 4, pick(9, 10, 11, 12)]]);
      const more = still ? { transparent: true, depthWrite: false, side: DoubleSide } : { side: DoubleSide };
      const mesh = this.add(geometry, shaders.meshVertex, shaders.meshFragment, shaders.meshDepth, more);
      if (!still) continue;
      mesh.material.uniforms.opacity.value = 0.16;
      this.solids.remove(mesh);
      this.glass.add(mesh);
    }
  }

  // Ground is drawn as a sheet with a grid; other planes would only be in the way.
  makePlanes() {
    const middle = this.low.clone().add(this.high).multiplyScalar(0.5);
    for (let i = 0; i < this.info.planes.length; i += 5) {
      const normal = new Vector3(...this.info.planes.slice(i + 1, i + 4));
      if (normal.dot(this.up) < 0.5) continue;
      const offset = this.info.planes[i + 4] - normal.dot(this.origin);
      const reach = 2.2 * this.size;
      const uniforms = { ...this.uniforms, reach: { value: reach }, upward: { value: new Vector3() },
        grid: { value: 10 ** Math.round(Math.log10(this.size / 8)) } };
      const sheet = new Mesh(new PlaneGeometry(2 * reach, 2 * reach), new RawShaderMaterial({
        glslVersion: GLSL3, vertexShader: shaders.groundVertex, fragmentShader: shaders.groundFragment, uniforms,
        transparent: true, side: DoubleSide }));
      sheet.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal));
      sheet.position.copy(new Plane(normal, -offset).projectPoint(middle, new Vector3()));
      sheet.userData.normal = normal;
      sheet.renderOrder = -1;
      this.solids.add(sheet);
      this.grounds = [...(this.grounds ?? []), sheet];
    }
  }

  makeCamera(canvas) {
    this.camera = new PerspectiveCamera((this.info.fieldOfView * 180) / Math.PI, 1, this.size / 500, 40 * this.size);
    this.camera.up.copy(this.up);
    this.camera.position.set(...this.info.from).sub(this.origin);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.target.set(...this.info.lookAt).sub(this.origin);
    this.controls.update();
    this.start = [this.camera.position.clone(), this.controls.target.clone()];
  }

  home() {
    this.camera.position.copy(this.start[0]);
    this.controls.target.copy(this.start[1]);
    this.controls.update();
  }

  // --------------------------------------------------------------------------------------------------------- showing

  // `paintOf` gives the colour of a body where the scale does not; bodies that do not move by forces stay grey.
  paint(scaled, paintOf) {
    const data = this.uniforms.paints.value.image.data, color = new Color();
    for (let i = 0; i < this.count; i++) {
      const fixed = this.info.fixed[i];
      color.set(fixed ? (i < this.info.streamed ? MOVED : WALL) : scaled ? "#888888" : paintOf(i));
      const hex = color.getHex();
      data.set([hex >> 16, (hex >> 8) & 255, hex & 255, fixed ? 0 : 255], 4 * i);
    }
    this.uniforms.paints.value.needsUpdate = true;
    this.uniforms.scaled.value = scaled;
    this.shown = [-1, -1];
  }

  // One frame into a pair of tables; `tell` gives what the colour of a streamed body tells, from 0 to 1.
  fill(places, turns, frames, number, tell) {
    const frame = frames[number], { gone, streamed } = this.info, to = places.value.image.data;
    for (let i = 0; i < this.count; i++) {
      if (i < streamed) to.set(frame.places.subarray(3 * i, 3 * i + 3), 4 * i);
      to[4 * i + 3] = gone[i] >= 0 && gone[i] <= number ? -1 : i < streamed ? tell(frame, i) : 0;
    }
    const turned = turns.value.image.data;
    this.turned.forEach((body, k) => {
      const [w, x, y, z] = frame.turns.subarray(4 * k, 4 * k + 4);
      turned.set([x, y, z, w], 4 * body);
    });
    places.value.needsUpdate = turns.value.needsUpdate = true;
  }

  // Tables are filled only where the frame is new: in play, B becomes A.
  show(frames, time, tell) {
    const u = this.uniforms, a = Math.min(Math.floor(time), frames.length - 1), b = Math.min(a + 1, frames.length - 1);
    if (this.shown[1] === a && this.shown[0] !== a) {
      [u.placesA.value, u.placesB.value] = [u.placesB.value, u.placesA.value];
      [u.turnsA.value, u.turnsB.value] = [u.turnsB.value, u.turnsA.value];
      this.shown = [a, -1];
    }
    if (this.shown[0] !== a) this.fill(u.placesA, u.turnsA, frames, a, tell);
    if (this.shown[1] !== b) this.fill(u.placesB, u.turnsB, frames, b, tell);
    this.shown = [a, b];
    u.between.value = time - a;
  }

  fit(width, height) {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  drawShadow() {
    this.solids.children.forEach((mesh) => {
      if (mesh.userData.lit) mesh.material = mesh.userData.lit;
      else mesh.visible = false;
    });
    this.renderer.setRenderTarget(this.shadowTarget);
    this.renderer.clear();
    this.renderer.render(this.solids, this.sunCamera);
    this.renderer.setRenderTarget(null);
    this.solids.children.forEach((mesh) => {
      if (mesh.userData.seen) mesh.material = mesh.userData.seen;
      mesh.visible = true;
    });
  }

  draw() {
    this.drawShadow();
    this.camera.updateMatrixWorld();
    const view = this.camera.matrixWorldInverse, u = this.uniforms;
    u.sun.value.copy(this.sun).transformDirection(view);
    u.sky.value.copy(this.up).transformDirection(view);
    u.shadowFromView.value.copy(this.sunCamera.projectionMatrix).multiply(this.sunCamera.matrixWorldInverse).multiply(this.camera.matrixWorld);
    for (const sheet of this.grounds ?? [])
      sheet.material.uniforms.upward.value.copy(sheet.userData.normal).transformDirection(view);
    this.renderer.clear();
    this.renderer.render(this.solids, this.camera);
    this.renderer.render(this.glass, this.camera);
  }
}
