import { parseRunName, type RunName } from "../../core/experiments/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import { defaultDirection, type Series } from "../../core/measurements/index.ts";
import {
  type ListedProfile,
  configurationText,
  profileKey,
  workloadText,
  type Run,
} from "../../core/profiles/index.ts";
import { rowsOf } from "../../core/tables/index.ts";
import { isObject, JsonNumber, textAt, formatUnit } from "../../core/values/index.ts";
import type { Measured, Measurements } from "../../core/verdicts/index.ts";
import type { Digest, VersionId } from "../../core/versions/index.ts";
import { parseProfileTag, splitVersionPrefix } from "../../formats/profile/index.ts";
import { locationSamples, type LocationSample } from "../../query/series/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import type { MeasuredRound } from "../../workspace/jobs/index.ts";
import { type SavedProfile, Locator, type Confirm, type Located, readRun } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { History } from "../history/index.ts";
import { queryRows, type QueryOptions, experimentSeries } from "../query/index.ts";
import { sampleSide } from "./file-samples.ts";

/** The sides of a comparison, as the user names them. */
export interface ComparedSides {
  /**
   * A revision, a profile, or a file of samples or of any format that `import` reads; with an experiment the numbers or
   * labels of its runs, separated by commas.
   */
  readonly old: string;
  readonly new: string;
  /** Further sides to compare with `old`. */
  readonly others?: readonly string[];
  readonly experiment?: string;
  /** Format of both files; default: auto-detect. */
  readonly from?: string;
  readonly database?: string;
  readonly confirm: Confirm | null;
}

export async function sidesOf(
  workspace: Workspace,
  request: ComparedSides,
): Promise<readonly [Measurements, Measurements, ...Measurements[]]> {
  const { experiment, database, from } = request;
  const names = [request.new, ...(request.others ?? [])];
  if (experiment !== undefined && from !== undefined)
    throw new Failure("unusable-combination", {
      what: "a format for runs of an experiment",
      instead: "leave --from or --experiment out",
    });
  if (experiment !== undefined)
    return experimentSides(workspace, {
      experiment,
      ...(database === undefined ? {} : { database }),
      runs: [request.old, ...names],
    });
  const sides: Measurements[] = [];
  for (const name of [request.old, ...names]) sides.push(await sideOf(workspace, name, request));
  return sides as [Measurements, Measurements, ...Measurements[]];
}

/** Resolves a file (format auto-detected), else a tag or object, else a revision, else a profile name. */
async function sideOf(workspace: Workspace, word: string, { confirm, from }: ComparedSides): Promise<Measurements> {
  if (word === "-")
    throw new Failure("nothing-to-compare", { what: "standard input", instead: "write it to a file first" });
  if (from !== undefined) return sampleSide(workspace, word, from);
  if (workspace.files.inspect(word)) return fileSide(workspace, word, confirm);
  if (parseProfileTag(splitVersionPrefix(word).rest)) return profileSide(workspace, word, confirm);
  const version = await resolveVersion(workspace, word);
  if (version !== null) return versionSide(workspace, version, word);
  return profileSide(workspace, word, confirm);
}

/** A perfkeep profile is JSON with known top-level keys. */
function fileSide(workspace: Workspace, path: string, confirm: Confirm | null): Promise<Measurements> {
  const start = new TextDecoder().decode(workspace.files.read(path).subarray(0, 4096)).trimStart();
  const isProfile = start.startsWith("{") && /"(?:origin|header|collector_info|resources)"\s*:/.test(start);
  return isProfile ? profileSide(workspace, path, confirm) : sampleSide(workspace, path, undefined);
}

async function resolveVersion(workspace: Workspace, word: string): Promise<VersionId | null> {
  try {
    return await (await workspace.vcs()).resolve(word);
  } catch (error) {
    if (isFailure(error, "unknown-revision")) return null;
    if (isFailure(error, "not-a-repository"))
      throw new Failure("unreadable-file", { path: word, reason: "there is no such file" }, error);
    throw error;
  }
}

