import { describedName } from "../../commands/experiments/index.ts";
import { exportDescription } from "../../commands/export/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Arguments } from "../arguments.ts";
import { runVerb } from "../parse.ts";
import { addressed, database } from "./pb-database.ts";
import type { Session } from "../session.ts";
import type { FrontEnd, OptionSpec, Verb } from "../verb.ts";
import { version } from "../version.ts";
import { experiment } from "../verbs/experiments/experiment.ts";
import { exportVerb } from "../verbs/query/export.ts";
import { importVerb } from "../verbs/import/import.ts";
import { query } from "../verbs/query/query.ts";
import { plot } from "../verbs/query/plot.ts";
import { mine } from "../verbs/query/mine.ts";

/** Options of the programs of perfbase's original design. */
const experimentOption: OptionSpec = { flags: "-e, --experiment <name>", synopsis: "the experiment" };
const describedOption: OptionSpec = {
  flags: "-d, --description <exp_desc>",
  synopsis: "experiment description, which names the experiment and its database",
};
const databaseOptions: readonly OptionSpec[] = [
  { flags: "-h, --host <db_host>", synopsis: "server of a shared database" },
  { flags: "-p, --port <db_port>", synopsis: "port of the server" },
  {
    flags: "-n, --database <db_name>",
    synopsis: "database on the server; without -h its path (default: the instance's own)",
  },
  { flags: "-u, --user <db_user>", synopsis: "user of the server" },
];
const testOption: OptionSpec = { flags: "-t, --test", synopsis: "print what would be done, store nothing" };

/** The programs of perfbase's original design, each translated to a verb of perfkeep. */
const programs: Readonly<Record<string, Verb>> = {
  pb_create: {
    name: "pb_create",
    summary: "create an experiment from its description",
    operands: [{ name: "[exp_desc]", synopsis: "experiment description (.exp); also set by -d" }],
    options: [describedOption, experimentOption, ...databaseOptions],
    run: (session, args) =>
      perfkeep(session, experiment, [
        "create",
        ...named(args),
        ...addressed(session, args, descriptionFile(args, "pb_create")),
        "--",
        descriptionFile(args, "pb_create"),
      ]),
  },
  pb_update: {
    name: "pb_update",
    summary: "update an experiment to its changed description",
    operands: [{ name: "[exp_desc]", synopsis: "experiment description (.exp); also set by -d" }],
    options: [
      describedOption,
      experimentOption,
      ...databaseOptions,
      testOption,
      { flags: "--relabel", synopsis: "keep the stored numbers of variables whose unit changes" },
      { flags: "-f, --force", synopsis: "delete the values of dropped variables without confirmation" },
    ],
    run(session, args) {
      const file = descriptionFile(args, "pb_update");
      const flags = [
        ...(args.flag("test") ? ["--dry-run"] : []),
        ...(args.flag("relabel") ? ["--relabel"] : []),
        ...(args.flag("force") ? ["--force"] : []),
      ];
      const options = [...named(args), ...database(session, args, file), ...flags];
      return perfkeep(session, experiment, ["update", ...options, "--", file]);
    },
  },
  pb_import: {
    name: "pb_import",
    summary: "import result files into an experiment",
    operands: [{ name: "<file...>", synopsis: "result files" }],
    options: [
      { flags: "-i, --input <input_desc>", synopsis: "input description" },
      describedOption,
      experimentOption,
      ...databaseOptions,
      { flags: "-f, --fixed <name=value>", synopsis: "set a variable in all runs", repeat: true },
      { flags: "-r, --run <label>", synopsis: "unique name of the run (default: date and time)" },
      { ...testOption, synopsis: "print the values without storing them" },
      { flags: "--force", synopsis: "import files that were imported before" },
    ],
    run: importFiles,
  },
  pb_info: {
    name: "pb_info",
    summary: "list experiments, or describe one",
    options: [
      describedOption,
      experimentOption,
      ...databaseOptions,
      { flags: "-r, --run <run>", synopsis: "only this run, by number or label" },
    ],
    run(session, args) {
      const name = experimentName(session, args);
      const location = database(session, args);
      if (name === undefined) return perfkeep(session, experiment, ["list", ...location]);
      return perfkeep(session, experiment, [
        "info",
        "--summary",
        ...location,
        ...pairs("--run", args.texts("run")),
        "--",
        name,
      ]);
    },
  },
  pb_mine: {
    name: "pb_mine",
    summary: "find missing, noisy, shifted and outlying values in an experiment",
    operands: [{ name: "[results...]", synopsis: "results to examine (default: all numeric ones)" }],
    options: [
      describedOption,
      experimentOption,
      ...databaseOptions,
      { flags: "-r, --run <run>", synopsis: "only this run, by number or label", repeat: true },
      {
        flags: "-o, --output <file>",
        synopsis: "write to a file: a picture for .svg, .png or .html",
      },
    ],
    run(session, args) {
      const options = [
        ...database(session, args),
        ...pairs("--run", args.texts("run")),
        ...pairs("--output", args.texts("output")),
      ];
      return perfkeep(session, mine, [...options, "--", requiredName(session, args, "pb_mine"), ...args.rest(0)]);
    },
  },
  pb_plot: {
    name: "pb_plot",
    summary: "draw the plot of a plot description",
    options: [
      { flags: "-p, --plot <plot_desc>", synopsis: "plot description" },
      describedOption,
      experimentOption,
      ...databaseOptions.map((option) => ({ ...option, flags: option.flags.replace("-p, ", "") })),
      {
        flags: "-o, --output <file>",
        synopsis: "write a picture by file extension: .svg, .png, .html, or .gp for gnuplot",
      },
    ],
    run(session, args) {
      const file = args.text("plot");
      if (file === undefined) throw new Failure("bad-usage", { reason: "-p PLOT_DESC is missing", command: "pb_plot" });
      const name = experimentName(session, args);
      const options = [`--description=${file}`, ...database(session, args), ...pairs("--output", args.texts("output"))];
      return perfkeep(session, plot, [...options, ...(name === undefined ? [] : ["--", name])]);
    },
  },
  pb_query: {
    name: "pb_query",
    summary: "evaluate a query description",
    options: [
      { flags: "-q, --query <query_desc>", synopsis: "query description" },
      describedOption,
      experimentOption,
      ...databaseOptions,
      { flags: "-o, --output <file>", synopsis: "write to a file" },
    ],
    run(session, args) {
      const file = args.text("query");
      if (file === undefined)
        throw new Failure("bad-usage", { reason: "-q QUERY_DESC is missing", command: "pb_query" });
      const name = experimentName(session, args);
      const options = [`--description=${file}`, ...database(session, args), ...pairs("--output", args.texts("output"))];
      return perfkeep(session, query, [...options, ...(name === undefined ? [] : ["--experiment", name])]);
    },
  },
  pb_delete: {
    name: "pb_delete",
    summary: "delete an experiment or some of its runs",
    options: [
      describedOption,
      experimentOption,
      ...databaseOptions,
      { flags: "-r, --run <run>", synopsis: "only this run, by number or label", repeat: true },
      { flags: "--file <path>", synopsis: "only runs of this file" },
      { flags: "-f, --force", synopsis: "do not ask for confirmation" },
    ],
    run(session, args) {
      const options = [
        ...database(session, args),
        ...(args.flag("force") ? ["--force"] : []),
        ...pairs("--run", args.texts("run")),
        ...pairs("--file", args.texts("file")),
      ];
      return perfkeep(session, experiment, ["delete", ...options, "--", requiredName(session, args, "pb_delete")]);
    },
  },
  pb_export: {
    name: "pb_export",
    summary: "export an experiment",
    options: [
      describedOption,
      experimentOption,
      ...databaseOptions,
      { flags: "-r, --run <run>", synopsis: "only this run, by number or label", repeat: true },
      {
        flags: "-x, --export <export_desc>",
        synopsis: "export description: selection and format (default: all, as text)",
      },
      { flags: "-o, --output <file>", synopsis: "write to a file" },
    ],
    run: exportExperiment,
  },
};

