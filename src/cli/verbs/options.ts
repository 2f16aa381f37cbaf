import { type Settings, conversion, convert, parseUnit } from "../../core/values/index.ts";
import { parseRunName, type RunName } from "../../core/experiments/index.ts";
import type { RunRange } from "../../commands/export/index.ts";
import type { CommitSelection } from "../../commands/history/index.ts";
import type { QueryOptions } from "../../commands/query/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import { commitLabelStyles } from "../../core/versions/index.ts";
import type { Arguments } from "../arguments.ts";
import type { Session } from "../session.ts";
import type { OptionSpec } from "../verb.ts";

/** For verbs with output that is byte-compatible with another program. */
export const compatOption: OptionSpec = {
  flags: "--compat <program>",
  synopsis: "print the text byte for byte as that program does",
  advanced: true,
  choices: ["perun"],
};

/** The commit that a verb works on. */
export const minorOption: OptionSpec = {
  flags: "-m, --minor <rev>",
  synopsis: "commit (default: HEAD)",
  also: ["--minor-version"],
};

/** Selects a database other than the instance's. */
export const databaseOption: OptionSpec = {
  flags: "--db <location>",
  synopsis: "database file or URL (default: PERFKEEP_DB, else the instance's own)",
};

/** The value of `databaseOption` as an option of commands. */
export function databaseOf(args: Arguments): { readonly database?: string } {
  const database = args.text("db");
  return database === undefined ? {} : { database };
}

/** For verbs that print values of experiments as CSV. */
export const spreadsheetOption: OptionSpec = {
  flags: "--for-spreadsheet",
  synopsis: "csv: prefix cells that a spreadsheet would treat as formulas with '",
};

/** The value of `spreadsheetOption`. Fails with `unusable-combination` for other formats. */
export function forSpreadsheetOf(args: Arguments, format: string): boolean {
  const isGiven = args.flag("forSpreadsheet");
  if (isGiven && format !== "csv")
    throw new Failure("unusable-combination", {
      what: `--for-spreadsheet for ${format}`,
      instead: "give --format csv",
    });
  return isGiven;
}

/** Applies `spreadsheetOption` to what the session renders as CSV. Fails like `forSpreadsheetOf`. */
export function useSpreadsheetOption(session: Session, args: Arguments): void {
  if (!forSpreadsheetOf(args, session.format)) return;
  session.formatValues = new Map([...session.formatValues, ["for-spreadsheet", true]]);
}

/** Options of queries on the command line. */
export const queryOptions: readonly OptionSpec[] = [
  { flags: "-b, --by <names>", synopsis: "parameters to group by, comma-separated", repeat: true },
  {
    flags: "-w, --where <condition>",
    synopsis: "only rows that match; several conditions are combined with `and`",
    repeat: true,
  },
  { flags: "-s, --stat <names>", synopsis: "statistics, comma-separated", repeat: true },
  { flags: "-c, --commit <rev>", synopsis: "only runs of this commit or range a..b", repeat: true },
  { flags: "-r, --run <names>", synopsis: "only these runs, by number or label, comma-separated", repeat: true },
  { flags: "--sort <names>", synopsis: "sort columns, comma-separated; -name for descending order", repeat: true },
  { flags: "--limit <count>", synopsis: "maximum number of rows" },
];

/** Select runs by commit history, in addition to `--commit`. */
export const historyOptions: readonly OptionSpec[] = [
  {
    flags: "--branch <rev>",
    synopsis: "only runs of commits reachable from this revision, ordered by its history",
  },
  { flags: "--first-parent", synopsis: "follow only first parents of the branch or HEAD", advanced: true },
  { flags: "--since <time>", synopsis: "only runs of commits at or after this time (UTC)" },
  {
    flags: "--until <time>",
    synopsis: "only runs of commits at or before this time; a bare date includes the whole day",
  },
];

/** Options of verbs that use commits as a dimension. */
export const versionOptions: readonly OptionSpec[] = [
  ...historyOptions,
  {
    flags: "--commit-labels <kind>",
    synopsis: "label of commits (default: short; id in data formats)",
    choices: commitLabelStyles,
    advanced: true,
  },
  {
    flags: "--with-profile <columns>",
    synopsis: "add a statistic of each commit's profiles, such as time:amount:mean:subtype=real",
    repeat: true,
    advanced: true,
  },
];

