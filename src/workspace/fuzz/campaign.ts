import { isDegradation, type Change } from "../../core/verdicts/index.ts";
import { isFailure } from "../../core/failures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import { mutate, kindOfSample, suits } from "../../formats/mutation/index.ts";
import { encodeProfile } from "../../formats/profile/index.ts";
import { mutationCount, chooseParent, seededRandom } from "../../math/sampling/index.ts";
import type { CampaignPlan, CampaignWorld } from "./campaign-plan.ts";
import { CampaignRecord } from "./campaign-record.ts";
import { excessOf, type CampaignState, type FindChange, type Sample } from "./campaign-state.ts";
import { digestOf } from "./fuzz-folder.ts";
import type { Effort } from "./gauge.ts";
import type { Ending } from "./run-program.ts";

/** Why a session ended. stuck: no rule changes any sample any more. */
export type SessionEnd = "time" | "runs" | "stuck";

const maxUnchanged = 10_000;
const maxLineage = 40;
const saveIntervalMs = 1000;

/** One session of a campaign. Every step leaves a resumable state. */
export class Campaign {
  readonly #world: CampaignWorld;
  readonly #plan: CampaignPlan;
  readonly #state: CampaignState;
  readonly #record: CampaignRecord;
  readonly #baseline: Run;
  readonly #start: { readonly ms: number; readonly seconds: number; readonly runs: number };
  #unchanged = 0;
  #lastSaveMs: number;

  /** `baseline` is the profile of the baseline sample; the session started at `beganMs`. */
  constructor(world: CampaignWorld, plan: CampaignPlan, state: CampaignState, baseline: Run, beganMs: number) {
    this.#world = world;
    this.#plan = plan;
    this.#state = state;
    this.#record = new CampaignRecord(state, world.folder, (find) => world.report(state, find));
    this.#baseline = baseline;
    this.#start = { ms: beganMs, seconds: state.seconds, runs: state.runs };
    this.#lastSaveMs = world.now();
  }

