import type { OutputElement } from "../../../core/experiments/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { nearest } from "../../../core/text/index.ts";
import type { OutputVectors } from "../evaluate.ts";
import { clonesOf } from "../sweep.ts";
import { html, png, svg, text } from "./chart.ts";
import { gnuplot } from "./gnuplot.ts";
import { json, rawText, xmlText } from "./text-targets.ts";
import { opendoc } from "./opendoc.ts";
import { latex, arrow, parquet, csv, markdown } from "./tables.ts";
import type { ShownVector } from "./shown-vector.ts";
import type { Product, Shown, Target } from "./target.ts";

/** All targets; add one by one line here. perfbase's come first. */
export const targets: readonly Target[] = [
  rawText,
  gnuplot,
  xmlText,
  opendoc,
  csv,
  json,
  markdown,
  latex,
  parquet,
  arrow,
  svg,
  png,
  html,
  text,
];

/** The output of a query: for standard output, or for a file below the working directory. */
export type QueryProduct = Product & { /** Absent: standard output. */ readonly file?: string };

interface Planned {
  readonly target: Target;
  readonly shown: Shown;
}

/**
 * Prints outputs in order; concatenates those of one file. Fails with `query-not-possible` for unknown targets, and for
 * input that a target does not support.
 */
export function printOutputs(outputs: readonly OutputVectors[]): QueryProduct[] {
  const planned = outputs.flatMap((output) => planOf(output));
  const files = [...new Set(planned.map((each) => fileNameOf(each)))];
  return files.map((file) => {
    const all = planned.filter((each) => fileNameOf(each) === file);
    return { ...joined(all, file), ...(file === undefined ? {} : { file }) };
  });
}

/** Sweeps resolved outside of an output make one page each; pages of the same file are printed together. */
function planOf({ element, inputs }: OutputVectors): Planned[] {
  const target = targetOf(element);
  const name = element.id ?? "output";
  if (element.filename === undefined && !target.printable)
    throw impossible(name, `target '${target.name}' needs a file name`, "give it a <filename>");
  const pages = clonesOf(inputs, { element: name, byDefault: "intern" }).map(({ inputs: variants, choice }) => {
    const shown = variants.map(({ vector }) => {
      const { input } = inputs.find((each) => each.variants.some((variant) => variant.vector === vector)) ?? {};
      return { vector, attributes: input?.attributes ?? new Map<never, string>() };
    });
    return { base: fileOf(element, shown, choice), page: { inputs: shown } };
  });
  return [...new Set(pages.map(({ base }) => base))].map((base) => {
    const own = pages.flatMap((each) => (each.base === base ? [each.page] : []));
    return { target, shown: { element, name, pages: own, ...(base === undefined ? {} : { base }) } };
  });
}

function fileNameOf({ target, shown: { base } }: Planned): string | undefined {
  return base === undefined ? undefined : `${base}.${target.extension}`;
}

function joined(all: readonly Planned[], file: string | undefined): Product {
  const [first, ...rest] = all.map(({ target, shown }) => target.show(shown));
  if (first === undefined) return { kind: "data", data: "" };
  if (rest.length === 0) return first;
  const texts = [first, ...rest].flatMap((each) =>
    each.kind === "data" && typeof each.data === "string" ? [each.data] : [],
  );
  const alone = all.find(({ target }) => !target.joins);
  if (alone !== undefined || texts.length < all.length) {
    const destination = file === undefined ? "standard output" : `the file '${file}'`;
    const target = (alone ?? all[0])?.target.name;
    const what = `several outputs write to ${destination}, and target '${target}' cannot share it`;
    throw impossible(alone?.shown.name ?? "output", what, "give each output a filename of its own");
  }
  return { ...first, kind: "data", data: texts.join("") };
}

function targetOf(element: OutputElement): Target {
  const wanted = element.attributes.get("target") ?? "raw_text";
  const found = targets.find(({ name }) => name === wanted);
  if (found) return found;
  const names = targets.map(({ name }) => name);
  const near = nearest(wanted.slice(0, 64), names).join(", ");
  const problem = `there is no target '${wanted.slice(0, 64)}'${near ? `, did you mean ${near}?` : ""}`;
  throw impossible(element.id ?? "output", problem, `targets are ${names.join(", ")}`);
}

function impossible(element: string, problem: string, advice: string): Failure {
  return new Failure("query-not-possible", { element, problem, advice });
}

/** The file of an output without extension. `unify` distinguishes the files of a sweep by filters or by numbers. */
function fileOf(
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

/** Checks a file name: queries are untrusted and may write below the working directory only. */
function checkedPath(name: string): string {
  if (!/^[/\\~]|^[A-Za-z]:|\p{Cc}|(?:^|[/\\])\.\.(?:[/\\]|$)/u.test(name) && /[^/\\]$/.test(name)) return name;
  const problem = `the file '${name.slice(0, 80)}' is outside of this folder`;
  throw new Failure("query-not-possible", {
    element: "filename",
    problem,
    advice: "name a file in this folder or below it",
  });
}

/** Makes a label safe for file names. */
function fileWord(label: string): string {
  return label
    .replaceAll(" = ", "=")
    .replaceAll("'", "")
    .replaceAll(/[\s/\\\p{Cc}]+/gu, "_");
}
