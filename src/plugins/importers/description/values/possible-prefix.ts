import { hasUnits, type Variable } from "../../../../core/variables/index.ts";
import type { Cut } from "../../../../formats/descriptions/index.ts";

/** A number and, after a blank, a letter that multiplies numbers: `5 K`, `3.2 Mi`. */
const prefixed = String.raw`([+-]?(?:\d[\d.,]*|\.\d+)(?:[eE][+-]?\d+)?)[ \t\u00a0]+([kKMGTP]i?)(?=[\s,;)\]}|.]|$)`;
const prefixedFirst = new RegExp(String.raw`^[\s([{<|=:]*${prefixed}`);
const prefixedLast = new RegExp(String.raw`(?:^|\s)${prefixed}\s*$`);

/** Characters that are searched next to a mark. */
const longest = 60;

/** Whether a bare prefix after the numbers of a variable is none of their unit and may change them. */
export function mayHavePrefix(
  { type, unit }: Pick<Variable, "type" | "unit">,
  { prefixes, unit: given, scale, length, filters = [], maps = [] }: Cut,
): boolean {
  const isGiven = [unit, prefixes, given, scale, length].some((each) => each !== undefined);
  return hasUnits(type) && !isGiven && filters.length + maps.length === 0;
}

/** Why the number next to a mark may be a thousand times larger, or more. `leads`: it precedes its mark. */
export function possiblePrefix(
  text: string,
  variable: Pick<Variable, "type" | "unit">,
  cut: Cut,
  leads = false,
): string | undefined {
  if (!mayHavePrefix(variable, cut)) return undefined;
  const [, digits, prefix] =
    (leads ? prefixedLast.exec(text.slice(-longest)) : prefixedFirst.exec(text.slice(0, longest))) ?? [];
  return digits === undefined || prefix === undefined ? undefined : prefixDoubt(digits, prefix);
}

/** The doubt about a number with a prefix after it. */
export function prefixDoubt(digits: string, prefix: string): string {
  return `'${digits} ${prefix}' may have a prefix: ${digits} is read; give prefixes=decimal or binary`;
}
