import type { RunContents } from "../../commands/run-contents.ts";
import type { Experiment } from "../../core/experiment.ts";
import type { Table } from "../../core/table.ts";
import type { Output } from "../output.ts";
import { asciiExport } from "./export-ascii.ts";

/** The contents of one run as an export to ascii has them. */
export function printContents(output: Output, experiment: Experiment, { run, once, multiple }: RunContents): void {
  const own = ({ variables }: Table): Table["variables"] => variables.slice(1);
  const head = {
    experiment,
    once: once === undefined ? [] : own(once),
    rows: multiple === undefined ? [] : own(multiple),
  };
  const sink = asciiExport(output, head);
  output.data("\n");
  sink.open(once ?? numberOnly(run), 0);
  if (multiple !== undefined) sink.rows(multiple, 0, multiple.length);
  sink.close();
  sink.end();
}

function numberOnly(run: number): Table {
  return {
    variables: [{ name: "run", role: "parameter", occurrence: "once", type: "integer" }],
    columns: [{ kind: "number", values: Float64Array.of(run), missing: null, exact: null }],
    length: 1,
  };
}
