import { Failure } from "../../core/failures/failure.ts";
import type { Run } from "../../core/profiles/run.ts";
import { formatUnit } from "../../core/values/unit.ts";
import { parseProfileColumns, type ProfileColumn } from "../../query/profile/statistic-column.ts";
import { ProfileContents } from "../../query/profile/statistic-by-version.ts";

/** The number of a profile that is compared, and its unit. */
export interface MeasuredValue {
  readonly value: number;
  readonly unit: string;
}

/** What is compared where nobody says it: what the collector is there for. */
const defaultColumns: Readonly<Record<string, string>> = {
  time: "amount:median:subtype=real",
  counters: "amount:median:subtype=instructions",
};

/**
 * Reads `COLUMN:STATISTIC`, behind a further colon conditions on rows. Fails with `bad-option`, `unknown-statistic`.
 */
export function comparedColumn(text: string | undefined, collector: string): ProfileColumn {
  const wanted = text ?? defaultColumns[collector] ?? "amount:sum";
  const [column, ...more] = /^[^:,]+:[^:,]+(?::.+)?$/s.test(wanted) ? parseProfileColumns(`*:${wanted}`) : [];
  if (column !== undefined && more.length === 0) return column;
  throw new Failure("bad-option", {
    option: "--of",
    value: wanted,
    expected: "COLUMN:STATISTIC, as in amount:sum, and perhaps :CONDITION",
  });
}

/**
 * The number of one profile. Fails with `unknown-column`, `unit-mismatch`, and `nothing-to-compare` where no row fits.
 */
export function measuredValue(run: Run, column: ProfileColumn, profile: string): MeasuredValue {
  const contents = new ProfileContents(column);
  contents.add(profile, run);
  const { unit } = contents.variable();
  const value = contents.contents().get(profile);
  if (value !== undefined && Number.isFinite(value)) return { value, unit: formatUnit(unit) };
  const what = `the profile ${profile} has no finite ${column.name.replace(/^\*:/, "")}`;
  throw new Failure("nothing-to-compare", {
    what,
    instead: "choose another number of it with --of (perfkeep show lists its columns)",
  });
}
