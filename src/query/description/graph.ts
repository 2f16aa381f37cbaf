import type {
  CombinerElement,
  OperatorElement,
  OutputElement,
  QueryDescription,
  SourceElement,
} from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { nearest } from "../../core/text/index.ts";

/** Properties that macros never change: names and kinds of elements. */
const names: ReadonlySet<string> = new Set(["id", "kind", "inputs", "input", "fixed"]);

/**
 * Resolves the macros of a query: replaces a text that equals the id of a fixed value, and `(id)` within texts. `given`
 * overrides the query's own values. Fails with `unknown-element` for an unknown name.
 */
export function resolveMacros(query: QueryDescription, given: ReadonlyMap<string, string>): QueryDescription {
  const values = new Map(query.fixed.map(({ id, value }) => [id, value]));
  for (const [id, value] of given) {
    if (!values.has(id)) throw unknownMacro(id, [...values.keys()]);
    values.set(id, value);
  }
  if (values.size === 0) return query;
  return resolved(query, (text) => expand(text, values)) as QueryDescription;
}

function unknownMacro(id: string, known: readonly string[]): Failure {
  return new Failure("unknown-element", {
    kind: "fixed value",
    id,
    near: nearest(id.slice(0, 64), known).join(", "),
    known: known.join(", "),
  });
}

/** Expands once, from left to right; does not expand inserted text. */
function expand(text: string, values: ReadonlyMap<string, string>): string {
  const whole = values.get(text);
  if (whole !== undefined) return whole;
  return text.includes("(") ? text.replace(/\(([^()]*)\)/g, (found, id: string) => values.get(id) ?? found) : text;
}

function resolved(node: unknown, change: (text: string) => string): unknown {
  if (typeof node === "string") return change(node);
  if (Array.isArray(node)) return node.map((each) => resolved(each, change));
  if (node instanceof Map) return new Map([...node].map(([key, value]) => [key, resolved(value, change)]));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, keeps(key, node) ? value : resolved(value, change)]),
  );
}

/** The inputs of a source are ids; those of other elements have further texts. */
function keeps(key: string, node: object): boolean {
  const listed = (node as Record<string, unknown>)[key];
  return names.has(key) && !(key === "inputs" && Array.isArray(listed) && typeof listed[0] === "object");
}

/** An element that yields a vector. */
export type Node =
  | { readonly kind: "source"; readonly element: SourceElement }
  | { readonly kind: "operator"; readonly element: OperatorElement }
  | { readonly kind: "combiner"; readonly element: CombinerElement };

/** The elements needed by outputs. */
export interface Graph {
  readonly outputs: readonly OutputElement[];
  /** By id, inputs before their users. */
  readonly nodes: ReadonlyMap<string, Node>;
}

/** Fails with `unknown-element` for a missing input and with `query-cycle` for a cycle. */
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

/** The experiment of a query. Fails with `query-not-possible` if neither the query nor the user names one. */
export function experimentOf(query: QueryDescription | undefined, given: string | undefined): string {
  const name = given ?? query?.experiment;
  if (name !== undefined && name !== "") return name;
  const problem = "it names no experiment";
  throw new Failure("query-not-possible", {
    element: query?.id ?? "query",
    problem,
    advice: "name one with -e, or in <experiment>",
  });
}
