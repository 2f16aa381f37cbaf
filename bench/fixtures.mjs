// Input data of the benchmarks: histories by git fast-import, profiles and tables by a seeded generator.
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

/** Creates a repository with `count` commits on one branch. Returns their ids, oldest first. */
export function history(folder, count) {
  mkdirSync(folder, { recursive: true });
  git(folder, ["init", "-q", "-b", "main", "."]);
  const commits = [];
  for (let at = 1; at <= count; at++) {
    const message = `Change number ${at}\n\nWhat it does, in a sentence or two, as people write.\n`;
    const when = `Ada <ada@example.org> ${1_700_000_000 + at * 60} +0000`;
    const file = `M 100644 inline file\ndata ${String(at).length}\n${at}\n`;
    commits.push(
      `commit refs/heads/main\nauthor ${when}\ncommitter ${when}\ndata ${message.length}\n${message}${file}`,
    );
  }
  git(folder, ["fast-import", "--quiet"], commits.join("\n"));
  git(folder, ["reset", "-q", "--hard"]);
  return git(folder, ["rev-list", "--reverse", "HEAD"]).trim().split("\n");
}

/** A small profile of the time collector. */
export function smallProfile(origin, workload, seconds) {
  const rows = [1, 2, 3].map((order) => ({
    amount: seconds + order / 1000,
    order,
    subtype: "real",
    type: "time",
    uid: "./tool",
  }));
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
  writeSync(
    out,
    `{"origin": "${origin}", "header": ${JSON.stringify(header)}, "collector_info": {"name": "trace", "params": {}}, `,
  );
  writeSync(out, `"postprocessors": [], "global": {"time": "1.5", "resources": [`);
  const random = generator(1);
  let piece = [];
  for (let row = 0; row < rows; row++) {
    const uid = `function_${row % 40}`;
    piece.push(
      `{"amount": ${Math.floor(random() * 90_000) + 10_000}, "uid": "${uid}", "type": "mixed", ` +
        `"subtype": "time delta", ` +
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

/** A table with a header line and `rows` rows of four numbers, about 27 bytes each. */
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

const tableInput = `TABLE S_size row="# size" pos=1
TABLE N_run row="# size" pos=2
TABLE T_min row="# size" pos=3
TABLE T_max row="# size" pos=4
`;

export const tableInputs = { sets: tableInput, stream: `RULES stream\n${tableInput}` };

const onceNames = Array.from({ length: 15 }, (_, at) => `site_${at}`);
const setNames = Array.from({ length: 10 }, (_, at) => `setting_${at}`);

/** A listing of `blocks` measurements with 39 rows each, about 62 bytes a line: 2011 of them are 102,581 lines. */
export function writeListing(file, blocks) {
  const out = openSync(file, "w");
  const remarks = Array.from({ length: 5 }, (_, at) => `This line contains no relevant information, number ${at}`);
  writeSync(
    out,
    `${[...remarks, ...onceNames.map((name, at) => `# ${name} of the machine: ${at * 17}`)].join("\n")}\n`,
  );
  const random = generator(3);
  for (let block = 0; block < blocks; block++) {
    const settings = setNames.map((name, at) => `# the value of ${name} in these measurements is: ${block % (at + 2)}`);
    const rows = Array.from({ length: 39 }, (_, row) => {
      const least = random() * 100;
      return [1 << (row % 23), least.toFixed(4), (least + random()).toFixed(4), (least * 7).toFixed(2)]
        .map((each) => String(each).padStart(14))
        .join(" ");
    });
    writeSync(out, `${[...settings, "#size t_min t_max bandwidth", "#".repeat(60), ...rows].join("\n")}\n`);
  }
  closeSync(out);
}

export const listingExperiment = `*experiment bench
A listing with many values
${onceNames.map((name) => `*parameter ${name} int - once`).join("\n")}
${setNames.map((name) => `*parameter ${name} int -`).join("\n")}
*parameter S_size int Byte
*result T_min float ms
*result T_max float ms
*result B float
`;

const listingTable = ["S_size", "T_min", "T_max", "B"];

/** By rules: each block of settings starts a new set, or values apply until they change. */
export const listingInputs = {
  sets: `SEP param=${setNames[0]} alias="${setNames[0]} in these measurements is"
${onceNames.map((name) => `NAMED ${name} match="${name} of the machine:"\n`).join("")}${setNames
    .slice(1)
    .map((name) => `NAMED ${name} match="${name} in these measurements is:"\n`)
    .join("")}${listingTable.map((name, at) => `TABLE ${name} row=#size pos=${at + 1}\n`).join("")}`,
  stream: `RULES stream
${onceNames.map((name) => `NAMED ${name} match="${name} of the machine:"\n`).join("")}${setNames
    .map((name) => `NAMED ${name} match="${name} in these measurements is:"\n`)
    .join("")}${listingTable.map((name, at) => `TABLE ${name} row=#size skip=1 pos=${at + 1}\n`).join("")}`,
};

export function writeText(folder, name, text) {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function generator(seed) {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}
