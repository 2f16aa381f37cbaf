import type { JoinType } from "../../core/experiments/index.ts";
import { counted } from "../../core/text/index.ts";
import type { Table } from "../../core/tables/index.ts";
import { formatUnit, formatValue } from "../../core/values/index.ts";
import type { JoinPlan } from "./join-plan.ts";
import type { KeyRows, MatchedRows } from "./join-rows.ts";

/** What a join did with the rows of one experiment. */
export interface JoinSide {
  readonly experiment: string;
  readonly rows: number;
  /** Rows without a partner, including those without a key. */
  readonly unmatched: number;
  /** Rows that lack the value of a key. */
  readonly withoutKey: number;
  /** Keys that several rows have. */
  readonly repeatedKeys: number;
}

export interface JoinReport {
  readonly type: JoinType;
  /** Names of the keys in both experiments. */
  readonly on: readonly (readonly [string, string])[];
  readonly left: JoinSide;
  readonly right: JoinSide;
  /** Keys that several rows of both experiments have: each of these rows has several partners. */
  readonly repeatedInBoth: number;
  /** Joined rows. */
  readonly rows: number;
  /** For the user. */
  readonly notes: readonly string[];
}

const maxNamed = 3;

export function joinReport(plan: JoinPlan, tables: readonly [Table, Table], matched: MatchedRows): JoinReport {
  const repeated = matched.keys.filter(({ rows }) => rows[0].length > 1 && rows[1].length > 1);
  const [left, right] = ([0, 1] as const).map((side) => sideOf(plan, tables[side], matched, side)) as [
    JoinSide,
    JoinSide,
  ];
  const keeps = [plan.type === "left" || plan.type === "full", plan.type === "right" || plan.type === "full"];
  const pairs = matched.keys.reduce((sum, { rows }) => sum + rows[0].length * rows[1].length, 0);
  const rows = pairs + (keeps[0] === true ? left.unmatched : 0) + (keeps[1] === true ? right.unmatched : 0);
  return {
    type: plan.type,
    on: plan.keys.map(({ of }) => [of[0].name, of[1].name]),
    left,
    right,
    repeatedInBoth: repeated.length,
    rows,
    notes: [
      ...(plan.areDefaultKeys ? [`joined on ${plan.keys.map(({ of }) => of[0].name).join(", ")}`] : []),
      ...unmatchedNotes(plan, matched, 0, left, keeps[0] === true),
      ...unmatchedNotes(plan, matched, 1, right, keeps[1] === true),
      ...repeatedNotes(plan, matched, repeated, [left, right]),
    ],
  };
}

function sideOf(plan: JoinPlan, table: Table, { keys, withoutKey }: MatchedRows, side: 0 | 1): JoinSide {
  const other = side === 0 ? 1 : 0;
  const alone = keys.filter(({ rows }) => rows[other].length === 0);
  return {
    experiment: plan.names[side],
    rows: table.length,
    unmatched: alone.reduce((sum, { rows }) => sum + rows[side].length, 0) + withoutKey[side].length,
    withoutKey: withoutKey[side].length,
    repeatedKeys: keys.filter(({ rows }) => rows[side].length > 1).length,
  };
}

function unmatchedNotes(
  plan: JoinPlan,
  matched: MatchedRows,
  side: 0 | 1,
  { experiment, rows, unmatched, withoutKey }: JoinSide,
  isKept: boolean,
): string[] {
  const other = side === 0 ? 1 : 0;
  const fate = isKept ? `kept without values of '${plan.names[other]}'` : "omitted";
  const alone = matched.keys.filter((key) => key.rows[side].length > 0 && key.rows[other].length === 0);
  const count = unmatched - withoutKey;
  const all = counted(rows, "row");
  const without = `of '${experiment}' ${count === 1 ? "has" : "have"} no partner in '${plan.names[other]}'`;
  return [
    ...(count === 0 ? [] : [`${count} of ${all} ${without} (${named(plan, alone)}): ${fate}`]),
    ...(withoutKey === 0
      ? []
      : [`${withoutKey} of ${all} of '${experiment}' ${withoutKey === 1 ? "lacks" : "lack"} a key: ${fate}`]),
  ];
}

function repeatedNotes(
  plan: JoinPlan,
  { keys }: MatchedRows,
  repeated: readonly KeyRows[],
  sides: readonly [JoinSide, JoinSide],
): string[] {
  const [first, second] = plan.names;
  if (repeated.length > 0) {
    const several = `${counted(repeated.length, "key")} (${named(plan, repeated)}) with several rows`;
    const rows = `${sum(repeated, 0)} rows of '${first}' and ${sum(repeated, 1)} of '${second}'`;
    const effect = plan.grouped ? "; in statistics each row counts once" : "";
    return [`${several} in both experiments: ${rows} make ${pairsOf(repeated)} pairs${effect}`];
  }
  if (plan.grouped) return [];
  return ([0, 1] as const).flatMap((side) => {
    const other = side === 0 ? 1 : 0;
    const several = keys.filter(({ rows }) => rows[side].length > 1 && rows[other].length > 0);
    if (several.length === 0) return [];
    const many = `${counted(several.length, "key")} (${named(plan, several)}) with several rows`;
    return [`${many} in '${sides[side].experiment}': rows of '${sides[other].experiment}' are repeated for them`];
  });
}

function sum(keys: readonly KeyRows[], side: 0 | 1): number {
  return keys.reduce((total, { rows }) => total + rows[side].length, 0);
}

function pairsOf(keys: readonly KeyRows[]): number {
  return keys.reduce((total, { rows }) => total + rows[0].length * rows[1].length, 0);
}

/** The first keys: `size=1024 Byte np=2, …`. */
function named({ keys }: JoinPlan, found: readonly KeyRows[]): string {
  const texts = found.slice(0, maxNamed).map(({ values }) =>
    values
      .map((value, at) => {
        const [variable] = keys[at]!.of;
        const unit = formatUnit(variable.unit);
        return `${variable.name}=${formatValue(value, variable.type)}${unit === "" ? "" : ` ${unit}`}`;
      })
      .join(" "),
  );
  return [...texts, ...(found.length > maxNamed ? ["…"] : [])].join(", ");
}
