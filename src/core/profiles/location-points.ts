import { Failure } from "../failures/index.ts";
import { flatColumns, type FlatColumn, selectColumns, type Table } from "../tables/index.ts";
import { compareValues, groupBy } from "../values/index.ts";
import type { Run } from "./run.ts";

/** The points of one location, in the order of the rows. */
export interface Points {
  /** The flattened uid. */
  readonly uid: string;
  /** The event, else the subtype, if the location has amounts of several kinds and they are separated. */
  readonly subtype?: string;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** True when the source spells all of x, or of y, as integers. */
  readonly integerX: boolean;
  readonly integerY: boolean;
}

/**
 * The points (`per`, `of`) of each location, ordered by flattened uid; rows without one of them are skipped. Both name
 * a column or a part of one (`uid:line`). Fails with `unknown-column`, and with `not-numbers` if a column has no
 * number.
 */
export function pointsByUid(table: Table, per: string, of: string): Points[] {
  return pointsByKind(table, per, of, () => "").map(({ points }) => points);
}

/** Like `pointsByUid`, with separate points for each subtype of a location. */
export function pointsBySubtype(table: Table, per: string, of: string): Points[] {
  if (table.length === 0) return [];
  const [event, subtype] = ["event", "subtype"].map((name) =>
    table.variables.some((each) => each.name === name) ? columnNamed(table, name) : null,
  );
  const found = pointsByKind(table, per, of, (row) => event?.text(row) || subtype?.text(row) || "");
  const isOneOfSeveral = (at: number): boolean =>
    [at - 1, at + 1].some((other) => found[other]?.points.uid === found[at]?.points.uid);
  return found.map(({ kind, points }, at) =>
    kind !== "" && isOneOfSeveral(at) ? { ...points, subtype: kind } : points,
  );
}

/** The points of one location over several parameters: an array each, in their order. */
export interface ParameterPoints extends Pick<Points, "uid" | "subtype"> {
  readonly x: readonly Float64Array[];
  readonly y: Float64Array;
}

/** Like `pointsBySubtype`, over several columns; rows without one of them are skipped. */
export function pointsByParameters(table: Table, pers: readonly string[], of: string): ParameterPoints[] {
  const columns = pers.map((per) => columnNamed(table, per));
  const rows = Float64Array.from({ length: table.length }, (_, row) => row);
  const isWhole = (row: number): boolean => columns.every((column) => Number.isFinite(column.number(row)));
  return pointsBySubtype(withRowNumbers(table, rows), rowNumber, of).flatMap(({ x: at, y, uid, subtype }) => {
    const kept = [...at.keys()].filter((each) => isWhole(at[each]!));
    const x = columns.map((column) => Float64Array.from(kept, (each) => column.number(at[each]!)));
    const points = { uid, x, y: Float64Array.from(kept, (each) => y[each]!) };
    return kept.length === 0 ? [] : [subtype === undefined ? points : { ...points, subtype }];
  });
}

const rowNumber = "\0row";

function withRowNumbers(table: Table, values: Float64Array): Table {
  const variable = {
    name: rowNumber,
    role: "parameter",
    occurrence: "multiple",
    type: "integer",
    default: null,
  } as const;
  const column = { kind: "number", values, missing: null, exact: null } as const;
  return { ...table, variables: [...table.variables, variable], columns: [...table.columns, column] };
}

/** The name of a location with its subtype: `uid [subtype]`. */
export function locationName({ uid, subtype }: Pick<Points, "uid" | "subtype">): string {
  return subtype === undefined ? uid : `${uid} [${subtype}]`;
}

/** The location that models record for the points they were fitted to. */
export function locationOf({ uid, subtype }: Points): Pick<Points, "uid" | "subtype"> {
  return subtype === undefined ? { uid } : { uid, subtype };
}

/** Like `pointsByUid`, with separate points for each kind of rows of a location. */
export function pointsByKind<K>(
  table: Table,
  per: string,
  of: string,
  kindOf: (row: number) => K,
): { readonly kind: K; readonly points: Points }[] {
  if (table.length === 0) return [];
  const [uid, x, y] = [columnNamed(table, "uid"), columnNamed(table, per), columnNamed(table, of)];
  const rows = rowsByUid(table.length, uid, x, y);
  if (rows.size === 0) throw new Failure("not-numbers", { columns: per === of ? [per] : [per, of] });
  const [integerX, integerY] = [isInteger(table, per), isInteger(table, of)];
  return [...rows]
    .sort(([a], [b]) => compareValues(a, b, "text"))
    .flatMap(([uidText, own]) =>
      [...groupBy(own, kindOf)].map(([kind, rest]) => {
        return { kind, points: { uid: uidText, x: picked(x, rest), y: picked(y, rest), integerX, integerY } };
      }),
    );
}

function rowsByUid(length: number, uid: FlatColumn, x: FlatColumn, y: FlatColumn): Map<string, number[]> {
  const rows = Array.from({ length }, (_, row) => row);
  const isPoint = (row: number): boolean =>
    uid.text(row) !== "" && Number.isFinite(x.number(row)) && Number.isFinite(y.number(row));
  return groupBy(rows.filter(isPoint), uid.text);
}

function picked(column: FlatColumn, rows: readonly number[]): Float64Array {
  return Float64Array.from(rows, (row) => column.number(row));
}

function isInteger(table: Table, name: string): boolean {
  return table.variables.find((variable) => variable.name === name)?.type === "integer";
}

/** A column, or a part of a nested one (`uid:line`). Fails with `unknown-column`. */
export function columnNamed(table: Table, name: string): FlatColumn {
  const column = table.variables.some((variable) => variable.name === name) ? name : (name.split(":", 1)[0] ?? name);
  const found = flatColumns(selectColumns(table, [column])).find((each) => each.name === name);
  if (!found)
    throw new Failure("unknown-column", {
      column: name,
      known: table.variables.map((variable) => variable.name).join(", "),
    });
  return found;
}

/** The time of a function without its callees. */
export interface ExclusiveTime {
  /** The flattened uid. */
  readonly uid: string;
  /** The binary or script; "" if the rows have none. */
  readonly location: string;
  /** The sum, in the unit of the profile; 0 if no row has a number. */
  readonly time: number;
}

/** By uid and wanted location, in order of first appearance; empty if the rows have no `exclusive`. */
export function exclusiveTimes(run: Run, isWanted: (location: string) => boolean = () => true): ExclusiveTime[] {
  const names = ["uid", "location", "exclusive"].filter((name) =>
    run.data.variables.some((variable) => variable.name === name),
  );
  if (!names.includes("uid") || !names.includes("exclusive")) return [];
  const columns = flatColumns(selectColumns(run.data, names));
  const [uid, location, exclusive] = ["uid", "location", "exclusive"].map((name) =>
    columns.find((column) => column.name === name),
  );
  const times = new Map<string, { uid: string; location: string; time: number }>();
  for (let row = 0; row < run.data.length; row++) {
    const [name, path, time] = [uid?.text(row) ?? "", location?.text(row) ?? "", exclusive?.number(row) ?? Number.NaN];
    if (name === "" || !isWanted(path)) continue;
    const key = `${name}\0${path}`;
    const own = times.get(key) ?? { uid: name, location: path, time: 0 };
    times.set(key, own);
    if (Number.isFinite(time)) own.time += time;
  }
  return [...times.values()];
}
