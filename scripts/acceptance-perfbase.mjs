// Runs the acceptance kit for perfbase, cases and examples, on the embedded database and on a server in parallel.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { build } from "esbuild";
import { differingAnswer } from "./acceptance-queries.mjs";
import { root } from "./prepare.mjs";

/** Ids of cases that are expected to fail, with the reason. */
const expectedToFail = {};

/**
 * Checks all engines. Returns the lines to print and whether all passed. `kit` is the folder of the kit, `scratch` the
 * folder for all output.
 */
export async function checkPerfbase(kit, scratch) {
  const bin = join(scratch, "bin");
  mkdirSync(bin);
  symlinkSync(join(root, "dist/cli.js"), join(bin, "perfbase"));
  const embedded = { name: "duckdb", environment: {}, options: [] };
  const server = await startServer();
  if (server.skipped) console.log(`skipped: perfbase's cases on PostgreSQL: ${server.skipped}`);
  try {
    const engines = server.skipped ? [embedded] : [embedded, await onServer(server)];
    const answers = await Promise.all(
      engines.map((engine) => checkEngine(engine, kit, bin, join(scratch, engine.name))),
    );
    return { lines: answers.flatMap(({ lines }) => lines), passed: answers.every(({ passed }) => passed) };
  } finally {
    await server.stop?.();
  }
}

/** The PostgreSQL server of the test suite. */
async function startServer() {
  const outfile = join(root, ".cache", `acceptance-server-${process.pid}.mjs`);
  await build({
    entryPoints: [join(root, "test/servers/postgres-server.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    outfile,
    logLevel: "error",
  });
  const { noServer, startServer: start } = await import(outfile);
  rmSync(outfile);
  return noServer === undefined ? start() : { skipped: noServer };
}

async function onServer({ port, user, password, run }) {
  await run("postgres", "create database perfbase");
  const address = { PB_DBHOST: "127.0.0.1", PB_DBPORT: String(port), PB_DBUSER: user };
  return {
    name: "postgres",
    environment: { ...address, PGPASSWORD: password },
    options: ["--db", `postgres://${user}@127.0.0.1:${port}/perfbase`],
  };
}

async function checkEngine(engine, kit, bin, scratch) {
  mkdirSync(scratch);
  const cases = await checkCases(engine, kit, bin, scratch);
  const examples = await checkExamples(engine, kit, bin, scratch);
  const passed = cases.wrong.length + examples.wrong.length === 0;
  const counts = `${cases.passed} cases and ${examples.passed} examples passed`;
  const summary = `${counts}, ${cases.expectedFailures} cases expected to fail`;
  const wrong = [...cases.wrong, ...examples.wrong].map((line) => `FAIL ${engine.name}: ${line}`);
  return { passed, lines: [...wrong, `perfbase on ${engine.name}: ${summary}`] };
}

async function checkCases({ environment }, kit, bin, scratch) {
  const results = join(scratch, "results.json");
  const args = [
    join(kit, "check-cases.py"),
    "--program",
    `${process.execPath} ${join(bin, "perfbase")}`,
    "--json",
    results,
    ...Object.entries(environment).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
  ];
  const { output } = await run("python3", args, { cwd: scratch });
  if (!existsSync(results)) return { passed: 0, expectedFailures: 0, wrong: [`the kit wrote no results\n${output}`] };
  return judgeCases(JSON.parse(readFileSync(results, "utf8")).cases);
}

/**
 * A case is wrong if it fails unexpectedly, or passes although it is expected to fail.
 */
function judgeCases(cases) {
  const mayFail = ({ id }) => Object.hasOwn(expectedToFail, id);
  const wrong = cases.filter((each) => each.passed === mayFail(each));
  const messages = wrong.map(
    ({ id, passed, reason }) => `${id}: ${passed ? "passes now; remove it from the expected failures" : reason}`,
  );
  if (cases.length === 0) messages.push("the kit has no cases");
  return {
    passed: cases.filter(({ passed }) => passed).length,
    expectedFailures: cases.filter((each) => !each.passed && mayFail(each)).length,
    wrong: messages,
  };
}

/** Checks each example: its commands, the resulting number of runs and rows, and the output of its queries. */
async function checkExamples(engine, kit, bin, scratch) {
  const { examples } = JSON.parse(readFileSync(join(kit, "examples", "examples.json"), "utf8"));
  const wrong = [];
  for (const [name, example] of Object.entries(examples)) {
    const folder = join(scratch, "examples", name);
    cpSync(join(kit, "examples", name), folder, { recursive: true });
    const env = { ...programEnvironment(bin, folder), ...engine.environment };
    wrong.push(
      ...(await checkExample(example, engine, { cwd: folder, env })).map((problem) => `example ${name}: ${problem}`),
    );
  }
  return { passed: Object.keys(examples).length - new Set(wrong.map((line) => line.split(":")[0])).size, wrong };
}

function programEnvironment(bin, folder) {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PB|PERFKEEP|PG)_?/.test(name)),
  );
  return {
    ...inherited,
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    HOME: folder,
    PERFKEEP_HOME: join(folder, ".perfkeep"),
    NO_COLOR: "1",
  };
}

async function checkExample(
  { experiment, steps, runs, rows, rows_per_run: each, queries = {} },
  { options },
  processOptions,
) {
  const wrong = [];
  const recorded = new Set();
  for (const { run: command, rc, stale } of steps) {
    const before = new Set(readdirSync(processOptions.cwd));
    const { status, printed, output } = await run("sh", ["-c", command], processOptions);
    if ((status === 0) !== (rc === 0) && stale === undefined)
      wrong.push(`'${command.slice(0, 60)}' ended with ${status}\n${output}`);
    const written = readdirSync(processOptions.cwd).filter((file) => !before.has(file) && !file.startsWith("."));
    const texts = new Map(written.map((file) => [file, readFileSync(join(processOptions.cwd, file), "utf8")]));
    const name = recordedName(command, queries);
    if (name !== undefined)
      wrong.push(...differingAnswer(name, queries[name], printed, texts).map((problem) => `${name}: ${problem}`));
    recorded.add(name);
    for (const file of written) rmSync(join(processOptions.cwd, file));
  }
  wrong.push(...Object.keys(queries).flatMap((name) => (recorded.has(name) ? [] : [`${name} was never run`])));
  const { output } = await run(
    process.execPath,
    [join(root, "dist/cli.js"), "experiment", "info", experiment, "--format", "json", ...options],
    processOptions,
  );
  const found = output.startsWith("{") ? JSON.parse(output).runs.map((run) => run.rows) : [output];
  const want = each ?? Array(runs).fill(rows / Math.max(runs, 1));
  if (found.join() !== want.join()) wrong.push(`rows per run are ${found.join()}, not ${want.join()}`);
  return wrong;
}

/**
 * The name under which the output of a command is recorded: the file of the query, with the arguments after it if the
 * query is run in several ways.
 */
function recordedName(command, queries) {
  const words = command.startsWith("perfbase query ") ? command.split(" ").slice(2) : [];
  const file = words[words.indexOf("-d") + 1];
  return [words.slice(1).join(" "), file].find((name) => Object.hasOwn(queries, name));
}

/** `output` is stdout and stderr, `printed` only stdout. */
function run(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    const [pieces, printed] = [[], []];
    child.stdout.on("data", (piece) => printed.push(piece) && pieces.push(piece));
    child.stderr.on("data", (piece) => pieces.push(piece));
    child.on("error", reject);
    const text = (list) => Buffer.concat(list).toString();
    child.on("close", (status) => resolve({ status, printed: text(printed), output: text(pieces) }));
  });
}
