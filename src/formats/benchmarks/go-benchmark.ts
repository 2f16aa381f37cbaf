import { printedNumber, scaledNumber } from "../text/index.ts";

/** A result line of a Go benchmark: name, iterations, and any number of values with units. */
export interface GoResult {
  readonly line: number;
  /** Without the prefix `Benchmark`: `Encode/format=json-48`. */
  readonly name: string;
  /** The name without parts: `Encode`. */
  readonly base: string;
  /** Parts `/key=value`; the key of a part without one is its number: `1`. */
  readonly parameters: ReadonlyMap<string, string>;
  /** GOMAXPROCS, the number at the end of the name; null if there is none. */
  readonly processors: number | null;
  readonly iterations: number;
  /** Tidied: seconds and bytes per second instead of ns and MB/s, as benchstat does. */
  readonly values: readonly GoValue[];
  /** Values that are no finite numbers, as printed: `NaN ns/op`. */
  readonly unusable: readonly string[];
  /** The configuration lines in force, such as goos and pkg. */
  readonly configuration: ReadonlyMap<string, string>;
}

export interface GoValue {
  readonly value: number;
  readonly unit: string;
}

/** Properties of a unit, from `Unit` lines. */
export interface GoUnit {
  readonly better?: "lower" | "higher";
  readonly exact: boolean;
}

export interface GoBenchmarks {
  readonly results: readonly GoResult[];
  readonly units: ReadonlyMap<string, GoUnit>;
}

const resultLine = /^Benchmark[^\sa-z]/;
/**
 * The format asks for an upper-case letter after `Benchmark`, but other frameworks print `Benchmarka`; with a time or
 * amount per operation such a line cannot be a sentence.
 */
const otherResultLine = /^Benchmark\S{1,2000}\s+\d{1,15}\s.*\d\s+[A-Za-z]{1,20}\/op(?:\s|$)/;
const configurationLine = /^([a-z][^\sA-Z:]*):[ \t]*(.*)$/;

/** A name and tab without the count that should follow, and the line with the rest. */
const interrupted = /^(Benchmark[^\sa-z]\S{0,2000} {0,200}\t)(?! *\d+\t)/;
const restOfLine = /^ {0,10}\d{1,15}\t {0,20}[\d.]/;

/** Longer lines are ignored. */
const maxLineLength = 10_000;

/**
 * Maximum number of configuration keys; further ones are ignored, because each change copies the configuration.
 */
const maxKeys = 100;

/** Whether a text has a result line. */
export function isGoBenchmark(text: string): boolean {
  return joinedLines(text).some((line) => resultOf(line, 1, new Map()) !== null);
}

/**
 * Reads the results of `go test -bench` (Go design 14313, "Go Benchmark Data Format"); other lines are ignored.
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

/** The configuration with a changed key; an empty value removes the key. Results keep the previous configuration. */
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
 * If a benchmark prints, its output separates the name from the rest of the result line. This rejoins them on the line
 * of the rest.
 */
function joinedLines(text: string): string[] {
  let name = "";
  return text.split(/\r?\n/).map((line) => {
    if (line.length > maxLineLength) return "";
    const [, interruptedName] = interrupted.exec(line) ?? [];
    const isRest = name !== "" && restOfLine.test(line);
    const joined = isRest ? name + line : line;
    if (isRest || line.startsWith("Benchmark")) name = interruptedName ?? "";
    return joined;
  });
}

function resultOf(line: string, at: number, configuration: ReadonlyMap<string, string>): GoResult | null {
  if (!resultLine.test(line) && !otherResultLine.test(line)) return null;
  const [full = "", count = "", ...rest] = line.trim().split(/\s+/);
  if (!/^\d{1,15}$/.test(count) || rest.length < 2 || rest.length % 2 !== 0) return null;
  const pairs = rest.flatMap((word, i) => (i % 2 === 0 ? [[word, rest[i + 1] ?? ""] as const] : []));
  const usable = pairs.filter(([word]) => !notFinite.test(word));
  const values = usable.map(([word, unit]) => baseUnitValue(word, unit));
  if (values.some(({ value }) => !Number.isFinite(value))) return null;
  const unusable = pairs.filter(([word]) => notFinite.test(word)).map((pair) => pair.join(" "));
  const name = nameOf(full.slice("Benchmark".length));
  return { line: at, ...name, iterations: Number(count), values, unusable, configuration };
}

/** What Go prints for numbers that are not finite. */
const notFinite = /^(?:NaN|[+-]?Inf)$/;

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

/** Reads `Unit ns/op better=lower assume=exact`; the properties apply to the tidied unit. */
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

/** The members of an event that are used. */
interface Event {
  readonly package: string;
  readonly output: string;
}

/**
 * Extracts the output in events of `go test -json` (Go's test2json), grouped by package, since packages are tested
 * concurrently. Lines that are not events come first. A text without events is returned unchanged.
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
