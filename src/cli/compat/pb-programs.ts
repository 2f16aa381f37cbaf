import { describedName, describedDatabase } from "../../commands/experiments/create-experiment.ts";
import { exportDescription } from "../../commands/export/export.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Arguments } from "../arguments.ts";
import { runVerb } from "../parse.ts";
import type { Session } from "../session.ts";
import type { FrontEnd, OptionSpec, Verb } from "../verb.ts";
import { version } from "../version.ts";
import { experiment } from "../verbs/experiments/experiment.ts";
import { exportVerb } from "../verbs/query/export.ts";
import { importVerb } from "../verbs/import/import.ts";
import { plot } from "../verbs/query/plot.ts";
import { mine } from "../verbs/query/mine.ts";

/** The option letters of the seed's programs. */
const experimentOption: OptionSpec = { flags: "-e, --experiment <name>", synopsis: "the experiment" };
const describedOption: OptionSpec = {
  flags: "-d, --description <exp_desc>",
  synopsis: "the experiment's description, which names it and its database",
};
const databaseOptions: readonly OptionSpec[] = [
  { flags: "-h, --host <db_host>", synopsis: "the server of a shared database" },
  { flags: "-p, --port <db_port>", synopsis: "its port" },
  {
    flags: "-n, --database <db_name>",
    synopsis: "the database there, or without -h the path of one (default: the instance's own)",
  },
  { flags: "-u, --user <db_user>", synopsis: "who connects" },
];
const testOption: OptionSpec = { flags: "-t, --test", synopsis: "say what would be done, store nothing" };

