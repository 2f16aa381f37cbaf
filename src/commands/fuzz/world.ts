import type { Change } from "../../core/verdicts/index.ts";
import { quoteCommand } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Settings } from "../../core/values/index.ts";
import type { Collector } from "../../plugins/collectors/collector.ts";
import { describeEnvironment } from "../../workspace/machine/index.ts";
import {
  type CampaignWorld,
  type FuzzFolder,
  timeGauge,
  type Gauge,
  coverageEnvironment,
  GcovCoverage,
  type InitialSample,
  measuringShell,
  runProgram,
  type FuzzedProgram,
} from "../../workspace/fuzz/index.ts";
import { openOutputReader } from "../../workspace/import/index.ts";
import { optionsOf } from "../../workspace/plugins/index.ts";
import { runPreRunCommands } from "../../workspace/jobs/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { runPaths, withVersion } from "../../workspace/processes/index.ts";
import { perunStrategy } from "../../workspace/config/index.ts";
import { checkMethods, compareRuns } from "../verdicts/index.ts";
import type { FuzzOptions } from "./options.ts";

/** Folder, working directory and first sample. */
interface FuzzSetup {
  readonly folder: FuzzFolder;
  readonly directory: string;
  readonly first: InitialSample;
}

export interface FuzzWorld extends Pick<CampaignWorld, "run" | "measure" | "judge"> {
  readonly program: FuzzedProgram;
  readonly gauge: Gauge;
  /** Why coverage is not used; null: it is, or was not requested. */
  readonly note: string | null;
}

/** Calls `action` with the program's directory: the current directory, or a worktree of the requested commit. */
export async function withFuzzedTree<T>(
  workspace: Workspace,
  options: FuzzOptions,
  action: (directory: string) => Promise<T>,
): Promise<T> {
  if (options.minor === undefined) return action(workspace.world.directory);
  const config = await workspace.config();
  if (config.find("execute.pre_run")?.layer.name === "local") await workspace.trust().require(config, options.confirm);
  const [vcs, version] = [await workspace.vcs(), await workspace.version(options.minor)];
  return withVersion(runPaths(workspace.perun(), workspace.world.environment), vcs, version, async ({ path }) => {
    await runPreRunCommands(workspace.shell(), config.texts("execute.pre_run"), path, version);
    return action(path);
  });
}

/** Prepares running, measuring and judging. Fails if the collector is unavailable or the program cannot be started. */
export async function openFuzzWorld(workspace: Workspace, options: FuzzOptions, setup: FuzzSetup): Promise<FuzzWorld> {
  const collector = await workspace.registry.get("collector", options.collector.name);
  const shell = workspace.shell();
  await collector.prepare(shell);
  const { cmd, hangSeconds, allowsFailure } = options;
  const environment = coverageEnvironment(setup.folder.scratch("gcov"));
  const program: FuzzedProgram = { cmd, directory: setup.directory, shell, environment, hangSeconds, allowsFailure };
  const { gauge, note } = await chosenGauge(workspace, options, setup, program);
  const postprocessed = await postprocessing(workspace, options);
  const measure = await measuring(workspace, options, collector, program);
  return {
    program,
    gauge,
    note,
    run: (path, secondsLeft) => runProgram(program, gauge, path, secondsLeft),
    measure: async (path, secondsLeft) => postprocessed(await measure(path, secondsLeft)),
    judge: await judging(workspace, options),
  };
}

/** Chooses coverage if the program reports it, else CPU time. */
async function chosenGauge(
  workspace: Workspace,
  { coverage: { skip, sources, notes } }: FuzzOptions,
  { folder, directory, first }: FuzzSetup,
  program: FuzzedProgram,
): Promise<{ gauge: Gauge; note: string | null }> {
  if (skip) return { gauge: timeGauge, note: null };
  const instead = "CPU time decides what is worth measuring";
  if ((await program.shell.which("gcov")) === null) return { gauge: timeGauge, note: `gcov was not found: ${instead}` };
  const resolved = {
    sources: sources === undefined ? null : workspace.files.resolve(sources),
    notes: notes === undefined ? directory : workspace.files.resolve(notes),
  };
  const gauge = new GcovCoverage({ ...resolved, directory, folder: folder.scratch("gcov"), shell: program.shell });
  const ending = await runProgram(
    program,
    gauge,
    folder.stage(`0-${first.name}`, first.bytes),
    Number.POSITIVE_INFINITY,
  );
  if (gauge.counters().length === 0)
    return { gauge: timeGauge, note: `the command reports no coverage (it was not built with --coverage): ${instead}` };
  if (ending.kind === "fine" && ending.effort.amount === 0)
    throw new Failure("coverage-unreadable", {
      reason: `no line of a source below ${resolved.sources ?? "the project"} was executed`,
    });
  return { gauge, note: null };
}

async function measuring(
  workspace: Workspace,
  { cmd, collector: { params } }: FuzzOptions,
  collector: Collector,
  program: FuzzedProgram,
): Promise<CampaignWorld["measure"]> {
  const { directory, shell } = program;
  const machine = await describeEnvironment(shell, directory);
  const reader = openOutputReader(workspace.files, workspace.registry);
  const values = optionsOf(collector, fuzzingDefaults(collector, params, program));
  return (path, secondsLeft) => {
    const job = { cmd, workload: quoteCommand([path]), directory, params: values, machine, reader };
    return collector.collect(
      job,
      measuringShell(program, () => workspace.world.now(), secondsLeft),
    );
  };
}

/** Fewer repetitions by default: many inputs are measured, and suspicious ones again. */
function fuzzingDefaults({ options }: Collector, given: Settings, { allowsFailure }: FuzzedProgram): Settings {
  const own = new Map<string, number | boolean>([
    ["warmup", 0],
    ["repeat", 3],
    ["keep-output", false],
    ["allow-failure", allowsFailure],
  ]);
  const names = new Set([...given.keys()].map((name) => name.replaceAll("_", "-")));
  const fitting = options.flatMap(({ name }) =>
    own.has(name) && !names.has(name) ? [[name, own.get(name) ?? null] as const] : [],
  );
  return new Map([...fitting, ...given]);
}

async function postprocessing(workspace: Workspace, options: FuzzOptions): Promise<(run: Run) => Run> {
  const steps = await Promise.all(
    options.postprocessors.map(async ({ name, params }) => {
      const unit = await workspace.registry.get("postprocessor", name);
      return { unit, values: optionsOf(unit, params) };
    }),
  );
  return (run) => steps.reduce((before, { unit, values }) => unit.apply(before, values, () => {}), run);
}

async function judging(
  workspace: Workspace,
  { method, compat }: FuzzOptions,
): Promise<(baseline: Run, target: Run) => readonly Change[]> {
  const methods = await checkMethods(
    workspace.registry,
    () => workspace.config(),
    method === undefined ? {} : { method },
    perunStrategy,
  );
  return (baseline, target) => compareRuns(methods, baseline, target, compat).changes;
}
