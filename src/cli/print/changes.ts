import { isDegradation, isOptimization, type Change } from "../../core/change.ts";
import { terminalText } from "../../core/terminal-text.ts";
import type { Paint } from "./paint.ts";

/** Changes by location, one line each, as Perun words them. */
export function changeLines(changes: readonly Change[], paint: Paint): string[] {
  const locations = [...new Set(changes.map((change) => change.location))].sort();
  return locations.flatMap((location) => [
    `at ${terminalText(location)}:`,
    ...changes.filter((change) => change.location === location).map((change) => `└ ${changeLine(change, paint)}`),
  ]);
}

function changeLine(change: Change, paint: Paint): string {
  const confidence = change.confidence.type === "no" ? "" : ` (with confidence ${change.confidence.type} = ${change.confidence.rate})`;
  const words = change.result.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
  const result = isDegradation(change) ? paint.bad(words) : isOptimization(change) ? paint.good(words) : words;
  const of = change.command === undefined ? "" : ` ($ ${terminalText(change.command)})`;
  return `${rate(change)}: ${terminalText(change.type)} ${result} from: ${terminalText(change.from)} -> to: ${terminalText(change.to)}${confidence}${of}`;
}

/** Two decimals, or three digits where that would leave nothing: a thousandth is not none. */
function rate({ rate: times, relativeRate }: Change): string {
  if (relativeRate !== 0) return `${times.toFixed(2)}ms (${relativeRate.toFixed(2)}%)`;
  return `${Math.abs(times) < 0.1 ? Number(times.toPrecision(3)) : Math.round(times * 100) / 100}x`;
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
  return `${changes.filter((c) => c.result === "Optimization").length} optimizations(+), ${changes.filter((c) => c.result === "Degradation").length} degradations(-)`;
}
