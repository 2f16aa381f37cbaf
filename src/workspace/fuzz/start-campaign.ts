import { isDegradation } from "../../core/verdicts/change.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Run } from "../../core/profiles/run.ts";
import { encodeProfile } from "../../formats/profile/profile.ts";
import { median } from "../../math/descriptive/quantile.ts";
import type { CampaignPlan, CampaignWorld } from "./campaign.ts";
import { excessOf, type CampaignFacts, type CampaignState, type Sample } from "./campaign-state.ts";
import { digestOf } from "./fuzz-folder.ts";
import type { InitialSample } from "./initial-samples.ts";

/** Of many initial samples only those that keep the program busiest are candidates for the baseline. */
const mostCandidates = 10;

/** Runs the program on each initial sample. Fails with `bad-sample` where it does not end well, `cannot-write`. */
export async function beginCampaign(
  world: CampaignWorld,
  plan: CampaignPlan,
  facts: CampaignFacts,
  initial: readonly InitialSample[],
): Promise<CampaignState> {
  const samples: Sample[] = [];
  for (const [id, sample] of initial.entries()) {
    world.check();
    samples.push(await tried(world, plan, sample, id));
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
 * Effort per byte of ordinary input: the sample of median effort is written twice, four times, … until that doubles the
 * effort, so that what each run takes anyway does not count. A program that takes no such input is supposed to spend
 * nothing but on its bytes; of time, which always has such a part, nothing can be said then.
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

async function tried(
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
  if (!world.folder.keep("samples", file, bytes))
    throw new Failure("bad-sample", { file: path, reason: "there is no room for it; raise --disk" });
  const { amount, hot } = ending.effort;
  const made = { id, file, digest: digestOf(bytes), size: bytes.length, origin: id, lineage: [], rule: null };
  return { ...made, effort: amount, hot, fitness: 0, degraded: null };
}

/**
 * The profile that others are compared with, measured anew in each session, since the machine may have changed: at the
 * beginning that of the initial sample that is slowest in comparison, later of the same one. Fails as collectors do.
 */
export async function measureBaseline(world: CampaignWorld, plan: CampaignPlan, state: CampaignState): Promise<Run> {
  const initial = state.samples.filter(({ rule }) => rule === null).toSorted((a, b) => b.effort - a.effort);
  const candidates =
    state.steps > 0 ? initial.filter(({ id }) => id === state.baseline) : initial.slice(0, mostCandidates);
  let chosen: { id: number; run: Run } | undefined;
  for (const sample of candidates) {
    world.check();
    const bytes = world.folder.sample(sample);
    if (bytes === null) throw new Failure("campaign-damaged", { file: sample.file, reason: "its content has changed" });
    const run = await world.measure(world.folder.stage(sample.file, bytes), plan.seconds);
    if (chosen === undefined || world.judge(chosen.run, run).some(isDegradation)) chosen = { id: sample.id, run };
  }
  if (chosen === undefined) throw new Failure("campaign-damaged", { file: "state.json", reason: "it has no baseline" });
  state.baseline = chosen.id;
  world.folder.keep("profiles", "baseline.perf", encodeProfile(chosen.run, "pending"));
  return chosen.run;
}
