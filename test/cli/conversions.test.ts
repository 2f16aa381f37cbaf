import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { Playground } from "./program.ts";

const place = new Playground();
const report = resolve("test/samples/heap-profilers/dhat.json");

beforeAll(() => {
  place.commit("first");
  place.ok("init");
});

test("a report of DHAT becomes folded stacks, rows and points", () => {
  expect(place.ok("import-profile", report)).toMatch(/^memory-\[heap\]-\S+\.perf of dhat pending for [0-9a-f]{8}\n$/);
  expect(place.ok("convert", "0@p", "stacks")).toBe(
    "main()~heap.c~18;push()~heap.c~7 32000\nmain()~heap.c~19 3000\nmain()~heap.c~22 3000\n",
  );
  place.ok(
    "convert",
    "0@p",
    "resources",
    "-w",
    "uid:function=main",
    "--columns",
    "uid:line,amount,blocks",
    "-o",
    "rows.csv",
  );
  expect(readFileSync(join(place.folder, "rows.csv"), "utf8")).toBe(
    "uid:line,amount [Byte],blocks\r\n19,3000,2\r\n22,3000,10\r\n",
  );
  expect(place.ok("convert", "0@p", "points", "--per", "uid:function", "--of", "at-end", "--format", "ndjson")).toBe(
    '{"uid:function":"main","at-end.sum":0}\n{"uid:function":"push","at-end.sum":3200}\n',
  );
  place.ok("convert", "0@p", "keys", "-o", "keys.parquet");
  expect(readFileSync(join(place.folder, "keys.parquet")).subarray(0, 4).toString("latin1")).toBe("PAR1");
});

test("import-profile has options of its own, and import --as profile still accepts them", () => {
  const options = ["--reader", "dhat", "--cmd", "./heap", "--workload", "100"];
  const listed = (): { cmd: string; workload: string }[] =>
    JSON.parse(place.ok("status", "--format", "json")).pending.map(({ cmd, workload }: Record<string, string>) => ({
      cmd,
      workload,
    }));
  const count = listed().length;
  const first = place.ok("import-profile", ...options, "-m", "HEAD", report);
  const second = place.run(["import", "--as", "profile", ...options, "--minor", "HEAD", report]);
  expect(first).toMatch(/^memory-\[heap\]-\[100\]-\S+\.perf of dhat pending for [0-9a-f]{8}\n$/);
  expect([second.status, second.stderr]).toEqual([0, ""]);
  expect(second.stdout.replace(/perf of.*/s, "")).toMatch(/^memory-\[heap\]-\[100\]-/);
  expect(listed().filter(({ cmd, workload }) => cmd === "./heap" && workload === "100")).toHaveLength(2);
  expect(listed()).toHaveLength(count + 2);
  expect(place.run(["import-profile"]).status).toBe(2);
  expect(place.ok("import-profile", "--help")).toContain("--reader <format>");
  expect(place.ok("import", "--help", "--all")).not.toContain("--reader");
});

const cpu = resolve("test/samples/profiles/go-cpu.pb.gz");
const perf = resolve("test/samples/perf-script/fp.txt");

test("profiles of other programs are converted as they come, also where nothing is kept", () => {
  const folded = place.ok("convert", cpu, "--to", "folded");
  expect(folded.split("\n").filter((line) => line.startsWith("runtime.main;main.main;"))).toHaveLength(2);
  place.ok("convert", cpu, "--to", "pprof", "-o", "again.pb.gz");
  expect(place.ok("convert", "again.pb.gz", "--to", "folded")).toBe(folded);
  place.ok("convert", cpu, "--to", "speedscope", "--type", "cpu", "-o", "cpu.json");
  expect(place.ok("convert", "cpu.json", "--to", "folded")).toBe(folded);
  expect(place.ok("convert", cpu, "--to", "folded", "--type", "samples/count")).toBe(
    folded.replaceAll("0000000\n", "\n"),
  );
  place.ok("convert", perf, "--to", "perun", "-o", "perf.perf");
  expect(place.ok("convert", "perf.perf", "--to", "folded")).not.toBe("");
  expect(place.run(["convert", "-", "--from", "folded", "--to", "folded"], { input: "b 1\na;b 2\n" }).stdout).toBe(
    "a;b 2\nb 1\n",
  );
});

