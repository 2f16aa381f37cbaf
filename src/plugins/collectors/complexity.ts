import { Failure } from "../../core/failures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import { splitCommand } from "../../core/text/index.ts";
import { JsonNumber, jsonObject, type JsonObject, type Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { profileOf } from "../../formats/profile/index.ts";
import { complexitySubjects } from "./calls/call-rows.ts";
import {
  chosenFunctions,
  type FunctionChoice,
  linesOf,
  readChoice,
  type WatchedFile,
  type Watching,
} from "./calls/function-selection.ts";
import { watchInstrumented, type Watched } from "./calls/run-instrumented.ts";
import { symbolsOf } from "./calls/symbols.ts";
import { refuseUnsupported, type UnsupportedOption, unsupportedVariables } from "./calls/unsupported-options.ts";
import {
  type Collector,
  collectorOption as option,
  countOf,
  type Job,
  type Shell,
  endingOf,
  lastLine,
} from "./collector.ts";
import { type RunPlan, runParams, runPlan, stoppableRunOptions, withExecution } from "./run-plan.ts";
import { mkdtempSync, rmSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve, extname } from "node:path";

/** Sources and options of a build. */
interface Build {
  /** Source files; headers are skipped, since the compiler finds them. */
  readonly files: readonly string[];
  readonly compiler: string | null;
  readonly flags: readonly string[];
  /** Folder of the compiled program. */
  readonly folder: string;
  /** Name of the compiled program. */
  readonly name: string;
}

/** Excludes functions of system headers. */
const excluded = "-finstrument-functions-exclude-file-list=/usr/include/,/usr/lib/gcc/";

/**
 * Compiles the sources with instrumented functions and returns the path of the program. Fails with `build-failed`.
 */
async function buildProgram({ files, compiler, flags, folder, name }: Build, job: Job, shell: Shell): Promise<string> {
  const sources = files
    .filter((file) => !/^\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|tpp)$/i.test(extname(file)))
    .map((file) => resolve(job.directory, file));
  if (sources.length === 0)
    throw new Failure("unusable-combination", {
      what: "option files of complexity contains only headers",
      instead: "name a C or C++ source",
    });
  const program = compiler ?? (sources.every((source) => source.endsWith(".c")) ? "gcc" : "g++");
  if ((await shell.which(program)) === null)
    throw new Failure("tool-missing", { tool: program, install: "GCC (Debian: apt install g++)" });
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  const compilerFlags = [
    "-finstrument-functions",
    excluded,
    "-DPERFKEEP",
    "-I",
    await shell.shipped("include"),
    "-g",
    "-pthread",
  ];
  const outcome = await shell.run([program, ...compilerFlags, ...flags, "-o", path, ...sources], {
    directory: job.directory,
  });
  if (outcome.status === 0) return path;
  const what = sources.map((source) => basename(source)).join(", ");
  throw new Failure("build-failed", { compiler: program, what, last: firstError(outcome.stderr) || endingOf(outcome) });
}

/** The first error line; later errors often follow from it. */
function firstError(stderr: Uint8Array): string {
  const lines = new TextDecoder().decode(stderr).split("\n");
  return (lines.find((line) => /\berror\b/.test(line)) ?? lastLine(stderr)).trim().slice(0, 200);
}

/** Limit of rows, which are kept in memory. */
const maxCalls = 20_000_000;

const unsupported: readonly UnsupportedOption[] = [
  {
    name: "internal-data-filename",
    type: "text",
    ignoredValue: "trace.log",
    reason: "the log is not kept",
    instead: "omit it; perfkeep show PROFILE tableof prints every call",
  },
  {
    name: "internal-storage-size",
    type: "integer",
    ignoredValue: 20_000,
    reason: "calls are not buffered in the program",
    instead: "omit it; the option limit bounds the number of calls",
  },
  {
    name: "internal-direct-output",
    type: "boolean",
    ignoredValue: false,
    reason: "calls are written immediately and survive a crash",
    always: true,
  },
];

const options: readonly Variable[] = [
  option(
    "files",
    "text",
    null,
    "C or C++ sources to compile into the command's program, one per line (default: the program is already built)",
  ),
  option("target-dir", "string", null, "folder to keep the compiled program in (default: a temporary folder)"),
  option("compiler", "string", null, "GCC executable (default: g++, or gcc if all sources are C)"),
  option("flags", "string", "", "compiler flags"),
  option("rules", "text", null, "functions to measure, one per line (default: all instrumented ones)"),
  option("sampling", "text", null, "record every Nth call of a function, one FUNCTION N per line"),
  {
    ...option("clock", "string", "wall", "wall, or cpu: CPU time, independent of other programs"),
    valid: ["wall", "cpu"],
  },
  option("limit", "integer", 1_000_000, "maximum calls per process; the job fails above"),
  ...stoppableRunOptions("the calls"),
  ...unsupportedVariables(unsupported),
];

/**
 * Time of functions by the size of the structure they work on, reported with PERFKEEP_SIZE of perfkeep.h. One row per
 * returned call, in the format of Perun's collector of this name.
 */
