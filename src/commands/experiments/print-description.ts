import { Failure } from "../../core/failures/failure.ts";
import { descriptionText } from "../../formats/descriptions/description-text.ts";
import { printExperiment, printExperimentUpdate } from "../../formats/descriptions/experiment/experiment-print.ts";
import {
  printExperimentUpdateXml,
  printExperimentXml,
} from "../../formats/descriptions/experiment/experiment-xml-print.ts";
import {
  descriptionKind,
  readExperiment,
  readExperimentUpdate,
} from "../../formats/descriptions/experiment/read-experiment.ts";
import { printInput } from "../../formats/descriptions/input/input-print.ts";
import { printInputXml } from "../../formats/descriptions/input/input-xml-print.ts";
import { readInput } from "../../formats/descriptions/input/input.ts";
import { printPlot, readPlot } from "../../formats/descriptions/plot-text.ts";
import { printQueryText } from "../../formats/descriptions/query-text-print.ts";
import { readQuery } from "../../formats/descriptions/query/query-text.ts";
import { printQueryXml } from "../../formats/descriptions/query/query-xml-print.ts";
import { isXml } from "../../formats/text/xml.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface ConvertOptions {
  readonly file: string;
  /** Default: the syntax that the file does not have. */
  readonly to?: "text" | "xml";
}

/** Converts a description between text and XML. Fails with `description-error`, `not-in-xml`, `unreadable-file`. */
export function convert(workspace: Workspace, { file, to }: ConvertOptions): string {
  const text = descriptionText(workspace.files.read(file), file);
  const xml = to === undefined ? !isXml(text) : to === "xml";
  switch (descriptionKind(text, file)) {
    case "experiment":
      return (xml ? printExperimentXml : printExperiment)(readExperiment(text, file));
    case "update":
      return (xml ? printExperimentUpdateXml : printExperimentUpdate)(readExperimentUpdate(text, file));
    case "input":
      return (xml ? printInputXml : printInput)(readInput(text, file));
    case "plot":
      if (to === "xml")
        throw new Failure("description-error", {
          file,
          line: 1,
          column: 1,
          problem: "plots have no XML",
          advice: "leave it as text",
        });
      return printPlot(readPlot(text, file));
    case "query":
      return (xml ? printQueryXml : printQueryText)(readQuery(text, file));
  }
}

interface ShowExperimentOptions {
  readonly experiment: string;
  readonly spelling: "text" | "xml";
  readonly database?: string;
}

/** Description of an experiment, accepted by create. Fails with `unknown-experiment`, `not-in-xml`. */
export async function showExperiment(workspace: Workspace, options: ShowExperimentOptions): Promise<string> {
  const { experiment } = await withExperiments(
    workspace,
    experimentHome(workspace, options.database),
    "read",
    (experiments) => experiments.find(options.experiment),
  );
  return options.spelling === "xml" ? printExperimentXml(experiment) : printExperiment(experiment);
}
