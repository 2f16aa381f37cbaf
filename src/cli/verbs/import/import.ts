import { counted } from "../../../core/text/plural.ts";
import { importFiles } from "../../../commands/import/import.ts";
import {
  missingPolicies,
  type Ask,
  type MissingPolicies,
  type MissingPolicy,
} from "../../../commands/import/missing-values.ts";
import type { ImportReportsOptions } from "../../../commands/import/import-reports.ts";
import type { ImportInput, ImportOptions, ImportResult } from "../../../commands/import/options.ts";
import { abbreviate } from "../../../core/versions/digest.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import { openQuestions, type Questions } from "../../ask.ts";
import { optionsOf } from "../../parse.ts";
import { ImportPreview } from "../../print/experiments/import-preview.ts";
import { openProgress } from "../../progress.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { groupedWords } from "../../option-groups.ts";
import { explainFormats, importKnownFormats, printFormats, reportOptions } from "./import-reports.ts";
import { importProfiles, profileOptions, refuseProfileOptions } from "./import-profile.ts";
import { mergedParams } from "../profiles/job-options.ts";
import { databaseOption, sizeIn, words } from "../options.ts";

const descriptionOption: OptionSpec = {
  flags: "-d, --description <file>",
  synopsis: "the input description: where the values stand",
  repeat: true,
  also: ["-i", "--input"],
};

const attachedOption: OptionSpec = {
  flags: "-n, --attached <name>",
  synopsis: "an input description that the experiment keeps (perfkeep attach)",
  repeat: true,
};

const experimentOptions: readonly OptionSpec[] = [
  {
    flags: "-e, --experiment <name>",
    synopsis: "where the values belong (default: what the description says, else PERFKEEP_EXPERIMENT)",
  },
  descriptionOption,
  attachedOption,
  {
    flags: "-f, --fixed <name=content>",
    synopsis: "content of a variable, instead of what the file says",
    repeat: true,
  },
  {
    flags: "--pset-use <names>",
    synopsis: "fixed contents from parameter sets, joined by commas; the first that has one wins",
    repeat: true,
  },
  { flags: "--pset-store <name>", synopsis: "store no run but its single parameters, as a parameter set" },
  {
    flags: "-u, --undefined <policy>",
    synopsis: "when a description says nothing of a variable",
    choices: missingPolicies,
  },
  {
    flags: "-a, --missing <policy>",
    synopsis: "when a single value is not found in the input",
    choices: missingPolicies,
  },
  { flags: "--join", synopsis: "read all files as one" },
  { flags: "--sequential", synopsis: "with several descriptions: file after file, not data set by data set" },
  {
    flags: "--encoding <name>",
    synopsis: "how characters are encoded (default: as the bytes tell)",
    choices: ["utf-8", "utf-16le", "utf-16be", "latin1"],
  },
  { flags: "--label <text>", synopsis: "name for the runs" },
  { flags: "--synopsis <text>", synopsis: "what the runs are about" },
  { flags: "-p, --performed <time>", synopsis: "when it was measured (default: now)" },
  {
    flags: "-m, --performed-from <what>",
    synopsis: "take that time from elsewhere: file, when it was changed last",
    choices: ["file"],
  },
  { flags: "--force", synopsis: "import although the same file was imported before" },
  { flags: "--enforce <file>", synopsis: "one more file, which is imported even if it was before", repeat: true },
  {
    flags: "--stream-limit <size>",
    synopsis: "how much standard input or a pipe may say, or none (default: 16GiByte)",
  },
  { flags: "-t, --dry-run", synopsis: "print the values, store nothing" },
  databaseOption,
];

