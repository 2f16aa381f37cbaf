import { unitAt } from "../experiment/experiment-variable.ts";
import type { NamedLocation } from "./input-description.ts";
import type { ValueMap, Cut, Effects, RowUpdate } from "./location-parts.ts";
import type { LineWords } from "../line-words.ts";
import { notationKeys, notationTexts, readNotation } from "./value-notation.ts";

export const cutWords = [
  "len",
  "ws",
  "ignore",
  "unit",
  "scale",
  ...notationKeys,
  "escapes",
  "filter",
  "filter_i",
  "map",
  "map_regexp",
];
export const effectWords = ["run", "store", "sticky", "retrigger", "update"];
export const repeatableWords = ["filter", "filter_i", "map", "map_regexp"];

/** Reads how a text is converted to a value. */
export function readCut(words: LineWords): Cut {
  const length = words.number("len");
  const unit = words.one("unit");
  const scale = readScale(words);
  const filters = words
    .all("filter", "filter_i")
    .map((word) => ({ source: words.pattern(word), ignoreCase: word.key === "filter_i" }));
  const maps = readMaps(words);
  return {
    ...(length === undefined ? {} : { length }),
    ...readBlanks(words),
    ...(unit ? { unit: unit.text === "text" ? "text" : unitAt(words.line, unit) } : {}),
    ...(scale === undefined ? {} : { scale }),
    ...readNotation(
      (key) => words.one(key)?.text,
      (key, problem) => words.error(words.one(key) ?? words, problem),
    ),
    ...(words.flag("escapes") ? { escapes: true } : {}),
    ...(filters.length > 0 ? { filters } : {}),
    ...(maps.length > 0 ? { maps } : {}),
  };
}

function readBlanks(words: LineWords): Pick<Cut, "blanks"> {
  const [ws, ignore] = [words.one("ws"), words.one("ignore")];
  if (ws && ignore) throw words.error(ignore, "ws and ignore are the same, give one");
  const blanks = (ws ?? ignore)?.text.replaceAll(/\s/g, "");
  return blanks ? { blanks } : {};
}

function readScale(words: LineWords): number | undefined {
  const word = words.one("scale");
  if (!word) return undefined;
  const scale = word.text.trim() === "" ? Number.NaN : Number(word.text);
  if (Number.isFinite(scale)) return scale + 0;
  throw words.error(word, `scale '${word.text.slice(0, 80)}' is not a number`);
}

/** `map={in,out}` and `map_regexp={pattern,out}`, any number of them. */
export function readMaps(words: LineWords): ValueMap[] {
  return words.all("map", "map_regexp").map((word) => {
    const [from, to, more] = word.list ?? [];
    if (from === undefined || to === undefined || more !== undefined)
      throw words.error(word, `${word.key} needs two values, as in ${word.key}={off,no}`);
    if (word.key === "map_regexp")
      return { from: { kind: "pattern", source: words.pattern(word, words.filled({ ...word, text: from })) }, to };
    return { from: { kind: "keyword", text: words.filled({ ...word, text: from }) }, to };
  });
}

export function readEffects(words: LineWords): Effects {
  return { ...(words.flag("run") ? { startsRun: true } : {}), ...readRowEffects(words) };
}

/** Effects on rows, without the effect on runs. */
export function readRowEffects(words: LineWords): Omit<Effects, "startsRun"> {
  const retrigger = words.choice("retrigger", ["yes", "no", "auto"]) ?? "auto";
  return {
    ...(words.flag("store") ? { storesRow: true } : {}),
    ...readUpdate(words),
    ...(words.flag("sticky") === false ? { sticky: false } : {}),
    ...(retrigger === "auto" ? {} : { retrigger: retrigger === "yes" }),
  };
}

export function readUpdate(words: LineWords): { update?: RowUpdate } {
  const update = words.choice("update", ["yes", "auto", "no"]) ?? "no";
  return update === "no" ? {} : { update };
}

const valueDescriptors = [
  "len",
  "scale",
  "unit",
  ...notationKeys,
  "escapes",
  "filter",
  "map",
  "lines",
  "content",
  "begin",
];

/** The conflict between properties of a named location, worded for both syntaxes; undefined if there is none. */
export function namedProblem(location: NamedLocation): string | undefined {
  const { mode, lines, block, leads, length, scale, unit, escapes, filters, maps } = location;
  const notation = notationTexts(location);
  const numbers = scale !== undefined || unit !== undefined || notation.length > 0;
  const texts = length !== undefined || escapes || filters !== undefined || maps !== undefined;
  const whole = lines !== undefined || block !== undefined;
  if (mode !== undefined && mode !== "accumulate" && (numbers || texts || whole || leads))
    return `mode ${mode} takes no value: it excludes ${valueDescriptors.join(", ")} and end`;
  if (mode === "accumulate" && whole) return "mode accumulate takes numbers, not lines or blocks of text";
  if (lines !== undefined && block) return "lines and marks of begin and end exclude each other";
  if (whole && (numbers || length !== undefined || leads))
    return `lines exclude len, scale, unit, ${notationKeys.join(", ")} or content`;
  if (block && location.aliases.length + location.patterns.length + (location.matches?.length ?? 0) > 0)
    return "a block between begin and end has no other marks";
  return undefined;
}
