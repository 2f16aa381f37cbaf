import { isDegradation, isOptimization, type Change, type ChangeResult } from "../../../core/verdicts/index.ts";
import { floatText } from "../../../core/values/index.ts";
import { counted, terminalText } from "../../../core/text/index.ts";
import type { Paint } from "../paint.ts";

/** The difference of a change as Perun 0.21 prints it: `7.0x: time Degradation from: 1.0s -> to: 7.0s`. */
export function perunChangeLine(change: Change, paint: Paint): string {
  const { type, rate: sure } = change.confidence;
  const confidence = type === "no" ? "" : ` (with confidence ${type} = ${pythonFloat(sure)})`;
  const of = change.command === undefined ? "" : ` ($ ${terminalText(change.command)})`;
  const difference = `${perunRate(change)}: ${terminalText(change.type)} ${perunResult(change.result, paint)}`;
  const levels = `from: ${terminalText(change.from)} -> to: ${terminalText(change.to)}`;
  return `${difference} ${levels}${confidence}${of}`;
}

export function perunResult(result: ChangeResult, paint: Paint): string {
  const words = result.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
  return isDegradation({ result }) ? paint.bad(words) : isOptimization({ result }) ? paint.good(words) : words;
}

/** Two decimals with Python's rounding and formatting: `7.0x`. */
function perunRate({ rate: times, relativeRate }: Change): string {
  if (relativeRate !== 0) return `${pythonRound(times)}ms (${pythonRound(relativeRate)}%)`;
  return `${pythonRound(times)}x`;
}

/** Rounds half to even. `toFixed` rounds exact values; only ties (three binary decimals) differ. */
function pythonRound(value: number): string {
  const isTie = Number.isInteger(value * 8) && !Number.isInteger(value * 4);
  const hundredths = value * 100;
  const even = 2 * Math.round(hundredths / 2);
  return pythonFloat(isTie ? even / 100 : Math.abs(value) < 1e20 ? Number(value.toFixed(2)) : value);
}

function pythonFloat(value: number): string {
  return floatText(value).replace("Infinity", "inf").replace("NaN", "nan");
}

/** `6 changes | +++--`: a plus for each optimization, a minus for each degradation. */
export function perunSummary(changes: readonly Change[], paint: Paint): string {
  const marks = changeMarks(changes, paint);
  const count = changes.filter((change) => change.result !== "NoChange").length;
  return `${count} ${count === 1 ? "change" : "changes"}${marks === "" ? "" : ` | ${marks}`}`;
}

/** Only clear results count: Maybe, Severe and Total have no mark (Perun 0.21). */
export function changeMarks(changes: readonly Change[], paint: Paint): string {
  const count = (result: string): number => changes.filter((change) => change.result === result).length;
  return paint.good("+".repeat(count("Optimization"))) + paint.bad("-".repeat(count("Degradation")));
}

export function perunTotals(changes: readonly Change[]): string {
  const count = (result: string): number => changes.filter((change) => change.result === result).length;
  const optimizations = counted(count("Optimization"), "optimization", "optimizations");
  return `${optimizations}(+), ${counted(count("Degradation"), "degradation", "degradations")}(-)`;
}
