import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Workspace } from "../../workspace/workspace.ts";
import { importProfile, type ImportProfileOptions } from "./import-profile.ts";
import { init } from "../configuration/init.ts";

const samples = resolve("test/samples/heap-profilers");

let scratch: string;
let workspace: Workspace;
let warnings: string[];

beforeEach(async () => {
  warnings = [];
  scratch = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-import-profile-test-")));
  const opened = (): Workspace =>
    new Workspace({
      directory: scratch,
      environment: { PATH: process.env["PATH"], HOME: scratch, GIT_CONFIG_NOSYSTEM: "1" },
      now: () => 1_600_000_000_000,
      random: () => 0.5,
      command: "perfkeep import",
      warn: (text) => void warnings.push(text),
    });
  await init(opened(), { vcsType: "git", vcsParams: {}, vcsFlags: [], template: "master" });
  const git = (...words: string[]): void => {
    const { status, stderr } = spawnSync("git", ["-c", "user.name=Ada", "-c", "user.email=a@b", ...words], {
      cwd: scratch,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
  };
  git("commit", "-q", "--allow-empty", "-m", "first");
  workspace = opened();
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const imported = (file: string, options: Partial<ImportProfileOptions> = {}): ReturnType<typeof importProfile> =>
  importProfile(workspace, { file, params: new Map(), ...options });

test("imports a profiler's file as a pending profile of the head, whatever its name", async () => {
  copyFileSync(join(samples, "dhat.json"), join(scratch, "x"));
  const storedProfile = await imported("x");
  expect(storedProfile).toMatchObject({
    format: "dhat",
    type: "memory",
    cmd: "./heap",
    workload: "",
    collector: "memory",
    object: null,
  });
  expect(storedProfile.name).toMatch(/^memory-\[heap\]-\[_\]-2020-09-13-12-26-40-\w{6}\.perf$/);
  expect(workspace.pending().map(({ name }) => name)).toEqual([storedProfile.name]);
  const profile = JSON.parse(readFileSync(storedProfile.path!, "utf8")) as {
    origin: string;
    collector_info: object;
    resources: object;
  };
  expect(profile).toMatchObject({ origin: storedProfile.version, collector_info: { params: { engine: "dhat" } } });
  expect(Object.keys(profile.resources)).toEqual(["heap.c:push:7#0", "heap.c:main:19#0", "heap.c:main:22#0"]);
});

test("decompresses gzip; command and workload can be overridden", async () => {
  writeFileSync(join(scratch, "x"), gzipSync(readFileSync(join(samples, "heaptrack.txt"))));
  const profile = await imported("x", { cmd: "server", workload: "--selftest" });
  expect(profile).toMatchObject({ format: "heaptrack", cmd: "server", workload: "--selftest" });
});

test("applies options of the reader", async () => {
  const profile = await imported(join(samples, "dhat.json"), { params: new Map([["no-func", "push\nmain"]]) });
  expect(JSON.parse(readFileSync(profile.path!, "utf8"))).toMatchObject({ resources: {} });
});

test.each([
  ["nothing known", new TextEncoder().encode("hello"), {}, "unknown-profile-format"],
  ["nothing at all", new Uint8Array(0), {}, "unknown-profile-format"],
  ["zstd", Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0), {}, "packed-file"],
  ["half a gzip file", gzipSync("desc: x\ncmd: y\n").subarray(0, 20), {}, "packed-file"],
  [
    "another format than given",
    readFileSync(join(samples, "massif.out")),
    { reader: "heaptrack" },
    "heap-report-damaged",
  ],
  ["an unknown format", new Uint8Array(0), { reader: "quantify" }, "unknown-plugin"],
  [
    "an unknown option",
    readFileSync(join(samples, "massif.out")),
    { params: new Map([["colour", "red"]]) },
    "unknown-collector-option",
  ],
])("refuses %s and stores nothing", async (_, bytes, options, code) => {
  writeFileSync(join(scratch, "x"), bytes);
  await expect(imported("x", options)).rejects.toThrow(expect.objectContaining({ code }));
  await expect(imported("missing")).rejects.toThrow(expect.objectContaining({ code: "unreadable-file" }));
  expect(workspace.pending()).toEqual([]);
});

test("imports a benchmark report as a profile with a row per value", async () => {
  const storedProfile = await imported(resolve("test/samples/go-bench/cpu.txt"));
  expect(storedProfile).toMatchObject({ format: "go-bench", type: "mixed", cmd: "go-bench", collector: "go-bench" });
  const profile = JSON.parse(readFileSync(storedProfile.path!, "utf8")) as {
    header: { units: object };
    resources: Record<string, { amount: number[] }>;
    resource_type_map: Record<string, { uid: string; subtype: string; better?: string; goos?: string }>;
    collector_info: object;
  };
  expect(profile.collector_info).toMatchObject({ name: "go-bench", params: { from: "go-bench" } });
  expect(profile.header.units).toMatchObject({ "mixed(time)": "s", "mixed(bytes)": "Byte" });
  const types = Object.values(profile.resource_type_map);
  expect(types[0]).toMatchObject({ type: "mixed", subtype: "time", better: "lower", goos: "linux" });
  expect(types.every(({ uid }) => !uid.includes("cpu.txt"))).toBe(true);
  expect(Object.values(profile.resources).some((rows) => "procs" in rows)).toBe(true);
});

test("accepts a named benchmark format; refuses options and other formats", async () => {
  const file = resolve("test/samples/go-bench/cpu.txt");
  expect(await imported(file, { from: "go-bench" })).toMatchObject({ format: "go-bench" });
  await expect(imported(file, { from: "hyperfine" })).rejects.toMatchObject({ code: "not-json" });
  await expect(imported(file, { params: new Map([["x", "1"]]) })).rejects.toMatchObject({
    code: "unknown-collector-option",
  });
});

test("imports a folder of TAU as one profile, and names missing files; refuses other folders", async () => {
  const bytes = readFileSync(resolve("test/samples/tau/profile.0.0.0"));
  const files = ["MULTI__TIME/profile.0.0.0", "MULTI__TIME/profile.1.0.0", "MULTI__PAPI_TOT_CYC/profile.0.0.0"];
  for (const name of files) {
    mkdirSync(join(scratch, "run", name, ".."), { recursive: true });
    const metric = name.slice("MULTI__".length, name.indexOf("/"));
    writeFileSync(join(scratch, "run", name), bytes.toString().replace("_MULTI_TIME", `_MULTI_${metric}`));
  }
  const profile = await imported("run");
  expect(profile).toMatchObject({ format: "tau", cmd: "./matmult", collector: "tau" });
  expect(warnings).toEqual(["run: MULTI__PAPI_TOT_CYC has no profile.1.0.0"]);
  const { resources } = JSON.parse(readFileSync(profile.path!, "utf8")) as {
    resources: Record<string, { PAPI_TOT_CYC: number[] }>;
  };
  expect(Object.values(resources).flatMap((rows) => rows.PAPI_TOT_CYC)).toContain(7512);
  mkdirSync(join(scratch, "empty"));
  await expect(imported("empty")).rejects.toMatchObject({ code: "unreadable-file" });
});
