import { PairTable } from "./pair-index.ts";
import { StackTable } from "./stack-table.ts";

/** A file with loaded code, and its addresses. */
export interface StackModule {
  /** Or a name in brackets: `[vdso]`. */
  readonly path: string;
  readonly buildId?: string;
  readonly start?: bigint;
  readonly limit?: bigint;
  readonly offset?: bigint;
}

/** A call of a stack. */
export interface StackFrame {
  /** The readable name; empty: unknown. */
  readonly function: string;
  /** The name used by the linker, if different. */
  readonly systemName?: string;
  readonly module?: StackModule;
  readonly source?: string;
  /** Of the call; 1-based. */
  readonly line?: number;
  readonly column?: number;
  /** First line of the function; 1-based. */
  readonly startLine?: number;
  readonly address?: bigint;
  /** The compiler inlined this call into its caller. */
  readonly inlined?: boolean;
  /** The name in folded text, if it is not the function. */
  readonly plain?: string;
}

/** A quantity of samples: `cpu` in `nanoseconds`, both as written in the profile. */
export interface ValueType {
  readonly name: string;
  readonly unit: string;
}

export type SampleLabel = string | { readonly value: number; readonly unit: string };

/** Labels of samples: thread, process and others set by the program. A label may have several values. */
export type SampleLabels = ReadonlyMap<string, readonly SampleLabel[]>;

/** Metadata of a profile. */
export interface StackFacts {
  readonly name?: string;
  readonly command?: string;
  /** Nanoseconds since 1970. */
  readonly started?: bigint;
  /** In nanoseconds. */
  readonly duration?: number;
  /** The amount that one sample represents. */
  readonly period?: { readonly type: ValueType; readonly value: number };
  readonly comments?: readonly string[];
  /** URL of documentation of the profile. */
  readonly documentation?: string;
  /** Patterns of frames that viewers should drop, and of those to keep nevertheless. */
  readonly dropFrames?: string;
  readonly keepFrames?: string;
  /** The stacks are estimated from the calls between functions. */
  readonly estimated?: true;
  /** All loaded files, the program first; frames refer to some of them. */
  readonly modules?: readonly StackModule[];
}

/** The stacks of one thread in the order of time. */
export interface TimelineTrack {
  /** Empty if there is only one. */
  readonly name: string;
  /** Nodes of the stacks of the profile; 0: nothing ran. */
  readonly stacks: Int32Array;
  /** How long each of them lasted. */
  readonly durations: Float64Array;
}

/** What ran when, for formats that keep the order of samples or calls. */
export interface Timeline {
  /** Unit of the durations as written in the profile: `microseconds`. */
  readonly unit: string;
  readonly tracks: readonly TimelineTrack[];
  /** Shorter intervals are merged with their neighbours. */
  readonly resolution?: number;
}

/** Samples of call stacks. Equal stacks with equal labels are one row. */
export interface StackProfile {
  readonly stacks: StackTable<StackFrame>;
  readonly types: readonly ValueType[];
  /** Index of the default type. */
  readonly main: number;
  readonly samples: StackSamples;
  readonly facts: StackFacts;
  /** Only if the format keeps the order of samples or calls. */
  readonly timeline?: Timeline;
}

/**
 * Rows of samples in typed arrays: the stack, the labels, a number for each type. Pairs of stack and labels are unique;
 * their numbers are summed.
 */
export class StackSamples {
  /** Number of types. */
  readonly width: number;
  readonly #labels: SampleLabels[] = [new Map()];
  readonly #byText = new Map<string, number>([["", 0]]);
  /** The stack and the labels of each row. */
  readonly #rows = new PairTable();
  #values: Float64Array;

  constructor(width: number) {
    this.width = width;
    this.#values = new Float64Array(width << 8);
  }

  get length(): number {
    return this.#rows.size;
  }

  /** The number of a set of labels; 0 is the empty one. */
  labels(labels: SampleLabels): number {
    const text = labels.size === 0 ? "" : JSON.stringify([...labels].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    let number = this.#byText.get(text);
    if (number === undefined) this.#byText.set(text, (number = this.#labels.push(labels) - 1));
    return number;
  }

  /** The row of a stack and labels, for `addTo`; added if it is new. */
  row(stack: number, labels = 0): number {
    const row = this.#rows.number(stack, labels);
    if ((row + 1) * this.width > this.#values.length) {
      const values = this.#values;
      this.#values = new Float64Array(values.length * 2);
      this.#values.set(values);
    }
    return row;
  }

  addTo(row: number, type: number, amount: number): void {
    this.#values[row * this.width + type]! += amount;
  }

  /** Adds the numbers of a sample, one for each type. */
  add(stack: number, values: readonly number[], labels = 0): void {
    const row = this.row(stack, labels);
    for (let type = 0; type < this.width; type++) this.addTo(row, type, values[type] ?? 0);
  }

  stackOf(row: number): number {
    return this.#rows.firstOf(row);
  }

  labelsOf(row: number): SampleLabels {
    return this.#labels[this.#rows.secondOf(row)]!;
  }

  valueOf(row: number, type: number): number {
    return this.#values[row * this.width + type] ?? 0;
  }
}

/** The display name of a frame, also used in folded text. */
export function plainName(frame: StackFrame): string {
  if (frame.plain !== undefined) return frame.plain;
  if (frame.function !== "") return frame.function;
  if (frame.systemName !== undefined) return frame.systemName;
  const path = frame.module?.path ?? "";
  const module = path.slice(path.lastIndexOf("/") + 1);
  const address = frame.address === undefined ? "" : `0x${frame.address.toString(16)}`;
  if (address !== "") return address;
  return module === "" ? "[unknown]" : module.startsWith("[") ? module : `[${module}]`;
}
