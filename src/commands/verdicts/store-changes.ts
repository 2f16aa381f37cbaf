import type { Change } from "../../core/verdicts/change.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Run } from "../../core/profiles/run.ts";
import { storedChange, storedText, storedWord } from "../../formats/store/changes.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { CheckMethods } from "./check-methods.ts";

/** What a comparison of two profiles has to say of the changes that are stored. */
export interface KeptComparison {
  /** The command and workload of the target, joined by a blank. */
  readonly command: string;
  /**
   * The types of changes that its methods write: stored ones of these that are not among `changes` are no longer true.
   */
  readonly types: readonly string[];
  readonly changes: readonly Change[];
  /**
   * The version that is written beside them: the one compared with, or the target itself for any two profiles (Perun
   * 0.21).
   */
  readonly source: VersionId;
}

export function keptComparison(
  methods: CheckMethods,
  runs: readonly [baseline: Run, target: Run],
  changes: readonly Change[],
  source: VersionId,
): KeptComparison {
  const [baseline, { fixed }] = runs;
  const text = (key: string): string => String(fixed.get(key) ?? "");
  const told = methods.for(baseline).flatMap((checker) => checker.types ?? [text("type")]);
  const types = [...new Set([...told, ...changes.map((change) => change.type)])].filter((type) => type !== "");
  const command = [text("cmd"), text("workload")].filter((word) => word !== "").join(" ");
  return { command, types, changes: changes.filter((change) => change.result !== "NoChange"), source };
}

/**
 * Stores what was found with the version, in the place of what is no longer true; does nothing where that makes no
 * difference. A store that may not be written is told of and left alone: the check itself needs nothing of it.
 */
export function keepChanges(workspace: Workspace, version: VersionId, comparisons: readonly KeptComparison[]): void {
  const found = comparisons.flatMap(({ changes, source, command }) =>
    changes.map((change) => storedChange(change, source, command)),
  );
  const outdated = new Set(
    comparisons.flatMap(({ command, types, source }) => types.map((type) => keyOf(command, type, source === version))),
  );
  try {
    const isOutdated = ({ command = "", type, baseline }: Change): boolean =>
      outdated.has(keyOf(command, type, baseline === version));
    workspace.store().changes.replace(version, isOutdated, found);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "cannot-write" || !refusals.has(String(error.data["errno"])))
      throw error;
    workspace.world.warn?.(`the changes found are not stored with version ${version}: ${String(error.data["reason"])}`);
  }
}

const refusals: ReadonlySet<string> = new Set(["EROFS", "EACCES", "EPERM"]);

/** Command and type as they read in a file, and whether any two profiles were compared. */
function keyOf(command: string, type: string, isAnyTwo: boolean): string {
  return JSON.stringify([storedText(command), storedWord(type), isAnyTwo]);
}