/** The front end for a program of perfbase's original design, else null. `import_db` is an alias of pb_import. */
export function pbFrontEnd(program: string): FrontEnd | null {
  const verb = programs[program === "import_db" ? "pb_import" : program];
  return verb ? { run: (words, session) => start(program, verb, words, session) } : null;
}

async function start(program: string, verb: Verb, words: readonly string[], session: Session): Promise<number> {
  if (words[0] !== "--version") return runVerb("", verb, words, session);
  session.output.data(`${program} (perfkeep) ${version}\n`);
  return 0;
}

function perfkeep(session: Session, verb: Verb, words: readonly string[]): Promise<number> {
  return runVerb("perfkeep", verb, session.output.options.verbose ? [...verbFirst(words)] : words, session);
}

/** Inserts the general option before the operands. */
function verbFirst(words: readonly string[]): readonly string[] {
  const end = words.indexOf("--");
  return end < 0 ? [...words, "--verbose"] : [...words.slice(0, end), "--verbose", ...words.slice(end)];
}

function importFiles(session: Session, args: Arguments): Promise<number> {
  const name = experimentName(session, args);
  const options = [
    ...(name === undefined ? [] : ["--experiment", name]),
    ...pairs("--description", args.texts("input")),
    ...pairs("--fixed", args.texts("fixed")),
    ...pairs("--label", args.texts("run")),
    ...database(session, args),
    ...(args.flag("test") ? ["--dry-run"] : []),
    ...(args.flag("force") ? ["--force"] : []),
  ];
  return perfkeep(session, importVerb, [...options, "--", ...args.rest(0)]);
}

function exportExperiment(session: Session, args: Arguments): Promise<number> {
  const file = args.text("export");
  const described = file === undefined ? undefined : exportDescription(session.workspace, file);
  const runs = args.texts("run").length > 0 ? args.texts("run") : (described?.runs ?? []).map(String);
  const options = [
    ...database(session, args),
    ...pairs("--run", runs),
    ...pairs("--where", described?.where ?? []),
    ...pairs("--commit", described?.commits ?? []),
    ...(described?.deleted === true ? ["--deleted"] : []),
    ...(described?.format === undefined ? [] : ["--format", described.format]),
    ...pairs("--output", args.texts("output")),
  ];
  return perfkeep(session, exportVerb, [
    ...options,
    "--",
    requiredName(session, args, "pb_export"),
    ...(described?.variables ?? []),
  ]);
}

function pairs(option: string, values: readonly string[]): string[] {
  return values.map((value) => `${option}=${value}`);
}

function named(args: Arguments): string[] {
  return pairs("--experiment", args.texts("experiment"));
}

function descriptionFile(args: Arguments, program: string): string {
  const file = args.optionalOperand(0) ?? args.text("description");
  if (file === undefined)
    throw new Failure("bad-usage", { reason: "the experiment description is missing", command: program });
  return file;
}

/** The experiment of -e, else of the description of -d. */
function experimentName(session: Session, args: Arguments): string | undefined {
  const file = args.text("description");
  return args.text("experiment") ?? (file === undefined ? undefined : describedName(session.workspace, file));
}

function requiredName(session: Session, args: Arguments, program: string): string {
  const name = experimentName(session, args);
  if (name === undefined) throw new Failure("bad-usage", { reason: "-e EXPERIMENT is missing", command: program });
  return name;
}
