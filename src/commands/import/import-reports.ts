import type { VersionId } from "../../core/versions/digest.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import { readFloat } from "../../core/values/parse-number.ts";
import { InvalidValue } from "../../core/values/invalid-value.ts";
import { mergeDeclarations, extendedExperiment } from "../../core/experiments/experiment-from-report.ts";
import { formatValue, parseValue, type Value, type Values } from "../../core/values/value.ts";
import { findVariable, type Variable } from "../../core/variables/variable.ts";
import type { ImportHow } from "../../formats/store/experiments/ledger-import.ts";
import { parseInputValue } from "../../query/plan/parse-value.ts";
import type { RunMetadata } from "../../store/catalogue/run-writer.ts";
import type { PlannedImport } from "../../store/experiments/experiment-changes.ts";
import type { Experiments } from "../../store/experiments/experiments.ts";
import { experimentHome, withExperiments, type ExperimentHome } from "../../workspace/experiments/experiments.ts";
import { interruptible } from "../../workspace/processes/interruptible.ts";
import { retryOnConflict } from "../../workspace/experiments/retry-on-conflict.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { PresentExperiment } from "./experiment-lookup.ts";
import { startHeadLookup, type Link } from "../history/head-lookup.ts";
import { givenOptions } from "./report-formats.ts";
import type { ImportOptions, ImportResult } from "./options.ts";
import { writeRuns, type AboutRun, type WriteOptions, type WrittenRun } from "./write-runs.ts";
import { importedRun, previewRuns } from "./preview-runs.ts";
import { reportSteps, type ReadReport } from "./read-report.ts";
import { withReports, type ReportFilesOptions } from "./report-files.ts";

export interface ImportReportsOptions
  extends
    ReportFilesOptions,
    Pick<ImportOptions, "fixed" | "force" | "label" | "synopsis" | "performed" | "database" | "notice" | "waiting"> {
  /** Absent: PERFKEEP_EXPERIMENT or PB_EXPERIMENT, else the name of the format. One that is not there is made. */
  readonly experiment?: string;
  /** The version that was measured; absent: the one that a file names, else the one that is checked out. */
  readonly minor?: string;
}

/** Besides the runs, what became of the experiment. */
export interface ImportedReports extends ImportResult {
  readonly importer: string;
  /** The experiment was made, or would be. */
  readonly made: boolean;
  /** Variables that it got, or would get. */
  readonly added: readonly string[];
  /** The database, where nobody chose it: there is no instance here, and experiments live in the user's own folder. */
  readonly ownFolder?: string;
}

/**
 * Reads files of formats that are known, each with its runs, into an experiment that is made or extended as they need
 * it. All of them are stored, or none. Fails with `unknown-report-format`, `several-formats`, `report-does-not-fit`,
 * `already-imported` and with what an importer refuses.
 */
export function importReports(workspace: Workspace, options: ImportReportsOptions): Promise<ImportedReports> {
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
  const { files, measured = [], database } = options;
  if (files.length + measured.length === 0) throw new Failure("no-input-files");
  const home = experimentHome(workspace, database);
  const performed = performedOf(options);
  const link = options.minor === undefined ? startHeadLookup(workspace) : Promise.resolve({});
  const present = new PresentExperiment(workspace, home, {
    waiting: options.waiting,
    stopped,
    nameOf: (format) => experimentNamed(workspace, options, format),
  });
  try {
    return await withReports(workspace, home, options, check, {
      recognised: (importer) => void present.of(importer),
      use: (reports) => importRead(workspace, { home, reports, performed, link, present }, options, check, stopped),
    });
  } finally {
    await present.close();
  }
}

interface ReadReports {
  readonly home: ExperimentHome;
  readonly reports: readonly ReadReport[];
  /** The version that is checked out, if none is named. */
  readonly link: Promise<Link>;
  readonly present: PresentExperiment;
  /** As the user says. */
  readonly performed: number | undefined;
}

async function importRead(
  workspace: Workspace,
  { home, reports, performed, link: checkedOut, present }: ReadReports,
  options: ImportReportsOptions,
  check: () => void,
  stopped: AbortSignal,
): Promise<ImportedReports> {
  const { fixed: given = [], preview, notice = () => {} } = options;
  const { importer } = reports[0]!;
  const name = experimentNamed(workspace, options, importer.name);
  const current = await present.of(importer);
  const planned = planFor({ name, synopsis: importer.synopsis }, reports, given);
  const experiment = planned(current);
  const fixed = fixedContents(given, experiment);
  const steps = reportSteps(reports, experiment, fixed, notice);
  const link = options.minor === undefined ? await checkedOut : { version: await workspace.version(options.minor) };
  const place = home.isOwnFolder ? { ownFolder: home.database } : {};
  const result = { experiment: experiment.name, ...link, ...changesOf(importer.name, current, experiment), ...place };
  if (preview !== undefined)
    return { ...result, runs: (await previewRuns(steps, experiment, preview, forcedBy(options))).runs, stored: false };
  const now = workspace.world.now() * 1000;
  const versions = options.minor === undefined ? await versionsOf(workspace, reports) : undefined;
  const facts = { ...runFacts(workspace, options, now), performed, link, versions };
  const plan: Omit<PlannedImport<readonly WrittenRun[]>, "work"> = {
    name,
    planned: (found) => unchanged(planned(found), experiment),
    owner: facts.performer,
    now,
    how: { ...howOf(importer.name, fixed, experiment), ...givenOptions(importer, options.params) },
  };
  const write = { check, forced: forcedBy(options), factsOf: factsOf(facts, options.performed !== undefined) };
  const store = (experiments: Experiments): Promise<readonly WrittenRun[]> =>
    experiments.importPlanned({ ...plan, work: (writer) => writeRuns(writer, steps, write) });
  const runs = await withExperiments(workspace, home, "write", store, options.waiting, stopped);
  return { ...result, runs: runs.map(importedRun), stored: true };
}

