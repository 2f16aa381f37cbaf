import type { Value } from "../../../../core/values/value.ts";
import type { Variable } from "../../../../core/variables/variable.ts";
import type { NamedLocation } from "../../../../formats/descriptions/input/input-description.ts";
import type { Finder } from "../finder.ts";

/** The place of one single content: what the description says about it and what the input has said so far. */
export class Slot {
  readonly variable: Variable;
  /** undefined: the content is fixed. */
  readonly finder: Finder | undefined;
  /** Index of the column in the batch; -1: once per run. */
  readonly target: number;
  /** Absent: the first content counts. */
  readonly mode: NamedLocation["mode"];
  value: Value;
  /** The content was found in this set, or in this run when it is once per run. */
  found = false;
  /** Another content in the same set has been told already. */
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

  /** The content before anything was found. */
  get #nothing(): Value {
    if (this.mode === "boolean") return false;
    return this.mode === "count" ? 0 : null;
  }

  /** It pays to look for the content. */
  get isOpen(): boolean {
    if (this.mode !== undefined) return this.mode !== "boolean" || this.value === false;
    return this.finder !== undefined && !(this.found && this.#reportedSecond);
  }

  /** The first content counts; true when this one differs from it, for the first time. */
  isSecond(value: Value): boolean {
    if (!this.found || this.#reportedSecond || value === this.value) return false;
    this.#reportedSecond = true;
    return true;
  }

  /** A new set: parameters keep their content until they are given another, results have none. */
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
