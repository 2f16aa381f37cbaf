import type { Measure } from "./measured-command.ts";
import { importing, makeExperimentWorld, newResults } from "./experiment-world.ts";
import { makeProfileWorld, newProfile } from "./profile-world.ts";

/** Disk usage of a store or database: files and bytes. */
export type StoredMeasure = "files" | "bytes";

/** Predicted growth exponents; other measures are ignored. */
export type Exponents<M extends string> = Readonly<Partial<Record<M, number>>>;

export interface PredictedCommand {
  readonly name: string;
  /** Arguments of the command; also prepares its input before each round. */
  words(world: World): readonly string[];
  readonly exponents: Exponents<Measure>;
}

/** One quantity that grows while all others stay constant. */
export interface Dimension {
  readonly name: string;
  /** Sizes of the worlds; the cost of `base` is the fixed cost. */
  readonly base: number;
  readonly sizes: readonly number[];
  make(making: Making, size: number): World;
  readonly stored: Exponents<StoredMeasure>;
  readonly commands: readonly PredictedCommand[];
}

export interface Making {
  readonly folder: string;
  readonly seed: number;
  /** Runs the program in the folder. */
  perfkeep(words: readonly string[]): void;
}

export interface World {
  readonly folder: string;
  /** A new number at every call. */
  next(): number;
  /** The newest commit; empty if there is none. */
  readonly head: string;
}

/** Constant, independent of the size of the store. */
const flat: Exponents<Measure> = {
  calls: 0,
  listed: 0,
  read: 0,
  written: 0,
  syncs: 0,
  processes: 0,
  answered: 0,
  peak: 0,
  cpu: 0,
};

/** Constant apart from the index of git's pack, of which a search reads a few bytes for each commit. */
const searching: Exponents<Measure> = { ...flat, read: 0.5 };

/** Linear, because everything is read once. The first commits of a history are read without git. */
const full: Exponents<Measure> = { calls: 1, read: 1, syncs: 0, processes: 0, answered: 1.15, peak: 1, cpu: 1 };

const words =
  (...all: readonly string[]) =>
  (): readonly string[] =>
    all;

const add = (rows: number): PredictedCommand["words"] => {
  return ({ folder, head, next }) => ["add", "-q", newProfile(folder, head, rows, next())];
};

const commits: Dimension = {
  name: "commits with a profile of 3 rows each",
  base: 8,
  sizes: [1000, 4000, 16_000],
  make: (making, size) => profileWorld(making, { commits: size, profiles: 1, rows: 3 }),
  stored: { files: 1, bytes: 1 },
  commands: [
    { name: "status", words: words("status"), exponents: flat },
    { name: "log --limit 20", words: words("log", "--no-pager", "--limit", "20"), exponents: searching },
    { name: "check head", words: words("check", "head"), exponents: searching },
    { name: "add", words: add(3), exponents: flat },
    { name: "rm", words: words("rm", "-q", "0@i"), exponents: flat },
    { name: "log --short", words: words("log", "--no-pager", "--short"), exponents: { ...full, listed: 1 } },
    { name: "fsck", words: words("fsck"), exponents: { ...full, listed: 1 } },
    { name: "check series", words: words("check", "series", "--no-cache"), exponents: full },
    // It caches what it read, so that the next run reads only new data.
    { name: "trend", words: words("trend"), exponents: { calls: 1, read: 1, processes: 0, peak: 1, cpu: 1 } },
    {
      name: "report",
      words: words("report", "-q", "--no-cache", "-o", "report.html"),
      exponents: { ...full, written: 1 },
    },
  ],
};

const profiles: Dimension = {
  name: "profiles of one commit",
  base: 1,
  sizes: [100, 400, 1600],
  make: (making, size) => profileWorld(making, { commits: 2, profiles: size, rows: 3 }),
  stored: { files: 1, bytes: 1 },
  commands: [
    { name: "status", words: words("status"), exponents: { calls: 0, read: 1, processes: 0, cpu: 1 } },
    {
      name: "check head",
      words: words("check", "head"),
      exponents: { calls: 1, read: 1, syncs: 0, processes: 0, cpu: 1 },
    },
    // The index of the commit is rewritten.
    { name: "add", words: add(3), exponents: { ...flat, read: 1, written: 1, peak: 1, cpu: 1 } },
  ],
};

