import {
  excessOf,
  findFolders,
  type CampaignState,
  type Find,
  type FindChange,
  type Sample,
} from "./campaign-state.ts";
import type { FuzzFolder, StoredFolder } from "./fuzz-folder.ts";

const maxSamples = 2000;
const maxFinds = 1000;
/** Finds of hangs, and of faults that ended alike, whose input is kept. */
const maxAlike = 20;
const maxPoints = 1000;
const strikingExcess = 10;

/** A mutation as both samples and finds tell of it. */
export type MutationSample = Pick<Sample, "id" | "size" | "origin" | "lineage" | "file">;

/** Writes down what a campaign learns, in its state and its folder, within the room that there is. */
export class CampaignRecord {
  readonly state: CampaignState;
  readonly #folder: FuzzFolder;
  readonly #heard: (find: Find) => void;

  constructor(state: CampaignState, folder: FuzzFolder, heard: (find: Find) => void) {
    this.state = state;
    this.#folder = folder;
    this.#heard = heard;
  }

  sample(id: number): Sample | undefined {
    return this.state.samples.find((sample) => sample.id === id);
  }

  /**
   * A sample of which more is to be made, and which waits to be measured; passed over where there is no room for it.
   */
  add(sample: Sample, bytes: Uint8Array): void {
    const { state } = this;
    while (state.samples.length >= maxSamples && this.#forgetLeastFit());
    if (!this.#kept("samples", sample.file, bytes)) return;
    state.samples.push(sample);
    state.waiting.push(sample.id);
    const rule = sample.rule === null ? undefined : state.rules[sample.rule];
    if (rule) rule.hits += 1;
    this.#addPoint(sample.effort);
  }

  /** A sample that is not worth measuring, but may be the best of its round. */
  considerStep(sample: Sample, bytes: Uint8Array): void {
    const { step } = this.state;
    if (step !== null && sample.fitness <= step.fitness) return;
    if (!this.#kept("samples", sample.file, bytes)) return;
    if (step !== null) this.#folder.remove("samples", step.file);
    this.state.step = sample;
  }

  /**
   * Whether something waits that is so far beyond all that was measured that it should not wait for the end of its
   * round.
   */
  isUrgent(): boolean {
    const excess = ({ effort, size }: Sample): number => excessOf(this.state, effort, size);
    const known = this.state.samples.filter(({ degraded }) => degraded !== null).map(excess);
    const striking = known.reduce((most, one) => Math.max(most, 2 * one), strikingExcess);
    return this.state.waiting.some((id) => {
      const sample = this.sample(id);
      return sample !== undefined && excess(sample) >= striking;
    });
  }

  /**
   * What waits is put in order. After a round in which nothing was worth measuring, more is made of the best that there
   * was; else it is forgotten.
   */
  endRound(): void {
    const { state } = this;
    const { step } = state;
    // The worst first: measuring takes its time, and the session may end.
    state.waiting.sort((a, b) => (this.sample(b)?.fitness ?? 0) - (this.sample(a)?.fitness ?? 0));
    state.step = null;
    if (step === null) return;
    while (state.samples.length >= maxSamples && this.#forgetLeastFit());
    if (state.waiting.length === 0 && state.samples.length < maxSamples) state.samples.push(step);
    else this.#folder.remove("samples", step.file);
  }

  /** A run that did not end well: each is counted, the first of a kind are kept. */
  addFailure(kind: "hang" | "fault", detail: string, made: MutationSample, bytes: Uint8Array): void {
    const { state } = this;
    state[kind === "hang" ? "hangs" : "faults"] += 1;
    const alike = state.finds.filter((find) => find.kind === kind && find.detail === detail).length;
    if (alike < maxAlike) this.#find({ ...this.#found(kind, made), detail, effort: null, hot: [], changes: [] }, bytes);
  }

  /** A sample was measured; `changes` are those for the worse, the worst first. */
  addMeasurement(sample: Sample, degraded: number, changes: readonly FindChange[], bytes: Uint8Array): void {
    const { state } = this;
    const plain = excessOf(state, sample.effort, sample.size) + degraded;
    const fitness = degraded > 0 ? plain * (1 + degraded) : plain;
    state.samples = state.samples.map((each) => (each.id === sample.id ? { ...each, degraded, fitness } : each));
    const [worst] = changes;
    if (worst === undefined) return;
    const rule = sample.rule === null ? undefined : state.rules[sample.rule];
    if (rule) rule.degradations += 1;
    const detail = `${worst.result} of ${worst.location}: from ${worst.from} to ${worst.to}`;
    this.#find(
      { ...this.#found("degradation", sample), detail, effort: sample.effort, hot: sample.hot, changes },
      bytes,
    );
  }

  #found(
    kind: Find["kind"],
    { id, size, origin, lineage, file }: MutationSample,
  ): Omit<Find, "detail" | "effort" | "hot" | "changes"> {
    return { kind, id, file, size, origin, lineage, seconds: this.state.seconds, runs: this.state.runs };
  }

  #find(find: Find, bytes: Uint8Array): void {
    if (this.state.finds.length >= maxFinds) return;
    const isKept = find.file !== null && this.#kept(findFolders[find.kind], find.file, bytes);
    const noted = isKept ? find : { ...find, file: null };
    this.state.finds.push(noted);
    this.#heard(noted);
  }

  /** Keeps a file; where the room is used up, samples that are of least use make way. */
  #kept(folder: StoredFolder, name: string, bytes: Uint8Array): boolean {
    for (
      let isKept = this.#folder.store(folder, name, bytes);
      !isKept;
      isKept = this.#folder.store(folder, name, bytes)
    ) {
      if (this.#forgetLeastFit()) continue;
      this.state.dropped += 1;
      return false;
    }
    return true;
  }

  /** Initial samples stay, and so do those that something waits for. */
  #forgetLeastFit(): boolean {
    const { state } = this;
    const needed = new Set([...state.waiting, state.parent]);
    const free = state.samples.filter(({ id, rule }) => rule !== null && !needed.has(id));
    if (free.length === 0) return false;
    const least = free.reduce((a, b) => (b.fitness < a.fitness ? b : a));
    this.#folder.remove("samples", least.file);
    state.samples = state.samples.filter(({ id }) => id !== least.id);
    return true;
  }

  #addPoint(effort: number): void {
    const { state } = this;
    if (effort <= (state.curve.at(-1)?.effort ?? 0)) return;
    state.curve.push({ seconds: state.seconds, effort });
    if (state.curve.length > maxPoints) state.curve = state.curve.filter((_, at) => at % 2 === 1);
  }
}
