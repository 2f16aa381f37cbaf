import type { FsckReport } from "../../store/fsck/fsck-report.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Verifies all of the store, and what push and pull keep beside it. Changes nothing. */
export async function fsck(workspace: Workspace): Promise<FsckReport> {
  const report = await workspace.store().fsck();
  const { checkShare } = await import("../../workspace/share/check-share.ts");
  const { problems, notes } = await checkShare(workspace);
  return { ...report, problems: [...report.problems, ...problems], notes: [...report.notes, ...notes] };
}
