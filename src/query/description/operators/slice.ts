import type { OperatorElement } from "../../../core/experiments/query-description.ts";
import type { RunSlice } from "../../plan/row-summary.ts";
import { pick, type Vector } from "../vector.ts";
import { onlyInput, refuse, takesOnly, type Operator } from "./operator.ts";

/** The rows of a slice of the runs in chronological order: `value` is [first:end], from 0, negative from the end. */
export const slice: Operator = {
  name: "slice",
  isChronological: true,
  apply(element, inputs) {
    takesOnly(element, ["value"]);
    return sliced(element, onlyInput(element, inputs), boundsOf(element));
  },
};

export const oldest: Operator = {
  name: "oldest",
  isChronological: true,
  apply(element, inputs) {
    takesOnly(element, []);
    return sliced(element, onlyInput(element, inputs), [0, 1]);
  },
};

export const latest: Operator = {
  name: "latest",
  isChronological: true,
  apply(element, inputs) {
    takesOnly(element, []);
    return sliced(element, onlyInput(element, inputs), [-1, undefined]);
  },
};

/** The slices of an element for databases. */
export function runSlices(element: OperatorElement): RunSlice[] {
  const [from, to] =
    element.type === "oldest"
      ? ([0, 1] as const)
      : element.type === "latest"
        ? ([-1, undefined] as const)
        : boundsOf(element);
  const begin: RunSlice = from < 0 ? { descending: true, limit: -from } : { descending: false, offset: from };
  if (to === undefined) return [begin];
  return [begin, to < 0 ? { descending: true, offset: -to } : { descending: false, limit: to }];
}

/** The element for rows that are already sliced. */
export function wholeSlice(element: OperatorElement): OperatorElement {
  return element.type === "slice" ? { ...element, value: "[:]" } : element;
}

type Bounds = readonly [from: number, to: number | undefined];

function boundsOf(element: OperatorElement): Bounds {
  const text = element.value ?? "";
  const [found, from = "", to = ""] = /^\s*\[\s*([+-]?\d{1,9})?\s*:\s*([+-]?\d{1,9})?\s*\]\s*$/.exec(text) ?? [];
  if (found === undefined)
    throw refuse(
      element,
      `'${text.slice(0, 40)}' is no slice`,
      "write [0:2] for the first two runs, [-1:] for the last one",
    );
  return [from === "" ? 0 : Number(from), to === "" ? undefined : Number(to)];
}

function sliced(element: OperatorElement, input: Vector, [from, to]: Bounds): Vector {
  const present = new Set(input.runs);
  if (present.has(-1))
    throw refuse(
      element,
      "its input has rows that come from no single run",
      `${element.type} goes before operators that take runs together`,
    );
  const chosen = new Set(input.chronology.filter((run) => present.has(run)).slice(from, to));
  const rows: number[] = [];
  input.runs.forEach((run, row) => chosen.has(run) && rows.push(row));
  const kept = pick(input, rows);
  const columns = kept.columns.map((column) =>
    column.variable.role === "result" ? { ...column, display: `${element.type}(${column.display})` } : column,
  );
  return { ...kept, origin: element.id, from: "operator", columns };
}
