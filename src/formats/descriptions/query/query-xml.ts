import {
  chronologies,
  missingRows,
  rowKinds,
  type FixedValue,
  type ParameterElement,
  type QueryDescription,
  type RunSelection,
  type SeriesElement,
  type SourceElement,
} from "../../../core/experiments/index.ts";
import { trimmedText } from "../input/input-xml-element.ts";
import {
  checkShape,
  childrenOf,
  choiceOf,
  requiredChild,
  isXml,
  readXml,
  xmlError,
  type XmlElement,
} from "../../text/index.ts";
import {
  trimmedChildText,
  nonEmptyTextOf,
  optionalProperty,
  idOf,
  readCombiner,
  readOperator,
  readOutput,
  readParameter,
  readRun,
  readSeries,
} from "./query-xml-element.ts";
import { booleanOf, readSourceFilter } from "./query-xml-filter.ts";

const graph = ["fixed", "run", "parameter", "series", "source", "operator", "combiner", "output"];

/**
 * Reads perfbase's query XML. Elements inside a source become elements of the query and inputs of the source. Fails
 * with `description-error` at file:line:column, also for duplicate and unknown ids.
 */
export function readQueryXml(text: string, file: string): QueryDescription {
  if (!isXml(text))
    throw xmlError({ file, line: 1, column: 1 }, "it is not XML", { advice: "give the description of a query" });
  const root = readXml(text, file);
  if (root.name !== "query")
    throw xmlError(root, `this is <${root.name}>, not <query>`, { advice: "give the description of a query" });
  checkShape(root, { attributes: ["id", "name"], children: ["experiment", "synopsis", "description", ...graph] });
  checkIds(root);
  const inline = childrenOf(root, "source").flatMap((source) => source.children);
  const all = (name: string): XmlElement[] => [
    ...childrenOf(root, name),
    ...inline.filter((child) => child.name === name),
  ];
  return {
    ...optionalProperty("id", root.attributes.get("id") ?? root.attributes.get("name")),
    ...optionalProperty("experiment", trimmedChildText(root, "experiment")),
    ...optionalProperty("synopsis", trimmedChildText(root, "synopsis")),
    ...optionalProperty("description", trimmedChildText(root, "description")),
    fixed: childrenOf(root, "fixed").map(readFixed),
    runs: all("run").map((element): RunSelection => readRun(element)),
    parameters: all("parameter").map((element): ParameterElement => readParameter(element)),
    series: all("series").map((element): SeriesElement => readSeries(element)),
    sources: childrenOf(root, "source").map(readSource),
    operators: childrenOf(root, "operator").map(readOperator),
    combiners: childrenOf(root, "combiner").map(readCombiner),
    outputs: childrenOf(root, "output").map(readOutput),
  };
}

function readFixed(element: XmlElement): FixedValue {
  checkShape(element, { attributes: ["id"], children: ["content"] });
  const value = requiredChild(element, "content");
  checkShape(value, {});
  return { id: idOf(element), value: trimmedText(value) };
}

function readSource(element: XmlElement): SourceElement {
  const children = ["result", "filter", "input", "parameter", "run", "series"];
  checkShape(element, { attributes: ["id", "boolean", "order", "key", "chronology", "missing", "rows"], children });
  const results = childrenOf(element, "result").map((result) => {
    checkShape(result, { attributes: ["alias", "axislabel"] });
    const { attributes } = result;
    return {
      name: nonEmptyTextOf(result),
      ...optionalProperty("alias", attributes.get("alias")),
      ...optionalProperty("axislabel", attributes.get("axislabel")),
    };
  });
  const rows = choiceOf(element, "rows", rowKinds);
  if (results.length === 0 && rows === undefined) throw xmlError(element, "<source> needs a <result>");
  const inputs = element.children.filter((child) => child.name !== "result" && child.name !== "filter");
  const filters = childrenOf(element, "filter").map(readSourceFilter);
  return {
    id: idOf(element),
    ...booleanOf(element),
    ...optionalProperty("order", choiceOf(element, "order", ["ascending", "descending", "keep"] as const)),
    ...optionalProperty("key", element.attributes.get("key")),
    ...optionalProperty("chronology", choiceOf(element, "chronology", chronologies)),
    ...optionalProperty("filters", filters.length === 0 ? undefined : filters),
    ...optionalProperty("missing", choiceOf(element, "missing", missingRows)),
    ...optionalProperty("rows", rows),
    results,
    inputs: inputs.map((input) => (input.name === "input" ? sourceInput(input) : idOf(input))),
    ...optionalProperty("axislabels", axisLabels(inputs)),
  };
}

function sourceInput(element: XmlElement): string {
  checkShape(element, { attributes: ["axislabel"] });
  return nonEmptyTextOf(element);
}

function axisLabels(inputs: readonly XmlElement[]): ReadonlyMap<string, string> | undefined {
  const labels = inputs.flatMap((input) => {
    const label = input.name === "input" ? input.attributes.get("axislabel") : undefined;
    return label === undefined ? [] : [[nonEmptyTextOf(input), label] as const];
  });
  return labels.length === 0 ? undefined : new Map(labels);
}

/** The kinds of inputs that an element accepts. */
const inputsOf: Readonly<Record<string, readonly string[]>> = {
  source: ["parameter", "run", "series"],
  operator: ["source", "operator", "combiner"],
  combiner: ["source", "operator", "combiner"],
  output: ["source", "operator", "combiner"],
};

/** Requires unique ids and inputs that refer to suitable elements. */
function checkIds(root: XmlElement): void {
  const elements = root.children.flatMap((child) => (child.name === "source" ? [child, ...child.children] : [child]));
  const known = new Map<string, string>();
  for (const element of elements) {
    const id = element.attributes.get("id")?.trim();
    if (id === undefined || !graph.includes(element.name)) continue;
    if (known.has(id)) throw xmlError(element, `the id '${id.slice(0, 64)}' is given twice`, { word: id });
    known.set(id, element.name);
  }
  for (const element of root.children)
    for (const input of childrenOf(element, "input")) checkInput(element, input, known);
}

function checkInput(element: XmlElement, input: XmlElement, known: ReadonlyMap<string, string>): void {
  const allowed = inputsOf[element.name] ?? [];
  const id = nonEmptyTextOf(input);
  const kind = known.get(id);
  if (kind !== undefined && allowed.includes(kind)) return;
  const candidates = [...known].flatMap(([each, of]) => (allowed.includes(of) ? [each] : []));
  const position = { file: input.file, line: input.textStart.line, column: input.textStart.column };
  const problem =
    kind === undefined
      ? `there is no element '${id.slice(0, 64)}'`
      : `'${id}' is a <${kind}> and cannot be an input of <${element.name}>`;
  throw xmlError(position, problem, {
    word: id,
    candidates,
    advice: `valid ids are ${candidates.join(", ") || "none"}`,
  });
}
