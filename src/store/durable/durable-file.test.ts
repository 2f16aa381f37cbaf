import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  createDurably,
  linkDurably,
  makeFolder,
  NewFile,
  removeDurably,
  removeEach,
  writeDurably,
  writeIntoShard,
} from "./durable-file.ts";
import { wrapSyncErrors, wrapWriteErrors } from "./file-failure.ts";
import { livenessOfWriter, isTemporaryName, sweepFolder, temporaryName } from "./temporary-files.ts";
import { ownIdentity } from "./process-identity.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "durable-"));
});

afterEach(() => {
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true, force: true });
});

const encode = (text: string): Uint8Array[] => [new TextEncoder().encode(text)];

/** A temporary file of an ended process of this machine whose pid was reused. */
const leftover = (): string => temporaryName().replace(`-${ownIdentity().start}-`, "-1-");

test("writes through missing folders, replaces, and leaves no temporary file", () => {
  const path = join(folder, "a", "b", "file");
  writeDurably(path, encode("one"));
  writeDurably(path, [...encode("two"), ...encode("-three")]);
  expect(readFileSync(path, "utf8")).toBe("two-three");
  expect(readdirSync(join(folder, "a", "b"))).toEqual(["file"]);
});

test("create never replaces", () => {
  const path = join(folder, "file");
  expect(createDurably(path, encode("first"))).toBe(true);
  expect(createDurably(path, encode("second"))).toBe(false);
  expect(readFileSync(path, "utf8")).toBe("first");
  expect(readdirSync(folder)).toEqual(["file"]);
});

function* failing(): Generator<Uint8Array> {
  yield new Uint8Array(3);
  throw new Error("no more");
}

test("a discarded file, or one whose source fails, leaves nothing", () => {
  const file = new NewFile(folder);
  file.write(new Uint8Array(10));
  file.discard();
  expect(() => writeDurably(join(folder, "file"), failing())).toThrow("no more");
  expect(readdirSync(folder)).toEqual([]);
});

test("an error of the operating system names the path and leaves nothing", () => {
  const path = join(folder, "taken");
  mkdirSync(path);
  expect(() => writeDurably(path, encode("x"))).toThrow(/cannot write .*taken: /);
  expect(readdirSync(folder)).toEqual(["taken"]);
});

test("a symbolic link instead of the folder is refused", () => {
  mkdirSync(join(folder, "target"));
  symlinkSync("target", join(folder, "link"));
  expect(() => writeDurably(join(folder, "link", "file"), encode("x"))).toThrow("symbolic link");
  expect(() => makeFolder(join(folder, "link"))).toThrow("symbolic link");
  expect(readdirSync(join(folder, "target"))).toEqual([]);
});

test("linking replaces an earlier link, which keeps its former data", () => {
  const path = join(folder, "file");
  const other = join(folder, "file.prev");
  for (const value of ["one", "two", "three"]) {
    if (existsSync(path)) linkDurably(path, other);
    writeDurably(path, encode(value));
  }
  linkDurably(path, other);
  linkDurably(path, other);
  expect(readFileSync(other, "utf8")).toBe("three");
  expect(readdirSync(folder)).toEqual(["file", "file.prev"]);
});

test("removing returns whether the file existed", () => {
  writeFileSync(join(folder, "file"), "");
  expect(removeDurably(join(folder, "file"))).toBe(true);
  expect(removeDurably(join(folder, "file"))).toBe(false);
});

test("removes each file that it can", () => {
  for (const name of ["first", "third"]) writeFileSync(join(folder, name), "");
  mkdirSync(join(folder, "second"));
  const failures = removeEach(["first", "second", "third", "none"].map((name) => join(folder, name)));
  expect([...failures].map(([path, { code }]) => [path, code])).toEqual([[join(folder, "second"), "cannot-write"]]);
  expect(readdirSync(folder)).toEqual(["second"]);
});

test("writing into a shard creates it with only the file, and searches only the parent folder for leftovers", () => {
  const [inParent, inShard] = [leftover(), leftover()];
  writeFileSync(join(folder, inParent), "");
  writeIntoShard(folder, join(folder, "aa", "first"), encode("one"));
  expect(readdirSync(folder)).toEqual(["aa"]);
  writeFileSync(join(folder, "aa", inShard), "");
  writeIntoShard(folder, join(folder, "aa", "first"), encode("two"));
  expect(readFileSync(join(folder, "aa", "first"), "utf8")).toBe("two");
  expect(readdirSync(join(folder, "aa"))).toEqual([inShard, "first"]);
  expect(() => writeIntoShard(folder, join(folder, "aa", "second"), failing())).toThrow("no more");
  expect(readdirSync(folder)).toEqual(["aa"]);
});

test("the next write removes leftovers of dead writers and keeps those of living ones", () => {
  const dead = leftover();
  const living = temporaryName();
  writeFileSync(join(folder, dead), "half");
  writeFileSync(join(folder, living), "half");
  expect([livenessOfWriter(dead), livenessOfWriter(living)]).toEqual(["dead", "alive"]);
  writeDurably(join(folder, "file"), encode("x"));
  expect(readdirSync(folder).sort()).toEqual([living, "file"].sort());
});

test("leftovers of other machines are removed only when they are over a day old", () => {
  const foreign = ".tmp-00000000-17-5-0";
  writeFileSync(join(folder, foreign), "half");
  expect(isTemporaryName(foreign)).toBe(true);
  expect(sweepFolder(folder)).toEqual([]);
  expect(sweepFolder(folder, Date.now() + 3_600_000)).toEqual([]);
  expect(sweepFolder(folder, Date.now() + 90_000_000)).toEqual([foreign]);
});

test.each([-122, -69])("a full quota is named, although Node has no name for it (%i)", (errno) => {
  const error = Object.assign(new Error("write"), { errno, code: `Unknown system error ${errno}` });
  const fail = (): never => {
    throw error;
  };
  expect(() => wrapWriteErrors("/x", fail)).toThrow("cannot write /x: disk quota exceeded");
  expect(() => wrapWriteErrors("/x", fail)).not.toThrow(/free\)/);
  expect(() => wrapSyncErrors("/x", fail)).toThrow(
    "/x was changed, but the change may not survive a power cut: disk quota",
  );
});
