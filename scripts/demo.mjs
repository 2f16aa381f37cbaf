// `npm run demo`: the main use cases on real input. It measures every commit of a program with one slow commit and
// finds that commit, then imports, queries and plots recorded outputs of public benchmarks. Every command is printed
// with its output.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare, root } from "./prepare.mjs";

/** The subject of the slow commit. */
const culprit = "Keep index entries as objects, ready for more fields";
const started = performance.now();

const scratch = mkdtempSync(join(realpathSync(tmpdir()), "perfkeep-demo-"));
const repository = join(scratch, "wordindex");
const programs = join(scratch, "bin");

/**
 * Ignores the configuration of the machine and writes only to the scratch folder.
 */
const environment = {
  ...process.env,
  PATH: `${programs}:${process.env.PATH}`,
  HOME: join(scratch, "home"),
  XDG_STATE_HOME: undefined,
  XDG_CONFIG_HOME: undefined,
  PERUN_CONFIG_DIR: undefined,
  PERFKEEP_DB: undefined,
  PERFKEEP_HOME: undefined,
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_COMMITTER_NAME: "Ada Byron",
  GIT_COMMITTER_EMAIL: "ada@example.org",
};

function printStep(text) {
  console.log(`\n# ${text}`);
}

function quoted(word) {
  return /^[\w@%+=:,./^~-]+$/.test(word) ? word : `'${word}'`;
}

/** Prints and runs a command. Ends the demo on an unexpected exit status. */
function run(words, { expected = [0] } = {}) {
  console.log(`\n$ ${words.map(quoted).join(" ")}`);
  const { status, error } = spawnSync(words[0], words.slice(1), {
    cwd: repository,
    env: environment,
    stdio: "inherit",
  });
  if (!expected.includes(status)) fail(`the command ended with ${error?.message ?? status}`);
}

function perfkeep(...words) {
  run(["perfkeep", ...words]);
}

/** The output of a command that is not shown. */
function answer(words, expected) {
  const { status, stdout, stderr } = spawnSync(words[0], words.slice(1), {
    cwd: repository,
    env: environment,
    encoding: "utf8",
  });
  if (!expected.includes(status)) fail(`${words.join(" ")}: exit ${status}: ${stderr}`);
  return stdout;
}

function fail(message) {
  console.error(`\nThe demo failed: ${message}\nIts files are in ${scratch}`);
  process.exit(1);
}

function setUp() {
  for (const folder of [repository, programs, join(scratch, "home")]) mkdirSync(folder);
  symlinkSync(join(root, "dist/cli.js"), join(programs, "perfkeep"));
  cpSync(join(root, "examples"), join(scratch, "examples"), { recursive: true });
  cpSync(join(root, "test/samples"), join(scratch, "results"), { recursive: true });
}

function replayHistory() {
  const patches = join(root, "demo/history");
  const files = readdirSync(patches).toSorted((a, b) => (a < b ? -1 : 1));
  answer(["git", "init", "--quiet", "--initial-branch=main", "."], [0]);
  answer(
    [
      "git",
      "am",
      "--quiet",
      "--no-gpg-sign",
      "--committer-date-is-author-date",
      ...files.map((file) => join(patches, file)),
    ],
    [0],
  );
  run(["git", "log", "--oneline", "--no-decorate", "--reverse"]);
}

function measureHistory() {
  printStep("Create an instance and configure what to measure.");
  perfkeep("init");
  perfkeep("config", "set", "cmds", "[node wordindex.js]");
  perfkeep("config", "set", "workloads", "[sample 15000, sample 40000]");
  perfkeep("config", "set", "collectors", "[{name: time, params: {warmup: 1, repeat: 5}}]");
  perfkeep("config", "set", "profiles.register_after_run", "true");
  printStep("Measure every commit in a separate worktree; your working tree is not touched.");
  perfkeep("run", "matrix", "--minor", "HEAD", "--crawl-parents");
  perfkeep("log", "--short", "--no-pager");
}

