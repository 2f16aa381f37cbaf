import { Failure } from "../../core/failures/index.ts";
import type { StackProfile } from "../../core/profiles/index.ts";

/**
 * The index of a quantity in the types of a profile, by its name or `name/unit`; the main one by default and for
 * `amount`. Fails with `unknown-value-type`.
 */
export function typeNamed({ types, main }: StackProfile, wanted: string | undefined): number {
  if (wanted === undefined || wanted === "amount") return main;
  const at = types.findIndex(({ name, unit }) => name === wanted || `${name}/${unit}` === wanted);
  if (at >= 0) return at;
  throw new Failure("unknown-value-type", {
    file: "the profile",
    type: wanted,
    choices: types.map(({ name, unit }) => `${name}/${unit}`),
  });
}
