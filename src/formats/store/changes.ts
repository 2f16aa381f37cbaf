import { changeResults, type Change } from "../../core/verdicts/index.ts";
import { isVersionId, type VersionId } from "../../core/versions/index.ts";
import { floatText } from "../../core/values/index.ts";
import { compareByCodePoint } from "../text/index.ts";

/**
 * One line of a `.changes` file:
 * `<location> PerformanceChange.<result> <type> <from> <to> <rate> <confidence type> <confidence rate> <relative rate>
 * <version> <cmd>`. Only the location and the command line may hold blanks. `version` is the one compared with.
 */
const lineForm = /^(.+) PerformanceChange\.([A-Za-z]+) (\S+) (\S+) (\S+) ([^\s]+) (\S+) (\S+) (\S+) (\S+) (.+)$/;

/** A stored change. */
export interface StoredChange extends Change {
  /** The checked command and workload, separated by a blank. */
  readonly command: string;
  /** The original line, so that rewriting a file preserves the digits that others wrote. */
  readonly line: string;
}

export interface DecodedChanges {
  readonly changes: readonly StoredChange[];
  /**
   * Lines that do not parse (Perun writes some that it cannot read). They are preserved verbatim when the file is
   * rewritten.
   */
  readonly unparsed: readonly string[];
}

/** Never fails; lines that do not parse are returned in `unparsed`. */
export function decodeChanges(bytes: Uint8Array): DecodedChanges {
  const changes: StoredChange[] = [];
  const unparsed: string[] = [];
  for (const line of new TextDecoder().decode(bytes).split("\n")) {
    const change = parseLine(line);
    if (change) changes.push(change);
    else if (line.trim() !== "") unparsed.push(line);
  }
  return { changes, unparsed };
}

/**
 * The subject of a line without its result; checks replace lines with the same key. A line that does not parse is its
 * own key.
 */
export function changeKey(line: string): string {
  const change = parseLine(line);
  return change === null ? line : JSON.stringify([change.location, change.type, change.command]);
}

function parseLine(line: string): StoredChange | null {
  // Parsing is quadratic in the blanks of a line, so overlong lines are not parsed.
  const words = line.length > 100_000 ? null : lineForm.exec(line);
  if (!words) return null;
  const [
    ,
    location = "",
    word,
    type = "",
    from = "",
    to = "",
    rate,
    confidenceType = "",
    confidence,
    relative,
    version = "",
    command = "",
  ] = words;
  const result = changeResults.find((known) => known === word);
  const [rateOf, confidenceOf, relativeOf] = [numberOf(rate), numberOf(confidence), numberOf(relative)];
  if (!result || rateOf === null || confidenceOf === null || relativeOf === null || !isVersionId(version)) return null;
  const change = { location, result, type, from, to, rate: rateOf, relativeRate: relativeOf };
  return {
    ...change,
    confidence: { type: confidenceType, rate: confidenceOf },
    method: "",
    baseline: version,
    command,
    line,
  };
}

/** A number as Python's str() writes it. */
function numberOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const special = { inf: Infinity, "-inf": -Infinity, nan: NaN }[text];
  if (special !== undefined) return special;
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(text) ? Number(text) : null;
}

/**
 * A change to store, relative to `baseline` and for `command`. In fields that allow no blanks, a blank becomes `_` and
 * an empty text `-`. Perun writes blanks there but fails to read them.
 */
export function storedChange(change: Change, baseline: VersionId, command: string): StoredChange {
  const { rate, type: confidenceType } = change.confidence;
  const fields = [
    change.type,
    change.from,
    change.to,
    pythonNumber(change.rate),
    confidenceType,
    // Perun writes an integer for changes without a confidence.
    confidenceType === "no" && rate === 0 ? "0" : pythonNumber(rate),
    pythonNumber(change.relativeRate),
  ];
  const words = [
    storedText(change.location),
    `PerformanceChange.${change.result}`,
    ...fields.map(storedWord),
    baseline,
    storedText(command),
  ];
  return { ...change, baseline, command, line: words.join(" ") };
}

/** Encodes a field that must not contain blanks. */
export function storedWord(text: string): string {
  return text === "" ? "-" : text.replace(/\s/g, "_");
}

/** Encodes the location or the command. */
export function storedText(text: string): string {
  return text.trim() === "" ? "-" : text.replace(/[\r\n]+/g, " ");
}

function pythonNumber(value: number): string {
  return floatText(value).replace("Infinity", "inf").replace("NaN", "nan");
}

/** Lines sorted by bytes without a trailing newline, as Perun writes them. */
export function encodeChanges({ changes, unparsed }: DecodedChanges): Uint8Array {
  const lines = [...changes.map((change) => change.line), ...unparsed];
  return new TextEncoder().encode(lines.toSorted(compareByCodePoint).join("\n"));
}