const rowsOfProfile: Dimension = {
  name: "rows of a profile",
  base: 3,
  sizes: [2000, 8000, 32_000],
  make: (making, size) => profileWorld(making, { commits: 2, profiles: 1, rows: size }),
  stored: { files: 0, bytes: 1 },
  commands: [
    { name: "status", words: words("status"), exponents: flat },
    { name: "check head", words: words("check", "head"), exponents: { ...flat, calls: 0, read: 1, peak: 1, cpu: 1 } },
    {
      name: "show tableof",
      words: words("show", "0@i", "tableof", "--no-pager"),
      exponents: { ...flat, read: 1, written: 1, peak: 1, cpu: 1 },
    },
  ],
};

const series: Dimension = {
  name: "functions that are measured at 40 commits",
  base: 1,
  sizes: [25, 100, 400],
  make: (making, size) => profileWorld(making, { commits: 40, profiles: 1, rows: size }),
  stored: { files: 0, bytes: 1 },
  commands: [
    {
      name: "check series",
      words: words("check", "series", "--no-cache"),
      exponents: { calls: 0, read: 1, peak: 1, cpu: 1 },
    },
    { name: "trend", words: words("trend"), exponents: { calls: 0, read: 1, peak: 1, cpu: 1 } },
    {
      name: "report",
      words: words("report", "-q", "--no-cache", "-o", "report.html"),
      exponents: { read: 1, written: 1, peak: 1, cpu: 1 },
    },
  ],
};

const mean = words("query", "growth", "T_min", "--by", "S_size", "--stat", "mean");
const quantiles = words("query", "growth", "T_min", "--by", "S_size", "--stat", "q5,median,q95");

const runs: Dimension = {
  name: "runs of 20 rows each",
  base: 4,
  sizes: [200, 800, 3200],
  make: (making, size) => experimentWorld(making, { runs: size, rows: 20 }),
  stored: { files: 1, bytes: 1 },
  commands: [
    {
      name: "import of one more",
      words: ({ folder, next }) => importing([newResults(folder, 20, next())]),
      exponents: flat,
    },
    { name: "experiment info", words: words("experiment", "info", "growth"), exponents: { calls: 0, cpu: 1 } },
    { name: "query mean", words: mean, exponents: { calls: 0, cpu: 1 } },
    { name: "experiment check", words: words("experiment", "check"), exponents: full },
  ],
};

const rowsOfRun: Dimension = {
  name: "rows of a run",
  base: 20,
  sizes: [40_000, 160_000, 640_000],
  make: (making, size) => experimentWorld(making, { runs: 1, rows: size }),
  stored: { files: 0, bytes: 1 },
  commands: [
    {
      name: "import of 20 more",
      words: ({ folder, next }) => importing([newResults(folder, 20, next())]),
      exponents: flat,
    },
    { name: "query mean", words: mean, exponents: { calls: 0, peak: 1, cpu: 1 } },
    { name: "query quantiles", words: quantiles, exponents: { calls: 0, peak: 1, cpu: 1 } },
  ],
};

/** Names of `--only`. */
export const dimensions: Readonly<Record<string, Dimension>> = {
  commits,
  profiles,
  rows: rowsOfProfile,
  series,
  runs,
  imported: rowsOfRun,
};

function profileWorld(
  { folder, seed, perfkeep }: Making,
  plan: { readonly commits: number; readonly profiles: number; readonly rows: number },
): World {
  const versions = makeProfileWorld(folder, { ...plan, seed }, () => perfkeep(["init", "-q"]));
  return worldIn(folder, seed, versions.at(-1) ?? "");
}

function experimentWorld(
  { folder, seed, perfkeep }: Making,
  plan: { readonly runs: number; readonly rows: number },
): World {
  makeExperimentWorld(folder, { ...plan, seed }, perfkeep);
  return worldIn(folder, seed, "");
}

function worldIn(folder: string, seed: number, head: string): World {
  let number = seed + 1_000_000;
  return { folder, head, next: () => number++ };
}
