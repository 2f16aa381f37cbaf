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
import { SectionFile, trimFolder, writeSections } from "./section-file.ts";

const folder = mkdtempSync(join(tmpdir(), "perfkeep-parts-"));
afterAll(() => rmSync(folder, { recursive: true }));

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const path = join(folder, "a");

test("sections are read one by one as written", () => {
  writeSections(path, [
    ["one", bytesOf("first")],
    ["nothing", new Uint8Array()],
    ["__proto__", bytesOf("x")],
  ]);
  const file = SectionFile.open(path);
  expect([file?.section("one"), file?.section("nothing"), file?.section("two"), file?.section("constructor")]).toEqual([
    bytesOf("first"),
    new Uint8Array(),
    undefined,
    undefined,
  ]);
  file?.close();
});

test("an open file is unchanged when another replaces it", () => {
  writeSections(path, [["one", bytesOf("old")]]);
  const old = SectionFile.open(path);
  writeSections(path, [["one", bytesOf("something new")]]);
  expect(old?.section("one")).toEqual(bytesOf("old"));
  old?.close();
});

test("a damaged section is missing, and the file is deleted", () => {
  writeSections(path, [
    ["one", bytesOf("first")],
    ["two", bytesOf("second")],
  ]);
  const damaged = readFileSync(path);
  damaged[2] = 0;
  writeFileSync(path, damaged);
  const file = SectionFile.open(path);
  expect(file?.section("two")).toEqual(bytesOf("second"));
  expect([file?.section("one"), existsSync(path)]).toEqual([undefined, false]);
  file?.close();
});

test("truncated, missing and non-regular files are not opened", () => {
  writeSections(path, [["one", bytesOf("first")]]);
  const fullLength = readFileSync(path).length;
  for (const length of [fullLength - 1, 36, 35, 0]) {
    truncateSync(path, length);
    expect(SectionFile.open(path)).toBeUndefined();
  }
  expect([SectionFile.open(join(folder, "none")), SectionFile.open(folder)]).toEqual([undefined, undefined]);
});

test("the oldest files are removed, the given one never", () => {
  for (const [at, name] of ["a", "b", "c", "d"].entries()) {
    writeFileSync(join(folder, name), new Uint8Array(100));
    utimesSync(join(folder, name), at + 1, at + 1);
  }
  trimFolder(join(folder, "b"), 250);
  expect(readdirSync(folder).toSorted()).toEqual(["b", "d"]);
  trimFolder(join(folder, "b"), 10);
  expect(readdirSync(folder)).toEqual(["b"]);
});
