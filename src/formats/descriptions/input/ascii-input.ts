import type { Experiment } from "../../../core/experiments/experiment.ts";
import { columnKind } from "../../../core/tables/table.ts";
import type { Variable } from "../../../core/variables/variable.ts";
import type { Cut, InputDescription, InputLocation, Origin } from "./input-description.ts";

/**
 * How an export to ascii is read: `# run N` begins a run, `name = content` are its own contents, and the rows below `#`
 * are its data sets, whose first entry is a number of no meaning. Variables that the experiment has not are passed
 * over.
 */
export function asciiInput(
  experiment: Experiment,
  once: readonly Variable[],
  rows: readonly Variable[],
): InputDescription {
  const isOwn = (variable: Variable): boolean => experiment.variables.includes(variable);
  const begin: InputLocation = {
    kind: "separation",
    mark: { kind: "pattern", source: "^# run [0-9]+$" },
    run: true,
    origin,
  };
  const table = tableOf(rows, isOwn);
  return {
    file: "",
    experiment: experiment.name,
    rules: "sets",
    locations: [begin, ...once.filter(isOwn).map(namedOf), ...(table === undefined ? [] : [table])],
  };
}

const origin: Origin = { line: 0, column: 0 };

function namedOf(variable: Variable): InputLocation {
  const { name, type } = variable;
  const source = `^${name.replaceAll(".", "\\.")} = (.*)$`;
  const whole = type === "string" || type === "text" ? { length: 0 } : {};
  return { kind: "named", name, aliases: [], patterns: [source], ...whole, ...cutOf(variable), origin };
}

function tableOf(rows: readonly Variable[], isOwn: (variable: Variable) => boolean): InputLocation | undefined {
  const values = rows.flatMap((variable, at) => {
    const position = { kind: "number" as const, number: at + 2 };
    return isOwn(variable)
      ? [{ name: variable.name, position, repetition: 1, typed: false, ...cutOf(variable), origin }]
      : [];
  });
  if (values.length === 0) return undefined;
  return {
    kind: "table",
    rows: [{ kind: "pattern", source: "^#\\t" }],
    start: 1,
    columns: rows.length + 1,
    separator: "\t",
    values,
    origin,
  };
}

function cutOf({ type }: Variable): Pick<Cut, "escapes"> {
  return columnKind(type) === "text" ? { escapes: true } : {};
}
