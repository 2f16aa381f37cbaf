import type { Block, Figure, TableBlock } from "../../core/figures/index.ts";
import { type FlatColumn, flatColumns, flatRecords } from "../../core/tables/index.ts";
import { flattenMembers, flatText, type JsonObject } from "../../core/values/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { View } from "./view.ts";

/** All regions of a run as tables. */
export const raw = Object.freeze<View>({
  kind: "view",
  name: "raw",
  synopsis: "all data of a profile as tables",
  options: [],
  draw: drawRaw,
});

function drawRaw(run: Run): Figure {
  const fixed = [...run.fixed].map(([name, value]) => [name, value === null ? "" : String(value)]);
  const steps = run.steps.map((step) => [step.kind, step.name, flatText(step.params)]);
  const origin = run.origin === undefined ? [] : [["origin", run.origin]];
  const blocks: (Block | null)[] = [
    texts("fixed", ["name", "value"], [...origin, ...fixed]),
    texts("steps", ["kind", "name", "params"], steps),
    members("machine", run.machine),
    columns("data", flatColumns(run.data), run.data.length),
    columns("models", flatRecords(run.models), run.models.length),
    members("other regions", run.extra),
  ];
  return { title: "raw", blocks: blocks.filter((block) => block !== null) };
}

function texts(caption: string, names: readonly string[], rows: readonly (readonly string[])[]): TableBlock | null {
  const head = names.map((label) => ({ label, align: "left" }) as const);
  return rows.length === 0 ? null : { kind: "table", caption, head, rows };
}

/** The leaves of a region, without nulls, which mark data shown in other tables, and empty lists. */
function members(caption: string, object: JsonObject | undefined): TableBlock | null {
  const all = flattenMembers(object ?? new Map());
  const parents = new Set(all.flatMap(([name]) => [...name.matchAll(/:/g)].map((colon) => name.slice(0, colon.index))));
  const leaves = all.filter(([name, value]) => value !== null && value !== "" && !parents.has(name));
  return texts(
    caption,
    ["name", "value"],
    leaves.map(([name, value]) => [name, flatText(value)]),
  );
}

function columns(caption: string, of: readonly FlatColumn[], length: number): TableBlock | null {
  if (length === 0) return null;
  const head = of.map((column) => ({
    label: column.name,
    align: column.numeric ? ("right" as const) : ("left" as const),
  }));
  return {
    kind: "table",
    caption,
    head,
    rows: Array.from({ length }, (_, row) => of.map((column) => column.text(row))),
  };
}