async function profileSide(workspace: Workspace, word: string, confirm: Confirm | null): Promise<Measurements> {
  const located = await new Locator(workspace, confirm).one(word, () => workspace.version(undefined));
  const run = readRun(workspace, located);
  const version = run.origin ?? (located.kind === "object" ? (located.version ?? null) : null);
  return { name: word, measured: profileSamples([run], { key: [], words: "" }), machines: machinesOf([run]), version };
}

/** All profiles of a commit; profiles of one configuration become groups of one sample. */
function versionSide(workspace: Workspace, version: VersionId, name: string): Measurements {
  const measured: Measured[] = [];
  const machines: (string | null)[] = [];
  for (const profiles of byConfiguration(workspace.registered(version))) {
    const runs = profiles.map(({ object }) =>
      readRun(workspace, { kind: "object", name: object, digest: object as Digest }),
    );
    measured.push(...profileSamples(runs, configurationOf(profiles[0]!)));
    machines.push(...machinesOf(runs));
  }
  if (measured.length > 0) return { name, measured, machines: [...new Set(machines)], version };
  const instead = `measure it: perfkeep run job -m ${name}, or name a commit that perfkeep log shows with profiles`;
  throw new Failure("nothing-to-compare", { what: `${name} has no registered profile with amounts`, instead });
}

/** Newly measured profiles of a commit, one per configuration. */
export function measuredSide(workspace: Workspace, profiles: readonly SavedProfile[], name: string): Measurements {
  const runs = profiles.map((profile) => [profile, readRun(workspace, locatedAt(profile))] as const);
  const measured = runs.flatMap(([profile, run]) => profileSamples([run], configurationOf(profile)));
  return { name, measured, machines: machinesOf(runs.map(([, run]) => run)), version: profiles[0]?.version ?? null };
}

/** The measurements of one round of jobs. */
export function roundSamples({ run, facts }: MeasuredRound): Measured[] {
  return profileSamples([run], configurationOf(facts));
}

function locatedAt({ name, object, path }: SavedProfile): Located {
  return object === null
    ? { kind: "file", name, path: path ?? name, pending: true }
    : { kind: "object", name, digest: object };
}

interface Configuration {
  readonly key: readonly string[];
  /** Display name; "" if there is only one configuration. */
  readonly words: string;
}

function configurationOf({
  type,
  collector,
  cmd,
  workload,
  postprocessors,
}: Omit<ListedProfile, "time" | "object" | "name">): Configuration {
  return {
    key: [type, collector, cmd, workload, ...postprocessors],
    words: configurationText({ collector, cmd, workload }),
  };
}

/** Groups profiles by configuration and drops duplicate objects. */
function byConfiguration(profiles: readonly ListedProfile[]): (readonly ListedProfile[])[] {
  const own = new Map<string, Map<string, ListedProfile>>();
  for (const profile of profiles) {
    const key = JSON.stringify(configurationOf(profile).key);
    own.set(key, (own.get(key) ?? new Map<string, ListedProfile>()).set(profile.object, profile));
  }
  return [...own.values()].map((of) => [...of.values()]);
}

/** Amounts per location and generated workload; each profile is a group. */
function profileSamples(runs: readonly Run[], { key, words }: Configuration): Measured[] {
  const pairing = runs.length === 1 ? pairingOf(runs[0]!) : undefined;
  const found = new Map<string, { sample: LocationSample; groups: Float64Array[] }>();
  for (const sample of runs.flatMap(locationSamples)) {
    const unit = formatUnit(sample.unit);
    const at = JSON.stringify([sample.location, workloadText({ facts: sample.workload }), sample.metric, unit]);
    const own = found.get(at) ?? { sample, groups: [] };
    found.set(at, own);
    own.groups.push(sample.values);
  }
  return [...found.values()].map(({ sample: { location, workload: facts, metric, unit }, groups }) => {
    const benchmark = words === "" ? location : words.includes(location) ? words : `${words}: ${location}`;
    const subject = { source: "profile", key: profileKey(key, location, metric), benchmark, metric, unit } as const;
    const workload = facts.size === 0 ? {} : { workload: { facts, configuration: key, location, words } };
    const measured = {
      subject: { ...subject, better: defaultDirection(unit) },
      ...workload,
      unitText: formatUnit(unit),
      groups,
    };
    return pairing === undefined ? measured : { ...measured, ...pairing };
  });
}

