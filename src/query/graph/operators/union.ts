import { Failure } from "../../../core/errors.ts";
import type { OperatorElement } from "../../../core/query-description.ts";
import { concatTables } from "../../../core/table-builder.ts";
import { columnKind } from "../../../core/table.ts";
import { formatUnit, sameDimension } from "../../../core/unit.ts";
import { isPlain, type Vector, type VectorColumn } from "../vector.ts";
import { refuse, takesOnly, type Operator } from "./operator.ts";

/** All rows of all inputs, one input after the other. */
export const union: Operator = {
  name: "null",
  apply(element: OperatorElement, inputs: readonly Vector[]): Vector {
    takesOnly(element, []);
    return { ...appended(element, inputs), from: "operator" };
  },
};

/** The rows of vectors that have the same columns; names and labels are those of the first. */
export function appended(element: { readonly id: string }, inputs: readonly Vector[]): Vector {
  const [first, ...rest] = inputs;
  if (first === undefined) throw refuse(element, "it has no input");
  for (const other of rest) checkColumns(element, first, other);
  const variables = first.columns.map((column) => column.variable);
  const tables = inputs.map(({ columns, length }) => ({ variables, columns: columns.map((each) => each.column), length }));
  const { columns, length } = concatTables(tables);
  return {
    ...first,
    origin: element.id,
    columns: first.columns.map((column, at): VectorColumn => {
      const joined = columns[at];
      return joined && isPlain(joined) ? { ...column, column: joined } : column;
    }),
    runs: Int32Array.from(inputs.flatMap((input) => [...input.runs])),
    chronology: [...new Set(inputs.flatMap((input) => input.chronology))],
    length,
  };
}

function checkColumns(element: { readonly id: string }, first: Vector, other: Vector): void {
  if (first.columns.length !== other.columns.length) {
    const columns = (vector: Vector): string => vector.columns.map((column) => column.display).join(", ");
    throw refuse(
      element,
      `'${first.origin}' has the columns ${columns(first)}, '${other.origin}' ${columns(other)}`,
      "join what has the same columns",
    );
  }
  first.columns.forEach(({ variable, display }, at) => {
    const match = other.columns[at]?.variable;
    if (match === undefined) return;
    if (match.role !== variable.role || columnKind(match.type) !== columnKind(variable.type))
      throw refuse(element, `'${display}' of '${first.origin}' and '${match.name}' of '${other.origin}' are different things`);
    const [from, to] = [formatUnit(match.unit), formatUnit(variable.unit)];
    if (from !== to) throw unitsDiffer(element, display, from, to, sameDimension(match.unit, variable.unit));
  });
}

function unitsDiffer(element: { readonly id: string }, display: string, from: string, to: string, convertible: boolean): Failure {
  if (!convertible) return new Failure("unit-mismatch", { variable: display, from: from || "no unit", to: to || "no unit" });
  return refuse(element, `'${display}' is in ${to || "no unit"} here and in ${from || "no unit"} there`, "scale one of them first");
}
