import { describedName } from "../../commands/create-experiment.ts";
import type { Arguments } from "../arguments.ts";
import { runVerb } from "../parse.ts";
import type { Session } from "../session.ts";
import type { FrontEnd, OptionSpec, Verb } from "../verb.ts";
import { version } from "../version.ts";
import { experiment } from "../verbs/experiment.ts";
import { importVerb } from "../verbs/import.ts";

/** The option letters of the seed's programs. */
const experimentOption: OptionSpec = { flags: "-e, --experiment <name>", synopsis: "the experiment" };
const databaseOption: OptionSpec = { flags: "-n, --database <name>", synopsis: "the database (default: the instance's own)" };

/** The seed's programs, each a thin translation onto a verb of perfkeep. */
const programs: Readonly<Record<string, Verb>> = {
  pb_create: {
    name: "pb_create",
    summary: "make an experiment from its description",
    operands: [{ name: "<exp_desc>", synopsis: "experiment description (.exp)" }],
    options: [databaseOption],
    run: (session, args) => runVerb("perfkeep", experiment, ["create", ...database(args), "--", args.operand(0)], session),
  },
  pb_import: {
    name: "pb_import",
    summary: "read result files into an experiment",
    operands: [{ name: "<file...>", synopsis: "result files" }],
    options: [
      { flags: "-i, --input <input_desc>", synopsis: "input description" },
      { flags: "-d, --description <exp_desc>", synopsis: "the experiment's description, to name it by" },
      experimentOption,
      databaseOption,
      { flags: "-t, --test", synopsis: "print the values, store nothing" },
      { flags: "--force", synopsis: "import although the same file was imported before" },
    ],
    run: importFiles,
  },
  pb_info: {
    name: "pb_info",
    summary: "list the experiments, or describe one",
    options: [experimentOption, databaseOption],
    run(session, args) {
      const name = args.text("experiment");
      const words = name === undefined ? ["list", ...database(args)] : ["info", ...database(args), "--", name];
      return runVerb("perfkeep", experiment, words, session);
    },
  },
  pb_delete: {
    name: "pb_delete",
    summary: "delete an experiment, or one of its runs",
    options: [
      experimentOption,
      databaseOption,
      { flags: "-r, --run <run>", synopsis: "only this run" },
      { flags: "-f, --force", synopsis: "do not ask" },
    ],
    run(session, args) {
      const run = args.text("run");
      const options = [...database(args), ...(args.flag("force") ? ["--force"] : []), ...(run === undefined ? [] : ["--run", run])];
      return runVerb("perfkeep", experiment, ["delete", ...options, "--", ...args.texts("experiment")], session);
    },
  },
};

/** The front end for the name of one of the seed's programs, or null for any other name. `import_db` is what the seed calls pb_import, too. */
export function seedFrontEnd(program: string): FrontEnd | null {
  const verb = programs[program === "import_db" ? "pb_import" : program];
  return verb ? { run: (words, session) => start(program, verb, words, session) } : null;
}

async function start(program: string, verb: Verb, words: readonly string[], session: Session): Promise<number> {
  if (words[0] !== "--version") return runVerb("", verb, words, session);
  session.output.data(`${program} (perfkeep) ${version}\n`);
  return 0;
}

function importFiles(session: Session, args: Arguments): Promise<number> {
  const description = args.text("description");
  const named = args.text("experiment") ?? (description === undefined ? undefined : describedName(session.workspace, description));
  const options = [
    ...(named === undefined ? [] : ["--experiment", named]),
    ...args.texts("input").flatMap((file) => ["--description", file]),
    ...database(args),
    ...(args.flag("test") ? ["--dry-run"] : []),
    ...(args.flag("force") ? ["--force"] : []),
    ...(session.output.options.verbose ? ["--verbose"] : []),
  ];
  return runVerb("perfkeep", importVerb, [...options, "--", ...args.rest(0)], session);
}

function database(args: Arguments): string[] {
  return args.texts("database").flatMap((name) => ["--db", name]);
}
