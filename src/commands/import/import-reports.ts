import type { VersionId } from "../../core/versions/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import {
  type Experiment,
  mergeDeclarations,
  extendedExperiment,
  requireExperimentName,
} from "../../core/experiments/index.ts";
import { readFloat, InvalidValue, formatValue, parseValue, type Value, type Values } from "../../core/values/index.ts";
import { findVariable, type Variable } from "../../core/variables/index.ts";
import type { ImportHow } from "../../formats/store/index.ts";
import { parseInputValue } from "../../query/plan/index.ts";
import type { Importer } from "../../plugins/importers/importer.ts";
import type { RunMetadata, RunWriter } from "../../store/catalogue/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import { ObjectBatch } from "../../store/objects/index.ts";
import {
  experimentHome,
  withExperiments,
  type ExperimentHome,
  retryOnConflict,
} from "../../workspace/experiments/index.ts";
import { interruptible } from "../../workspace/processes/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { ExperimentLookup } from "./experiment-lookup.ts";
import { startHeadLookup, type Link } from "../history/index.ts";
import { givenOptions } from "./report-formats.ts";
import { requireDefaults } from "./missing-values.ts";
import type { ImportedReports, ImportedRun, ImportOptions, ImportReportsOptions } from "./options.ts";
import type { DecodedReport } from "./decode-report.ts";
import { decodeReports } from "./decode-reports.ts";
import { fit } from "./fit.ts";
import { runMetadata, indexRuns, type AboutRun, type IndexOptions } from "./index-runs.ts";
import { comparedRuns } from "./known-rows.ts";
import { locateFolders } from "./locate-folders.ts";
import { locateReports } from "./locate-reports.ts";
import { forcedBy } from "./prepare.ts";
import { previewRuns } from "./preview-runs.ts";
import { ReadingProgress } from "./reading-progress.ts";
import { store } from "./store.ts";
import { tidy, withLabels } from "./tidy.ts";

/**
 * Imports files of known formats into an experiment, which is created or extended as needed. All files are stored, or
 * none. Fails with `unknown-report-format`, `several-formats`, `report-does-not-fit`, `already-imported`, `bad-name`
 * and failures of importers.
 */
export async function importReports(workspace: Workspace, given: ImportReportsOptions): Promise<ImportedReports> {
  const options = { ...given, files: locateFolders(workspace.files, given.files, given) };
  return interruptible(
    (check, stopped) =>
      retryOnConflict(workspace, options.files, () => importUnlessStopped(workspace, options, check, stopped)),
    "nothing was imported",
  );
}

async function importUnlessStopped(
  workspace: Workspace,
  options: ImportReportsOptions,
  check: () => void,
  stopped: AbortSignal,
): Promise<ImportedReports> {
  const located = locateReports(workspace.files, options.files, options.measured ?? []);
  const home = experimentHome(workspace, options.database);
  const performed = performedOf(options);
  const link = options.minor === undefined ? startHeadLookup(workspace) : Promise.resolve({});
  const lookup = new ExperimentLookup(workspace, home, {
    waiting: options.waiting,
    stopped,
    nameOf: (format) => experimentNamed(workspace, options, format),
  });
  const files = located.map(({ file }) => file);
  const isStoring = options.preview === undefined;
  const objects = new ObjectBatch(home.objects.folder);
  const archive = { ...new ReadingProgress(files, options, check).archiveOptions(), ...(isStoring ? { objects } : {}) };
  let decoded: readonly DecodedReport[] = [];
  try {
    const formatDetected = (importer: Importer): void => void lookup.of(importer);
    decoded = await decodeReports(workspace, home, located, { ...options, archive, formatDetected });
    return await importDecoded(workspace, { home, decoded, objects, performed, link, lookup }, options, check, stopped);
  } finally {
    for (const report of decoded) await report.discard();
    await lookup.close();
  }
}

