import type { VersionId } from "../core/digest.ts";
import { Failure } from "../core/errors.ts";
import { isSettings, settingAt, settingList, settingText, type Setting, type Settings } from "../core/setting.ts";
import { readYaml } from "../formats/yaml.ts";
import type { Vcs } from "../plugins/vcs/vcs.ts";
import type { Config } from "../workspace/config.ts";
import { planJobs, type JobPlan, type MatrixAxes, type WantedCollector } from "../workspace/job-plan.ts";
import { runPlan, type JobsResult, type JobWatcher } from "../workspace/job-runner.ts";
import type { ConfirmCommands } from "../workspace/trust.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** What all ways of measuring have in common. */
export interface RunOptions {
  /** Revisions to measure, each in a clean tree of its own. Empty: the user's tree as it is, which the profile tells when it is dirty. */
  readonly versions: readonly string[];
  /** Measure all ancestors of these versions as well. */
  readonly crawlParents: boolean;
  /** Instead of `format.output_profile_template`. */
  readonly nameTemplate?: string;
  /** Asks whether commands of the configuration may run; null where nobody can be asked. */
  readonly confirm: ConfirmCommands;
}

export interface JobOptions extends RunOptions {
  readonly cmds: readonly string[];
  readonly workloads: readonly string[];
  readonly collectors: readonly WantedCollector[];
}

/**
 * Measures what the options name, where the user stands. The command line needs no trust, but `execute.pre_run` of the local configuration does. What
 * fails is in the result, and everything else was kept.
 */
export async function runJob(workspace: Workspace, options: JobOptions, watcher: JobWatcher = {}): Promise<JobsResult> {
  const config = await workspace.config();
  if (config.find("execute.pre_run")?.layer.name === "local") await workspace.trust().require(config, options.confirm);
  return run(workspace, config, options, options, workspace.world.directory, watcher);
}

/** Measures cmds × workloads × collectors of the configuration in the root of the project. Fails with `not-trusted`, `nothing-to-run`. */
export async function runMatrix(workspace: Workspace, options: RunOptions, watcher: JobWatcher = {}): Promise<JobsResult> {
  const config = await workspace.config();
  await workspace.trust().require(config, options.confirm);
  refuseUnknownSteps(config);
  return run(workspace, config, matrixOf(config), options, workspace.root(), watcher);
}

/** Options of a collector as people give them: YAML (`repeat: 5`), or the path of a file with YAML. Fails with `bad-config`. */
export function readParams(workspace: Workspace, text: string): Settings {
  const isFile = workspace.files.inspect(text) !== null;
  const content = isFile ? new TextDecoder().decode(workspace.files.read(text)) : text;
  const value = readYaml(content, isFile ? text : "options of the collector");
  if (isSettings(value)) return value;
  if (value === null) return new Map();
  throw new Failure("bad-config", { file: text, reason: "neither a file nor YAML such as 'repeat: 5'", instead: "write NAME: VALUE" });
}

/** The axes of a file as `perfkeep mine --jobs` writes it: cmds, workloads and collectors in YAML or JSON. Fails with `bad-config`. */
export function jobsInFile(workspace: Workspace, path: string): MatrixAxes {
  const value = readYaml(new TextDecoder().decode(workspace.files.read(path)), path);
  if (!isSettings(value)) throw badJobs(path, "it is no mapping with cmds, workloads and collectors");
  return {
    cmds: textsAt(value, "cmds", path),
    workloads: textsAt(value, "workloads", path),
    collectors: settingList(settingAt(value, "collectors")).map(wantedOf),
  };
}

function textsAt(root: Settings, key: string, path: string): string[] {
  return settingList(settingAt(root, key)).map((entry) => {
    const text = settingText(entry);
    if (text === undefined) throw badJobs(path, `an entry of ${key} is no text`);
    return text;
  });
}

function badJobs(file: string, reason: string): Failure {
  return new Failure("bad-config", { file, reason, instead: "write cmds: [COMMAND] and collectors: [{name: time}]" });
}

async function run(
  workspace: Workspace,
  config: Config,
  axes: MatrixAxes,
  options: RunOptions,
  directory: string,
  watcher: JobWatcher,
): Promise<JobsResult> {
  const inTree = options.versions.length === 0 && !options.crawlParents;
  await requireHistory(await workspace.vcs(), inTree, options, watcher);
  const plan: JobPlan = {
    jobs: await planJobs(workspace.registry, axes),
    versions: inTree ? null : await versionsOf(await workspace.vcs(), options),
    preRun: config.texts("execute.pre_run"),
    directory,
    nameTemplate: options.nameTemplate ?? config.text("format.output_profile_template"),
    register: config.flag("profiles.register_after_run"),
  };
  return runPlan(workspace, plan, watcher);
}

/** Measuring the tree needs one; that some ancestors are not there is worth telling. */
async function requireHistory(vcs: Vcs, inTree: boolean, { crawlParents }: RunOptions, watcher: JobWatcher): Promise<void> {
  const treeless = inTree ? await vcs.limitation("tree") : null;
  if (treeless !== null)
    throw new Failure("unusable-combination", {
      what: `the repository cannot be measured as it is: ${treeless}`,
      instead: "name a version with -m",
    });
  const cut = crawlParents ? await vcs.limitation("history") : null;
  if (cut !== null) watcher.notice?.(`not all ancestors are there: ${cut}`);
}

async function versionsOf(vcs: Vcs, { versions, crawlParents }: RunOptions): Promise<VersionId[]> {
  const heads = versions.length === 0 ? [await vcs.head()] : await Promise.all(versions.map((revision) => vcs.resolve(revision)));
  if (!crawlParents) return [...new Set(heads)];
  const all = new Set<VersionId>();
  for (const head of heads) for await (const { id } of vcs.walk(head)) all.add(id);
  return [...all];
}

function matrixOf(config: Config): MatrixAxes {
  return {
    cmds: config.texts("cmds"),
    workloads: config.texts("workloads"),
    collectors: settingList(config.lookup("collectors")).map(wantedOf),
  };
}

/** What Perun's configuration can ask for and nothing here does must not be passed over in silence. */
function refuseUnknownSteps(config: Config): void {
  const [step] = settingList(config.lookup("postprocessors"));
  if (step !== undefined) throw new Failure("no-postprocessor", { name: settingText(step) ?? settingText(settingAt(step, "name")) });
  const own = config.find("generators.workload");
  const generators = own === undefined || own.layer.name === "default" ? [] : settingList(own.value);
  const ids = new Set(generators.map((generator) => settingText(settingAt(generator, "id"))));
  const workload = config.texts("workloads").find((name) => ids.has(name));
  if (workload !== undefined) throw new Failure("no-generator", { workload });
}

/** `- time`, or `- name: time` with `params` below. */
function wantedOf(entry: Setting): WantedCollector {
  const name = settingText(entry) ?? settingText(settingAt(entry, "name"));
  const params = settingAt(entry, "params") ?? null;
  if (name !== undefined && (params === null || isSettings(params))) return { name, params: params ?? new Map() };
  throw new Failure("bad-config", {
    file: "collectors",
    reason: "an entry has no name, or its params are no section",
    instead: "write - name: time",
  });
}
