import { type Table, concatTables, tableOf } from "../../core/tables/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { variablesOf, type Experiment, type ParsedRun } from "../../core/experiments/index.ts";
import type { Values } from "../../core/values/index.ts";
import { inOnePiece } from "../../formats/bytes/index.ts";
import { descriptionText, readExperiment, readInput } from "../../formats/descriptions/index.ts";
import type { OutputForm, OutputReader } from "../../plugins/collectors/collector.ts";
import { assembleRuns, type AssemblyOptions, type RunStep } from "./assemble-runs.ts";
import { type Files, decompressReport } from "../files/index.ts";
import { parseRuns } from "./parse-runs.ts";
import type { Registry } from "../plugins/index.ts";
import { detectReportImporter } from "./detect-format.ts";

/** Output of one call of a program. */
export interface RawOutput {
  readonly bytes: Uint8Array;
  /** Path of the output file, or the command. */
  readonly path: string;
}

/**
 * Parses outputs in known formats, or by description files relative to the working directory. `onOutput` receives
 * outputs in known formats. Variables of the experiment that the output lacks are missing.
 */
export function openOutputReader(
  files: Files,
  registry: Registry,
  onOutput: (raw: RawOutput) => void = () => {},
): OutputReader {
  const text = (file: string): string => descriptionText(files.read(file), file);
  return async (output, form) => {
    if ("from" in form) return readKnownFormat(registry, output, form, onOutput);
    const descriptions = form;
    const experiment = readExperiment(text(descriptions.experiment), descriptions.experiment);
    const description = readInput(text(descriptions.input), descriptions.input);
    const importer = await registry.get("importer", "description");
    const events = importer.read(inOnePiece(output), new Map(), { experiment, description });
    const rules: AssemblyOptions = {
      fixed: new Map(),
      rows: "refuse",
      complete: async (once) => once,
      notice: () => {},
    };
    return collectRuns(assembleRuns(events, experiment, rules), experiment);
  };
}

async function readKnownFormat(
  registry: Registry,
  output: Uint8Array,
  { from, options, path }: Extract<OutputForm, { from: string }>,
  onOutput: (raw: RawOutput) => void,
): Promise<ParsedRun[]> {
  const { head, source } = await decompressReport(inOnePiece(output), path);
  const importer = await detectReportImporter(registry, from === "auto" ? undefined : from, path, head);
  const runs = await parseRuns(importer, source, path, options);
  onOutput({ bytes: output, path });
  return runs;
}

async function collectRuns(steps: AsyncIterable<RunStep>, experiment: Experiment): Promise<ParsedRun[]> {
  const runs: ParsedRun[] = [];
  let rows: Table[] = [];
  for await (const step of steps) {
    if (step.kind === "begin") rows = [];
    else if (step.kind === "rows") rows.push(step.table);
    else if (step.kind === "update") throw new Failure("unusable-combination", updateUnsupported);
    else if (step.kind === "end")
      runs.push({ once: rowOf(step.once, experiment), rows: rows.length > 0 ? concatTables(rows) : null });
  }
  return runs;
}

function rowOf(once: Values, experiment: Experiment): Table {
  const variables = variablesOf(experiment, "once");
  return tableOf(variables, [variables.map(({ name }) => once.get(name) ?? null)]);
}

const updateUnsupported = {
  what: "a description that updates rows of other runs cannot read the output of a single command",
  instead: "use perfkeep import, or remove update from the description",
};
