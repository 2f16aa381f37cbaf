import type { QueryOptions } from "../../commands/query.ts";
import { Failure } from "../../core/errors.ts";
import type { Arguments } from "../arguments.ts";
import type { OptionSpec } from "../verb.ts";

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
  { flags: "-r, --run <number>", synopsis: "only this run", repeat: true },
  { flags: "--sort <names>", synopsis: "columns to sort by, joined by commas; -name for descending", repeat: true },
  { flags: "--limit <count>", synopsis: "at most so many rows" },
];

/** The options above as a question to the experiment that the first operand names. */
export function questionOf(args: Arguments, results: readonly string[] = args.rest(1)): QueryOptions {
  const lists = { results, by: words(args, "by"), where: args.texts("where"), statistics: words(args, "stat"), sort: words(args, "sort") };
  const commits = args.texts("commit");
  const runs = args.texts("run").map(runNumber);
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

/** The number of a run as people write it. */
export function runNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Failure("bad-option", { option: "--run", value: text, expected: "the number of a run" });
  return Number(text);
}
