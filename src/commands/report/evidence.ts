import type { VersionId } from "../../core/versions/index.ts";
import type { Evidence, RunLine } from "../../core/pages/index.ts";
import { isOfBenchmark } from "../../core/profiles/index.ts";
import { VersionLookup } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { findRuns, type FoundRun } from "../experiments/index.ts";
import type { PageData } from "./page-data.ts";
import { profileLines } from "./profile-pages.ts";

/** Maximum profiles or runs per point, and files per run: a commit may have been measured thousands of times. */
const [maxLines, maxFiles] = [100, 20];

/** Evidence of a point: the newest profiles of the series' configuration, or the newest runs of its experiment. */
export async function evidenceOf(
  workspace: Workspace,
  { series, versions }: PageData,
  request: { readonly series: number; readonly version: number; readonly database?: string },
): Promise<Evidence> {
  const { facts, arrays } = series;
  const version = versions.facts.ids[request.version];
  if (version === undefined) return { profiles: [], runs: [], more: 0 };
  if (arrays.source[request.series] === 0) {
    const benchmark = facts.texts[arrays.benchmark[request.series] ?? -1] ?? "";
    const listed = workspace.hasInstance() ? new VersionLookup(workspace).profiles(version) : [];
    const fitting = listed.filter((profile) => isOfBenchmark(profile, benchmark)).sort((a, b) => a.time - b.time);
    const { lines, more } = newestOf(fitting);
    return { profiles: profileLines(lines), runs: [], more };
  }
  const experiment = experimentOf(facts.texts[arrays.key[request.series] ?? -1] ?? "");
  const { lines, more } = newestOf(await runsAt(workspace, experiment, version, request.database));
  return { profiles: [], runs: lines.map(runLine), more };
}

/** The last lines, and the number of omitted ones. */
function newestOf<T>(all: readonly T[]): { readonly lines: readonly T[]; readonly more: number } {
  const lines = all.slice(-maxLines);
  return { lines, more: all.length - lines.length };
}

/** Keys of experiments are `experiment ["name",…]`. */
function experimentOf(key: string): string {
  const [name] = JSON.parse(key.replace(/^experiment /, "")) as readonly string[];
  return name ?? "";
}

async function runsAt(
  workspace: Workspace,
  experiment: string,
  version: VersionId,
  database?: string,
): Promise<FoundRun["run"][]> {
  const chosen = { experiment, commits: [version], columns: [], where: [], deleted: false, maxValues: 1 };
  const { runs } = await findRuns(workspace, { ...chosen, ...(database === undefined ? {} : { database }) });
  return runs.map(({ run }) => run);
}

function runLine({ number, label, synopsis, performed, performer = "", rows, sources }: FoundRun["run"]): RunLine {
  return {
    number,
    words: label ?? synopsis ?? "",
    performed: Math.floor(performed / 1e6),
    performer,
    rows,
    files: sources.slice(0, maxFiles).map(({ path }) => path),
    moreFiles: Math.max(0, sources.length - maxFiles),
  };
}
