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
  expect(place.ok("import", "--as", "profile", report)).toMatch(/^memory-\[heap\]-\S+\.perf of dhat pending for [0-9a-f]{8}\n$/);
  expect(place.ok("convert", "0@p", "stacks")).toBe(
    "main()~heap.c~18;push()~heap.c~7 32000\nmain()~heap.c~19 3000\nmain()~heap.c~22 3000\n",
  );
  place.ok("convert", "0@p", "resources", "-w", "uid:function=main", "--columns", "uid:line,amount,blocks", "-o", "rows.csv");
  expect(readFileSync(join(place.folder, "rows.csv"), "utf8")).toBe("uid:line,amount [Byte],blocks\r\n19,3000,2\r\n22,3000,10\r\n");
  expect(place.ok("convert", "0@p", "points", "--per", "uid:function", "--of", "at-end", "--format", "ndjson")).toBe(
    '{"uid:function":"main","at-end.sum":0}\n{"uid:function":"push","at-end.sum":3200}\n',
  );
  place.ok("convert", "0@p", "keys", "-o", "keys.parquet");
  expect(readFileSync(join(place.folder, "keys.parquet")).subarray(0, 4).toString("latin1")).toBe("PAR1");
});

test.each([
  [["convert", "0@p", "stacks", "--per", "order"], "--per says nothing of stacks"],
  [["convert", "0@p", "rows"], "unknown part of a profile 'rows'"],
  [["convert", "0@p", "models", "--to", "xml"], "a profile in the spelling of a description"],
  [["convert", report, "--where", "a=1"], "--where needs a part of a profile"],
  [["convert", report, "--format", "csv"], "a description as csv"],
  [["import", "--as", "profile", report, "-e", "x"], "--experiment says nothing of a profile"],
  [["import", "--as", "profile"], "a file is missing"],
  [["import", "--reader", "dhat", report], "--reader needs --as profile"],
])("what would be ignored is refused: %j", (words, message) => {
  const ended = place.run(words);
  expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining(message)]);
});

test("statistics are kept by version, and temporary files go when they may", () => {
  place.run(["stats", "put", "sizes", "release", "-"], { input: '{"bytes": 7}' });
  expect(JSON.parse(place.ok("stats", "get", "sizes", "release"))).toEqual({ bytes: 7 });
  expect(place.ok("stats", "list-files")).toMatch(/sizes +\d+ +[0-9a-f]{8} +2020-09-13 13:26:40\n\d+ bytes in all\n$/);
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
