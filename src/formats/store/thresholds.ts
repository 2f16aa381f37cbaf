import { Failure } from "../../core/failures/failure.ts";
import type { SubjectThreshold } from "../../core/verdicts/thresholds.ts";
import { quoted } from "./triage-line.ts";

const opening = [
  "# Thresholds of checks, one entry for each number; perfkeep calibrate writes them (docs/calibrate.md).",
  "# level: how likely a history without a change may show one. min-effect: lesser changes do not count, shares of 1.",
];

/** Names of fields, in the order in which they are written, with the range of their numbers; null: a word. */
const fields: ReadonlyMap<string, readonly [number, number] | null> = new Map([
  ["method", null],
  ["level", [1e-12, 0.5] as const],
  ["min-effect", [0, 100] as const],
  ["compare-min-effect", [0, 100] as const],
]);

/**
 * Reads `perfkeep.thresholds.yml`: a plain part of YAML, an entry a block. A key in double quotes (rules of JSON) and a
 * colon at the beginning of a line, its fields below, two blanks further in; blank lines and lines of comments. Fails
 * with `bad-threshold`, naming the line.
 */
export function decodeThresholds(text: string, file: string): SubjectThreshold[] {
  const blocks: Block[] = [];
  for (const [at, line] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    const place = { file, line: at + 1 };
    const content = line.replace(/[ \t\r]+$/, "");
    if (content === "" || content.trimStart().startsWith("#")) continue;
    if (/^(?:<{7}|={7}|>{7}|\|{7})/.test(content))
      throw bad(place, "git left a conflict here: keep one of both entries of each key, or calibrate again");
    if (content.startsWith('"')) blocks.push({ key: keyOf(content, place), place, values: new Map() });
    else addField(blocks.at(-1), content, place);
  }
  requireOnce(blocks);
  return blocks.map(thresholdOf);
}

interface Place {
  readonly file: string;
  readonly line: number;
}

interface Block {
  readonly key: string;
  readonly place: Place;
  readonly values: Map<string, string>;
}

function keyOf(content: string, place: Place): string {
  const key = content.endsWith(":") ? unquoted(content.slice(0, -1)) : undefined;
  if (key === undefined || key === "")
    throw bad(place, 'an entry begins with the key of a subject in double quotes and a colon: "KEY":');
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

function addField(block: Block | undefined, content: string, place: Place): void {
  const [, name = "", value = ""] = /^ +([a-z-]{1,30}): +(\S{1,100})$/.exec(content) ?? [];
  if (name === "" || block === undefined)
    throw bad(
      place,
      block === undefined
        ? "before the first field stands the key of its subject"
        : "a field is two blanks, a name, a colon and a value",
    );
  const range = fields.get(name);
  if (range === undefined) throw bad(place, `unknown field '${name}': choose from ${[...fields.keys()].join(", ")}`);
  if (block.values.has(name)) throw bad(place, `the entry has ${name} twice`);
  if (range !== null && !isWithin(value, range))
    throw bad(place, `${name} is a number from ${range[0]} to ${range[1]}, not '${value}'`);
  if (range === null && !/^[\w.-]+$/.test(value)) throw bad(place, `${name} is the name of a detector, not '${value}'`);
  block.values.set(name, value);
}

function isWithin(text: string, [least, most]: readonly [number, number]): boolean {
  const value = /^\d{0,15}(?:\.\d{1,20})?(?:[eE][-+]?\d{1,2})?$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most;
}

/** Two of one key are left by a merge that kept both; which one is meant nobody can tell. */
function requireOnce(blocks: readonly Block[]): void {
  const first = new Map<string, Block>();
  for (const block of blocks) {
    const other = first.get(block.key);
    if (other !== undefined)
      throw bad(block.place, `the key has an entry already, in line ${other.place.line}: keep one of both`);
    first.set(block.key, block);
  }
}

function thresholdOf({ key, place, values }: Block): SubjectThreshold {
  const [method, level, minEffect, compare] = [...fields.keys()].map((name) => values.get(name));
  if (method === undefined || minEffect === undefined)
    throw bad(place, `the entry lacks ${method === undefined ? "method" : "min-effect"}`);
  const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text));
  return { key, method, level: numberOf(level), minEffect: Number(minEffect), compareMinEffect: numberOf(compare) };
}

/**
 * The file with these entries, sorted by key, a blank line before each: that is how changes of two branches stay apart.
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

/** Without an exponent, which readers of YAML take for a text. */
function plain(value: string | number): string {
  if (typeof value === "string") return value;
  const text = String(value);
  return text.includes("e") ? value.toFixed(20).replace(/0+$/, "") : text;
}

function bad({ file, line }: Place, reason: string): Failure {
  return new Failure("bad-threshold", { file, line, reason });
}
