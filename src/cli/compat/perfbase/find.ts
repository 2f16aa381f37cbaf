import { type FindOptions, listValues, listRuns, type RunTexts } from "../../../commands/experiments/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import type { Arguments } from "../../arguments.ts";
import { optionsOf } from "../../parse.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { spanOf } from "../../verbs/query/find.ts";
import { groupedWords } from "../../option-groups.ts";
import { databaseOf, everyOption, experimentOption, requiredExperiment } from "./options.ts";

/** perfbase's labels of run properties, and our names. */
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

/** The head of a column, and its name in our list of runs. */
interface Column {
  readonly head: string;
  readonly name: string;
}

const showOption: OptionSpec = {
  flags: "-s, --show <names>",
  synopsis: "variables to print, comma-separated",
  repeat: true,
};
const metaOption: OptionSpec = {
  flags: "-m, --meta <labels>",
  synopsis: `properties of runs, comma-separated: ${Object.keys(facts).join(" ")}`,
  repeat: true,
};
const countOption: OptionSpec = {
  flags: "-n, --nvals <count>",
  synopsis: "maximum number of distinct values per variable (default: 1)",
};

export const ls: Verb = {
  name: "ls",
  summary: "list the runs of an experiment",
  options: [
    experimentOption,
    { flags: "-l, --long", synopsis: "also print index, creator and time" },
    showOption,
    metaOption,
    countOption,
    { flags: "-a, --all", synopsis: "print all distinct values" },
    { flags: "-d, --distinct", synopsis: "list distinct values instead of runs" },
    ...everyOption,
  ],
  async run(session, args) {
    const experiment = requiredExperiment(session, args);
    const columns = listedColumns(args);
    const location = databaseOf(session, args);
    if (args.flag("distinct"))
      await printDistinct(session, { experiment, columns: columns.map(({ name }) => name), ...location }, columns);
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
        ...location,
      });
      if (runs.length === 0) session.output.data(`#* experiment '${terminalText(experiment)}' contains no run data.\n`);
      else print(session, columns, runs, { head: "", separator: "\t ", end: "\t" });
    }
    return 0;
  },
};

/** Run properties come first, whatever the order of options. */
function listedColumns(args: Arguments): Column[] {
  const meta = labels(args.texts("meta"));
  const show = labels(args.texts("show"));
  const base = meta.length + show.length === 0 ? ["indx", "syno", "desc"] : meta;
  const long = args.flag("long") ? ["indx", "crtr", "tspf"].filter((label) => !base.includes(label)) : [];
  return [...[...base, ...long].map(factColumn), ...show.map((name) => ({ head: name, name }))];
}

async function printDistinct(
  session: Session,
  options: Parameters<typeof listValues>[1],
  columns: readonly Column[],
): Promise<void> {
  const columnValues = await listValues(session.workspace, options);
  for (const [at, { isFact, texts }] of columnValues.entries()) {
    const head = terminalText(columns[at]?.head ?? "");
    const lines = texts.filter((text) => text !== "").map((text) => `  ${terminalText(text)}\n`);
    session.output.data(isFact ? `${head}:\n${lines.join("")}` : `${head}: [${texts.map(terminalText).join(", ")}]\n`);
  }
}

export const find: Verb = {
  name: "find",
  summary: "find runs by values",
  options: [
    experimentOption,
    {
      flags: "-c, --cond <condition>",
      synopsis: "name, relation (< > = != <= >=) and value; several are comma-separated",
      repeat: true,
    },
    { flags: "--synopsis <pattern>", synopsis: "only runs with a synopsis that matches this pattern" },
    { flags: "--performed-from <time>", synopsis: "measured at or after this time" },
    { flags: "--performed-to <time>", synopsis: "measured at or before this time" },
    { flags: "--created-from <time>", synopsis: "imported at or after this time" },
    { flags: "--created-to <time>", synopsis: "imported at or before this time" },
    {
      flags: "--created-by <users>",
      synopsis: "imported by one of these users, separated by semicolons",
      repeat: true,
    },
    showOption,
    metaOption,
    { flags: "--nvals <count>", synopsis: "maximum number of distinct values per variable (default: 1)" },
    { flags: "--sort <column>", synopsis: "first column and sort key" },
    { flags: "-d, --desc <file>", synopsis: "refused: perfbase does not support search descriptions" },
    { flags: "-n, --name <name>", synopsis: "refused: perfbase does not support search descriptions" },
    ...everyOption,
  ],
  async run(session, args) {
    if (args.text("desc") !== undefined || args.text("name") !== undefined)
      throw new Failure("unusable-combination", {
        what: "perfbase has no search descriptions",
        instead: "use -c and the other options",
      });
    const columns = selectedColumns(args);
    const runs = await listRuns(session.workspace, findOptions(session, args, columns));
    print(session, columns, runs, { head: "# ", separator: " \t ", end: "" });
    return 0;
  },
};

/** In order of the command line, the column of --sort first. */
function selectedColumns(args: Arguments): Column[] {
  const given = groupedWords(args.words, optionsOf(find), [showOption, metaOption]).flatMap(({ option }) => {
    if (option === undefined) return [];
    const names = labels([option.value]);
    return option.flags === metaOption.flags ? names.map(factColumn) : names.map((name) => ({ head: name, name }));
  });
  const shown = given.length === 0 ? [factColumn("indx")] : given;
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

/** Splits at commas before a name and a relation. */
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

/** Prints the names of columns only with --verbose. */
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
