import { Failure, isFailure } from "../../core/failures/index.ts";
import { metricDirection } from "../../core/measurements/index.ts";
import {
  type ListedProfile,
  configurationKey,
  configurationText,
  measuringSession,
  profileKey,
  workloadText,
  type Run,
} from "../../core/profiles/index.ts";
import { isObject, JsonNumber, textAt, formatUnit } from "../../core/values/index.ts";
import type { Measured, Measurements } from "../../core/verdicts/index.ts";
import type { Digest, VersionId } from "../../core/versions/index.ts";
import { parseProfileTag, splitVersionPrefix } from "../../formats/profile/index.ts";
import { type ComparedSetting, locationSamples, type LocationSample } from "../../query/series/index.ts";
import type { MeasuredRound } from "../../workspace/jobs/index.ts";
import {
  type SavedProfile,
  Locator,
  type Confirm,
  type Located,
  profileOrNeither,
  readComparable,
} from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { experimentSides, runsAt } from "./experiment-sides.ts";
import { fileSide, measuredSides, type ReportSide } from "./file-samples.ts";
import { areMachines, machineSides } from "./machine-sides.ts";

/** The sides of a comparison, as the user names them. */
export interface ComparedSides {
  /**
   * A revision, a machine (`machine:5f2c`), a profile, or a file of samples or of any format that `import` reads; with
   * an experiment the numbers or labels of its runs, separated by commas.
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
  /** Default: all subjects. */
  readonly selection?: SubjectSelection;
}

/** The subjects to compare; an empty list selects all. */
interface SubjectSelection {
  /** Patterns; one has to match the benchmark. */
  readonly names: readonly string[];
  readonly metrics: readonly string[];
}

/** The measurements of all sides, and the settings that reports among them compare. */
export interface MeasuredSides {
  readonly sides: readonly [Measurements, Measurements, ...Measurements[]];
  readonly settings: readonly ComparedSetting[];
}

export async function sidesOf(workspace: Workspace, request: ComparedSides): Promise<MeasuredSides> {
  const { experiment, database, from } = request;
  const names = [request.new, ...(request.others ?? [])];
  const metrics = request.selection?.metrics ?? [];
  if (experiment !== undefined && from !== undefined)
    throw new Failure("unusable-combination", {
      what: "a format for runs of an experiment",
      instead: "leave --from or --experiment out",
    });
  if (experiment !== undefined)
    return withoutSettings(
      await experimentSides(workspace, {
        experiment,
        ...(database === undefined ? {} : { database }),
        runs: [request.old, ...names],
        metrics,
      }),
    );
  if (areMachines([request.old, ...names])) {
    const options = { ...(database === undefined ? {} : { database }), metrics };
    return withoutSettings(await machineSides(workspace, [request.old, ...names], options));
  }
  const found: (Measurements | ReportSide)[] = [];
  for (const name of [request.old, ...names]) found.push(await sideOf(workspace, name, request));
  const { sides, settings } = measuredSides(found, metrics);
  return { sides: sides as [Measurements, Measurements, ...Measurements[]], settings };
}

function withoutSettings(sides: MeasuredSides["sides"]): MeasuredSides {
  return { sides, settings: [] };
}

/** Resolves a file (format auto-detected), else a tag or object, else a revision, else a profile name. */
async function sideOf(workspace: Workspace, word: string, request: ComparedSides): Promise<Measurements | ReportSide> {
  const { confirm, from } = request;
  if (word === "-")
    throw new Failure("nothing-to-compare", { what: "standard input", instead: "write it to a file first" });
  if (from !== undefined) return fileSide(workspace, word, from);
  if (workspace.files.inspect(word)) return profileOrFile(workspace, word, confirm);
  if (parseProfileTag(splitVersionPrefix(word).rest)) return profileSide(workspace, word, confirm);
  const version = await resolveVersion(workspace, word);
  if (version !== null) return versionSide(workspace, version, { ...request, name: word });
  return profileOrNeither(workspace, () => profileSide(workspace, word, confirm));
}

