import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../../core/measurements/index.ts";
import { type Value, readTimestamp } from "../../../core/values/index.ts";
import type { JsonLocation } from "../../json/index.ts";

/** Longer texts are not parsed as times. */
const maxTimeLength = 64;

/** The name of a fact and the path of members to it. */
export type FactPath = readonly [fact: string, ...path: [string, ...string[]]];

/** Builds a report with the metrics that have a value. */
export function reportOf(
  metrics: readonly ReportMetric[],
  results: readonly BenchmarkResult[],
  rest: Omit<BenchmarkReport, "metrics" | "results"> = {},
): BenchmarkReport {
  const used = new Set<string>();
  for (const { values } of results) for (const name of values.keys()) used.add(name);
  return { ...rest, metrics: metrics.filter(({ name }) => used.has(name)), results };
}

/** The texts, booleans and finite numbers at the given paths; absent and nested values are omitted. */
export function factsIn(document: JsonLocation | undefined, paths: readonly FactPath[]): Map<string, Value> {
  const facts = new Map<string, Value>();
  for (const [fact, ...path] of paths) {
    const value = path.reduce<JsonLocation | undefined>((at, member) => at?.maybe(member), document)?.scalar;
    if (value !== undefined && value !== "") facts.set(fact, value);
  }
  return facts;
}

/**
 * The finite numbers of an object, divided by `over`, by metric name. Absent members and other types are omitted.
 */
export function* numbersIn(
  object: JsonLocation,
  members: readonly (readonly [metric: string, member: string])[],
  over = 1,
): Generator<[string, number]> {
  for (const [metric, member] of members) {
    const value = object.maybe(member)?.scalar;
    if (typeof value === "number") yield [metric, value / over];
  }
}

/** The time of a measurement, if the text is one; without a zone it is UTC. */
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
 * The value of a parameter given as text: a number only if it prints as the same text, so that different texts stay
 * different.
 */
export function parameterValue(text: string): Value {
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text) && String(Number(text)) === text ? Number(text) : text;
}

/** Divides all numbers. Dividing by a power of ten rounds once, unlike multiplying by its inverse. */
export function divideAll(numbers: Float64Array, over: number): Float64Array {
  return over === 1 ? numbers : numbers.map((value) => value / over);
}
