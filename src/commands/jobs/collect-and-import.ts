import { Failure } from "../../core/failures/failure.ts";
import {
  settingLines,
  settingList,
  settingsIn,
  settingText,
  type Setting,
  type Settings,
} from "../../core/values/setting.ts";
import type { JobsResult, JobWatcher } from "../../workspace/jobs/ledger.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { collect, type CollectOptions } from "./collect.ts";
import { importReports, type ImportedReports, type ImportReportsOptions } from "../import/import-reports.ts";
import type { MeasuredOutput } from "../import/report-files.ts";

export interface CollectAndImportOptions extends CollectOptions {
  /** The format that the command writes, or `auto`. */
  readonly from: string;
  /** Options of the format. */
  readonly fromParams?: Settings;
  /** The file that it writes, from where it runs; absent: what it prints. */
  readonly result?: string;
  /** Absent: as `import` names it. */
  readonly experiment?: string;
  readonly database?: string;
  /** Only profiles are made. */
  readonly profileOnly: boolean;
  readonly notice: NonNullable<ImportReportsOptions["notice"]>;
}

/** Nothing was imported where no job gave a profile, or only profiles are wanted. */
export interface CollectedAndImported {
  readonly jobs: JobsResult;
  readonly imported?: ImportedReports;
}

/**
 * Measures by the collector `command`, which reads what the program writes as a known format, and imports that besides:
 * each call is a run, linked to the version that was measured. What jobs wrote that failed is not imported. Fails like
 * `collect` and `importReports`; profiles stay kept then.
 */
export async function collectAndImport(
  workspace: Workspace,
  options: CollectAndImportOptions,
  watcher: JobWatcher = {},
): Promise<CollectedAndImported> {
  if (options.collector !== "command")
    throw new Failure("unusable-combination", {
      what: `--from for the collector ${options.collector}`,
      instead: "give it to collect command",
    });
  const { from, result } = options;
  const lines = settingLines(options.fromParams ?? new Map());
  const own = {
    from,
    ...(result === undefined ? {} : { result }),
    ...(lines.length === 0 ? {} : { "from-params": lines }),
  };
  const params: Settings = new Map([...options.params, ...Object.entries<Setting>(own)]);
  const collected = { ...options, params };
  const outputs: MeasuredOutput[] = [];
  const isInTree = options.versions.length === 0 && !options.crawlParents;
  const jobs = await collect(workspace, collected, {
    ...watcher,
    kept: (profile, printed, raw) => {
      watcher.kept?.(profile, printed, raw);
      outputs.push(...raw.map((each) => ({ ...each, ...(isInTree ? {} : { version: profile.version }) })));
    },
  });
  if (options.profileOnly || outputs.length === 0) return { jobs };
  const imported = await importReports(workspace, {
    files: [],
    measured: outputs,
    // The same numbers measured twice are two measurements.
    force: true,
    notice: options.notice,
    ...(from === "auto" ? {} : { from }),
    params: formatParamsOf(params),
    ...(options.experiment === undefined ? {} : { experiment: options.experiment }),
    ...(options.database === undefined ? {} : { database: options.database }),
  });
  return { jobs, imported };
}

/** The collector has refused what is none by now. */
function formatParamsOf(params: Settings): Settings {
  const given = params.get("from-params") ?? params.get("from_params");
  return settingsIn(settingList(given).map((line) => settingText(line) ?? "")) ?? new Map();
}
