// `report` of 1,000 commits with 3 profiles each, and of an experiment with a million rows.
import { statSync } from "node:fs";
import { join } from "node:path";
import { bundled } from "./bundle.mjs";
import { history, writeText } from "./fixtures.mjs";
import { exponent, interleaved, peakMemory } from "./measure.mjs";

/** Time limit for a report of 1,000 commits, in milliseconds. */
const goal = 5000;
const commits = 1000;
const locations = 20;
/** Numbers of parameter sets, each measured at 100 commits. */
const sets = [100, 1000, 10_000];

/** The library, bundled. */
export async function library() {
  return bundled("src/index.ts");
}

/** `command`, `perfkeep`: from run.mjs. */
export async function reports(scratch, emptyNode, command, perfkeep) {
  const made = await library();
  const written = (name, folder) => {
    const file = join(folder, "report.html");
    const run = (...more) => command(name, folder, perfkeep("report", "-q", ...more, "-o", file));
    const [start, cold, warm] = interleaved([emptyNode, run("--no-cache"), run()], 2);
    const size = `${(statSync(file).size / 1e6).toFixed(1)} MB`;
    const row = (what, milliseconds, peak) => ({
      what,
      of: `${goal / 1000} s`,
      milliseconds,
      ratio: milliseconds / goal,
      goal: 1,
      peak,
      start,
    });
    return [
      row(`${name} (${size})`, cold, peakMemory(run("--no-cache"), scratch)),
      row("the same again", warm, peakMemory(run(), scratch)),
    ];
  };
  const profiles = await profileStore(join(scratch, "report"), made);
  const ofProfiles = written(`report of ${commits} commits, 3 profiles of ${locations} locations each`, profiles);
  const ofSets = [];
  for (const count of sets) {
    const folder = await experimentStore(join(scratch, `report-${count}`), count, made);
    ofSets.push(written(`report of ${count} parameter sets x 100 commits`, folder));
  }
  const growth = [0, 1].map((at) =>
    exponent(
      sets,
      ofSets.map((rows) => rows[at].milliseconds - rows[at].start),
    ),
  );
  return [...ofProfiles, ...ofSets.flatMap((rows) => rows.map((row, at) => ({ ...row, exponent: growth[at] })))].map(
    ({ start, ...row }) => row,
  );
}

/** One location in ten gets 10 % slower within the history. */
async function profileStore(folder, { initProject }) {
  const versions = history(folder, commits);
  const project = await initProject(folder);
  const random = noise(5);
  for (const [at, commit] of versions.entries()) {
    const files = ["a", "b", "c"].map((load) =>
      writeText(folder, `${load}.perf`, profile(commit, load, at / commits, random)),
    );
    await project.add(files, { minor: commit });
  }
  return folder;
}

function profile(origin, workload, when, random) {
  const rows = Array.from({ length: locations }, (_, at) => {
    const seconds = (at + 1) * (at % 10 === 0 && when > 0.6 ? 1.1 : 1) * (1 + 0.02 * random());
    return { amount: Number(seconds.toFixed(6)), subtype: "real", type: "time", uid: `function_${at}` };
  });
  return JSON.stringify({
    origin,
    header: { type: "time", cmd: "./tool", workload, units: { time: "s" } },
    collector_info: { name: "time", params: {} },
    postprocessors: [],
    global: { time: "0.0", resources: rows },
  });
}

/** One parameter set in fifty gets 10 % slower within 100 commits. */
export async function experimentStore(folder, count, { initProject }) {
  const versions = history(folder, 100);
  const project = await initProject(folder);
  const random = noise(9);
  for (const [at, commit] of versions.entries()) {
    const results = Array.from({ length: count }, (_, set) => {
      const value = Math.round((1000 + set) * (set % 50 === 0 && at > 60 ? 1100 : 1000) * (1 + 0.02 * random()));
      return [`bench_${set}`, { latency: { value } }];
    });
    await project.importReports(writeText(folder, "results.json", JSON.stringify(Object.fromEntries(results))), {
      minor: commit,
    });
  }
  return folder;
}

/** Seeded random numbers between -1 and 1. */
function noise(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}