function findTheCulprit() {
  printStep("Find out what got slower, and since which commit. (Exit status 1 reports a regression.)");
  run(["perfkeep", "check", "all", "--no-pager"], { expected: [1] });
  const { changes } = JSON.parse(answer(["perfkeep", "check", "all", "--format", "json"], [1]));
  const slower = changes.filter((change) => change.result.endsWith("Degradation"));
  const guilty = [...new Set(slower.map((change) => change.target))];
  const subjects = guilty.map((commit) => answer(["git", "show", "--no-patch", "--format=%s", commit], [0]).trim());
  if (!subjects.includes(culprit))
    fail(`expected '${culprit}' among the slower commits, found: ${subjects.join(", ") || "none"}`);
  const own = slower.filter((change) => change.target === guilty[subjects.indexOf(culprit)]);
  const others = guilty.length - 1;
  const more = others === 0 ? "" : ` ${others} other ${others === 1 ? "commit costs" : "commits cost"} a little more.`;
  printStep(
    "Correct: that commit searches words in a list instead of a map. " +
      `(${own.length} of its measurements are slower.)${more}`,
  );
}

function importResults() {
  printStep(
    "Import recorded output of openssl speed: a description of the experiment, one of the text format, and the files.",
  );
  run(["cat", "../examples/openssl-speed/openssl-speed.inp"]);
  perfkeep("experiment", "create", "../examples/openssl-speed/openssl-speed.exp");
  importFiles("openssl_speed", "../examples/openssl-speed/openssl-speed.inp", "openssl-speed", /\.txt$/);
  const byBlock = ["--by", "algorithm,S_block", "--stat", "mean,stddev,count"];
  perfkeep("query", "openssl_speed", "N_block", ...byBlock, "--where", "S_block>=1KiByte");
  const plot = [
    "plot",
    "openssl_speed",
    "N_block",
    "--x",
    "S_block",
    "--series",
    "algorithm",
    "--log-x",
    "--log-y",
    "--errors",
    "stddev",
  ];
  perfkeep(...plot);
  perfkeep(...plot, "-o", "../openssl.svg");
  perfkeep(...plot, "-o", "../openssl.png");

  printStep("Import recorded output of sysbench memory: units are read from the text and converted.");
  perfkeep("experiment", "create", "../examples/sysbench/memory.exp");
  importFiles("sysbench_memory", "../examples/sysbench/memory.inp", "sysbench", /^memory.*\.txt$/);
  perfkeep("query", "sysbench_memory", "B_mem", "--by", "N_thread,S_block", "--stat", "median,min,max");
  const memory = [
    "plot",
    "sysbench_memory",
    "B_mem",
    "--x",
    "S_block",
    "--series",
    "N_thread",
    "--stat",
    "median",
    "--errors",
    "minmax",
    "--log-x",
  ];
  perfkeep(...memory, "-o", "../sysbench.svg");
  perfkeep(...memory, "-o", "../sysbench.png");
}

function importFiles(experiment, description, folder, pattern) {
  const names = readdirSync(join(scratch, "results", folder)).filter((name) => pattern.test(name));
  const files = names.toSorted((a, b) => (a < b ? -1 : 1)).map((name) => `../results/${folder}/${name}`);
  const words = ["import", "--experiment", experiment, "--description", description];
  const prefix = pattern.source.startsWith("^memory") ? "memory" : "";
  console.log(`\n$ ${["perfkeep", ...words].join(" ")} ../results/${folder}/${prefix}*.txt`);
  const { status } = spawnSync("perfkeep", [...words, ...files], {
    cwd: repository,
    env: environment,
    stdio: "inherit",
  });
  if (status !== 0) fail(`the command ended with ${status}`);
}

function printSummary() {
  printStep(`Done in ${((performance.now() - started) / 1000).toFixed(0)} s.`);
  console.log(`
Charts:   ${join(scratch, "openssl.svg")}  ${join(scratch, "openssl.png")}
          ${join(scratch, "sysbench.svg")}  ${join(scratch, "sysbench.png")}
Database: ${join(repository, ".perun/experiments.duckdb")}

Three commands to try next:
  cd ${repository} && export PATH=${programs}:$PATH
  perfkeep show 0@i
  perfkeep check head HEAD~4`);
}

prepare();
setUp();
printStep("Create a small program with a history: it indexes the words of a text.");
replayHistory();
measureHistory();
findTheCulprit();
importResults();
printSummary();
