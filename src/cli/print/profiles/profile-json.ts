import type { ProfileCheck } from "../../../commands/verdicts/index.ts";
import type { ListedProfile } from "../../../core/profiles/index.ts";
import { isoTime } from "../date.ts";

/** A profile in JSON; `time` stays in Unix seconds, as in Perun's index, and `modified` is the same in ISO 8601. */
export function profileJson(profile: ListedProfile): object {
  return { ...profile, modified: isoTime(profile.time) };
}

/** A check in JSON: its profiles with their times in ISO 8601. */
export function checkJson({ profile, baseline, ...check }: ProfileCheck): object {
  const compared = baseline === null ? null : { ...baseline, profile: profileJson(baseline.profile) };
  return { profile: profileJson(profile), baseline: compared, ...check };
}
