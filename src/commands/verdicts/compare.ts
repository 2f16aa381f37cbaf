import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { Digest, VersionId } from "../../core/versions/digest.ts";
import { isObject, JsonNumber, textAt } from "../../core/values/json.ts";
import { sameMachine } from "../../core/measurements/machine-relation.ts";
import type { ListedProfile } from "../../core/profiles/listed-profile.ts";
import { configurationWords, profileKey, WorkloadNames, workloadText } from "../../core/profiles/profile-subject.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Measured, Measurements } from "../../core/verdicts/samples.ts";
import { formatUnit } from "../../core/values/unit.ts";
import { parseProfileTag, splitVersionPrefix } from "../../formats/profile/profile-tag.ts";
import { compareMeasurements, type Compared, type CompareOptions } from "../../query/verdict/compare.ts";
import { betterOf } from "../../core/measurements/default-direction.ts";
import { locationSamples, type LocationSample } from "../../query/series/location-samples.ts";
import type { KeptProfile } from "../../workspace/profiles/keep-profile.ts";
import { Locator, type Confirm, type Located } from "../../workspace/profiles/locate.ts";
import { readRun } from "../../workspace/profiles/read-run.ts";
import { readThresholds, thresholdsName } from "../../workspace/verdicts/threshold-file.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { experimentRunSamples } from "./experiment-samples.ts";
import { sampleSide } from "./file-samples.ts";
import { placedInHistory } from "./suspect-range.ts";

export interface CompareRequest {
  /**
   * Revisions, profiles, or files of samples or of any format that `import` knows; with an experiment the numbers of
   * its runs, joined by commas.
   */
  readonly old: string;
  readonly new: string;
  readonly experiment?: string;
  /** The name of the format, where both sides are files of one; absent: as they tell. */
  readonly from?: string;
  readonly database?: string;
  /** Compare although the two were measured on different machines. */
  readonly anyMachine: boolean;
  /** Whether the thresholds that `calibrate` wrote hold. */
  readonly thresholds: boolean;
  readonly confirm: Confirm | null;
  readonly options: CompareOptions;
}

export interface Comparison extends Compared {
  readonly old: string;
  readonly new: string;
  /** True when the two were measured on different machines, for all that is known of them. */
  readonly otherMachine: boolean;
  /** True when of a part it is not known where it was measured, and of another part it is. */
  readonly unknownMachine: boolean;
}

/**
 * Compares what was measured on two sides, subject by subject. Fails with `nothing-to-compare`, and with what reading
 * revisions, profiles, files or experiments fails with.
 */
export async function compare(workspace: Workspace, request: CompareRequest): Promise<Comparison> {
  const [old, now] = await sidesOf(workspace, request);
  return compareSides(workspace, old, now, request);
}

/** Numbers of different machines decide nothing, unless asked to. */
export async function compareSides(
  workspace: Workspace,
  old: Measurements,
  now: Measurements,
  { anyMachine, thresholds, options }: Pick<CompareRequest, "anyMachine" | "thresholds" | "options">,
): Promise<Comparison> {
  const apart = byWorkload(old, now);
  const compared = compareMeasurements(
    apart(old),
    apart(now),
    thresholds ? { ...options, ...(await ownEffects(workspace)) } : options,
  );
  const machines = [...old.machines, ...now.machines];
  const relations = new Set(
    machines.map((machine) => sameMachine(machines.find((each) => each !== null) ?? null, machine)),
  );
  const otherMachine = relations.has("other");
  const judged =
    otherMachine && !anyMachine
      ? compared.rows.map((row) => ({ ...row, verdict: { ...row.verdict, ...elsewhere } }))
      : compared.rows;
  const rows = await placedInHistory(workspace, judged, { before: old.version, after: now.version });
  return {
    ...compared,
    rows,
    old: old.name,
    new: now.name,
    otherMachine,
    unknownMachine: relations.has("unknown") && relations.size > 1,
  };
}

/** Numbers of several generated workloads under names of their own, the same on both sides. */
function byWorkload(...sides: readonly Measurements[]): (side: Measurements) => Measurements {
  const names = new WorkloadNames(
    sides.flatMap(({ measured }) => measured.map(({ subject, workload }) => ({ key: subject.key, workload }))),
  );
  const named = (each: Measured): Measured => ({
    ...each,
    subject: { ...each.subject, ...names.of(each.subject, each.workload) },
  });
  return (side) => ({ ...side, measured: side.measured.map(named) });
}

async function ownEffects(workspace: Workspace): Promise<Pick<CompareOptions, "own">> {
  const thresholds = await readThresholds(workspace);
  return {
    own: {
      of: thresholdsName,
      minEffectOf: (subject) => thresholds.thresholdFor(subject)?.compareMinEffect ?? undefined,
    },
  };
}

