import { Failure } from "../../core/failures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import { formatUnit } from "../../core/values/index.ts";
import { parseProfileColumns, type ProfileColumn, ProfileStatistic } from "../../query/profile/index.ts";

/** The compared value of a profile. */
export interface MeasuredValue {
  readonly value: number;
  readonly unit: string;
}

/** Default columns per collector. */
const defaultColumns: Readonly<Record<string, string>> = {
  time: "amount:median:subtype=real",
  counters: "amount:median:subtype=instructions",
};

/** Parses `COLUMN:STATISTIC[:CONDITIONS]`. Fails with `bad-option`, `unknown-statistic`. */
export function comparedColumn(text: string | undefined, collector: string): ProfileColumn {
  const wanted = text ?? defaultColumns[collector] ?? "amount:sum";
  const [column, ...more] = /^[^:,]+:[^:,]+(?::.+)?$/s.test(wanted) ? parseProfileColumns(`*:${wanted}`) : [];
  if (column !== undefined && more.length === 0) return column;
  throw new Failure("bad-option", {
    option: "--of",
    value: wanted,
    expected: "COLUMN:STATISTIC[:CONDITIONS], such as amount:sum",
  });
}

/** Value of one profile. Fails with `unknown-column`, `unit-mismatch`, and `nothing-to-compare` if no row matches. */
export function measuredValue(run: Run, column: ProfileColumn, profile: string): MeasuredValue {
  const statistic = new ProfileStatistic(column);
  statistic.add(profile, run);
  const { unit } = statistic.variable();
  const value = statistic.values().get(profile);
  if (value !== undefined && Number.isFinite(value)) return { value, unit: formatUnit(unit) };
  const what = `the profile ${profile} has no finite ${column.name.replace(/^\*:/, "")}`;
  throw new Failure("nothing-to-compare", {
    what,
    instead: "select another column with --of (perfkeep show lists them)",
  });
}
