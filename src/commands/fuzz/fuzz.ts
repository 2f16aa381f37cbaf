import { Failure } from "../../core/failures/index.ts";
import { quoteCommand, splitCommand } from "../../core/text/index.ts";
import { isSettings, settingText, type Settings } from "../../core/values/index.ts";
import { allRules, patternRule, type MutationRule } from "../../formats/mutation/index.ts";
import { readYaml } from "../../formats/text/index.ts";
import {
  startCampaign,
  measureBaseline,
  selectSamples,
  maxSampleBytes,
  type InitialSample,
  type CampaignFacts,
  type CampaignState,
  type Find,
  Campaign,
  type SessionEnd,
  type CampaignPlan,
  type CampaignWorld,
  digestOf,
  FuzzFolder,
} from "../../workspace/fuzz/index.ts";
import { interruptible } from "../../workspace/processes/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { finishFuzzing } from "./finish.ts";
import type { FuzzOptions } from "./options.ts";
import type { FuzzReport } from "./campaign-report.ts";
import { openFuzzWorld, withFuzzedTree } from "./world.ts";

/** Receives progress (in seconds or runs), finds, and notices. */
export interface FuzzWatcher {
  progress?(done: number, total: number, state: CampaignState): void;
  found?(find: Find): void;
  notice?(text: string): void;
}

/**
 * Mutates samples to find inputs on which the command is slow, hangs or fails; continues a campaign found in the
 * folder. Finds stay in the folder, also after `interrupted`. Fails with `no-samples`, `bad-sample`,
 * `output-folder-taken`, `campaign-differs`, `lock-held` and failures of the collector.
 */
export async function fuzz(workspace: Workspace, options: FuzzOptions, watcher: FuzzWatcher = {}): Promise<FuzzReport> {
  splitCommand(options.cmd);
  const userRules = options.ruleFiles.flatMap((file) => readUserRules(workspace, file));
  const initial = selectSamples({ ...options, paths: options.samples, directory: workspace.world.directory });
  const plan = planOf(options, userRules, initial);
  requireOtherFolder(workspace, options);
  const folder = FuzzFolder.open(workspace.files.resolve(options.folder), workspace.world.command, options.room);
  try {
    return await interruptible(
      (check) =>
        withFuzzedTree(workspace, options, (directory) =>
          session({ workspace, options, watcher, initial, plan, folder, check, directory }),
        ),
      `what was found is in ${options.folder}`,
    );
  } finally {
    folder.close();
  }
}

interface Session {
  readonly workspace: Workspace;
  readonly options: FuzzOptions;
  readonly watcher: FuzzWatcher;
  readonly initial: readonly InitialSample[];
  readonly plan: CampaignPlan;
  readonly folder: FuzzFolder;
  readonly directory: string;
  check(): void;
}

async function session(setup: Session): Promise<FuzzReport> {
  const { workspace, options, watcher, initial, plan, folder, check, directory } = setup;
  const { now } = workspace.world;
  const startedMs = now();
  const before = folder.load();
  if (options.resume && before === null) throw new Failure("no-campaign", { folder: options.folder });
  if (before) folder.sweep(before);
  const report = progressReporter(watcher, plan, startedMs, now, before?.runs ?? 0);
  const { program, gauge, note, ...parts } = await openFuzzWorld(workspace, options, {
    folder,
    directory,
    first: initial[0]!,
  });
  const world: CampaignWorld = { ...parts, folder, gauge, now, check, report };
  if (note !== null) watcher.notice?.(note);
  const facts = factsOf(options, gauge.kind, plan, initial);
  if (before) requireSame(options.folder, before.facts, facts);
  const state = before ?? (await startCampaign(world, plan, facts, initial));
  const baseline = await measureBaseline(world, plan, state);
  if (before) watcher.notice?.(`resuming the campaign in ${options.folder} after ${before.runs} runs`);
  const close = (ended: SessionEnd | "interrupted"): Promise<FuzzReport> =>
    finishFuzzing(workspace, {
      ...setup,
      state,
      gauge,
      ended,
      shell: program.shell,
      notes: note === null ? [] : [note],
    });
  try {
    return await close(await new Campaign(world, plan, state, baseline, startedMs).run());
  } catch (error) {
    await close("interrupted");
    throw error;
  }
}

