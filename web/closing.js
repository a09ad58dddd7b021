// The closing table of a run, from its summary.json.

const count = (value) => Math.round(value).toLocaleString("en");
const figure = (value) => (value === null ? "-" : Number(value.toPrecision(4)).toString());
const small = (value) => (value === null ? "-" : value.toExponential(2));

function duration(seconds) {
  const whole = Math.round(seconds), two = (value) => String(value).padStart(2, "0");
  if (seconds < 60) return `${figure(seconds)} s`;
  return whole < 3600 ? `${Math.floor(whole / 60)}:${two(whole % 60)}` : `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

export function closingRows(s) {
  return [
    ["method", `${s.method}, ${s.solver.algorithm}`],
    ["bodies", count(s.bodies)],
    ["contacts", `${count(s.contacts.final)} at the end (${count(s.touching)} touching), ${count(s.contacts.mean)} mean, ${count(s.contacts.max)} most`],
    ["simulated", `${figure(s.time)} s in ${count(s.steps)} steps`],
    ["wall time", `${duration(s.wall_s)}, ${figure(s.ms_per_step)} ms per step`],
    ["stages", Object.entries(s.stages_ms).map(([name, ms]) => `${name} ${figure(ms)}`).join(", ") + " ms"],
    ["solver", `${s.solver.iterations_mean?.toFixed(1) ?? "-"} iterations mean; residual ${small(s.solver.residual_mean)} mean, ${small(s.solver.residual_max)} worst`],
    ["penetration", `${small(s.penetration.mean)} mean, ${small(s.penetration.max)} worst, of the smaller radius`],
    ["energy", `kinetic ${figure(s.energy.kinetic)}, potential ${figure(s.energy.potential)}`],
    ["momentum", s.momentum.map(figure).join(", ")],
    ["machine", `${count(s.threads)} threads, ${s.backend}, ${count(s.memory_mb)} MB at most`],
    ["state", s.state_hash],
  ];
}
