// `push` and `pull` of 10,000 profiles through a local bare repository, and of one more profile.
import { spawnSync } from "node:child_process";
import { createCipheriv } from "node:crypto";
import { join } from "node:path";
import { history, writeText } from "./fixtures.mjs";
import { library } from "./report.mjs";

const commits = 1000;
/** Profiles of each commit. */
const perCommit = 10;
/** Bytes of a profile; they compress to no less than three quarters. */
const size = 20_000;
/** Time limits in milliseconds for all profiles and for one more. */
const goals = { push: 8000, pull: 6000, more: 1500 };

/**
 * `perfkeep`: from run.mjs. The transfer of all profiles runs once, that of one more three times (median).
 */
export async function sharing(scratch, perfkeep) {
  const { initProject } = await library();
  const folder = (name) => join(scratch, "share", name);
  const [here, there, hub] = ["here", "there", "hub.git"].map(folder);
  const versions = history(here, commits);
  const project = await initProject(here);
  for (const [at, commit] of versions.entries()) {
    const files = Array.from({ length: perCommit }, (_, each) =>
      writeText(here, `${each}.perf`, profile(commit, at * perCommit + each)),
    );
    await project.add(files, { minor: commit });
  }
  history(there, commits);
  await initProject(there);
  spawnSync("git", ["init", "-q", "--bare", hub]);
  const push = (what, goal) => timed(what, perfkeep("push", "--format", "json", hub), here, goal);
  const pull = (what, goal) => timed(what, perfkeep("pull", "--format", "json", hub), there, goal);
  const all = [push(`push of ${commits * perCommit} profiles`, goals.push), pull("pull of them", goals.pull)];
  const more = [];
  for (let round = 0; round < 3; round++) {
    await project.add([writeText(here, "0.perf", profile(versions[0], commits * perCommit + round))], {
      minor: versions[0],
    });
    more.push([push("push of one more", goals.more), pull("pull of it", goals.more)]);
  }
  const middle = (at) => more.map((rows) => rows[at]).toSorted((a, b) => a.milliseconds - b.milliseconds)[1];
  return [...all, middle(0), middle(1)];
}

function timed(what, argv, directory, goal) {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(argv[0], argv.slice(1), { cwd: directory, encoding: "utf8" });
  const milliseconds = performance.now() - started;
  if (status !== 0) throw new Error(`${what}: exit ${status}: ${stderr}`);
  const wire = `${(JSON.parse(stdout).wireBytes / 2 ** 20).toFixed(2)} MiB on the wire`;
  return { what: `${what} (${wire})`, of: `${goal / 1000} s`, milliseconds, ratio: milliseconds / goal, goal: 1 };
}

/** A profile whose data depends on `number`. */
function profile(origin, number) {
  const key = Buffer.alloc(16, 1);
  const nonce = Buffer.alloc(16);
  nonce.writeUInt32LE(number);
  const noise = createCipheriv("aes-128-ctr", key, nonce).update(Buffer.alloc((size * 3) / 4));
  return JSON.stringify({
    origin,
    header: { type: "time", cmd: "./tool", workload: `load-${number}`, units: { time: "s" } },
    collector_info: { name: "time", params: {} },
    postprocessors: [],
    global: { time: "0.0", resources: [{ amount: 1, subtype: "real", type: "time", uid: noise.toString("base64") }] },
  });
}
