import { quoteCommand, splitCommand, terminalLines, terminalText } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";
import {
  flatColumns,
  rowsOf,
  selectColumns,
  valueAt,
  numberColumn,
  tableOf,
  textColumn,
  takeRows,
  withColumn,
} from "../../core/tables/index.ts";
import { flatText, isList, isObject, JsonNumber, jsonObject, textAt } from "../../core/values/index.ts";
import { columnNamed, pointsByUid, StackSamples, StackTable } from "../../core/profiles/index.ts";
import { printedNumber, printedSeconds, textLines } from "../../formats/text/index.ts";
import { profileOf } from "../../formats/profile/index.ts";
import { RepeatedResults, reportLines } from "../../formats/benchmarks/index.ts";
import { levelChanges } from "../../math/detectors/index.ts";
import { builtins, type PluginOf } from "../../plugins/builtin.ts";
import { collectorOption, countOf, requireSuccess } from "../../plugins/collectors/collector.ts";
import { executionOf, timeoutOf } from "../../plugins/collectors/run-plan.ts";
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
