import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { splitCommand } from "../../core/text/command-line.ts";
import { Failure } from "../../core/failures/failure.ts";
import { JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/values/json.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Values } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { profileOf } from "../../formats/profile/build-profile.ts";
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
import { refuse, type RefusedOption, refusedVariables } from "./calls/unsupported-options.ts";
import { symbolsOf } from "./calls/symbols.ts";
import {
  type Collector,
  collectorOption as option,
  countOf,
  executionOf,
  type Job,
  type Shell,
  stoppableRunOptions,
  timeoutOf,
} from "./collector.ts";
import { builtProgram } from "./complexity-build.ts";

/** Every row is kept in memory. */
const mostCalls = 20_000_000;

const refused: readonly RefusedOption[] = [
  { name: "internal-data-filename", type: "text", inert: "trace.log", reason: "the log is not kept" },
  {
    name: "internal-storage-size",
    type: "integer",
    inert: 20_000,
    reason: "nothing is held back in the program; see limit",
  },
  {
    name: "internal-direct-output",
    type: "boolean",
    inert: false,
    reason: "calls are always written at once, and none is lost in a crash",
  },
];

const options: readonly Variable[] = [
  option(
    "files",
    "text",
    null,
    "C or C++ sources, a line each, to be compiled into the program of the command (default: it is built already)",
  ),
  option("target-dir", "string", null, "folder for the compiled program, which is kept there (default: none is kept)"),
  option("compiler", "string", null, "GCC's program (default: g++, or gcc where all sources are C)"),
  option("flags", "string", "", "words for the compiler"),
  option("rules", "text", null, "functions to measure, a line each (default: all that are instrumented)"),
  option("sampling", "text", null, "lines of FUNCTION N: record each Nth call"),
  {
    ...option("clock", "string", "wall", "wall, or cpu: the processor's time, which other programs do not lengthen"),
    valid: ["wall", "cpu"],
  },
  option("limit", "integer", 1_000_000, "calls of one process after which the job fails"),
  ...stoppableRunOptions("the calls"),
  ...refusedVariables(refused),
];

/**
 * How long functions take against the size of the structure they work on, which they tell by PERFKEEP_SIZE of
 * perfkeep.h: a row for each call that returned, laid out as Perun's collector of this name does.
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

interface Plan {
  readonly argv: readonly string[];
  readonly files: readonly string[];
  readonly targetFolder: string | null;
  readonly compiler: string | null;
  readonly flags: readonly string[];
  readonly rules: readonly FunctionChoice[];
  readonly sampling: readonly FunctionChoice[];
  readonly isCpuTime: boolean;
  readonly limit: number;
  readonly timeout: number | null;
  readonly allowFailure: boolean;
  readonly keepOutput: boolean;
}

function planOf({ cmd, workload, params }: Job): Plan {
  refuse("complexity", refused, params);
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
    limit: countOf("complexity", params, "limit", 1_000_000, 1, mostCalls),
    timeout: timeoutOf("complexity", params),
    allowFailure: params.get("allow-failure") === true,
    keepOutput: params.get("keep-output") !== false,
  };
}

function textOf(params: Values, name: string): string | null {
  const value = params.get(name);
  return typeof value === "string" && value !== "" ? value : null;
}

/** `FUNCTION N`, as Perun's option has it, or `FUNCTION#N`. */
function readSampling(line: string): FunctionChoice {
  const choice = readChoice("complexity", "sampling", line.replace(/\s+(\d{1,10})$/, "#$1"));
  if (choice.every !== null) return choice;
  const expected = "a function and how many calls make one row";
  throw new Failure("bad-collector-option", {
    plugin: "complexity",
    option: "sampling",
    value: line.slice(0, 80),
    expected,
    example: "insert 10",
  });
}

/** The words of the command; the first names the program that is built, where one is. */
async function argvOf(plan: Plan, job: Job, shell: Shell, scratch: string): Promise<readonly string[]> {
  if (plan.files.length === 0) return plan.argv;
  const folder = plan.targetFolder === null ? scratch : resolve(job.directory, plan.targetFolder);
  const name = basename(plan.argv[0] ?? "") || "program";
  return [await builtProgram({ ...plan, folder, name }, job, shell), ...plan.argv.slice(1)];
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
  const wanted = rules.length === 0 ? all : chosenFunctions(rules, [file], 1).get(file)!;
  const sampled = [...chosenFunctions(sampling, [file], 1).get(file)!].filter(([address]) => wanted.has(address));
  return new Map([[file, new Map([...wanted, ...sampled])]]);
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
  const execution = outcome === null ? jsonObject({ status: ["timed out"] }) : executionOf([outcome], plan.keepOutput);
  return { ...run, extra: new Map<string, Json>([...run.extra, ["execution", execution]]) };
}

function paramsOf({ files, targetFolder, flags, rules, sampling, isCpuTime, timeout, allowFailure }: Plan): JsonObject {
  return jsonObject({
    files: [...files],
    "target-dir": targetFolder,
    flags: [...flags],
    rules: rules.map(({ text }) => text),
    sampling: sampling.map(({ name, every }) => jsonObject({ func: name, sample: JsonNumber.integer(every ?? 1) })),
    clock: isCpuTime ? "cpu" : "wall",
    ...(timeout === null ? {} : { timeout: JsonNumber.float(timeout) }),
    ...(allowFailure ? { "allow-failure": true } : {}),
  });
}
