import { isUndecided, type Change } from "../../core/verdicts/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { cpuTimeMetric } from "../../core/measurements/index.ts";
import { metricOfSubtype, type Run, subtypesOf } from "../../core/profiles/index.ts";
import { storedChange, storedText, storedWord } from "../../formats/store/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { CheckMethods } from "./check-methods.ts";

/** A comparison of two profiles, for updating the stored changes. */
export interface StoredComparison {
  /** Command and workload of the target, separated by a blank. */
  readonly command: string;
  /**
   * Types of changes that the methods write for these profiles: stored changes of these types that are not in `changes`
   * are removed.
   */
  readonly types: readonly string[];
  readonly changes: readonly Change[];
  /** Commit written with the changes: the baseline's, or the target's for two arbitrary profiles (Perun 0.21). */
  readonly source: VersionId;
}

/** Stored changes have the metric as their type: Perun's format has no other field for it. */
export function toStoredComparison(
  methods: CheckMethods,
  runs: readonly [baseline: Run, target: Run],
  changes: readonly Change[],
  source: VersionId,
): StoredComparison {
  const [baseline, { fixed }] = runs;
  const text = (key: string): string => String(fixed.get(key) ?? "");
  const written = methods.for(baseline).flatMap((checker) => checker.types ?? [text("type")]);
  const named = changes.map((change) => ({ ...change, type: change.metric ?? change.type }));
  const judged = runs.flatMap(({ data }) => [...subtypesOf(data).map(metricOfSubtype), cpuTimeMetric]);
  const types = [...new Set([...written, ...judged, ...named.map(({ type }) => type)])].filter((type) => type !== "");
  const command = [text("cmd"), text("workload")].filter((word) => word !== "").join(" ");
  return {
    command,
    types,
    changes: named.filter((each) => each.result !== "NoChange" && !isUndecided(each)),
    source,
  };
}

/**
 * Replaces the outdated changes stored with the commit; writes only if something differs. A read-only store causes a
 * warning: the check itself does not need it.
 */
export function storeChanges(workspace: Workspace, version: VersionId, comparisons: readonly StoredComparison[]): void {
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
    if (
      !(error instanceof Failure) ||
      error.code !== "cannot-write" ||
      !readOnlyErrors.has(String(error.data["errno"]))
    )
      throw error;
    workspace.world.warn?.(`the changes found are not stored with commit ${version}: ${String(error.data["reason"])}`);
  }
}

const readOnlyErrors: ReadonlySet<string> = new Set(["EROFS", "EACCES", "EPERM"]);

/** Command and type as stored, and whether two arbitrary profiles were compared. */
function keyOf(command: string, type: string, isAnyTwo: boolean): string {
  return JSON.stringify([storedText(command), storedWord(type), isAnyTwo]);
}
