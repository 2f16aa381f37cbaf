import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { PartsFile, trimBeside, writeParts } from "./section-file.ts";

const folder = mkdtempSync(join(tmpdir(), "perfkeep-parts-"));
afterAll(() => rmSync(folder, { recursive: true }));

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const path = join(folder, "a");

test("parts are read one by one as they were written", () => {
  writeParts(path, [
    ["one", bytesOf("first")],
    ["nothing", new Uint8Array()],
    ["__proto__", bytesOf("x")],
  ]);
  const file = PartsFile.open(path);
  expect([file?.part("one"), file?.part("nothing"), file?.part("two"), file?.part("constructor")]).toEqual([
    bytesOf("first"),
    new Uint8Array(),
    undefined,
    undefined,
  ]);
  file?.close();
});

test("an open file stays what it is when another takes its name", () => {
  writeParts(path, [["one", bytesOf("old")]]);
  const old = PartsFile.open(path);
  writeParts(path, [["one", bytesOf("something new")]]);
  expect(old?.part("one")).toEqual(bytesOf("old"));
  old?.close();
});

test("what is damaged is not there, and goes", () => {
  writeParts(path, [
    ["one", bytesOf("first")],
    ["two", bytesOf("second")],
  ]);
  const damaged = readFileSync(path);
  damaged[2] = 0;
  writeFileSync(path, damaged);
  const file = PartsFile.open(path);
  expect(file?.part("two")).toEqual(bytesOf("second"));
  expect([file?.part("one"), existsSync(path)]).toEqual([undefined, false]);
  file?.close();
});

test("half a file, none, and what is no file are none", () => {
  writeParts(path, [["one", bytesOf("first")]]);
  const whole = readFileSync(path).length;
  for (const length of [whole - 1, 36, 35, 0]) {
    truncateSync(path, length);
    expect(PartsFile.open(path)).toBeUndefined();
  }
  expect([PartsFile.open(join(folder, "none")), PartsFile.open(folder)]).toEqual([undefined, undefined]);
});

test("the oldest files make room, the newest never", () => {
  for (const [at, name] of ["a", "b", "c", "d"].entries()) {
    writeFileSync(join(folder, name), new Uint8Array(100));
    utimesSync(join(folder, name), at + 1, at + 1);
  }
  trimBeside(join(folder, "b"), 250);
  expect(readdirSync(folder).toSorted()).toEqual(["b", "d"]);
  trimBeside(join(folder, "b"), 10);
  expect(readdirSync(folder)).toEqual(["b"]);
});
