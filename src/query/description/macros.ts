import { Failure } from "../../core/failures/failure.ts";
import { nearest } from "../../core/text/name-suggestions.ts";
import type { QueryDescription } from "../../core/experiments/query-description.ts";

/** Properties that name elements or say what an element is: no macro changes them. */
const names: ReadonlySet<string> = new Set(["id", "kind", "inputs", "input", "fixed"]);

/**
 * The query with its macros resolved: a text that equals the id of a fixed content becomes that content, and so does
 * `(id)` within a text. `given` stands before the query's own. Fails with `unknown-element` for a name that the query
 * has not.
 */
export function resolveMacros(query: QueryDescription, given: ReadonlyMap<string, string>): QueryDescription {
  const contents = new Map(query.fixed.map(({ id, content }) => [id, content]));
  for (const [id, content] of given) {
    if (!contents.has(id)) throw unknownMacro(id, [...contents.keys()]);
    contents.set(id, content);
  }
  if (contents.size === 0) return query;
  return resolved(query, (text) => expand(text, contents)) as QueryDescription;
}

function unknownMacro(id: string, known: readonly string[]): Failure {
  return new Failure("unknown-element", {
    kind: "fixed content",
    id,
    near: nearest(id.slice(0, 64), known).join(", "),
    known: known.join(", "),
  });
}

/** Once, from left to right: what a macro brings in is not looked through again. */
function expand(text: string, contents: ReadonlyMap<string, string>): string {
  const whole = contents.get(text);
  if (whole !== undefined) return whole;
  return text.includes("(") ? text.replace(/\(([^()]*)\)/g, (found, id: string) => contents.get(id) ?? found) : text;
}

function resolved(node: unknown, change: (text: string) => string): unknown {
  if (typeof node === "string") return change(node);
  if (Array.isArray(node)) return node.map((each) => resolved(each, change));
  if (node instanceof Map) return new Map([...node].map(([key, content]) => [key, resolved(content, change)]));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, keeps(key, node) ? value : resolved(value, change)]),
  );
}

/** The inputs of a source are ids; those of other elements have texts beside the id. */
function keeps(key: string, node: object): boolean {
  const listed = (node as Record<string, unknown>)[key];
  return names.has(key) && !(key === "inputs" && Array.isArray(listed) && typeof listed[0] === "object");
}