interface ImportInputs {
  readonly home: ExperimentHome;
  readonly decoded: readonly DecodedReport[];
  readonly objects: ObjectBatch;
  /** The head, unless a commit is given. */
  readonly link: Promise<Link>;
  readonly lookup: ExperimentLookup;
  /** As given by the user. */
  readonly performed: number | undefined;
}

/** Steps 3 to 6, once the files have decided on the variables of the experiment. */
async function importDecoded(
  workspace: Workspace,
  { home, decoded, objects, performed, link: checkedOut, lookup }: ImportInputs,
  options: ImportReportsOptions,
  check: () => void,
  stopped: AbortSignal,
): Promise<ImportedReports> {
  const { fixed: fixedTexts = [], preview, notice = () => {} } = options;
  const { importer } = decoded[0]!;
  const name = experimentNamed(workspace, options, importer.name);
  const current = await lookup.of(importer);
  if (current === undefined) requireExperimentName(name);
  const planned = planFor({ name, synopsis: importer.synopsis }, decoded, fixedTexts);
  const experiment = planned(current);
  const [fixed, now] = [fixedValues(fixedTexts, experiment), workspace.time()];
  const fitted = fit(decoded, { experiment, fixed, rows: "refuse", cast: true, complete: requireDefaults, notice });
  const link = options.minor === undefined ? await checkedOut : { version: await workspace.version(options.minor) };
  const ownFolder = home.isOwnFolder ? { ownFolder: home.database } : {};
  const changes = changesOf(importer.name, current, experiment);
  const result = { experiment: experiment.name, ...link, ...changes, ...ownFolder };
  if (preview !== undefined)
    return { ...result, runs: (await previewRuns(fitted, experiment, preview, forcedBy(options))).runs, stored: false };
  const versions = options.minor === undefined ? await versionsOf(workspace, decoded) : undefined;
  const facts = { ...runMetadata(workspace, options, now), performed, link, versions };
  const how = { ...howOf(importer.name, fixed, experiment), ...givenOptions(importer, options.params) };
  const asPlanned = (found: Experiment | undefined): Experiment => unchanged(planned(found), experiment);
  const plan = { name, plan: asPlanned, owner: facts.performer, now, how };
  const write = { check, forced: forcedBy(options), factsOf: factsOf(facts, options.performed !== undefined) };
  const stored = store(fitted, objects);
  const compared = { forced: write.forced, mode: "report", remark: options.remark } as const;
  let writer: RunWriter | undefined;
  const index = (experiments: Experiments): Promise<readonly ImportedRun[]> =>
    experiments.importPlanned({
      ...plan,
      work: async (each, into) =>
        comparedRuns(experiments, into, await indexRuns((writer = each), stored, write), compared),
    });
  const indexed = await withExperiments(workspace, home, "write", index, options.waiting, stopped);
  return tidy(result, withLabels(indexed, writer));
}

function experimentNamed(
  { world: { environment } }: Workspace,
  { experiment }: ImportReportsOptions,
  format: string,
): string {
  return experiment ?? (environment["PERFKEEP_EXPERIMENT"] || environment["PB_EXPERIMENT"] || format);
}

/** Computes the extended or created experiment. */
function planFor(
  fresh: Pick<Experiment, "name" | "synopsis">,
  reports: readonly DecodedReport[],
  fixed: Given,
): (current?: Experiment) => Experiment {
  const read = reports.map((report) => report.declared);
  const declared = mergeDeclarations([...read, givenVariables(fixed, read.flat())]);
  return (current) => extendedExperiment(current, current ? withoutGiven(declared, current, fixed) : declared, fresh);
}

function changesOf(
  importer: string,
  current: Experiment | undefined,
  { variables }: Experiment,
): Pick<ImportedReports, "importer" | "made" | "added"> {
  const added = variables.filter(({ name }) => !findVariable(current?.variables ?? [], name)).map(({ name }) => name);
  return { importer, made: current === undefined, added };
}

interface ReportFacts extends Pick<RunMetadata, "created" | "performer" | "label" | "synopsis"> {
  /** As given by the user. */
  readonly performed: number | undefined;
  readonly link: Link;
  /** Resolved commits named by reports; absent: the user gives the commit. */
  readonly versions: ReadonlyMap<string, VersionId | null> | undefined;
}