test("what was imported is converted as the file is", () => {
  const name = place.ok("import", "--as", "profile", cpu).split(" ")[0]!;
  expect(place.ok("convert", name, "--to", "folded")).toBe(place.ok("convert", cpu, "--to", "folded"));
  place.ok("convert", name, "--to", "pprof", "-o", "stored.pb.gz");
  expect(place.ok("convert", "stored.pb.gz", "--to", "folded")).toBe(place.ok("convert", cpu, "--to", "folded"));
  expect(place.ok("import", "--as", "profile", "--reader", "perf-script", perf)).toMatch(/of perf-script pending/);
});

test.each([
  [
    ["convert", cpu, "--to", "folded", "--type", "heap"],
    2,
    "has no quantity 'heap'; choose one with --type: samples/count, cpu/nanoseconds",
  ],
  [["convert", cpu, "--to", "folded", "--from", "gecko"], 4, "invalid or incomplete Firefox profile"],
  [["convert", resolve("package.json"), "--to", "folded"], 4, "not a profile"],
  [["convert", resolve("README.md"), "--to", "folded"], 4, "unknown profile format"],
  [["convert", cpu, "stacks", "--to", "folded"], 2, "--to folded converts a complete profile"],
  [["convert", cpu, "--to", "folded", "--per", "order"], 2, "--per does not apply to --to folded"],
  [["convert", cpu, "--type", "cpu"], 2, "--type needs --to folded|pprof|speedscope|perun"],
  [["convert", "nowhere.pb", "--to", "folded"], 5, "nowhere.pb"],
])("what cannot be converted is refused in one line: %j", (words, status, message) => {
  const ended = place.run(words);
  expect([ended.status, ended.stderr.split("\n").length, ended.stderr]).toEqual([
    status,
    2,
    expect.stringContaining(message),
  ]);
});

test.each([
  [["convert", "0@p", "stacks", "--per", "order"], "--per does not apply to stacks"],
  [["convert", "0@p", "rows"], "unknown part of a profile 'rows'"],
  [["convert", "0@p", "models", "--to", "xml"], "a profile in a description syntax"],
  [["convert", report, "--where", "a=1"], "--where needs a part of a profile"],
  [["convert", report, "--format", "csv"], "a description as csv"],
  [["import", "--as", "profile", report, "-e", "x"], "--experiment does not apply to profiles"],
  [["import", "--as", "profile"], "a file is missing"],
  [["import", "--reader", "dhat", report], "--reader belongs to perfkeep import-profile"],
])("what would be ignored is refused: %j", (words, message) => {
  const ended = place.run(words);
  expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining(message)]);
});

test("statistics are kept by version, and temporary files go when they may", () => {
  place.run(["stats", "put", "sizes", "release", "-"], { input: '{"bytes": 7}' });
  expect(JSON.parse(place.ok("stats", "get", "sizes", "release"))).toEqual({ bytes: 7 });
  expect(place.ok("stats", "list-files")).toMatch(
    /sizes +\d+ +[0-9a-f]{8} +2020-09-13 13:26:40\n\d+ bytes in total\n$/,
  );
  expect(place.ok("stats", "list-versions", "-f", "-d", "-t")).toMatch(/[0-9a-f]{8} +2020-09-13 13:26:40\n$/);
  expect(place.ok("stats", "delete", ".")).toMatch(/^deleted stats\/\w\w\/\w{38}\/sizes\n$/);
  expect(place.run(["stats", "delete", "all"]).status).toBe(5);
  place.write(".perun/tmp/trace/graph", "x");
  expect(place.ok("temp", "protect", "trace")).toBe("trace/graph is protected\n");
  expect(place.ok("temp", "list", "-f", "-t")).toMatch(/trace\/graph +protected\n$/);
  expect(place.run(["temp", "delete", "--warn", "trace"]).status).toBe(2);
  expect(place.ok("temp", "delete", "-f", "trace")).toBe("deleted trace/graph\n");
  expect(place.run(["temp", "list", "../objects"]).status).toBe(2);
});

test("a profile compressed with zstd is converted like the plain file", () => {
  const plain = resolve("test/samples/profiles/folded.txt");
  const text = place.ok("convert", plain, "--to", "folded");
  expect(text).toContain("main;parse;lex 30\n");
  expect(place.ok("convert", `${plain}.zst`, "--to", "folded")).toBe(text);
});
