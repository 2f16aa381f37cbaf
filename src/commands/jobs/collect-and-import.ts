import { Failure } from "../../core/failures/index.ts";
import {
  settingLines,
  settingList,
  settingsIn,
  settingText,
  type Setting,
  type Settings,
} from "../../core/values/index.ts";
import type { JobsResult, JobWatcher } from "../../workspace/jobs/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { collect, type CollectOptions } from "./collect.ts";
import {
  importReports,
  type ImportedReports,
  type ImportReportsOptions,
  type MeasuredOutput,
} from "../import/index.ts";

export interface CollectAndImportOptions extends CollectOptions {
  /** Format of the command's output, or `auto`. */
  readonly from: string;
  /** Options of the format. */
  readonly fromParams?: Settings;
  /** Output file, relative to the command's directory; default: standard output. */
  readonly result?: string;
  /** Default: as for `import`. */
  readonly experiment?: string;
  readonly database?: string;
  /** Store profiles only; do not import. */
  readonly profileOnly: boolean;
  readonly notice: NonNullable<ImportReportsOptions["notice"]>;
}

/** `imported` is absent if no job produced a profile or only profiles were requested. */
export interface CollectedAndImported {
  readonly jobs: JobsResult;
  readonly imported?: ImportedReports;
}

/**
 * Measures with the collector `command`, which parses the program's output, and imports that output too: each call is a
 * run linked to the measured commit. Output of failed jobs is not imported. Fails like `collect` and `importReports`;
 * profiles stay stored.
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
  const { from } = options;
  const params = collectorParams(options);
  const outputs: MeasuredOutput[] = [];
  const isInTree = options.versions.length === 0 && !options.crawlParents;
  const jobs = await collect(
    workspace,
    { ...options, params },
    {
      ...watcher,
      kept: (profile, printed, raw) => {
        watcher.kept?.(profile, printed, raw);
        outputs.push(...raw.map((each) => ({ ...each, ...(isInTree ? {} : { version: profile.version }) })));
      },
    },
  );
  if (options.profileOnly || outputs.length === 0) return { jobs };
  const imported = await importReports(workspace, {
    files: [],
    measured: outputs,
    // Repeated measurements may have equal output.
    force: true,
    notice: options.notice,
    ...(from === "auto" ? {} : { from }),
    params: formatParamsOf(params),
    ...(options.experiment === undefined ? {} : { experiment: options.experiment }),
    ...(options.database === undefined ? {} : { database: options.database }),
  });
  return { jobs, imported };
}

/** Options of the collector, with the format and its options. */
function collectorParams({ params, from, result, fromParams = new Map() }: CollectAndImportOptions): Settings {
  const lines = settingLines(fromParams);
  const own = {
    from,
    ...(result === undefined ? {} : { result }),
    ...(lines.length === 0 ? {} : { "from-params": lines }),
  };
  return new Map([...params, ...Object.entries<Setting>(own)]);
}

/** Already validated by the collector. */
function formatParamsOf(params: Settings): Settings {
  const given = params.get("from-params") ?? params.get("from_params");
  return settingsIn(settingList(given).map((line) => settingText(line) ?? "")) ?? new Map();
}