export const complexity: Collector = Object.freeze<Collector>({
  kind: "collector",
  name: "complexity",
  synopsis: "time of C and C++ functions against the size of their structures",
  options,
  profileType: "mixed",

  async prepare(shell) {
    if ((await shell.which("nm")) === null)
      throw new Failure("tool-missing", { tool: "nm", install: "GNU binutils (Debian: apt install binutils)" });
  },

  async collect(job, shell, progress = () => {}) {
    const plan = planOf(job);
    const folder = mkdtempSync(join(tmpdir(), "perfkeep-complexity-"));
    try {
      const argv = await argvOf(plan, job, shell, folder);
      progress(0.4);
      const chosen = await choiceOf(plan, argv, job, shell);
      const watched = await watchInstrumented(job, shell, {
        ...plan,
        argv,
        files: [...(chosen?.keys() ?? [])],
        chosen,
        every: 1,
      });
      progress(1);
      return runOf(job, plan, watched);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

interface Plan extends RunPlan {
  readonly argv: readonly string[];
  readonly files: readonly string[];
  readonly targetFolder: string | null;
  readonly compiler: string | null;
  readonly flags: readonly string[];
  readonly rules: readonly FunctionChoice[];
  readonly sampling: readonly FunctionChoice[];
  readonly isCpuTime: boolean;
  readonly limit: number;
}

function planOf({ cmd, workload, params }: Job): Plan {
  refuseUnsupported("complexity", unsupported, params);
  const [files, targetFolder] = [linesOf(params.get("files")), textOf(params, "target-dir")];
  if (targetFolder !== null && files.length === 0)
    throw new Failure("unusable-combination", {
      what: "option target-dir of complexity without files to compile",
      instead: "add files: [SOURCE]",
    });
  return {
    argv: splitCommand(`${cmd} ${workload}`),
    files,
    targetFolder,
    compiler: textOf(params, "compiler"),
    flags: splitCommand(textOf(params, "flags") ?? ""),
    rules: linesOf(params.get("rules")).map((line) => readChoice("complexity", "rules", line)),
    sampling: linesOf(params.get("sampling")).map(readSampling),
    isCpuTime: params.get("clock") === "cpu",
    limit: countOf("complexity", params, "limit", 1_000_000, 1, maxCalls),
    ...runPlan("complexity", params),
  };
}

function textOf(params: Values, name: string): string | null {
  const value = params.get(name);
  return typeof value === "string" && value !== "" ? value : null;
}

/** Parses `FUNCTION N`, as in Perun's option, or `FUNCTION#N`. */
function readSampling(line: string): FunctionChoice {
  const choice = readChoice("complexity", "sampling", line.replace(/\s+(\d{1,10})$/, "#$1"));
  if (choice.every !== null) return choice;
  const expected = "FUNCTION N";
  throw new Failure("bad-collector-option", {
    plugin: "complexity",
    option: "sampling",
    value: line.slice(0, 80),
    expected,
    example: "insert 10",
  });
}

/** The command's arguments; builds the program first if there are sources. */
async function argvOf(plan: Plan, job: Job, shell: Shell, scratch: string): Promise<readonly string[]> {
  if (plan.files.length === 0) return plan.argv;
  const folder = plan.targetFolder === null ? scratch : resolve(job.directory, plan.targetFolder);
  const name = basename(plan.argv[0] ?? "") || "program";
  return [await buildProgram({ ...plan, folder, name }, job, shell), ...plan.argv.slice(1)];
}

async function choiceOf(
  { rules, sampling }: Plan,
  [program = ""]: readonly string[],
  job: Job,
  shell: Shell,
): Promise<Map<WatchedFile, ReadonlyMap<bigint, Watching>> | null> {
  if (rules.length === 0 && sampling.length === 0) return null;
  const path = program.includes("/") ? resolve(job.directory, program) : await shell.which(program);
  const file = { path: path ?? program, symbols: path === null ? [] : await symbolsOf(path, shell, job.directory) };
  const all = new Map(file.symbols.map(({ address }) => [address, { every: 1, argument: null }]));
  const selected = rules.length === 0 ? all : chosenFunctions(rules, [file], 1).get(file)!;
  const sampled = [...chosenFunctions(sampling, [file], 1).get(file)!].filter(([address]) => selected.has(address));
  return new Map([[file, new Map([...selected, ...sampled])]]);
}

function runOf(job: Job, plan: Plan, { outcome, processes }: Watched): Run {
  const { cmd, workload, machine } = job;
  const collector = { name: "complexity", params: paramsOf(plan) };
  const subjects = complexitySubjects(processes);
  const run = profileOf({
    type: "mixed",
    cmd,
    workload,
    units: { "mixed(time delta)": "us" },
    collector,
    machine,
    subjects,
  });
  return withExecution(run, outcome === null ? null : [outcome], plan);
}

function paramsOf(plan: Plan): JsonObject {
  const { files, targetFolder, flags, rules, sampling, isCpuTime } = plan;
  return jsonObject({
    files: [...files],
    "target-dir": targetFolder,
    flags: [...flags],
    rules: rules.map(({ text }) => text),
    sampling: sampling.map(({ name, every }) => jsonObject({ func: name, sample: JsonNumber.integer(every ?? 1) })),
    clock: isCpuTime ? "cpu" : "wall",
    ...runParams(plan),
  });
}
