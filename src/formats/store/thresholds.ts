import { Failure } from "../../core/failures/index.ts";
import type { SubjectThreshold } from "../../core/verdicts/index.ts";
import { quoted } from "./triage-line.ts";

const opening = [
  "# Thresholds of checks, one entry for each number; perfkeep calibrate writes them (docs/calibrate.md).",
  "# level: false-positive rate of a history without changes. min-effect: smallest reported change, as a fraction.",
];

/** Field names in file order with the range of their numbers; null for a word. */
const fields: ReadonlyMap<string, readonly [number, number] | null> = new Map([
  ["method", null],
  ["level", [1e-12, 0.5] as const],
  ["min-effect", [0, 100] as const],
  ["compare-min-effect", [0, 100] as const],
]);

/**
 * Reads `perfkeep.thresholds.yml`, a subset of YAML with one block per entry: a key in double quotes (as in JSON) and a
 * colon at the start of a line, its fields below, indented by two blanks. Blank lines and comment lines are ignored.
 * Fails with `bad-threshold`, which names the line.
 */
export function decodeThresholds(text: string, file: string): SubjectThreshold[] {
  const blocks: Block[] = [];
  for (const [at, line] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    const location = { file, line: at + 1 };
    const text = line.replace(/[ \t\r]+$/, "");
    if (text === "" || text.trimStart().startsWith("#")) continue;
    if (/^(?:<{7}|={7}|>{7}|\|{7})/.test(text))
      throw lineError(location, "unresolved git conflict: keep one of both entries of each key, or calibrate again");
    if (text.startsWith('"')) blocks.push({ key: keyOf(text, location), location, values: new Map() });
    else addField(blocks.at(-1), text, location);
  }
  requireOnce(blocks);
  return blocks.map(thresholdOf);
}

interface LineLocation {
  readonly file: string;
  readonly line: number;
}

interface Block {
  readonly key: string;
  readonly location: LineLocation;
  readonly values: Map<string, string>;
}

function keyOf(text: string, location: LineLocation): string {
  const key = text.endsWith(":") ? unquoted(text.slice(0, -1)) : undefined;
  if (key === undefined || key === "")
    throw lineError(location, 'an entry begins with the key of a subject in double quotes and a colon: "KEY":');
  return key;
}

function unquoted(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function addField(block: Block | undefined, text: string, location: LineLocation): void {
  const [, name = "", value = ""] = /^ +([a-z-]{1,30}): +(\S{1,100})$/.exec(text) ?? [];
  if (name === "" || block === undefined)
    throw lineError(
      location,
      block === undefined
        ? "a subject key must precede the first field"
        : "a field is two blanks, a name, a colon and a value",
    );
  const range = fields.get(name);
  if (range === undefined)
    throw lineError(location, `unknown field '${name}': choose from ${[...fields.keys()].join(", ")}`);
  if (block.values.has(name)) throw lineError(location, `the entry has ${name} twice`);
  if (range !== null && !isWithin(value, range))
    throw lineError(location, `${name} is a number from ${range[0]} to ${range[1]}, not '${value}'`);
  if (range === null && !/^[\w.-]+$/.test(value))
    throw lineError(location, `${name} is the name of a detector, not '${value}'`);
  block.values.set(name, value);
}

function isWithin(text: string, [least, most]: readonly [number, number]): boolean {
  const value = /^\d{0,15}(?:\.\d{1,20})?(?:[eE][-+]?\d{1,2})?$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most;
}

/** Refuses duplicate keys, which a merge that keeps both sides can leave. */
function requireOnce(blocks: readonly Block[]): void {
  const first = new Map<string, Block>();
  for (const block of blocks) {
    const other = first.get(block.key);
    if (other !== undefined)
      throw lineError(block.location, `duplicate key, see line ${other.location.line}: keep one of both`);
    first.set(block.key, block);
  }
}

function thresholdOf({ key, location, values }: Block): SubjectThreshold {
  const [method, level, minEffect, compare] = [...fields.keys()].map((name) => values.get(name));
  if (method === undefined || minEffect === undefined)
    throw lineError(location, `the entry lacks ${method === undefined ? "method" : "min-effect"}`);
  const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text));
  return { key, method, level: numberOf(level), minEffect: Number(minEffect), compareMinEffect: numberOf(compare) };
}

/**
 * Prints the entries sorted by key with a blank line before each, which avoids merge conflicts between branches.
 */
export function encodeThresholds(all: readonly SubjectThreshold[]): string {
  const blocks = all
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, method, level, minEffect, compareMinEffect }) => {
      const values = [method, level, minEffect, compareMinEffect];
      const lines = [...fields.keys()].flatMap((name, at) =>
        values[at] === null ? [] : [`  ${name}: ${plain(values[at] as string | number)}`],
      );
      return ["", `${quoted(key)}:`, ...lines];
    });
  return `${[...opening, ...blocks.flat()].join("\n")}\n`;
}

/** Prints a number without an exponent, which YAML readers would parse as text. */
function plain(value: string | number): string {
  if (typeof value === "string") return value;
  const text = String(value);
  return text.includes("e") ? value.toFixed(20).replace(/0+$/, "") : text;
}

function lineError({ file, line }: LineLocation, reason: string): Failure {
  return new Failure("bad-threshold", { file, line, reason });
}
