import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { stateKinds, StoreStateReader } from "./store-state.ts";
import { Workspace } from "../workspace.ts";

const folder = mkdtempSync(join(tmpdir(), "perfkeep-state-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("detects which kind of data has changed", async () => {
  mkdirSync(join(folder, ".perun/objects/aa"), { recursive: true });
  writeFileSync(join(folder, ".perun/local.yml"), "vcs:\n  type: tagit\n  url: ../\n");
  const world = { directory: folder, environment: { HOME: folder }, now: () => 0, random: () => 0, command: "" };
  const states = await StoreStateReader.open(new Workspace(world));
  let before = states.read();
  const changed = (): string[] => {
    const now = states.read();
    const kinds = stateKinds.filter((kind) => now[kind] !== before[kind]);
    before = now;
    return kinds;
  };
  expect(changed()).toEqual([]);
  writeFileSync(join(folder, "new"), "x");
  renameSync(join(folder, "new"), join(folder, ".perun/objects/aa", "b".repeat(38)));
  expect(changed()).toEqual(["profiles"]);
  writeFileSync(join(folder, ".perun/experiments.duckdb"), "x");
  expect(changed()).toEqual(["experiments"]);
  appendFileSync(join(folder, ".perun/experiments.duckdb.wal"), "x");
  expect(changed()).toEqual(["experiments"]);
  writeFileSync(join(folder, "perfkeep.thresholds.yml"), "x");
  expect(changed()).toEqual(["profiles"]);
  mkdirSync(join(folder, ".perun/objects/ab"));
  expect(changed()).toEqual(["profiles"]);
});
