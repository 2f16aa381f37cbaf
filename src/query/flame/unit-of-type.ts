import { isFailure } from "../../core/errors.ts";
import { parseUnit, type Unit } from "../../core/unit.ts";

/** The words of profilers for units that we call otherwise. */
const words: ReadonlyMap<string, string> = new Map([
  ["nanoseconds", "ns"],
  ["microseconds", "us"],
  ["milliseconds", "ms"],
  ["seconds", "s"],
  ["bytes", "Byte"],
  ["kilobytes", "kByte"],
  ["megabytes", "MByte"],
]);

/** The unit of a quantity of samples; undefined where it is a count or a word that nobody knows. */
export function unitOfType(word: string): Unit | undefined {
  if (word === "count" || word === "" || word === "none") return undefined;
  try {
    return parseUnit(words.get(word) ?? word);
  } catch (error) {
    if (isFailure(error, "unknown-unit")) return undefined;
    throw error;
  }
}
