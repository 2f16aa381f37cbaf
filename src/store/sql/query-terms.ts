import type { Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { Condition, Conditions } from "../../query/plan/condition.ts";
import { isRunVariable, rowNumberInRun } from "../../query/plan/run-variables.ts";
import { boundContent, collated, isText } from "./bind-value.ts";
import type { StoredExperiment } from "../catalogue/catalogue.ts";
import { isOfCatalogue } from "./sharded/shard-conditions.ts";
import { columnName } from "../schema/schema.ts";

/**
 * Contents and conditions of a question in SQL: of data sets d, contents of runs o and runs r; with what is bound
 * meanwhile.
 */
export class QuestionTerms {
  readonly params: Value[] = [];
  readonly #stored: StoredExperiment;
  readonly #dialect: Engine["dialect"];
  readonly #run: string | undefined;

  /**
   * `run`: rows lie in parts, which have the number of the run as this, and whose texts sort by code point without
   * being told to.
   */
  constructor(stored: StoredExperiment, dialect: Engine["dialect"], run?: string) {
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

  /** `ofRuns`: for the catalogue. */
  expression(variable: Variable, ofRuns = false): string {
    if (variable === rowNumberInRun) return "d.ordinal";
    if (!ofRuns && this.#run !== undefined && isRunVariable(variable) && !isOfCatalogue(variable)) return this.#run;
    if (isRunVariable(variable)) return runColumns[variable.name] ?? "null";
    const id = this.#stored.variableIds[this.#stored.experiment.variables.indexOf(variable)];
    return `${variable.occurrence === "multiple" ? "d" : "o"}.${columnName(id ?? 0)}`;
  }

  conditions(conditions: Conditions, ofRuns = false): string {
    if (!("junction" in conditions)) return this.#condition(conditions, ofRuns);
    return `(${conditions.of.map((each) => this.conditions(each, ofRuns)).join(` ${conditions.junction} `)})`;
  }

  #condition({ variable, comparison, values }: Condition, ofRuns: boolean): string {
    const content = this.expression(variable, ofRuns);
    if (comparison === "~" || comparison === "!~") {
      const found = `strpos(${plainText(content, variable)}, ${this.bind(values[0] ?? null)})`;
      return comparison === "~" ? `${found} > 0` : `${found} = 0`;
    }
    const bound = values.map((value) => boundContent(value, variable, this.#dialect, (each) => this.bind(each)));
    switch (comparison) {
      case "null":
        return `${content} is null`;
      case "notnull":
        return `${content} is not null`;
      case "in":
        return bound.length === 0 ? "false" : `${content} in (${bound.join(", ")})`;
      case "!=":
        return `${content} <> ${bound[0]}`;
      case "=":
        return `${content} = ${bound[0]}`;
      default:
        return `${isText(variable) && !this.#sortsByItself(variable) ? collated(content) : content} ${comparison} ${bound[0]}`;
    }
  }

  /** The catalogue lies here, and in parts nothing of it. */
  #sortsByItself(variable: Variable): boolean {
    return this.#run !== undefined && !isRunVariable(variable);
  }
}

/** What is known of the run r by itself. */
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

/** The version behind its sortable key. */
function plainText(content: string, variable: Variable): string {
  return variable.type === "version" ? `split_part(${content}, chr(1), 2)` : content;
}