/**
 * The time of measurement: as given by the user, else from the report, else the file's modification time on request,
 * else now.
 */
function factsOf({ performed, link, versions, ...facts }: ReportFacts, isByFile: boolean): IndexOptions["factsOf"] {
  return (_, modified, about) => ({
    ...facts,
    performed: performed ?? about.performed ?? (isByFile ? (modified ?? facts.created) : facts.created),
    ...versionFacts(about, versions, link),
  });
}

/** Rows were cast for the experiment as it was when looked up. Fails with `experiment-changed` if it has changed. */
function unchanged(now: Experiment, before: Experiment): Experiment {
  const fingerprint = ({ variables }: Experiment): string =>
    JSON.stringify(variables, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  if (fingerprint(now) !== fingerprint(before)) throw new Failure("experiment-changed", { experiment: before.name });
  return now;
}

type Given = NonNullable<ImportOptions["fixed"]>;

/**
 * Fixed values become parameters if the experiment has no variable of the name. A text is of the type that the files
 * have, and does not make text of their numbers.
 */
function givenVariables(fixed: Given, read: readonly Variable[]): Variable[] {
  return fixed.flatMap(([name, text]): Variable[] => {
    const isText = readFloat(text) instanceof InvalidValue;
    if (isText && findVariable(read, name)) return [];
    return [{ name, role: "parameter", occurrence: "once", type: isText ? "string" : "float", default: null }];
  });
}

/** Fixed values use the existing variable of the name. */
function withoutGiven(declared: readonly Variable[], { variables }: Experiment, fixed: Given): Variable[] {
  const names = new Set(fixed.map(([name]) => name.toLowerCase()));
  return declared.filter(({ name }) => !names.has(name.toLowerCase()) || !findVariable(variables, name));
}

function fixedValues(fixed: Given, { variables }: Experiment): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const [name, text] of fixed) {
    const variable = findVariable(variables, name)!;
    if (values.has(variable.name)) throw new Failure("fixed-twice", { variable: variable.name });
    values.set(variable.name, parseInputValue(text, variable));
  }
  return values;
}

function howOf(from: string, fixed: Values, { variables }: Experiment): ImportHow {
  const written = [...fixed].map(
    ([name, value]) => [name, formatValue(value, findVariable(variables, name)!.type)] as const,
  );
  return { from, joined: false, sequential: false, fixed: written, missing: "friendly" };
}

/** undefined: from the file, its modification time, or now. */
function performedOf({ performed }: ImportReportsOptions): number | undefined {
  return typeof performed === "string"
    ? Number(parseValue(performed, { name: "performed", type: "timestamp" }))
    : undefined;
}

/** Resolves the commits named by reports; null if the repository lacks one. */
async function versionsOf(
  workspace: Workspace,
  reports: readonly DecodedReport[],
): Promise<ReadonlyMap<string, VersionId | null>> {
  const versions = new Map<string, VersionId | null>();
  for (const commit of reports.flatMap(({ commits }) => commits))
    if (!versions.has(commit)) versions.set(commit, await versionOf(workspace, commit));
  return versions;
}

async function versionOf(workspace: Workspace, commit: string): Promise<VersionId | null> {
  if (!/^[0-9a-f]{7,64}$/i.test(commit)) return null;
  try {
    return await (await workspace.vcs()).resolve(commit);
  } catch (error) {
    if (isFailure(error)) return null;
    throw error;
  }
}

/**
 * A run belongs to the commit named in its report, to none if the repository lacks it, and to the head if none is
 * named.
 */
function versionFacts(
  { commit }: AboutRun,
  versions: ReportFacts["versions"],
  link: Link,
): Pick<RunMetadata, "version" | "dirty"> {
  if (commit === undefined || versions === undefined) return link;
  const version = versions.get(commit);
  return version ? { version } : {};
}
