// `npm run bench`: the cost of the built program as ratios to reference programs that run in the same rounds. Groups
// are printed as they end. `--json` prints JSON at the end, names select groups: `npm run bench -- small series`.
import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, tmpdir, totalmem, type } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../scripts/prepare.mjs";
import {
  git,
  history,
  identity,
  listingExperiment,
  listingInputs,
  smallProfile,
  tableExperiment,
  tableInputs,
  writeBigProfile,
  writeListing,
  writeTable,
  writeText,
} from "./fixtures.mjs";
import { bundleOf } from "./bundle.mjs";
import { dashboards } from "./dashboard.mjs";
import { flames } from "./flames.mjs";
import { memoryTracing } from "./memory.mjs";
import { clusterQueries } from "./cluster.mjs";
import { exponent, interleaved, peakMemory } from "./measure.mjs";
import { overheads } from "./overhead.mjs";
import { firstPictures } from "./pages.mjs";
import { profileReads } from "./profiles.mjs";
import { reports } from "./report.mjs";
import { reportImports } from "./reports.mjs";
import { shards } from "./shards.mjs";
import { sharing } from "./sharing.mjs";
import { smallFiles } from "./small-files.mjs";
import { seriesChecks } from "./series-checks.mjs";
import { foldedStacks } from "./stacks.mjs";
import { textTable } from "./tables.mjs";
import { versions } from "./versions.mjs";

const scratch = mkdtempSync(join(tmpdir(), "perfkeep-bench-"));
const environment = {
  ...process.env,
  ...identity,
  HOME: scratch,
  XDG_STATE_HOME: scratch,
  XDG_CACHE_HOME: scratch,
  NO_COLOR: "1",
};
const perfkeep = (...words) => [process.execPath, join(root, "dist/cli.js"), ...words];
const emptyNode = { name: "node -e 0", argv: [process.execPath, "-e", "0"], directory: scratch, environment };

function command(name, directory, argv, before) {
  return { name, directory, argv, before, environment };
}

/** Common commands on 200 commits with 3 profiles each, as multiples of starting Node. */
function everyday() {
  const folder = join(scratch, "everyday");
  const commits = history(folder, 200);
  interleaved([command("init", folder, perfkeep("init", "-q"))], 0);
  for (const [at, commit] of commits.entries()) {
    const files = ["a", "b", "c"].map((load) =>
      writeText(folder, `${load}.perf`, smallProfile(commit, load, 1 + at / 1e4)),
    );
    interleaved([command("add", folder, perfkeep("add", "-q", "--keep-profile", "-m", commit, ...files))], 0);
  }
  const head = commits.at(-1);
  // A check would search the whole history for a profile that was never measured before.
  const other = join(scratch, "everyday-add");
  cpSync(folder, other, { recursive: true });
  let added = 0;
  const pending = () => writeText(other, "new.perf", smallProfile(head, `new-${added++}`, 1));
  const commands = [
    emptyNode,
    command("status", folder, perfkeep("status")),
    command("log --short", folder, perfkeep("log", "--short", "--no-pager")),
    command("check head", folder, perfkeep("check", "head")),
    command("add", other, perfkeep("add", join(other, "new.perf")), pending),
  ];
  const [base, ...times] = interleaved(commands, 15);
  return times.map((time, at) => ({
    what: commands[at + 1].name,
    of: "node -e 0",
    milliseconds: time,
    ratio: time / base,
    goal: 1.4,
  }));
}

/** `add` of profiles up to 52 MB, compared with hashing and compressing the same bytes in Node. */
function bigProfile() {
  const folder = join(scratch, "big");
  const [head] = history(folder, 1);
  interleaved([command("init", folder, perfkeep("init", "-q"))], 0);
  const sizes = [50_000, 160_000, 500_000];
  const rows = sizes.map((size) => measureAdd(folder, head, size));
  const growth = exponent(
    sizes,
    rows.map((row) => row.milliseconds - row.start),
  );
  return rows.map(({ start, ...row }) => ({ ...row, exponent: growth }));
}

function measureAdd(folder, head, size) {
  const file = join(folder, "big.perf");
  writeBigProfile(file, head, size);
  const objects = join(folder, ".perun/objects");
  const clear = () => rmSync(objects, { recursive: true, force: true });
  const add = command(
    `add ${Math.round(statSync(file).size / 1e6)} MB`,
    folder,
    perfkeep("add", "--keep-profile", file),
    clear,
  );
  const script = `const b=require("fs").readFileSync(${JSON.stringify(file)});
    require("crypto").createHash("sha1").update(b).digest();require("zlib").deflateSync(b)`;
  const bytes = command("hash and deflate", folder, [process.execPath, "-e", script]);
  const [start, peer, milliseconds] = interleaved([emptyNode, bytes, add], 3);
  return {
    what: add.name,
    of: bytes.name,
    milliseconds,
    ratio: milliseconds / peer,
    peak: peakMemory(add, scratch),
    start,
  };
}

