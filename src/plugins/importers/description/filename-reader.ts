import { formatValue } from "../../../core/values/index.ts";
import { hasUnits, type Variable } from "../../../core/variables/index.ts";
import type { FilenameLocation } from "../../../formats/descriptions/index.ts";
import { compilePattern } from "../../../formats/text/index.ts";
import { valueTransform } from "./value-transform.ts";

/** Characters that end a value in a name, tried from the last to the first, after those of the location. */
const blanks = "\t\n\v\f\r ";

/** The text of a value in a path as the user typed it; undefined when the path has none. */
export type FilenameReader = (path: string) => string | undefined;

/**
 * Finds the text of the location's value in a path. Without a match, pattern or key, it searches for the inputs of the
 * maps and then for the valid values of the variable; what matches is the value. If there are none either, the value is
 * the whole name that `folder` selects. With `mode` boolean the result is `true` or `false`.
 */
export function filenameReader(location: FilenameLocation, variable: Variable): FilenameReader {
  const read = pathReader(location, variable);
  const { folder } = location;
  if (folder === undefined) return read;
  return (path) => {
    const name = nameAt(path, folder);
    return name === undefined ? undefined : read(name);
  };
}

/** The name of the file (0) or of the n-th folder above it, if the path has it. */
function nameAt(path: string, folder: number): string | undefined {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  const above = names.slice(-1 - folder);
  // The names of folders before `..` are not those above the file.
  return above.length <= folder || above.includes("..") ? undefined : above[0];
}

