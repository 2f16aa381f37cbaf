// The flame graph of a profile with a million samples in the dashboard: first picture, and work for a frame while a
// user zooms, drags and points, from Chromium's trace.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { history } from "./fixtures.mjs";
import { interleaved } from "./measure.mjs";
import { bundledPages } from "./pages.mjs";

const [samples, paths] = [1_000_000, 60_000];
/** Milliseconds. */
const goals = { picture: 3000, zoom: 33, pan: 33, hover: 16 };

export async function flames(scratch, { command, perfkeep, environment }) {
  const folder = join(scratch, "flames");
  mkdirSync(folder);
  history(folder, 1);
  const stacks = writeStacks(join(folder, "stacks.folded"));
  for (const words of [
    ["init", "-q"],
    ["import-profile", "-q", "stacks.folded"],
    ["add", "-q", "--all"],
  ])
    interleaved([command(words[0], folder, perfkeep(...words))], 0);
  const found = await (await bundledPages()).firstFlames(perfkeep("serve"), folder, environment);
  if (found === undefined) return [];
  const row = (what, name) => ({
    what,
    of: name === "picture" ? "3 s" : `${goals[name]} ms`,
    milliseconds: found[name],
    ratio: found[name] / goals[name],
    goal: 1,
  });
  return [
    row(`first picture of a million samples in ${stacks} stacks`, "picture"),
    row(`  p95 of a frame while zooming (${found.frames} frames in all)`, "zoom"),
    row("  while dragging", "pan"),
    row("  while pointing", "hover"),
  ];
}

/** Samples with 8 to 28 calls of 600 functions; some paths have most of them. Returns the number of stacks. */
function writeStacks(file) {
  let state = 11;
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const pathOf = () => {
    let [path, at] = ["main", 0];
    const depth = 8 + Math.floor(20 * random() ** 2);
    for (let call = 0; call < depth; call++) {
      at = (at * 7 + call * 13 + Math.floor(4 * random() ** 3)) % 600;
      path += `;library::Worker<int>::step_${at}`;
    }
    return path;
  };
  const pool = Array.from({ length: paths }, pathOf);
  const counts = new Map();
  for (let sample = 0; sample < samples; sample++) {
    const path = pool[Math.floor(paths * random() ** 3)];
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  const out = openSync(file, "w");
  let text = "";
  for (const [path, count] of counts) {
    text += `${path} ${count}\n`;
    if (text.length < 1 << 20) continue;
    writeSync(out, text);
    text = "";
  }
  writeSync(out, text);
  closeSync(out);
  return counts.size;
}