export const importVerb: Verb = {
  name: "import",
  summary: "read benchmark output into an experiment",
  details: [
    "Without a description files are of a format that is known by itself, found by their content: an experiment of its name is made or extended as they",
    "need it. Any other text is read by input descriptions (-d).",
    "",
    "All files are stored, or none. The raw files and the description are kept. A file that was imported before is refused.",
    "Each file is read by itself, as a run or several. With several descriptions, each followed by its files, all files make up one run.",
    "Inside a repository the runs belong to the commit that is checked out.",
    "",
    "What becomes of a variable without content: what has a default takes it, results may be missing, the rest is refused. " +
      "The policies of -u and -a are stricter or laxer: abort, default (refuse where there is none), ask, ignore.",
    "",
    "Examples:",
    "  perfkeep import results.json                                # hyperfine, Go, JMH, pytest-benchmark, …: --list-formats",
    "  perfkeep import -e b_eff_io -d b_eff_io.inp results/*.sum",
    "  perfkeep import -d latency.inp latency.out -d machine.inp machine.txt",
    "  ./benchmark | perfkeep import -e net -d net.inp -f host=node7 -",
    "  perfkeep import --as profile massif.out.1234",
  ].join("\n"),
  operands: [{ name: "[file...]", synopsis: "output of the benchmark; - is standard input" }],
  options: [
    {
      flags: "--as <what>",
      synopsis: "profile: make pending profiles of what other profilers or benchmarks wrote, no runs",
      choices: ["profile"],
    },
    ...reportOptions,
    ...experimentOptions,
    ...profileOptions,
  ],
  formats: ["json"],
  async run(session, args) {
    if (args.text("as") === "profile")
      return importProfiles(session, args, [
        ...reportOptions.filter(({ flags }) => !flags.startsWith("--from")),
        ...experimentOptions,
      ]);
    const isDescribed = args.texts("description").length + args.texts("attached").length > 0;
    if (isDescribed && args.texts("params").length > 0)
      throw new Failure("unusable-combination", {
        what: "--params beside a description",
        instead: "leave one of them out: options are those of a known format",
      });
    refuseProfileOptions(args, isDescribed ? [] : ["--minor", "--params"]);
    if (args.flag("listFormats")) return printFormats(session);
    if (args.flag("explain")) return explainFormats(session, args.rest(0));
    if (!isDescribed) {
      report(session, await importKnownFormats(session, args, reportOptionsFrom(session, args)));
      return 0;
    }
    if (args.text("from") !== undefined) throw usage("--from is for files without a description");
    const preview = args.flag("dryRun") ? new ImportPreview(session) : undefined;
    const progress = openProgress(session);
    const questions = new LazyQuestions(session);
    const options = optionsFrom(args);
    const result = await importFiles(session.workspace, {
      ...options,
      ...(preview ? { preview } : {}),
      ask: (question) => (progress.hide(), questions.ask(question)),
      notice: (file, line, text) => session.output.note(`${terminalText(file)}:${line}: ${terminalText(text)}`),
      progress: (bytes, total) => total !== undefined && progress.show(bytes, total, "reading"),
      waiting: (busy) => {
        if (session.streams.stderr.isTTY) session.output.note(`waiting: ${busy.message}`);
      },
    }).finally(() => {
      progress.hide();
      questions.close();
    });
    report(session, preview ? { ...result, runs: withFound(result.runs, preview) } : result);
    return 0;
  },
};

function withFound(runs: ImportResult["runs"], { found }: ImportPreview): ImportResult["runs"] {
  return runs.map((run, at) => ({ ...run, ...found[at] }));
}

/** What imports without a description take; the rest is refused. */
function reportOptionsFrom(session: Session, args: Arguments): ImportReportsOptions {
  const stray = descriptionOnly.find((name) => args.flag(name) || args.texts(name).length > 0);
  if (stray !== undefined)
    throw usage(
      `--${stray.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} is for files with a description, which is missing: -d FILE`,
    );
  return {
    files: [...args.texts("enforce"), ...args.rest(0)],
    fixed: args.texts("fixed").map(assignment),
    params: mergedParams(session, args.texts("params")),
    force: args.flag("force") || args.texts("enforce"),
    ...performedOf(args),
    ...limitOf(args),
    ...givenTexts(args, ["from", "experiment", "label", "synopsis", "minor"]),
    ...(args.text("db") === undefined ? {} : { database: args.text("db")! }),
  };
}

const descriptionOnly = ["psetUse", "psetStore", "undefined", "missing", "join", "sequential", "encoding"] as const;

function givenTexts<N extends string>(args: Arguments, names: readonly N[]): { [name in N]?: string } {
  const given = names.flatMap((name): [N, string][] =>
    args.text(name) === undefined ? [] : [[name, args.text(name)!]],
  );
  return Object.fromEntries(given) as { [name in N]?: string };
}

function usage(reason: string): Failure {
  return new Failure("bad-usage", { reason, command: "perfkeep import" });
}

/** Standard input is opened at the first question: it may be what is imported. */
class LazyQuestions {
  readonly #session: Session;
  #questions: Questions | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  ask: Ask = ({ variable, missing, problem }) => {
    this.#questions ??= openQuestions(this.#session.streams);
    if (problem) this.#session.output.note(terminalText(problem.message));
    const why = missing === "definition" ? "is in no description" : "was not found";
    const instead = variable.default === undefined ? "" : ", nothing for its default";
    return this.#questions.ask(`${terminalText(variable.name)} (${variable.type}) ${why}. Content${instead}:`);
  };

  close(): void {
    this.#questions?.close();
  }
}

