import type { Value } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import type { Effects, NamedLocation } from "../../../formats/descriptions/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { hasMark, valueIn, type FinderResult, type Look, type Source } from "./finders/finder.ts";
import type { Literal } from "./finders/keyword-search.ts";
import type { Line } from "./line.ts";
import type { PresentValue } from "./value-reader.ts";

/** Rules of a location for its values. */
export type SlotRules = Pick<NamedLocation, "mode"> & Effects;

interface SlotParts {
  readonly variable: Variable;
  /** Index of the column in the batch; -1: once per run. */
  readonly target: number;
  readonly sources?: readonly Source[];
  readonly rules?: SlotRules;
  /** The value of every run, for slots without a source. */
  readonly constant?: Value;
  /** Converts a computed number to the variable's type. Fails with `bad-content`. */
  fit(value: number, line: number): PresentValue;
}

/** One single value: where it is searched, and its current state. */
export class Slot {
  readonly variable: Variable;
  /** Index of the column in the batch; -1: once per run. */
  readonly target: number;
  readonly rules: SlotRules;
  /** Empty: the value has another origin. */
  readonly sources: readonly Source[];
  readonly fit: SlotParts["fit"];
  value: Value;
  /** True when the value was found in this set or, if it is once per run, in this run. */
  found = false;
  /** False: further values do not count. */
  isOpen = true;
  /** Another value in the line that was read last. */
  second: PresentValue | undefined;
  /** Why the value that was read last may be another one. */
  doubt: string | undefined;
  /** True when its lines matter even while it is closed, since they separate sets or runs. */
  separates = false;
  readonly #isConstant: boolean;
  /** Lines without any of them have no value; undefined: other lines may have one. */
  readonly #literals: readonly Literal[] | undefined;

  constructor({ variable, target, sources = [], rules = {}, constant, fit }: SlotParts) {
    this.variable = variable;
    this.target = target;
    this.sources = sources;
    this.rules = rules;
    this.fit = fit;
    this.#isConstant = constant !== undefined;
    this.value = constant ?? this.#initial;
    const finders = sources.map(({ finder }) => finder);
    this.#literals = finders.every((finder) => finder.onlyLiterals)
      ? finders.flatMap((finder) => finder.literals)
      : undefined;
  }

  /** The initial value of counts and flags. */
  get #initial(): Value {
    if (this.#isConstant) return null;
    if (this.rules.mode === "count") return 0;
    return this.rules.mode === "boolean" ? false : null;
  }

  /** True when lines have to be searched for the slot. */
  get isSought(): boolean {
    return this.sources.length > 0 && (this.isOpen || this.separates);
  }

  /** The value in the line; counts are increments. Fails with `import-aborted`. */
  valueIn(look: Look): FinderResult {
    const { sources, rules } = this;
    if (!this.#mayBeIn(look.line)) return undefined;
    if (rules.mode === undefined || rules.mode === "accumulate") return valueIn(sources, look, this);
    if (rules.mode === "count") return sources.reduce((sum, { finder }) => sum + finder.count(look), 0) || undefined;
    if (!hasMark(sources, look)) return undefined;
    if (rules.mode === "abort")
      throw new Failure("import-aborted", { line: look.line.number, variable: this.variable.name });
    return true;
  }

  #mayBeIn({ block, start, end }: Line): boolean {
    const literals = this.#literals;
    if (literals === undefined) return true;
    for (let at = 0; at < literals.length; at++)
      if ((literals[at] as Literal).next(block.text, start) < end) return true;
    return false;
  }

  /** Adds counts and sums to the current value. */
  total(value: PresentValue, line: number): PresentValue {
    if (this.rules.mode !== "count" && this.rules.mode !== "accumulate") return value;
    return this.fit(Number(this.value ?? 0) + Number(value), line);
  }

  /** Drops the value, unless it is constant. */
  clear(): void {
    if (!this.#isConstant) this.value = this.#initial;
  }

  /** Starts a new run. */
  endRun(): void {
    this.isOpen = true;
    this.found = false;
    this.clear();
  }
}