/** The values of `historyOptions`. */
export function historyOptionsOf(args: Arguments): Omit<CommitSelection, "commits"> {
  const [branch, since, until] = [args.text("branch"), args.text("since"), args.text("until")];
  return {
    ...(branch === undefined ? {} : { branch }),
    ...(args.flag("firstParent") ? { firstParent: true } : {}),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

/** The values of `versionOptions`. */
export function versionOptionsOf(
  args: Arguments,
): Omit<CommitSelection, "commits"> & Pick<QueryOptions, "commitLabels" | "profiles"> {
  const profiles = args.texts("withProfile");
  const commitLabels = commitLabelStyles.find((style) => style === args.text("commitLabels"));
  return {
    ...historyOptionsOf(args),
    ...(commitLabels === undefined ? {} : { commitLabels }),
    ...(profiles.length === 0 ? {} : { profiles }),
  };
}

/** The values of `queryOptions`, for the experiment that the first operand names. */
export function queryOptionsOf(args: Arguments, results: readonly string[] = args.rest(1)): QueryOptions {
  const lists = {
    results,
    by: namesOf(args, "by"),
    where: args.texts("where"),
    statistics: namesOf(args, "stat"),
    sort: namesOf(args, "sort"),
  };
  const commits = args.texts("commit");
  const runs = runNames(args);
  const [limit, database] = [args.count("limit", 1), args.text("db")];
  return {
    experiment: args.operand(0),
    ...lists,
    ...(commits.length === 0 ? {} : { commits }),
    ...(runs.length === 0 ? {} : { runs }),
    ...(limit === undefined ? {} : { limit }),
    ...(database === undefined ? {} : { database }),
  };
}

/** The names of a comma-separated option that may be given several times. */
export function namesOf(args: Arguments, name: string): string[] {
  return args.texts(name).flatMap((text) => text.split(",").filter((word) => word !== ""));
}

/** Runs of `--run` by number or label: comma-separated, given several times, or both. */
export function runNames(args: Arguments): RunName[] {
  return args.texts("run").flatMap((text) => text.split(",").map((name) => runName(name)));
}

function runName(text: string): RunName {
  if (text !== "") return parseRunName(text);
  throw new Failure("bad-option", { option: "--run", value: text, expected: "the number or the label of a run" });
}

/** Like `runNames`, with inclusive ranges of numbers such as `3-7`. */
export function runRanges(args: Arguments): RunRange[] {
  return args.texts("run").flatMap((text) =>
    text.split(",").map((part) => {
      const [, from, to] = /^(\d{1,15})-(\d{1,15})$/.exec(part) ?? [];
      const first = runName(from ?? part);
      if (typeof first === "string") return { label: first };
      const range = { from: first, to: to === undefined ? first : Number(to) };
      if (range.from <= range.to) return range;
      throw new Failure("bad-option", {
        option: "--run",
        value: part,
        expected: "a range in ascending order",
      });
    }),
  );
}

/** Parses a size such as `100`, `16GiByte` or `2.5 GByte`; returns bytes. */
export function parseSize(option: string, text: string): number {
  const [, number = "", unit = ""] = /^(\d{1,15}(?:\.\d{1,9})?) *([A-Za-z]{0,10})$/.exec(text) ?? [];
  const bytes = number === "" ? Number.NaN : bytesIn(Number(number), unit);
  if (Number.isFinite(bytes)) return bytes;
  throw new Failure("bad-option", { option, value: text, expected: "a size such as 500MByte or 16GiByte" });
}

function bytesIn(number: number, unit: string): number {
  if (unit === "") return number;
  try {
    return convert(number, conversion(parseUnit(unit), parseUnit("Byte")));
  } catch (error) {
    if (isFailure(error, "unknown-unit") || isFailure(error, "unit-mismatch")) return Number.NaN;
    throw error;
  }
}

/** Parses values of the form NAME=VALUE. Fails with `bad-option`, which names `command`. */
export function settingsOf(texts: readonly string[], command?: string, option = "--opt"): Settings {
  return new Map(
    texts.map((text) => {
      const at = text.indexOf("=");
      if (at < 1)
        throw new Failure("bad-option", {
          option,
          value: text,
          expected: "NAME=VALUE",
          ...(command === undefined ? {} : { command }),
        });
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}
