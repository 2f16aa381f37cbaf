import { Failure } from "../../core/failures/index.ts";
import { flatColumns, type FlatColumn } from "../../core/tables/index.ts";
import { nearest } from "../../core/text/index.ts";
import { parsedUnit, unitsOf, type Run } from "../../core/profiles/index.ts";
import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { cellValue, profileFacts, rowTest, type ProfileColumn } from "./statistic-column.ts";
import { computeStatistic, statisticOf } from "../statistics/index.ts";

/** Computes one statistic of profiles by version. Profiles are added one by one; only their numbers are stored. */
export class ProfileStatistic {
  readonly column: ProfileColumn;
  /** Properties that differ among the pooled profiles: commands, workloads and subtypes. */
  readonly mixed = new Map<string, Set<string>>();
  readonly #numbers = new Map<string, number[]>();
  readonly #known = new Set<string>();
  #unit: string | undefined;
  #isInteger = true;
  #found = false;

  constructor(column: ProfileColumn) {
    this.column = column;
  }

  /** Fails with `unit-mismatch` if its numbers are in another unit than previous ones. */
  add(version: string, run: Run): void {
    const columns = new Map(flatColumns(run.data).map((column) => [column.name, column]));
    for (const name of columns.keys()) this.#known.add(name);
    const own = columns.get(this.column.column);
    if (own === undefined || !own.numeric) return;
    this.#found = true;
    this.#isInteger &&= run.data.variables.find(({ name }) => name === own.name)?.type === "integer";
    const tests = this.#tests(run, columns);
    const units = unitsOf(run);
    const kind = [columns.get("type"), columns.get("subtype")] as const;
    const numbers = this.#numbers.get(version) ?? [];
    for (let row = 0; row < run.data.length; row++) {
      const number = own.number(row);
      if (Number.isNaN(number) || !tests.every((test) => test(row))) continue;
      this.#agree(run, units(own.name, kind[0]?.text(row) ?? "", kind[1]?.text(row) ?? ""), kind, row);
      numbers.push(number);
    }
    if (numbers.length > 0) this.#numbers.set(version, numbers);
  }

  /** Fails with `unknown-column` when profiles were added and none has the column. */
  variable(): Variable {
    const { column, name, statistic } = this.column;
    if (!this.#found && this.#known.size > 0) {
      const known = [...this.#known];
      throw new Failure("unknown-column", { column, near: nearest(column, known).join(", "), known: known.join(", ") });
    }
    const unit = parsedUnit(this.#unit);
    const of: Variable = {
      name: column,
      role: "result",
      occurrence: "multiple",
      type: this.#isInteger ? "integer" : "float",
      ...(unit === undefined ? {} : { unit }),
    };
    return { ...statisticOf(statistic, of), name };
  }

  /** The statistic by version; omits versions without a matching profile. */
  values(): Map<string, number> {
    const found = new Map<string, number>();
    for (const [version, numbers] of this.#numbers) {
      const value = computeStatistic(this.column.statistic, Float64Array.from(numbers));
      if (value !== null) found.set(version, value);
    }
    return found;
  }

  /** Tests of rows; the command and the workload are those of the profile. */
  #tests(run: Run, columns: ReadonlyMap<string, FlatColumn>): ((row: number) => boolean)[] {
    const valuesOf = (name: string): ((row: number) => Value) => {
      const fact = profileFacts.find((each) => each === name);
      if (fact !== undefined) return () => String(run.fixed.get(fact) ?? "");
      const column = columns.get(name);
      return (row) => (column === undefined ? null : cellValue(column, row));
    };
    return this.column.where.map((text) => rowTest(text, (name) => columns.get(name)?.numeric === true, valuesOf));
  }

  #agree(run: Run, unit: string, kind: readonly (FlatColumn | undefined)[], row: number): void {
    this.#unit ??= unit;
    if (unit !== this.#unit)
      throw new Failure("unit-mismatch", {
        variable: this.column.name,
        from: unit || "no unit",
        to: this.#unit || "no unit",
      });
    for (const fact of profileFacts) this.#note(fact, String(run.fixed.get(fact) ?? ""));
    this.#note("subtype", kind[1]?.text(row) ?? "");
  }

  #note(what: string, value: string): void {
    const known = this.mixed.get(what);
    if (known === undefined) this.mixed.set(what, new Set([value]));
    else known.add(value);
  }
}
