import { Failure } from "../../../core/failures/index.ts";
import { parsedUnit, rowKinds, type RowKind, type Run } from "../../../core/profiles/index.ts";
import { flatColumns, selectColumns } from "../../../core/tables/index.ts";
import { convertFactor } from "../../../core/values/index.ts";

/** Amounts of one kind of rows, in the order of the rows. */
export interface Amounts {
  readonly kind: RowKind;
  readonly values: Float64Array;
}

/** Amounts by key; rows without amount or uid are skipped. `parameters`: columns that distinguish kinds. */
export function amountsBy(
  run: Run,
  parameters: readonly string[],
  keyOf: (kind: RowKind) => string = (kind) => kind.key,
): ReadonlyMap<string, Amounts> {
  const amounts = new Map<string, { readonly kind: RowKind; readonly values: number[] }>();
  if (!run.data.variables.some((variable) => variable.name === "amount")) return new Map();
  const amount = flatColumns(selectColumns(run.data, ["amount"])).find((column) => column.name === "amount");
  const kindAt = rowKinds(run, parameters);
  for (let row = 0; row < run.data.length; row++) {
    const [kind, value] = [kindAt(row), amount?.number(row) ?? Number.NaN];
    if (kind === null || Number.isNaN(value)) continue;
    const key = keyOf(kind);
    const own = amounts.get(key);
    if (own === undefined) amounts.set(key, { kind, values: [value] });
    else own.values.push(value);
  }
  return new Map([...amounts].map(([key, { kind, values }]) => [key, { kind, values: Float64Array.from(values) }]));
}

/** Subtypes that are not compared at locations with wall clock (`real`). */
const partsOfTime = ["user", "sys"];

/** Without the parts of a wall clock. */
export function withoutParts<T extends { readonly kind: RowKind }>(all: ReadonlyMap<string, T>): Map<string, T> {
  const clocks = new Set(
    [...all.values()].filter(({ kind }) => kind.facts.get("subtype") === "real").map(({ kind }) => kind.uid),
  );
  return new Map(
    [...all].filter(([, { kind }]) => !(clocks.has(kind.uid) && partsOfTime.includes(kind.facts.get("subtype") ?? ""))),
  );
}

/**
 * Conversion factor from unit `from` to `to`. Fails with `unit-mismatch` when there is none.
 */
export function factorBetween(from: string, to: string): number {
  if (from === to) return 1;
  const [source, destination] = [parsedUnit(from), parsedUnit(to)];
  if (source === undefined || destination === undefined)
    throw new Failure("unit-mismatch", { variable: "amount", from: from || "no unit", to: to || "no unit" });
  return convertFactor(source, destination);
}
