import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { plainName, type StackProfile } from "../../../core/profiles/stack-profile.ts";
import { mutateWords, mutations, refusedOrRead } from "../../../../test/contracts/binary-mutations.ts";
import { foldedText, readFolded } from "../folded.ts";
import { readJfr } from "../jfr/jfr.ts";
import { readPerfStacks } from "../perf/perf-script.ts";
import { printPprof } from "../pprof/pprof-print.ts";
import { readPprof } from "../pprof/pprof.ts";
import { readPerfData } from "./perf-data.ts";
import type { LocalFiles } from "./perf-modules.ts";

const folder = "test/samples/perf-data";
const bytes = (name: string): Uint8Array => new Uint8Array(readFileSync(`${folder}/${name}`));

/** The inode that the pipe recorded, which has no build ids. */
const inode = 1466926;
const kernel = "~/.debug/.build-id/85/c7e4e2ed76f4417e8aaad7c6b040d2bb897a26/kallsyms";
const here: Readonly<Record<string, string>> = { "/opt/planted/planted": "planted", [kernel]: "kallsyms.txt" };
const local: LocalFiles = (path) => (here[path] === undefined ? null : { bytes: bytes(here[path]), inode });

async function* whole(name: string): AsyncGenerator<Uint8Array> {
  yield bytes(name);
}

test.each(["user", "pipe", "zstd", "events"])("%s.data gives what perf script prints of it", async (name) => {
  const direct = readPerfData(bytes(`${name}.data`), "f", local);
  const printed = await readPerfStacks(whole(`${name}.txt`), "f");
  expect(direct.types).toEqual(printed.types);
  for (const type of [0, 1])
    expect([...foldedText(direct, type)].join("")).toBe([...foldedText(printed, type)].join(""));
});

/** The samples of the functions that are most often innermost, and of those that are most often in stacks. */
function top(profile: StackProfile, most = 20): readonly (readonly [string, number])[][] {
  const self = new Map<string, number>();
  const total = new Map<string, number>();
  for (let row = 0; row < profile.samples.length; row++) {
    const count = profile.samples.valueOf(row, 0);
    if (count === 0) continue;
    const names = profile.stacks.framesOf(profile.samples.stackOf(row)).map(plainName);
    for (const name of new Set(names)) total.set(name, (total.get(name) ?? 0) + count);
    self.set(names[0] ?? "", (self.get(names[0] ?? "") ?? 0) + count);
  }
  return [self, total].map((each) => [...each].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, most));
}

async function* only(piece: Uint8Array): AsyncGenerator<Uint8Array> {
  yield piece;
}

test.each([
  ["perf.data", () => readPerfData(bytes("zstd.data"), "f", local)],
  ["JFR", () => readJfr(new Uint8Array(gunzipSync(readFileSync("test/samples/profiles/planted.jfr.gz"))), "f")],
])("a recording as %s, pprof and folded text has the same top 20 functions", async (_, read) => {
  const direct = read();
  const pprof = readPprof(printPprof(direct), "f");
  const folded = await readFolded(only(new TextEncoder().encode([...foldedText(direct, 0)].join(""))), "f");
  expect(top(direct)[0]!.length).toBeGreaterThan(1);
  expect(top(pprof)).toEqual(top(direct));
  expect(top(folded)).toEqual(top(direct));
});

test("perf script has the same top 20 functions", async () => {
  const [self, total] = top(readPerfData(bytes("zstd.data"), "f", local));
  expect(top(await readPerfStacks(whole("zstd.txt"), "f"))).toEqual([self, total]);
  expect([self!.slice(0, 2), total!.length]).toEqual([
    [
      ["inner", 90],
      ["side", 68],
    ],
    18,
  ]);
});