function progressReporter(
  watcher: FuzzWatcher,
  { seconds, runs }: CampaignPlan,
  startedMs: number,
  now: () => number,
  runsBefore: number,
): CampaignWorld["report"] {
  return (state, find) => {
    if (find) watcher.found?.(find);
    const [passed, made] = [(now() - startedMs) / 1000, state.runs - runsBefore];
    if (passed / seconds >= made / runs) watcher.progress?.(Math.min(passed, seconds), seconds, state);
    else watcher.progress?.(Math.min(made, runs), runs, state);
  };
}

function planOf(
  options: FuzzOptions,
  userRules: readonly MutationRule[],
  initial: readonly InitialSample[],
): CampaignPlan {
  const { seed, strategy, tries, interesting, rate, anyGrowth, seconds, runs } = options;
  return {
    seed,
    strategy,
    tries,
    interesting,
    rate,
    anyGrowth,
    seconds,
    runs,
    rules: allRules(userRules),
    sizeLimit: sizeLimitOf(options, initial),
  };
}

/** The limit is never below the largest initial sample unless requested. */
function sizeLimitOf({ size: { most, ratio, increase } }: FuzzOptions, initial: readonly InitialSample[]): number {
  const largest = initial.reduce((size, { bytes }) => Math.max(size, bytes.length), 0);
  const wanted = most ?? (ratio === undefined ? largest + increase : Math.floor(largest * ratio));
  return Math.min(Math.max(wanted, most === undefined ? 1 : largest), maxSampleBytes);
}

const maxUserRules = 100;

function readUserRules(workspace: Workspace, file: string): MutationRule[] {
  const value = readYaml(new TextDecoder().decode(workspace.files.read(file)), file);
  if (!isSettings(value) || value.size > maxUserRules)
    throw new Failure("bad-config", {
      file,
      reason: `not a mapping of at most ${maxUserRules} patterns`,
      instead: "write PATTERN: REPLACEMENT",
    });
  return [...value].map(([pattern, replacement]) => patternRule(pattern, settingText(replacement) ?? ""));
}

/** Identifies a campaign for resuming; its duration is not part of it. */
function factsOf(
  options: FuzzOptions,
  gauge: string,
  plan: CampaignPlan,
  initial: readonly InitialSample[],
): CampaignFacts {
  const { cmd, collector, postprocessors, minor, seed } = options;
  const named = (name: string, params: Settings): string => `${name} ${JSON.stringify([...params])}`;
  return {
    command: quoteCommand(splitCommand(cmd)),
    collector: named(collector.name, collector.params),
    postprocessors: postprocessors.map(({ name, params }) => named(name, params)).join(", ") || "none",
    version: minor ?? "the tree as it is",
    gauge,
    growth: plan.anyGrowth ? "any" : "beyond size",
    seed: String(seed),
    rules: countAndDigest(plan.rules.map(({ synopsis }) => synopsis)),
    samples: countAndDigest(initial.map(({ name, bytes }) => `${name} ${digestOf(bytes)}`)),
  };
}

/** Count, and a digest to distinguish lists. */
function countAndDigest(parts: readonly string[]): string {
  return `${parts.length} (${digestOf(new TextEncoder().encode(parts.join("\n"))).slice(0, 8)})`;
}

/** Finds among the inputs would be inputs of the next campaign. */
function requireOtherFolder({ files }: Workspace, { folder, samples }: FuzzOptions): void {
  if (samples.some((sample) => files.resolve(sample) === files.resolve(folder)))
    throw new Failure("output-folder-taken", { folder, name: "the inputs" });
}

function requireSame(folder: string, before: CampaignFacts, now: CampaignFacts): void {
  const what = Object.keys(now).find((name) => before[name] !== now[name]);
  if (what !== undefined)
    throw new Failure("campaign-differs", { folder, what, before: before[what] ?? "nothing", now: now[what] });
}
