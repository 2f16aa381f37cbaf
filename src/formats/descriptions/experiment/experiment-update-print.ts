import type {
  ExperimentUpdate,
  VariableAlteration,
  VariableChange,
} from "../../../core/experiments/experiment-update.ts";
import { quote } from "../lexical-syntax.ts";
import { printAlteration } from "./experiment-alteration.ts";
import { printComments, printUser, printVariable } from "./experiment-print.ts";

/** The update as text; `parseExperimentUpdate` reads the same update back. */
export function printExperimentUpdate({ experiment, about, changes, access }: ExperimentUpdate): string {
  const forgotten = (["synopsis", "description"] as const).filter((field) => about[field] === null);
  const head = [
    `*update ${experiment}`,
    ...printComments(given(about)),
    ...(forgotten.length === 0 ? [] : [`*forget ${forgotten.join(" ")}`]),
    ...printAbout("performed_by", about.performedBy),
    ...printAbout("organization", about.organization),
    ...printAbout("project", about.project),
  ];
  const rights = access.map(({ action, level, who }) => `*${action} ${level} ${printUser(who)}`);
  const parts = [head.join("\n"), ...changes.map(printChange), ...(rights.length === 0 ? [] : [rights.join("\n")])];
  return `${parts.join("\n\n")}\n`;
}

/** What is said of them, not what is taken away. */
function given({ synopsis, description }: Pick<VariableAlteration, "synopsis" | "description">): {
  synopsis?: string;
  description?: string;
} {
  return {
    ...(typeof synopsis === "string" ? { synopsis } : {}),
    ...(typeof description === "string" ? { description } : {}),
  };
}

function printAbout(keyword: string, text: string | null | undefined): string[] {
  if (text === undefined) return [];
  return [text === null ? `*${keyword}` : `*${keyword} ${quote(text)}`];
}

function printChange(change: VariableChange): string {
  if (change.kind === "add") return `*add ${printVariable(change.variable)}`;
  if (change.kind === "drop") return `*drop ${change.name}`;
  const words = printAlteration(change);
  const renamed = change.kind === "alter" && words.length === 1 && change.newName !== undefined;
  const line = renamed
    ? ["*rename", change.name, change.newName]
    : [change.kind === "auto" ? "*put" : "*alter", change.name, ...words];
  return [line.join(" "), ...printComments(given(change))].join("\n");
}
