import type { SampleLabel, StackFacts, StackProfile } from "../../../core/profiles/index.ts";
import { type DocumentObject, isObject, ProfileDocument } from "../profiler-document.ts";
import { CallTree, type TreeMetric } from "./call-tree.ts";

/** Most metrics, and most labels of a row. */
const mostColumns = 200;

/** Numbers that say where or when something was measured. */
const positionName =
  /^(?:mpi\.(?:rank|world\.size)|rank|thread|tid|pid|iteration|iteration#.*|.*[.#]id|.*\.rank|omp\.(?:thread|num).*)$/;

/** Results of operators whose values cannot be added over call paths, and shares of a whole. */
const notAdditive = /^(?:i?percent_total|percentage|min|max|ratio|variance|histogram)#|^(?:min|max) time\b|%/i;

const inclusiveMark = /(?<=^|#)inclusive#|(?<=^|\.)inclusive\.| \((?:inc|I)\)$/;
const exclusiveMark = / \((?:exc|E)\)$/;

/** Keys of the call path, in order of preference. */
const pathNames = ["path", "region", "source.function#callpath.address", "function", "annotation", "loop"];

/** A row: its call path from the outermost call, its numbers and its labels by column. */
export interface TreeRow {
  readonly path: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly labels: ReadonlyMap<string, SampleLabel>;
}

/**
 * Reads the JSON of Caliper (https://software.llnl.gov/Caliper/OutputFormatters.html): `json-split`, a table with a
 * tree of nodes, and the records of `json`, also with `object` or `split`. Inclusive columns are used only if the
 * exclusive one is missing; minima, maxima and percentages are left out. Fails with `bad-stack-profile`, `no-stacks`.
 */
export function readCaliper(bytes: Uint8Array, file: string): StackProfile {
  const document = new ProfileDocument(file, "caliper");
  const root = rootOf(document, bytes);
  if (isObject(root) && Array.isArray(root["data"]))
    return treeProfile(document, file, splitRows(document, root), unitsIn(document, root));
  const records = document.list(isObject(root) ? root["records"] : root, "records");
  return treeProfile(document, file, recordRows(document, records), new Map());
}

/** A document, or a list of the records that are lines. */
function rootOf(document: ProfileDocument, bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const isLines = lines.length > 1 && lines.every((line) => /^\{.*\}\s*$/.test(line));
  return isLines ? lines.map((line) => document.json(line)) : document.json(text);
}

/**
 * The profile of rows; `units`: by metric, where they are known. Fails with `bad-stack-profile`, `no-stacks`.
 */
export function treeProfile(
  document: ProfileDocument,
  file: string,
  rows: readonly TreeRow[],
  units: ReadonlyMap<string, string>,
  facts: StackFacts = {},
): StackProfile {
  const names = new Set(rows.flatMap(({ numbers }) => [...numbers.keys()]));
  const skipped = [...names].filter((name) => notAdditive.test(name));
  const additive = [...names].filter((name) => !notAdditive.test(name));
  const exclusive = new Set(additive.filter((name) => !inclusiveMark.test(name)).map(quantityOf));
  const used = additive.filter((name) => !inclusiveMark.test(name) || !exclusive.has(quantityOf(name)));
  if (used.length === 0 && skipped.length > 0)
    throw document.bad(`its metrics cannot be added over call paths: ${skipped.slice(0, 5).join(", ")}`);
  if (used.length > mostColumns) throw document.bad(`it has more than ${mostColumns} metrics`);
  const metrics = used.map((name): TreeMetric => {
    return { name, unit: units.get(name) ?? unitOf(name), isInclusive: inclusiveMark.test(name) };
  });
  const tree = new CallTree(document, metrics);
  for (const { path, numbers, labels } of rows) {
    const stack = path.reduce((caller, name) => tree.called(caller, name), 0);
    const values = used.map((name) => numbers.get(name) ?? Number.NaN);
    tree.add(stack, values, new Map([...labels].map(([name, label]) => [name, [label]])));
  }
  const comments = skipped.length === 0 ? [] : [`left out, as they cannot be added: ${skipped.join(", ")}`];
  return tree.profile(file, "Caliper", { ...facts, ...(comments.length === 0 ? {} : { comments }) });
}

function quantityOf(name: string): string {
  return name.replace(inclusiveMark, "").replace(exclusiveMark, "");
}

/** The units of the timer service; other metrics are plain numbers unless the file names their unit. */
function unitOf(name: string): string {
  if (/time\.(?:inclusive\.)?duration\.ns$/.test(name)) return "nanoseconds";
  return /time\.(?:inclusive\.)?duration$/.test(name) ? "microseconds" : "count";
}

export const unitWords: ReadonlyMap<unknown, string> = new Map([
  ["sec", "seconds"],
  ["s", "seconds"],
  ["msec", "milliseconds"],
  ["usec", "microseconds"],
  ["nsec", "nanoseconds"],
  ["B", "bytes"],
  ["MB", "megabytes"],
]);

function unitsIn(document: ProfileDocument, root: DocumentObject): Map<string, string> {
  const columns = Array.isArray(root["columns"]) ? namesOf(document, root) : [];
  const metadata = Array.isArray(root["column_metadata"]) ? (root["column_metadata"] as readonly unknown[]) : [];
  return new Map(
    columns.flatMap((name, at): [string, string][] => {
      const own = metadata[at];
      const unit = isObject(own) ? unitWords.get(own["attribute.unit"]) : undefined;
      return unit === undefined ? [] : [[name, unit]];
    }),
  );
}

function namesOf(document: ProfileDocument, root: DocumentObject): string[] {
  const names = document.list(root["columns"], "columns").map((name) => document.text(name, "a column"));
  if (names.length > mostColumns) throw document.bad(`it has more than ${mostColumns} columns`);
  return names;
}

interface TreeNode {
  readonly column: string;
  readonly path: readonly string[];
}

function splitRows(document: ProfileDocument, root: DocumentObject): TreeRow[] {
  const names = namesOf(document, root);
  const nodes = nodesOf(document, root);
  const isValue = document.list(root["column_metadata"], "column_metadata").map((each) => {
    return document.object(each, "metadata of a column")["is_value"] === true;
  });
  const paths = new Set(nodes.map(({ column }) => column));
  const deep = nodes.find(({ path }) => path.length > 1)?.column;
  const pathName = pathNames.find((name) => paths.has(name)) ?? deep ?? nodes[0]?.column;
  return document.list(root["data"], "data").map((row, number) => {
    const cells = document.list(row, `row ${number}`);
    if (cells.length !== names.length) throw document.bad(`row ${number} has ${cells.length} of ${names.length} cells`);
    const numbers = new Map<string, number>();
    const labels = new Map<string, SampleLabel>();
    let path: readonly string[] = [];
    for (const [at, cell] of cells.entries()) {
      const name = names[at]!;
      if (cell === null) continue;
      if (isValue[at] === true) addCell(name, cell, numbers, labels);
      else {
        const node = nodes[document.index(cell, nodes.length, `${name} of row ${number}`)]!;
        if (name === pathName) path = node.path;
        else labels.set(name, node.path.join("/").slice(0, 1000));
      }
    }
    return { path, numbers, labels };
  });
}

/** Parents come before their children. */
function nodesOf(document: ProfileDocument, root: DocumentObject): TreeNode[] {
  const nodes: TreeNode[] = [];
  let total = 0;
  for (const each of document.list(root["nodes"], "nodes")) {
    const node = document.object(each, `node ${nodes.length}`);
    const parent = node["parent"] ?? null;
    const above = parent === null ? [] : nodes[document.index(parent, nodes.length, "the parent of a node")]!.path;
    total += above.length;
    if (total > 1 << 24) throw document.bad("its nodes are nested too deeply");
    const label = document.text(node["label"], `the label of node ${nodes.length}`);
    nodes.push({ column: document.text(node["column"], "the column of a node"), path: [...above, label] });
  }
  return nodes;
}

export function addCell(
  name: string,
  cell: unknown,
  numbers: Map<string, number>,
  labels: Map<string, SampleLabel>,
): void {
  const isText = typeof cell === "string";
  const value = isText && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(cell) ? Number(cell) : cell;
  if (typeof value !== "number" || positionName.test(name)) {
    const label = isText ? cell : typeof value === "number" ? { value, unit: "" } : String(value);
    if (labels.size < mostColumns) labels.set(name, label);
  } else if (Number.isFinite(value)) numbers.set(name, value);
}

/** `{"path": "main/solve", "mpi.rank": 0, "sum#time.duration": 12}`; names of regions have no slash. */
function recordRows(document: ProfileDocument, records: readonly unknown[]): TreeRow[] {
  const objects = records.map((record, at) => document.object(record, `record ${at}`));
  const keys = new Set(objects.flatMap(Object.keys));
  const pathName = pathNames.find((name) => keys.has(name));
  if (pathName === undefined) throw document.bad(`its records have none of the keys ${pathNames.join(", ")}`);
  return objects.map((record) => {
    const numbers = new Map<string, number>();
    const labels = new Map<string, SampleLabel>();
    let path: readonly string[] = [];
    for (const [name, cell] of Object.entries(record))
      if (name === pathName)
        path = String(cell)
          .split("/")
          .filter((part) => part !== "");
      else if (typeof cell !== "object") addCell(name, cell, numbers, labels);
    return { path, numbers, labels };
  });
}
