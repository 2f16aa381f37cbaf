// Readers and printers of experiment, update, input, query, plot and export descriptions, in text and XML syntax.
// Used by query, plugins, store, workspace, commands and the compatible front ends.
// Never evaluates a query, imports data, opens a file or accesses a database.

export { descriptionText } from "./description-text.ts";
export { printExperiment, printExperimentUpdate } from "./experiment/experiment-print.ts";
export { printExperimentXml } from "./experiment/experiment-xml-print.ts";
export { descriptionKind, otherKind, readExperiment, readExperimentUpdate } from "./experiment/read-experiment.ts";
export { type ExportDescription, asciiInput, readExportDescription } from "./export-description.ts";
export {
  type BlockMark,
  type DerivedLocation,
  type ExplicitLocation,
  type FilenameLocation,
  type FixedLocation,
  type InputDescription,
  type InputLocation,
  type Match,
  type NamedLocation,
  type Separation,
  type SplitLocation,
  type SplitStore,
  type TableLocation,
  type TableValue,
  type Trigger,
  operandOrigin,
  updatesRows,
} from "./input/input-description.ts";
export { type Notation, notationTexts } from "./input/value-notation.ts";
export type {
  Position,
  RowLayout,
  Cut,
  Effects,
  Origin,
  RowMark,
  RowUpdate,
  TextMark,
  ValueFilter,
  ValueMap,
} from "./input/location-parts.ts";
export { filledVariables } from "./input/filled-variables.ts";
export type {
  MatrixLocation,
  MatrixValue,
  PatternLocation,
  TransposedLocation,
  TransposedValue,
} from "./input/row-locations.ts";
export { printInput } from "./input/input-print.ts";
export { printInputXml } from "./input/input-xml-print.ts";
export { withSingleGroups } from "./input/pattern-groups.ts";
export { readInput } from "./input/input.ts";
export { printPlot, readPlot } from "./plot-text.ts";
export { printQueryText } from "./query-text-print.ts";
export { readQuery } from "./query/query-text.ts";
export { printQueryXml } from "./query/query-xml-print.ts";
export { printExperimentUpdateXml } from "./experiment/experiment-update-xml-print.ts";
