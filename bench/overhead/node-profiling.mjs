// The overhead of V8's profilers as used by the collectors node and node-heap, per sample.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpuTimes } from "./cpu-time.mjs";

/** Calls ten deep, and allocates. */
const source = `function deep(depth, rounds) {
  if (depth > 1) return deep(depth - 1, rounds) + 1;
  let sum = 0;
  for (let i = 0; i < rounds; i++) sum = (sum * 31 + i) % 1000003;
  return sum;
}
let kept = [];
let total = 0;
for (let i = 0; i < 600; i++) {
  total += deep(10, 100_000);
  kept = Array.from({ length: 1000 }, (_, at) => ({ at, text: "item " + at }));
}
const { user, system } = process.cpuUsage();
console.log(total + kept.length === 7 ? 0 : (user + system) / 1000);
`;

const ways = {
  "CPU every 1000 us": ["cpu", 1000],
  "CPU every 100 us": ["cpu", 100],
  "heap every 32768 bytes": ["heap", 32_768],
};

export function nodeProfiling(folder) {
  writeFileSync(join(folder, "busy.mjs"), source);
  const profiles = join(folder, "profiles");
  const flags = ([kind, interval]) => [
    `--${kind}-prof`,
    `--${kind}-prof-dir=${profiles}`,
    `--${kind}-prof-interval=${interval}`,
  ];
  const profiled = Object.values(ways).map((way) => [process.execPath, ...flags(way), "busy.mjs"]);
  const [plain, ...times] = cpuTimes([[process.execPath, "busy.mjs"], ...profiled], folder, 5);
  return Object.keys(ways).map((name, at) => {
    const samples = samplesOf(profiled[at], profiles, folder);
    const each =
      samples === null ? "" : `: ${samples} samples (${(((times[at] - plain) * 1000) / samples).toFixed(1)} us each)`;
    return { what: `node, ${name}${each}`, of: "not profiled", milliseconds: times[at], ratio: times[at] / plain };
  });
}

/** The number of samples; null for heap profiles, which contain only samples of live objects. */
function samplesOf(argv, profiles, folder) {
  rmSync(profiles, { recursive: true, force: true });
  cpuTimes([argv], folder, 1);
  const file = readdirSync(profiles).find((name) => name.endsWith(".cpuprofile"));
  return file === undefined ? null : JSON.parse(readFileSync(join(profiles, file), "utf8")).samples.length;
}