/** The rules of input descriptions. */
const rules = ["sets", "stream"];

/** `import` of plain tables up to a million rows, compared with DuckDB reading the same file as CSV. */
function tableImport() {
  return rules.flatMap((rule) => {
    const sizes = [100_000, 320_000, 1_000_000];
    return withGrowth(
      sizes,
      sizes.map((size) => measureTable(size, rule)),
    );
  });
}

/** Adds the growth exponent of the cost above the start of Node to rows of three sizes. */
function withGrowth(sizes, rows) {
  const growth = exponent(
    sizes,
    rows.map((row) => row.milliseconds - row.start),
  );
  return rows.map(({ start, ...row }) => ({ ...row, exponent: growth }));
}

/**
 * An import of `data.txt` in `folder` into a new repository with an experiment; `input` is the input description.
 */
function importOf(name, folder, experiment, input, program = perfkeep) {
  const data = join(folder, "data.txt");
  const description = writeText(folder, "bench.exp", experiment);
  const inputFile = writeText(folder, "bench.inp", input);
  const fresh = () => {
    rmSync(join(folder, ".perun"), { recursive: true, force: true });
    interleaved([command("init", folder, program("init", "-q"))], 0);
    interleaved([command("create", folder, program("experiment", "create", "-q", description))], 0);
  };
  return command(name, folder, program("import", "-q", "-d", inputFile, "-e", "bench", data), fresh);
}

function measureTable(size, rule) {
  const folder = join(scratch, `import-${rule}-${size}`);
  history(folder, 1);
  const data = join(folder, "data.txt");
  writeTable(data, size);
  const run = importOf(`import ${size} rows, ${rule}`, folder, tableExperiment, tableInputs[rule]);
  const script = `import d from "@duckdb/node-bindings";const db=await d.open(":memory:");const c=await d.connect(db);
    await d.query(c,"create table t as select * from read_csv('${data}',delim=' ',skip=1,header=false)")`;
  const peer = command("read_csv of DuckDB", root, [process.execPath, "--input-type=module", "-e", script]);
  const [start, csv, milliseconds] = interleaved([emptyNode, peer, run], 3);
  return {
    what: run.name,
    of: peer.name,
    milliseconds,
    ratio: milliseconds / csv,
    ...(size === 1_000_000 ? { goal: 2 } : {}),
    peak: peakMemory(run, scratch),
    start,
  };
}

/** `import` of a listing with 25 named values and a table in every block, compared with counting its lines. */
function listingImport() {
  return rules.flatMap((rule) => {
    const sizes = [201, 640, 2011];
    return withGrowth(
      sizes,
      sizes.map((size) => measureListing(size, rule)),
    );
  });
}

function measureListing(blocks, rule) {
  const folder = join(scratch, `listing-${rule}-${blocks}`);
  history(folder, 1);
  const data = join(folder, "data.txt");
  writeListing(data, blocks);
  const run = importOf(`import ${blocks * 51 + 20} lines, ${rule}`, folder, listingExperiment, listingInputs[rule]);
  const peer = command("wc -l", folder, ["wc", "-l", data]);
  const [start, wc, milliseconds] = interleaved([emptyNode, peer, run], 5);
  return {
    what: run.name,
    of: peer.name,
    milliseconds,
    ratio: milliseconds / wc,
    peak: peakMemory(run, scratch),
    start,
  };
}

/** `import` of 2 GB; runs only on request. */
function hugeImport() {
  return rules.map((rule) => {
    const folder = join(scratch, `huge-${rule}`);
    history(folder, 1);
    const data = join(folder, "data.txt");
    writeTable(data, 75_000_000);
    const run = importOf(
      `import ${(statSync(data).size / 1e9).toFixed(1)} GB, ${rule}`,
      folder,
      tableExperiment,
      tableInputs[rule],
    );
    run.before();
    const started = performance.now();
    const peak = peakMemory({ ...run, before: undefined }, scratch);
    const milliseconds = performance.now() - started;
    const [wc] = interleaved([command("wc -l", folder, ["wc", "-l", data])], 1);
    rmSync(folder, { recursive: true, force: true });
    return { what: run.name, of: "wc -l", milliseconds, ratio: milliseconds / wc, peak };
  });
}

/** `log` over long histories, compared with git log with the same fields. */
function longLog() {
  const sizes = [5_000, 16_000, 50_000];
  const rows = sizes.map(measureLog);
  const growth = exponent(
    sizes,
    rows.map((row) => row.milliseconds - row.start),
  );
  return rows.map(({ start, ...row }) => ({ ...row, exponent: growth }));
}

