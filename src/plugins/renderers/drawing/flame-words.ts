import type { FlameGraph } from "../../../core/figures/index.ts";
import { scaleFor, conversion, convert, digitsText, formatUnit } from "../../../core/values/index.ts";

/** Maximum length of displayed names; some are as long as a file. */
const maxNameLength = 400;

/** A name, truncated for display. */
export function displayName(name: string): string {
  return name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}…`;
}

/** An amount with its unit: `1.5 ms`, `12 samples`. */
function amountText({ quantity, unit }: FlameGraph, amount: number): string {
  const scaled = scaleFor(amount, unit);
  const number = unit === undefined ? amount : convert(amount, conversion(unit, scaled));
  const word = unit === undefined ? quantity : formatUnit(scaled);
  return `${digitsText(number)}${word === "" ? "" : ` ${word}`}`;
}

export function percent(share: number): string {
  const percents = share * 100;
  return `${percents.toFixed(percents > 0 && percents < 0.095 ? 3 : 1)} %`;
}

/** Description of a frame, without its name. */
export function frameText(graph: FlameGraph, frame: number): string {
  const { total, self, before, after } = graph;
  if (before !== undefined && after !== undefined) return changeText(graph, before, after, frame);
  const whole = total[0]!;
  const own = self[frame]! > 0 && self[frame] !== total[frame] ? `, itself ${amountText(graph, self[frame]!)}` : "";
  return `${amountText(graph, total[frame]!)} (${percent(total[frame]! / whole)})${own}`;
}

function changeText(graph: FlameGraph, before: Float64Array, after: Float64Array, frame: number): string {
  const [was, is] = [before[frame]!, after[frame]!];
  const [fromShare, toShare] = [was / (before[0]! || 1), is / (after[0]! || 1)].map(percent);
  const amounts = `${amountText(graph, was)} → ${amountText(graph, is)} (${relativeText(was, is)})`;
  return `${amounts}, ${fromShare} → ${toShare} of all`;
}

/** Relative change of an amount: `+12.5 %`, `new`, `gone`. */
export function relativeText(before: number, after: number): string {
  if (before === after) return "±0 %";
  if (before === 0) return "new";
  if (after === 0) return "gone";
  const change = (after / before - 1) * 100;
  const size = Math.abs(change);
  return `${change > 0 ? "+" : "−"}${size >= 1000 ? Math.round(size) : size.toFixed(1)} %`;
}

/** One-line summary of a graph. */
export function summaryText(graph: FlameGraph): string {
  const { total, form, merged, focus, whole, quantity, unit, before, after } = graph;
  const all =
    before === undefined || after === undefined
      ? amountText(graph, total[0]!)
      : changeAll(graph, before[0]!, after[0]!);
  const part = whole === undefined || focus === undefined ? "" : ` of ${amountText(graph, whole)}`;
  const what =
    focus === undefined
      ? []
      : [form === "inverted" ? `callers of ${displayName(focus)}` : `below ${displayName(focus)}`];
  const shape = [
    ...what,
    ...(form === "inverted" && focus === undefined ? ["inverted"] : []),
    ...(merged === true ? ["recursion folded"] : []),
  ];
  const prefix = unit === undefined ? "" : `${quantity}: `;
  return [`${prefix}${all}${part}`, ...shape].join(" · ");
}

function changeAll(graph: FlameGraph, before: number, after: number): string {
  return `${amountText(graph, before)} → ${amountText(graph, after)} (${relativeText(before, after)})`;
}

const missingNote = "nothing of this is in the target profile: boxes are as wide as in the base";

/** Why a tree is no measurement. */
const estimatedNote = "calls are estimated from a call graph: each function's cost is divided among its callers";

/** Notes on scaling, missing profiles and omitted stacks. */
export function graphNotes(graph: FlameGraph): string[] {
  const { leftOut, baseScale = 1, before, after, estimated, resolution } = graph;
  const missing =
    before?.[0] === 0 ? ["nothing of this is in the base profile"] : after?.[0] === 0 ? [missingNote] : [];
  const scaled = [
    ...(baseScale === 1
      ? []
      : [`amounts of the base are multiplied by ${digitsText(baseScale)}: both profiles have the same sum`]),
    ...missing,
    ...(estimated === true ? [estimatedNote] : []),
    ...(resolution === undefined
      ? []
      : [`what took less than ${amountText(graph, resolution)} is merged with its neighbours`]),
  ];
  if (leftOut === undefined) return scaled;
  const sum = Number.isFinite(leftOut.sum) ? `, together ${amountText(graph, leftOut.sum)}` : "";
  const [stacks, verb] =
    leftOut.stacks === 1 ? ["1 stack with an amount", "is"] : [`${leftOut.stacks} stacks with amounts`, "are"];
  return [...scaled, `${stacks} below zero or beyond all numbers ${verb} left out${sum}`];
}
