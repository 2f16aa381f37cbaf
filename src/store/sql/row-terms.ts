import type { Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { variablesIn, type Predicate } from "../../query/plan/predicate.ts";
import { columnsIn, expressionType, type RowExpression } from "../../query/plan/row-expression.ts";
import type { RowLimit, Summary } from "../../query/plan/row-summary.ts";
import type { RowPlan } from "../../query/description/sources/source-plan.ts";
import { isRunVariable } from "../../query/plan/run-variables.ts";
import { double } from "./bind-value.ts";
import type { StoredExperiment } from "../catalogue/catalogue.ts";
import { comparisonSql, conditionSql, type ConditionPlace, type Memberships } from "./condition-sql.ts";
import { expressionSql, type Written } from "./expression-sql.ts";
import { isOfCatalogue } from "./sharded/shard-conditions.ts";
import { runColumns } from "./query-terms.ts";
import { columnName } from "../schema/schema.ts";

/**
 * Contents, expressions and conditions of a source in SQL: of data sets d, contents of runs o and runs r; with what is
 * bound meanwhile.
 */
export class RowTerms {
  readonly params: Value[] = [];
  /** The sources that are joined, while what is made of them is written. */
  joined: readonly RowPlan[] | undefined;
  readonly #stored: StoredExperiment;
  readonly #dialect: Engine["dialect"];
  readonly #memberships: Memberships;
  readonly #run: string | undefined;

  /**
   * `run`: rows lie in parts, which have the number of the run as this, and whose texts sort by code point without
   * being told to.
   */
  constructor(stored: StoredExperiment, dialect: Engine["dialect"], memberships: Memberships, run?: string) {
    this.#stored = stored;
    this.#dialect = dialect;
    this.#memberships = memberships;
    this.#run = run;
  }

  bind(value: Value): string {
    return `$${this.params.push(value)}`;
  }

  get written(): Written {
    return {
      content: ({ variable, from }) => {
        const plan = this.joined?.[from];
        return plan === undefined ? this.variable(variable) : `j${from}.c${plan.variables.indexOf(variable)}`;
      },
      bind: (value) => this.bind(value),
      isSent: this.#run !== undefined,
    };
  }

  /** `ofRuns`: for the catalogue. */
  variable(variable: Variable, ofRuns = false): string {
    if (!ofRuns && this.#run !== undefined && isRunVariable(variable) && !isOfCatalogue(variable)) return this.#run;
    if (isRunVariable(variable)) return runColumns[variable.name] ?? "null";
    const id = this.#stored.variableIds[this.#stored.experiment.variables.indexOf(variable)];
    return `${variable.occurrence === "multiple" ? "d" : "o"}.${columnName(id ?? 0)}`;
  }

  expression(expression: RowExpression): string {
    return expressionSql(expression, this.written);
  }

  /** `ofRuns`: on what is known of runs, which lies in one place. */
  condition(predicate: Predicate, ofRuns = false): string {
    return conditionSql(predicate, this.#place(ofRuns));
  }

  limit({ of, sign, value, absolute }: RowLimit, ofRuns = false): string {
    const type = expressionType(of);
    const plain = this.expression(of);
    const content = absolute ? `abs(${type === "integer" ? `cast(${plain} as decimal(38, 0))` : plain})` : plain;
    const compared = comparisonSql(content, sign, value, { type }, this.#place(ofRuns));
    // Databases have NaN above all numbers.
    return isFloat(type) && (sign === ">" || sign === ">=")
      ? `(${compared} and ${content} <> cast('NaN' as ${double}))`
      : compared;
  }

  #place(ofRuns: boolean): ConditionPlace {
    return {
      dialect: this.#dialect,
      memberships: this.#memberships,
      sorted: this.#run !== undefined && !ofRuns,
      content: (variable) => this.variable(variable, ofRuns),
      bind: (value) => this.bind(value),
    };
  }
}

/** All that is looked at of the source itself. */
export function usedIn({ variables, once, multiple, limits = [], slice, first, summary }: RowPlan): Variable[] {
  const summed = summary === undefined ? [] : [...summary.columns.map(({ of }) => of), ...keysIn(summary)];
  const expressions = [
    ...[...limits, ...(slice?.limits ?? []), ...(first?.order ?? [])].map(({ of }) => of),
    ...summed,
  ];
  return [
    ...variables,
    ...variablesIn(once),
    ...variablesIn(multiple),
    ...expressions.flatMap(columnsIn).map((leaf) => leaf.variable),
  ];
}

function keysIn({ by }: Summary): readonly RowExpression[] {
  return by === "run" ? [] : "of" in by ? [by.of] : by;
}

export function runOf({ of }: RowPlan): string {
  return of === "data" ? "d.run" : "o.run";
}

function isFloat(type: Variable["type"]): boolean {
  return type === "float" || type === "duration" || type === "timeofday";
}
