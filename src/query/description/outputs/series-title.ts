import type { OutputElement } from "../../../core/experiments/query-description.ts";
import { plainLabels, unquoted, type ShownVector } from "./shown-vector.ts";

/** Where what all inputs share stands in the title of the output. */
const movesLabels = ["title", "fulltitle"];

/**
 * What perfbase says in the key of a plot: by `label` of the input the filters (parameter), the result (value), both
 * (full, when nothing is said), the element (input_id), or what the title does not say already (title; fulltitle with
 * the result).
 */
export function seriesTitle({ vector, attributes }: ShownVector, result: string, shared: readonly string[]): string {
  const said = vector.labels.filter((each) => !each.titleOnly).map(({ text }) => unquoted(text));
  const rest = said.filter((label) => !shared.includes(label));
  const prefix = attributes.get("labelprefix") ?? "";
  switch (attributes.get("label")) {
    case "empty":
    case "ignore":
      return prefix;
    case "value":
      return prefix + result;
    case "parameter":
      return prefix + said.join(", ");
    case "input_id":
      return prefix + vector.origin.replaceAll(".", " ");
    case "title":
      return prefix + rest.join(", ");
    case "fulltitle":
      return prefix + withFilters(result, rest);
    default:
      return prefix + (attributes.get("title") ?? withFilters(result, said));
  }
}

function withFilters(result: string, labels: readonly string[]): string {
  return labels.length === 0 ? result : `${result} for ${labels.join(", ")}`;
}

/**
 * Labels that the title says for all inputs: those shared by all, when an input asks for it, and those for titles only.
 */
export function sharedTitleLabels(inputs: readonly ShownVector[]): string[] {
  const [first, ...rest] = inputs.map(plainLabels);
  const moves = inputs.some(({ attributes }) => movesLabels.includes(attributes.get("label") ?? ""));
  const shared = moves ? (first ?? []).filter((label) => rest.every((labels) => labels.includes(label))) : [];
  const titleOnly = inputs.flatMap(({ vector }) =>
    vector.labels.filter((label) => label.titleOnly).map(({ text }) => unquoted(text)),
  );
  return [...new Set([...shared, ...titleOnly])];
}

/** The title of a plot: shared labels in place of the `filterstring`, or in brackets behind. */
export function plotTitle({ attributes }: OutputElement, shared: readonly string[]): string {
  const title = attributes.get("title") ?? "";
  const position = attributes.get("filterstring") ?? "";
  const labels = shared.join(", ");
  if (position !== "" && title.includes(position)) return title.replaceAll(position, () => labels);
  if (labels === "") return title;
  return title === "" ? labels : `${title} (${labels})`;
}