function measureLog(size) {
  const folder = join(scratch, `log-${size}`);
  history(folder, size);
  git(folder, ["gc", "-q"]);
  interleaved([command("init", folder, perfkeep("init", "-q"))], 0);
  const format = "%H%x00%P%x00%an%x00%ae%x00%ct%x00%B";
  const peer = command("git log", folder, ["git", "log", "-z", `--format=${format}`]);
  const run = command(`log of ${size} commits`, folder, perfkeep("log", "--short", "--no-pager"));
  const [start, gitLog, milliseconds] = interleaved([emptyNode, peer, run], 3);
  return {
    what: run.name,
    of: peer.name,
    milliseconds,
    ratio: milliseconds / gitLog,
    goal: size < 50_000 ? 2 : 1.5,
    peak: peakMemory(run, scratch),
    start,
  };
}

/** Queries that may cost at most 1.3 times their SQL, with the number of rows. */
const goals = {
  "mean in 10 groups": 1_000_000,
  "four quantiles in 1,000 groups": 10_000_000,
  "1,000 rows selected": 10_000_000,
};

/** Queries of 0.1, 1 and 10 million rows, compared with the same SQL sent directly to DuckDB in the same process. */
async function query() {
  const script = await bundleOf("bench/query-speed.ts");
  const { querySpeeds } = await import(script);
  const sizes = [100_000, 1_000_000, 10_000_000];
  const peak = (words) => peakMemory(command("one answer", root, [process.execPath, script, ...words]), scratch);
  const speeds = await querySpeeds(scratch, sizes, 9, peak);
  return speeds.map(({ what, rows, ours, ratio, peak: most, peakDirect }) => {
    const costs = sizes.map((size) => speeds.find((each) => each.what === what && each.rows === size).ours);
    return {
      what: `${what}, ${rows} rows`,
      of: `the same SQL (${peakDirect.toFixed(0)} MiB)`,
      milliseconds: ours,
      ratio,
      ...(goals[what] === rows ? { goal: 1.3 } : {}),
      peak: most,
      exponent: exponent(sizes, costs),
    };
  });
}

/** Number of series of the largest store of the dashboard benchmark; `--series 100000` takes minutes. */
function mostSeries() {
  const at = process.argv.indexOf("--series");
  return at < 0 ? 10_000 : Number(process.argv[at + 1]);
}

const groups = {
  memory: () => memoryTracing(scratch, command),
  pages: async () => [
    ...(await firstPictures(scratch)),
    ...(await dashboards(scratch, mostSeries(), { command, perfkeep, environment })),
  ],
  flames: () => flames(scratch, { command, perfkeep, environment }),
  overhead: () => overheads(join(scratch, "overhead")),
  everyday,
  add: bigProfile,
  import: tableImport,
  listing: listingImport,
  small: () => smallFiles(scratch, environment),
  log: longLog,
  query,
  series: () => seriesChecks(scratch),
  stacks: () => foldedStacks(scratch, emptyNode, command, perfkeep),
  profiles: () => profileReads(scratch, emptyNode, command, perfkeep),
  report: () => reports(scratch, emptyNode, command, perfkeep),
  reports: () => reportImports(scratch, emptyNode, command, perfkeep),
  share: () => sharing(scratch, perfkeep),
};
/** Groups that take minutes and gigabytes, or another build, such as `npm run bench -- huge`. */
const onRequest = {
  huge: hugeImport,
  cluster: () => clusterQueries(scratch),
  shards: () => shards(scratch),
  versions: () => versions(scratch, perfkeep, importOf),
};

/** The groups to run, and whether to print JSON. Fails on names and options that do not exist. */
function options() {
  const text = { type: "string" };
  // Benchmarks read the options of their own.
  const own = { series: text, rows: text, other: text, against: text };
  const { values, positionals } = parseArgs({ options: { json: { type: "boolean" }, ...own }, allowPositionals: true });
  const all = { ...groups, ...onRequest };
  const unknown = positionals.find((name) => !Object.hasOwn(all, name));
  if (unknown !== undefined) throw new Error(`no group ${unknown}; groups: ${Object.keys(all).join(", ")}`);
  const names = positionals.length > 0 ? positionals : Object.keys(groups);
  return { chosen: names.map((name) => [name, all[name]]), isJson: values.json === true };
}

try {
  const { chosen, isJson } = options();
  const rows = [];
  for (const [name, group] of chosen) {
    const started = performance.now();
    const own = (await group()).map((row) => ({ group: name, ...row }));
    rows.push(...own);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    if (isJson) writeFileSync(2, `${name}: ${seconds} s\n`);
    else if (own.length > 0) console.log(`${textTable(own)}\n(${name}: ${seconds} s)\n`);
    else console.log(`(${name}: nothing measured, Chromium is missing)\n`);
  }
  if (isJson)
    writeFileSync(1, `${JSON.stringify({ schema: "perfkeep.bench/2", machine: machine(), rows }, null, 2)}\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** What the figures depend on. */
function machine() {
  const processors = cpus();
  return {
    processor: `${processors.length} x ${processors[0]?.model.trim() ?? "unknown"}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${type()} ${release().split(".", 2).join(".")}`,
    node: process.version,
    git: git(scratch, ["--version"]).trim(),
    load: (loadavg()[0] ?? 0).toFixed(1),
  };
}
