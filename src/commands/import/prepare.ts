import { parseValue, type Values } from "../../core/values/index.ts";
import type { ImportHow } from "../../formats/store/index.ts";
import type { RunMetadata } from "../../store/catalogue/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import { experimentHome, withExperiments, type ExperimentHome } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { startHeadLookup, type Link } from "../history/index.ts";
import { readingSettings, type DecodingOptions } from "./decode.ts";
import { lookUpTarget, type ImportTarget } from "./experiment-lookup.ts";
import type { FitOptions } from "./fit.ts";
import { runMetadata } from "./index-runs.ts";
import type { ArchiveOptions } from "./input-files.ts";
import { experimentName, loadDescriptions, type LoadedDescription } from "./load-descriptions.ts";
import {
  completeOnce,
  givenValues,
  recordingAsk,
  settleDefinitions,
  textValues,
  type Ask,
  type SettledValues,
} from "./missing-values.ts";
import type { ImportOptions } from "./options.ts";

/** What the steps of an import by descriptions share. */
export interface ImportJob extends ImportTarget, SettledValues {
  readonly workspace: Workspace;
  readonly home: ExperimentHome;
  readonly options: ImportOptions;
  /** Fixed values of the user and of parameter sets. */
  readonly given: Values;
  /** Commit of the runs. */
  readonly link: Link;
  readonly ask: Ask;
  readonly answers: readonly string[];
  /** Start of the import, microseconds since 1970-01-01T00:00:00Z. */
  readonly now: number;
  /** Time of measurement; undefined: the file's modification time. */
  readonly performed: number | undefined;
  /** Fails after an interrupt. */
  check(): void;
  /** Aborted by an interrupt. */
  readonly stopped: AbortSignal;
}

/**
 * Looks up the experiment, descriptions, fixed values and the commit, before any input is read. Descriptions are stored
 * if runs will be.
 */
export async function prepare(
  workspace: Workspace,
  options: ImportOptions,
  check: () => void,
  stopped: AbortSignal,
): Promise<ImportJob> {
  const home = experimentHome(workspace, options.database);
  const loaded = loadDescriptions(workspace, options.inputs);
  const name = experimentName(workspace, options, loaded);
  const readTarget = (experiments: Experiments): Promise<ImportTarget> =>
    lookUpTarget(experiments, name, loaded, home, options);
  const target = withExperiments(workspace, home, "read", readTarget, options.waiting, stopped);
  const link = options.storeSet === undefined ? startHeadLookup(workspace) : Promise.resolve({});
  const known = await target;
  const answers: string[] = [];
  const ask = recordingAsk(options.ask, answers);
  const given = new Map([...known.sets, ...givenValues(options.fixed ?? [], known.stored.experiment)]);
  const parsed = known.descriptions.map((each) => each.parsed);
  const definition = options.storeSet === undefined ? options.missing?.definition : "ignore";
  const settled = await settleDefinitions(known.stored.experiment, parsed, given, definition, ask);
  const now = workspace.time();
  const job = { workspace, home, options, ...known, ...settled, given, ask, answers, now, check, stopped };
  const performed = performedOf(options, now);
  const isStoring = options.preview === undefined && options.storeSet === undefined;
  const descriptions = isStoring ? storedDescriptions(home, known.descriptions) : known.descriptions;
  return { ...job, link: await link, performed, descriptions };
}

function storedDescriptions(
  { objects }: ExperimentHome,
  descriptions: readonly LoadedDescription[],
): readonly LoadedDescription[] {
  return descriptions.map((each) => ({
    ...each,
    object: each.object ?? objects.put("attachment", "input", each.bytes).digest,
  }));
}

function performedOf({ performed, storeSet }: ImportOptions, now: number): number | undefined {
  if (performed === undefined || storeSet !== undefined) return now;
  return typeof performed === "string"
    ? Number(parseValue(performed, { name: "performed", type: "timestamp" }))
    : undefined;
}

/** Metadata of the runs, given the modification time of their first file. */
export function factsOf(
  job: ImportJob,
): (at: number, modified: number | undefined) => Omit<RunMetadata, "description"> {
  const { workspace, options, descriptions, now, link, performed } = job;
  const { label, synopsis = descriptions.find(({ parsed }) => parsed.synopsis !== undefined)?.parsed.synopsis } =
    options;
  const facts = { ...runMetadata(workspace, { label, synopsis }, now), ...link };
  return (_, modified) => ({ ...facts, performed: performed ?? modified ?? now });
}

/** Reading options for replaying the import, except descriptions and files. */
export function howOf({ options, given, stored, answers }: ImportJob): ImportHow {
  const { join = false, sequential = false, missing = {}, encoding, locale } = options;
  return {
    joined: join,
    sequential,
    fixed: textValues(given, stored.experiment),
    missing: missing.value ?? "friendly",
    missingDefinition: missing.definition ?? "friendly",
    ...(missing.cells === undefined ? {} : { cells: missing.cells }),
    ...(answers.length === 0 ? {} : { answers }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(locale === undefined ? {} : { locale }),
  };
}

/** Whether a file may duplicate an active run. */
export function forcedBy({ force = false }: Pick<ImportOptions, "force">): (path: string) => boolean {
  return (path) => force === true || (force !== false && force.includes(path));
}

export async function decodingOf(
  { workspace, stored, options, fixed }: ImportJob,
  archive: ArchiveOptions,
): Promise<DecodingOptions> {
  const { sequential = false } = options;
  return {
    experiment: stored.experiment,
    importer: await workspace.registry.get("importer", "description"),
    settings: readingSettings(options),
    sequential,
    fixed,
    archive,
  };
}

export function fittingOf({ stored, options, fixed, excused, ask }: ImportJob): FitOptions {
  const { missing, storeSet, notice = () => {} } = options;
  const valuePolicy = storeSet === undefined ? missing?.value : "ignore";
  return {
    experiment: stored.experiment,
    fixed,
    rows: missing?.cells === "ignore" || storeSet !== undefined ? "null" : "refuse",
    complete: (once, lacking) =>
      completeOnce(
        once,
        lacking.filter(({ name }) => !excused.has(name)),
        valuePolicy,
        ask,
      ),
    notice,
  };
}

/** `failed`: stop waiting for the database. */
export function writing<T>(
  { workspace, home, options, stopped }: ImportJob,
  work: (experiments: Experiments) => Promise<T>,
  failed?: AbortSignal,
): Promise<T> {
  const ended = failed ? AbortSignal.any([stopped, failed]) : stopped;
  return withExperiments(workspace, home, "write", work, options.waiting, ended);
}
