import { Failure } from "../../core/failures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import { isDegradation } from "../../core/verdicts/index.ts";
import { encodeProfile } from "../../formats/profile/index.ts";
import { compilePattern } from "../../formats/text/index.ts";
import { median } from "../../math/descriptive/index.ts";
import { excessOf, type CampaignFacts, type CampaignState, type Sample } from "./campaign-state.ts";
import type { CampaignPlan, CampaignWorld } from "./campaign-plan.ts";
import { digestOf } from "./fuzz-folder.ts";
import { readdirSync, readFileSync, statSync, type Dirent } from "node:fs";
import { basename, join, resolve } from "node:path";

/** An input file of the user. */
export interface InitialSample {
  readonly path: string;
  /** File name reduced to characters that are safe for file systems, shells and programs. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface SampleSelection {
  /** Files and folders, relative to `directory`. */
  readonly paths: readonly string[];
  readonly directory: string;
  /** In folders, only files whose relative path matches this pattern. */
  readonly only?: string;
  /** Excludes files that match one of these patterns. */
  readonly without: readonly string[];
}

const maxSamples = 1000;
export const maxSampleBytes: number = 64 << 20;
const maxDepth = 50;

/**
 * Selected files without duplicates, in the given order, folders by name. Skips hidden files and does not follow links.
 * Fails with `no-samples`, `bad-sample`, `pattern-error`.
 */
export function selectSamples(choice: SampleSelection): InitialSample[] {
  const [only, without] = [
    choice.only === undefined ? undefined : compilePattern(choice.only),
    choice.without.map((one) => compilePattern(one)),
  ];
  const isWanted = (name: string): boolean =>
    (only?.test(name) ?? true) && !without.some((pattern) => pattern.test(name));
  const paths = new Set(choice.paths.flatMap((path) => filesAt(resolve(choice.directory, path), path, isWanted)));
  if (paths.size === 0) throw new Failure("no-samples", { what: choice.paths.join(", ") });
  if (paths.size > maxSamples)
    throw new Failure("bad-sample", { file: choice.paths.join(", "), reason: `it is more than ${maxSamples} files` });
  return [...paths].map((path) => ({ path, name: safeName(basename(path)), bytes: readSample(path) }));
}

function filesAt(path: string, given: string, isWanted: (name: string) => boolean): string[] {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts?.isDirectory()) return [...filesBelow(path, "", isWanted, 0)];
  if (facts?.isFile()) return [path];
  throw new Failure("bad-sample", {
    file: given,
    reason: facts ? "it is neither a file nor a folder" : "there is no such file",
  });
}

function* filesBelow(
  folder: string,
  below: string,
  isWanted: (name: string) => boolean,
  depth: number,
): Generator<string> {
  if (depth > maxDepth) return;
  for (const entry of entriesIn(folder)) {
    const [path, name] = [join(folder, entry.name), below === "" ? entry.name : `${below}/${entry.name}`];
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) yield* filesBelow(path, name, isWanted, depth + 1);
    else if (entry.isFile() && isWanted(name)) yield path;
  }
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw new Failure(
      "bad-sample",
      { file: folder, reason: (error as NodeJS.ErrnoException).code ?? "it cannot be read" },
      error,
    );
  }
}

function readSample(path: string): Uint8Array {
  try {
    const { size } = statSync(path);
    if (size > maxSampleBytes)
      throw new Failure("bad-sample", { file: path, reason: `it has more than ${maxSampleBytes >> 20} MiB` });
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      "bad-sample",
      { file: path, reason: (error as NodeJS.ErrnoException).code ?? "it cannot be read" },
      error,
    );
  }
}

const maxNameLength = 60;

/** Letters, digits and `._-`, not starting with a mark; keeps the extension. */
function safeName(name: string): string {
  const plain = name.replaceAll(/[^\w.-]/g, "_").replace(/^[.-]+/, "");
  const ending = /\.\w{1,10}$/.exec(plain)?.[0] ?? "";
  return `${plain.slice(0, plain.length - ending.length).slice(0, maxNameLength)}${ending}` || "sample";
}

/** Maximum number of baseline candidates, those of the greatest effort. */
const maxCandidates = 10;