function experimentNamed(
  { world: { environment } }: Workspace,
  { experiment }: ImportReportsOptions,
  format: string,
): string {
  return experiment ?? (environment["PERFKEEP_EXPERIMENT"] || environment["PB_EXPERIMENT"] || format);
}

/** What becomes of the experiment that is there, or is not. */
function planFor(
  fresh: Pick<Experiment, "name" | "synopsis">,
  reports: readonly ReadReport[],
  given: Given,
): (current?: Experiment) => Experiment {
  const declared = mergeDeclarations([...reports.map((report) => report.declared), givenVariables(given)]);
  return (current) => extendedExperiment(current, current ? withoutGiven(declared, current, given) : declared, fresh);
}

function changesOf(
  importer: string,
  current: Experiment | undefined,
  { variables }: Experiment,
): Pick<ImportedReports, "importer" | "made" | "added"> {
  const added = variables.filter(({ name }) => !findVariable(current?.variables ?? [], name)).map(({ name }) => name);
  return { importer, made: current === undefined, added };
}

function forcedBy({ force }: ImportReportsOptions): (path: string) => boolean {
  return (path) => force === true || (Array.isArray(force) && force.includes(path));
}

interface ReportFacts extends Pick<RunMetadata, "created" | "performer" | "label" | "synopsis"> {
  /** As the user says. */
  readonly performed: number | undefined;
  readonly link: Link;
  /** Of the commits that reports name; absent: the user says which version it was. */
  readonly versions: ReadonlyMap<string, VersionId | null> | undefined;
}

function runFacts(
  { world: { environment } }: Workspace,
  { label, synopsis }: ImportReportsOptions,
  created: number,
): Omit<ReportFacts, "performed" | "link" | "versions"> {
  const performer = environment["USER"];
  return {
    created,
    ...(performer ? { performer } : {}),
    ...(label === undefined ? {} : { label }),
    ...(synopsis === undefined ? {} : { synopsis }),
  };
}

/**
 * When it was measured is what the user says, else what the report says, else when the file was changed if that is
 * wanted, else now.
 */
function factsOf({ performed, link, versions, ...facts }: ReportFacts, isByFile: boolean): WriteOptions["factsOf"] {
  return (_, modified, about) => ({
    ...facts,
    performed: performed ?? about.performed ?? (isByFile ? (modified ?? facts.created) : facts.created),
    ...versionFacts(about, versions, link),
  });
}

/**
 * Somebody may have changed it since it was looked at; what was read was recast for what it was then. Fails with
 * `experiment-changed`.
 */
function unchanged(now: Experiment, before: Experiment): Experiment {
  const told = ({ variables }: Experiment): string =>
    JSON.stringify(variables, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  if (told(now) !== told(before)) throw new Failure("experiment-changed", { experiment: before.name });
  return now;
}

type Given = NonNullable<ImportOptions["fixed"]>;

/** What the user gives for every run becomes a parameter, where the experiment has no variable of the name. */
function givenVariables(given: Given): Variable[] {
  return given.map(([name, content]) => ({
    name,
    role: "parameter",
    occurrence: "once",
    type: readFloat(content) instanceof InvalidValue ? "string" : "float",
    default: null,
  }));
}

/** Given contents are read by the variable that is there, whatever it is. */
function withoutGiven(declared: readonly Variable[], { variables }: Experiment, given: Given): Variable[] {
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  return declared.filter(({ name }) => !names.has(name.toLowerCase()) || !findVariable(variables, name));
}

function fixedContents(given: Given, { variables }: Experiment): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const [name, content] of given) {
    const variable = findVariable(variables, name)!;
    if (values.has(variable.name)) throw new Failure("fixed-twice", { variable: variable.name });
    values.set(variable.name, parseInputValue(content, variable));
  }
  return values;
}

function howOf(from: string, fixed: Values, { variables }: Experiment): ImportHow {
  const written = [...fixed].map(
    ([name, value]) => [name, formatValue(value, findVariable(variables, name)!.type)] as const,
  );
  return { from, joined: false, sequential: false, fixed: written, missing: "friendly" };
}

/** undefined: as the file says, when it was changed last, or now. */
function performedOf({ performed }: ImportReportsOptions): number | undefined {
  return typeof performed === "string"
    ? Number(parseValue(performed, { name: "performed", type: "timestamp" }))
    : undefined;
}

/** Commits that reports name, as far as the repository has them. */
async function versionsOf(
  workspace: Workspace,
  reports: readonly ReadReport[],
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
 * A run belongs to the commit that its report names, to none when the repository does not know that, and to the one
 * that is checked out when none is named.
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