  /** Runs until the session ends. Saves the state also on failure, such as `interrupted`. */
  async run(): Promise<SessionEnd> {
    try {
      for (;;) {
        this.#world.check();
        const end = this.#end();
        if (end !== null) return end;
        await (this.#state.phase === "explore" ? this.#explore() : this.#measureNext());
        this.#tick();
      }
    } finally {
      this.#world.folder.save(this.#state);
    }
  }

  #end(): SessionEnd | null {
    if (this.#secondsLeft() <= 0) return "time";
    if (this.#state.runs - this.#start.runs >= this.#plan.runs) return "runs";
    return this.#unchanged >= maxUnchanged ? "stuck" : null;
  }

  #secondsLeft(): number {
    return this.#plan.seconds - (this.#world.now() - this.#start.ms) / 1000;
  }

  #tick(): void {
    const now = this.#world.now();
    this.#state.seconds = this.#start.seconds + (now - this.#start.ms) / 1000;
    this.#world.report(this.#state, null);
    if (now - this.#lastSaveMs < saveIntervalMs) return;
    this.#world.folder.save(this.#state);
    this.#lastSaveMs = now;
  }

  /** Runs one mutation, or ends the round. */
  async #explore(): Promise<void> {
    const state = this.#state;
    const isOver = state.tried >= this.#plan.tries || state.waiting.length >= this.#plan.interesting;
    if (isOver || this.#record.isUrgent()) return this.#endRound();
    if (state.plan.length === 0) this.#planTrials();
    const [parent, [rule = 0]] = [this.#parent(), state.plan];
    const mutation = this.#mutation(parent, rule);
    if (mutation === null) return this.#skipTrial();
    const path = this.#world.folder.stage(parent.file, mutation.bytes);
    const ending = await this.#world.run(path, this.#secondsLeft());
    if (ending.kind === "cut") return;
    const effort =
      ending.kind === "fine" ? await this.#confirmedEffort(parent, path, mutation.bytes.length, ending.effort) : null;
    this.#commit({ parent, rule, ...mutation, ending, effort });
  }

  #endRound(): void {
    const state = this.#state;
    // With an inexact gauge, smaller excesses may be noise.
    const least = this.#world.gauge.isExact ? 1 : this.#plan.rate;
    state.rate = Math.max(least, state.waiting.length > 0 ? state.rate + 0.05 : state.rate - 0.01);
    this.#record.endRound();
    state.phase = state.waiting.length > 0 ? "measure" : "explore";
    state.tried = 0;
  }

  /** Selects the next parent and the number of trials of each rule. */
  #planTrials(): void {
    const state = this.#state;
    const random = this.#random(1);
    const parent =
      state.samples[
        chooseParent(
          Float64Array.from(state.samples, ({ fitness }) => fitness),
          random,
        )
      ] ?? this.#parent();
    const kind = kindOfSample(parent.file, this.#world.folder.sample(parent) ?? new Uint8Array());
    const total = state.rules.reduce((sum, { hits }) => sum + hits, 0);
    const suitable = this.#plan.rules.flatMap((rule, at) => (suits(rule, kind) ? [at] : []));
    const plan = suitable.flatMap((at) => {
      const count = mutationCount(this.#plan.strategy, { hits: state.rules[at]?.hits ?? 0, total }, random);
      return Array.from({ length: count }, () => at);
    });
    state.parent = parent.id;
    state.plan = plan.length > 0 ? plan : suitable;
  }

  #mutation(parent: Sample, rule: number): { bytes: Uint8Array; times: number } | null {
    const [bytes, applied] = [this.#world.folder.sample(parent), this.#plan.rules[rule]];
    return bytes === null || applied === undefined
      ? null
      : mutate(applied, bytes, this.#random(0), this.#plan.sizeLimit);
  }

  #skipTrial(): void {
    this.#state.plan.shift();
    this.#state.steps += 1;
    this.#unchanged += 1;
  }

  /** Repeats runs of an inexact gauge before trusting them: any process may be disturbed once. */
  async #confirmedEffort(parent: Sample, path: string, size: number, effort: Effort): Promise<Effort> {
    let least = effort;
    for (let again = 0; again < 2 && !this.#world.gauge.isExact && this.#isInteresting(least, size, parent); again++) {
      const ending = await this.#world.run(path, this.#secondsLeft());
      if (ending.kind === "fine" && ending.effort.amount < least.amount) least = ending.effort;
    }
    return least;
  }

  #isInteresting({ amount }: Effort, size: number, parent: Sample): boolean {
    const excess = excessOf(this.#state, amount, size);
    return excess > this.#state.rate && excess > excessOf(this.#state, parent.effort, parent.size);
  }

  /** Applies all state changes of a trial at once. */
  #commit({ parent, rule, times, bytes, ending, effort }: Trial): void {
    const state = this.#state;
    const made = this.#sampleFacts(parent, rule, times, bytes);
    state.plan.shift();
    state.steps += 1;
    state.runs += 1;
    state.tried += 1;
    this.#unchanged = 0;
    const record = state.rules[rule];
    if (record) record.tried += 1;
    const amount = effort?.amount ?? null;
    const facts = { id: made.id, parent: parent.id, rule: record?.name, times, size: bytes.length };
    this.#world.folder.log({ ...facts, ending: ending.kind, effort: amount });
    if (ending.kind === "hang") this.#record.addFailure("hang", hangDetail, made, bytes);
    else if (ending.kind === "fault") this.#record.addFailure("fault", ending.detail, made, bytes);
    else if (effort !== null && amount !== null) {
      const fitness = excessOf(state, amount, bytes.length);
      const sample = {
        ...made,
        digest: digestOf(bytes),
        rule,
        effort: amount,
        fitness,
        degraded: null,
        hot: effort.hot,
      };
      if (this.#isInteresting(effort, bytes.length, parent)) this.#record.add(sample, bytes);
      else this.#record.considerStep(sample, bytes);
    }
  }

  #sampleFacts(
    parent: Sample,
    rule: number,
    times: number,
    bytes: Uint8Array,
  ): Pick<Sample, "id" | "file" | "size" | "origin" | "lineage"> {
    const id = this.#firstId() + this.#state.steps;
    const file = `${String(id).padStart(6, "0")}${parent.file.slice(parent.file.indexOf("-"))}`;
    const lineage = [...parent.lineage, `${this.#plan.rules[rule]?.name} x${times}`].slice(-maxLineage);
    return { id, file, size: bytes.length, origin: parent.origin, lineage };
  }

