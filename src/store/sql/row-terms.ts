import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Dialect } from "../../plugins/engines/engine.ts";
import {
  variablesIn,
  type Predicate,
  columnsIn,
  expressionType,
  type RowExpression,
  type RowLimit,
  type Summary,
  isRunVariable,
} from "../../query/plan/index.ts";
import type { RowPlan } from "../../query/description/index.ts";
import { double } from "./bind-value.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import { comparisonSql, conditionSql, type ConditionContext, type Memberships } from "./condition-sql.ts";
import { expressionSql, type ExpressionContext } from "./expression-sql.ts";
import { isInCatalogue } from "./sharded/shard-conditions.ts";
import { runColumns } from "./query-terms.ts";
import { columnName } from "../schema/index.ts";

/**
 * Compiles columns, expressions and conditions of a source to SQL over rows d, once-values o and runs r, and collects
 * bound values.
 */
export class RowTerms {
  readonly params: Value[] = [];
  /** The joined sources, while expressions over them are compiled. */
  joined: readonly RowPlan[] | undefined;
  readonly #stored: StoredExperiment;
  readonly #dialect: Dialect;
  readonly #memberships: Memberships;
  readonly #run: string | undefined;

  /** `run`: for shards, the expression of the run number; text columns of shards sort by code point. */
  constructor(stored: StoredExperiment, dialect: Dialect, memberships: Memberships, run?: string) {
    this.#stored = stored;
    this.#dialect = dialect;
    this.#memberships = memberships;
    this.#run = run;
  }

  bind(value: Value): string {
    return `$${this.params.push(value)}`;
  }

  get context(): ExpressionContext {
    return {
      dialect: this.#dialect,
      column: ({ variable, from }) => {
        const plan = this.joined?.[from];
        return plan === undefined ? this.variable(variable) : `j${from}.c${plan.variables.indexOf(variable)}`;
      },
      bind: (value) => this.bind(value),
      isRemote: this.#run !== undefined,
    };
  }

  /** `ofRuns`: evaluated on the catalogue. */
  variable(variable: Variable, ofRuns = false): string {
    if (!ofRuns && this.#run !== undefined && isRunVariable(variable) && !isInCatalogue(variable)) return this.#run;
    if (isRunVariable(variable)) return runColumns[variable.name] ?? "null";
    const id = this.#stored.variableIds[this.#stored.experiment.variables.indexOf(variable)];
    return `${variable.occurrence === "multiple" ? "d" : "o"}.${columnName(id ?? 0)}`;
  }

  expression(expression: RowExpression): string {
    return expressionSql(expression, this.context);
  }

  /** `ofRuns`: evaluated on the catalogue. */
  condition(predicate: Predicate, ofRuns = false): string {
    return conditionSql(predicate, this.#conditionContext(ofRuns));
  }

  limit({ of, sign, value, absolute }: RowLimit, ofRuns = false): string {
    const type = expressionType(of);
    const expression = this.expression(of);
    const exact = type === "integer" ? `cast(${expression} as decimal(38, 0))` : expression;
    const column = absolute ? `abs(${exact})` : expression;
    const compared = comparisonSql(column, sign, value, { type }, this.#conditionContext(ofRuns));
    // Databases sort NaN above all numbers.
    return isFloat(type) && (sign === ">" || sign === ">=")
      ? `(${compared} and ${column} <> cast('NaN' as ${double}))`
      : compared;
  }

  #conditionContext(ofRuns: boolean): ConditionContext {
    return {
      dialect: this.#dialect,
      memberships: this.#memberships,
      sortsByCodePoint: this.#run !== undefined && !ofRuns,
      column: (variable) => this.variable(variable, ofRuns),
      bind: (value) => this.bind(value),
    };
  }
}

/** All variables that a plan uses of its source. */
export function usedIn({ variables, once, multiple, limits = [], slice, first, summary }: RowPlan): Variable[] {
  const aggregated = summary === undefined ? [] : [...summary.columns.map(({ of }) => of), ...keysIn(summary)];
  const expressions = [
    ...[...limits, ...(slice?.limits ?? []), ...(first?.order ?? [])].map(({ of }) => of),
    ...aggregated,
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
