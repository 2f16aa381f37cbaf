import { Failure } from "../../../core/failures/index.ts";
import {
  type SampleLabel,
  type StackFacts,
  type StackFrame,
  type StackProfile,
  StackSamples,
  StackTable,
  type ValueType,
} from "../../../core/profiles/index.ts";
import type { ProfileDocument } from "../profiler-document.ts";

/** Deeper trees would take quadratic time. */
const deepest = 10_000;

/** A metric of the nodes of a call tree. */
export interface TreeMetric {
  readonly name: string;
  readonly unit: string;
  /** Its values contain those of the children. */
  readonly isInclusive: boolean;
}

export type TreeLabels = ReadonlyMap<string, readonly SampleLabel[]>;

/**
 * Collects values of the nodes of call trees. Inclusive metrics are converted to exclusive ones: the values of the
 * children are subtracted, for each set of labels.
 */
export class CallTree {
  readonly #document: ProfileDocument;
  readonly #metrics: readonly TreeMetric[];
  readonly #stacks = new StackTable<StackFrame>();
  readonly #samples: StackSamples;
  readonly #depths = new Map<number, number>();
  /** Inclusive values by row and metric, and the sums of those of the callees. */
  readonly #inclusive = new Map<number, number>();
  readonly #callees = new Map<number, number>();

  constructor(document: ProfileDocument, metrics: readonly TreeMetric[]) {
    this.#document = document;
    this.#metrics = metrics;
    this.#samples = new StackSamples(metrics.length);
  }

  /** The stack of `caller` (0: none) that calls a function. Fails with `bad-stack-profile` if it is too deep. */
  called(caller: number, name: string, source?: { readonly source: string; readonly line?: number }): number {
    const key = source === undefined ? name : `${name}\0${source.source}:${source.line}`;
    const node = this.#stacks.called(
      caller,
      this.#stacks.frame(key, () => ({ function: name, ...source })),
    );
    const depth = (this.#depths.get(caller) ?? 0) + 1;
    if (depth > deepest) throw this.#document.bad(`it has more than ${deepest} nested calls`);
    this.#depths.set(node, depth);
    return node;
  }

  /** Adds values, one for each metric; NaN is missing. */
  add(stack: number, values: readonly number[], labels: TreeLabels = new Map()): void {
    const set = this.#samples.labels(labels);
    const row = this.#samples.row(stack, set);
    const caller = stack > 0 ? this.#stacks.callerOf(stack) : 0;
    for (const [at, { isInclusive }] of this.#metrics.entries()) {
      const value = values[at]!;
      if (Number.isNaN(value)) continue;
      if (!isInclusive) this.#samples.addTo(row, at, value);
      else {
        addTo(this.#inclusive, row * this.#metrics.length + at, value);
        if (caller > 0) addTo(this.#callees, this.#samples.row(caller, set) * this.#metrics.length + at, value);
      }
    }
  }

  /** Fails with `no-stacks` if no value was added, or none but 0. */
  profile(file: string, format: string, facts: StackFacts = {}): StackProfile {
    const types = this.#metrics.map(({ name, unit }): ValueType => ({ name, unit }));
    const samples = this.#samples;
    const smaller = this.#subtractCallees();
    const hasValue = (type: number): boolean =>
      Array.from({ length: samples.length }, (_, row) => samples.valueOf(row, type)).some((value) => value !== 0);
    const main = mainOf(types, hasValue);
    if (main < 0) throw new Failure("no-stacks", { file, what: format });
    const comments = [
      ...(facts.comments ?? []),
      ...(smaller === 0 ? [] : [`${smaller} inclusive values are less than the sum of their callees`]),
    ];
    return {
      stacks: this.#stacks,
      types,
      main,
      samples,
      facts: { ...facts, ...(comments.length === 0 ? {} : { comments }) },
    };
  }

  /** Returns the number of values that are less than those of their callees; their own share is 0. */
  #subtractCallees(): number {
    let smaller = 0;
    for (const [at, value] of this.#inclusive) {
      const own = value - (this.#callees.get(at) ?? 0);
      // Rounding of printed numbers is no contradiction.
      if (own < -1e-6 * Math.abs(value)) smaller++;
      const width = this.#metrics.length;
      this.#samples.addTo(Math.floor(at / width), at % width, Math.max(0, own));
    }
    this.#inclusive.clear();
    return smaller;
  }
}

function addTo(sums: Map<number, number>, key: number, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value);
}

/** The first time that has a value, else the first such metric; −1: none. */
function mainOf(types: readonly ValueType[], hasValue: (type: number) => boolean): number {
  const used = [...types.keys()].filter(hasValue);
  const time = used.find((at) => types[at]!.unit.endsWith("seconds") || /\btime\b/i.test(types[at]!.name));
  return time ?? used[0] ?? -1;
}
