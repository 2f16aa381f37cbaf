import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Pending } from "./pending.ts";

let folder: string;
let pending: Pending;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pending-"));
  pending = new Pending(join(folder, "jobs"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (text: string): Uint8Array[] => [new TextEncoder().encode(text)];

test("lists nothing and creates nothing if the folder is missing", () => {
  expect(pending.list()).toEqual([]);
  expect(existsSync(pending.folder)).toBe(false);
});

test("created profiles are listed, read and removed", () => {
  pending.create("b.perf", bytes("two"));
  pending.create("a.perf", bytes("one"));
  writeFileSync(join(pending.folder, "notes.txt"), "");
  mkdirSync(join(pending.folder, "folder.perf"));
  symlinkSync("/etc/passwd", join(pending.folder, "link.perf"));
  expect(pending.list().map((file) => file.name)).toEqual(["a.perf", "b.perf"]);
  expect(new TextDecoder().decode(pending.read("b.perf"))).toBe("two");
  expect([pending.remove("a.perf"), pending.remove("a.perf")]).toEqual([true, false]);
  expect(pending.list().map((file) => file.name)).toEqual(["b.perf"]);
});

test("headers of profiles are read, other files skipped", () => {
  pending.create(
    "good.perf",
    bytes('{"header":{"type":"time","cmd":"ls","workload":"-l"},"collector_info":{"name":"time"}}'),
  );
  pending.create("bad.perf", bytes("no profile"));
  expect(pending.profiles()).toMatchObject([
    { name: "good.perf", type: "time", cmd: "ls", workload: "-l", collector: "time", object: "" },
  ]);
});

test("profiles of the same second are listed newest first", () => {
  for (const [at, name] of ["a.perf", "c.perf", "b.perf"].entries()) {
    const path = pending.create(name, bytes('{"header":{"type":"time"},"collector_info":{"name":"time"}}'));
    utimesSync(path, 1_700_000_000, 1_700_000_000 + at / 10);
  }
  expect(pending.profiles().map(({ name, time }) => [name, time])).toEqual([
    ["b.perf", 1_700_000_000],
    ["c.perf", 1_700_000_000],
    ["a.perf", 1_700_000_000],
  ]);
});

test("an existing profile is never replaced", () => {
  const path = pending.create("a.perf", bytes("one"));
  expect(() => pending.create("a.perf", bytes("two"))).toThrow("already exists");
  expect(readFileSync(path, "utf8")).toBe("one");
});

test("reading follows no link and names a missing profile", () => {
  mkdirSync(pending.folder);
  symlinkSync("/etc/passwd", join(pending.folder, "link.perf"));
  expect(() => pending.read("link.perf")).toThrow("symbolic link");
  expect(() => pending.read("none.perf")).toThrow("is not a pending profile");
});

test("jobs as a link is refused", () => {
  mkdirSync(join(folder, "other"));
  symlinkSync("other", pending.folder);
  expect(() => pending.list()).toThrow("symbolic link");
  expect(() => pending.create("a.perf", bytes("x"))).toThrow("symbolic link");
});

test.each([
  "",
  ".",
  "..",
  "../x.perf",
  "a/b.perf",
  "a\\b.perf",
  "a\u0000.perf",
  "a\nb.perf",
  "\u009b.perf",
  "-x.perf",
  "x".repeat(201),
  "\ud800.perf",
])("the name %j is refused", (name) => {
  expect(() => pending.create(name, bytes("x"))).toThrow("is not a valid profile name");
  expect(() => pending.read(name)).toThrow("is not a valid profile name");
  expect(readdirSync(folder)).toEqual([]);
});
