import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Workspace } from "../../workspace/workspace.ts";
import { compare } from "./compare.ts";
import { fileSide, measuredSides } from "./file-samples.ts";

let folder: string;
let workspace: Workspace;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-sample-side-"));
  workspace = new Workspace({
    directory: folder,
    environment: { HOME: folder },
    now: () => 0,
    random: () => 0.5,
    command: "test",
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sample = (name: string): string => resolve("test/samples", name);

/** The measurements of files that are compared with each other. */
async function sidesOf(paths: readonly string[], from?: string) {
  const sides = [];
  for (const path of paths) sides.push(await fileSide(workspace, path, from));
  return measuredSides(sides, []);
}

async function summaryOf(path: string, from?: string): Promise<string[]> {
  const { sides } = await sidesOf([path], from);
  return sides[0]!.measured.map(({ subject: { benchmark, metric, better }, unitText, groups }) => {
    const counts = groups.map(({ length }) => length).join("+");
    return `${benchmark} ${metric} ${unitText} ${better} ${counts}`;
  });
}

test("compares samples by benchmark and parameters, without aggregates", async () => {
  const lines = await summaryOf(sample("google-benchmark/repeated.json"));
  expect(lines).toContain("BM_sort [arg1=64] time s lower 3");
  expect(lines.filter((line) => / (mean|stddev|cv|iterations) /.test(line))).toEqual([]);
});

test("treats each number as one value if a program reports no samples", async () => {
  writeFileSync(join(folder, "r.csv"), "op,time_ms\nread,1.5\nwrite,2.5\n");
  expect(await summaryOf("r.csv")).toEqual(["op=read time s lower 1", "op=write time s lower 1"]);
});

test("reads sample files by their own rules, compressed or not", async () => {
  writeFileSync(join(folder, "s.csv"), "benchmark,value,unit\nA,1,ns/op\nA,2,ns/op\n");
  expect(await summaryOf("s.csv")).toEqual(["A ns/op ns/op lower 2"]);
  const json = readFileSync(sample("hyperfine/plain.json"));
  writeFileSync(join(folder, "h.gz"), gzipSync(json));
  expect(await summaryOf("h.gz")).toEqual(await summaryOf(sample("hyperfine/plain.json")));
  // With an explicit format, memory and statistics are read in addition to the times.
  expect((await summaryOf(sample("hyperfine/plain.json"), "hyperfine")).length).toBeGreaterThan(0);
});

/** Files with these rows of CSV, and by file its benchmarks with their numbers of values. */
async function namesOf(...texts: string[]) {
  const paths = texts.map((text, at) => {
    writeFileSync(join(folder, `${at}.csv`), text);
    return `${at}.csv`;
  });
  const { sides, settings } = await sidesOf(paths);
  const names = sides.map(({ measured }) =>
    measured.map(
      ({ subject: { benchmark, metric }, groups }) => `${benchmark} ${metric} ${groups.join("+").split(/[+,]/).length}`,
    ),
  );
  return { names, settings };
}

test.each(["rep", "sample", "Run", "iteration", "trial_id"])(
  "values that differ only in %s are samples",
  async (heading) => {
    const rows = [1, 2, 3].flatMap((rep) => [`read,${rep},${rep}.5`, `write,${rep},9.5`]).join("\n");
    const text = `op,${heading},time_ms\n${rows}\n`;
    expect((await namesOf(text, text)).names).toEqual([
      ["op=read time 3", "op=write time 3"],
      ["op=read time 3", "op=write time 3"],
    ]);
    expect((await namesOf(`${heading},time_ms\n1,1.5\n2,2.5\n`)).names).toEqual([["all time 2"]]);
  },
);

test("a setting of a whole file is what is compared, and is reported", async () => {
  const text = (version: string) => `op,version,os,time_ms\nread,${version},linux,1.5\nwrite,${version},linux,2.5\n`;
  const names = ["op=read time 1", "op=write time 1"];
  expect(await namesOf(text("v1.2"), text("v1.3"))).toEqual({
    names: [names, names],
    settings: [{ name: "version", values: ["v1.2", "v1.3"] }],
  });
  expect(await namesOf(text("v1.2"), "op,os,time_ms\nread,linux,1.5\nwrite,linux,2.5\n")).toEqual({
    names: [names, names],
    settings: [{ name: "version", values: ["v1.2", ""] }],
  });
  // Both have several: which belong together is unknown.
  const two = (first: string, second: string) => `kind,time_ms\n${first},1.5\n${second},2.5\n`;
  expect(await namesOf(two("a", "b"), two("c", "d"))).toEqual({
    names: [
      ["kind=a time 1", "kind=b time 1"],
      ["kind=c time 1", "kind=d time 1"],
    ],
    settings: [],
  });
});

test("what is the same in all files is part of a name only if nothing else is", async () => {
  const same = "op,os,time_ms\nread,linux,1.5\n";
  expect((await namesOf(same, same)).names).toEqual([["op=read, os=linux time 1"], ["op=read, os=linux time 1"]]);
});

test("times distinguish values only if the files share some", async () => {
  const text = (day: number) => `date,op,time_ms\n2024-03-0${day},read,1.5\n2024-03-0${day + 1},read,2.5\n`;
  expect(await namesOf(text(1), text(5))).toEqual({ names: [["op=read time 2"], ["op=read time 2"]], settings: [] });
  const partly = (day: number) => `date,op,time_ms\n2024-03-0${day},read,1.5\n,read,2.5\n`;
  expect((await namesOf(partly(1), partly(5))).names).toEqual([["op=read time 2"], ["op=read time 2"]]);
  const seconds = (from: number) => `op,startedAt,time_ms\nread,${from},1.5\nread,${from + 60},2.5\n`;
  expect((await namesOf(seconds(1_709_287_200), seconds(1_709_373_600))).names).toEqual([
    ["op=read time 2"],
    ["op=read time 2"],
  ]);
  expect((await namesOf(text(1), text(2))).names[0]).toEqual(["date=2024-03-01 time 1", "date=2024-03-02 time 1"]);
});

test("refuses files without measurements, and a format for runs of an experiment", async () => {
  writeFileSync(join(folder, "x"), "hello\n");
  await expect(fileSide(workspace, "x", undefined)).rejects.toMatchObject({ code: "no-measurements" });
  await expect(fileSide(workspace, "x", "jmh")).rejects.toMatchObject({ exit: 4 });
  await expect(fileSide(workspace, "x", "jhm")).rejects.toMatchObject({ code: "unknown-plugin" });
  const options = { alpha: 0.05, minEffect: 0, resolution: 0.05, exact: false };
  const request = {
    old: "1",
    new: "2",
    experiment: "e",
    from: "jmh",
    anyMachine: false,
    thresholds: false,
    confirm: null,
    options,
  };
  await expect(compare(workspace, request)).rejects.toMatchObject({ code: "unusable-combination" });
});
