import type { SampleLabel, StackProfile } from "../../../core/profiles/index.ts";
import { type DocumentObject, isObject, ProfileDocument } from "../profiler-document.ts";
import { CallTree, type TreeMetric } from "./call-tree.ts";

const inclusiveMark = / \((?:inc|I)\)$/;
const exclusiveMark = / \((?:exc|E)\)$/;

/** A node with its caller's index (−1: none), which is smaller; its numbers are rows of the data frame. */
interface TreeNode {
  readonly caller: number;
  readonly name: string;
  readonly rows: { readonly numbers: ReadonlyMap<string, number>; readonly labels: Labels }[];
}

type Labels = ReadonlyMap<string, readonly SampleLabel[]>;

/**
 * Reads the JSON of Hatchet (https://hatchet.readthedocs.io): the list of `to_literal`, the graph and data frame of
 * `to_json`, and the older table with `_hnid`. Hatchet keeps no units, so metrics are plain numbers. Inclusive metrics
 * are used only if the exclusive one is missing. Fails with `bad-stack-profile`, `no-stacks`.
 */
export function readHatchet(bytes: Uint8Array, file: string): StackProfile {
  const document = new ProfileDocument(file, "hatchet");
  const root = document.json(new TextDecoder().decode(bytes));
  const nodes = Array.isArray(root)
    ? literalNodes(document, root)
    : isObject(root) && Array.isArray(root["graph"])
      ? graphNodes(document, root)
      : snapshotNodes(document, document.object(root, "the document"));
  const used = usedMetrics(nodes, isObject(root) ? root["inclusive_metrics"] : undefined);
  if (used.length > 200) throw document.bad("it has more than 200 metrics");
  const tree = new CallTree(document, used);
  const stacks: number[] = [];
  for (const { caller, name, rows } of nodes) {
    const stack = tree.called(caller < 0 ? 0 : stacks[caller]!, name);
    stacks.push(stack);
    for (const { numbers, labels } of rows)
      tree.add(
        stack,
        used.map((metric) => numbers.get(metric.name) ?? Number.NaN),
        labels,
      );
  }
  return tree.profile(file, "Hatchet");
}

function usedMetrics(nodes: readonly TreeNode[], listed: unknown): TreeMetric[] {
  const inclusive = new Set(Array.isArray(listed) ? (listed as readonly unknown[]) : []);
  const names = [...new Set(nodes.flatMap(({ rows }) => rows.flatMap(({ numbers }) => [...numbers.keys()])))];
  const isInclusive = (name: string): boolean => inclusive.has(name) || inclusiveMark.test(name);
  const quantity = (name: string): string => name.replace(inclusiveMark, "").replace(exclusiveMark, "");
  const exclusive = new Set(names.filter((name) => !isInclusive(name)).map(quantity));
  return names
    .filter((name) => !isInclusive(name) || !exclusive.has(quantity(name)))
    .map((name) => ({ name, unit: "count", isInclusive: isInclusive(name) }));
}

function numbersIn(object: DocumentObject, others: ReadonlySet<string>): Map<string, number> {
  return new Map(
    Object.entries(object).filter(
      (entry): entry is [string, number] => typeof entry[1] === "number" && !others.has(entry[0]),
    ),
  );
}

const noColumns: ReadonlySet<string> = new Set();

