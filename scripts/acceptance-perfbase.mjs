// The acceptance kit for perfbase: its cases and examples on the embedded database and on a server, both at the same
// time.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { build } from "esbuild";
import { differingAnswer } from "./acceptance-queries.mjs";
import { root } from "./prepare.mjs";

/** Cases that wait for something, and for what. */
const expectedToFail = {};

/**
 * Checks all engines; answers the lines to print, and whether all is well. `kit` is the kit's folder, `scratch` one for
 * everything that is written.
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

/** The server that the tests use, too. */
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
  const summary = `${cases.passed} cases and ${examples.passed} examples passed, ${cases.waiting} cases expected to fail`;
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
  if (!existsSync(results)) return { passed: 0, waiting: 0, wrong: [`the kit gave no results\n${output}`] };
  return judgeCases(JSON.parse(readFileSync(results, "utf8")).cases);
}

/**
 * A case that fails is wrong; one that passes although it is expected to fail means that the expectation is out of
 * date.
 */
function judgeCases(cases) {
  const waits = ({ id }) => Object.hasOwn(expectedToFail, id);
  const wrong = cases.filter((each) => each.passed === waits(each));
  const told = wrong.map(
    ({ id, passed, reason }) => `${id}: ${passed ? "passes now, take it off the expected failures" : reason}`,
  );
  if (cases.length === 0) told.push("the kit has no cases");
  return {
    passed: cases.filter(({ passed }) => passed).length,
    waiting: cases.filter((each) => !each.passed && waits(each)).length,
    wrong: told,
  };
}

/** Every example: its commands, how many runs and data sets there are then, and what its queries show. */
async function checkExamples(engine, kit, bin, scratch) {
  const { examples } = JSON.parse(readFileSync(join(kit, "examples/examples.json"), "utf8"));
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
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PB|PERFKEEP|PG)_?/.test(name)));
  return {
    ...kept,
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    HOME: folder,
    PERFKEEP_HOME: join(folder, ".perfkeep"),
    NO_COLOR: "1",
  };
}

async function checkExample({ experiment, steps, runs, rows, rows_per_run: each, queries = {} }, { options }, place) {
  const wrong = [];
  const answered = new Set();
  for (const { run: command, rc, stale } of steps) {
    const before = new Set(readdirSync(place.cwd));
    const { status, printed, output } = await run("sh", ["-c", command], place);
    if ((status === 0) !== (rc === 0) && stale === undefined)
      wrong.push(`'${command.slice(0, 60)}' ended with ${status}\n${output}`);
    const written = readdirSync(place.cwd).filter((file) => !before.has(file) && !file.startsWith("."));
    const texts = new Map(written.map((file) => [file, readFileSync(join(place.cwd, file), "utf8")]));
    const name = recordedName(command, queries);
    if (name !== undefined)
      wrong.push(...differingAnswer(name, queries[name], printed, texts).map((problem) => `${name}: ${problem}`));
    answered.add(name);
    for (const file of written) rmSync(join(place.cwd, file));
  }
  wrong.push(...Object.keys(queries).flatMap((name) => (answered.has(name) ? [] : [`${name} was never asked`])));
  const { output } = await run(
    process.execPath,
    [join(root, "dist/cli.js"), "experiment", "info", experiment, "--format", "json", ...options],
    place,
  );
  const found = output.startsWith("{") ? JSON.parse(output).runs.map(({ dataSets }) => dataSets) : [output];
  const want = each ?? Array(runs).fill(rows / Math.max(runs, 1));
  if (found.join() !== want.join()) wrong.push(`data sets per run are ${found.join()}, not ${want.join()}`);
  return wrong;
}

/**
 * The name under which the answer to a command is recorded: the file of the query, with the words behind it where it is
 * asked in several ways.
 */
function recordedName(command, queries) {
  const words = command.startsWith("perfbase query ") ? command.split(" ").slice(2) : [];
  const file = words[words.indexOf("-d") + 1];
  return [words.slice(1).join(" "), file].find((name) => Object.hasOwn(queries, name));
}

/** `output` is what was said on either way, `printed` only what went to standard output. */
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