/** Identifies the A/B run that measured both commits alternately. */
function pairingOf({ extra }: Run): Pick<Measured, "pairing" | "sequential"> | undefined {
  const pair = extra.get("pair");
  const [base, head] = [textAt(pair, "base"), textAt(pair, "head")];
  const started = isObject(pair) ? pair.get("begun") : undefined;
  if (base === undefined || head === undefined || !(started instanceof JsonNumber)) return undefined;
  const isSequential = isObject(pair) && pair.get("sequential") === true;
  return { pairing: `${base}..${head} ${started.text}`, ...(isSequential ? { sequential: true } : {}) };
}

function machinesOf(runs: readonly Run[]): (string | null)[] {
  return [...new Set(runs.map(({ machine }) => textAt(machine, "fingerprint") ?? null))];
}

interface RunsToCompare {
  readonly experiment: string;
  readonly database?: string;
  /** Numbers or labels of the runs of each side, separated by commas. */
  readonly runs: readonly string[];
}

/**
 * The sides of an experiment: results per parameter set, each run a group. Fails with `bad-option`,
 * `nothing-to-compare`, and like `query`.
 */
async function experimentSides(
  workspace: Workspace,
  { experiment, database, runs }: RunsToCompare,
): Promise<readonly [Measurements, Measurements, ...Measurements[]]> {
  const sides = await withExperiments(workspace, experimentHome(workspace, database), "read", async (opened) => {
    const stored = await opened.find(experiment);
    const numbers: number[][] = [];
    for (const side of runs) numbers.push(await opened.runNumbers(stored, runNames(side)));
    return numbers;
  });
  const axis = { order: [], history: new History(workspace), counting: null, notes: [] };
  const options = {
    experiment,
    where: [`@run in ${sides.flat().join(",")}`],
    ...(database === undefined ? {} : { database }),
  };
  const { series } = await experimentSeries(workspace, axis, options);
  const versions = await versionsOfRuns(workspace, axis.history, options);
  const measured = sides.map((side) => runsSide(series, experiment, side, versions));
  return measured as [Measurements, Measurements, ...Measurements[]];
}

/** Commit of each run; null: none. */
async function versionsOfRuns(
  workspace: Workspace,
  history: History,
  options: Omit<QueryOptions, "results">,
): Promise<RunVersions> {
  const { table } = await queryRows(workspace, { ...options, results: ["@run", "@commit"] }, history);
  return new Map(
    rowsOf(table).map(([run, commit]) => [Number(run), typeof commit === "string" && commit !== "" ? commit : null]),
  );
}

type RunVersions = ReadonlyMap<number, string | null>;

/** Common commit of the runs; null if unknown or several. */
function oneVersion(runs: readonly number[], versions: RunVersions): VersionId | null {
  const [first, ...others] = new Set(runs.map((run) => versions.get(run) ?? null));
  return others.length > 0 ? null : ((first ?? null) as VersionId | null);
}

function runNames(text: string): RunName[] {
  const names = text.split(",");
  if (names.includes(""))
    throw new Failure("bad-option", { option: "a run", value: text, expected: "runs separated by commas" });
  return names.map(parseRunName);
}

function runsSide(
  series: readonly Series[],
  experiment: string,
  runs: readonly number[],
  versions: RunVersions,
): Measurements {
  const own = new Set(runs.map((run) => `${experiment}#${run}`));
  const measured = series.flatMap(({ subject, points }): Measured[] => {
    const groups = points.filter(({ evidence }) => evidence.some((each) => own.has(each))).map(({ sample }) => sample);
    return groups.length === 0 ? [] : [{ subject, unitText: formatUnit(subject.unit), groups }];
  });
  const name = `run ${runs.join(",")}`;
  const points = series.flatMap(({ points: all }) =>
    all.filter(({ evidence }) => evidence.some((each) => own.has(each))),
  );
  const machines = [...new Set(points.map(({ machine }) => machine))];
  if (measured.length > 0) return { name, measured, machines, version: oneVersion(runs, versions) };
  throw new Failure("nothing-to-compare", {
    what: `${name} of ${experiment} has no results`,
    instead: `perfkeep find ${experiment} lists its runs`,
  });
}
