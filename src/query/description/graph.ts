import { Failure } from "../../core/failures/failure.ts";
import { nearest } from "../../core/text/name-suggestions.ts";
import type {
  CombinerElement,
  OperatorElement,
  OutputElement,
  QueryDescription,
  SourceElement,
} from "../../core/experiments/query-description.ts";

/** What yields a vector. */
export type Node =
  | { readonly kind: "source"; readonly element: SourceElement }
  | { readonly kind: "operator"; readonly element: OperatorElement }
  | { readonly kind: "combiner"; readonly element: CombinerElement };

/** The elements that outputs need. */
export interface Graph {
  readonly outputs: readonly OutputElement[];
  /** By id; inputs stand before what needs them. */
  readonly nodes: ReadonlyMap<string, Node>;
}

/**
 * Fails with `unknown-element` for an input that is not there and with `query-cycle` for a graph that goes round in a
 * circle.
 */
export function graphOf(query: QueryDescription): Graph {
  const all = new Map<string, Node>([
    ...query.sources.map((element): [string, Node] => [element.id, { kind: "source", element }]),
    ...query.operators.map((element): [string, Node] => [element.id, { kind: "operator", element }]),
    ...query.combiners.map((element): [string, Node] => [element.id, { kind: "combiner", element }]),
  ]);
  if (query.outputs.length === 0)
    throw new Failure("unknown-element", { kind: "output", id: "<output>", known: [...all.keys()].join(", ") });
  const reached = new Map<string, Node>();
  const visit = (id: string, by: string, path: readonly string[]): void => {
    if (path.includes(id))
      throw new Failure("query-cycle", { path: [...path.slice(path.indexOf(id)), id].join(" -> ") });
    if (reached.has(id)) return;
    const node = all.get(id);
    if (node === undefined) throw unknown(id, by, [...all.keys()]);
    if (node.kind !== "source") for (const input of node.element.inputs) visit(input.id, id, [...path, id]);
    reached.set(id, node);
  };
  query.outputs.forEach((output, at) =>
    output.inputs.forEach((input) => visit(input.id, output.id ?? `output ${at + 1}`, [])),
  );
  return { outputs: query.outputs, nodes: reached };
}

function unknown(id: string, by: string, known: readonly string[]): Failure {
  return new Failure("unknown-element", {
    kind: "source, operator or combiner",
    id,
    by,
    near: nearest(id.slice(0, 64), known).join(", "),
    known: known.join(", "),
  });
}
