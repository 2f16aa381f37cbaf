import type { Workspace } from "../../workspace/workspace.ts";
import type { ProfileCheck, VersionCheck } from "./check-history.ts";
import { explainVerdict, type Why } from "./explain-verdict.ts";
import { History } from "../history/history.ts";
import { Suspects } from "../../query/history/suspect-commits.ts";

/** What is behind the changes that were found at a version, for each profile that has any. */
export async function explainChecks(
  workspace: Workspace,
  { version, checks }: VersionCheck,
): Promise<ReadonlyMap<ProfileCheck, Why>> {
  const changed = checks.filter(
    ({ baseline, changes }) => baseline !== null && changes.some(({ result }) => result !== "NoChange"),
  );
  const found = new Map<ProfileCheck, Why>();
  if (changed.length === 0) return found;
  const history = new History(workspace);
  await history.inOrder(version.id);
  const suspects = new Suspects(history.graph);
  for (const check of changed) {
    const before = check.baseline?.version ?? null;
    const { collector, cmd, workload } = check.profile;
    const since = { before, after: version.id, suspects: suspects.between(before, version.id) };
    const why = await explainVerdict(workspace, {
      subject: { benchmark: [collector, cmd, workload].join(" ").trim() },
      since,
    });
    if (why !== null) found.set(check, why);
  }
  return found;
}
