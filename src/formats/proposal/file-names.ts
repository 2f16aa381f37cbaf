import { escapePattern } from "./numbers.ts";
import type { SampleText } from "./sample.ts";

/** A value in the paths of the samples. */
export interface PathPart {
  readonly heading: string;
  /** The group is the value; the pattern begins at the beginning of the path. */
  readonly pattern: string;
  /** True: in every path that has it, the value is all that follows `heading=` in its name. */
  readonly isKey: boolean;
  readonly type: "number" | "text";
  /** One per sample; undefined where its path has none. */
  readonly values: readonly (string | undefined)[];
}

/** Keys that a single sample is enough for. */
const usualKeys = /^(?:n|np|nn|nodes?|procs?|ranks?|threads?|tasks?|ppn|cores?|run|rep|iter|size|bs|n?gpus?)$/i;
const number = String.raw`[0-9]+(?:\.[0-9]+)?`;
const start = String.raw`^(?:.*[/_.,+ -])?`;
const end = String.raw`(?:[/_.,+ -]|$)`;

/** The values in paths: `nodes=4/`, `np16_run3.log`, `threads-8`. Among several samples they have to vary. */
export function pathParts(samples: readonly SampleText[]): PathPart[] {
  const keys = new Map<string, { readonly separator: string; readonly isAfter?: true; readonly isText?: true }>();
  for (const { name } of samples) for (const [key, how] of keysIn(name)) if (!keys.has(key)) keys.set(key, how);
  return [...keys].flatMap(([key, { separator, isAfter, isText }]) => {
    const value = isText ? "([^/_,+ ]+?)" : `(${number})`;
    const word = `${escapePattern(key)}${escapePattern(separator)}`;
    const tail = isText ? String.raw`(?:[/_,+ ]|\.[A-Za-z]+$|$)` : end;
    const pattern = isAfter ? `${start}${value}${escapePattern(key)}${end}` : `${start}${word}${value}${tail}`;
    const values = samples.map(({ name }) => new RegExp(pattern).exec(name)?.[1]);
    const distinct = new Set(values);
    const isUseful = samples.length === 1 ? separator === "=" || usualKeys.test(key) : distinct.size > 1;
    const type = values.every((each) => each === undefined || /^[\d.]+$/.test(each)) ? "number" : "text";
    const isKey = separator === "=" && samples.every(({ name }, at) => isWholeValue(name, key, values[at]));
    return isUseful && distinct.size > 0 ? [{ heading: key, pattern, isKey, type, values } as const] : [];
  });
}

/** True when the innermost name of the path that has the key has nothing but the value after it. */
function isWholeValue(path: string, key: string, value: string | undefined): boolean {
  const name = path.split("/").findLast((each) => each.includes(`${key}=`));
  return name === undefined ? value === undefined : name === `${key}=${value}`;
}

type Key = readonly [string, { readonly separator: string; readonly isAfter?: true; readonly isText?: true }];

function keysIn(path: string): Key[] {
  const keys: Key[] = [];
  for (const part of path.split("/").filter((each) => each !== "" && each !== "." && each !== "..")) {
    for (const [, key = "", value = ""] of part.matchAll(/(?:^|[_,+ .-])(\p{L}[\p{L}\p{N}]*)=([^_,+ ]+)/gu))
      keys.push([key, { separator: "=", ...(/^\d+(?:\.\d+)?$/.test(value) ? {} : { isText: true as const }) }]);
    const rest = part.replaceAll(/\p{L}[\p{L}\p{N}]*=[^_,+ ]+/gu, "");
    const pieces = rest.replace(/\.[A-Za-z]+$/, "").split(/[_,+ -]/);
    pieces.forEach((piece, at) => keys.push(...keyOf(piece, pieces[at - 1], rest)));
  }
  return keys;
}

/** `np16`, `16nodes`, and `np` before `16`. Lone numbers have no name. */
function keyOf(piece: string, before: string | undefined, part: string): Key[] {
  const [, letters = "", digits = "", unit = ""] = /^(\p{L}*)(\d+(?:\.\d+)?)(\p{L}*)$/u.exec(piece) ?? [];
  if (digits === "" || /^v$/i.test(letters)) return [];
  if (letters !== "" && unit === "") return [[letters, { separator: "" }]];
  if (letters === "" && unit.length > 1) return [[unit, { separator: "", isAfter: true }]];
  const separator = before === undefined ? undefined : part[part.indexOf(before) + before.length];
  return letters === "" && unit === "" && before !== undefined && /^\p{L}{1,12}$/u.test(before)
    ? [[before, { separator: separator ?? "_" }]]
    : [];
}
