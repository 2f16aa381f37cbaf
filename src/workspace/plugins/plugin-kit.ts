import { quoteCommand, splitCommand } from "../../core/text/command-line.ts";
import { Failure } from "../../core/failures/failure.ts";
import { flatColumns } from "../../core/tables/flat-table.ts";
import { flatText } from "../../core/values/flatten.ts";
import { isList, isObject, JsonNumber, jsonObject, textAt } from "../../core/values/json.ts";
import { columnNamed, pointsByUid } from "../../core/profiles/location-points.ts";
import { StackSamples } from "../../core/profiles/stack-profile.ts";
import { StackTable } from "../../core/profiles/stack-table.ts";
import { rowsOf, selectColumns, valueAt } from "../../core/tables/table.ts";
import { numberColumn, tableOf, textColumn } from "../../core/tables/table-builder.ts";
import { takeRows, withColumn } from "../../core/tables/table-rows.ts";
import { terminalLines, terminalText } from "../../core/text/terminal-text.ts";
import { printedNumber, printedSeconds } from "../../formats/text/parse-quantity.ts";
import { profileOf } from "../../formats/profile/build-profile.ts";
import { RepeatedResults } from "../../formats/benchmarks/report/repeated-results.ts";
import { reportLines } from "../../formats/benchmarks/report/report-text.ts";
import { textLines } from "../../formats/text/text-lines.ts";
import { levelChanges } from "../../math/detectors/level-change.ts";
import { builtins, type PluginOf } from "../../plugins/builtin.ts";
import {
  collectorOption,
  countOf,
  executionOf,
  requireSuccess,
  timeoutOf,
} from "../../plugins/collectors/collector.ts";
import { generatorOption, integerOf, rangeOf, textOf } from "../../plugins/generators/generator.ts";
import { reportImporter } from "../../plugins/importers/report-importer.ts";
import { withDefaults, numberWithin, option } from "../../plugins/plugin.ts";
import { afterStep } from "../../plugins/postprocessors/postprocessor.ts";
import { stackReader } from "../../plugins/readers/reader.ts";
import { blockTable } from "../../plugins/renderers/drawing/block-table.ts";

/**
 * Passed to plug-ins of users. They import nothing from perfkeep at run time, so they load wherever it is installed and
 * create instances of the running program's own classes.
 */
export const pluginKit = Object.freeze({
  /** Throw it with a code of the catalogue (docs/errors.md). */
  Failure,
  refuse,
  builtIn,

  // JSON of profiles.
  JsonNumber,
  jsonObject,
  isObject,
  isList,
  textAt,
  flatText,

  // Rows of runs.
  rowsOf,
  valueAt,
  selectColumns,
  flatColumns,
  columnNamed,
  pointsByUid,
  tableOf,
  numberColumn,
  textColumn,
  withColumn,
  takeRows,

  // Collectors.
  profileOf,
  splitCommand,
  quoteCommand,
  collectorOption,
  countOf,
  timeoutOf,
  requireSuccess,
  executionOf,

  // Importers.
  reportImporter,
  reportLines,
  RepeatedResults,
  printedNumber,
  printedSeconds,

  // Generators of workloads.
  generatorOption,
  integerOf,
  textOf,
  rangeOf,

  // Readers of profiles.
  stackReader,
  StackTable,
  StackSamples,
  textLines,

  // Postprocessors.
  option,
  completed: withDefaults,
  numberWithin,
  afterStep,

  // Detectors.
  levelChanges,

  // Renderers.
  blockTable,
  terminalText,
  terminalLines,
});

export type PluginKit = typeof pluginKit;

/**
 * Fails with `plugin-refused`: `reason` names the problem, the value and its location; `instead` the next step. Each is
 * one line without a full stop.
 */
function refuse(reason: string, instead: string): never {
  throw new Failure("plugin-refused", { reason, instead });
}

/** Loads a built-in plug-in, to delegate to. Fails with `unknown-plugin`. */
async function builtIn<K extends keyof PluginOf>(kind: K, name: string): Promise<PluginOf[K]> {
  const plugin = builtins.find((each) => each.kind === kind && [each.name, ...(each.aliases ?? [])].includes(name));
  const known = builtins.filter((plugin) => plugin.kind === kind).map((plugin) => plugin.name);
  if (!plugin) throw new Failure("unknown-plugin", { kind, name, known });
  return (await plugin.load()) as PluginOf[K];
}