/** `{"frame": {"name": …}, "metrics": {…}, "children": […]}`; before 1.3 the name stood next to the metrics. */
function literalNodes(document: ProfileDocument, roots: readonly unknown[]): TreeNode[] {
  const nodes: TreeNode[] = [];
  const open = roots.toReversed().map((each) => ({ each, caller: -1 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const node = document.object(next.each, "a node");
    const frame = isObject(node["frame"]) ? node["frame"] : node;
    const name = document.text(frame["name"] ?? frame["file"], "the name of a node");
    const numbers = numbersIn(document.object(node["metrics"] ?? {}, `the metrics of ${name}`), noColumns);
    const caller = nodes.push({ caller: next.caller, name, rows: [{ numbers, labels: new Map() }] }) - 1;
    for (const each of document.list(node["children"] ?? [], "children").toReversed()) open.push({ each, caller });
  }
  return nodes;
}

/** Graphs of nodes by number, and rows that name theirs in `node`; other indices, as `rank`, are labels. */
function graphNodes(document: ProfileDocument, root: DocumentObject): TreeNode[] {
  const indices = document.list(root["dataframe_indices"] ?? ["node"], "dataframe_indices");
  const others = new Set(indices.map((each) => document.text(each, "an index")));
  const rows = new Map<number, TreeNode["rows"]>();
  for (const each of document.list(root["dataframe"], "dataframe")) {
    const row = document.object(each, "a row");
    const labels = new Map<string, readonly SampleLabel[]>();
    for (const index of others) {
      const value = index === "node" ? undefined : row[index];
      if (typeof value === "number") labels.set(index, [{ value, unit: "" }]);
      else if (typeof value === "string") labels.set(index, [value]);
    }
    const node = document.number(row["node"], "the node of a row");
    const own = rows.get(node) ?? [];
    rows.set(node, own);
    own.push({ numbers: numbersIn(row, others), labels });
  }
  return document.list(root["graph"], "graph").reduce<TreeNode[]>((nodes, each) => {
    addGraph(document, document.object(each, "a graph"), rows, nodes);
    return nodes;
  }, []);
}

/** Adds the nodes of a graph. Nodes with several callers are refused: their numbers cannot be divided. */
function addGraph(
  document: ProfileDocument,
  graph: DocumentObject,
  rows: ReadonlyMap<number, TreeNode["rows"]>,
  nodes: TreeNode[],
): void {
  const members = new Map(Object.entries(graph));
  const children = (key: string): string[] =>
    document.list(document.object(members.get(key), `node ${key}`)["children"] ?? [], "children").map(String);
  const called = new Set([...members.keys()].flatMap(children));
  const open = [...members.keys()].filter((key) => !called.has(key)).map((key) => ({ key, caller: -1 }));
  const seen = new Set<string>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { key } = next;
    if (seen.has(key)) throw document.bad(`node ${key} has several callers`);
    seen.add(key);
    const data = document.object(document.object(members.get(key), `node ${key}`)["data"], `data of node ${key}`);
    const name = document.text(data["name"] ?? data["file"], `the name of node ${key}`);
    const caller = nodes.push({ caller: next.caller, name, rows: rows.get(Number(key)) ?? [] }) - 1;
    for (const child of children(key)) open.push({ key: child, caller });
  }
  if (seen.size < members.size) throw document.bad("its nodes call each other in a circle");
}

/** A table whose column `_hnid` is the node of the row. */
function snapshotNodes(document: ProfileDocument, root: DocumentObject): TreeNode[] {
  const columns = document.list(root["columns"], "columns").map((name) => document.text(name, "a column"));
  const nodes: TreeNode[] = [];
  for (const each of document.list(root["nodes"], "nodes")) {
    const node = document.object(each, `node ${nodes.length}`);
    const parent = node["parent"] ?? null;
    const caller = parent === null ? -1 : document.index(parent, nodes.length, "the parent of a node");
    nodes.push({ caller, name: document.text(node["name"], `the name of node ${nodes.length}`), rows: [] });
  }
  const at = columns.indexOf("_hnid");
  if (at < 0) throw document.bad("its rows have no column _hnid");
  const others = new Set(["_hnid", "nid", "rank", "line"]);
  for (const each of document.list(root["data"], "data")) {
    const cells = document.list(each, "a row");
    const row = new Map(columns.map((name, column) => [name, cells[column]]));
    const rank = row.get("rank");
    const labels: Labels = new Map(typeof rank === "number" ? [["rank", [{ value: rank, unit: "" }]]] : []);
    const { rows } = nodes[document.index(row.get("_hnid"), nodes.length, "_hnid")]!;
    rows.push({ numbers: numbersIn(Object.fromEntries(row), others), labels });
  }
  return nodes;
}
