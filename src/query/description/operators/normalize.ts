import type { OperatorElement } from "../../../core/experiments/query-description.ts";
import { floatText } from "../display-text.ts";
import { contentOf, type VectorColumn } from "../vector.ts";
import { allRows, rowsByRun } from "../groups.ts";
import { onlyInput, refuse, takesOnly, variantOf, type Operator } from "./operator.ts";
import { typeAsked, valueIn, withContents } from "./quantity.ts";

/**
 * Every result in relation to its first content (of the run, with scope="run"), which becomes `value`: variant scale
 * (value 1) multiplies, offset (value 0) adds. Units stay, as perfbase has them.
 */
export const normalize: Operator = {
  name: "normalize",
  apply(element, inputs) {
    takesOnly(element, ["value", "option", "variant", "scope"]);
    const input = onlyInput(element, inputs);
    const variant = variantOf(element, ["scale", "offset"]);
    const value = valueIn(element, variant === "scale" ? 1 : 0);
    const groups = element.scope === "run" ? rowsByRun(input) : [allRows(input.length)];
    const columns = input.columns.map((column) =>
      column.variable.role === "result" ? normalized(element, column, groups, variant, value) : column,
    );
    return { ...input, origin: element.id, from: "operator", columns };
  },
};

function normalized(
  element: OperatorElement,
  column: VectorColumn,
  groups: readonly Int32Array[],
  variant: "scale" | "offset",
  value: number,
): VectorColumn {
  const { variable, display } = column;
  if (variable.type !== "integer" && variable.type !== "float" && variable.type !== "duration")
    throw refuse(element, `there is no normalize of '${display}', which is a ${variable.type}`);
  const contents = Array.from<number | null>({ length: groups.reduce((sum, rows) => sum + rows.length, 0) }).fill(null);
  for (const rows of groups) {
    const first = firstOf(column, rows);
    if (variant === "scale" && first === 0)
      throw refuse(
        element,
        `the first content of '${display}' is 0, to which nothing can be scaled`,
        'give variant="offset"',
      );
    for (const row of rows) {
      const content = contentOf(column, row);
      if (content !== null && first !== undefined)
        contents[row] = variant === "scale" ? (Number(content) * value) / first : Number(content) - first + value;
    }
  }
  const staysWhole = variant === "offset" && Number.isInteger(value);
  const asked = typeAsked(element, variable);
  const type = element.option === undefined && variable.type === "integer" && !staysWhole ? "float" : asked;
  const kept = type === "integer" ? contents.map((each) => (each === null ? null : Math.trunc(each))) : contents;
  return withContents(
    { ...column, variable: { ...variable, type }, display: `${display} normalized to ${floatText(value)}` },
    kept,
  );
}

/** The first content that is there. */
function firstOf(column: VectorColumn, rows: Int32Array): number | undefined {
  for (const row of rows) {
    const content = contentOf(column, row);
    if (content !== null) return Number(content);
  }
  return undefined;
}
