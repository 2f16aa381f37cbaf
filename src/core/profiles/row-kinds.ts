import { defaultDirection } from "../measurements/default-direction.ts";
import { flatColumns, type FlatColumn } from "../tables/flat-table.ts";
import { isList, isObject } from "../values/json.ts";
import { parsedUnit, unitsOf } from "./profile-units.ts";
import type { Run } from "./run.ts";
import type { Direction } from "../measurements/series.ts";
import { selectColumns } from "../tables/table.ts";
import { formatUnit } from "../values/unit.ts";

/** What rows of a profile measure: only amounts of one kind may be taken together or compared. */
export interface RowKind {
  /** The same of all profiles for the same location, quantity and parameters. */
  readonly key: string;
  /** The flattened uid. */
  readonly uid: string;
  /** Of amounts, as the profile spells it; empty: none. */
  readonly unit: string;
  readonly better: Direction;
  /** What tells it from other kinds of its uid, by column: the subtype without its name, parameters with it. */
  readonly facts: Facts;
}

/** Contents by column; columns without one are absent. */
export type Facts = ReadonlyMap<string, string>;

/** Columns that tell what was measured. */
const quantities = ["type", "subtype", "event"];

/** Columns of the collector `command` that are no parameters of what it ran. */
const measured = new Set([...quantities, "uid", "amount", "order", "better"]);

/** Columns of the generators that come with the program. */
const generated = ["workload", "length", "lines"];

/**
 * The kind of each row; null: it has no uid. Rows of one kind have the same object. `parameters`: columns with
 * conditions that tell kinds apart.
 */
export function rowKinds(run: Run, parameters: readonly string[] = parametersOf(run)): (row: number) => RowKind | null {
  const has = (name: string): boolean => run.data.variables.some((variable) => variable.name === name);
  if (!has("uid")) return () => null;
  const told = [...quantities.filter(has), ...parameters.toSorted()];
  const columns = new Map(
    flatColumns(selectColumns(run.data, ["uid", ...told, ...["better"].filter(has)])).map((column) => [
      column.name,
      column,
    ]),
  );
  const parts = told.flatMap((name) => columns.get(name) ?? []);
  const kinds = new Map<string, RowKind>();
  const units = unitsOf(run);
  return (row) => {
    const uid = columns.get("uid")?.text(row) ?? "";
    if (uid === "") return null;
    const contents = parts.map((column) => column.text(row));
    const place = [uid, ...contents].join("\0");
    let kind = kinds.get(place);
    if (kind === undefined)
      kinds.set(place, (kind = kindOf(uid, parts, contents, columns.get("better")?.text(row), units, run)));
    return kind;
  };
}

function kindOf(
  uid: string,
  parts: readonly FlatColumn[],
  contents: readonly string[],
  better: string | undefined,
  units: ReturnType<typeof unitsOf>,
  run: Run,
): RowKind {
  const facts = new Map(
    parts.map(({ name }, at) => [name, contents[at] ?? ""] as const).filter(([, content]) => content !== ""),
  );
  const unit = units("amount", facts.get("type") ?? "", facts.get("subtype") ?? "") || formatUnit(unitWithoutHeader(run));
  const told = better === "higher" || better === "lower" ? better : undefined;
  const key = JSON.stringify([uid, [...facts].toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  return { key, uid, unit, better: told ?? defaultDirection(parsedUnit(unit)), facts };
}

/** The unit of amounts of rows that were never in a profile, which has a header. */
function unitWithoutHeader(run: Run): ReturnType<typeof parsedUnit> {
  const header = run.extra.get("header");
  const isTold = isObject(header) && isObject(header.get("units"));
  return isTold ? undefined : run.data.variables.find((variable) => variable.name === "amount")?.unit;
}

/**
 * The parameters by which two runs can be compared: those with a content that both have. A date or the name of a
 * machine is none.
 */
export function commonParameters(a: Run, b: Run): string[] {
  const names = new Set(parametersOf(b));
  return parametersOf(a).filter((name) => {
    if (!names.has(name)) return false;
    const known = valuesOf(a, name);
    return [...valuesOf(b, name)].some((content) => known.has(content));
  });
}

function valuesOf({ data }: Run, name: string): Set<string> {
  const column = flatColumns(selectColumns(data, [name])).find((each) => each.name === name);
  const contents = new Set<string>();
  for (let row = 0; row < data.length; row++) contents.add(column?.text(row) ?? "");
  contents.delete("");
  return contents;
}

/**
 * Columns with the conditions under which was measured: those of the program that was run, and of generated workloads.
 */
export function parametersOf(run: Run): string[] {
  const isCommand = run.steps.some((step) => step.kind === "collector" && step.name === "command");
  return isCommand ? namesIn(run) : generatedIn(run);
}

function generatedIn(run: Run): string[] {
  const generator = run.extra.get("generator");
  const columns = isObject(generator) ? generator.get("columns") : undefined;
  const known = new Set<unknown>(
    isObject(generator) ? [...generated, ...(isList(columns) ? columns : [])] : ["workload"],
  );
  return namesIn(run).filter((name) => known.has(name));
}

function namesIn({ data }: Run): string[] {
  return data.variables.map(({ name }) => name).filter((name) => !measured.has(name));
}

/**
 * The generated workload that each row was measured with, by those of its columns that count, in order of their names;
 * empty: none. Rows of one workload have the same object.
 */
export function workloadsOf(run: Run, counts: (column: FlatColumn) => boolean = () => true): (row: number) => Facts {
  const names = generatedIn(run).toSorted();
  const columns = flatColumns(selectColumns(run.data, names)).filter(
    (column) => names.includes(column.name) && counts(column),
  );
  if (columns.length === 0) return () => nothing;
  const known = new Map<string, Facts>();
  return (row) => {
    const contents = columns
      .map((column) => [column.name, column.text(row)] as const)
      .filter(([, content]) => content !== "");
    const key = JSON.stringify(contents);
    const facts = known.get(key) ?? new Map(contents);
    known.set(key, facts);
    return facts;
  };
}

const nothing: Facts = new Map();

/**
 * How kinds are called among each other: the uid where it has one kind, else `uid [subtype, N=100]` with what tells
 * them apart.
 */
export function kindNames(kinds: Iterable<RowKind>): ReadonlyMap<string, string> {
  const byUid = new Map<string, Map<string, RowKind>>();
  for (const kind of kinds)
    byUid.set(kind.uid, (byUid.get(kind.uid) ?? new Map<string, RowKind>()).set(kind.key, kind));
  const names = new Map<string, string>();
  for (const own of byUid.values()) {
    const all = [...own.values()];
    const words = distinguishingLabels(all.map(({ facts }) => facts));
    for (const [at, { key, uid }] of all.entries()) names.set(key, `${uid}${words[at]}`);
  }
  return names;
}

/** What tells kinds of one thing apart, ` [subtype, N=100]`, in the order given; "" where there is nothing to say. */
export function distinguishingLabels(all: readonly Facts[]): string[] {
  const told = [...new Set(all.flatMap((facts) => [...facts.keys()]))];
  const different = told.filter((name) => new Set(all.map((facts) => facts.get(name))).size > 1);
  return all.map((facts) => {
    const words = different.flatMap((name) => {
      const content = facts.get(name);
      return content === undefined ? [] : [quantities.includes(name) ? content : `${name}=${content}`];
    });
    return words.length === 0 ? "" : ` [${words.join(", ")}]`;
  });
}
