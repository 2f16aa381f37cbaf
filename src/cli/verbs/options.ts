import type { Settings } from "../../core/values/setting.ts";
import type { RunRange } from "../../commands/export/export.ts";
import type { VersionChoice } from "../../commands/history/history.ts";
import type { QueryOptions } from "../../commands/query/query.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import { conversion, convert, parseUnit } from "../../core/values/unit.ts";
import { commitLabelStyles } from "../../core/versions/version.ts";
import type { Arguments } from "../arguments.ts";
import type { OptionSpec } from "../verb.ts";

/** For verbs whose text another program prints, too. */
export const compatOption: OptionSpec = {
  flags: "--compat <program>",
  synopsis: "print the text byte for byte as that program does",
  choices: ["perun"],
};

/** The version a verb works on. */
export const minorOption: OptionSpec = {
  flags: "-m, --minor <rev>",
  synopsis: "the version meant (default: the head)",
  also: ["--minor-version"],
};

/** Another database than the instance's. */
export const databaseOption: OptionSpec = {
  flags: "--db <place>",
  synopsis: "the database (default: PERFKEEP_DB, else the instance's own)",
};

/** What `databaseOption` says, for spreading into the options of a command. */
export function databaseOf(args: Arguments): { readonly database?: string } {
  const place = args.text("db");
  return place === undefined ? {} : { database: place };
}

/** What can be asked of an experiment on the command line. */
export const questionOptions: readonly OptionSpec[] = [
  { flags: "-b, --by <names>", synopsis: "parameters to group by, joined by commas", repeat: true },
  { flags: "-w, --where <condition>", synopsis: "only data sets that fit; several must all hold", repeat: true },
  { flags: "-s, --stat <names>", synopsis: "statistics, joined by commas", repeat: true },
  { flags: "-c, --commit <rev>", synopsis: "only runs of this version, or of a range a..b", repeat: true },
  { flags: "-r, --run <numbers>", synopsis: "only these runs, joined by commas", repeat: true },
  { flags: "--sort <names>", synopsis: "columns to sort by, joined by commas; -name for descending", repeat: true },
  { flags: "--limit <count>", synopsis: "at most so many rows" },
];

/** Which versions of the history, besides `--commit`. */
export const historyOptions: readonly OptionSpec[] = [
  {
    flags: "--branch <rev>",
    synopsis: "only runs of versions that this branch has; its history is the order of versions",
  },
  { flags: "--first-parent", synopsis: "of the branch (or the head) only what was not merged in" },
  { flags: "--since <time>", synopsis: "only runs of versions that were committed then or later, in UTC" },
  {
    flags: "--until <time>",
    synopsis: "only runs of versions that were committed then or earlier; a day is meant whole",
  },
];

/** What is asked of versions as a dimension. */
export const versionOptions: readonly OptionSpec[] = [
  ...historyOptions,
  {
    flags: "--commit-labels <kind>",
    synopsis: "how versions are shown (default: short, in data id)",
    choices: commitLabelStyles,
  },
  {
    flags: "--with-profile <columns>",
    synopsis: "beside each version a statistic of its profiles, as in time:amount:mean:subtype=real",
    repeat: true,
  },
];

/** What `historyOptions` say. */
export function historyOf(args: Arguments): Omit<VersionChoice, "commits"> {
  const [branch, since, until] = [args.text("branch"), args.text("since"), args.text("until")];
  return {
    ...(branch === undefined ? {} : { branch }),
    ...(args.flag("firstParent") ? { firstParent: true } : {}),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

/** What `versionOptions` say. */
export function versionsOf(
  args: Arguments,
): Omit<VersionChoice, "commits"> & Pick<QueryOptions, "commitLabels" | "profiles"> {
  const profiles = args.texts("withProfile");
  const commitLabels = commitLabelStyles.find((style) => style === args.text("commitLabels"));
  return {
    ...historyOf(args),
    ...(commitLabels === undefined ? {} : { commitLabels }),
    ...(profiles.length === 0 ? {} : { profiles }),
  };
}

/** The options above as a question to the experiment that the first operand names. */
export function questionOf(args: Arguments, results: readonly string[] = args.rest(1)): QueryOptions {
  const lists = {
    results,
    by: words(args, "by"),
    where: args.texts("where"),
    statistics: words(args, "stat"),
    sort: words(args, "sort"),
  };
  const commits = args.texts("commit");
  const runs = runNumbers(args);
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

/** A list that may be joined by commas, given several times, or both. */
export function words(args: Arguments, name: string): string[] {
  return args.texts(name).flatMap((text) => text.split(",").filter((word) => word !== ""));
}

/** Numbers of runs, joined by commas, given several times, or both. */
export function runNumbers(args: Arguments): number[] {
  return args.texts("run").flatMap((text) => text.split(",").map(runNumber));
}

/** The same with ranges, both ends included: `3-7`. */
export function runRanges(args: Arguments): RunRange[] {
  return args.texts("run").flatMap((text) =>
    text.split(",").map((part) => {
      const [, from, to] = /^(\d+)-(\d+)$/.exec(part) ?? [];
      const range = { from: runNumber(from ?? part), to: runNumber(to ?? part) };
      if (range.from <= range.to) return range;
      throw new Failure("bad-option", {
        option: "--run",
        value: part,
        expected: "a range from a number to a greater one",
      });
    }),
  );
}

/** The number of a run as people write it. */
export function runNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new Failure("bad-option", { option: "--run", value: text, expected: "the number of a run" });
  return Number(text);
}

/** A size as people write it, in bytes: `100`, `16GiByte`, `2.5 GByte`. */
export function sizeIn(option: string, text: string): number {
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

/**
 * What `--opt NAME=VALUE` says, as often as it is there; `command` is named where one is no such thing. Fails with
 * `bad-option`.
 */
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
