import { isDegradation, isOptimization, type Change } from "../../core/change.ts";
import { terminalText } from "../../core/terminal-text.ts";
import type { Paint } from "./paint.ts";

/** Changes by location, one line each, as Perun words them. */
export function changeLines(changes: readonly Change[], command: string, paint: Paint): string[] {
  const locations = [...new Set(changes.map((change) => change.location))].sort();
  return locations.flatMap((location) => [
    `at ${terminalText(location)}:`,
    ...changes.filter((change) => change.location === location).map((change) => `└ ${changeLine(change, command, paint)}`),
  ]);
}

function changeLine(change: Change, command: string, paint: Paint): string {
  const confidence = change.confidence.type === "no" ? "" : ` (with confidence ${change.confidence.type} = ${change.confidence.rate})`;
  const words = change.result.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
  const result = isDegradation(change) ? paint.bad(words) : isOptimization(change) ? paint.good(words) : words;
  const of = command === "" ? "" : ` ($ ${terminalText(command)})`;
  return `${rate(change)}: ${terminalText(change.type)} ${result} from: ${terminalText(change.from)} -> to: ${terminalText(change.to)}${confidence}${of}`;
}

function rate(change: Change): string {
  if (change.relativeRate !== 0) return `${change.rate.toFixed(2)}ms (${change.relativeRate.toFixed(2)}%)`;
  return `${Math.round(change.rate * 100) / 100}x`;
}

/** `6 changes | +++--`: a plus for each optimization, a minus for each degradation. */
export function changesSummary(changes: readonly Change[], paint: Paint): string {
  const marks = changeMarks(changes, paint);
  return `${changes.length} changes${marks === "" ? "" : ` | ${marks}`}`;
}

/** Only clear results count: Maybe, Severe and Total have no mark (Perun 0.21). */
export function changeMarks(changes: readonly Change[], paint: Paint): string {
  const count = (result: string): number => changes.filter((change) => change.result === result).length;
  return paint.good("+".repeat(count("Optimization"))) + paint.bad("-".repeat(count("Degradation")));
}

export function changeTotals(changes: readonly Change[]): string {
  return `${changes.filter((c) => c.result === "Optimization").length} optimizations(+), ${changes.filter((c) => c.result === "Degradation").length} degradations(-)`;
}
