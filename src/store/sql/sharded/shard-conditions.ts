import type { Variable } from "../../../core/variables/variable.ts";
import { isRunVariable } from "../../../query/plan/run-variables.ts";

/** What is known of runs lies in the catalogue, and not in the parts; but for the number, which each row has. */
export function isOfCatalogue(variable: Variable): boolean {
  return isRunVariable(variable) && variable.name !== "run";
}

/** How conditions of one language are looked into. */
export interface ConditionLanguage<T> {
  variables(condition: T): readonly Variable[];
  /** Undefined for what is no junction, which is on one variable. */
  junction(condition: T): { readonly kind: "and" | "or"; readonly of: readonly T[] } | undefined;
  /** `ofRuns`: it is for the catalogue. */
  sql(condition: T, ofRuns: boolean): string;
}

/**
 * Conditions on rows that lie in parts, sorted by where they are judged. What is known of runs and stands beside
 * contents becomes a list of numbers of runs: there is no `not` in conditions, so that a missing content is as good as
 * an unfulfilled condition.
 */
export class PartConditions {
  /** Judged in the parts; they may name lists. */
  readonly rows: string[] = [];
  /** Judged of the runs r. */
  readonly runs: string[] = [];
  /** Conditions on the runs r; the numbers of those that fulfil number i are `(select list from <prefix>list<i>)`. */
  readonly lists: string[] = [];
  readonly prefix: string;
  /** The number of the run in a part. */
  readonly run: string;

  constructor(run: string, prefix: string) {
    this.run = run;
    this.prefix = prefix;
  }

  add<T>(condition: T, language: ConditionLanguage<T>): void {
    const junction = language.junction(condition);
    if (junction?.kind === "and") for (const each of junction.of) this.add(each, language);
    else if (isOnRuns(condition, language)) this.runs.push(`(${language.sql(condition, true)})`);
    else this.rows.push(`(${this.#written(condition, language)})`);
  }

  #written<T>(condition: T, language: ConditionLanguage<T>): string {
    const used = language.variables(condition);
    if (!used.some(isOfCatalogue)) return language.sql(condition, false);
    if (used.every(isRunVariable)) {
      const at = this.lists.push(language.sql(condition, true)) - 1;
      return `${this.run} = any (cast((select list from ${this.prefix}list${at}) as bigint[]))`;
    }
    const { kind, of } = language.junction(condition) ?? { kind: "and", of: [] };
    return of.map((each) => `(${this.#written(each, language)})`).join(` ${kind} `);
  }
}

/** Then it chooses runs, by whose numbers rows are found. */
function isOnRuns<T>(condition: T, { variables }: ConditionLanguage<T>): boolean {
  const used = variables(condition);
  return used.length > 0 && used.every(isRunVariable);
}
