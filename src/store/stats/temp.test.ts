import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StoreLock } from "../durable/lock.ts";
import { Temp } from "./temp.ts";

let scratch: string;
let temp: Temp;

beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-temp-test-")));
  temp = new Temp(join(scratch, ".perun", "tmp"), new StoreLock(join(scratch, ".perun", "lock"), "test"));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const pathIn = (path: string): string => join(temp.folder, path);

function put(path: string, data: string | Uint8Array = ""): void {
  mkdirSync(dirname(pathIn(path)), { recursive: true });
  writeFileSync(pathIn(path), data);
}

/** The index as Perun writes it. */
function putIndex(marks: Readonly<Record<string, object>>): void {
  put(".index", deflateSync(JSON.stringify(marks, null, 2)));
}

const index = (): object => JSON.parse(inflateSync(readFileSync(pathIn(".index"))).toString("utf8")) as object;
const marks = { json: false, protected: true, compressed: false };

function filled(): void {
  for (const path of ["b.tmp", "c.tmp", "dir/a.tmp", "dir/deep/d.tmp"]) put(path, path);
  putIndex({ [pathIn("b.tmp")]: marks, [pathIn("dir/a.tmp")]: { ...marks, json: true }, [pathIn("gone.tmp")]: marks });
}

test("a missing folder has no files and is not created", () => {
  expect([temp.list("."), temp.sync()]).toEqual([[], []]);
  expect(existsSync(temp.folder)).toBe(false);
});

test("files are listed with their marks, below a folder or individually", () => {
  filled();
  expect(temp.list(".").map((file) => [file.path, file.size, file.protected, file.json])).toEqual([
    ["b.tmp", 5, true, false],
    ["c.tmp", 5, false, false],
    ["dir/a.tmp", 9, true, true],
    ["dir/deep/d.tmp", 14, false, false],
  ]);
  const paths = (root: string): string[] => temp.list(root).map(({ path }) => path);
  expect([paths("dir"), paths("dir/deep/"), paths("b.tmp"), paths(pathIn("dir/a.tmp"))]).toEqual([
    ["dir/a.tmp", "dir/deep/d.tmp"],
    ["dir/deep/d.tmp"],
    ["b.tmp"],
    ["dir/a.tmp"],
  ]);
});

test("marks of a moved store are recognised", () => {
  put("b.tmp");
  putIndex({ "/elsewhere/repo/.perun/tmp/b.tmp": marks });
  expect(temp.list(".")).toMatchObject([{ path: "b.tmp", protected: true }]);
});

test("deleting removes marks and, unless they are to be kept, empty folders", () => {
  filled();
  temp.delete("dir", ["dir/deep/d.tmp"], true);
  expect(existsSync(pathIn("dir/deep"))).toBe(true);
  temp.delete("dir", ["dir/a.tmp"], false);
  expect([existsSync(pathIn("dir")), existsSync(temp.folder)]).toEqual([false, true]);
  expect(index()).toEqual({ [pathIn("b.tmp")]: marks });
  temp.delete(".", ["b.tmp", "c.tmp"], false);
  expect([temp.list("."), index()]).toEqual([[], {}]);
});

test("protection is set and cleared; files without marks are not in the index", () => {
  filled();
  temp.protect(["c.tmp", "b.tmp"], true);
  temp.protect(["b.tmp"], false);
  expect(temp.list(".").flatMap((file) => (file.protected ? [file.path] : []))).toEqual(["c.tmp", "dir/a.tmp"]);
  expect(temp.sync()).toEqual(["gone.tmp"]);
  expect(Object.keys(index()).toSorted()).toEqual([pathIn("c.tmp"), pathIn("dir/a.tmp")]);
});

test("a damaged index counts as empty", () => {
  put("b.tmp");
  put(".index", "rubbish");
  expect(temp.list(".")).toMatchObject([{ path: "b.tmp", protected: false }]);
});

test.each(["..", "../x", "/etc", "dir/../../x", "a\u0000b"])(
  "%j is refused, because it leads out of the folder",
  (path) => {
    filled();
    expect(() => temp.list(path)).toThrow(expect.objectContaining({ code: "outside-of-temp" }));
    expect(() => temp.delete(path, [], false)).toThrow(expect.objectContaining({ code: "outside-of-temp" }));
  },
);

test.each(["nothing", "dir/nothing", "nothing/below", ".index"])("%j is reported as missing", (path) => {
  filled();
  expect(() => temp.list(path)).toThrow(expect.objectContaining({ code: "no-temp" }));
});

test("links are neither listed nor followed", () => {
  filled();
  mkdirSync(join(scratch, "outside"));
  writeFileSync(join(scratch, "outside", "x"), "");
  symlinkSync(join(scratch, "outside"), pathIn("link"));
  symlinkSync(join(scratch, "outside", "x"), pathIn("dir/file"));
  expect(temp.list(".").map(({ path }) => path)).toEqual(["b.tmp", "c.tmp", "dir/a.tmp", "dir/deep/d.tmp"]);
  expect(() => temp.list("link/x")).toThrow(expect.objectContaining({ code: "not-a-plain-file" }));
  expect(() => temp.delete(".", ["link/x"], false)).toThrow(expect.objectContaining({ code: "not-a-plain-file" }));
  expect(existsSync(join(scratch, "outside", "x"))).toBe(true);
});

test("marks of a hostile index reach no other file", () => {
  writeFileSync(join(scratch, "x"), "");
  put("b.tmp");
  putIndex({ "/x/.perun/tmp/../../x": marks, __proto__: marks, [join(scratch, "x")]: marks });
  expect(temp.sync()).toHaveLength(2);
  expect([existsSync(join(scratch, "x")), index()]).toEqual([true, {}]);
});
