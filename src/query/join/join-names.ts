import type { Experiment } from "../../core/experiments/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import { nearest } from "../../core/text/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { findVariable, isRunVariable } from "../plan/index.ts";
import type { JoinKey } from "./join-keys.ts";

/** The first experiment of a join, or the second. */
export type Side = 0 | 1;

/** A key, a variable of one experiment, or the number of joined rows. */
export type JoinColumn =
  | { readonly kind: "key"; readonly at: number }
  | { readonly kind: "variable"; readonly side: Side; readonly variable: Variable }
  | { readonly kind: "rows" };

/**
 * The names of a query of two experiments: `latency` where one experiment has it, `net.latency` for that of `net`. The
 * name of a key means both.
 */
export class JoinNames {
  readonly keys: readonly JoinKey[];
  readonly #experiments: readonly [Experiment, Experiment];

  constructor(experiments: readonly [Experiment, Experiment], keys: readonly JoinKey[]) {
    this.#experiments = experiments;
    this.keys = keys;
  }

  /** Fails with `unknown-variable`, `ambiguous-variable`. */
  find(name: string): JoinColumn {
    const qualified = this.#qualified(name);
    if (qualified !== undefined) return qualified;
    const sides = ([0, 1] as const).flatMap((side) => {
      const variable = this.#own(side, name);
      return variable === undefined ? [] : [{ side, variable }];
    });
    const key = this.keys.findIndex(({ of }) => sides.some(({ side, variable }) => of[side] === variable));
    if (key >= 0) return { kind: "key", at: key };
    const own = sides.filter(({ variable }) => !isRunVariable(variable));
    const [only, second] = own.length > 0 ? own : sides;
    if (only !== undefined && second === undefined) return { kind: "variable", ...only };
    if (only === undefined) throw this.#unknown(name);
    const [left, right] = this.#experiments.map((experiment) => experiment.name);
    throw new Failure("ambiguous-variable", { variable: name, first: left, second: right });
  }

  /** The variable of a column, with a name that is unique in the result. */
  variableOf(column: JoinColumn): Variable {
    if (column.kind === "rows") throw new RangeError("a number of rows has no variable");
    if (column.kind === "key") return (this.keys[column.at] as JoinKey).of[0];
    const { side, variable } = column;
    const other = this.#own(side === 0 ? 1 : 0, variable.name);
    const isKeyName = this.keys.some(({ of }) => of[0].name.toLowerCase() === variable.name.toLowerCase());
    return other === undefined && !isKeyName ? variable : { ...variable, name: this.#prefix(side) + variable.name };
  }

  /** All names under which a column is found. */
  spellings(column: JoinColumn): string[] {
    if (column.kind === "rows") return [];
    if (column.kind === "key") return (this.keys[column.at] as JoinKey).of.map(({ name }) => name);
    return [this.variableOf(column).name, this.#prefix(column.side) + column.variable.name];
  }

  #prefix(side: Side): string {
    return `${this.#experiments[side].name}.`;
  }

  #qualified(name: string): JoinColumn | undefined {
    for (const side of [0, 1] as const) {
      const prefix = this.#prefix(side);
      if (!name.toLowerCase().startsWith(prefix.toLowerCase())) continue;
      const variable = this.#own(side, name.slice(prefix.length));
      if (variable !== undefined) return { kind: "variable", side, variable };
    }
    return undefined;
  }

  #own(side: Side, name: string): Variable | undefined {
    try {
      return findVariable(name, this.#experiments[side]);
    } catch (error) {
      if (isFailure(error, "unknown-variable")) return undefined;
      throw error;
    }
  }

  #unknown(name: string): Failure {
    const known = ([0, 1] as const).flatMap((side) =>
      this.#experiments[side].variables.map((variable) => this.#prefix(side) + variable.name),
    );
    return new Failure("unknown-variable", {
      variable: name,
      experiment: this.#experiments.map((experiment) => experiment.name).join("' or '"),
      near: nearest(name, known).join(", "),
      known: known.join(", "),
    });
  }
}
