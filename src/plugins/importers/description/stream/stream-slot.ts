import type { Variable } from "../../../../core/variables/variable.ts";
import type { RowUpdate } from "../../../../formats/descriptions/input/input-description.ts";
import type { PresentValue } from "../value-reader.ts";
import type { TextFinder } from "./text-finder.ts";
import type { TypedText } from "./typed-text.ts";

/** Rules of a location for its values. */
export interface SlotRules {
  readonly mode?: "count" | "boolean" | "accumulate" | "abort";
  readonly startsRun?: boolean;
  readonly storesRow?: boolean;
  readonly update?: RowUpdate;
  readonly sticky?: false;
  readonly retrigger?: boolean;
}

/** One single value: where it is searched, and its current value. */
export class StreamSlot {
  readonly variable: Variable;
  /** Index of the column in the batch; -1: once per run. */
  readonly target: number;
  readonly rules: SlotRules;
  /** undefined: the value has another source. */
  readonly finder: TextFinder | undefined;
  readonly typed: TypedText;
  current: PresentValue | null;
  /** True when the value is the same in every run. */
  readonly #constant: boolean;
  #closed = false;

  constructor(typed: TypedText, target: number, rules: SlotRules, finder?: TextFinder, constant?: PresentValue) {
    this.typed = typed;
    this.variable = typed.variable;
    this.target = target;
    this.rules = rules;
    this.finder = finder;
    this.#constant = constant !== undefined;
    this.current = constant ?? this.#initial;
  }

  /** The initial value of counts and flags. */
  get #initial(): PresentValue | null {
    if (this.rules.mode === "count") return this.typed.fit(0, 0);
    return this.rules.mode === "boolean" ? false : null;
  }

  get isOpen(): boolean {
    return !this.#closed;
  }

  /** Records a hit. Closes the slot when only the first hit counts; slots that start runs stay open. */
  hit(): void {
    const { mode, retrigger, startsRun } = this.rules;
    const addsUp = mode === "count" || mode === "accumulate" || startsRun === true;
    const onlyFirst = retrigger === undefined ? this.target < 0 && !addsUp : !retrigger;
    if (onlyFirst) this.#closed = true;
  }

  /** Called when a row with the value was stored. */
  stored(): void {
    if (this.rules.sticky === false) this.current = this.#initial;
  }

  endRun(): void {
    this.#closed = false;
    if (!this.#constant) this.current = this.#initial;
    this.finder?.reset();
  }
}