function optionsFrom(args: Arguments): ImportOptions {
  const inputs = inputsOf(args);
  const missing = policiesOf(args);
  const asks = missing.content === "ask" || missing.definition === "ask";
  if (asks && inputs.some(({ files }) => files.includes("-")))
    throw new Failure("unusable-combination", {
      what: "standard input cannot be both the data and the answers",
      instead: "import a file, or choose another policy",
    });
  return {
    inputs,
    join: args.flag("join"),
    sequential: args.flag("sequential"),
    fixed: args.texts("fixed").map(assignment),
    parameterSets: words(args, "psetUse"),
    missing,
    force: args.flag("force") || args.texts("enforce"),
    ...performedOf(args),
    ...limitOf(args),
    ...givenTexts(args, ["experiment", "label", "synopsis", "encoding"]),
    ...(args.text("psetStore") === undefined ? {} : { storeSet: args.text("psetStore")! }),
    ...(args.text("db") === undefined ? {} : { database: args.text("db")! }),
  };
}

function performedOf(args: Arguments): Pick<ImportOptions, "performed"> {
  const [given, from] = [args.text("performed"), args.text("performedFrom")];
  if (given !== undefined && from !== undefined)
    throw new Failure("unusable-combination", {
      what: "--performed and --performed-from exclude each other",
      instead: "give one of both",
    });
  if (from !== undefined) return { performed: { from: "file" } };
  return given === undefined ? {} : { performed: given };
}

/** `none` lifts the limit. */
function limitOf(args: Arguments): Pick<ImportOptions, "streamLimit"> {
  const text = args.text("streamLimit");
  if (text === undefined) return {};
  return { streamLimit: text === "none" ? Infinity : sizeIn("--stream-limit", text) };
}

function policiesOf(args: Arguments): MissingPolicies {
  const policy = (name: string): MissingPolicy | undefined => missingPolicies.find((each) => each === args.text(name));
  const [definition, content] = [policy("undefined"), policy("missing")];
  return {
    ...(definition === undefined ? {} : { definition }),
    ...(content === undefined ? {} : { content }),
    ...(content === "ignore" ? { cells: "ignore" } : {}),
  };
}

/** One description: all files are its own, wherever they stand. Several: those that stand behind it. */
function inputsOf(args: Arguments): ImportInput[] {
  const enforceOption = (importVerb.options ?? []).filter(({ flags }) => flags.startsWith("--enforce"));
  const groups = groupedWords(args.words, optionsOf(importVerb), [descriptionOption, attachedOption, ...enforceOption]);
  const inputs: { description: ImportInput["description"]; files: string[] }[] = [];
  const early: string[] = [];
  for (const { option, operands } of groups) {
    if (option?.flags === descriptionOption.flags) inputs.push({ description: { file: option.content }, files: [] });
    else if (option?.flags === attachedOption.flags)
      inputs.push({ description: { attached: option.content }, files: [] });
    const enforced = option?.flags.startsWith("--enforce") ? [option.content] : [];
    (inputs.at(-1)?.files ?? early).push(...enforced, ...operands);
  }
  const [only, ...more] = inputs;
  if (only === undefined) throw usage("--description is missing");
  if (more.length > 0 && early.length > 0) {
    throw usage(`'${early[0]}' stands before the first of several descriptions`);
  }
  only.files.unshift(...early);
  return inputs;
}

function assignment(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new Failure("bad-option", { option: "--fixed", value: text, expected: "name=content" });
  return [text.slice(0, at), text.slice(at + 1)];
}

function report(session: Session, result: ImportResult): void {
  const { output } = session;
  if (session.format === "json") {
    output.document("perfkeep.import/1", result);
    return;
  }
  const experiment = terminalText(result.experiment);
  if (result.parameterSet) {
    const { name, contents } = result.parameterSet;
    output.data(`parameter set ${terminalText(name)} of ${experiment} with ${counted(contents, "content")}\n`);
  }
  for (const { file, beside = [], run, dataSets } of result.runs) {
    const name = run === undefined ? "would be a run" : `run ${run}`;
    const rows = dataSets === 0 ? "" : ` with ${counted(dataSets, "data set")}`;
    output.data(`${[file, ...beside].map(terminalText).join(", ")}: ${name} of ${experiment}${rows}\n`);
  }
  if (result.version)
    output.detail(`belongs to ${abbreviate(result.version)}${result.dirty ? ", with uncommitted changes" : ""}`);
}
