import type { Variable } from "../../../core/variables/index.ts";
import { isRunVariable } from "../../../query/plan/index.ts";

/** Whether a variable is only in the catalogue and not in shards: all run variables except the run number. */
export function isInCatalogue(variable: Variable): boolean {
  return isRunVariable(variable) && variable.name !== "run";
}

/** Access to the conditions of one query language. */
export interface ConditionLanguage<T> {
  variables(condition: T): readonly Variable[];
  /** Undefined for conditions other than junctions, which have one variable. */
  junction(condition: T): { readonly kind: "and" | "or"; readonly of: readonly T[] } | undefined;
  /** `ofRuns`: evaluated on the catalogue. */
  sql(condition: T, ofRuns: boolean): string;
}

/**
 * Conditions on sharded rows, divided by where they are evaluated. Catalogue conditions mixed with others become lists
 * of run numbers. Since conditions have no `not`, null is equivalent to false.
 */
export class ShardConditions {
  /** Evaluated in the shards; they may refer to lists. */
  readonly rows: string[] = [];
  /** Evaluated on the runs r. */
  readonly runs: string[] = [];
  /** Conditions on the runs r; the matching run numbers of condition i are `(select list from <prefix>list<i>)`. */
  readonly lists: string[] = [];
  readonly prefix: string;
  /** The run number in a shard. */
  readonly run: string;

  constructor(run: string, prefix: string) {
    this.run = run;
    this.prefix = prefix;
  }

  add<T>(condition: T, language: ConditionLanguage<T>): void {
    const junction = language.junction(condition);
    if (junction?.kind === "and") for (const each of junction.of) this.add(each, language);
    else if (isOnRuns(condition, language)) this.runs.push(`(${language.sql(condition, true)})`);
    else this.rows.push(`(${this.#shardSql(condition, language)})`);
  }

  #shardSql<T>(condition: T, language: ConditionLanguage<T>): string {
    const used = language.variables(condition);
    if (!used.some(isInCatalogue)) return language.sql(condition, false);
    if (used.every(isRunVariable)) {
      const at = this.lists.push(language.sql(condition, true)) - 1;
      return `${this.run} = any (cast((select list from ${this.prefix}list${at}) as bigint[]))`;
    }
    const { kind, of } = language.junction(condition) ?? { kind: "and", of: [] };
    return of.map((each) => `(${this.#shardSql(each, language)})`).join(` ${kind} `);
  }
}

/** Whether a condition selects runs, so that rows can be selected by run number. */
function isOnRuns<T>(condition: T, { variables }: ConditionLanguage<T>): boolean {
  const used = variables(condition);
  return used.length > 0 && used.every(isRunVariable);
}
