import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import { jsonObject, type Settings } from "../../core/values/index.ts";
import { profileOf, subjectsOf, unitsOf } from "../../formats/profile/index.ts";
import { genericConfidence, recognisingImporters, type Importer } from "../../plugins/importers/importer.ts";
import type { Reader } from "../../plugins/readers/reader.ts";
import type { PeekedStream } from "../../workspace/files/index.ts";
import {
  builtInImporters,
  detectReportImporter,
  detectUserReader,
  detectReader,
  parseRuns,
  readGuide,
} from "../../workspace/import/index.ts";
import { optionsOf, type Registry } from "../../workspace/plugins/index.ts";
import { saveProfile, type SavedProfile, runName } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface ImportProfileOptions {
  /** File of another profiler, optionally gzipped; `-` is standard input. */
  readonly file: string;
  /** Name of the format; default: auto-detect. */
  readonly reader?: string;
  /** Name of a benchmark format, instead of a profiler's. */
  readonly from?: string;
  /** Options of the reader or importer. */
  readonly params: Settings;
  /** Overrides the command in the file. */
  readonly cmd?: string;
  readonly workload?: string;
  /** The measured commit; default: the head. */
  readonly minor?: string;
}

/** A pending profile, and the format of its file. */
export type ImportedProfile = SavedProfile & { readonly format: string };

/**
 * Imports a file of another profiler or benchmark program as a pending profile. Fails with `unknown-profile-format`,
 * `unknown-plugin`, `packed-file`, `unreadable-file`, and with failures of the reader.
 */
export async function importProfile(workspace: Workspace, options: ImportProfileOptions): Promise<ImportedProfile> {
  const directory = workspace.root();
  const origin = await workspace.version(options.minor);
  const { reader: builtIn, head, source } = await detectReader(workspace, options.file, options.reader);
  const reader = builtIn ?? (options.from === undefined ? await ownReader(workspace.registry, head) : null);
  const read =
    reader === null || options.from !== undefined
      ? await benchmarkRun(workspace, options, { head, source })
      : {
          format: reader.name,
          run: await reader.read(
            source,
            optionsOf(reader, options.params),
            readGuide(workspace, options.file, directory),
          ),
        };
  const run = { ...renamed(read.run, options), origin };
  const template = (await workspace.config()).text("format.output_profile_template");
  const profile = saveProfile(workspace, run, (suffix) => runName(workspace, run, template, suffix), {
    register: false,
  });
  return { ...profile, format: read.format };
}

/** A user-defined reader, if no built-in format matches. */
async function ownReader(registry: Registry, head: Uint8Array): Promise<Reader | null> {
  return recognisingImporters(await builtInImporters(registry), head).some(({ sure }) => sure > genericConfidence)
    ? null
    : detectUserReader(registry, head);
}

/**
 * Converts a benchmark report to a profile: one row per value, with the benchmark as `uid`, the metric as `subtype`,
 * and the run's index as `order`.
 */
async function benchmarkRun(
  { registry }: Workspace,
  { file, from, params }: ImportProfileOptions,
  { head, source }: PeekedStream,
): Promise<{ readonly format: string; readonly run: Run }> {
  const importer = await benchmarkImporter(registry, from, file, head);
  const runs = (await parseRuns(importer, source, file, params)).map((run) => [run]);
  const collector = { name: importer.name, params: jsonObject({ from: importer.name }) };
  const subjects = subjectsOf(file, runs, "benchmark");
  return {
    format: importer.name,
    run: profileOf({ type: "mixed", cmd: importer.name, workload: "", units: unitsOf(runs), collector, subjects }),
  };
}

async function benchmarkImporter(
  registry: Registry,
  from: string | undefined,
  file: string,
  head: Uint8Array,
): Promise<Importer> {
  try {
    return await detectReportImporter(registry, from, file, head);
  } catch (error) {
    if (isFailure(error, "unknown-report-format"))
      throw new Failure("unknown-profile-format", { file, known: registry.names("reader") });
    throw error;
  }
}

function renamed(run: Run, { cmd, workload }: ImportProfileOptions): Run {
  const fixed = new Map(run.fixed);
  if (cmd !== undefined) fixed.set("cmd", cmd);
  if (workload !== undefined) fixed.set("workload", workload);
  return { ...run, fixed };
}

export interface KeepRunOptions {
  /** The measured commit; default: the origin of the run, else the head. */
  readonly minor?: string;
  /** Register the profile at that commit. */
  readonly register?: boolean;
}

/**
 * Stores a run as a profile, pending or registered. Fails with `no-instance`, `unknown-revision`, `unknown-choice` for
 * the name template.
 */
export async function keepRun(
  workspace: Workspace,
  run: Run,
  { minor, register = false }: KeepRunOptions,
): Promise<SavedProfile> {
  workspace.perun();
  const origin = minor === undefined && run.origin !== undefined ? run.origin : await workspace.version(minor);
  const whole = { ...run, origin };
  const template = (await workspace.config()).text("format.output_profile_template");
  return saveProfile(workspace, whole, (suffix) => runName(workspace, whole, template, suffix), { register });
}
