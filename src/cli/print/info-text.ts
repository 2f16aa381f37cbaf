import type { ExperimentInfo } from "../../commands/info-experiment.ts";
import type { ValueRange } from "../../commands/survey.ts";
import { abbreviate } from "../../core/digest.ts";
import type { Block } from "../../core/figure.ts";
import { answerFigure } from "../../core/table-figure.ts";
import { terminalLines, terminalText } from "../../core/terminal-text.ts";
import { formatTimestamp } from "../../core/time-text.ts";
import { formatUnit } from "../../core/unit.ts";
import { formatValue } from "../../core/value.ts";
import { findVariable } from "../../core/variable.ts";
import type { Session } from "../session.ts";
import { renderFigure } from "./figure.ts";

/** An experiment for people: general facts, variables and runs, and what is kept with it; only ranges and counts where these were asked for. */
export async function infoText(session: Session, found: ExperimentInfo): Promise<string> {
  const { ranges, counts } = found;
  const asked = [...(ranges ? [rangesTable(ranges)] : []), ...(counts ? answerFigure(counts, "people").blocks : [])];
  if (asked.length > 0) return tablesText(session, asked);
  const runs = found.runs.length > 0 ? [runsTable(found)] : [];
  const tables = await tablesText(session, [variablesTable(found), ...runs]);
  return [aboutText(found), tables, found.runs.length === 0 ? "\nno runs yet\n" : "", keptText(found)].join("");
}

async function tablesText(session: Session, blocks: readonly Block[]): Promise<string> {
  return String(await renderFigure(session, { title: "", blocks }, "text"));
}

function aboutText({ experiment: about }: ExperimentInfo): string {
  const title = about.synopsis === undefined ? about.name : `${about.name}: ${about.synopsis}`;
  const text = about.description === undefined ? "" : `${terminalLines(about.description).trimEnd()}\n`;
  const fact = (label: string, content: string): string =>
    content === "" ? "" : `${label}: ${terminalText(content)}\n`;
  const by = [about.performedBy, about.organization].filter((each) => each !== undefined).join(", ");
  const facts = [fact("performed by", by), fact("project", about.project ?? "")];
  return `${terminalText(title)}\n${text}${facts.join("")}\n`;
}

function left(labels: readonly string[]): { label: string; align: "left" }[] {
  return labels.map((label) => ({ label, align: "left" }));
}

function variablesTable({ experiment }: ExperimentInfo): Block {
  const rows = experiment.variables.map((one) => [
    one.role,
    one.name,
    one.type,
    formatUnit(one.unit),
    one.occurrence,
    one.synopsis ?? "",
  ]);
  return { kind: "table", head: left(["", "name", "type", "unit", "occurrence", "synopsis"]), rows };
}

function runsTable({ runs }: ExperimentInfo): Block {
  const rows = runs.map((run) => [
    String(run.number),
    run.version === undefined ? "" : abbreviate(run.version) + (run.dirty ? "+" : ""),
    formatTimestamp(run.performed),
    String(run.dataSets),
    run.active ? "" : "deleted",
    run.label ?? run.synopsis ?? "",
    run.sources.map((source) => source.path).join(", "),
  ]);
  return { kind: "table", head: left(["run", "version", "performed", "data sets", "state", "label", "files"]), rows };
}

function rangesTable(ranges: readonly ValueRange[]): Block {
  const rows = ranges.map(({ variable, contents, missing, distinct, least, greatest }) => {
    const [min, max] = [least, greatest].map((content) => formatValue(content, variable.type));
    return [
      variable.name,
      formatUnit(variable.unit),
      min ?? "",
      max ?? "",
      ...[distinct, contents, missing].map(String),
    ];
  });
  const numbers = ["different", "contents", "missing"].map((label) => ({ label, align: "right" as const }));
  return { kind: "table", head: [...left(["range of", "unit", "least", "greatest"]), ...numbers], rows };
}

/** Names of attachments and parameter sets, and the contents of the set that was asked for. */
function keptText({ allVariables, attachments, parameterSets, contents }: ExperimentInfo): string {
  const line = (title: string, names: readonly string[]): string =>
    names.length === 0 ? "" : `\n${title}: ${names.join(", ")}\n`;
  const names = attachments.map(({ name, kind }) => terminalText(`${name} (${kind})`));
  const cells = [...(contents ?? [])].map(([name, value]) => {
    const type = findVariable(allVariables, name)?.type ?? "text";
    return terminalText(`  ${name} = ${formatValue(value, type)}`);
  });
  return `${line("attachments", names)}${line("parameter sets", parameterSets.map(terminalText))}${cells.map((cell) => `${cell}\n`).join("")}`;
}
