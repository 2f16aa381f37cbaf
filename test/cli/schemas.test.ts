import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync, inflateSync } from "node:zlib";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { noServer, startServer } from "../servers/postgres-server.ts";
import { Playground } from "./program.ts";

const folder = resolve("schemas");
const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allowUnionTypes: true,
  allErrors: true,
});
ajv.addFormat("date-time", (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text));
const schemas = new Map<string, ValidateFunction>();
for (const file of readdirSync(folder)) {
  const schema = JSON.parse(readFileSync(join(folder, file), "utf8")) as { $id: string };
  schemas.set(schema.$id, ajv.compile(schema));
  expect(file).toBe(`${schema.$id.replace(/^perfkeep\./, "").replace("/", "-")}.schema.json`);
}

function sources(): string[] {
  const names = readdirSync("src", { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts")).map((name) => join("src", name));
}

test("every schema that the program names is in the package, and no other", () => {
  const named = sources().flatMap((file) => readFileSync(file, "utf8").match(/perfkeep\.[a-z-]+\/\d+/g) ?? []);
  expect([...schemas.keys()].toSorted()).toEqual([...new Set(named)].toSorted());
});

/** The bodies of all objects that keep a change. */
function ledgerEntries(objects: string): string[] {
  const files = readdirSync(objects, { recursive: true, encoding: "utf8" }).filter((name) =>
    /^..\/[0-9a-f]{38}$/.test(name),
  );
  const plain = files.map((name) => readFileSync(join(objects, name))).filter((bytes) => bytes[0] === 0x78);
  const texts = plain
    .map((bytes) => inflateSync(bytes).toString("utf8"))
    .filter((text) => text.startsWith("attachment ledger "));
  return texts.map((text) => text.slice(text.indexOf("\0") + 1));
}

/** The manifest of a dump: the last member of the archive. */
function manifestOf(dump: string): string {
  const tar = gunzipSync(readFileSync(dump)).toString("latin1");
  const head = tar.lastIndexOf("manifest.json\0");
  return Buffer.from(
    tar.slice(head + 512, head + 512 + Number.parseInt(tar.slice(head + 124, head + 135), 8)),
    "latin1",
  ).toString("utf8");
}

describe("what the program prints fits its schema", () => {
  const seen = new Set<string>();
  const place = new Playground();
  const example = resolve("examples/openssl-speed/openssl-speed");
  const heapReport = resolve("test/samples/heap-profilers/dhat.json");
  const hyperfineReport = resolve("test/samples/hyperfine/scan.json");
  const sample = (n: number): string => resolve(`test/samples/openssl-speed/sha256-${n}.txt`);

  beforeAll(() => {
    place.commit("first");
    place.ok("init");
    place.git("init", "--quiet", "--bare", "results.git");
    place.ok("stats", "put", "sizes", "release", place.write("sizes.json", '{"bytes": 7}'));
    place.write(".perun/tmp/notes/first.txt", "");
    place.write(
      "levels.csv",
      `at,t\n${[5, 5, 5, 5, 5, 5, 9, 9, 9, 9, 9, 9].map((level, at) => `${at},${level + (at % 3) / 10}`).join("\n")}\n`,
    );
  });

  /** Fails on every input that is longer than the sample. */
  const breaksOnLong = `sh -c 'test "$(wc -c < "$0")" -lt 100'`;

  /** In the order in which a user would go; each stands on those before. */
  const commands: readonly (readonly [schema: string, status: number, words: string[]])[] = [
    ["init", 0, ["init"]],
    ["config", 0, ["config", "get", "vcs.type"]],
    ["trust", 0, ["trust"]],
    ["doctor", 0, ["doctor"]],
    ["plugin", 0, ["utils", "create", "view", "totals"]],
    ["plugins", 0, ["utils", "plugins"]],
    ["run", 0, ["collect", "time", "-p", "{warmup: 0, repeat: 2}", "-c", "true"]],
    ["status", 0, ["status"]],
    ["figure", 0, ["show", "0@p"]],
    ["add", 0, ["add", "0@p"]],
    ["add", 5, ["add", "no-such-profile"]],
    ["run", 0, ["collect", "time", "-p", "{warmup: 0, repeat: 2}", "-c", "true"]],
    ["status", 0, ["status"]],
    ["log", 0, ["log"]],
    ["changes", 3, ["check", "profiles", "0@p", "0@p"]],
    ["changes", 3, ["check", "head"]],
    ["triage", 0, ["triage", "list"]],
    ["triage", 0, ["triage", "check"]],
    ["compare", 3, ["compare", "0@i", "0@i"]],
    ["diff", 0, ["diff", "0@i", "0@p"]],
    ["verdicts", 3, ["check", "series"]],
    ["trends", 0, ["trend"]],
    ["overview", 0, ["report"]],
    ["calibration", 3, ["calibrate", "--dry-run"]],
    ["changepoints", 0, ["changepoints", "levels.csv"]],
    ["models", 0, ["postprocessby", "0@p", "regressogram", "-per", "order"]],
    ["profile-table", 0, ["convert", "0@p", "resources"]],
    ["profile-table", 0, ["convert", "0@p", "points", "--per", "order", "--by", "subtype"]],
    ["imported-profiles", 0, ["import-profile", heapReport]],
    ["profile-table", 0, ["convert", "0@p", "stacks"]],
    ["stats", 0, ["stats", "list-files"]],
    ["stats", 0, ["stats", "list-versions", "-N", "0"]],
    ["removed", 0, ["stats", "delete", "file", "sizes", "-m", "."]],
    ["removed", 0, ["stats", "clean"]],
    ["temp", 0, ["temp", "list"]],
    ["removed", 0, ["temp", "delete", "notes"]],
    ["push", 0, ["push", "./results.git"]],
    ["pull", 0, ["fetch", "./results.git"]],
    ["pull", 0, ["pull", "./results.git"]],
    ["gc", 0, ["gc"]],
    ["gc", 0, ["gc", "--pack", "--all"]],
    ["gc", 0, ["gc", "--unpack"]],
    ["rm", 0, ["rm", "0@i"]],
    ["run", 74, ["collect", "time", "-c", "no-such-command"]],
    ["fuzz", 1, ["fuzz", "-b", breaksOnLong, "-w", "file", "-o", "fuzzed", "--runs", "40", "--seed", "1"]],
    ["fsck", 0, ["fsck"]],
    ["recover", 0, ["recover"]],
    ["experiments", 0, ["experiment", "list"]],
    ["experiment-create", 0, ["experiment", "create", `${example}.exp`]],
    ["experiment", 0, ["experiment", "info", "openssl_speed"]],
    ["import", 0, ["import", hyperfineReport]],
    ["import", 0, ["import", "--dry-run", "--force", hyperfineReport]],
    ["formats", 0, ["import", "--list-formats"]],
    ["explained-formats", 0, ["import", "--explain", hyperfineReport]],
    ["describe", 0, ["describe", sample(1), sample(2)]],
    ["import", 0, ["import", "-t", "-e", "openssl_speed", "-d", `${example}.inp`, sample(1)]],
    ["import", 0, ["import", "-e", "openssl_speed", "-d", `${example}.inp`, sample(1), sample(2)]],
    ["experiments", 0, ["experiment", "list"]],
    ["experiment", 0, ["experiment", "info", "openssl_speed"]],
    [
      "experiment",
      0,
      ["experiment", "info", "openssl_speed", "--range", "S_block,run", "--counts", "-r", "1", "--data", "all"],
    ],
    ["query", 0, ["query", "openssl_speed"]],
    ["sql", 0, ["sql", "select * from openssl_speed limit 3"]],
    ["export", 0, ["export", "openssl_speed"]],
    ["runs", 0, ["find", "openssl_speed", "run", "S_block", "commit", "--where", "S_block>=64"]],
    ["query", 0, ["query", "openssl_speed", "N_block", "--by", "S_block", "--stat", "mean,stddev"]],
    ["figure", 0, ["plot", "openssl_speed", "N_block", "--x", "S_block", "--errors", "minmax"]],
    ["figure", 0, ["plot", "openssl_speed", "N_block", "--x", "S_block", "-y", "algorithm", "--plots", "release"]],
    [
      "figure",
      0,
      [
        "plot",
        "openssl_speed",
        "N_block",
        "--x",
        "S_block",
        "--x-scale",
        "log2",
        "--x-range",
        "16:4KiByte",
        "--no-legend",
      ],
    ],
    ["mine", 0, ["mine", "openssl_speed", "--max-spread", "0.01%", "--least", "3", "--job", "bench {S_block}"]],
    ["attachment", 0, ["attach", "put", "openssl_speed", `${example}.inp`, "--name", "sums"]],
    ["attachments", 0, ["attach", "list", "openssl_speed"]],
    ["attachment", 0, ["attach", "delete", "openssl_speed", "sums"]],
    ["experiment-update", 0, ["experiment", "update", "--dry-run", `${example}.exp`]],
    ["experiment-update", 0, ["experiment", "update", `${example}.exp`]],
    ["experiment-access", 0, ["experiment", "grant", "write", "ann", "-e", "openssl_speed"]],
    ["experiment-access", 0, ["experiment", "access", "openssl_speed"]],
    ["experiment-creators", 0, ["experiment", "access"]],
    ["experiment-delete", 0, ["experiment", "delete", "openssl_speed", "--run", "1", "--force"]],
    ["experiment-undelete", 0, ["experiment", "undelete", "openssl_speed", "--run", "1"]],
    ["experiment-delete", 0, ["experiment", "delete", "openssl_speed", "--file", sample(2), "--force"]],
    ["experiment-delete", 0, ["experiment", "delete", "openssl_speed", "--deleted", "--force"]],
    ["experiment-delete", 0, ["experiment", "delete", "openssl_speed", "--force"]],
    ["experiment-undelete", 0, ["experiment", "undelete", "openssl_speed"]],
    ["experiment-dump", 0, ["experiment", "dump", "openssl_speed", "-o", "openssl.tar.gz"]],
    ["experiment-restore", 0, ["experiment", "restore", "openssl.tar.gz", "--as", "again"]],
    ["move", 0, ["move", "again", "--to", "other.duckdb", "--dry-run"]],
    ["move", 0, ["move", "again", "--to", "other.duckdb", "--keep"]],
    ["experiment-check", 0, ["experiment", "check"]],
    ["rebuild", 0, ["rebuild", "experiments"]],
    ["experiment-check", 0, ["experiment", "check", "openssl_speed", "--fix"]],
    ["experiment-delete", 0, ["experiment", "delete", "openssl_speed", "--purge", "--force"]],
  ];

  test.each(commands)("%s, exit status %i: %j", (schema, status, words) => {
    const ended = place.run([...words, "--format", "json"]);
    expect(ended.status, ended.stderr).toBe(status);
    expectToFit(schema, ended.stdout);
    seen.add(schema);
  });

  test("a bisection, and a tree that is judged", () => {
    const id = place.git("rev-parse", "HEAD");
    const more = place.commit("second");
    const job = ["-p", "{warmup: 0, repeat: 1}", "--of", "order:sum", "--format", "json", "--", "true"];
    const ended = place.run(["bisect", id, more, "--most-runs", "4", ...job]);
    expect(ended.status, ended.stderr).toBe(3);
    expectToFit("bisect", ended.stdout);
    expectToFit("bisect-predicate", place.ok("bisect", "--predicate", "--base", id, ...job));
    seen.add("bisect");
    seen.add("bisect-predicate");
  });

  test("error", () => {
    const ended = place.run(["status", "--no-such-option", "--format", "json"]);
    expectToFit("error", ended.stderr);
    seen.add("error");
  });

  test("the manifest of a dump", () => {
    expectToFit("dump", manifestOf(join(place.folder, "openssl.tar.gz")));
    seen.add("dump");
  });

  test("entries of the ledger", () => {
    const entries = ledgerEntries(join(place.folder, ".perun", "objects"));
    expect(entries.length).toBeGreaterThan(5);
    for (const entry of entries) expectToFit("ledger", entry);
    seen.add("ledger");
  });

  test("changes as they travel", () => {
    place.ok("push", "./results.git");
    const ref = "refs/perfkeep/data/v1";
    const files = place.git("--git-dir=results.git", "ls-tree", "-r", "--name-only", ref, "experiments/").split("\n");
    const changes = files.filter((name) => /^experiments\/[0-9a-f]{40}\/[0-9a-f]{40}$/.test(name));
    expect(changes.length).toBeGreaterThan(3);
    for (const name of changes)
      expectToFit("shared-change", place.git("--git-dir=results.git", "cat-file", "blob", `${ref}:${name}`));
    seen.add("shared-change");
  });

  test("a snapshot", () => {
    const folder = new Playground();
    folder.ok("init", "--vcs-type", "tagit");
    folder.write("file", "content");
    expectToFit("tagit-snapshot", folder.ok("tagit", "snapshot", "--format", "json"));
    seen.add("tagit-snapshot");
  });

  test("what is mined, with findings of every kind", () => {
    place.write("odd.exp", "*experiment odd\n*parameter op string -\n*result t float s\n");
    place.write("odd.inp", 'TABLE op row="op t" pos=1\nTABLE t row="op t" pos=2\n');
    place.ok("experiment", "create", "odd.exp");
    const wave = (run: number, row: number): number => ((run * 7 + row * 3) % 5) / 100;
    for (let run = 0; run < 12; run++) {
      const rows = [0, 1, 2].flatMap((row) => [
        `jumps ${(run < 6 ? 10 : 20) + wave(run, row)}`,
        `drifts ${10 + run + wave(run, row)}`,
        `spreads ${10 + 100 * wave(run, row)}`,
        `strays ${run === 4 && row === 1 ? 99 : 10 + wave(run, row)}`,
      ]);
      place.write(`odd-${run}.txt`, `op t\n${rows.join("\n")}\n`);
    }
    place.ok("import", "-e", "odd", "-d", "odd.inp", ...Array.from({ length: 12 }, (_, run) => `odd-${run}.txt`));
    const text = place.ok("mine", "odd", "--format", "json");
    expectToFit("mine", text);
    const { tables } = JSON.parse(text) as { tables: { findings: { kind: string; set: { op: string } }[] }[] };
    const found = tables[0]?.findings.map(({ kind, set }) => `${set.op} ${kind}`);
    expect(found?.toSorted()).toEqual(["drifts drift", "jumps jump", "spreads spread", "strays outlier"]);
  });

  test("an output of a query", () => {
    const values =
      '<parameter id="p"><value>S_block</value></parameter><source ' +
      'id="s"><input>p</input><result>N_block</result></source>';
    place.write("vectors.xml", `<query>${values}<output target="json"><input>s</input></output></query>`);
    expectToFit("vectors", place.ok("query", "-d", "vectors.xml", "-e", "again"));
    seen.add("vectors");
  });

  test("frozen queries", () => {
    place.ok("query", "again", "N_block", "--by", "commit", "--freeze", "question");
    place.ok("query", "-d", "vectors.xml", "-e", "again", "--freeze", "graph");
    for (const name of ["question", "graph"]) expectToFit("frozen-query", place.ok("attach", "get", "again", name));
    seen.add("frozen-query");
  });

  test.skipIf(noServer)(
    `where the rows of an experiment lie${noServer === undefined ? "" : ` (${noServer})`}`,
    async () => {
      const server = await startServer();
      try {
        place.environment = { PERFKEEP_DB: await server.makeDatabase(), PGPASSWORD: server.password };
        place.write(
          "spread.exp",
          "*experiment spread\nRows\n*parameter host string once default=any\n*result rate float\n",
        );
        place.ok("experiment", "create", "spread.exp");
        const over = "postgres://keeper@127.0.0.1:1/parts";
        expectToFit(
          "experiment-distribution",
          place.ok("experiment", "distribute", "spread", "--over", over, "-t", "--format", "json"),
        );
      } finally {
        place.environment = {};
        await server.stop();
      }
    },
  );

  test("every schema was tried", () => {
    seen.add("experiment-distribution");
    // That of configuration files is tried where they are read.
    seen.add("configuration");
    expect([...schemas.keys()].filter((id) => !seen.has(id.replace(/^perfkeep\./, "").replace(/\/\d+$/, "")))).toEqual(
      [],
    );
  });

  function expectToFit(schema: string, text: string): void {
    const document = JSON.parse(text) as { schema: string };
    expect(document.schema.replace(/\d+$/, "")).toBe(`perfkeep.${schema}/`);
    const validate = schemas.get(document.schema);
    expect(validate?.(document), JSON.stringify(validate?.errors)).toBe(true);
  }
});
