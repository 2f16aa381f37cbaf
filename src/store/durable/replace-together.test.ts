import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { replaceEachNow, replaceTogether, reportsSyncErrors, syncFiles } from "./replace-together.ts";
import { ownIdentity } from "./process-identity.ts";
import { isTemporaryName, temporaryName } from "./temporary-files.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "together-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const leftovers = (): unknown[] =>
  readdirSync(folder, { recursive: true }).filter((name) => isTemporaryName(String(name)));

describe.each([
  { name: "replaceTogether", replace: replaceTogether },
  {
    name: "replaceEachNow",
    replace: async (...given: Parameters<typeof replaceEachNow>) => void replaceEachNow(...given),
  },
])("$name", ({ replace }) => {
  test.each([3, 300])("replaces %i files in their shards", async (count) => {
    const paths = Array.from({ length: count }, (_, at) => join(folder, (at % 100).toString(16), `file-${at}`));
    await replace(folder, [{ path: paths[1]!, bytes: bytes("before") }]);
    writeFileSync(join(folder, temporaryName().replace(`-${ownIdentity().start}-`, "-1-")), "of a dead writer");
    await replace(
      folder,
      paths.map((path, at) => ({ path, bytes: bytes(`now ${at}`) })),
    );
    expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(paths.map((_, at) => `now ${at}`));
    expect(leftovers()).toEqual([]);
  });

  test("creates no folder for no files", async () => {
    await replace(join(folder, "none"), []);
    expect(existsSync(join(folder, "none"))).toBe(false);
  });
});

describe("a file that cannot be replaced", () => {
  const files = (): { path: string; bytes: Uint8Array }[] => {
    mkdirSync(join(folder, "a", "taken"), { recursive: true });
    return ["first", "taken", "third"].map((name) => ({ path: join(folder, "a", name), bytes: bytes(name) }));
  };

  afterEach(() => expect(leftovers()).toEqual([]));

  test("leaves no temporary file, and later files as they were", async () => {
    await expect(replaceTogether(folder, files())).rejects.toMatchObject({ code: "cannot-write" });
    expect(readdirSync(join(folder, "a")).sort()).toEqual(["first", "taken"]);
  });

  test("does not affect the others if each is replaced", () => {
    const failures = replaceEachNow(folder, files());
    expect([...failures].map(([path, { code }]) => [path, code])).toEqual([
      [join(folder, "a", "taken"), "cannot-write"],
    ]);
    expect(readdirSync(join(folder, "a")).sort()).toEqual(["first", "taken", "third"]);
  });
});

describe("syncing files", () => {
  function files(count: number): string[] {
    const paths = Array.from({ length: count }, (_, n) => join(folder, `${n}`));
    for (const path of paths) writeFileSync(path, path);
    return paths;
  }

  test("many files are synced with one file system sync, a few one by one", async () => {
    const synced: string[] = [];
    const syncAll = async (of: string): Promise<boolean> => {
      synced.push(of);
      return true;
    };
    await syncFiles(folder, files(3), syncAll);
    expect(synced).toEqual([]);
    await syncFiles(folder, files(300), syncAll);
    expect(synced).toEqual([folder]);
  });

  test("every file is synced if the file system cannot be", async () => {
    const paths = files(300);
    rmSync(join(folder, "299"));
    await expect(syncFiles(folder, paths, async () => false)).rejects.toMatchObject({
      code: "cannot-write",
      data: { errno: "ENOENT" },
    });
    await syncFiles(folder, paths.slice(0, 299), async () => false);
  });

  test("many files are synced on this machine", () => syncFiles(folder, files(300)));

  test.each([
    ["5.17.0-generic", true],
    ["6.1.0-18-amd64", true],
    ["5.15.0-91-generic", false],
    ["4.18.0-553.el8", false],
    ["unknown", false],
  ])("syncfs of Linux %s reports failures: %s", (release, expected) => {
    expect(reportsSyncErrors(release)).toBe(expected);
  });
});
