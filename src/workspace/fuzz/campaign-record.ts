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
/** Stored inputs of hangs, and of faults with the same ending. */
const maxAlike = 20;
const maxPoints = 1000;
const strikingExcess = 10;

/** The facts that samples and finds have in common. */
export type MutationSample = Pick<Sample, "id" | "size" | "origin" | "lineage" | "file">;

/** Records results of a campaign in its state and folder, within the disk limit. */
export class CampaignRecord {
  readonly state: CampaignState;
  readonly #folder: FuzzFolder;
  readonly #report: (find: Find) => void;

  constructor(state: CampaignState, folder: FuzzFolder, report: (find: Find) => void) {
    this.state = state;
    this.#folder = folder;
    this.#report = report;
  }

  sample(id: number): Sample | undefined {
    return this.state.samples.find((sample) => sample.id === id);
  }

  /** Adds a sample to mutate further and to measure; skips it if there is no space. */
  add(sample: Sample, bytes: Uint8Array): void {
    const { state } = this;
    while (state.samples.length >= maxSamples && this.#evictLeastFit());
    if (!this.#store("samples", sample.file, bytes)) return;
    state.samples.push(sample);
    state.waiting.push(sample.id);
    const rule = sample.rule === null ? undefined : state.rules[sample.rule];
    if (rule) rule.hits += 1;
    this.#addPoint(sample.effort);
  }

  /** Offers a sample that is not worth measuring as the best of its round. */
  considerStep(sample: Sample, bytes: Uint8Array): void {
    const { step } = this.state;
    if (step !== null && sample.fitness <= step.fitness) return;
    if (!this.#store("samples", sample.file, bytes)) return;
    if (step !== null) this.#folder.remove("samples", step.file);
    this.state.step = sample;
  }

  /**
   * True if a waiting sample exceeds all measured ones so far that its measurement should not wait for the end of the
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

  /** Sorts the waiting samples. After a round without any, keeps the best mutation as a sample, else removes it. */
  endRound(): void {
    const { state } = this;
    const { step } = state;
    // Worst first: measuring takes long, and the session may end.
    state.waiting.sort((a, b) => (this.sample(b)?.fitness ?? 0) - (this.sample(a)?.fitness ?? 0));
    state.step = null;
    if (step === null) return;
    while (state.samples.length >= maxSamples && this.#evictLeastFit());
    if (state.waiting.length === 0 && state.samples.length < maxSamples) state.samples.push(step);
    else this.#folder.remove("samples", step.file);
  }

  /** Counts a failed run and stores the first ones of a kind. */
  addFailure(kind: "hang" | "fault", detail: string, made: MutationSample, bytes: Uint8Array): void {
    const { state } = this;
    state[kind === "hang" ? "hangs" : "faults"] += 1;
    const similar = state.finds.filter((find) => find.kind === kind && find.detail === detail).length;
    if (similar < maxAlike)
      this.#addFind({ ...this.#findFacts(kind, made), detail, effort: null, hot: [], changes: [] }, bytes);
  }

  /** Records a measurement; `changes` are degradations, worst first. */
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
    this.#addFind(
      { ...this.#findFacts("degradation", sample), detail, effort: sample.effort, hot: sample.hot, changes },
      bytes,
    );
  }

  #findFacts(
    kind: Find["kind"],
    { id, size, origin, lineage, file }: MutationSample,
  ): Omit<Find, "detail" | "effort" | "hot" | "changes"> {
    return { kind, id, file, size, origin, lineage, seconds: this.state.seconds, runs: this.state.runs };
  }

  #addFind(find: Find, bytes: Uint8Array): void {
    if (this.state.finds.length >= maxFinds) return;
    const isStored = find.file !== null && this.#store(findFolders[find.kind], find.file, bytes);
    const recorded = isStored ? find : { ...find, file: null };
    this.state.finds.push(recorded);
    this.#report(recorded);
  }

  /** Stores a file; if the disk limit is reached, evicts the least fit samples. */
  #store(folder: StoredFolder, name: string, bytes: Uint8Array): boolean {
    for (
      let isStored = this.#folder.store(folder, name, bytes);
      !isStored;
      isStored = this.#folder.store(folder, name, bytes)
    ) {
      if (this.#evictLeastFit()) continue;
      this.state.dropped += 1;
      return false;
    }
    return true;
  }

  /** Never evicts initial, waiting or parent samples. */
  #evictLeastFit(): boolean {
    const { state } = this;
    const needed = new Set([...state.waiting, state.parent]);
    const candidates = state.samples.filter(({ id, rule }) => rule !== null && !needed.has(id));
    if (candidates.length === 0) return false;
    const least = candidates.reduce((a, b) => (b.fitness < a.fitness ? b : a));
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
