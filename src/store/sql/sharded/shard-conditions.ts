import { isRunVariable, variablesIn, type Predicate } from "../../../query/plan/index.ts";
import { isInCatalogue, type StatementTerms } from "../statement-terms.ts";

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

  /** `terms` compiles the conditions. */
  add(predicate: Predicate, terms: StatementTerms): void {
    if (predicate.kind === "and") for (const each of predicate.of) this.add(each, terms);
    else if (isOnRuns(predicate)) this.runs.push(`(${terms.condition(predicate, true)})`);
    else this.rows.push(`(${this.#shardSql(predicate, terms)})`);
  }

  #shardSql(predicate: Predicate, terms: StatementTerms): string {
    const used = variablesIn(predicate);
    if (!used.some(isInCatalogue)) return terms.condition(predicate);
    if (used.every(isRunVariable)) {
      const at = this.lists.push(terms.condition(predicate, true)) - 1;
      return `${this.run} = any (cast((select list from ${this.prefix}list${at}) as bigint[]))`;
    }
    // A condition on several variables is a junction.
    const of = "of" in predicate ? predicate.of : [];
    return of.map((each) => `(${this.#shardSql(each, terms)})`).join(` ${predicate.kind} `);
  }
}

/** Whether a condition selects runs, so that rows can be selected by run number. */
function isOnRuns(predicate: Predicate): boolean {
  const used = variablesIn(predicate);
  return used.length > 0 && used.every(isRunVariable);
}
