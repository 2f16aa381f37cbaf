import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Change } from "../../core/verdicts/change.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { storedChange } from "../../formats/store/changes.ts";
import { StoredChanges } from "./version-changes.ts";
import { StoreLock } from "../durable/lock.ts";

const version = "ab".repeat(20) as VersionId;
const baseline = "cd".repeat(20) as VersionId;
const scratch: string[] = [];

afterEach(() => {
  for (const folder of scratch.splice(0)) rmSync(folder, { recursive: true });
});

function open(): { changes: StoredChanges; file: string; lock: string } {
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-changes-"));
  scratch.push(folder);
  const [lock, objects] = [join(folder, "lock"), join(folder, "objects")];
  mkdirSync(objects);
  return {
    changes: new StoredChanges(objects, new StoreLock(lock, "test")),
    file: join(objects, "ab", `${version.slice(2)}.changes`),
    lock,
  };
}

const change: Change = {
  location: "sort",
  result: "Degradation",
  type: "time",
  from: "1.0s",
  to: "7.0s",
  rate: 7,
  relativeRate: 0,
  confidence: { type: "no", rate: 0 },
  method: "average_amount_threshold",
};
const line = `sort PerformanceChange.Degradation time 1.0s 7.0s 7.0 no 0.0 0.0 ${baseline} ./sort big`;
const stored = (differs: Partial<Change> = {}): ReturnType<typeof storedChange> =>
  storedChange({ ...change, ...differs }, baseline, "./sort big");

describe("stored changes", () => {
  it("are written sorted, in Perun's format, and read back", () => {
    const { changes, file } = open();
    changes.replace(version, () => false, [stored(), stored({ location: "main" })]);
    expect(readFileSync(file, "utf8")).toBe(`${line.replace("sort", "main")}\n${line}`);
    expect(changes.read(version)).toMatchObject([
      { location: "main" },
      { location: "sort", rate: 7, command: "./sort big", baseline },
    ]);
  });

  it("replace outdated ones and those with the same key; other lines stay byte for byte", () => {
    const { changes, file } = open();
    const foreign = `other PerformanceChange.Optimization time 8.00s 0.01s 1.25e-3 r_square 0.50 0.0 ${baseline} ./other`;
    mkdirSync(join(file, ".."));
    writeFileSync(file, [foreign, line, "an unparsable line", line.replace("sort", "old")].join("\n"));
    changes.replace(version, ({ location }) => location === "old", [stored({ rate: 9 })]);
    expect(readFileSync(file, "utf8").split("\n")).toEqual([
      foreign,
      line.replace(" 7.0 no", " 9.0 no"),
      "an unparsable line",
    ]);
  });

  it("that become empty remove the file", () => {
    const { changes, file } = open();
    changes.replace(version, () => false, [stored()]);
    changes.replace(version, () => true, []);
    expect(existsSync(file)).toBe(false);
    expect(changes.read(version)).toEqual([]);
  });

  it("are not rewritten if nothing differs: no lock, no new file", () => {
    const { changes, file, lock } = open();
    changes.replace(version, () => true, []);
    expect(existsSync(join(file, ".."))).toBe(false);
    changes.replace(version, () => false, [stored()]);
    const before = statSync(file).ino;
    writeFileSync(lock, "held by another process");
    changes.replace(version, () => true, [stored()]);
    expect(statSync(file).ino).toBe(before);
  });
});
