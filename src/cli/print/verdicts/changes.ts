import {
  isDegradation,
  isOptimization,
  isUndecided,
  percentText,
  type Change,
  type ChangeResult,
} from "../../../core/verdicts/index.ts";
import { digitsText, floatText } from "../../../core/values/index.ts";
import { counted, terminalText } from "../../../core/text/index.ts";
import type { Paint } from "../paint.ts";

/** Changes by location in Perun's wording, one line each; `compat` perun also formats numbers like Perun. */
export function changeLines(changes: readonly Change[], paint: Paint, compat?: string): string[] {
  const locations = [...new Set(changes.map((change) => change.location))].sort();
  return locations.flatMap((location) => [
    `at ${terminalText(location)}:`,
    ...changes
      .filter((change) => change.location === location)
      .flatMap((change) => [
        `└ ${changeLine(change, paint, compat === "perun")}`,
        ...evidenceLines(change),
        ...intervalLines(change, paint),
      ]),
  ]);
}

function changeLine(change: Change, paint: Paint, asPerun: boolean): string {
  const { type, rate: sure } = change.confidence;
  const confidence = type === "no" ? "" : ` (with confidence ${type} = ${asPerun ? pythonFloat(sure) : sure})`;
  const result = resultWords(change.result, paint);
  const of = change.command === undefined ? "" : ` ($ ${terminalText(change.command)})`;
  const difference = `${asPerun ? perunRate(change) : rate(change)}: ${terminalText(change.type)} ${result}`;
  const levels = `from: ${terminalText(change.from)} -> to: ${terminalText(change.to)}`;
  return `${difference} ${levels}${confidence}${of}`;
}

function resultWords(result: ChangeResult, paint: Paint): string {
  const words = result.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
  return isDegradation({ result }) ? paint.bad(words) : isOptimization({ result }) ? paint.good(words) : words;
}

/** The interval of a change and what it rests on, and the limits of a result. */
function evidenceLines({ evidence, note }: Change): string[] {
  const noted = note === undefined ? [] : [`  └ ${note}`];
  if (evidence === undefined) return noted;
  const { delta, deltaLow, deltaHigh, confidence, q, values, history } = evidence;
  if (Number.isNaN(delta) || Number.isNaN(q)) return noted;
  if (confidence === 1) return [`  └ ${percentText(delta)}, exact: the counts repeat`, ...noted];
  const interval = `${confidence * 100} % interval ${percentText(deltaLow)} … ${percentText(deltaHigh)}`;
  const known = `q ${q < 0.001 ? "< 0.001" : `= ${q.toFixed(3)}`}, n = ${values.join("+")}`;
  const noise = history < 3 ? "noise between profiles assumed" : `noise from ${history} earlier profiles`;
  return [`  └ ${percentText(delta)}, ${interval} (${known}, ${noise})`, ...noted];
}

/** Maximum number of inconclusive locations shown. */
const mostUndecided = 10;

/** What to show of a check: changes found, those below a limit, the first inconclusive ones, a line for the rest. */
export function shownChanges(changes: readonly Change[]): { readonly shown: Change[]; readonly hidden: string[] } {
  const found = changes.filter((change) => (change.result !== "NoChange" || change.note) && !isUndecided(change));
  // Those that could not be estimated at all come last.
  const estimated = ({ evidence }: Change): number => (Number.isNaN(evidence?.q) ? 0 : 1);
  const undecided = changes.filter(isUndecided).toSorted((a, b) => estimated(b) - estimated(a));
  const shown = undecided.slice(0, mostUndecided);
  const rest = undecided.length - shown.length;
  return {
    shown: [...found, ...shown],
    hidden: rest === 0 ? [] : [`and ${rest} more inconclusive ${rest === 1 ? "location" : "locations"}`],
  };
}

/** `2 changes | +-, 1 of 7 inconclusive`; `unchanged` if nothing changed, is below a limit or is inconclusive. */
export function checkSummary(changes: readonly Change[], paint: Paint, unchanged: string): string {
  const undecided = changes.filter(isUndecided).length;
  const found = changes.filter((change) => change.result !== "NoChange" && !isUndecided(change));
  const isBelow = changes.some(({ result, note }) => result === "NoChange" && note !== undefined);
  if (undecided === changes.length && undecided > 0) return `inconclusive (${undecided} compared)`;
  const rest = undecided === 0 ? "" : `, ${undecided} of ${changes.length} inconclusive`;
  if (found.length > 0) return `${changesSummary(found, paint)}${rest}`;
  if (isBelow) return `no change beyond the limits of ${changes.length} compared${rest}`;
  return undecided === 0 ? unchanged : `no change of ${changes.length - undecided}${rest}`;
}

/** The intervals of x that changed, if there are several. */
function intervalLines({ intervals = [] }: Change, paint: Paint): string[] {
  const changed = intervals.filter((interval) => interval.result !== "NoChange");
  const shown = intervals.length > 1 ? changed.slice(0, maxIntervals) : [];
  const rest = changed.length - shown.length;
  const lines = shown.map(
    (each) =>
      `${range(each)}: ${rate({ rate: each.rate, relativeRate: 0, to: "" })} ${resultWords(each.result, paint)}`,
  );
  return shown.length > 0 && rest > 0 ? [...lines, `  └ and ${rest} more intervals`] : lines;
}

function range({ from, to }: { readonly from: number; readonly to: number }): string {
  return `  └ from ${digitsText(from)} to ${digitsText(to)}`;
}

const maxIntervals = 10;

/** Two decimals, or three significant digits of small values. */
function rate({ rate: times, relativeRate, to }: Pick<Change, "rate" | "relativeRate" | "to">): string {
  if (relativeRate !== 0) return `${times.toFixed(2)}${terminalText(unitOf(to))} (${relativeRate.toFixed(2)}%)`;
  return `${Math.abs(times) < 0.1 ? Number(times.toPrecision(3)) : Math.round(times * 100) / 100}x`;
}

/** The unit after the number; changes stored by Perun have none and are in ms. */
function unitOf(amount: string): string {
  return /(?<=\d)[^\d\s.+-].*$/.exec(amount)?.[0].replace(/^e[+-]?\d+/, "") || "ms";
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
export function changesSummary(changes: readonly Change[], paint: Paint): string {
  const marks = changeMarks(changes, paint);
  const count = changes.filter((change) => change.result !== "NoChange").length;
  return `${count} ${count === 1 ? "change" : "changes"}${marks === "" ? "" : ` | ${marks}`}`;
}

/** Only clear results count: Maybe, Severe and Total have no mark (Perun 0.21). */
export function changeMarks(changes: readonly Change[], paint: Paint): string {
  const count = (result: string): number => changes.filter((change) => change.result === result).length;
  return paint.good("+".repeat(count("Optimization"))) + paint.bad("-".repeat(count("Degradation")));
}

export function changeTotals(changes: readonly Change[]): string {
  const count = (result: string): number => changes.filter((change) => change.result === result).length;
  const optimizations = counted(count("Optimization"), "optimization", "optimizations");
  return `${optimizations}(+), ${counted(count("Degradation"), "degradation", "degradations")}(-)`;
}
