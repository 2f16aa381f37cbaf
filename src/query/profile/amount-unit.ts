import { parsedUnit, unitsOf, type Run } from "../../core/profiles/index.ts";
import type { Table } from "../../core/tables/index.ts";
import { textsOf } from "./quantities.ts";

/** Rows of a run with the unit of their amounts, if it is unique (`subtype`: among the rows of it). */
export function withAmountUnit(rows: Table, run: Run, subtype: string | undefined): Table {
  const [type, kind, event] = ["type", "subtype", "event"].map((name) => textsOf(rows, name)) as [Text, Text, Text];
  const units = unitsOf(run);
  const found = new Set<string>();
  for (let row = 0; row < rows.length; row++)
    if (subtype === undefined || kind(row) === subtype || event(row) === subtype)
      found.add(units("amount", type(row), kind(row)));
  const [text, ...others] = found;
  if (text === undefined || text === "" || others.length > 0) return rows;
  const unit = parsedUnit(text);
  const variables = rows.variables.map((variable) => {
    if (variable.name !== "amount") return variable;
    const { unit: _, ...bare } = variable;
    return unit === undefined ? bare : { ...bare, unit };
  });
  return { ...rows, variables };
}

type Text = (row: number) => string;
