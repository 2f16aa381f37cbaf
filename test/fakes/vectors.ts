import type { OperatorElement, Term } from "../../src/core/experiments/query-description.ts";
import { numberColumn, textColumn } from "../../src/core/tables/table-builder.ts";
import { columnKind } from "../../src/core/tables/table.ts";
import { formatUnit, parseUnit } from "../../src/core/values/unit.ts";
import type { Value } from "../../src/core/values/value.ts";
import type { Variable } from "../../src/core/variables/variable.ts";
import { valueOf, type Vector } from "../../src/query/description/vector.ts";

/**
 * Builds a vector from headings such as `size[Byte]:integer` (default: float); `*` marks results. The last value of
 * each row is its run number, -1 if it has none.
 */
export function vectorOf(headings: string, rows: readonly (readonly Value[])[], more: Partial<Vector> = {}): Vector {
  const names = headings.split(" ").filter((heading) => heading !== "");
  const runs = Int32Array.from(rows, (row) => Number(row[names.length] ?? -1));
  return {
    origin: "src",
    from: "source",
    columns: names.map((heading, at) => {
      const variable = variableOf(heading);
      const values = rows.map((row) => row[at] ?? null);
      const column =
        columnKind(variable.type) === "text" ? textColumn(values as (string | null)[]) : numberColumn(values);
      return { variable, display: variable.name, column };
    }),
    runs,
    chronology: [...new Set(runs)].filter((run) => run >= 0),
    length: rows.length,
    labels: [],
    ...more,
  };
}

function variableOf(heading: string): Variable {
  const [, star, name = "", unit, type = "float"] = /^(\*)?([^[:]+)(?:\[([^\]]*)\])?(?::(.+))?$/.exec(heading) ?? [];
  const role = star === undefined ? "parameter" : "result";
  const own: Variable = { name, role, occurrence: "multiple", type: type as Variable["type"] };
  return unit === undefined ? own : { ...own, unit: parseUnit(unit) };
}

/** The headings of an output: `display[unit]` of each column. */
export function headingsOf(vector: Vector): string[] {
  return vector.columns.map(({ display, variable }) => `${display}[${formatUnit(variable.unit)}]`);
}

export function rowsOfVector(vector: Vector): Value[][] {
  return Array.from({ length: vector.length }, (_, row) => vector.columns.map((column) => valueOf(column, row)));
}

/** The headings, then the rows. */
export function headedRows(vector: Vector): (string[] | Value[])[] {
  return [headingsOf(vector), ...rowsOfVector(vector)];
}

export function operatorElement(type: string, more: Partial<OperatorElement> = {}): OperatorElement {
  return { id: "op", type, inputs: [], terms: [], ...more };
}

export function variableTerm(name: string, input = "", type?: string): Term {
  return { kind: "variable", name, input, ...(type === undefined ? {} : { type }) };
}

export const constantTerm = (value: string): Term => ({ kind: "constant", value });
