import { printedNumber, scaledNumber } from "../text/parse-quantity.ts";

/** One line of results of a Go benchmark: a name, how often it ran, and any number of values with units. */
export interface GoResult {
  readonly line: number;
  /** Without the word Benchmark: `Encode/format=json-48`. */
  readonly name: string;
  /** The name without its parts: `Encode`. */
  readonly base: string;
  /** Parts `/key=value`; a part without a key is named by its place: `1`. */
  readonly parameters: ReadonlyMap<string, string>;
  /** GOMAXPROCS, the number that ends the name; null: none does. */
  readonly processors: number | null;
  readonly iterations: number;
  /** Tidied: seconds and bytes per second instead of ns and MB/s. */
  readonly values: readonly GoValue[];
  /** The configuration lines in force, such as goos and pkg. */
  readonly configuration: ReadonlyMap<string, string>;
}

export interface GoValue {
  readonly value: number;
  readonly unit: string;
}

/** What `Unit` lines say of units. */
export interface GoUnit {
  readonly better?: "lower" | "higher";
  readonly exact: boolean;
}

export interface GoBenchmarks {
  readonly results: readonly GoResult[];
  readonly units: ReadonlyMap<string, GoUnit>;
}

const resultLine = /^Benchmark[^\sa-z]/;
const configurationLine = /^([a-z][^\sA-Z:]*):[ \t]*(.*)$/;

/** The name and the tab of a line whose count did not follow, and what follows in the end. */
const interrupted = /^(Benchmark[^\sa-z]\S{0,2000} {0,200}\t)(?! *\d+\t)/;
const restOfLine = /^ {0,10}\d{1,15}\t {0,20}[\d.]/;

/** Longer lines are no results. */
const maxLineLength = 10_000;

/**
 * Further keys of a configuration are passed over: no real one has a tenth of this, and every change of one is a copy.
 */
const maxKeys = 100;

/** True where a text has a line of results. */
export function isGoBenchmark(text: string): boolean {
  return joinedLines(text).some((line) => resultOf(line, 1, new Map()) !== null);
}

/**
 * Results of `go test -bench` (design 14313 of Go, "Go Benchmark Data Format"); lines of other kinds are passed over.
 */
export function readGoBenchmarks(text: string): GoBenchmarks {
  const results: GoResult[] = [];
  const units = new Map<string, GoUnit>();
  let configuration: ReadonlyMap<string, string> = new Map();
  joinedLines(text).forEach((line, at) => {
    const [, key, value = ""] = configurationLine.exec(line) ?? [];
    if (key !== undefined) configuration = withConfiguration(configuration, key, value.trim());
    else if (line.startsWith("Unit ")) readUnit(line, units);
    else {
      const result = resultOf(line, at + 1, configuration);
      if (result !== null) results.push(result);
    }
  });
  return { results, units };
}

/** Results keep the configuration that they have met. A key without a content is taken back. */
function withConfiguration(
  configuration: ReadonlyMap<string, string>,
  key: string,
  value: string,
): ReadonlyMap<string, string> {
  if (value === "")
    return configuration.has(key) ? new Map([...configuration].filter(([each]) => each !== key)) : configuration;
  const known = configuration.get(key);
  if (known === value || (known === undefined && configuration.size >= maxKeys)) return configuration;
  return new Map([...configuration, [key, value]]);
}

/**
 * Of a benchmark that prints, the name stands before what it printed, and the result behind it on a line of its own:
 * they are joined there.
 */
function joinedLines(text: string): string[] {
  let name = "";
  return text.split(/\r?\n/).map((line) => {
    if (line.length > maxLineLength) return "";
    const [, begun] = interrupted.exec(line) ?? [];
    const isRest = name !== "" && restOfLine.test(line);
    const whole = isRest ? name + line : line;
    if (isRest || line.startsWith("Benchmark")) name = begun ?? "";
    return whole;
  });
}

function resultOf(line: string, at: number, configuration: ReadonlyMap<string, string>): GoResult | null {
  if (!resultLine.test(line)) return null;
  const [full = "", count = "", ...rest] = line.trim().split(/\s+/);
  if (!/^\d{1,15}$/.test(count) || rest.length < 2 || rest.length % 2 !== 0) return null;
  const values = rest.flatMap((word, i) => (i % 2 === 0 ? [baseUnitValue(word, rest[i + 1] ?? "")] : []));
  if (values.some(({ value }) => !Number.isFinite(value))) return null;
  return { line: at, ...nameOf(full.slice("Benchmark".length)), iterations: Number(count), values, configuration };
}

function baseUnitValue(word: string, unit: string): GoValue {
  const [, prefix = "", small, rest = ""] = /^(.*-)?(ns|MB)(\/.*)?$/.exec(unit) ?? [];
  if (small === "ns") return { value: scaledNumber(word, -9), unit: `${prefix}sec${rest}` };
  return small === "MB"
    ? { value: scaledNumber(word, 6), unit: `${prefix}B${rest}` }
    : { value: printedNumber(word), unit };
}

function nameOf(name: string): Pick<GoResult, "name" | "base" | "parameters" | "processors"> {
  const processors = /-(\d{1,6})$/.exec(name)?.[1];
  const plain = processors === undefined ? name : name.slice(0, -processors.length - 1);
  const [base = "", ...parts] = plain.split("/");
  const parameters = new Map(
    parts.map((part, at): [string, string] => {
      const equals = part.indexOf("=");
      return equals > 0 ? [part.slice(0, equals), part.slice(equals + 1)] : [String(at + 1), part];
    }),
  );
  return { name, base, parameters, processors: processors === undefined ? null : Number(processors) };
}

/** `Unit ns/op better=lower assume=exact`; what it says of the untidied unit holds for the tidied one. */
function readUnit(line: string, units: Map<string, GoUnit>): void {
  const [, name = "", ...words] = line.trim().split(/\s+/);
  const { unit } = baseUnitValue("0", name);
  const before = units.get(unit) ?? { exact: false };
  const better = words.includes("better=higher") ? "higher" : words.includes("better=lower") ? "lower" : undefined;
  units.set(unit, {
    ...before,
    ...(better === undefined ? {} : { better }),
    exact: before.exact || words.includes("assume=exact"),
  });
}

/** What is told of an event; the others pass by. */
interface Event {
  readonly package: string;
  readonly output: string;
}

/**
 * The text that `go test -json` wraps into events (test2json of Go): the output of each package as a whole, since
 * packages are tested side by side. Lines that are no events stay in front of it; a text without events is itself.
 */
export function goTestText(lines: readonly string[]): string {
  if (!lines.some((line) => eventIn(line) !== undefined)) return lines.join("\n");
  const outputs = new Map<string, string[]>([["", []]]);
  for (const line of lines) {
    const event = eventIn(line);
    const name = event?.package ?? "";
    const output = event?.output ?? `${line}\n`;
    const known = outputs.get(name);
    if (known === undefined) outputs.set(name, [output]);
    else known.push(output);
  }
  return [...outputs.values()].map((parts) => parts.join("")).join("\n");
}

function eventIn(line: string): Event | undefined {
  if (!line.startsWith("{") || !line.includes('"Action":"output"')) return undefined;
  const { Package: name, Output: output } = membersOf(line);
  return typeof output === "string" ? { package: typeof name === "string" ? name : "", output } : undefined;
}

function membersOf(line: string): { readonly Package?: unknown; readonly Output?: unknown } {
  try {
    return JSON.parse(line) as object;
  } catch {
    return {};
  }
}
