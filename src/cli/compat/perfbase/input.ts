import {
  type MissingPolicies,
  type MissingPolicy,
  type ImportInput,
  type ImportOptions,
  type RunPreview,
  importFiles,
} from "../../../commands/import/index.ts";
import { rowsOf, type Table } from "../../../core/tables/index.ts";
import { formatValue, type Value } from "../../../core/values/index.ts";
import type { Arguments } from "../../arguments.ts";
import { lazyQuestions } from "../../ask.ts";
import { optionsOf } from "../../parse.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { groupedWords } from "../../option-groups.ts";
import { databaseOf, everyOption, experimentOption, namedExperiment } from "./options.ts";
import { assignments } from "./argument-words.ts";

/** The output of perfbase in test mode: per run its parameters, and each row as a Python dictionary of strings. */
class ImportDump implements RunPreview {
  readonly #session: Session;
  #run = 0;
  #rowNumber = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  async begin(): Promise<void> {
    this.#run += 1;
    this.#rowNumber = 0;
  }

  async rows(table: Table): Promise<void> {
    const lines = rowsOf(table).map((cells) => {
      const entries = table.variables.flatMap(({ name, type }, at) => {
        const value = cells[at] as Value;
        return value === null ? [] : [`${python(name)}: ${python(formatValue(value, type))}`];
      });
      return `Dataset ${this.#rowNumber++} in run ${this.#run}\n{${entries.join(", ")}}\n`;
    });
    this.#session.output.data(lines.join(""));
  }

  update(table: Table): Promise<void> {
    return this.rows(table);
  }

  async foundOnce(once: Table): Promise<void> {
    const [cells = []] = rowsOf(once);
    const lines = once.variables.flatMap(({ name, type }, at) => {
      const value = cells[at] as Value;
      return value === null
        ? []
        : [`  ${name}\t= ${oneLine(typeof value === "boolean" ? truth(value) : formatValue(value, type))}\n`];
    });
    if (lines.length > 0) this.#session.output.data(`Storing single value(s) in run  ${this.#run}\n${lines.join("")}`);
  }

  async end(): Promise<void> {}
}

function truth(value: boolean): string {
  return value ? "t" : "f";
}

function python(text: string): string {
  return `'${oneLine(text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`))}'`;
}

function oneLine(text: string): string {
  return text.replaceAll("\n", String.raw`\n`).replaceAll("\r", String.raw`\r`);
}

const descriptionOption: OptionSpec = {
  flags: "-d, --desc <file>",
  synopsis: "input description",
  repeat: true,
  also: ["--description"],
};
const attachedOption: OptionSpec = { flags: "-n, --name <name>", synopsis: "attached input description", repeat: true };
const policies = ["abort", "default", "ask", "ignore"] as const;

export const input: Verb = {
  name: "input",
  summary: "import result files into an experiment",
  operands: [{ name: "[file...]", synopsis: "result files; - is standard input" }],
  options: [
    descriptionOption,
    attachedOption,
    experimentOption,
    { flags: "-f, --fixed <name=value>", synopsis: "fixed values, comma-separated", repeat: true },
    { flags: "-u, --use-default", synopsis: "use defaults of variables that no description defines" },
    { flags: "-i, --interactive", synopsis: "ask for values of variables that no description defines" },
    {
      flags: "-a, --missing <policy>",
      synopsis: "policy for values that are not found in the input",
      choices: policies,
    },
    { flags: "-s, --synopsis <text>", synopsis: "synopsis of the runs" },
    { flags: "-p, --performed <time>", synopsis: "time of the measurement" },
    { flags: "-m, --mtime", synopsis: "use the modification time of the file as the time of the measurement" },
    { flags: "-t, --test", synopsis: "print the values without storing them" },
    { flags: "-j, --join", synopsis: "concatenate all files into one input" },
    { flags: "--sequential", synopsis: "with several descriptions, read files one after another" },
    { flags: "--force", synopsis: "import files that were imported before" },
    { flags: "--enforce <file>", synopsis: "import this file even if it was imported before", repeat: true },
    { flags: "--pset-store <name>", synopsis: "store the parameters as a parameter set" },
    { flags: "--pset-use <names>", synopsis: "use values from parameter sets", repeat: true },
    { flags: "-b, --attach", synopsis: "no effect: raw files are always stored" },
    { flags: "--maxmem <megabytes>", synopsis: "no effect: memory is always bounded" },
    ...everyOption,
  ],
  async run(session, args) {
    const preview = args.flag("test") ? { preview: new ImportDump(session) } : {};
    const questions = lazyQuestions(session.streams);
    const verbose = session.output.options.verbose;
    await importFiles(session.workspace, {
      ...importOptions(session, args),
      ...preview,
      ask: ({ variable, problem }) => {
        if (problem) session.output.note(problem.message);
        return questions.ask(`${variable.name} (${variable.type}):`);
      },
      notice: (file, line, text) => {
        if (verbose) session.output.note(`${file}:${line}: ${text}`);
      },
    }).finally(() => questions.close());
    return 0;
  },
};

function importOptions(session: Session, args: Arguments): ImportOptions {
  const experiment = namedExperiment(session, args);
  const [synopsis, performed, storeSet] = [args.text("synopsis"), args.text("performed"), args.text("psetStore")];
  return {
    inputs: inputsOf(args),
    ...(experiment === undefined ? {} : { experiment }),
    join: args.flag("join"),
    sequential: args.flag("sequential"),
    fixed: args.texts("fixed").flatMap(assignments),
    parameterSets: args.texts("psetUse").flatMap((names) => names.split(",")),
    missing: policiesOf(args),
    force: args.flag("force") || args.texts("enforce"),
    likePerfbase: true,
    ...(synopsis === undefined ? {} : { synopsis }),
    ...(storeSet === undefined ? {} : { storeSet }),
    ...(args.flag("mtime") ? { performed: { from: "file" as const } } : performed === undefined ? {} : { performed }),
    ...databaseOf(session, args),
  };
}

function policiesOf(args: Arguments): MissingPolicies {
  const definition: MissingPolicy = args.flag("useDefault") ? "default" : args.flag("interactive") ? "ask" : "abort";
  const value =
    policies.find((each) => each === args.text("missing")) ?? (definition === "default" ? "default" : "abort");
  return { definition, value, cells: "ignore" };
}

/** Assigns files to the preceding description, or to the first one. Enforced files count at their position. */
function inputsOf(args: Arguments): ImportInput[] {
  const enforce: OptionSpec = { flags: "--enforce <file>", synopsis: "", repeat: true };
  const inputs: { description: ImportInput["description"]; files: string[] }[] = [];
  const early: string[] = [];
  for (const { option, operands } of groupedWords(args.words, optionsOf(input), [
    descriptionOption,
    attachedOption,
    enforce,
  ])) {
    const { flags, value = "" } = option ?? {};
    if (flags === descriptionOption.flags) inputs.push({ description: { file: value }, files: [] });
    else if (flags === attachedOption.flags) inputs.push({ description: { attached: value }, files: [] });
    const files = flags === enforce.flags ? [value, ...operands] : operands;
    (inputs.at(-1)?.files ?? early).push(...files);
  }
  inputs[0]?.files.unshift(...early);
  return inputs;
}
