import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { VersionId } from "../../core/versions/digest.ts";
import { JsonNumber, jsonObject } from "../../core/values/json.ts";
import { StoreLock } from "../durable/lock.ts";
import { Stats } from "./stats.ts";

const version = `cd${"b".repeat(38)}` as VersionId;
const older = `cd${"a".repeat(38)}` as VersionId;
const at = { version, date: "2023-11-19 22:13:20" };
const one = JsonNumber.integer(1);
const two = JsonNumber.integer(2);

let scratch: string;
let stats: Stats;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "perfkeep-stats-test-"));
  stats = new Stats(join(scratch, "stats"), new StoreLock(join(scratch, "lock"), "test"));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const pathIn = (path: string): string => join(scratch, "stats", path);
const unpacked = (path: string): string => inflateSync(readFileSync(pathIn(path))).toString("utf8");

function put(path: string, data: string | Uint8Array): void {
  mkdirSync(dirname(pathIn(path)), { recursive: true });
  writeFileSync(pathIn(path), data);
}

test("a missing folder has no statistics and is not created", async () => {
  expect([stats.versions(), stats.indexed(), stats.files(version), stats.read(version, "s")]).toEqual([
    [],
    [],
    [],
    null,
  ]);
  expect(stats.delete(version, ["s"], false)).toEqual([]);
  expect(existsSync(pathIn(""))).toBe(false);
});

test("statistics written by Perun are read", () => {
  put(
    `cd/${version.slice(2)}/custom-stats`,
    deflateSync('{\n  "id1": {\n    "v": 10,\n    "l": [\n      1,\n      2.5\n    ]\n  }\n}'),
  );
  put(".index", deflateSync(`[\n  [\n    "${version}",\n    "2023-11-19 22:13:20"\n  ]\n]`));
  expect(stats.versions()).toEqual([version]);
  expect(stats.indexed()).toEqual([at]);
  expect(stats.files(version).map(({ name }) => name)).toEqual(["custom-stats"]);
  const entry = jsonObject({ v: JsonNumber.integer(10), l: [one, new JsonNumber("2.5")] });
  expect(stats.read(version, "custom-stats")).toEqual(new Map([["id1", entry]]));
});

test("entries are written in Perun's format, replaced and merged", () => {
  stats.put(at, "s", "id1", jsonObject({ v: one, w: one }), false);
  stats.put(at, "s", "id1", jsonObject({ v: two, x: one }), true);
  expect(unpacked(`cd/${version.slice(2)}/s`)).toBe('{\n  "id1": {\n    "v": 2,\n    "w": 1,\n    "x": 1\n  }\n}');
  stats.put(at, "s", "id1", jsonObject({ only: one }), false);
  stats.put(at, "s", "id2", new Map(), false);
  expect(stats.read(version, "s")).toEqual(
    new Map([
      ["id1", jsonObject({ only: one })],
      ["id2", new Map()],
    ]),
  );
  expect(unpacked(".index")).toBe(`[\n  [\n    "${version}",\n    "2023-11-19 22:13:20"\n  ]\n]`);
});

test("the index lists each version once, newest first", () => {
  stats.put({ version: older, date: "2023-11-18 00:00:00" }, "s", "id", new Map(), false);
  stats.put(at, "s", "id", new Map(), false);
  stats.put(at, "t", "id", new Map(), false);
  expect(stats.indexed().map((each) => each.version)).toEqual([version, older]);
});

test("deleting removes empty folders unless `keepFolder` is set", () => {
  for (const name of ["s", "t"]) stats.put(at, name, "id", new Map(), false);
  stats.put({ version: older, date: "2023-11-18 00:00:00" }, "s", "id", new Map(), false);
  expect(stats.delete(version, ["s", "nothing"], false)).toEqual([`stats/cd/${version.slice(2)}/s`]);
  stats.delete(version, ["t"], true);
  expect(stats.versions().toSorted()).toEqual([older, version]);
  stats.delete(version, [], false);
  stats.delete(older, ["s"], false);
  expect([stats.versions(), stats.indexed(), existsSync(pathIn("cd"))]).toEqual([[], [], false]);
});