function pathReader(location: FilenameLocation, variable: Variable): FilenameReader {
  const marks = [
    ...location.matches.map((match) => matchMark(match, location)),
    ...location.patterns.map((source) => patternMark(source, location)),
    ...(location.keys ?? []).map((key) => keyMark(key, location)),
  ];
  const shape = valueTransform(location);
  if (marks.length === 0 && isWholeName(location, variable)) return shape;
  if (marks.length === 0) return keywordReader(location, variable, shape);
  const first = (path: string): string | undefined => {
    for (const mark of marks) {
      const value = mark(path);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  if (location.mode === "boolean") return (path) => String(first(path) !== undefined);
  const isShaped = (location.maps ?? []).length + (location.filters ?? []).length > 0;
  const cut = hasUnits(variable.type) && !isShaped ? numberWithUnit : (value: string): string => value;
  return (path) => {
    const value = first(path);
    return value === undefined ? undefined : shape(cut(value));
  };
}

/** A word directly after a number, which may be its unit, ends where the next part of the name begins. */
function numberWithUnit(text: string): string {
  return /^\D*\d[\d.,]*[A-Za-z\u00b5\u03bc%]+(?=[._,;-])/.exec(text)?.[0] ?? text;
}

function isWholeName({ folder, maps = [] }: FilenameLocation, { valid = [] }: Variable): boolean {
  return folder !== undefined && maps.length + valid.length === 0;
}

/**
 * The text after `key=` in one of the names of the path, the last of which loses its extensions. It ends at a comma,
 * semicolon, `&` or blank, and where a further `_key=` or `-key=` begins. The innermost name that has the key counts.
 */
function keyMark(key: string, { length }: FilenameLocation): FilenameReader {
  return (path) => {
    const names = path.split("/");
    names.push((names.pop() ?? "").replace(extensions, ""));
    for (const name of names.toReversed())
      for (const piece of name.split(pieceEnds)) {
        const value = valueOfKey(piece, key);
        if (value !== undefined && value !== "") return length ? value.slice(0, length) : value;
      }
    return undefined;
  };
}

/** The value of `key` in a piece such as `a=1_b=2` or `run-a=1`. */
function valueOfKey(piece: string, key: string): string | undefined {
  const sought = `${key}=`;
  let at = piece.indexOf(sought);
  while (at > 0 && !/[_-]/.test(piece.charAt(at - 1))) at = piece.indexOf(sought, at + 1);
  if (at < 0) return undefined;
  const rest = piece.slice(at + sought.length);
  const next = furtherKey.exec(rest);
  return next === null ? rest : rest.slice(0, next.index);
}

/** `.txt`, `.out.gz`; a piece that begins with a digit belongs to a number. */
const extensions = /(?:\.[A-Za-z]\w*)+$/;
const pieceEnds = /[,;&\s]+/;
const furtherKey = /[_-][A-Za-z]\w*=/;

function matchMark(match: FilenameLocation["matches"][number], location: FilenameLocation): FilenameReader {
  return (path) => {
    const end = match.fuzzy ? fuzzyEnd(path, match.text) : exactEnd(path, match.text);
    if (end < 0) return undefined;
    const rest = path.slice(end).trim();
    const stop = match.terminator ? rest.indexOf(match.terminator) : -1;
    return match.terminator ? (stop < 0 ? rest : rest.slice(0, stop)).trim() : cutOff(rest, location);
  };
}

function exactEnd(path: string, text: string): number {
  const at = path.indexOf(text);
  return at < 0 ? -1 : at + text.length;
}

/** The end of the text in the path, or -1. Case and underscores are ignored. */
function fuzzyEnd(path: string, text: string): number {
  const letters = [...path].flatMap((character, at) =>
    character === "_" ? [] : [{ character: character.toLowerCase(), at }],
  );
  const folded = letters.map((each) => each.character);
  const needle = [...text].filter((character) => character !== "_").map((character) => character.toLowerCase());
  const last = needle.length - 1;
  if (last < 0) return exactEnd(path, text);
  const begin = folded.findIndex((_, at) => needle.every((character, offset) => folded[at + offset] === character));
  if (begin < 0) return -1;
  const end = letters[begin + last];
  return end === undefined ? -1 : [...path].slice(0, end.at + 1).join("").length;
}

/** The first non-blank piece of the path after splitting it at the matches and their groups. */
function patternMark(source: string, location: FilenameLocation): FilenameReader {
  const pattern = compilePattern(source);
  return (path) => {
    const pieces: string[] = [];
    let at = 0;
    for (const { start, end, groups } of pattern.all(path)) {
      pieces.push(path.slice(at, start), ...groups.map((group) => group ?? ""));
      at = end;
    }
    if (at === 0 && pieces.length === 0) return undefined;
    const piece = [...pieces, path.slice(at)].find((each) => each.trim() !== "");
    return piece === undefined ? undefined : cutOff(piece.trim(), location);
  };
}

/** `len` characters, or up to the first blank; of the blanks that occur, the last in the list decides. */
function cutOff(text: string, { length, blanks: own = "" }: FilenameLocation): string {
  if (length !== undefined) return length === 0 ? text : text.slice(0, length);
  const blank = [...own, ...blanks].findLast((character) => text.includes(character));
  return blank === undefined ? text : (text.split(blank).find((piece) => piece !== "") ?? "");
}

function keywordReader(
  location: FilenameLocation,
  variable: Variable,
  shape: (text: string) => string,
): FilenameReader {
  const valid = (variable.valid ?? []).map((value) => formatValue(value, variable.type));
  const inputs = (location.maps ?? []).map(({ from }) => from);
  // Inputs of maps come first: short valid values may occur anywhere, such as `B` in `PMB-MPI-C`.
  const marks = [...inputs, ...valid.map((text) => ({ kind: "keyword" as const, text }))].map(
    (mark): FilenameReader => {
      if (mark.kind === "keyword")
        return (path) => (mark.text !== "" && path.includes(mark.text) ? mark.text : undefined);
      const pattern = compilePattern(mark.source);
      return (path) => {
        const match = pattern.search(path);
        return match && path.slice(match.start, match.end);
      };
    },
  );
  const first: FilenameReader = (path) =>
    marks.reduce<string | undefined>((found, mark) => found ?? mark(path), undefined);
  if (location.mode === "boolean") return (path) => String(first(path) !== undefined);
  return (path) => {
    const value = first(path);
    return value === undefined ? undefined : shape(value);
  };
}
