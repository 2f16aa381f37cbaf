import { mostVariables } from "../../core/measurements/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { firstNames } from "../../core/text/index.ts";
import type { SourceRow } from "../../formats/text/index.ts";
import type { ImportEvent } from "./importer.ts";

/** Maximum depth of nested objects; deeper ones are reported. */
const deepest = 8;

/** Lists of up to this many integers may be settings, such as the shape of an array. */
const fewIntegers = 4;

/** Names of lists that are samples, whatever their numbers. */
const sampleNames = new RegExp(
  "(?:^|[._-]|(?<=[a-z])(?=[A-Z]))" +
    "(?:samples?|times?|timings?|values?|runs?|durations?|latenc(?:y|ies)|measurements?|results?|data|raw|" +
    "iterations?)" +
    "(?:[_-]?(?:ns|us|ms|s))?$",
  "i",
);

/** Names in one notice. */
const mostNames = 20;

/** Characters of a name in messages. */
const mostCharacters = 80;

/** The heading of the replicate index, as in exports. */
const sampleHeading = "sample";

/** The key of its column, which no member has. */
const sampleKey = "\u0000sample";

type Scalar = string | number | boolean;

/** A list of finite numbers; null is a missing one. */
type Samples = readonly (number | null)[];

/**
 * Turns JSON objects into rows of one table. Members of nested objects become columns `outer.inner`. A list of numbers
 * becomes samples if it is the only one of its object, or all lists of the object have the same length. What no column
 * can hold is collected for notices. Columns grow while objects are read.
 */
export class ObjectRows {
  readonly #file: string;
  readonly #columns = new Map<string, number>();
  /** Names of lists that are samples: later ones may be shorter. */
  readonly #sampled = new Set<string>();
  /** By what is reported: names of members, with the first line. */
  readonly #reported = new Map<string, Map<string, number>>();

  constructor(file: string) {
    this.#file = file;
  }

  /** Headings of the columns so far. */
  get headings(): string[] {
    return [...this.#columns.keys()].map((name) => (name === sampleKey ? sampleHeading : name));
  }

  /** The row of an object. Fails with `damaged-report` for too many members and numbers beyond double precision. */
  row(object: object, line: number): SourceRow {
    const cells: SourceRow["cells"][number][] = [];
    const lists: [name: string, samples: Samples][] = [];
    for (const [name, value] of membersOf(object, "", 0)) {
      if (Array.isArray(value)) this.#addList(name, value, line, lists);
      else if (typeof value === "object") this.#report("nested too deep", name, line);
      else if (typeof value === "number" && Number.isNaN(value)) this.#report("NaN", name, line);
      else cells[this.#column(name, line)] = this.#scalar(name, value, line);
    }
    const samples = this.#samplesOf(lists, line);
    for (const [at, list] of samples) cells[at] = list[0] ?? null;
    const row = { line, cells: Array.from(cells, (cell) => cell ?? null) };
    return samples.size === 0 ? row : { ...row, lists: samples };
  }

  /** Notices about everything that is in no column, and about rounded integers. */
  *notices(): Generator<Extract<ImportEvent, { kind: "notice" }>> {
    for (const [reason, names] of this.#reported) {
      const text = reasons[reason as Reason](memberNames([...names.keys()]), names.size > 1);
      yield { kind: "notice", line: Math.min(...names.values()), text };
    }
  }

  #scalar(name: string, value: Scalar, line: number): Scalar {
    if (typeof value !== "number") return value;
    // JSON has no infinity: the number is too large for double precision.
    if (!Number.isFinite(value)) {
      const problem = `'${name.slice(0, mostCharacters)}' is a number beyond 1.8e308`;
      throw new Failure("damaged-report", { file: this.#file, problem, line });
    }
    if (isRounded(value)) this.#report("rounded", name, line);
    return value;
  }

  #column(name: string, line: number): number {
    const at = this.#columns.get(name) ?? this.#columns.size;
    this.#columns.set(name, at);
    if (at < mostVariables) return at;
    const problem = `more than ${mostVariables} different members`;
    throw new Failure("damaged-report", { file: this.#file, problem, line });
  }

  #addList(name: string, list: readonly unknown[], line: number, lists: [string, Samples][]): void {
    if (list.length === 0) return;
    if (sampleNames.test(name)) this.#sampled.add(name);
    const isOfNumbers = list.every((each) => each === null || (typeof each === "number" && Number.isFinite(each)));
    if (!isOfNumbers || list.every((each) => each === null)) this.#report("list", name, line);
    else if (!this.#sampled.has(name) && list.length <= fewIntegers && list.every(Number.isInteger))
      this.#report("few integers", name, line);
    else {
      this.#sampled.add(name);
      lists.push([name, list as Samples]);
    }
  }

  #samplesOf(lists: readonly [string, Samples][], line: number): Map<number, Samples> {
    const samples = new Map<number, Samples>();
    const length = lists[0]?.[1].length ?? 0;
    if (lists.some(([, list]) => list.length !== length)) {
      for (const [name] of lists) this.#report("several lists", name, line);
      return samples;
    }
    if (lists.length === 0) return samples;
    const indices = Array.from({ length }, (_, at) => at + 1);
    samples.set(this.#column(sampleKey, line), indices);
    for (const [name, list] of lists) {
      if (list.some((each) => each !== null && isRounded(each))) this.#report("rounded", name, line);
      samples.set(this.#column(name, line), list);
    }
    return samples;
  }

  #report(reason: Reason, name: string, line: number): void {
    const names = this.#reported.get(reason) ?? new Map<string, number>();
    this.#reported.set(reason, names);
    if (!names.has(name)) names.set(name, line);
  }
}

/** Names of members in a notice. */
export function memberNames(names: readonly string[]): string {
  return firstNames(
    names.map((name) => `'${name.slice(0, mostCharacters)}'`),
    mostNames,
  );
}

type Reason = "list" | "several lists" | "few integers" | "nested too deep" | "NaN" | "rounded";

const reasons: Readonly<Record<Reason, (names: string, isPlural: boolean) => string>> = {
  list: (names, isPlural) =>
    `not imported, since ${isPlural ? "they are lists" : "it is a list"} of other values: ${names}`,
  "several lists": (names) => `not imported, since lists of one object have different lengths: ${names}`,
  "few integers": (names) => `not imported, since a list of a few integers may be settings: ${names}`,
  "nested too deep": (names) => `not imported, since objects are nested too deep: ${names}`,
  NaN: (names) => `NaN is a missing value: ${names}`,
  rounded: (names, isPlural) =>
    `${names} ${isPlural ? "have" : "has"} integers beyond 2^53, which are rounded; write them as strings`,
};

/** Whether an integer that is written with all its digits exceeds double precision. */
function isRounded(value: number): boolean {
  return !Number.isSafeInteger(value) && Number.isInteger(value) && Math.abs(value) < 1e21;
}

/** Scalars, lists, and objects that are too deep; no nulls. */
function* membersOf(object: object, prefix: string, depth: number): Generator<[string, Scalar | object]> {
  for (const [name, value] of Object.entries(object) as [string, Scalar | object | null][]) {
    if (value === null) continue;
    if (typeof value === "object" && !Array.isArray(value) && depth < deepest)
      yield* membersOf(value, `${prefix}${name}.`, depth + 1);
    else yield [prefix + name, value];
  }
}
