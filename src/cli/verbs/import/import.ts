import { counted, terminalText } from "../../../core/text/index.ts";
import {
  importFiles,
  missingPolicies,
  type Ask,
  type MissingPolicies,
  type MissingPolicy,
  type ImportInput,
  type ImportOptions,
  type ImportResult,
} from "../../../commands/import/index.ts";
import { abbreviate } from "../../../core/versions/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import type { Arguments } from "../../arguments.ts";
import { lazyQuestions } from "../../ask.ts";
import { optionsOf } from "../../parse.ts";
import { ImportPreview } from "../../print/index.ts";
import { openProgress } from "../../progress.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { groupedWords } from "../../option-groups.ts";
import { explainFormats, importKnownFormats, printFormats, reportOptionsFrom } from "./import-reports.ts";
import {
  assignment,
  attachedOption,
  descriptionOption,
  experimentOptions,
  formatOptions,
  givenTexts,
  limitOf,
  noticeText,
  performedOf,
  recursiveOf,
  refuse,
  reportOptions,
  usage,
} from "./import-options.ts";
import { importProfiles, profileOnlyOptions } from "./import-profile.ts";
import { namesOf } from "../options.ts";

/** `--as profile` is the former spelling of `import-profile`. */
const asOption: OptionSpec = { flags: "--as <what>", synopsis: "import as profiles", choices: ["profile"] };

export const importVerb: Verb = {
  name: "import",
  summary: "import benchmark output into an experiment",
  details: [
    "Without a description, the format of each file is auto-detected; the experiment of that name is created or",
    "extended as needed. Input descriptions (-d) parse any other text.",
    "",
    "Either all files are stored or none. Raw files and descriptions are stored with the runs. Files that were",
    "imported before are refused. Each file yields one run or several; with several descriptions, each followed by its",
    "files, all files make up one run. Inside a repository, runs are linked to the checked-out commit.",
    "",
    "A variable without a value takes its default; results may be missing; anything else is refused. The policies of",
    "-u and -a change this: abort, default (refuse variables without a default), ask, ignore.",
    "",
    "--recursive reads folders in the order of their names; FILENAME locations of a description take values from the",
    "names of folders.",
    "",
    "Examples:",
    "  perfkeep import results.json                    # hyperfine, Go, JMH, pytest-benchmark, …: --list-formats",
    "  perfkeep import -e b_eff_io -d b_eff_io.inp results/*.sum",
    "  perfkeep import -d latency.inp latency.out -d machine.inp machine.txt",
    "  perfkeep import -e scaling -d scaling.inp --recursive --include '*.out' runs",
    "  ./benchmark | perfkeep import -e net -d net.inp -f host=node7 -",
  ].join("\n"),
  operands: [{ name: "[file...]", synopsis: "benchmark output; - is standard input" }],
  options: [...reportOptions, ...experimentOptions, ...formatOptions],
  hiddenOptions: [asOption, ...profileOnlyOptions],
  formats: ["json"],
  async run(session, args) {
    if (args.text("as") === "profile") {
      const unusable = [...reportOptions, ...experimentOptions].filter(({ flags }) => !flags.startsWith("--from"));
      refuse(args, unusable, "does not apply to profiles");
      return importProfiles(session, args);
    }
    const isDescribed = args.texts("description").length + args.texts("attached").length > 0;
    if (isDescribed && args.texts("params").length > 0)
      throw new Failure("unusable-combination", {
        what: "--params with a description",
        instead: "give one of them: --params are options of a detected format",
      });
    refuse(args, profileOnlyOptions, "belongs to perfkeep import-profile");
    if (isDescribed) refuse(args, formatOptions, "is for files without a description");
    if (args.flag("listFormats")) return printFormats(session);
    if (args.flag("explain")) return explainFormats(session, args.rest(0));
    const isNamed = args.text("label") !== undefined;
    if (!isDescribed) {
      report(session, await importKnownFormats(session, args, reportOptionsFrom(session, args)), isNamed);
      return 0;
    }
    report(session, await importDescribed(session, args), isNamed);
    return 0;
  },
};

