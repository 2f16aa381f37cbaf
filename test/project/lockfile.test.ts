import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const locked = (
  JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Readonly<Record<string, LockedPackage>>;
  }
).packages;

/** The path of a dependency in the lockfile, by Node's lookup from a package up to the root. */
function lockedPath(from: string, name: string): string | undefined {
  const path = from === "" ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  if (locked[path] !== undefined) return path;
  return from === "" ? undefined : lockedPath(from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))), name);
}

describe("the lockfile", () => {
  // npm leaves out packages of other platforms without a message if the registry lacks them. `npm ci` then fails there.
  test("holds the optional packages of all platforms", () => {
    const missing = Object.entries(locked).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => lockedPath(path, name) === undefined)
        .map((name) => `${path} needs ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test("names versions and digests, and no registry", () => {
    const packages = Object.entries(locked).filter(([path]) => path !== "");
    expect(packages.filter(([, { version, integrity }]) => !version || !integrity).map(([path]) => path)).toEqual([]);
    expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });
});
