import type { Value } from "../../../../core/values/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import type { NamedLocation } from "../../../../formats/descriptions/index.ts";
import type { Finder } from "../finder.ts";

/** One single value: its location in the description and its current state. */
export class Slot {
  readonly variable: Variable;
  /** undefined: the value is fixed. */
  readonly finder: Finder | undefined;
  /** Index of the column in the batch; -1: once per run. */
  readonly target: number;
  /** Absent: the first value counts. */
  readonly mode: NamedLocation["mode"];
  value: Value;
  /** True when the value was found in this set or, if it is once per run, in this run. */
  found = false;
  /** A second value in the same set was reported already. */
  #reportedSecond = false;

  constructor(
    variable: Variable,
    finder: Finder | undefined,
    target: number,
    fixed: Value = null,
    mode?: NamedLocation["mode"],
  ) {
    this.variable = variable;
    this.finder = finder;
    this.target = target;
    this.mode = mode;
    this.value = finder ? this.#nothing : fixed;
  }

  /** The initial value. */
  get #nothing(): Value {
    if (this.mode === "boolean") return false;
    return this.mode === "count" ? 0 : null;
  }

  /** True while the value has to be searched. */
  get isOpen(): boolean {
    if (this.mode !== undefined) return this.mode !== "boolean" || this.value === false;
    return this.finder !== undefined && !(this.found && this.#reportedSecond);
  }

  /** The first value counts. Returns true once, when a later one differs from it. */
  isSecond(value: Value): boolean {
    if (!this.found || this.#reportedSecond || value === this.value) return false;
    this.#reportedSecond = true;
    return true;
  }

  /** Ends a set: parameters keep their value until they get another, results lose it. */
  endSet(): void {
    if (this.target < 0 || !this.finder) return;
    this.found = false;
    if (this.variable.role === "result" || this.mode !== undefined) this.value = this.#nothing;
  }

  endRun(): void {
    if (!this.finder) return;
    this.found = false;
    this.value = this.#nothing;
  }
}
