import type { VersionId } from "../../core/digest.ts";
import type { Evidence, RunLine } from "../../core/pages/source.ts";
import { configurationWords } from "../../core/profile-subject.ts";
import type { ListedProfile } from "../../core/profile-order.ts";
import { VersionLookup } from "../../workspace/version-lookup.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { findRuns, type FoundRun } from "../find-runs.ts";
import type { PageData } from "./page-data.ts";
import { profileLines } from "./profile-pages.ts";

/** What a series was measured by at a version: the profiles of its configuration, or the runs of its experiment. */
export async function evidenceOf(
  workspace: Workspace,
  { series, versions }: PageData,
  asked: { readonly series: number; readonly version: number; readonly database?: string },
): Promise<Evidence> {
  const { facts, arrays } = series;
  const version = versions.facts.ids[asked.version];
  if (version === undefined) return { profiles: [], runs: [] };
  if (arrays.source[asked.series] === 0) {
    const benchmark = facts.texts[arrays.benchmark[asked.series] ?? -1] ?? "";
    const listed = workspace.hasInstance() ? new VersionLookup(workspace).profiles(version) : [];
    return { profiles: profileLines(listed.filter((profile) => isOfBenchmark(profile, benchmark))), runs: [] };
  }
  const experiment = experimentOf(facts.texts[arrays.key[asked.series] ?? -1] ?? "");
  return { profiles: [], runs: await runsAt(workspace, experiment, version, asked.database) };
}

/** Whether what is measured in a profile is called by these words: its configuration, alone or with a location. */
export function isOfBenchmark(profile: ListedProfile, benchmark: string): boolean {
  const words = configurationWords(profile);
  return benchmark === words || benchmark.startsWith(`${words}: `);
}

/** Keys of experiments are `experiment ["name",…]`. */
function experimentOf(key: string): string {
  const [name] = JSON.parse(key.replace(/^experiment /, "")) as readonly string[];
  return name ?? "";
}

async function runsAt(workspace: Workspace, experiment: string, version: VersionId, database?: string): Promise<RunLine[]> {
  const chosen = { experiment, commits: [version], columns: [], where: [], deleted: false, most: 1 };
  const { runs } = await findRuns(workspace, { ...chosen, ...(database === undefined ? {} : { database }) });
  return runs.map(({ run }) => runLine(run));
}

function runLine({ number, label, synopsis, performed, performer = "", dataSets, sources }: FoundRun["run"]): RunLine {
  return {
    number,
    words: label ?? synopsis ?? "",
    performed: Math.floor(performed / 1e6),
    performer,
    dataSets,
    files: sources.map(({ path }) => path),
  };
}
