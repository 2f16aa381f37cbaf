import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Workspace } from "../../workspace/workspace.ts";
import { compare } from "./compare.ts";
import { sampleSide } from "./file-samples.ts";

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

async function summaryOf(path: string, from?: string): Promise<string[]> {
  const { measured } = await sampleSide(workspace, path, from);
  return measured.map(({ subject: { benchmark, metric, better }, unitText, groups }) => {
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

test("refuses files without measurements, and a format for runs of an experiment", async () => {
  writeFileSync(join(folder, "x"), "hello\n");
  await expect(sampleSide(workspace, "x", undefined)).rejects.toMatchObject({ code: "no-measurements" });
  await expect(sampleSide(workspace, "x", "jmh")).rejects.toMatchObject({ exit: 4 });
  await expect(sampleSide(workspace, "x", "jhm")).rejects.toMatchObject({ code: "unknown-plugin" });
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
