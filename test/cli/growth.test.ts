import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { dimensions, type Dimension } from "../../bench/simulate/dimensions.ts";
import { growth } from "../../bench/simulate/growth.ts";
import { simulate, type Simulated } from "../../bench/simulate/simulation.ts";
import { programPath, scratchFolder } from "./program.ts";

const counting = fileURLToPath(new URL("../../bench/simulate/counting.cjs", import.meta.url));

/**
 * Counts alone, which are the same on every machine; the times and the memory of the same worlds are for `npm run
 * bench:simulate`.
 */
function counted(name: string, sizes: readonly number[], commands: readonly string[]): Simulated[] {
  const whole = dimensions[name] as Dimension;
  const dimension = { ...whole, commands: whole.commands.filter((command) => commands.includes(command.name)) };
  expect(dimension.commands).toHaveLength(commands.length);
  const scratch = scratchFolder();
  const program = { script: programPath, counting, home: join(scratch, "home") };
  return simulate(dimension, { program, scratch, seed: 1, rounds: 1, sizes, without: ["cpu", "peak"] });
}

const told = (rows: readonly Simulated[]): string[] =>
  rows.map(
    ({ what, measure, fitted, predicted, costs }) =>
      `${what} ${measure}: n^${fitted.toFixed(2)} for n^${predicted} (${costs.join(", ")})`,
  );

function tooFast(rows: readonly Simulated[]): string[] {
  return told(rows.filter(({ isFine }) => !isFine));
}

test("the work for one commit is independent of their number, and a listing reads each commit once", () => {
  const commands = ["status", "log --limit 20", "check head", "add", "rm", "log --short", "fsck"];
  const rows = counted("commits", [300, 2400], commands);
  // Folders are listed from the 501st commit on.
  expect(tooFast(rows.filter(({ what, measure }) => what !== "log --short" || measure !== "listed"))).toEqual([]);
  const costs = new Map(rows.map(({ what, measure, costs: found }) => [`${what} ${measure}`, found]));
  expect(costs.get("add syncs")).toEqual([7, 7]);
  expect(costs.get("status processes")).toEqual([0, 0]);
  // Once each, with the few that were added meanwhile.
  expect(costs.get("log --short listed")?.at(-1)).toBeLessThan(2 * 2400 + 16);
  expect(costs.get("store files")).toEqual([2 * 300 + 3, 2 * 2400 + 3]);
});

test("a profile more at a commit costs no more files than one", () => {
  expect(tooFast(counted("profiles", [25, 400], ["status", "add", "check head"]))).toEqual([]);
});

test("a run more costs no more than one, however many there are", () => {
  expect(tooFast(counted("runs", [25, 400], ["import of one more"]))).toEqual([]);
});

test("a fit tells growth that is faster than predicted, and is not led astray by what is constant", () => {
  const sizes = [100, 400, 1600];
  const of = (cost: (size: number) => number, exponent: number) =>
    growth(sizes, { base: cost(0), costs: sizes.map(cost) }, 10, { exponent, tolerance: 0.1 });
  expect(of((n) => 90_000 + 3 * n, 1)).toMatchObject({ fitted: expect.closeTo(1, 6), each: 3, isFine: true });
  expect(of((n) => 90_000 + 3 * n, 0)).toMatchObject({ isFine: false });
  expect(of((n) => 50 + n ** 2 / 100, 1)).toMatchObject({ fitted: expect.closeTo(2, 1), isFine: false });
  expect(of((n) => 77 + (n % 7), 0)).toMatchObject({ fitted: 0, each: 0, isFine: true });
});
