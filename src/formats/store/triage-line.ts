import { Failure } from "../../core/failures/index.ts";
import { nearest } from "../../core/text/index.ts";
import {
  scopeText,
  triageStates,
  type TriageEntry,
  type TriageScope,
  type TriageState,
} from "../../core/verdicts/index.ts";

/** Location of a line, for errors. */
export interface TriageLocation {
  readonly file: string;
  readonly line: number;
}

interface Scanner extends TriageLocation {
  readonly text: string;
  at: number;
}

/** Characters that can mislead a reviewer; they are written as escapes (CVE-2021-42574). */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const scopeForm = /^(?:\*|([0-9a-f]{7,64})|([0-9a-f]{7,64})?\.\.([0-9a-f]{7,64})?)$/;

/**
 * The entry of a line: `"KEY" SCOPE STATE NOTE`, with the new key after `renamed`. Fails with `bad-triage`.
 */
export function readTriageLine(text: string, location: TriageLocation): TriageEntry {
  const scanner = { ...location, text, at: 0 };
  const key = readKey(scanner, "a line begins with the key of a subject in double quotes");
  const scope = readScope(scanner);
  const state = readState(scanner);
  const to = state === "renamed" ? readKey(scanner, "after 'renamed' comes the new key in double quotes") : null;
  const isAny = scope.kind === "any";
  if (state === "renamed" && !isAny)
    throw triageError(location, 1, "a renamed key applies to every commit: write * after the key");
  if (state === "went-away" && isAny)
    throw triageError(location, 1, "went-away needs a commit: write its id after the key");
  return { key, scope, state, to, note: text.slice(scanner.at).trim() };
}

/** Prints an entry. Hidden characters become escapes in keys and blanks in notes. */
export function printTriageLine({ key, scope, state, to, note }: TriageEntry): string {
  const words = [
    quoted(key),
    scopeText(scope),
    state,
    ...(to === null ? [] : [quoted(to)]),
    note.replace(hidden, " ").trim(),
  ];
  return words.filter((word) => word !== "").join(" ");
}

/** Quotes a text as in JSON with hidden characters as escapes. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(hidden, (char) =>
    Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""),
  );
}

function readKey(scanner: Scanner, expected: string): string {
  const from = skipBlanks(scanner);
  if (scanner.text[from] !== '"') throw triageError(scanner, from + 1, expected);
  const end = endOfQuoted(scanner.text, from + 1);
  if (end < 0) throw triageError(scanner, from + 1, "a double quote is not closed");
  scanner.at = end + 1;
  const next = scanner.text[scanner.at];
  if (next !== undefined && !isBlank(next))
    throw triageError(scanner, scanner.at + 1, "a blank must follow the closing double quote");
  const key = unquoted(scanner.text.slice(from, scanner.at));
  if (key === undefined)
    throw triageError(
      scanner,
      from + 1,
      'the key has an escape that JSON does not know; a backslash is written as \\\\, a double quote as \\"',
    );
  if (key === "") throw triageError(scanner, from + 1, "the key is empty");
  return key;
}

function endOfQuoted(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '"') return at;
    if (text[at] === "\\") at += 1;
  }
  return -1;
}

function unquoted(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

function readScope(scanner: Scanner): TriageScope {
  const { word, from } = readWord(scanner);
  const [found, version, after, until] = scopeForm.exec(word) ?? [];
  if (word === "..")
    throw triageError(scanner, from + 1, "a range has an end: A..B, A.. or ..B; write * for every version");
  if (found === undefined)
    throw triageError(
      scanner,
      from + 1,
      `'${word.slice(0, 80)}' is not a commit: write *, an id of at least 7 digits, or a range A..B`,
    );
  if (word === "*") return { kind: "any" };
  return version === undefined
    ? { kind: "range", after: after ?? null, until: until ?? null }
    : { kind: "version", version };
}

function readState(scanner: Scanner): TriageState {
  const { word, from } = readWord(scanner);
  const plain = word.replace(/:$/, "");
  const state = triageStates.find((known) => known === plain);
  if (state) return state;
  const [near] = nearest(plain.slice(0, 40), triageStates);
  const advice = near === undefined ? `choose from ${triageStates.join(", ")}` : `did you mean ${near}?`;
  throw triageError(scanner, from + 1, `unknown state '${word.slice(0, 80)}': ${advice}`);
}

function readWord(scanner: Scanner): { readonly word: string; readonly from: number } {
  const from = skipBlanks(scanner);
  while (scanner.at < scanner.text.length && !isBlank(scanner.text[scanner.at])) scanner.at += 1;
  return { word: scanner.text.slice(from, scanner.at), from };
}

function skipBlanks(scanner: Scanner): number {
  while (isBlank(scanner.text[scanner.at])) scanner.at += 1;
  return scanner.at;
}

function isBlank(char: string | undefined): boolean {
  return char === " " || char === "\t";
}

function triageError({ file, line }: TriageLocation, column: number, reason: string): Failure {
  return new Failure("bad-triage", { file, line, column, reason });
}
