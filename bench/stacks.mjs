// Folding stacks of perf script, compared with counting lines and, if installed, with stackcollapse-perf of FlameGraph.
import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { hasProgram } from "./allocating.mjs";
import { exponent, interleaved, peakMemory } from "./measure.mjs";

const sizes = [30, 100, 300];

/** `convert --to folded` of texts up to 300 MB. */
export function foldedStacks(scratch, emptyNode, command, perfkeep) {
  const rows = sizes.map((size) => measure(scratch, size, emptyNode, command, perfkeep));
  const growth = exponent(
    sizes,
    rows.map(({ milliseconds, start }) => milliseconds - start),
  );
  return rows.flatMap(({ start, peer, ...row }) => {
    const one = { ...row, exponent: growth };
    return peer === undefined
      ? [one]
      : [one, { ...row, of: "stackcollapse-perf.pl", ratio: row.milliseconds / peer, goal: 0.2 }];
  });
}

function measure(scratch, size, emptyNode, command, perfkeep) {
  const data = join(scratch, "perf.txt");
  writeSamples(data, size * 1e6);
  const run = command("fold", scratch, perfkeep("convert", data, "--to", "folded", "-o", join(scratch, "perf.folded")));
  const wc = command("wc -l", scratch, ["wc", "-l", data]);
  const script = "stackcollapse-perf.pl";
  const peers = hasProgram(script)
    ? [command(script, scratch, ["sh", "-c", `${script} ${data} > ${data}.folded`])]
    : [];
  const [start, lines, milliseconds, peer] = interleaved([emptyNode, wc, run, ...peers], 3);
  const speed = statSync(data).size / 1e3 / milliseconds;
  const what = `${size} MB of perf script folded (${speed.toFixed(0)} MB/s)`;
  return { what, of: wc.name, milliseconds, ratio: milliseconds / lines, peak: peakMemory(run, scratch), start, peer };
}

/** Samples of 30 calls: 2,000 different callers, and 40 addresses of each innermost call. */
function writeSamples(file, size) {
  const out = openSync(file, "w");
  let state = 7;
  const random = (below) => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
  const frame = (at, offset) =>
    `\t    7f${(0x1000000 + at * 64 + offset).toString(16)} ns::Worker<int>::step_${at}(unsigned long)` +
    `+0x${offset.toString(16)} (/usr/lib/libwork-${at % 9}.so)\n`;
  const callers = Array.from({ length: 2000 }, (_, stack) =>
    Array.from({ length: 29 }, (_, depth) => frame(depth < 20 ? depth : (stack * 31 + depth * 7) % 900, 8))
      .toReversed()
      .join(""),
  );
  for (let written = 0, sample = 0; written < size;) {
    let text = "";
    for (let i = 0; i < 500; i++, sample++)
      text +=
        `worker ${100 + random(4)} [00${random(4)}] ${(1000 + sample / 4000).toFixed(6)}: ` +
        `    250000 cpu-clock:pppH: \n` +
        `${frame(random(900), random(40))}${callers[random(2000)]}\n`;
    written += writeSync(out, text);
  }
  closeSync(out);
}
