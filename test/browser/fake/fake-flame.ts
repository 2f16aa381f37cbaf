import type { FlameGraph } from "../../../src/core/figures/flame-graph.ts";
import type { TextOf } from "./fake-figures.ts";

interface Node {
  readonly name: string;
  readonly self: number;
  readonly children: readonly Node[];
}

const sumOf = (node: Node): number => node.self + node.children.reduce((sum, child) => sum + sumOf(child), 0);

/** A call tree with 1000 samples. */
function treeOf(text: TextOf): Node {
  const leaf = (name: string, self: number): Node => ({ name, self, children: [] });
  const parse: Node = {
    name: text("parse_document", 12),
    self: 40,
    children: [leaf("read_bytes", 160), { name: text("tokenize", 13), self: 90, children: [leaf("next_token", 110)] }],
  };
  const solve: Node = {
    name: "solve",
    self: 30,
    children: [{ name: "iterate", self: 20, children: [leaf("multiply", 250), leaf("norm", 50), leaf("copy", 0.2)] }],
  };
  const write: Node = { name: text("write_output", 14), self: 149.8, children: [leaf("format_number", 100)] };
  return { name: "all", self: 0, children: [parse, solve, write] };
}

export function buildFlame(text: TextOf, isComparison: boolean): FlameGraph {
  const names: string[] = [];
  const rows: { name: number; parent: number; depth: number; start: number; total: number; self: number }[] = [];
  const add = (node: Node, parent: number, depth: number, start: number): void => {
    const frame = rows.length;
    const known = names.indexOf(node.name);
    rows.push({
      name: known < 0 ? names.push(node.name) - 1 : known,
      parent,
      depth,
      start,
      total: sumOf(node),
      self: node.self,
    });
    let at = start;
    for (const child of node.children) {
      add(child, frame, depth + 1, at);
      at += sumOf(child);
    }
  };
  add(treeOf(text), -1, 0, 0);
  const column = (key: "start" | "total" | "self"): Float64Array => Float64Array.from(rows, (row) => row[key]);
  const total = column("total");
  return {
    names,
    name: Int32Array.from(rows, (row) => row.name),
    parent: Int32Array.from(rows, (row) => row.parent),
    depth: Int32Array.from(rows, (row) => row.depth),
    start: column("start"),
    total,
    self: column("self"),
    quantity: "samples",
    form: "plain",
    ...(isComparison
      ? { before: total.map((value, i) => value * (1 + ((i % 5) - 2) / 8)), after: total, baseScale: 1 }
      : {}),
  };
}
