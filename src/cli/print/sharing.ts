import { counted } from "../../core/counted.ts";
import type { RemoteStanding } from "../../workspace/share/remote-standings.ts";
import { localTime } from "../../workspace/local-time.ts";
import type { Medium } from "./medium.ts";

/** `Shared with origin, as of 2026-11-22 16:40:00: 2 profiles to push; 3 profiles to pull`. */
export function sharingLine(
  { remote, asOf, push, pull, experimentsWritten }: RemoteStanding,
  { shown }: Pick<Medium, "shown">,
): string {
  const both =
    push === null || pull === null
      ? ["too much has changed since, perfkeep push --dry-run tells"]
      : [toDo(push, "push"), toDo(pull, "pull")];
  const written = experimentsWritten ? ["experiments were written since"] : [];
  const what = [...both, ...written].filter((each) => each !== "").join("; ");
  return `Shared with ${shown(remote)}, as of ${localTime(asOf)}: ${what || "nothing to push or pull"}`;
}

function toDo(counts: NonNullable<RemoteStanding["push"]>, way: "push" | "pull"): string {
  const { profiles, removals, changedVersions, experimentChanges } = counts;
  const named = [
    [profiles, "profile", "profiles"],
    [removals, "removal", "removals"],
    [changedVersions, "version with changes", "versions with changes"],
    [experimentChanges, "change of an experiment", "changes of experiments"],
  ] as const;
  const told = named.filter(([count]) => count > 0).map(([count, one, many]) => counted(count, one, many));
  return told.length === 0 ? "" : `${told.join(", ")} to ${way}`;
}
