import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../../core/measurements/benchmark-report.ts";
import type { Value } from "../../../core/values/value.ts";
import { readTimestamp } from "../../../core/values/date-time.ts";
import type { JsonLocation } from "../../json/json-location.ts";

/** Longer texts are no times, and patterns need not look at them. */
const maxTimeLength = 64;

/** Where facts stand: the name of the fact and the members that lead to it. */
export type FactPath = readonly [fact: string, ...path: [string, ...string[]]];

/** A report with those of the metrics that have a value. */
export function reportOf(
  metrics: readonly ReportMetric[],
  results: readonly BenchmarkResult[],
  rest: Omit<BenchmarkReport, "metrics" | "results"> = {},
): BenchmarkReport {
  const used = new Set<string>();
  for (const { values } of results) for (const name of values.keys()) used.add(name);
  return { ...rest, metrics: metrics.filter(({ name }) => used.has(name)), results };
}

/** Texts, booleans and finite numbers in a document, as facts; what is absent or nested is left out. */
export function factsIn(place: JsonLocation | undefined, places: readonly FactPath[]): Map<string, Value> {
  const facts = new Map<string, Value>();
  for (const [fact, ...path] of places) {
    const value = path.reduce<JsonLocation | undefined>((at, member) => at?.maybe(member), place)?.scalar;
    if (value !== undefined && value !== "") facts.set(fact, value);
  }
  return facts;
}

/**
 * Finite numbers of an object, by the name of their metric; `over` as in `value / over`. What is absent or no number is
 * left out.
 */
export function* numbersIn(
  place: JsonLocation,
  members: readonly (readonly [metric: string, member: string])[],
  over = 1,
): Generator<[string, number]> {
  for (const [metric, member] of members) {
    const value = place.maybe(member)?.scalar;
    if (typeof value === "number") yield [metric, value / over];
  }
}

/** When it was measured, if the text tells; a time without a zone is taken as UTC. */
export function performedAt(text: unknown): { performed?: number } {
  if (typeof text !== "string" || text.length > maxTimeLength) return {};
  const performed = readTimestamp(text.trim());
  return typeof performed === "number" ? { performed } : {};
}

/** The commit, if the text is one. */
export function commitIn(text: unknown): { commit?: string } {
  return typeof text === "string" && /^[0-9a-f]{7,64}$/i.test(text) ? { commit: text.toLowerCase() } : {};
}

/**
 * The content of a parameter that is written as a text: a number where the text is how that number is written, so that
 * different texts stay different.
 */
export function parameterValue(text: string): Value {
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text) && String(Number(text)) === text ? Number(text) : text;
}

/** Numbers divided by the same; powers of ten are exact, so that each is the nearest. */
export function divideAll(numbers: Float64Array, over: number): Float64Array {
  return over === 1 ? numbers : numbers.map((value) => value / over);
}