/** The seed's programs, each a thin translation onto a verb of perfkeep. */
const programs: Readonly<Record<string, Verb>> = {
  pb_create: {
    name: "pb_create",
    summary: "make an experiment from its description",
    operands: [{ name: "[exp_desc]", synopsis: "experiment description (.exp), which -d gives as well" }],
    options: [describedOption, experimentOption, ...databaseOptions],
    run: (session, args) =>
      perfkeep(session, experiment, [
        "create",
        ...named(args),
        ...addressed(args),
        "--",
        descriptionFile(args, "pb_create"),
      ]),
  },
  pb_update: {
    name: "pb_update",
    summary: "change an experiment to what its description says now",
    operands: [{ name: "[exp_desc]", synopsis: "experiment description (.exp), which -d gives as well" }],
    options: [describedOption, experimentOption, ...databaseOptions, testOption],
    run(session, args) {
      const file = descriptionFile(args, "pb_update");
      const options = [...named(args), ...database(session, args, file), ...(args.flag("test") ? ["--dry-run"] : [])];
      return perfkeep(session, experiment, ["update", ...options, "--", file]);
    },
  },
  pb_import: {
    name: "pb_import",
    summary: "read result files into an experiment",
    operands: [{ name: "<file...>", synopsis: "result files" }],
    options: [
      { flags: "-i, --input <input_desc>", synopsis: "input description" },
      describedOption,
      experimentOption,
      ...databaseOptions,
      { flags: "-f, --fixed <name=content>", synopsis: "content of a variable, for all input sets", repeat: true },
      { ...testOption, synopsis: "print the values, store nothing" },
      { flags: "--force", synopsis: "import although the same file was imported before" },
    ],
    run: importFiles,
  },
  pb_info: {
    name: "pb_info",
    summary: "list the experiments, or describe one",
    options: [
      describedOption,
      experimentOption,
      ...databaseOptions,
      { flags: "-r, --run <run>", synopsis: "only this run" },
    ],
    run(session, args) {
      const name = experimentName(session, args);
      const place = database(session, args);
      if (name === undefined) return perfkeep(session, experiment, ["list", ...place]);
      return perfkeep(session, experiment, ["info", ...place, ...pairs("--run", args.texts("run")), "--", name]);
    },
  },
  pb_mine: {
    name: "pb_mine",
    summary: "find missing, noisy, shifted and outlying values in an experiment",
    operands: [{ name: "[results...]", synopsis: "results to look at (default: all that are numbers)" }],
    options: [
      describedOption,
      experimentOption,
      ...databaseOptions,
      { flags: "-r, --run <run>", synopsis: "only this run", repeat: true },
      {
        flags: "-o, --output <file>",
        synopsis: "write to a file, as a picture where its name ends in .svg, .png or .html",
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
    summary: "draw what a plot description says",
    options: [
      { flags: "-p, --plot <plot_desc>", synopsis: "plot description" },
      describedOption,
      experimentOption,
      ...databaseOptions.map((option) => ({ ...option, flags: option.flags.replace("-p, ", "") })),
      {
        flags: "-o, --output <file>",
        synopsis: "write a picture, by the ending of its name: .svg, .png, .html, or .gp for gnuplot",
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
  pb_delete: {
    name: "pb_delete",
    summary: "delete an experiment, or one of its runs",
    options: [
      describedOption,
      experimentOption,
      ...databaseOptions,
      { flags: "-r, --run <run>", synopsis: "only this run", repeat: true },
      { flags: "-f, --force", synopsis: "do not ask" },
    ],
    run(session, args) {
      const options = [
        ...database(session, args),
        ...(args.flag("force") ? ["--force"] : []),
        ...pairs("--run", args.texts("run")),
      ];
      return perfkeep(session, experiment, ["delete", ...options, "--", requiredName(session, args, "pb_delete")]);
    },
  },
  pb_export: {
    name: "pb_export",
    summary: "write the contents of an experiment",
    options: [
      describedOption,
      experimentOption,
      ...databaseOptions,
      { flags: "-r, --run <run>", synopsis: "only this run", repeat: true },
      {
        flags: "-x, --export <export_desc>",
        synopsis: "what to write, and in which form (default: everything, as text)",
      },
      { flags: "-o, --output <file>", synopsis: "write to a file" },
    ],
    run: exportContents,
  },
};

/**
 * The front end for the name of one of the seed's programs, or null for any other name. `import_db` is what the seed
 * calls pb_import, too.
 */
export function seedFrontEnd(program: string): FrontEnd | null {
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

/** The general option stands before the operands. */
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
    ...database(session, args),
    ...(args.flag("test") ? ["--dry-run"] : []),
    ...(args.flag("force") ? ["--force"] : []),
  ];
  return perfkeep(session, importVerb, [...options, "--", ...args.rest(0)]);
}

function exportContents(session: Session, args: Arguments): Promise<number> {
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

function pairs(option: string, contents: readonly string[]): string[] {
  return contents.map((content) => `${option}=${content}`);
}

function named(args: Arguments): string[] {
  return pairs("--experiment", args.texts("experiment"));
}

function descriptionFile(args: Arguments, program: string): string {
  const file = args.maybeOperand(0) ?? args.text("description");
  if (file === undefined)
    throw new Failure("bad-usage", { reason: "the experiment description is missing", command: program });
  return file;
}

/** What -e says, else what the description of -d is called. */
function experimentName(session: Session, args: Arguments): string | undefined {
  const file = args.text("description");
  return args.text("experiment") ?? (file === undefined ? undefined : describedName(session.workspace, file));
}

function requiredName(session: Session, args: Arguments, program: string): string {
  const name = experimentName(session, args);
  if (name === undefined) throw new Failure("bad-usage", { reason: "-e EXPERIMENT is missing", command: program });
  return name;
}

/**
 * What the letters say; else the place that the description asks for. A server is only gone to when the command line or
 * the environment names it.
 */
function database(session: Session, args: Arguments, file: string | undefined = args.text("description")): string[] {
  const given = addressed(args);
  if (given.length > 0 || file === undefined || session.world.environment["PERFKEEP_DB"] !== undefined) return given;
  const { path, host } = describedDatabase(session.workspace, file);
  if (host !== undefined)
    throw new Failure("unusable-combination", {
      what: `${file} asks for a database on ${host}, where you would log in`,
      instead: `add -h ${host} to go there`,
    });
  return path === undefined ? [] : [`--db=${path}`];
}

/** `--db` of the letters; nothing where they name neither a server nor a database. */
function addressed(args: Arguments): string[] {
  const [host, port, name, user] = ["host", "port", "database", "user"].map((option) => args.text(option));
  if (host === undefined) {
    if (port !== undefined || user !== undefined)
      throw new Failure("unusable-combination", {
        what: "-p and -u belong to a server, and none is named",
        instead: "add -h HOST",
      });
    return name === undefined ? [] : [`--db=${name}`];
  }
  const who = user === undefined ? "" : `${encodeURIComponent(user)}@`;
  return [
    `--db=postgres://${who}${host}${port === undefined ? "" : `:${port}`}/${encodeURIComponent(name ?? "perfbase")}`,
  ];
}
