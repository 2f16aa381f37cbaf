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
  writeDurably,
  writeIntoShard,
} from "./durable-file.ts";
import { fateOfWriter, isTemporaryName, sweepFolder, temporaryName } from "./temporary-files.ts";
import { ownIdentity } from "./process-identity.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "durable-"));
});

afterEach(() => {
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true, force: true });
});

const text = (content: string): Uint8Array[] => [new TextEncoder().encode(content)];

/** A temporary file of a process of this machine that is no more: its pid was given to another one since. */
const leftover = (): string => temporaryName().replace(`-${ownIdentity().start}-`, "-1-");

test("writes through missing folders, replaces, and leaves no temporary file", () => {
  const path = join(folder, "a", "b", "file");
  writeDurably(path, text("one"));
  writeDurably(path, [...text("two"), ...text("-three")]);
  expect(readFileSync(path, "utf8")).toBe("two-three");
  expect(readdirSync(join(folder, "a", "b"))).toEqual(["file"]);
});

test("create never replaces", () => {
  const path = join(folder, "file");
  expect(createDurably(path, text("first"))).toBe(true);
  expect(createDurably(path, text("second"))).toBe(false);
  expect(readFileSync(path, "utf8")).toBe("first");
  expect(readdirSync(folder)).toEqual(["file"]);
});

function* failing(): Generator<Uint8Array> {
  yield new Uint8Array(3);
  throw new Error("no more");
}

test("a file that is given up, or whose content fails to come, leaves nothing", () => {
  const file = new NewFile(folder);
  file.write(new Uint8Array(10));
  file.discard();
  expect(() => writeDurably(join(folder, "file"), failing())).toThrow("no more");
  expect(readdirSync(folder)).toEqual([]);
});

test("what the operating system refuses names the path and leaves nothing", () => {
  const path = join(folder, "taken");
  mkdirSync(path);
  expect(() => writeDurably(path, text("x"))).toThrow(/cannot write .*taken: /);
  expect(readdirSync(folder)).toEqual(["taken"]);
});

test("a link in place of the folder is refused", () => {
  mkdirSync(join(folder, "target"));
  symlinkSync("target", join(folder, "link"));
  expect(() => writeDurably(join(folder, "link", "file"), text("x"))).toThrow("symbolic link");
  expect(() => makeFolder(join(folder, "link"))).toThrow("symbolic link");
  expect(readdirSync(join(folder, "target"))).toEqual([]);
});

test("the second name takes the place of an earlier one and keeps the content of its time", () => {
  const path = join(folder, "file");
  const other = join(folder, "file.prev");
  for (const content of ["one", "two", "three"]) {
    if (existsSync(path)) linkDurably(path, other);
    writeDurably(path, text(content));
  }
  linkDurably(path, other);
  linkDurably(path, other);
  expect(readFileSync(other, "utf8")).toBe("three");
  expect(readdirSync(folder)).toEqual(["file", "file.prev"]);
});

test("removing says whether there was something", () => {
  writeFileSync(join(folder, "file"), "");
  expect(removeDurably(join(folder, "file"))).toBe(true);
  expect(removeDurably(join(folder, "file"))).toBe(false);
});

test("into a shard: the shard is made and holds nothing but the file, and only the folder above is looked through", () => {
  const [above, beside] = [leftover(), leftover()];
  writeFileSync(join(folder, above), "");
  writeIntoShard(folder, join(folder, "aa", "first"), text("one"));
  expect(readdirSync(folder)).toEqual(["aa"]);
  writeFileSync(join(folder, "aa", beside), "");
  writeIntoShard(folder, join(folder, "aa", "first"), text("two"));
  expect(readFileSync(join(folder, "aa", "first"), "utf8")).toBe("two");
  expect(readdirSync(join(folder, "aa"))).toEqual([beside, "first"]);
  expect(() => writeIntoShard(folder, join(folder, "aa", "second"), failing())).toThrow("no more");
  expect(readdirSync(folder)).toEqual(["aa"]);
});

test("leftovers of dead writers are swept by the next write, those of living ones stay", () => {
  const dead = leftover();
  const living = temporaryName();
  writeFileSync(join(folder, dead), "half");
  writeFileSync(join(folder, living), "half");
  expect([fateOfWriter(dead), fateOfWriter(living)]).toEqual(["dead", "alive"]);
  writeDurably(join(folder, "file"), text("x"));
  expect(readdirSync(folder).sort()).toEqual([living, "file"].sort());
});

test("leftovers of other machines are swept only when they are a day old", () => {
  const foreign = ".tmp-00000000-17-5-0";
  writeFileSync(join(folder, foreign), "half");
  expect(isTemporaryName(foreign)).toBe(true);
  expect(sweepFolder(folder)).toEqual([]);
  expect(sweepFolder(folder, Date.now() + 3_600_000)).toEqual([]);
  expect(sweepFolder(folder, Date.now() + 90_000_000)).toEqual([foreign]);
});
