import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Dimension, StoredMeasure, World } from "./dimensions.ts";
import { growth, type Growth } from "./growth.ts";
import { measured, type CommandCost, type Measure, type Program } from "./measured-command.ts";

export interface Simulated extends Growth {
  /** A command, or `store` for disk usage. */
  readonly what: string;
  readonly measure: Measure | StoredMeasure;
  readonly sizes: readonly number[];
  readonly costs: readonly number[];
  readonly predicted: number;
}

export interface SimulationOptions {
  readonly program: Program;
  /** A scratch folder, in which worlds are created and removed. */
  readonly scratch: string;
  readonly seed: number;
  /** Number of runs of each command; the minimum of time and memory counts. */
  readonly rounds: number;
  readonly sizes: readonly number[];
  /** Measures to skip. */
  readonly without?: readonly Measure[];
}

/** Differences below this are noise. */
const noise: Readonly<Record<Measure | StoredMeasure, number>> = {
  calls: 40,
  listed: 64,
  read: 1 << 16,
  written: 1 << 14,
  syncs: 2,
  processes: 1,
  answered: 1 << 18,
  peak: 20,
  cpu: 0.06,
  files: 4,
  bytes: 1 << 19,
};

/** How much steeper than predicted a fit may be; counts are deterministic. */
const tolerances: Readonly<Record<Measure | StoredMeasure, number>> = {
  calls: 0.1,
  listed: 0.1,
  read: 0.1,
  written: 0.1,
  syncs: 0.1,
  processes: 0.1,
  answered: 0.1,
  peak: 0.25,
  cpu: 0.25,
  files: 0.1,
  bytes: 0.1,
};

/** Creates a world of each size, runs the commands in it and compares the growth of costs with the prediction. */
export function simulate(dimension: Dimension, options: SimulationOptions): Simulated[] {
  const [base, ...worlds] = [dimension.base, ...options.sizes].map((size) => costsOf(dimension, size, options));
  return Object.keys(base ?? {}).map((key): Simulated => {
    const { what, measure, exponent } = parts(key, dimension);
    const costs = worlds.map((world) => world[key] ?? 0);
    const prediction = { exponent, tolerance: tolerances[measure] };
    const grown = growth(options.sizes, { base: base?.[key] ?? 0, costs }, noise[measure], prediction);
    return { what, measure, sizes: options.sizes, costs, predicted: exponent, ...grown };
  });
}

/** By command and measure, such as `check head|calls`. */
type WorldCosts = Readonly<Record<string, number>>;

function costsOf(dimension: Dimension, size: number, options: SimulationOptions): WorldCosts {
  const { program, scratch, seed, without = [] } = options;
  const folder = join(scratch, `world-${size}`);
  try {
    const world = dimension.make({ folder, seed, perfkeep: (words) => void measured(program, folder, words) }, size);
    const found: Record<string, number> = {};
    const { files, bytes } = usage(join(folder, ".perun"));
    if (dimension.stored.files !== undefined) found["store|files"] = files;
    if (dimension.stored.bytes !== undefined) found["store|bytes"] = bytes;
    for (const { name, words, exponents } of dimension.commands) {
      const cost = least(words, world, options);
      const measures = (Object.keys(exponents) as Measure[]).filter((measure) => !without.includes(measure));
      for (const measure of measures) found[`${name}|${measure}`] = cost[measure];
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The minimum cost over several rounds, so that a first round with cold caches does not count. */
function least(
  words: (world: World) => readonly string[],
  world: World,
  { program, rounds }: SimulationOptions,
): CommandCost {
  const costs = Array.from({ length: rounds }, () => measured(program, world.folder, words(world)));
  const [last] = costs.slice(-1) as [CommandCost];
  return { ...last, cpu: Math.min(...costs.map(({ cpu }) => cpu)), peak: Math.min(...costs.map(({ peak }) => peak)) };
}

/** Number of files, and bytes of their blocks. */
function usage(folder: string): { readonly files: number; readonly bytes: number } {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = all.reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).blocks * 512, 0);
  return { files: all.length, bytes };
}

function parts(
  key: string,
  { stored, commands }: Dimension,
): Pick<Simulated, "what" | "measure"> & { readonly exponent: number } {
  const [what, measure] = key.split("|") as [string, Measure | StoredMeasure];
  const exponents: Readonly<Partial<Record<string, number>>> =
    what === "store" ? stored : (commands.find(({ name }) => name === what)?.exponents ?? {});
  return { what, measure, exponent: exponents[measure] ?? 0 };
}
