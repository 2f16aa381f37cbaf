import { Failure } from "../../../core/failures/failure.ts";
import type { OutputElement } from "../../../core/experiments/query-description.ts";
import type { ShownVector } from "./shown-vector.ts";

/**
 * The file of an output without its ending. `unify` keeps the files of a sweep apart: by its filters, or by numbers.
 */
export function fileOf(
  { filename }: OutputElement,
  inputs: readonly ShownVector[],
  choice: ReadonlyMap<string, number>,
): string | undefined {
  if (filename === undefined) return undefined;
  const labels = [...new Set(inputs.flatMap(({ vector }) => vector.labels.map((label) => label.text)))];
  const parts =
    filename.unify === "filter"
      ? labels.map(fileWord)
      : filename.unify === "sweep"
        ? [...choice].map(([id, at]) => `${fileWord(id)}_${at}`)
        : [];
  return [checkedPath(filename.name), ...parts].join("_");
}

/** A query may come from somebody else: it writes below the folder it is evaluated in, nowhere else. */
function checkedPath(name: string): string {
  if (!/^[/\\~]|^[A-Za-z]:|\p{Cc}|(?:^|[/\\])\.\.(?:[/\\]|$)/u.test(name) && /[^/\\]$/.test(name)) return name;
  const problem = `the file '${name.slice(0, 80)}' lies elsewhere`;
  throw new Failure("query-not-possible", {
    element: "filename",
    problem,
    advice: "name a file in this folder or below it",
  });
}

/** Never a path: a content may hold slashes. */
function fileWord(label: string): string {
  return label
    .replaceAll(" = ", "=")
    .replaceAll("'", "")
    .replaceAll(/[\s/\\\p{Cc}]+/gu, "_");
}
