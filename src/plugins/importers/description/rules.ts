import type { Experiment } from "../../../core/experiments/index.ts";
import type { Failure } from "../../../core/failures/index.ts";
import type { Values } from "../../../core/values/index.ts";
import type { InputDescription } from "../../../formats/descriptions/index.ts";
import type { ImportEvent } from "../importer.ts";
import type { Look } from "./finders/finder.ts";
import type { Notices } from "./notices.ts";
import type { Plan, PlanSink } from "./plan.ts";
import type { TableShapes } from "./tables/table-shapes.ts";
import type { TableSink } from "./tables/row-table.ts";

/** An input to read, with its description. */
export interface DescribedInput {
  readonly description: InputDescription;
  readonly experiment: Experiment;
  readonly fixed: Values;
  /** As the user typed it; absent: none. */
  readonly path: string | undefined;
  /** If the description needs them. */
  readonly shapes: TableShapes | undefined;
}

/** How values become rows and runs: one of the two sets of rules of docs/input-descriptions.md. */
export interface RowRules {
  /** Compiles the description. Fails with `description-error` where it does not agree with the experiment. */
  assemble(input: DescribedInput, sink: PlanSink, notices: Notices): RowAssembly;
}

/** The rows and runs of one input, while it is read. */
export interface RowAssembly extends Pick<TableSink, "addRow"> {
  readonly plan: Plan;
  /** The values of rows at the end of the last run. */
  readonly current: Values;
  /** Takes the values of a line. Returns true when other slots are sought from now on. */
  examine(look: Look): boolean;
  /** The reading fails: emits the rows that are complete. */
  abandon(): void;
  /** Ends the input; `line` is its last. Returns a failure when nothing was found. */
  finish(line: number): Failure | undefined;
  /** Emits what is complete. */
  events(): ImportEvent[];
}
