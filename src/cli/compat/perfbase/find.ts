import type { FindOptions } from "../../../commands/experiments/find-runs.ts";
import { listValues, listRuns, type RunTexts } from "../../../commands/experiments/run-values.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import { optionsOf } from "../../parse.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { spanOf } from "../../verbs/query/find.ts";
import { groupedWords } from "../../option-groups.ts";
import { databaseOf, everyOption, experimentOption, requiredExperiment } from "./options.ts";

/** perfbase's labels of what it knows of runs, and our names of it. */
const facts: Readonly<Record<string, string>> = {
  syno: "synopsis",
  desc: "label",
  crtr: "performer",
  tspf: "performed",
  tsin: "created",
  rows: "rows",
  indx: "run",
  file: "files",
  ninp: "inputs",
};

/** A column as it is headed, and its name in our list of runs. */
interface Column {
  readonly head: string;
  readonly name: string;
}

const showOption: OptionSpec = {
  flags: "-s, --show <names>",
  synopsis: "values to show, joined by commas",
  repeat: true,
};
const metaOption: OptionSpec = {
  flags: "-m, --meta <labels>",
  synopsis: `what is known of runs, joined by commas: ${Object.keys(facts).join(" ")}`,
  repeat: true,
};
const contentsOption: OptionSpec = {
  flags: "-n, --nvals <count>",
  synopsis: "different contents shown per value (default: 1)",
};

export const ls: Verb = {
  name: "ls",
  summary: "list the runs of an experiment",
  options: [
    experimentOption,
    { flags: "-l, --long", synopsis: "show index, creator and time, too" },
    showOption,
    metaOption,
    contentsOption,
    { flags: "-a, --all", synopsis: "all different contents per value" },
    { flags: "-d, --distinct", synopsis: "list the different contents instead of runs" },
    ...everyOption,
  ],
  async run(session, args) {
    const experiment = requiredExperiment(session, args);
    const columns = listedColumns(args);
    const place = databaseOf(session, args);
    if (args.flag("distinct"))
      await printContents(session, { experiment, columns: columns.map(({ name }) => name), ...place }, columns);
    else {
      const [first] = columns;
      const sort = first === undefined || first.name === "@rows" ? {} : { sort: first.name };
      const runs = await listRuns(session.workspace, {
        experiment,
        columns: columns.map(({ name }) => name),
        where: [],
        deleted: false,
        maxValues: args.flag("all") ? Number.POSITIVE_INFINITY : (args.count("nvals") ?? 1),
        ...(args.texts("meta").length > 0 || args.texts("show").length === 0 ? sort : {}),
        ...place,
      });
      if (runs.length === 0) session.output.data(`#* experiment '${terminalText(experiment)}' contains no run data.\n`);
      else print(session, columns, runs, { head: "", separator: "\t ", end: "\t" });
    }
    return 0;
  },
};

/** What is known of runs comes first, whatever the order of the options is. */
function listedColumns(args: Arguments): Column[] {
  const meta = labels(args.texts("meta"));
  const show = labels(args.texts("show"));
  const usual = meta.length + show.length === 0 ? ["indx", "syno", "desc"] : meta;
  const long = args.flag("long") ? ["indx", "crtr", "tspf"].filter((label) => !usual.includes(label)) : [];
  return [...[...usual, ...long].map(factColumn), ...show.map((name) => ({ head: name, name }))];
}

async function printContents(
  session: Session,
  options: Parameters<typeof listValues>[1],
  columns: readonly Column[],
): Promise<void> {
  const found = await listValues(session.workspace, options);
  for (const [at, { isFact, texts }] of found.entries()) {
    const head = terminalText(columns[at]?.head ?? "");
    const lines = texts.filter((text) => text !== "").map((text) => `  ${terminalText(text)}\n`);
    session.output.data(isFact ? `${head}:\n${lines.join("")}` : `${head}: [${texts.map(terminalText).join(", ")}]\n`);
  }
}

