import { Failure } from "../../../core/failures/failure.ts";
import type { OutputElement } from "../../../core/experiments/query-description.ts";
import { nearest } from "../../../core/text/name-suggestions.ts";
import type { OutputVectors } from "../evaluate.ts";
import { clonesOf } from "../sweep.ts";
import { fileOf } from "./output-file.ts";
import type { Product, Shown, Target } from "./target.ts";
import { targets } from "./targets.ts";

/** What a query yields for standard output, or for a file below the folder it is evaluated in. */
export type QueryProduct = Product & { /** Absent: standard output. */ readonly file?: string };

interface Planned {
  readonly target: Target;
  readonly shown: Shown;
}

/**
 * Outputs in their order; those to one file are joined. Fails with `query-not-possible` for targets that are not there,
 * and for what a target cannot show.
 */
export function printOutputs(outputs: readonly OutputVectors[]): QueryProduct[] {
  const planned = outputs.flatMap((output) => planOf(output));
  const files = [...new Set(planned.map((each) => fileNameOf(each)))];
  return files.map((file) => {
    const all = planned.filter((each) => fileNameOf(each) === file);
    return { ...joined(all, file), ...(file === undefined ? {} : { file }) };
  });
}

/** Sweeps that are resolved outside of an output make one page each; pages with the same file stand in it together. */
function planOf({ element, inputs }: OutputVectors): Planned[] {
  const target = targetOf(element);
  const name = element.id ?? "output";
  if (element.filename === undefined && !target.printable)
    throw impossible(name, `target '${target.name}' makes a file, and none is named`, "give it a <filename>");
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
  if (first === undefined) return { kind: "content", content: "" };
  if (rest.length === 0) return first;
  const texts = [first, ...rest].flatMap((each) =>
    each.kind === "content" && typeof each.content === "string" ? [each.content] : [],
  );
  const alone = all.find(({ target }) => !target.joins);
  if (alone !== undefined || texts.length < all.length) {
    const place = file === undefined ? "standard output" : `the file '${file}'`;
    const what = `several outputs go to ${place}, and target '${(alone ?? all[0])?.target.name}' stands alone`;
    throw impossible(alone?.shown.name ?? "output", what, "give each output a filename of its own");
  }
  return { ...first, kind: "content", content: texts.join("") };
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
