import { findRuns, type FindOptions, type FoundRuns } from "../../../commands/experiments/index.ts";
import type { TimeSpan } from "../../../commands/history/index.ts";
import { abbreviate } from "../../../core/versions/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { jsonValue } from "../../../core/figures/index.ts";
import { formatUnit, formatValue, type DataType, type Value } from "../../../core/values/index.ts";
import type { Arguments } from "../../arguments.ts";
import { renderFigure } from "../../print/index.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, databaseOption, historyOptionsOf, historyOptions } from "../options.ts";

const defaultColumns = ["run", "commit", "performed", "rows", "label", "synopsis", "files"];
const defaultValueCount = 3;

export const find: Verb = {
  name: "find",
  summary: "search an experiment's runs",
  details: [
    "Prints a row per matching run. All conditions must hold; conditions on rows must hold together in at least one",
    "row of the run. Columns are variables of the experiment (distinct values if they vary by row) and properties of",
    "runs: run, commit, dirty, performed, created, performer, label, synopsis, rows, files, inputs, state; @run if a",
    "variable has the same name.",
    "",
    "Example: perfkeep find net run T_lat --where host=node7 --performed-from 2004-11-01 --sort -performed --limit 10",
  ].join("\n"),
  operands: [
    { name: "<experiment>", synopsis: "name of the experiment" },
    { name: "[columns...]", synopsis: `columns to print (default: ${defaultColumns.join(" ")})` },
  ],
  options: [
    {
      flags: "-w, --where <condition>",
      synopsis: "only runs with matching values; several conditions are combined with `and`",
      repeat: true,
    },
    { flags: "--synopsis <pattern>", synopsis: "only runs with a synopsis that matches this pattern" },
    { flags: "--label <pattern>", synopsis: "only runs with a label that matches" },
    { flags: "--file <pattern>", synopsis: "only runs imported from a file with a matching path" },
    { flags: "--performed-from <time>", synopsis: "measured at or after this time (UTC)" },
    { flags: "--performed-to <time>", synopsis: "measured at or before this time; a bare date includes the whole day" },
    { flags: "--created-from <time>", synopsis: "imported at or after this time", advanced: true },
    { flags: "--created-to <time>", synopsis: "imported at or before this time", advanced: true },
    { flags: "--created-by <user>", synopsis: "imported by one of these users", repeat: true, advanced: true },
    { flags: "-c, --commit <rev>", synopsis: "only runs of this commit or range a..b", repeat: true },
    ...historyOptions,
    { flags: "--deleted", synopsis: "include deleted runs" },
    {
      flags: "-n, --contents <count>",
      synopsis: `distinct values per run and variable, #K values# for more (default: ${defaultValueCount})`,
    },
    { flags: "-a, --all-contents", synopsis: "print all distinct values" },
    { flags: "--sort <column>", synopsis: "sort column; -name for descending order (default: run)" },
    { flags: "--limit <count>", synopsis: "maximum number of runs" },
    databaseOption,
  ],
  formats: ["json", "csv", "markdown", "table", "html"],
  figures: true,
  async run(session, args) {
    const matches = await findRuns(session.workspace, optionsOf(args, session.format));
    if (matches.runs.length === 0)
      throw new Failure("nothing-selected", { experiment: matches.experiment, runs: matches.among });
    if (session.format === "json") session.output.document("perfkeep.runs/2", jsonRuns(matches));
    else session.output.data(await table(session, matches));
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
    columns:
      columns.length > 0
        ? columns
        : format === "json"
          ? [...defaultColumns, "performer", "created", "state"]
          : defaultColumns,
    where: args.texts("where"),
    deleted: args.flag("deleted"),
    maxValues: args.flag("allContents") ? Number.POSITIVE_INFINITY : (args.count("contents") ?? defaultValueCount),
    ...spanOf(args, "performed"),
    ...spanOf(args, "created"),
    ...(commits.length === 0 ? {} : { commits }),
    ...(performers.length === 0 ? {} : { performers }),
    ...(limit === undefined ? {} : { limit }),
    ...historyOptionsOf(args),
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
    ...databaseOf(args),
  };
}

/** The values of `--performed-from` and `-to` or `--created-from` and `-to`. */
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
      return valuesText(cell, column.type, ", ", "");
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
    runs: runs.map(({ run, matchingRows, cells }) => ({
      run: run.number,
      ...(matchingRows === undefined ? {} : { matchingRows }),
      cells: cells.map(({ values, distinct }, at) => ({
        values: values.map((value) => jsonValue(value, { type: columns[at]?.type ?? "text" })),
        distinct,
      })),
    })),
  };
}

/** All distinct values, or `#12values#` if there are more than requested; `empty` if there are none. */
function valuesText(
  { values, distinct }: { readonly values: readonly Value[]; readonly distinct: number },
  type: DataType,
  separator: string,
  empty: string,
): string {
  if (distinct === 0) return empty;
  return values.length < distinct
    ? `#${distinct}values#`
    : values.map((value) => formatValue(value, type)).join(separator);
}
