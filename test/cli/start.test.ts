import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Playground, scratchFolder } from "./program.ts";

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
