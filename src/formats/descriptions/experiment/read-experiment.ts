import type { ExperimentUpdate, Experiment } from "../../../core/experiments/index.ts";
import { descriptionLines } from "../lexical-syntax.ts";
import { parseExperiment } from "./experiment.ts";
import { parseExperimentUpdate } from "./experiment-update.ts";
import { parseExperimentUpdateXml } from "./experiment-update-xml.ts";
import { parseExperimentXml } from "./experiment-xml.ts";
import { isXml, readXml, xmlError, type XmlElement } from "../../text/index.ts";

/** Reads an experiment in either syntax. Fails with `description-error` at file:line:column. */
export function readExperiment(text: string, file: string): Experiment {
  return isXml(text) ? parseExperimentXml(text, file) : parseExperiment(text, file);
}

/** Reads an update in either syntax. Fails with `description-error` at file:line:column. */
export function readExperimentUpdate(text: string, file: string): ExperimentUpdate {
  return isXml(text) ? parseExperimentUpdateXml(text, file) : parseExperimentUpdate(text, file);
}

export type DescriptionKind = "experiment" | "update" | "input" | "query" | "plot";

const roots: Readonly<Record<string, DescriptionKind>> = {
  experiment: "experiment",
  experiment_update: "update",
  input: "input",
  query: "query",
};

/**
 * Detects the kind of a description by its root element or its keywords. Fails with `description-error` on any other
 * XML document.
 */
export function descriptionKind(text: string, file: string): DescriptionKind {
  if (isXml(text)) return kindOfRoot(readXml(text, file));
  const lines = descriptionLines(text, file).filter((line) => !/^\s*(?:#|$)/.test(line.text));
  const first = lines[0]?.text.trim() ?? "";
  if (/^\*update\b/i.test(first)) return "update";
  if (first.startsWith("*")) return "experiment";
  const says = (keywords: RegExp): boolean => lines.some((line) => keywords.test(line.text));
  if (says(/^\s*(?:QUERY|SOURCE|OUTPUT)\s/i)) return "query";
  return says(/^\s*(?:RESULT|TYPE)\s/i) ? "plot" : "input";
}

const inputLine = /^\s*(?:RULES|SEP|NAMED|EXPL|ROW|TABLE|FIXED|FILENAME|DERIVED|SPLIT)\s/im;

/** The kind of a description that is certainly not an experiment; undefined for an experiment or an unknown kind. */
export function otherKind(text: string, file: string): Exclude<DescriptionKind, "experiment"> | undefined {
  const kind = descriptionKind(text, file);
  if (kind === "experiment") return undefined;
  return kind === "input" && !isXml(text) && !inputLine.test(text) ? undefined : kind;
}

function kindOfRoot(root: XmlElement): DescriptionKind {
  const kind = Object.hasOwn(roots, root.name) ? roots[root.name] : undefined;
  if (kind) return kind;
  throw xmlError(root, `<${root.name.slice(0, 40)}> is not a description`, {
    word: root.name,
    candidates: Object.keys(roots),
  });
}
