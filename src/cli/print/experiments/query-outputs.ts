import { crowdedCharts, drawPictures, type PlanStep, type QueryOutput } from "../../../commands/query/index.ts";
import type { Session } from "../../session.ts";
import { renderFigure } from "../figure.ts";

/** Prints and writes the outputs of a query after all of them are rendered; files are written atomically. */
export async function writeOutputs(session: Session, outputs: readonly QueryOutput[]): Promise<void> {
  const { output, workspace } = session;
  const rendered: (string | Uint8Array)[] = [];
  for (const each of outputs) rendered.push(await renderOutput(session, each));
  outputs.forEach(({ file }, at) => {
    const data = rendered[at] ?? "";
    if (file === undefined) output.data(data);
    else output.save(workspace.files.resolve(file), data);
  });
  const notes = [...crowdedCharts(outputs), ...(await drawPictures(workspace, outputs))];
  for (const note of notes) output.note(note);
}

function renderOutput(session: Session, each: QueryOutput): string | Uint8Array | Promise<string | Uint8Array> {
  if (each.kind === "data") return each.data;
  return renderFigure(session, each.figure, each.renderer, { toFile: each.file !== undefined });
}

/** The steps of a plan in order: statements with their parameters, and steps outside of the database. */
export function planText(steps: readonly PlanStep[]): string {
  return steps
    .map((step) => ("outside" in step ? `${step.outside}: outside the database\n` : statementText(step)))
    .join("");
}

type StatementStep = Exclude<PlanStep, { readonly outside: string }>;

function statementText({ elements, lines, statement }: StatementStep): string {
  const bound = statement.params.map(
    (value, at) => `  $${at + 1} = ${typeof value === "bigint" ? value : JSON.stringify(value)}\n`,
  );
  const plan = lines.map((line) => `  ${line}\n`).join("");
  const title = `${elements.join(" > ")}: one statement${shardingText(statement)}\n`;
  return `${title}${plan}  SQL: ${statement.sql}\n${bound.join("")}`;
}

function shardingText({ shards: parts }: StatementStep["statement"]): string {
  if (parts === undefined) return "";
  if (parts.passes === 0) return `, with rows from ${parts.count} shards`;
  return `, aggregated in ${parts.count} shards${parts.passes === 1 ? "" : `, in ${parts.passes} passes`}`;
}
