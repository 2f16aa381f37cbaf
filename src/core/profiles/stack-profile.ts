import { PairTable } from "./pair-index.ts";
import { StackTable } from "./stack-table.ts";

/** A file that code was loaded from, and where. */
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
  /** As people read it; empty: nobody knows. */
  readonly function: string;
  /** As the machine or the linker calls it, where that differs. */
  readonly systemName?: string;
  readonly module?: StackModule;
  readonly source?: string;
  /** Of the call; 1-based. */
  readonly line?: number;
  readonly column?: number;
  /** Where the function begins; 1-based. */
  readonly startLine?: number;
  readonly address?: bigint;
  /** The compiler put this call into the one that called it. */
  readonly inlined?: boolean;
  /** What folded text calls it, where that is not the function. */
  readonly plain?: string;
}

/** A quantity of samples: `cpu` in `nanoseconds`. Both are the words of whoever wrote the profile. */
export interface ValueType {
  readonly name: string;
  readonly unit: string;
}

export type SampleLabel = string | { readonly value: number; readonly unit: string };

/**
 * What is said of samples besides their stacks: a thread, a process, whatever a program tells. A word may have several
 * contents.
 */
export type SampleLabels = ReadonlyMap<string, readonly SampleLabel[]>;

/** What is said of the whole profile. */
export interface StackFacts {
  readonly name?: string;
  readonly command?: string;
  /** Nanoseconds since 1970. */
  readonly started?: bigint;
  /** In nanoseconds. */
  readonly duration?: number;
  /** One sample stands for so much of something. */
  readonly period?: { readonly type: ValueType; readonly value: number };
  readonly comments?: readonly string[];
  /** Where one can read about the profile. */
  readonly documentation?: string;
  /** Frames that whoever shows the profile is asked to leave out, and to keep all the same: patterns. */
  readonly dropFrames?: string;
  readonly keepFrames?: string;
  /** All files that were loaded, the program first; frames name some of them. */
  readonly modules?: readonly StackModule[];
}

/** Samples of call stacks, whatever took them. Equal stacks with equal labels are one row. */
export interface StackProfile {
  readonly stacks: StackTable<StackFrame>;
  readonly types: readonly ValueType[];
  /** The place of the type that is meant when nobody says which. */
  readonly main: number;
  readonly samples: StackSamples;
  readonly facts: StackFacts;
}

/**
 * Rows of samples in typed arrays: the stack, the labels, a number for each type. Each pair of stack and labels is
 * there once, numbers are added up.
 */
export class StackSamples {
  /** How many types there are. */
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

  /** Adds to the row of a stack and labels; the row is to be given to `addTo`. */
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

/** What folded text and people call a frame. */
export function plainName(frame: StackFrame): string {
  if (frame.plain !== undefined) return frame.plain;
  if (frame.function !== "") return frame.function;
  if (frame.systemName !== undefined) return frame.systemName;
  const path = frame.module?.path ?? "";
  const module = path.slice(path.lastIndexOf("/") + 1);
  const place = frame.address === undefined ? "" : `0x${frame.address.toString(16)}`;
  if (place !== "") return place;
  return module === "" ? "[unknown]" : module.startsWith("[") ? module : `[${module}]`;
}