const elsewhere = { word: "inconclusive", reason: "measured on different machines" } as const;

async function sidesOf(workspace: Workspace, request: CompareRequest): Promise<readonly [Measurements, Measurements]> {
  const { experiment, database, from } = request;
  if (experiment !== undefined && from !== undefined)
    throw new Failure("unusable-combination", {
      what: "a format for runs of an experiment",
      instead: "leave --from or --experiment out",
    });
  if (experiment !== undefined)
    return experimentRunSamples(workspace, {
      experiment,
      ...(database === undefined ? {} : { database }),
      runs: [request.old, request.new],
    });
  return [await sideOf(workspace, request.old, request), await sideOf(workspace, request.new, request)];
}

/**
 * A file is told by its content; what is no file is a tag or an object, else a revision, else the name of a profile.
 */
async function sideOf(workspace: Workspace, word: string, { confirm, from }: CompareRequest): Promise<Measurements> {
  if (word === "-")
    throw new Failure("nothing-to-compare", { what: "standard input", instead: "write it to a file first" });
  if (from !== undefined) return sampleSide(workspace, word, from);
  if (workspace.files.inspect(word)) return fileSide(workspace, word, confirm);
  if (parseProfileTag(splitVersionPrefix(word).rest)) return profileSide(workspace, word, confirm);
  const version = await versionNamed(workspace, word);
  if (version !== null) return versionSide(workspace, version, word);
  return profileSide(workspace, word, confirm);
}

/** Profiles are JSON with regions of their own. */
function fileSide(workspace: Workspace, path: string, confirm: Confirm | null): Promise<Measurements> {
  const start = new TextDecoder().decode(workspace.files.read(path).subarray(0, 4096)).trimStart();
  const isProfile = start.startsWith("{") && /"(?:origin|header|collector_info|resources)"\s*:/.test(start);
  return isProfile ? profileSide(workspace, path, confirm) : sampleSide(workspace, path, undefined);
}

async function versionNamed(workspace: Workspace, word: string): Promise<VersionId | null> {
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

/** All profiles of a version: those of one configuration are groups of one sample. */
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
  const instead = `measure it: perfkeep run job -m ${name}, or name a version that perfkeep log shows with profiles`;
  throw new Failure("nothing-to-compare", { what: `${name} has no registered profile with amounts`, instead });
}

/** Profiles of a version that were measured just now, one of each configuration. */
export function measuredSide(workspace: Workspace, kept: readonly KeptProfile[], name: string): Measurements {
  const runs = kept.map((profile) => [profile, readRun(workspace, locatedAt(profile))] as const);
  const measured = runs.flatMap(([profile, run]) => profileSamples([run], configurationOf(profile)));
  return { name, measured, machines: machinesOf(runs.map(([, run]) => run)), version: kept[0]?.version ?? null };
}

function locatedAt({ name, object, path }: KeptProfile): Located {
  return object === null
    ? { kind: "file", name, path: path ?? name, pending: true }
    : { kind: "object", name, digest: object };
}

interface Configuration {
  readonly key: readonly string[];
  /** How people know it; "" where there is only one. */
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
    words: configurationWords({ collector, cmd, workload }),
  };
}

/** Each object once. */
function byConfiguration(profiles: readonly ListedProfile[]): (readonly ListedProfile[])[] {
  const own = new Map<string, Map<string, ListedProfile>>();
  for (const profile of profiles) {
    const key = JSON.stringify(configurationOf(profile).key);
    own.set(key, (own.get(key) ?? new Map<string, ListedProfile>()).set(profile.object, profile));
  }
  return [...own.values()].map((of) => [...of.values()]);
}

/** Amounts of each location and generated workload; each profile is a group. */
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
    const whole = { subject: { ...subject, better: betterOf(unit) }, ...workload, unitText: formatUnit(unit), groups };
    return pairing === undefined ? whole : { ...whole, pairing };
  });
}

/** The run that measured two versions in turns. */
function pairingOf({ extra }: Run): string | undefined {
  const pair = extra.get("pair");
  const [base, head] = [textAt(pair, "base"), textAt(pair, "head")];
  const begun = isObject(pair) ? pair.get("begun") : undefined;
  if (base === undefined || head === undefined || !(begun instanceof JsonNumber)) return undefined;
  return `${base}..${head} ${begun.text}`;
}

function machinesOf(runs: readonly Run[]): (string | null)[] {
  return [...new Set(runs.map(({ machine }) => textAt(machine, "fingerprint") ?? null))];
}
