// Imports of many small files, in processor time of the whole program: a statement, a sync or a plan per file costs
// there what a large file pays once. `--other DIR` measures the built program of another clone in the same rounds.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/prepare.mjs";
import { history, writeText } from "./fixtures.mjs";

const experiment = `*experiment bench
Many small files
*parameter host string - once
*parameter threads int - once
*parameter size int - NULL
*result reps int
*result t float
*result bw float
*result elapsed float - NULL once
`;

const marks = `NAMED host match="host ="
NAMED threads match="threads ="
`;

/** By size: 2,000 files of 17 kB with a table of 505 rows, and 300 files of 3 lines. */
const kinds = [
  {
    what: "2000 files of 17 kB",
    count: 2000,
    text: tableText,
    input: [marks, ...["size", "reps", "t", "bw"].map((name, at) => `TABLE ${name} row=bytes pos=${at + 1}\n`)].join(
      "",
    ),
  },
  {
    what: "300 files of 3 lines",
    count: 300,
    text: (file) => `host = n${file}\nthreads = ${(file % 9) + 1}\nelapsed = ${(1 + file / 100).toFixed(3)}\n`,
    input: `${marks}NAMED elapsed match="elapsed ="\n`,
  },
];

function tableText(file) {
  const head = [`# run ${file}`, `host = node${file % 17}`, `threads = ${1 << (file % 8)}`, "", "bytes reps t bw"];
  const rows = Array.from({ length: 505 }, (_, row) => {
    const [time, bandwidth] = [0.31 * (row + 1) + file / 1000, 3.1 * (row % 37) + file];
    return `${1 << (row % 20)} ${1000 + row} ${time.toFixed(3).padStart(10)} ${bandwidth.toFixed(2).padStart(12)}`;
  });
  return `${[...head, ...rows, "# done"].join("\n")}\n`;
}

/** Median processor time of imports of each kind, as a ratio to the other clone, if any, else to reading the files. */
export function smallFiles(scratch, environment) {
  const at = process.argv.indexOf("--other");
  const other = at < 0 ? undefined : join(process.argv[at + 1], "dist/cli.js");
  return kinds.map((kind, index) => {
    // Processor time of 2,000 files varies by a few percent, and their syncs take most of a minute a round.
    const rounds = other === undefined && kind.count < 1000 ? 3 : 1;
    const folder = join(scratch, `small-${index}`);
    const files = join(folder, "files");
    history(folder, 1);
    mkdirSync(files);
    for (let file = 0; file < kind.count; file++)
      writeText(files, `run${String(file).padStart(4, "0")}.txt`, kind.text(file));
    const own = () => importTime(join(root, "dist/cli.js"), folder, kind, environment);
    const peer = other === undefined ? () => readTime(files) : () => importTime(other, folder, kind, environment);
    const samples = Array.from({ length: rounds }, () => [own(), peer()]);
    const [ours, theirs] = [0, 1].map((side) => median(samples.map((each) => each[side])));
    return {
      what: `import of ${kind.what}, processor time`,
      of: other === undefined ? "reading the files in Node" : "the other clone",
      milliseconds: ours,
      ratio: ours / theirs,
    };
  });
}

function importTime(program, folder, { input, count }, environment) {
  const description = writeText(folder, "bench.exp", experiment);
  const inputFile = writeText(folder, "bench.inp", input);
  rmSync(join(folder, ".perun"), { recursive: true, force: true });
  for (const words of [
    ["init", "-q"],
    ["experiment", "create", "-q", description],
  ])
    processorTime(process.execPath, [program, ...words], folder, environment);
  // Other clones may lack --recursive.
  const files = Array.from({ length: count }, (_, file) => `files/run${String(file).padStart(4, "0")}.txt`);
  return processorTime(
    process.execPath,
    [program, "import", "-q", "-e", "bench", "-d", inputFile, ...files],
    folder,
    environment,
  );
}

function readTime(files) {
  const script = `const fs=require("fs");for(const f of fs.readdirSync(".")) fs.readFileSync(f,"utf8").split("\\n")`;
  return processorTime(process.execPath, ["-e", script], files, process.env);
}

/** User and system time of a program and its children, in milliseconds, as the shell reports it. */
function processorTime(program, args, cwd, env) {
  const script = '"$@" > /dev/null; status=$?; times; exit $status';
  const { status, stdout, stderr } = spawnSync("sh", ["-c", script, "sh", program, ...args], {
    cwd,
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${args.slice(0, 3).join(" ")}: exit ${status}: ${stderr}`);
  const ofChildren = stdout.trim().split("\n").at(-1);
  return [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60_000 * Number(minutes) + 1000 * Number(seconds),
    0,
  );
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
