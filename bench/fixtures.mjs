// What the benchmarks work on, made in seconds: histories by git fast-import, profiles and tables by a seeded generator.
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

export const identity = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
};

export function git(folder, args, input) {
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd: folder,
    input,
    env: { ...process.env, ...identity },
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
  return stdout;
}

/** A repository of `count` commits on one branch; answers their ids, the oldest first. */
export function history(folder, count) {
  mkdirSync(folder, { recursive: true });
  git(folder, ["init", "-q", "-b", "main", "."]);
  const commits = [];
  for (let at = 1; at <= count; at++) {
    const message = `Change number ${at}\n\nWhat it does, in a sentence or two, as people write.\n`;
    const when = `Ada <ada@example.org> ${1_700_000_000 + at * 60} +0000`;
    const file = `M 100644 inline file\ndata ${String(at).length}\n${at}\n`;
    commits.push(`commit refs/heads/main\nauthor ${when}\ncommitter ${when}\ndata ${message.length}\n${message}${file}`);
  }
  git(folder, ["fast-import", "--quiet"], commits.join("\n"));
  git(folder, ["reset", "-q", "--hard"]);
  return git(folder, ["rev-list", "--reverse", "HEAD"]).trim().split("\n");
}

/** A small profile of the time collector. */
export function smallProfile(origin, workload, seconds) {
  const rows = [1, 2, 3].map((order) => ({ amount: seconds + order / 1000, order, subtype: "real", type: "time", uid: "./tool" }));
  return JSON.stringify({
    origin,
    header: { type: "time", cmd: "./tool", workload, units: { time: "s" } },
    collector_info: { name: "time", params: { warmup: 1, repeat: 3 } },
    postprocessors: [],
    global: { time: "0.0", resources: rows },
  });
}

/** A profile of `rows` resources, about 104 bytes each, in the layout of older programs. */
export function writeBigProfile(file, origin, rows) {
  const out = openSync(file, "w");
  const header = { type: "mixed", cmd: "./tool", workload: "big", units: { "mixed(time delta)": "us" } };
  writeSync(out, `{"origin": "${origin}", "header": ${JSON.stringify(header)}, "collector_info": {"name": "trace", "params": {}}, `);
  writeSync(out, `"postprocessors": [], "global": {"time": "1.5", "resources": [`);
  const random = generator(1);
  let piece = [];
  for (let row = 0; row < rows; row++) {
    const uid = `function_${row % 40}`;
    piece.push(
      `{"amount": ${Math.floor(random() * 90_000) + 10_000}, "uid": "${uid}", "type": "mixed", "subtype": "time delta", ` +
        `"timestamp": ${1_000_000 + row * 7}}`,
    );
    if (piece.length === 10_000 || row === rows - 1) {
      writeSync(out, piece.join(", ") + (row === rows - 1 ? "" : ", "));
      piece = [];
    }
  }
  writeSync(out, "]}}");
  closeSync(out);
}

/** A table of `rows` rows with four numbers, about 27 bytes each, below a line of heads. */
export function writeTable(file, rows) {
  const out = openSync(file, "w");
  writeSync(out, "# size run t_min t_max\n");
  const random = generator(2);
  for (let row = 0; row < rows;) {
    const piece = [];
    for (; row < rows && piece.length < 20_000; row++) {
      const least = random() * 10;
      piece.push(`${1 << (row % 10)} ${row % 100_000} ${least.toFixed(5)} ${(least + random()).toFixed(6)}\n`);
    }
    writeSync(out, piece.join(""));
  }
  closeSync(out);
}

export const tableExperiment = `*experiment bench
Times by size
*parameter S_size int Byte
*parameter N_run int -
*result T_min float ms
*result T_max float ms
`;

export const tableInput = `TABLE S_size row="# size" pos=1
TABLE N_run row="# size" pos=2
TABLE T_min row="# size" pos=3
TABLE T_max row="# size" pos=4
`;

export function writeText(folder, name, text) {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function generator(seed) {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}