async function importDescribed(session: Session, args: Arguments): Promise<ImportResult> {
  refuse(args, reportOptions, "is for files without a description");
  const preview = args.flag("dryRun") ? new ImportPreview(session) : undefined;
  const progress = openProgress(session);
  const questions = lazyQuestions(session.streams);
  const options = optionsFrom(args);
  const result = await importFiles(session.workspace, {
    ...options,
    ...(preview ? { preview } : {}),
    ask: (missing) => {
      progress.hide();
      return questions.ask(questionText(session, missing));
    },
    notice: (file, line, text) => session.output.note(noticeText(file, line, text)),
    remark: (file, text) => session.output.note(noticeText(file, 0, text)),
    progress: (bytes, total) => total !== undefined && progress.show(bytes, total, "reading"),
    waiting: (busy) => {
      if (session.streams.stderr.isTTY) session.output.note(`waiting: ${busy.message}`);
    },
  }).finally(() => {
    progress.hide();
    questions.close();
  });
  return preview ? { ...result, runs: result.runs.map((run, at) => ({ ...run, ...preview.runs[at] })) } : result;
}

function questionText({ output }: Session, { variable, missing, problem }: Parameters<Ask>[0]): string {
  if (problem) output.note(problem.message);
  const reason = missing === "definition" ? "is not defined by any description" : "was not found";
  const fallback = variable.default === undefined ? "" : ", empty for the default";
  return `${variable.name} (${variable.type}) ${reason}. Value${fallback}:`;
}

function optionsFrom(args: Arguments): ImportOptions {
  const inputs = inputsOf(args);
  const missing = policiesOf(args);
  const asks = missing.value === "ask" || missing.definition === "ask";
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
    parameterSets: namesOf(args, "psetUse"),
    missing,
    force: args.flag("force") || args.texts("enforce"),
    ...recursiveOf(args),
    ...performedOf(args),
    ...limitOf(args),
    ...givenTexts(args, ["experiment", "label", "synopsis", "encoding", "locale"]),
    ...(args.text("psetStore") === undefined ? {} : { storeSet: args.text("psetStore")! }),
    ...(args.text("db") === undefined ? {} : { database: args.text("db")! }),
  };
}

function policiesOf(args: Arguments): MissingPolicies {
  const policy = (name: string): MissingPolicy | undefined => missingPolicies.find((each) => each === args.text(name));
  const [definition, value] = [policy("undefined"), policy("missing")];
  return {
    ...(definition === undefined ? {} : { definition }),
    ...(value === undefined ? {} : { value }),
    ...(value === "ignore" ? { cells: "ignore" } : {}),
  };
}

/** A single description applies to all files; several apply to the files after each of them. */
function inputsOf(args: Arguments): ImportInput[] {
  const enforceOption = (importVerb.options ?? []).filter(({ flags }) => flags.startsWith("--enforce"));
  const groups = groupedWords(args.words, optionsOf(importVerb), [descriptionOption, attachedOption, ...enforceOption]);
  const inputs: { description: ImportInput["description"]; files: string[] }[] = [];
  const early: string[] = [];
  for (const { option, operands } of groups) {
    if (option?.flags === descriptionOption.flags) inputs.push({ description: { file: option.value }, files: [] });
    else if (option?.flags === attachedOption.flags)
      inputs.push({ description: { attached: option.value }, files: [] });
    const enforced = option?.flags.startsWith("--enforce") ? [option.value] : [];
    (inputs.at(-1)?.files ?? early).push(...enforced, ...operands);
  }
  const [only, ...more] = inputs;
  if (only === undefined) throw usage("--description is missing");
  if (more.length > 0 && early.length > 0) {
    throw usage(`'${early[0]}' precedes the first of several descriptions`);
  }
  only.files.unshift(...early);
  return inputs;
}

/** `isNamed`: the user gave a label. */
function report(session: Session, result: ImportResult, isNamed: boolean): void {
  const { output } = session;
  if (session.format === "json") {
    output.document("perfkeep.import/1", result);
    return;
  }
  const experiment = terminalText(result.experiment);
  if (result.parameterSet) {
    const { name, contents } = result.parameterSet;
    output.report(`parameter set ${terminalText(name)} of ${experiment} with ${counted(contents, "value")}\n`);
  }
  for (const { file, beside = [], run, label, dataSets } of result.runs) {
    const labelled = label === undefined || !isNamed ? "" : ` (${terminalText(label)})`;
    const name = run === undefined ? "would be a run" : `run ${run}${labelled}`;
    const rows = dataSets === 0 ? "" : ` with ${counted(dataSets, "row")}`;
    const line = `${[file, ...beside].map(terminalText).join(", ")}: ${name} of ${experiment}${rows}\n`;
    if (run === undefined) output.data(line);
    else output.report(line);
  }
  if (result.version)
    output.detail(`linked to commit ${abbreviate(result.version)}${result.dirty ? ", with uncommitted changes" : ""}`);
}
