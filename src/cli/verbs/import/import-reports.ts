import {
  explainReportFormat,
  listReportFormats,
  importReports,
  type ImportedReports,
  type ImportReportsOptions,
} from "../../../commands/import/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import type { Figure } from "../../../core/figures/index.ts";
import type { Arguments } from "../../arguments.ts";
import { ImportPreview, renderFigure } from "../../print/index.ts";
import { noteDefaultDatabase } from "../experiments/default-database-notice.ts";
import { openProgress } from "../../progress.ts";
import type { Session } from "../../session.ts";
import { mergedParams } from "../profiles/job-options.ts";
import {
  assignment,
  experimentOptions,
  givenTexts,
  limitOf,
  noticeText,
  performedOf,
  recursiveOf,
  refuse,
} from "./import-options.ts";

/** Imports files without a description. */
export async function importKnownFormats(
  session: Session,
  args: Arguments,
  options: ImportReportsOptions,
): Promise<ImportedReports> {
  const preview = args.flag("dryRun") ? new ImportPreview(session) : undefined;
  const progress = openProgress(session);
  const result = await importReports(session.workspace, {
    ...options,
    ...(preview ? { preview } : {}),
    notice: (file, line, text) => session.output.note(noticeText(file, line, text)),
    remark: (file, text) => session.output.note(noticeText(file, 0, text)),
    progress: (bytes, total) => total !== undefined && progress.show(bytes, total, "reading"),
    waiting: (busy) => {
      if (session.streams.stderr.isTTY) session.output.note(`waiting: ${busy.message}`);
    },
  }).finally(() => progress.hide());
  if (session.format !== "json") printExperiment(session, result);
  const { ownFolder, made, version } = result;
  if (ownFolder !== undefined && (made || version !== undefined)) noteDefaultDatabase(session, ownFolder);
  return preview ? { ...result, runs: result.runs.map((run, at) => ({ ...run, ...preview.runs[at] })) } : result;
}

/** Prints whether the experiment was created or extended. */
export function printExperiment(
  { output }: Session,
  { experiment, importer, made, added, stored }: ImportedReports,
): void {
  const [name, names] = [terminalText(experiment), firstNames(added)];
  // What an import would do was asked for.
  const print = (text: string): void => (stored ? output.report(text) : output.data(text));
  if (made) print(`${name} ${stored ? "is" : "would be"} a new experiment of ${importer} with ${names}\n`);
  else if (added.length > 0) print(`${name} ${stored ? "has new variables" : "would get new variables"} ${names}\n`);
}

/** At most `maxNames` names: reports may have hundreds of variables. */
function firstNames(names: readonly string[]): string {
  const more = names.length - maxNames;
  // Naming a single further one is no longer than counting it.
  if (more <= 1) return names.map(terminalText).join(", ");
  return `${names.slice(0, maxNames).map(terminalText).join(", ")} and ${more} more`;
}

const maxNames = 20;

/** Prints the formats that need no description. */
export async function printFormats(session: Session): Promise<number> {
  const formats = await listReportFormats(session.workspace);
  if (session.format === "json") session.output.document("perfkeep.formats/2", { formats });
  else {
    const rows = formats.map(({ name, synopsis, signature: marks }) => [name, synopsis, marks]);
    session.output.data(
      await renderFigure(session, tableFigure(["format", "written by", "detected by"], rows), "text"),
    );
  }
  return exitStatus.fine;
}

/** Prints the candidate formats of each file. */
export async function explainFormats(session: Session, files: readonly string[]): Promise<number> {
  if (files.length === 0) throw new Failure("no-input-files");
  const explained = [];
  for (const file of files) explained.push({ file, formats: await explainReportFormat(session.workspace, file) });
  if (session.format === "json") session.output.document("perfkeep.explained-formats/2", { files: explained });
  else {
    const rows = explained.flatMap(({ file, formats }) =>
      formats.length === 0
        ? [[file, "none", "", "no format of --list-formats"]]
        : formats.map(({ name, confidence: sure, signature: marks }, at) => [
            file,
            name,
            `${Math.round(sure * 100)} %`,
            `${at === 0 ? "selected" : "not selected"}: ${marks}`,
          ]),
    );
    session.output.data(
      await renderFigure(session, tableFigure(["file", "format", "confidence", "detected by"], rows), "text"),
    );
  }
  return explained.every(({ formats }) => formats.length > 0) ? exitStatus.fine : exitStatus.nothingMatched;
}

function tableFigure(head: readonly string[], rows: readonly (readonly string[])[]): Figure {
  return {
    title: "",
    blocks: [
      {
        kind: "table",
        head: head.map((label) => ({ label, align: "left" })),
        rows: rows.map((row) => row.map(terminalText)),
      },
    ],
  };
}

/** Options of imports without a description; fails with `bad-usage` for others. */
export function reportOptionsFrom(session: Session, args: Arguments): ImportReportsOptions {
  const unusable = experimentOptions.filter(({ flags }) => descriptionOnly.test(flags));
  refuse(args, unusable, "is for files with a description, which is missing: -d FILE");
  return {
    files: [...args.texts("enforce"), ...args.rest(0)],
    fixed: args.texts("fixed").map(assignment),
    params: mergedParams(session, args.texts("params")),
    force: args.flag("force") || args.texts("enforce"),
    ...recursiveOf(args),
    ...performedOf(args),
    ...limitOf(args),
    ...givenTexts(args, ["from", "experiment", "label", "synopsis", "minor"]),
    ...(args.text("db") === undefined ? {} : { database: args.text("db")! }),
  };
}

const descriptionOnly = /--(?:pset-use|pset-store|undefined|missing|join|sequential|encoding|locale)\b/;