test("functions of files that are not here, or changed, have no names", () => {
  const folded = (files?: LocalFiles): string =>
    [...foldedText(readPerfData(bytes("user.data"), "f", files), 0)].join("");
  const anonymous = "planted;[unknown];[planted];[planted];[planted] 80\n";
  expect(folded()).toBe(anonymous);
  const id = [0x68, 0xae, 0x23, 0xfa];
  const rebuilt = bytes("planted");
  const at = rebuilt.findIndex((_, from) => id.every((byte, step) => rebuilt[from + step] === byte));
  rebuilt[at] = 0;
  expect(folded(() => ({ bytes: rebuilt, inode }))).toBe(anonymous);
  expect(folded((path) => (path.endsWith("/elf") ? local("/opt/planted/planted") : null))).toBe(folded(local));
  const other: LocalFiles = (path) => (here[path] === undefined ? null : { bytes: bytes("planted"), inode: inode + 1 });
  expect([...foldedText(readPerfData(bytes("pipe.data"), "f", other), 0)].join("")).toContain("[planted]");
});

/** How often each of some functions is innermost, and in stacks. */
function tops(profile: StackProfile, isWanted: RegExp): readonly (readonly [string, number])[][] {
  return top(profile, Infinity).map((each) => each.filter(([name]) => isWanted.test(name)));
}

test("generated code has the names of the list that its process left", async () => {
  const list: LocalFiles = (path) =>
    path === "/tmp/perf-9198.map" ? { bytes: bytes("generated.map"), inode: 1 } : null;
  const direct = readPerfData(bytes("generated.data"), "f", list);
  const isGenerated = /^JS:/;
  const [self, total] = tops(direct, isGenerated);
  expect(total!.some(([name]) => name.startsWith("JS:~fib") || name.startsWith("JS:*fib"))).toBe(true);
  expect(tops(await readPerfStacks(whole("generated.txt"), "f"), isGenerated)).toEqual([self, total]);
  expect(direct.facts.comments).toContain("names of generated code come from /tmp/perf-9198.map");
  expect(tops(readPerfData(bytes("generated.data"), "f"), isGenerated)).toEqual([[], []]);
});

test("names of C++ functions are passed to the caller, who may change them", async () => {
  const files: LocalFiles = (path) => (path === "/opt/planted/names" ? { bytes: bytes("names"), inode: 1 } : null);
  const readable = new Map([["_ZN3geo4GridIdE3sumEi", "geo::Grid<double>::sum"]]);
  const direct = readPerfData(bytes("names.data"), "f", files, (name) => readable.get(name) ?? name);
  expect(tops(direct, /^geo|^main/)[1]!.length).toBe(2);
  expect(tops(direct, /^geo|^main/)).toEqual(tops(await readPerfStacks(whole("names.txt"), "f"), /^geo|^main/));
});

test("stacks that must be unwound need perf script", () => {
  expect(() => readPerfData(bytes("dwarf.data"), "some.data")).toThrow(
    "some.data cannot be read without perf: its stacks are copies of memory or of branches",
  );
});

test.each([
  [
    "cannot be read without perf: it was recorded on a big-endian machine",
    bytes("user.data").subarray(0, 8).toReversed(),
  ],
  ["unexpected end in a record", bytes("user.data").subarray(0, 60)],
  ["the table of features is not complete", bytes("user.data").subarray(0, 5000)],
  ["perf record was not terminated properly", bytes("user.data").fill(0, 48, 56)],
  ["an impossible size", bytes("pipe.data").fill(0, 22, 24)],
])("it is refused: %s", (reason, damaged) => {
  expect(() => readPerfData(damaged, "some.data")).toThrow(reason);
});

test("facts name the command, and the time from the first sample to the last", () => {
  const { facts } = readPerfData(bytes("user.data"), "f");
  expect(facts.comments).toEqual([expect.stringContaining("-e cpu-clock:u -c 2000000 -g -o user.data ./planted")]);
  expect(facts.duration).toBeGreaterThan(1e6);
});

test("any damage is read or refused", () => {
  for (const name of ["user", "zstd", "pipe"]) {
    const whole = bytes(`${name}.data`);
    for (let seed = 0; seed < mutations; seed++)
      refusedOrRead(() => readPerfData(mutateWords(whole, seed), "some.data", local), "some.data");
  }
});
