import { Failure } from "../../core/errors.ts";
import { nearest } from "../../core/near-names.ts";
import type { OutputElement } from "../../core/query-description.ts";
import type { OutputVectors } from "./evaluate.ts";
import { rawText } from "./raw-text.ts";
import { clonesOf } from "./sweep.ts";
import type { ShownVector } from "./shown-vector.ts";
import type { Vector } from "./vector.ts";
import { xmlText } from "./xml-text.ts";

/** What a query yields: text for standard output, or for a file. */
export interface QueryText {
  /** Absent: standard output. */
  readonly file?: string;
  readonly text: string;
}

interface Target {
  readonly name: string;
  readonly extension: string;
  print(inputs: readonly ShownVector[]): string;
}

const targets: readonly Target[] = [
  { name: "raw_text", extension: "dat", print: rawText },
  { name: "xml", extension: "xml", print: xmlText },
];

/** Outputs in their order; those to one file are joined. Fails with `query-not-possible` for targets that are not there. */
export function printOutputs(outputs: readonly OutputVectors[]): QueryText[] {
  const texts = outputs.flatMap((output) => printOutput(output));
  const files = [...new Set(texts.map(({ file }) => file))];
  return files.map((file) => ({
    ...(file === undefined ? {} : { file }),
    text: texts.flatMap((each) => (each.file === file ? [each.text] : [])).join(""),
  }));
}

/** Sweeps that are resolved outside of an output make one text each. */
function printOutput({ element, inputs }: OutputVectors): QueryText[] {
  const target = targetOf(element);
  const name = element.id ?? "output";
  return clonesOf(inputs, "intern", undefined, name).map(({ inputs: variants, choice }) => {
    const shown = variants.map(({ vector }) => {
      const { input } = inputs.find((each) => each.variants.some((variant) => variant.vector === vector)) ?? {};
      return {
        vector,
        label: input?.attributes.get("label"),
        labelPrefix: input?.attributes.get("labelprefix") ?? "",
        title: element.attributes.get("title"),
      };
    });
    const file = fileOf(
      element,
      target,
      variants.map((variant) => variant.vector),
      choice,
    );
    return { ...(file === undefined ? {} : { file }), text: target.print(shown) };
  });
}

function targetOf(element: OutputElement): Target {
  const wanted = element.attributes.get("target") ?? "raw_text";
  const found = targets.find(({ name }) => name === wanted);
  if (found) return found;
  const names = targets.map(({ name }) => name);
  const near = nearest(wanted.slice(0, 64), names).join(", ");
  const problem = `there is no target '${wanted.slice(0, 64)}'${near ? `, did you mean ${near}?` : ""}`;
  throw new Failure("query-not-possible", { element: element.id ?? "output", problem, advice: `targets are ${names.join(", ")}` });
}

/** `unify` keeps the files of a sweep apart: by its filters, or by numbers. */
function fileOf(
  { filename }: OutputElement,
  target: Target,
  vectors: readonly Vector[],
  choice: ReadonlyMap<string, number>,
): string | undefined {
  if (filename === undefined) return undefined;
  const labels = [...new Set(vectors.flatMap((vector) => vector.labels.map((label) => label.text)))];
  const parts =
    filename.unify === "filter"
      ? labels.map(fileWord)
      : filename.unify === "sweep"
        ? [...choice].map(([id, at]) => `${fileWord(id)}_${at}`)
        : [];
  return `${[checkedPath(filename.name), ...parts].join("_")}.${target.extension}`;
}

/** A query may come from somebody else: it writes below the folder it is evaluated in, nowhere else. */
function checkedPath(name: string): string {
  if (!/^[/\\~]|^[A-Za-z]:|\0|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(name)) return name;
  const problem = `the file '${name.slice(0, 80)}' lies elsewhere`;
  throw new Failure("query-not-possible", { element: "filename", problem, advice: "name a file in this folder or below it" });
}

/** Never a path: a content may hold slashes. */
function fileWord(label: string): string {
  return label
    .replaceAll(" = ", "=")
    .replaceAll("'", "")
    .replaceAll(/[\s/\\\0]+/g, "_");
}
