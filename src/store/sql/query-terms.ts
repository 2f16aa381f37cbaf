import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Dialect } from "../../plugins/engines/engine.ts";
import { type Condition, type Conditions, isRunVariable, isTextMatch, rowNumberInRun } from "../../query/plan/index.ts";
import { collated, isText } from "./bind-value.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import { isInCatalogue } from "./sharded/shard-conditions.ts";
import { boundValueSql, columnName } from "../schema/index.ts";

/**
 * Compiles columns and conditions of a query to SQL over rows d, once-values o and runs r, and collects bound values.
 */
export class QueryTerms {
  readonly params: Value[] = [];
  readonly #stored: StoredExperiment;
  readonly #dialect: Dialect;
  readonly #run: string | undefined;

  /** `run`: for shards, the expression of the run number; text columns of shards sort by code point. */
  constructor(stored: StoredExperiment, dialect: Dialect, run?: string) {
    this.#stored = stored;
    this.#dialect = dialect;
    this.#run = run;
  }

  bind(value: Value): string {
    return `$${this.params.push(value)}`;
  }

  among(expression: string, values: readonly Value[]): string {
    return values.length === 0 ? "false" : `${expression} in (${values.map((value) => this.bind(value)).join(", ")})`;
  }

  /** `ofRuns`: evaluated on the catalogue. */
  expression(variable: Variable, ofRuns = false): string {
    if (variable === rowNumberInRun) return "d.ordinal";
    if (!ofRuns && this.#run !== undefined && isRunVariable(variable) && !isInCatalogue(variable)) return this.#run;
    if (isRunVariable(variable)) return runColumns[variable.name] ?? "null";
    const id = this.#stored.variableIds[this.#stored.experiment.variables.indexOf(variable)];
    return `${variable.occurrence === "multiple" ? "d" : "o"}.${columnName(id ?? 0)}`;
  }

  conditions(conditions: Conditions, ofRuns = false): string {
    if (!("junction" in conditions)) return this.#condition(conditions, ofRuns);
    return `(${conditions.of.map((each) => this.conditions(each, ofRuns)).join(` ${conditions.junction} `)})`;
  }

  #condition({ variable, comparison, values }: Condition, ofRuns: boolean): string {
    const column = this.expression(variable, ofRuns);
    if (comparison === "contains" || comparison === "lacks") {
      const position = `strpos(${plainText(column, variable)}, ${this.bind(values[0] ?? null)})`;
      return comparison === "contains" ? `${position} > 0` : `${position} = 0`;
    }
    if (isTextMatch(comparison)) throw new RangeError("a pattern is not resolved to values");
    const bound = values.map((value) => boundValueSql(value, variable, this.#dialect, (each) => this.bind(each)));
    switch (comparison) {
      case "null":
        return `${column} is null`;
      case "notnull":
        return `${column} is not null`;
      case "in":
        return bound.length === 0 ? "false" : `${column} in (${bound.join(", ")})`;
      case "not in":
        return bound.length === 0 ? `${column} is not null` : `${column} not in (${bound.join(", ")})`;
      case "!=":
        return `${column} <> ${bound[0]}`;
      case "=":
        return `${column} = ${bound[0]}`;
      default:
        const isCollated = isText(variable) && !this.#sortsByCodePoint(variable);
        return `${isCollated ? collated(column) : column} ${comparison} ${bound[0]}`;
    }
  }

  /** Text columns of shards sort by code point; run variables are in the local catalogue. */
  #sortsByCodePoint(variable: Variable): boolean {
    return this.#run !== undefined && !isRunVariable(variable);
  }
}

/** Columns of the run r. */
export const runColumns: Readonly<Record<string, string>> = {
  run: "r.number",
  commit: "r.version",
  dirty: "r.dirty",
  performed: "r.performed",
  created: "r.created",
  performer: "r.performer",
  label: "r.label",
  synopsis: "r.synopsis",
};

/** The text of a column; for versions, the part after the sortable key. */
function plainText(column: string, variable: Variable): string {
  return variable.type === "version" ? `split_part(${column}, chr(1), 2)` : column;
}
