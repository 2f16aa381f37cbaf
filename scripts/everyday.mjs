// Runs common commands within this process in a scratch repository. The build derives the packs and V8's code cache
// from what they load. Their exit status is ignored.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const files = {
  "a.exp":
    "*experiment a\n*parameter size int Byte\n*parameter host string - once\n" +
    "*result time float s\n*result state string -\n",
  "a.inp":
    'RULES stream\nNAMED host match="host:"\nTABLE size row=#size skip=1 pos=1\nTABLE time row=#size skip=1 pos=2\n',
  "b.inp": 'NAMED host match="host:"\nTABLE size row=#size pos=1\nTABLE time row=#size pos=2\n',
  "a.txt":
    ["host: one", "#size time", ...Array.from({ length: 3000 }, (_, row) => `${row} ${row / 7}`)].join("\n") +
    "\n\nhost: two\n",
  "b.txt": "host: one\n#size time\n1 0.5\n2 0.25\n",
  "c.exp":
    "*experiment c\n*parameter nodes int - once\n*parameter start timestamp - NULL once\n*parameter mode string -\n" +
    "*parameter size int Byte\n*result time float s\n*result rate float MByte/s\n",
  "c.inp": `${listingRules('SEP param=mode match="mode is:"')}NAMED nodes match="nodes:"\n`,
  "d.inp": `RULES stream\n${listingRules('NAMED mode match="mode is:"')}NAMED nodes match="nodes:"\n`,
  "r.csv": "name,size,time_s\nsort,10,1.5\n",
  "r.json":
    '{"results":[{"command":"sort","times":[1.5,1.25],"mean":1.375,"stddev":0.1,"median":1.375,"min":1.25,"max":1.5}]}',
  // Twice, as the same file is imported once only.
  "c.txt": listing(1),
  "d.txt": listing(2),
};

const maintenance = ["config get format.status", "config list", "recover", "stats list-files", "gc", "export 0@i"];

/** Commands on experiments by group; each is run in a repository with an instance and outside of any. */
const experiments = {
  experiments: ["experiment create a.exp", "experiment create c.exp", "experiment list", "experiment info a"],
  imports: [
    "import -q -d a.inp -e a a.txt",
    "import -q -d b.inp -e a b.txt",
    "import -q -d c.inp -e c c.txt",
    "import -q -d d.inp -e c d.txt",
  ],
  queries: ["query a time --stat mean --by size"],
  reports: ["import -q r.csv", "import -q r.json"],
  exports: ["find a", "export a --format csv", "describe b.txt"],
};

function listingRules(first) {
  const columns = ["size", "time", "rate"].map((name, at) => `TABLE ${name} row=#size pos=${at + 1}\n`);
  return `${first}\nNAMED start match="started at:"\n${columns.join("")}`;
}

/** Blocks of named values, a table, and lines of no meaning. */
function listing(nodes) {
  const blocks = Array.from({ length: 40 }, (_, block) => {
    const rows = Array.from({ length: 20 }, (_, row) => `${row + 1} ${(block + row) / 7} ${row} MByte/s`);
    return ["# mode is: m" + block, "#size t rate", "-".repeat(20), ...rows, "", "warning: a line of no meaning"];
  });
  return ["# nodes: " + nodes, "# started at: 2024-04-03 12:00:01", ...blocks.flat()].join("\n") + "\n";
}

/** Runs several groups of commands. `main` is the program's entry; `between` is called with the name of each group. */
export async function everyday(main, between) {
  const scratch = mkdtempSync(join(tmpdir(), "perfkeep-build-"));
  const [from, environment] = [process.cwd(), { ...process.env }];
  const program = (words) => main(["node", "perfkeep", ...words.split(" ")]);
  try {
    Object.assign(process.env, {
      HOME: scratch,
      XDG_CACHE_HOME: scratch,
      XDG_STATE_HOME: scratch,
      GIT_CONFIG_NOSYSTEM: "1",
    });
    folder(join(scratch, "repository"));
    await profiles(program);
    between("everyday");
    await program("check head");
    between("checks");
    mkdirSync("../outside");
    for (const [group, commands] of Object.entries(experiments)) {
      for (const place of ["repository", "outside"]) {
        process.chdir(join(scratch, place));
        for (const [name, text] of Object.entries(files)) writeFileSync(name, text);
        for (const words of commands) await program(words);
      }
      between(group);
    }
    process.chdir("../repository");
    for (const words of ["show 0@i", "fsck"]) await program(words);
    between("profiles");
    for (const words of maintenance) await program(words);
    between("maintenance");
    await sharing(program);
    between("sharing");
    for (const words of ["check series", "trend", "compare HEAD~1 HEAD", "report -o report.html"]) await program(words);
    between("verdicts");
    await program("collect -c true time");
    between("collecting");
  } finally {
    process.chdir(from);
    Object.assign(process.env, environment);
    rmSync(scratch, { recursive: true, force: true });
  }
}

function folder(path) {
  mkdirSync(path);
  process.chdir(path);
}

async function profiles(program) {
  const identity = ["-c", "user.name=build", "-c", "user.email=build@example.org"];
  execFileSync("git", ["init", "--quiet"]);
  await program("init");
  for (const [name, level] of [
    ["one", 1],
    ["two", 4],
  ]) {
    execFileSync("git", [...identity, "commit", "--quiet", "--allow-empty", "--message", name]);
    const origin = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
    for (const cmd of ["x", "y"]) {
      writeFileSync(`${cmd}.perf`, JSON.stringify(profileAt(origin, cmd, level)));
      await program(`add ${cmd}.perf`);
    }
  }
  for (const words of ["status", "log", "log --short", "--help", "--version"]) await program(words);
}

async function sharing(program) {
  execFileSync("git", ["init", "--quiet", "--bare", "../hub.git"]);
  for (const words of ["push ../hub.git", "pull ../hub.git", "status"]) await program(words);
}

function profileAt(origin, cmd, level) {
  const header = { type: "time", cmd, workload: "", units: { time: "s" } };
  const resources = [1, 2, 3, 4].map((order) => {
    return { amount: level + order / 100, uid: cmd, type: "time", subtype: "real", order };
  });
  return { origin, header, collector_info: { name: "time", params: {} }, postprocessors: [], resources };
}
