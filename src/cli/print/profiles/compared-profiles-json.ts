import { comparedJson } from "../../../core/figures/index.ts";
import type { ComparedProfiles } from "../../../core/profiles/index.ts";
import { commitJson } from "../commit-json.ts";

/** The JSON form of two compared profiles: `compared` of `perfkeep.diff/2`. */
export function comparedProfilesJson(compared: ComparedProfiles): object {
  const { base, target, otherMachine } = compared;
  const { otherMachine: _renamed, ...json } = { ...comparedJson(compared), otherMachine };
  return { ...json, base: commitJson(base), target: commitJson(target), differentMachine: otherMachine };
}
