import { Failure } from "../../core/failures/index.ts";
import {
  descriptionText,
  printExperiment,
  printExperimentUpdate,
  printExperimentUpdateXml,
  printExperimentXml,
  descriptionKind,
  readExperiment,
  readExperimentUpdate,
  printInput,
  printInputXml,
  readInput,
  printPlot,
  readPlot,
  printQueryText,
  readQuery,
  printQueryXml,
} from "../../formats/descriptions/index.ts";
import { isXml } from "../../formats/text/index.ts";
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