test("cleaning removes foreign files and empty versions, or keeps them on request", () => {
  stats.put(at, "s", "id", new Map(), false);
  mkdirSync(pathIn(`cd/${older.slice(2)}`));
  mkdirSync(pathIn(`cd/${version.slice(2)}/folder`));
  put("notes.txt", "");
  put("cd/short", "");
  symlinkSync("/etc", pathIn("ee"));
  expect(stats.clean({ foreign: true, empty: true })).toEqual([]);
  const removed = stats.clean({ foreign: false, empty: false }).toSorted();
  const version38 = version.slice(2);
  expect(removed).toEqual(
    [`cd/${older.slice(2)}`, `cd/${version38}/folder`, "cd/short", "ee", "notes.txt"]
      .map((path) => `stats/${path}`)
      .toSorted(),
  );
  expect([stats.versions(), stats.files(version).length, existsSync("/etc/passwd")]).toEqual([[version], 1, true]);
});

test("sync rebuilds the index from the folders, also if it is damaged", async () => {
  for (const each of [version, older]) stats.put({ ...at, version: each }, "s", "id", new Map(), false);
  put(".index", "rubbish");
  expect(stats.indexed()).toEqual([]);
  const dates = new Map([
    [version, "2020-01-01 00:00:00"],
    [older, "2021-01-01 00:00:00"],
  ]);
  const synced = await stats.sync(async (each) => dates.get(each) ?? "");
  expect(synced.map((each) => each.version)).toEqual([older, version]);
});

test.each(["../s", "a/b", "", ".index", "..", "\u0000", "-k", "x".repeat(201)])("the name %j is refused", (name) => {
  expect(() => stats.read(version, name)).toThrow(expect.objectContaining({ code: "bad-stats-name" }));
  expect(() => stats.put(at, name, "id", new Map(), false)).toThrow(
    expect.objectContaining({ code: "bad-stats-name" }),
  );
  stats.put(at, "s", "id", new Map(), false);
  expect(() => stats.delete(version, [name], false)).toThrow(expect.objectContaining({ code: "bad-stats-name" }));
});

test("links are not followed, and damaged files are reported and left unchanged", () => {
  mkdirSync(pathIn(""), { recursive: true });
  symlinkSync(scratch, pathIn("cd"));
  expect(() => stats.put(at, "s", "id", new Map(), false)).toThrow(
    expect.objectContaining({ code: "not-a-plain-file" }),
  );
  rmSync(pathIn("cd"));
  put(`cd/${version.slice(2)}/s`, "rubbish");
  put(`cd/${version.slice(2)}/t`, deflateSync('{"id": 1}'));
  expect(() => stats.read(version, "s")).toThrow(expect.objectContaining({ code: "packed-json-damaged" }));
  expect(() => stats.put(at, "s", "id", new Map(), false)).toThrow(
    expect.objectContaining({ code: "packed-json-damaged" }),
  );
  expect(() => stats.read(version, "t")).toThrow(expect.objectContaining({ code: "bad-stats" }));
  expect(readFileSync(pathIn(`cd/${version.slice(2)}/s`), "utf8")).toBe("rubbish");
});

test.each([["its file"], ["its file and folder"]])("a deletion that was killed after %s is completed", (what) => {
  stats.put(at, "s", "id", jsonObject({ a: one }), false);
  stats.put({ version: older, date: at.date }, "s", "id", jsonObject({ a: one }), false);
  rmSync(pathIn(`cd/${version.slice(2)}/s`));
  if (what === "its file and folder") rmSync(pathIn(`cd/${version.slice(2)}`), { recursive: true });
  expect(stats.indexed().map((each) => each.version)).toEqual(
    what === "its file" ? expect.arrayContaining([older, version]) : [older],
  );
  for (const each of stats.versions())
    stats.delete(
      each,
      stats.files(each).map(({ name }) => name),
      false,
    );
  expect([stats.versions(), stats.indexed(), existsSync(pathIn("cd"))]).toEqual([[], [], false]);
  expect(unpacked(".index")).not.toContain(version);
});
