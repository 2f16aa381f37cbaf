import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Playground, scratchFolder, timeProfile } from "./program.ts";

let place: Playground;
let program: string;

/** A copy of the program without the code cache that the build made for this Node. */
beforeEach(() => {
  place = new Playground();
  program = join(scratchFolder(), "dist");
  cpSync(dirname(place.program), program, { recursive: true });
  for (const name of readdirSync(program).filter((file) => file.endsWith(".cache"))) rmSync(join(program, name));
});

const version = (): string => {
  const ended = place.start(join(program, "cli.js"), ["--version"]);
  expect(ended).toMatchObject({ status: 0, stderr: "" });
  return ended.stdout;
};

const kept = (): string[] => {
  const folder = join(place.home, ".cache/perfkeep");
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
};

/** The packs of the program that were loaded since: of each a code cache is kept where there is none. */
const loadedPacks = (): string[] => kept().map((path) => /([^/-]+)-[^/]*$/.exec(path)?.[1] ?? path);

/** Bytes of a pack. */
const sizeOf = (pack: string): number => {
  const names = readdirSync(program).filter((name) => new RegExp(`^${pack}-[0-9a-f]+[.]js`).test(name));
  return names.reduce((sum, name) => sum + statSync(join(program, name)).size, 0);
};

describe("what is loaded", () => {
  const start = (...words: string[]): void => {
    const { status, stderr } = place.start(join(program, "cli.js"), words);
    expect(status, stderr).toBe(0);
  };

  it("is one small pack for everyday commands", () => {
    rmSync(join(program, "parts"), { recursive: true });
    const one = place.commit("one");
    start("init");
    start("add", place.write("a.perf", timeProfile({ origin: one, amounts: [1, 2, 3] })));
    const two = place.commit("two");
    const profile = place.write("b.perf", timeProfile({ origin: two, amounts: [40, 50, 60] }));
    for (const words of [["--version"], ["status"], ["log", "--short"], ["add", profile], ["log"]]) start(...words);
    expect(loadedPacks()).toEqual(["everyday"]);
    expect(place.start(join(program, "cli.js"), ["check", "head"])).toMatchObject({ status: 1, stderr: "" });
    expect(loadedPacks().toSorted()).toEqual(["checks", "everyday"]);
    expect(sizeOf("checks")).toBeLessThan(200_000);
    // Its text, which is read at every start. What made it grow is better imported where it is used, or belongs to
    // another pack.
    expect(sizeOf("everyday")).toBeLessThan(450_000);
  });

  it("is a pack of sharing besides for a status that tells what is not shared yet", () => {
    place.commit("one");
    place.git("init", "-q", "--bare", join(place.home, "hub.git"));
    start("init");
    start("push", join(place.home, "hub.git"));
    rmSync(join(place.home, ".cache"), { recursive: true });
    start("status");
    // Of the checks, only small modules of the core; they are in the pack of the first group that uses them.
    expect(loadedPacks().toSorted()).toEqual(["checks", "everyday", "sharing"]);
    expect(sizeOf("sharing")).toBeLessThan(200_000);
  });

  it("is what experiments need besides, and no package that reads what is not there, for an import", () => {
    const parts = readdirSync(join(program, "parts")).filter((name) => !/^(?:failures\.js|chunks)$/.test(name));
    for (const name of parts) rmSync(join(program, "parts", name), { recursive: true });
    symlinkSync(join(dirname(place.program), "../node_modules"), join(dirname(program), "node_modules"));
    writeFileSync(join(place.folder, "a.exp"), "*experiment a\n*parameter n int - NULL\n*result t float s\n");
    writeFileSync(join(place.folder, "a.inp"), "RULES stream\nTABLE t row=#t skip=1 pos=1\n");
    writeFileSync(join(place.folder, "a.txt"), "#t\n1.5\n2.5\n");
    start("experiment", "create", "a.exp");
    start("import", "-q", "-d", "a.inp", "-e", "a", "a.txt");
    expect(loadedPacks().toSorted()).toEqual(["checks", "everyday", "experiments", "imports"]);
    expect(sizeOf("experiments") + sizeOf("imports")).toBeLessThan(700_000);
  });
});

describe("the code cache", () => {
  it("is made once in the user's folder when the program brings none for this Node", () => {
    expect(version()).toMatch(/^perfkeep \d/);
    const [cache = ""] = kept();
    expect(cache).toMatch(/\.cache$/);
    const before = readFileSync(cache);
    expect(version()).toMatch(/^perfkeep \d/);
    expect(kept()).toEqual([cache]);
    expect(readFileSync(cache).equals(before)).toBe(true);
  });

  it("is passed over and replaced when it is damaged", () => {
    version();
    const [cache = ""] = kept();
    const whole = readFileSync(cache);
    for (const damaged of [
      Buffer.from("nonsense"),
      whole.map((byte, i) => (i % 5000 === 4999 ? byte ^ 0x55 : byte)),
      whole.subarray(0, 5000),
    ]) {
      writeFileSync(cache, damaged);
      expect(version()).toMatch(/^perfkeep \d/);
      expect(readFileSync(cache).length).toBeGreaterThan(10_000);
    }
  });

  it("is not missed where it cannot be kept", () => {
    const ended = place.start(join(program, "cli.js"), ["--version"], { env: { XDG_CACHE_HOME: "/proc/nowhere" } });
    expect(ended).toMatchObject({ status: 0, stderr: "" });
  });
});
