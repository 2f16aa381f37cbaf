import { findRuns, type FindOptions, type FoundRuns } from "../../../commands/experiments/find-runs.ts";
import type { TimeSpan } from "../../../commands/history/time-span.ts";
import { abbreviate } from "../../../core/versions/digest.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { jsonValue } from "../../../core/figures/table-figure.ts";
import { formatUnit } from "../../../core/values/unit.ts";
import { formatValue, type DataType, type Value } from "../../../core/values/value.ts";
import type { Arguments } from "../../arguments.ts";
import { renderFigure } from "../../print/figure.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, databaseOption, historyOf, historyOptions } from "../options.ts";

const usual = ["run", "commit", "performed", "rows", "label", "synopsis", "files"];
const usualContents = 3;

export const find: Verb = {
  name: "find",
  summary: "search an experiment's runs",
  details: [
    "A row per run that fits; all that is said must hold. Conditions on data sets must hold together for one of the",
    "run's data sets at least. Columns are variables of the experiment (of data sets their different contents are",
    "told) and facts of runs: run, commit, dirty, performed, created, performer, label, synopsis, rows, files, inputs,",
    "state; @run where the experiment has a variable of that name.",
    "",
    "Example: perfkeep find net run T_lat --where host=node7 --performed-from 2004-11-01 --sort -performed --limit 10",
  ].join("\n"),
  operands: [
    { name: "<experiment>", synopsis: "its name" },
    { name: "[columns...]", synopsis: `what to show (default: ${usual.join(" ")})` },
  ],
  options: [
    { flags: "-w, --where <condition>", synopsis: "only runs whose contents fit; several must all hold", repeat: true },
    { flags: "--synopsis <pattern>", synopsis: "only runs in whose synopsis the pattern finds something" },
    { flags: "--label <pattern>", synopsis: "the same for the label" },
    { flags: "--file <pattern>", synopsis: "the same for the path of a file that the run came from" },
    { flags: "--performed-from <time>", synopsis: "measured then or later; times are in UTC" },
    { flags: "--performed-to <time>", synopsis: "measured then or earlier; a day is meant whole" },
    { flags: "--created-from <time>", synopsis: "imported then or later" },
    { flags: "--created-to <time>", synopsis: "imported then or earlier" },
    { flags: "--created-by <user>", synopsis: "imported by this user, or one of several", repeat: true },
    { flags: "-c, --commit <rev>", synopsis: "only runs of this version, or of a range a..b", repeat: true },
    ...historyOptions,
    { flags: "--deleted", synopsis: "also runs that were deleted" },
    {
      flags: "-n, --contents <count>",
      synopsis: `different contents shown per run and variable, #K values# for more (default: ${usualContents})`,
    },
    { flags: "-a, --all-contents", synopsis: "show all different contents" },
    { flags: "--sort <column>", synopsis: "the order of the runs; -name for descending (default: run)" },
    { flags: "--limit <count>", synopsis: "at most so many runs" },
    databaseOption,
  ],
  formats: ["json", "csv", "markdown", "table", "html"],
  figures: true,
  async run(session, args) {
    const found = await findRuns(session.workspace, optionsOf(args, session.format));
    if (found.runs.length === 0)
      throw new Failure("nothing-selected", { experiment: found.experiment, runs: found.among });
    if (session.format === "json") session.output.document("perfkeep.runs/1", jsonRuns(found));
    else session.output.data(await table(session, found));
    return 0;
  },
};

function optionsOf(args: Arguments, format: string): FindOptions {
  const columns = args.rest(1);
  const [commits, performers] = [args.texts("commit"), args.texts("createdBy")];
  const texts = {
    synopsis: args.text("synopsis"),
    label: args.text("label"),
    file: args.text("file"),
    sort: args.text("sort"),
  };
  const limit = args.count("limit", 1);
  return {
    experiment: args.operand(0),
    columns: columns.length > 0 ? columns : format === "json" ? [...usual, "performer", "created", "state"] : usual,
    where: args.texts("where"),
    deleted: args.flag("deleted"),
    maxValues: args.flag("allContents") ? Number.POSITIVE_INFINITY : (args.count("contents") ?? usualContents),
    ...spanOf(args, "performed"),
    ...spanOf(args, "created"),
    ...(commits.length === 0 ? {} : { commits }),
    ...(performers.length === 0 ? {} : { performers }),
    ...(limit === undefined ? {} : { limit }),
    ...historyOf(args),
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
    ...databaseOf(args),
  };
}

/** `--performed-from` and `-to`, `--created-from` and `-to`. */
export function spanOf<K extends "performed" | "created">(args: Arguments, name: K): { [P in K]?: TimeSpan } {
  const [from, to] = [args.text(`${name}From`), args.text(`${name}To`)];
  const span = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  return (from === undefined && to === undefined ? {} : { [name]: span }) as { [P in K]?: TimeSpan };
}

async function table(session: Session, { columns, runs }: FoundRuns): Promise<string | Uint8Array> {
  const head = columns.map((column) => {
    const unit = "variable" in column ? formatUnit(column.variable.unit) : "";
    const align = column.type === "integer" || column.type === "float" ? ("right" as const) : ("left" as const);
    return { label: unit === "" ? column.name : `${column.name} [${unit}]`, align };
  });
  const rows = runs.map(({ run, cells }) =>
    cells.map((cell, at) => {
      const column = columns[at];
      if (column === undefined) return "";
      const isVersion = "fact" in column && column.fact === "commit" && session.format === "text";
      if (isVersion) return run.version === undefined ? "" : abbreviate(run.version) + (run.dirty ? "+" : "");
      return contentsText(cell, column.type, ", ", "");
    }),
  );
  return renderFigure(session, { title: "", blocks: [{ kind: "table", head, rows }] }, session.format);
}

function jsonRuns({ experiment, columns, runs }: FoundRuns): object {
  return {
    experiment,
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type,
      of: "fact" in column ? "run" : column.variable.occurrence === "once" ? "once" : "multiple",
      ...("variable" in column ? { unit: formatUnit(column.variable.unit) } : {}),
    })),
    runs: runs.map(({ run, fitting, cells }) => ({
      run: run.number,
      ...(fitting === undefined ? {} : { fitting }),
      cells: cells.map(({ contents, distinct }, at) => ({
        contents: contents.map((content) => jsonValue(content, { type: columns[at]?.type ?? "text" })),
        distinct,
      })),
    })),
  };
}

/**
 * All different contents joined, or `#12values#` where there are more than were asked for; `empty` where there are
 * none.
 */
function contentsText(
  { contents, distinct }: { readonly contents: readonly Value[]; readonly distinct: number },
  type: DataType,
  separator: string,
  empty: string,
): string {
  if (distinct === 0) return empty;
  return contents.length < distinct
    ? `#${distinct}values#`
    : contents.map((content) => formatValue(content, type)).join(separator);
}