/** Runs the program on each initial sample. Fails with `bad-sample` if a run fails, `cannot-write`. */
export async function startCampaign(
  world: CampaignWorld,
  plan: CampaignPlan,
  facts: CampaignFacts,
  initial: readonly InitialSample[],
): Promise<CampaignState> {
  const samples: Sample[] = [];
  for (const [id, sample] of initial.entries()) {
    world.check();
    samples.push(await runSample(world, plan, sample, id));
  }
  const base = median(Float64Array.from(samples, ({ effort }) => effort));
  const baseSize = median(Float64Array.from(samples, ({ size }) => size));
  const slope = plan.anyGrowth ? 0 : await ordinarySlope(world, plan, samples);
  const began = {
    steps: 0,
    runs: samples.length,
    seconds: 0,
    rate: plan.rate,
    base,
    baseSize,
    slope,
    baseline: 0,
    parent: 0,
  };
  const rules = plan.rules.map(({ name }) => ({ name, tried: 0, hits: 0, degradations: 0 }));
  const nothing = {
    tried: 0,
    waiting: [],
    step: null,
    plan: [],
    finds: [],
    hangs: 0,
    faults: 0,
    dropped: 0,
    curve: [],
  };
  const fit = samples.map((sample) => ({ ...sample, fitness: excessOf(began, sample.effort, sample.size) }));
  return { facts, ...began, samples: fit, rules, phase: "explore", ...nothing };
}

/**
 * Effort per byte of ordinary input: repeats the sample of median effort 2, 4, … times until the effort doubles, to
 * exclude fixed costs. If the program rejects such input, an exact gauge assumes effort proportional to size; for time,
 * which always has fixed costs, the slope is unknown (0).
 */
async function ordinarySlope(world: CampaignWorld, plan: CampaignPlan, samples: readonly Sample[]): Promise<number> {
  const ordered = samples.toSorted((a, b) => a.effort - b.effort);
  const sample = ordered[ordered.length >> 1];
  const bytes = sample && world.folder.sample(sample);
  if (!sample || !bytes || bytes.length === 0) return 0;
  let slope = world.gauge.isExact ? sample.effort / sample.size : 0;
  for (let copies = 2; copies * bytes.length <= plan.sizeLimit; copies *= 2) {
    world.check();
    const effort = await leastEffort(world, world.folder.stage(sample.file, repeated(bytes, copies)), plan.seconds);
    if (effort === null) break;
    slope = Math.max(0, effort - sample.effort) / (bytes.length * (copies - 1));
    if (effort > 2 * sample.effort) break;
  }
  return slope;
}

async function leastEffort(world: CampaignWorld, path: string, seconds: number): Promise<number | null> {
  const endings = [await world.run(path, seconds), ...(world.gauge.isExact ? [] : [await world.run(path, seconds)])];
  const efforts = endings.flatMap((ending) => (ending.kind === "fine" ? [ending.effort.amount] : []));
  return efforts.length < endings.length ? null : Math.min(...efforts);
}

function repeated(bytes: Uint8Array, copies: number): Uint8Array {
  const all = new Uint8Array(bytes.length * copies);
  for (let copy = 0; copy < copies; copy++) all.set(bytes, copy * bytes.length);
  return all;
}

async function runSample(
  world: CampaignWorld,
  plan: CampaignPlan,
  { path, name, bytes }: InitialSample,
  id: number,
): Promise<Sample> {
  const file = `${String(id).padStart(6, "0")}-${name}`;
  const ending = await world.run(world.folder.stage(file, bytes), plan.seconds);
  if (ending.kind !== "fine") {
    const reason = ending.kind === "fault" ? `the command ${ending.detail}` : "the command did not end in time";
    throw new Failure("bad-sample", { file: path, reason });
  }
  if (!world.folder.store("samples", file, bytes))
    throw new Failure("bad-sample", { file: path, reason: "the disk limit is reached; raise --disk" });
  const { amount, hot } = ending.effort;
  const made = { id, file, digest: digestOf(bytes), size: bytes.length, origin: id, lineage: [], rule: null };
  return { ...made, effort: amount, hot, fitness: 0, degraded: null };
}

/**
 * Measures the baseline profile, again in each session since the machine may have changed: at first the slowest initial
 * sample in comparison, later the same one. Fails like collectors.
 */
export async function measureBaseline(world: CampaignWorld, plan: CampaignPlan, state: CampaignState): Promise<Run> {
  const initial = state.samples.filter(({ rule }) => rule === null).toSorted((a, b) => b.effort - a.effort);
  const candidates =
    state.steps > 0 ? initial.filter(({ id }) => id === state.baseline) : initial.slice(0, maxCandidates);
  let chosen: { id: number; run: Run } | undefined;
  for (const sample of candidates) {
    world.check();
    const bytes = world.folder.sample(sample);
    if (bytes === null) throw new Failure("campaign-damaged", { file: sample.file, reason: "the file has changed" });
    const run = await world.measure(world.folder.stage(sample.file, bytes), plan.seconds);
    if (chosen === undefined || world.judge(chosen.run, run).some(isDegradation)) chosen = { id: sample.id, run };
  }
  if (chosen === undefined) throw new Failure("campaign-damaged", { file: "state.json", reason: "it has no baseline" });
  state.baseline = chosen.id;
  world.folder.store("profiles", "baseline.perf", encodeProfile(chosen.run, "pending"));
  return chosen.run;
}