  /** Measures and compares the next waiting sample. */
  async #measureNext(): Promise<void> {
    const state = this.#state;
    const [id = -1] = state.waiting;
    const sample = this.#record.sample(id);
    const bytes = sample && this.#world.folder.sample(sample);
    if (!sample || !bytes) {
      if (state.waiting.shift() === undefined) state.phase = "explore";
      return;
    }
    const verdict = await this.#verdict(this.#world.folder.stage(sample.file, bytes));
    if (verdict.kind === "cut") return;
    state.waiting.shift();
    state.runs += 1;
    if (verdict.kind === "hang") return this.#record.addFailure("hang", hangDetail, sample, bytes);
    if (verdict.kind === "fault") return this.#record.addFailure("fault", verdict.detail, sample, bytes);
    if (verdict.worse.length > 0)
      this.#world.folder.store(
        "profiles",
        `${String(sample.id).padStart(6, "0")}.perf`,
        encodeProfile(verdict.run, "pending"),
      );
    this.#record.addMeasurement(sample, verdict.degraded, verdict.worse.map(foundChange), bytes);
  }

  /** A degradation must be confirmed by a second measurement. */
  async #verdict(path: string): Promise<Verdict> {
    try {
      const first = await this.#compared(path);
      const second = first.degraded > 0 ? await this.#compared(path) : first;
      return second.degraded < first.degraded ? second : first;
    } catch (error) {
      if (isFailure(error, "command-timed-out")) return { kind: this.#secondsLeft() <= 0 ? "cut" : "hang" };
      if (isFailure(error, "command-failed")) return { kind: "fault", detail: String(error.data["ending"]) };
      throw error;
    }
  }

  async #compared(path: string): Promise<Verdict & { readonly kind: "compared" }> {
    const run = await this.#world.measure(path, this.#secondsLeft());
    const changes = this.#world.judge(this.#baseline, run);
    const worse = changes.filter((change) => isDegradation(change) && change.result !== "MaybeDegradation");
    const degraded = changes.length === 0 ? 0 : worse.length / changes.length;
    return { kind: "compared", run, degraded, worse: worse.toSorted((a, b) => b.rate - a.rate) };
  }

  #parent(): Sample {
    return this.#record.sample(this.#state.parent) ?? this.#state.samples[0]!;
  }

  /** Initial samples have the ids before the first trial's. */
  #firstId(): number {
    return this.#state.samples.filter(({ rule }) => rule === null).length;
  }

  /** Random numbers determined by the step: a resumed campaign continues as if it had not been interrupted. */
  #random(stream: number): () => number {
    const mixed =
      Math.imul(this.#state.steps * 2 + stream + 1, 0x9e3779b1) ^ Math.imul(this.#plan.seed + 1, 0x85ebca6b);
    return seededRandom(mixed);
  }
}

const hangDetail = "did not end in time";

interface Trial {
  readonly parent: Sample;
  readonly rule: number;
  readonly times: number;
  readonly bytes: Uint8Array;
  readonly ending: Ending;
  /** null if the run failed. */
  readonly effort: Effort | null;
}

type Verdict =
  | { readonly kind: "compared"; readonly run: Run; readonly degraded: number; readonly worse: readonly Change[] }
  | { readonly kind: "hang" }
  | { readonly kind: "cut" }
  | { readonly kind: "fault"; readonly detail: string };

function foundChange({ location, result, from, to, rate, method }: Change): FindChange {
  return { location, result, from, to, rate: Number.isFinite(rate) ? rate : null, method };
}