/** A perfkeep profile is JSON with known top-level keys. */
function profileOrFile(
  workspace: Workspace,
  path: string,
  confirm: Confirm | null,
): Promise<Measurements | ReportSide> {
  const start = new TextDecoder().decode(workspace.files.read(path).subarray(0, 4096)).trimStart();
  const isProfile = start.startsWith("{") && /"(?:origin|header|collector_info|resources)"\s*:/.test(start);
  return isProfile ? profileSide(workspace, path, confirm) : fileSide(workspace, path, undefined);
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
  const run = readComparable(workspace, located);
  const version = run.origin ?? (located.kind === "object" ? (located.version ?? null) : null);
  return { name: word, measured: profileSamples([run], { key: [], words: "" }), machines: machinesOf([run]), version };
}

/** All profiles of a commit; profiles of one configuration become groups of one sample. */
function profilesAt(workspace: Workspace, version: VersionId): Pick<Measurements, "measured" | "machines"> {
  const measured: Measured[] = [];
  const machines: (string | null)[] = [];
  if (!workspace.hasInstance()) return { measured, machines };
  for (const profiles of byConfiguration(workspace.registered(version))) {
    const runs = profiles.map(({ object }) =>
      readComparable(workspace, { kind: "object", name: object, digest: object as Digest }),
    );
    measured.push(...profileSamples(runs, configurationOf(profiles[0]!)));
    machines.push(...machinesOf(runs));
  }
  return { measured, machines };
}

/** Everything measured at a commit: its profiles, and the runs of all experiments. */
async function versionSide(
  workspace: Workspace,
  version: VersionId,
  { name, database, selection }: Pick<ComparedSides, "database" | "selection"> & { readonly name: string },
): Promise<Measurements> {
  const profiles = profilesAt(workspace, version);
  const runs = await runsAt(workspace, version, {
    ...(database === undefined ? {} : { database }),
    metrics: selection?.metrics ?? [],
  });
  const measured = [...profiles.measured, ...runs.measured];
  const machines = [...new Set([...profiles.machines, ...runs.machines])];
  if (measured.length > 0) return { name, measured, machines, version };
  const instead = `measure it: perfkeep run job -m ${name}, or name a commit that perfkeep log shows with profiles`;
  throw new Failure("nothing-to-compare", {
    what: `${name} has no registered profile with amounts, and no runs of an experiment`,
    instead,
  });
}

/** Newly measured profiles of a commit, one per configuration. */
export function measuredSide(workspace: Workspace, profiles: readonly SavedProfile[], name: string): Measurements {
  const runs = profiles.map((profile) => [profile, readComparable(workspace, locatedAt(profile))] as const);
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

function configurationOf(profile: Omit<ListedProfile, "time" | "object" | "name">): Configuration {
  return { key: configurationKey(profile), words: configurationText(profile) };
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
  const found = new Map<string, { sample: LocationSample; groups: Float64Array[]; sessions: (number | null)[] }>();
  const samples = runs.flatMap((run) => locationSamples(run).map((sample) => [sample, measuringSession(run)] as const));
  for (const [sample, session] of samples) {
    const unit = formatUnit(sample.unit);
    const at = JSON.stringify([sample.location, workloadText({ facts: sample.workload }), sample.metric, unit]);
    const own = found.get(at) ?? { sample, groups: [], sessions: [] };
    found.set(at, own);
    own.groups.push(sample.values);
    own.sessions.push(session);
  }
  return [...found.values()].map(({ sample, groups, sessions }) => {
    const { location, workload: facts, metric, unit, better } = sample;
    const benchmark = words === "" ? location : words.includes(location) ? words : `${words}: ${location}`;
    const subject = { source: "profile", key: profileKey(key, location, metric), benchmark, metric, unit } as const;
    const workload = facts.size === 0 ? {} : { workload: { facts, configuration: key, location, words } };
    const measured = {
      subject: { ...subject, ...metricDirection(metric, unit, better) },
      ...workload,
      unitText: formatUnit(unit),
      groups,
      ...(sessions.every((session) => session === null) ? {} : { sessions }),
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
