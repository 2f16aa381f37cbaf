// Reading and storing profiles of other programs: large JSON documents compared with JSON.parse, and very many distinct
// stacks compared with copying their text.
import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { exponent, interleaved, peakMemory } from "./measure.mjs";

const kinds = [
  {
    what: "trace events",
    to: "folded",
    sizes: [10, 30, 100],
    write: traceEvents,
    peer: ["JSON.parse", "JSON.parse(require('fs').readFileSync(file, 'utf8'))"],
  },
  {
    what: "distinct stacks stored as a profile",
    to: "perun",
    sizes: [5, 15, 50],
    write: differentStacks,
    peer: ["copying", "require('fs').copyFileSync(file, file + '.copy')"],
  },
];

/** `convert` of three sizes of each kind, in MB. */
export function profileReads(scratch, emptyNode, command, perfkeep) {
  return kinds.flatMap((kind) => {
    const rows = kind.sizes.map((size) => measure(kind, size, { scratch, emptyNode, command, perfkeep }));
    const growth = exponent(
      kind.sizes,
      rows.map(({ milliseconds, start }) => milliseconds - start),
    );
    return rows.map(({ start, ...row }) => ({ ...row, exponent: growth }));
  });
}

function measure({ what, to, write, peer: [name, script] }, size, { scratch, emptyNode, command, perfkeep }) {
  const data = join(scratch, "profile.txt");
  write(data, size * 1e6);
  const run = command("convert", scratch, perfkeep("convert", data, "--to", to, "-o", join(scratch, "profile.out")));
  const peer = command(name, scratch, [process.execPath, "-e", `const file = ${JSON.stringify(data)}; ${script}`]);
  const [start, other, milliseconds] = interleaved([emptyNode, peer, run], 3);
  const speed = statSync(data).size / 1e3 / milliseconds;
  return {
    what: `${size} MB of ${what} (${speed.toFixed(0)} MB/s)`,
    of: name,
    milliseconds,
    ratio: milliseconds / other,
    peak: peakMemory(run, scratch),
    start,
  };
}

function written(file, size, piece) {
  const out = openSync(file, "w");
  let bytes = 0;
  for (let at = 0; bytes < size;) {
    let text = "";
    for (let i = 0; i < 1000; i++) text += piece(at++);
    bytes += writeSync(out, text);
  }
  return out;
}

/** Slices of eight threads, each with one nested slice. */
function traceEvents(file, size) {
  const event = (name, ph, tid, ts, more) =>
    `{"name":"${name}","cat":"devtools.timeline","ph":"${ph}","pid":4711,"tid":${tid},"ts":${ts}${more},` +
    `"args":{"data":{"id":${ts}}}}`;
  const out = written(file, size, (at) => {
    const ts = 1e6 + at * 50;
    const inner = event(`inner_${at % 300}`, "X", at % 8, ts + 1, ',"dur":20');
    const [begin, end] = [event(`outer_${at % 70}`, "B", at % 8, ts, ""), event("", "E", at % 8, ts + 40, "")];
    return `${at === 0 ? '{"traceEvents":[' : ","}${begin},\n${inner},\n${end}\n`;
  });
  writeSync(out, "]}");
  closeSync(out);
}

/** Distinct stacks of 30 calls. */
function differentStacks(file, size) {
  const out = written(file, size, (at) => {
    const calls = Array.from(
      { length: 30 },
      (_, depth) => `ns::Worker::step_${depth < 20 ? depth : (at * 31 + depth * 7) % 900}`,
    );
    return `${calls.join(";")};leaf_${at % 1000};leaf_${Math.floor(at / 1000)} ${1 + (at % 50)}\n`;
  });
  closeSync(out);
}