export const find: Verb = {
  name: "find",
  summary: "find runs by their contents",
  options: [
    experimentOption,
    {
      flags: "-c, --cond <condition>",
      synopsis: "name, relation (< > = != <= >=) and content; several joined by commas",
      repeat: true,
    },
    { flags: "--synopsis <pattern>", synopsis: "only runs in whose synopsis this finds something" },
    { flags: "--performed-from <time>", synopsis: "measured then or later" },
    { flags: "--performed-to <time>", synopsis: "measured then or earlier" },
    { flags: "--created-from <time>", synopsis: "imported then or later" },
    { flags: "--created-to <time>", synopsis: "imported then or earlier" },
    { flags: "--created-by <users>", synopsis: "imported by one of these users, joined by semicolons", repeat: true },
    showOption,
    metaOption,
    { flags: "--nvals <count>", synopsis: "different contents shown per value (default: 1)" },
    { flags: "--sort <column>", synopsis: "this column comes first, and orders the runs" },
    { flags: "-d, --desc <file>", synopsis: "refused: perfbase never read search descriptions" },
    { flags: "-n, --name <name>", synopsis: "refused, for the same reason" },
    ...everyOption,
  ],
  async run(session, args) {
    if (args.text("desc") !== undefined || args.text("name") !== undefined)
      throw new Failure("unusable-combination", {
        what: "perfbase has no search descriptions",
        instead: "say it with -c and the other options",
      });
    const columns = foundColumns(args);
    const runs = await listRuns(session.workspace, findOptions(session, args, columns));
    print(session, columns, runs, { head: "# ", separator: " \t ", end: "" });
    return 0;
  },
};

/** In the order of the command line; the column of --sort comes before all others. */
function foundColumns(args: Arguments): Column[] {
  const asked = groupedWords(args.words, optionsOf(find), [showOption, metaOption]).flatMap(({ option }) => {
    if (option === undefined) return [];
    const names = labels([option.value ?? ""]);
    return option.flags === metaOption.flags ? names.map(factColumn) : names.map((name) => ({ head: name, name }));
  });
  const shown = asked.length === 0 ? [factColumn("indx")] : asked;
  const sort = args.text("sort");
  if (sort === undefined) return shown;
  const first = Object.hasOwn(facts, sort) ? factColumn(sort) : { head: sort, name: sort };
  return [first, ...shown.filter(({ name }) => name !== first.name)];
}

function findOptions(session: Session, args: Arguments, columns: readonly Column[]): FindOptions {
  const [synopsis, performers] = [args.text("synopsis"), args.texts("createdBy").flatMap((users) => users.split(";"))];
  return {
    experiment: requiredExperiment(session, args),
    columns: columns.map(({ name }) => name),
    where: args.texts("cond").flatMap(conditions),
    deleted: false,
    maxValues: args.count("nvals") ?? 1,
    ...(synopsis === undefined ? {} : { synopsis }),
    ...(performers.length === 0 ? {} : { performers }),
    ...spanOf(args, "performed"),
    ...spanOf(args, "created"),
    ...(columns[0] === undefined ? {} : { sort: columns[0].name }),
    ...databaseOf(session, args),
  };
}

/** A comma divides where a name and a relation follow. */
function conditions(text: string): string[] {
  return text.split(/,(?=[\p{L}_][\p{L}\p{N}_.-]*(?:[<>=]|!=))/u);
}

function labels(lists: readonly string[]): string[] {
  return lists.flatMap((list) => list.split(",")).filter((label) => label !== "");
}

/** Fails with `unknown-choice`. `@`: the experiment may have a variable of that name. */
function factColumn(label: string): Column {
  const name = Object.hasOwn(facts, label) ? facts[label] : undefined;
  if (name !== undefined) return { head: label, name: `@${name}` };
  throw new Failure("unknown-choice", { kind: "label", value: label, choices: Object.keys(facts) });
}

/** The names of the columns only for those who asked for more. */
function print(
  { output }: Session,
  columns: readonly Column[],
  runs: RunTexts,
  { head, separator, end }: { readonly head: string; readonly separator: string; readonly end: string },
): void {
  const line = (cells: readonly string[]): string => `${cells.map(terminalText).join(separator)}${end}\n`;
  if (output.options.verbose) output.data(head + line(columns.map((column) => column.head)));
  output.data(runs.map(line).join(""));
}
