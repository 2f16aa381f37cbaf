import type { OutputElement } from "../../../core/experiments/index.ts";
import { plainLabels, unquoted, type ShownVector } from "./shown-vector.ts";

/** Values of `label` that move shared labels to the title of the output. */
const movesLabels = ["title", "fulltitle"];

/**
 * The key entry of a plot as in perfbase, by `label` of the input: the filters (parameter), the result (value), both
 * (full, the default), the element (input_id), or the labels that are not in the title (title; fulltitle with the
 * result).
 */
export function seriesTitle({ vector, attributes }: ShownVector, result: string, shared: readonly string[]): string {
  const labels = vector.labels.filter((each) => !each.titleOnly).map(({ text }) => unquoted(text));
  const rest = labels.filter((label) => !shared.includes(label));
  const prefix = attributes.get("labelprefix") ?? "";
  switch (attributes.get("label")) {
    case "empty":
    case "ignore":
      return prefix;
    case "value":
      return prefix + result;
    case "parameter":
      return prefix + labels.join(", ");
    case "input_id":
      return prefix + vector.origin.replaceAll(".", " ");
    case "title":
      return prefix + rest.join(", ");
    case "fulltitle":
      return prefix + withFilters(result, rest);
    default:
      return prefix + (attributes.get("title") ?? withFilters(result, labels));
  }
}

function withFilters(result: string, labels: readonly string[]): string {
  return labels.length === 0 ? result : `${result} for ${labels.join(", ")}`;
}

/** Labels in the title for all inputs: shared labels, if an input requests it, and those for titles only. */
export function sharedTitleLabels(inputs: readonly ShownVector[]): string[] {
  const [first, ...rest] = inputs.map(plainLabels);
  const moves = inputs.some(({ attributes }) => movesLabels.includes(attributes.get("label") ?? ""));
  const shared = moves ? (first ?? []).filter((label) => rest.every((labels) => labels.includes(label))) : [];
  const titleOnly = inputs.flatMap(({ vector }) =>
    vector.labels.filter((label) => label.titleOnly).map(({ text }) => unquoted(text)),
  );
  return [...new Set([...shared, ...titleOnly])];
}

/** The title of a plot: shared labels replace the `filterstring`, or follow in parentheses. */
export function plotTitle({ attributes }: OutputElement, shared: readonly string[]): string {
  const title = attributes.get("title") ?? "";
  const placeholder = attributes.get("filterstring") ?? "";
  const labels = shared.join(", ");
  if (placeholder !== "" && title.includes(placeholder)) return title.replaceAll(placeholder, () => labels);
  if (labels === "") return title;
  return title === "" ? labels : `${title} (${labels})`;
}
