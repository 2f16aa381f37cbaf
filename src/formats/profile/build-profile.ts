import { flatText, jsonObject, type Json, type JsonObject } from "../../core/values/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Table } from "../../core/tables/index.ts";
import { readDescription } from "./profile-description.ts";
import type { ProfileType } from "./profile-regions.ts";
import { cellsOf, tableOfColumns, type Columns } from "./profile-table.ts";

/**
 * Resources that share their properties (uid, type, subtype, …). All columns have the same length and distinct names.
 */
export interface Subject {
  readonly properties: JsonObject;
  readonly columns: readonly {
    readonly name: string;
    readonly type: "integer" | "float";
    readonly values: ArrayLike<number>;
  }[];
}

/** A measurement as a collector describes it. */
export interface ProfileDescription {
  readonly type: ProfileType;
  readonly cmd: string;
  readonly workload: string;
  /** Units of amounts by profile type: `{ time: "s" }`, or by `type(subtype)`. */
  readonly units: Readonly<Record<string, string>>;
  readonly collector: { readonly name: string; readonly params: Json };
  readonly machine?: JsonObject;
  readonly subjects: readonly Subject[];
}

/** Builds the run of a new profile; equal to the run decoded from its encoded form. */
export function profileOf(description: ProfileDescription): Run {
  const { type, cmd, workload, units, collector, machine, subjects } = description;
  const unitsJson = new Map<string, Json>(Object.entries(units));
  const regions = new Map<string, Json>([
    ["header", jsonObject({ type, cmd, workload, units: unitsJson })],
    ...(machine ? ([["machine", machine]] as const) : []),
    ["collector_info", jsonObject({ name: collector.name, params: collector.params })],
    ["postprocessors", []],
  ]);
  return { ...readDescription(regions), data: tableOfSubjects(subjects, unitsJson), models: [] };
}

/** One resource type per subject. */
function tableOfSubjects(subjects: readonly Subject[], units: JsonObject): Table {
  const ids = idsOf(subjects);
  const table: Columns = { cells: new Map(), types: [], rows: 0 };
  const properties = new Map<string, Json>();
  for (const [at, subject] of subjects.entries()) {
    properties.set(ids[at]!, subject.properties);
    addColumns(subject, ids[at]!, table);
  }
  return tableOfColumns(table, properties, units);
}

/** A subject without columns is one row. */
function addColumns({ columns }: Subject, id: string, table: Columns): void {
  let rows = columns.length === 0 ? 1 : 0;
  for (const { name, type, values } of columns) {
    const cells = cellsOf(table, name);
    cells.padTo(table.rows);
    for (let row = 0; row < values.length; row++) cells.push(values[row]!, type === "integer");
    rows = Math.max(rows, values.length);
  }
  table.types.push({ id, columns: columns.map(({ name }) => name), rows });
  table.rows += rows;
}

function idsOf(subjects: readonly Subject[]): string[] {
  const counters = new Map<string, number>();
  return subjects.map(({ properties }) => {
    const stem = flatText(properties.get("uid") ?? "");
    const number = counters.get(stem) ?? 0;
    counters.set(stem, number + 1);
    return `${stem}#${number}`;
  });
}
